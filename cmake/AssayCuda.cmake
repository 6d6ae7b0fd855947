# Finds the CUDA compiler and says for which GPUs to compile.

# Any nvcc of CUDA 12.8 or later: what the caller names, else that of
# `ensure_cuda` (tools/run/common.sh), else what is in the PATH. Machine code,
# not PTX: a driver need not know the compiler's newest PTX.
if(NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  file(GLOB nvcc
    ${PROJECT_SOURCE_DIR}/build/venv-cuda/lib/python3*/site-packages/nvidia/cu*/bin/nvcc)
  if(nvcc)
    list(GET nvcc 0 nvcc)
    set(CMAKE_CUDA_COMPILER ${nvcc} CACHE FILEPATH "The CUDA compiler")
  endif()
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 100-real 120-real CACHE STRING
    "GPUs to compile for")
endif()
if(ASSAY_CCACHE AND NOT DEFINED CMAKE_CUDA_COMPILER_LAUNCHER)
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${ASSAY_CCACHE})
endif()
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
enable_language(CUDA)
# CMake before 3.26 does not know this dialect of nvcc's.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13.3)
  set(words "emulated (nvcc 13.3 and later have clmad)")
else()
  set(words "clmad")
endif()
message(STATUS "assay: nvcc ${CMAKE_CUDA_COMPILER_VERSION} for "
  "${CMAKE_CUDA_ARCHITECTURES}, carry-less products: ${words}")
