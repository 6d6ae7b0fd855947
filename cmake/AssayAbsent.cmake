# Defines the entries of backends that this build leaves out.

# Rows of kernels name the entries of every backend, so that files compile to
# the same objects whatever backends a build has (a compiler cache then serves
# them all). Appends to `sources` a file in which the entries of absent
# backends are null, for each kernel that an X_kernels.h declares.
function(assay_absent_entries sources)
  file(GLOB headers CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/assay/ops/*/*_kernels.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
  set(includes "")
  set(entries "")
  foreach(header ${headers})
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${header})
    string(APPEND includes "#include \"${path}\"\n")
    file(STRINGS ${header} lines
      REGEX "^struct |static CudaEntry Cuda|static std::string_view Wgsl")
    foreach(line ${lines})
      if(line MATCHES "^struct ([A-Za-z0-9_]+)")
        set(kernel ${CMAKE_MATCH_1})
      elseif(line MATCHES "Cuda\\(\\)" AND NOT ASSAY_CUDA)
        string(APPEND entries "CudaEntry ${kernel}::Cuda() { return {}; }\n")
      elseif(line MATCHES "Wgsl\\(\\)" AND NOT ASSAY_WEBGPU)
        string(APPEND entries
          "std::string_view ${kernel}::Wgsl() { return {}; }\n")
      endif()
    endforeach()
  endforeach()
  set(made ${PROJECT_BINARY_DIR}/absent_entries.cc)
  file(CONFIGURE OUTPUT ${made} @ONLY CONTENT
    "// Made by cmake/AssayAbsent.cmake.
${includes}
namespace assay {
${entries}}  // namespace assay
")
  set(${sources} ${${sources}} ${made} PARENT_SCOPE)
endfunction()
