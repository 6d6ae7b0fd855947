# Finds wgpu-native and turns the WGSL of operations into sources.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# Headers and library stand in one folder, filled by `ensure_webgpu` of
# tools/run/common.sh.
set(ASSAY_WEBGPU_DIR "${PROJECT_SOURCE_DIR}/build/wgpu-native" CACHE PATH
  "Folder with include/webgpu/webgpu.h and lib/libwgpu_native.so")
find_path(ASSAY_WEBGPU_INCLUDE webgpu/wgpu.h REQUIRED NO_DEFAULT_PATH
  HINTS ${ASSAY_WEBGPU_DIR}/include)
find_library(ASSAY_WEBGPU_LIBRARY wgpu_native REQUIRED NO_DEFAULT_PATH
  HINTS ${ASSAY_WEBGPU_DIR}/lib)
mark_as_advanced(ASSAY_WEBGPU_INCLUDE ASSAY_WEBGPU_LIBRARY)
add_library(assay_wgpu SHARED IMPORTED GLOBAL)
set_target_properties(assay_wgpu PROPERTIES
  IMPORTED_LOCATION ${ASSAY_WEBGPU_LIBRARY} IMPORTED_NO_SONAME TRUE)
target_include_directories(assay_wgpu SYSTEM INTERFACE ${ASSAY_WEBGPU_INCLUDE})
# Programs find it where they were built, and beside themselves elsewhere.
list(APPEND CMAKE_BUILD_RPATH "$ORIGIN")
message(STATUS "assay: wgpu-native ${ASSAY_WEBGPU_LIBRARY}")

# Appends to `sources` a file for each assay/ops/X/X_webgpu.wgsl.
function(assay_embed_wgsl sources)
  file(GLOB_RECURSE texts CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/assay/ops/*_webgpu.wgsl)
  foreach(text ${texts})
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${text})
    string(REGEX REPLACE "\\.wgsl$" ".cc" name ${name})
    set(made ${PROJECT_BINARY_DIR}/wgsl/${name})
    add_custom_command(OUTPUT ${made}
      COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/embed_wgsl.py
        ${text} ${made} --depfile ${made}.d
      DEPENDS ${text} ${PROJECT_SOURCE_DIR}/tools/embed_wgsl.py
      DEPFILE ${made}.d VERBATIM)
    list(APPEND ${sources} ${made})
  endforeach()
  set(${sources} ${${sources}} PARENT_SCOPE)
endfunction()
