# agentrun_add_plugin(<runtime|backend> <name> SOURCES … [LIBRARIES …])
#
# Makes agentrun-<kind>-<name>.so. The name is the same on Linux and macOS: the host looks for exactly that file.

function(agentrun_add_plugin kind name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES;LIBRARIES")
  set(target "agentrun-${kind}-${name}")
  add_library(${target} MODULE ${arg_SOURCES})
  # Linked eagerly: a module with an undefined symbol must fail when it is built or loaded, not in the middle of a run.
  target_link_options(${target} PRIVATE
    $<$<PLATFORM_ID:Linux>:-Wl,-z,now,-z,defs,--exclude-libs,ALL>)
  target_link_libraries(${target} PRIVATE agentrun::sdk ${arg_LIBRARIES} $<TARGET_NAME_IF_EXISTS:agentrun_options>)
  set_target_properties(${target} PROPERTIES
    PREFIX "" SUFFIX ".so"
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LIBRARY_OUTPUT_DIRECTORY "${AGENTRUN_PLUGIN_OUTPUT_DIRECTORY}")
  install(TARGETS ${target} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/agentrun/plugins" COMPONENT ${target})
endfunction()
