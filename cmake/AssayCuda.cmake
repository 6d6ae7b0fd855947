# Finds the CUDA compiler and says for which GPUs to compile.
# clmad, the carry-less multiply-add, needs nvcc 13.3. Machine code, not PTX:
# a driver need not know the compiler's newest PTX.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES "80-real;90-real;100-real;120-real")
endif()
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
enable_language(CUDA)
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13.3)
  message(STATUS "assay: nvcc ${CMAKE_CUDA_COMPILER_VERSION} has no clmad; "
                 "carry-less products are emulated (13.3 and later have it)")
endif()
# CMake before 3.26 does not know this dialect of nvcc's.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
message(STATUS "assay: nvcc ${CMAKE_CUDA_COMPILER_VERSION} for "
               "${CMAKE_CUDA_ARCHITECTURES}")
