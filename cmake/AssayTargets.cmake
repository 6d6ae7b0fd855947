# Defines the library targets from the rooms' files.

# Warnings and sanitizers that every target of ours is compiled with.
function(assay_compile_options target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wshadow>)
  if(ASSAY_SANITIZE)
    target_compile_options(${target} PUBLIC
      -fsanitize=address,undefined -fno-sanitize-recover=all
      -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
  if(ASSAY_FUZZ)
    target_compile_options(${target} PUBLIC
      -fsanitize=fuzzer-no-link,address,undefined
      -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

# assay_verify: verifiers, parameters, numbers and meanings; no device code.
# assay: all of it. The rooms' files are globbed, so a new file in a room
# needs no line here; which library it belongs to is said by its name.
function(assay_library)
  file(GLOB_RECURSE all CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/assay/*.cc)
  list(FILTER all EXCLUDE REGEX "_test\\.cc$")
  set(verify ${all})
  list(FILTER verify EXCLUDE REGEX "/assay/(device|runtime|capi)/")
  list(FILTER verify EXCLUDE REGEX "/assay/base/parallel\\.cc$")
  list(FILTER verify EXCLUDE REGEX
    "/assay/ops/.*_(cpu|kernels|cases|cuda|lanes|fft)\\.cc$")
  list(FILTER verify EXCLUDE REGEX "/assay/ops/op_list\\.cc$")
  list(FILTER verify EXCLUDE REGEX "/assay/protocol/[^/]*_prove\\.cc$")
  list(FILTER verify EXCLUDE REGEX
    "/assay/whir/(plan|prove|commitment|tables|first_rounds|batch|placement|grinder|prover|work|powers)\\.cc$")
  list(FILTER verify EXCLUDE REGEX
    "/assay/binary/(bch|file_crc|shard_blocks|shards|shards_repair)\\.cc$")
  list(FILTER verify EXCLUDE REGEX
    "/assay/binary/(plan|prove|load_columns|workload|\\w+_rounds)\\.cc$")
  list(FILTER verify EXCLUDE REGEX "/assay/binary/(file_ghash|gcm|gcm_device|seal\\w*)\\.cc$")
  # Of the planar engine the verifier and what it reads need neither BLAS nor
  # threads.
  set(planar ${all})
  list(FILTER planar INCLUDE REGEX "/assay/planar/")
  list(FILTER planar EXCLUDE REGEX
    "/(verify|network|unknowns|uprights|surface|edge_correction)\\.cc$")
  list(REMOVE_ITEM verify ${planar})
  set(rest ${all})
  list(REMOVE_ITEM rest ${verify})

  add_library(assay_verify STATIC ${verify})
  target_include_directories(assay_verify PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(assay_verify PUBLIC fmt::fmt
    PRIVATE nlohmann_json::nlohmann_json)
  assay_compile_options(assay_verify)

  if(ASSAY_CUDA)
    file(GLOB_RECURSE cuda CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/assay/*.cu)
    list(APPEND rest ${cuda})
  else()
    list(FILTER rest EXCLUDE REGEX "/assay/device/cuda/")
  endif()
  if(ASSAY_WEBGPU)
    assay_embed_wgsl(rest)
  else()
    list(FILTER rest EXCLUDE REGEX "/assay/device/webgpu/")
  endif()

  assay_absent_entries(rest)

  add_library(assay STATIC ${rest})
  # PUBLIC: every file must agree on what a kernel's row holds.
  target_compile_definitions(assay PUBLIC ASSAY_ALL_ROWS=1)
  # Of the library's files only those that open devices ask what backends
  # there are: the others compile to the same objects in every build.
  set(open ${PROJECT_SOURCE_DIR}/assay/device/open_device.cc)
  if(ASSAY_CUDA)
    target_compile_definitions(assay INTERFACE ASSAY_CUDA=1)
    set_property(SOURCE ${open} APPEND PROPERTY
      COMPILE_DEFINITIONS ASSAY_CUDA=1)
    file(GLOB backend CONFIGURE_DEPENDS
      ${PROJECT_SOURCE_DIR}/assay/device/cuda/*.cc)
    foreach(include ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
      set_property(SOURCE ${backend} APPEND PROPERTY
        COMPILE_OPTIONS -isystem ${include})
    endforeach()
  endif()
  if(ASSAY_WEBGPU)
    target_compile_definitions(assay INTERFACE ASSAY_WEBGPU=1)
    set_property(SOURCE ${open} APPEND PROPERTY
      COMPILE_DEFINITIONS ASSAY_WEBGPU=1)
    target_link_libraries(assay PRIVATE assay_wgpu)
  endif()
  # PUBLIC: every file must agree on the list of vector targets.
  # Vectors of unknown size can not be members, which our kernels need.
  set(disabled "HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128|HWY_RVV")
  if(ASSAY_SANITIZE)
    # Instrumented kernels take minutes each: the widest, the usual and the
    # scalar form. The release build tests them all.
    string(APPEND disabled "|HWY_SSSE3|HWY_SSE4|HWY_AVX3")
  endif()
  target_compile_definitions(assay PUBLIC HWY_WANT_AVX3_DL
    "HWY_DISABLED_TARGETS=(${disabled})")
  if(ASSAY_FUZZ)
    # Readers are fuzzed, not kernels: one vector target, not instrumented
    # (clang takes minutes to optimize such a file).
    target_compile_definitions(assay PUBLIC HWY_COMPILE_ONLY_STATIC)
    set(kernels ${rest})
    list(FILTER kernels INCLUDE REGEX "_cpu\\.cc$")
    set_source_files_properties(${kernels} PROPERTIES
      COMPILE_OPTIONS "-O0;-fno-sanitize=all")
  endif()
  target_link_libraries(assay PUBLIC assay_verify hwy::hwy
    PRIVATE TBB::tbb nlohmann_json::nlohmann_json Threads::Threads BLAS::BLAS
    PNG::PNG Eigen3::Eigen)
  assay_compile_options(assay)
endfunction()
