# Finds the packages that assay uses and prints their versions.
find_package(hwy 1.0.3 REQUIRED)
find_package(TBB 2021.5 REQUIRED)
find_package(fmt 9.0 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(Threads REQUIRED)
find_package(PNG 1.6 REQUIRED)
find_package(Eigen3 3.4 REQUIRED)
# OpenBLAS brings LAPACK along.
set(BLA_VENDOR OpenBLAS)
find_package(BLAS REQUIRED)
message(STATUS "assay: hwy ${hwy_VERSION}, TBB ${TBB_VERSION}, "
               "fmt ${fmt_VERSION}, CLI11 ${CLI11_VERSION}, "
               "nlohmann_json ${nlohmann_json_VERSION}, "
               "libpng ${PNG_VERSION_STRING}, Eigen ${Eigen3_VERSION}, "
               "BLAS ${BLAS_LIBRARIES}")
if(ASSAY_TESTS)
  find_package(GTest 1.11 REQUIRED)
  message(STATUS "assay: GTest ${GTest_VERSION} (tests)")
endif()
# Peers of AES-GCM, of CRCs and of erasure codes, for tests and benches only:
# the library has no cryptography of others.
if(ASSAY_TESTS OR ASSAY_BENCH)
  find_package(OpenSSL 3.0 REQUIRED COMPONENTS Crypto)
  find_library(ASSAY_ISAL isal REQUIRED)
  mark_as_advanced(ASSAY_ISAL)
  message(STATUS "assay: OpenSSL ${OPENSSL_VERSION}, ISA-L ${ASSAY_ISAL} "
                 "(tests and benches)")
endif()
if(ASSAY_BENCH)
  find_package(benchmark 1.6 REQUIRED)
  message(STATUS "assay: benchmark ${benchmark_VERSION}")
endif()
