# agentrun_add_plugin(<runtime|backend> <name> SOURCES … [LIBRARIES …])
#
# Makes the target agentrun-<kind>-<name>: a module agentrun-<kind>-<name>.so, the same file name on Linux and macOS.
# In agentrun's own tree, with AGENTRUN_STATIC_PLUGINS, the same sources are built into the executable instead.
# Needs the target agentrun::sdk: the tree's own, or the one of find_package(agentrun).

include(GNUInstallDirs)

# Beside the executable's directory, where agentrun looks: not CMAKE_INSTALL_LIBDIR, which names the processor on Debian.
set(AGENTRUN_PLUGIN_INSTALL_DIRECTORY "lib/agentrun/plugins" CACHE STRING "Where plugins are installed")

function(agentrun_add_plugin kind name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES;LIBRARIES")
  if(NOT kind MATCHES "^(runtime|backend)$")
    message(FATAL_ERROR "agentrun_add_plugin: the kind is runtime or backend, not '${kind}'")
  endif()
  if(NOT name MATCHES "^[a-z0-9-]+$")
    message(FATAL_ERROR "agentrun_add_plugin: a name is made of a-z, 0-9 and '-', unlike '${name}'")
  endif()
  if(kind STREQUAL "runtime" AND name MATCHES "^(exec|doctor|plugins|explain|batch)$")
    message(FATAL_ERROR "agentrun_add_plugin: '${name}' is a sub-command of agentrun and cannot be a runtime")
  endif()

  set(target "agentrun-${kind}-${name}")
  if(AGENTRUN_STATIC_PLUGINS)
    agentrun_add_builtin_plugin_(${target})
  else()
    agentrun_add_module_plugin_(${target})
  endif()
  target_sources(${target} PRIVATE ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE agentrun::sdk ${arg_LIBRARIES} $<TARGET_NAME_IF_EXISTS:agentrun_options>)
  target_compile_features(${target} PRIVATE cxx_std_20)
  # Otherwise plugins would see each other's functions in place of their own.
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                                             POSITION_INDEPENDENT_CODE ON)
endfunction()

function(agentrun_add_module_plugin_ target)
  add_library(${target} MODULE)
  set_target_properties(${target} PROPERTIES PREFIX "" SUFFIX ".so")
  if(AGENTRUN_PLUGIN_OUTPUT_DIRECTORY)
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${AGENTRUN_PLUGIN_OUTPUT_DIRECTORY}")
  endif()
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    # Standard templates are visible whatever the preset says: only the descriptor leaves the module.
    set(exports "${CMAKE_CURRENT_BINARY_DIR}/${target}.exports")
    file(CONFIGURE OUTPUT "${exports}" CONTENT "{ global: agentrun_plugin_v*; local: *; };\n")
    target_link_options(${target} PRIVATE "-Wl,--version-script,${exports}" -Wl,-z,now)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${exports}")
    if(COMMAND agentrun_bring_standard_library)
      agentrun_bring_standard_library(${target})
    endif()
    # A missing function fails the build, not a run. Clang's sanitizers leave their own to the executable.
    if(NOT (AGENTRUN_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES "Clang"))
      target_link_options(${target} PRIVATE -Wl,-z,defs)
    endif()
  endif()
  install(TARGETS ${target} LIBRARY DESTINATION "${AGENTRUN_PLUGIN_INSTALL_DIRECTORY}" COMPONENT ${target})
endfunction()

# The list in the global property becomes the table of built-in plugins (host/plugins).
function(agentrun_add_builtin_plugin_ target)
  string(REPLACE "-" "_" symbol "${target}_builtin")
  add_library(${target} STATIC)
  target_compile_definitions(${target} PRIVATE AGENTRUN_PLUGIN_BUILTIN_SYMBOL=${symbol})
  set_property(GLOBAL APPEND PROPERTY AGENTRUN_BUILTIN_PLUGINS ${target})
  set_property(GLOBAL APPEND PROPERTY AGENTRUN_BUILTIN_SYMBOLS ${symbol})
endfunction()
