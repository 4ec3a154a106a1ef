# What every target of the project is compiled with, and where the build puts things: the same layout as an
# installation, so that build/<preset>/bin/agentrun finds its plugins.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(AGENTRUN_PLUGIN_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/agentrun/plugins")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(AGENTRUN_CCACHE ccache)
if(AGENTRUN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${AGENTRUN_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${AGENTRUN_CCACHE}")
endif()

add_library(agentrun_options INTERFACE)
target_compile_options(agentrun_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast>
  # GCC 12 sees overlapping and overlong copies in libstdc++'s own strings (GCC bugs 105329 and 105651). clang and the
  # sanitizers watch over these.
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow>
  $<$<BOOL:${AGENTRUN_WERROR}>:-Werror>
  $<$<CONFIG:Release,RelWithDebInfo>:-fstack-protector-strong>)
target_compile_definitions(agentrun_options INTERFACE
  _GLIBCXX_ASSERTIONS
  $<$<CONFIG:Release,RelWithDebInfo>:_FORTIFY_SOURCE=2>)

# Set by the sanitizer presets: "address,undefined" or "thread".
set(AGENTRUN_SANITIZE "" CACHE STRING "Sanitizers for every target")
if(AGENTRUN_SANITIZE)
  add_compile_options(-fsanitize=${AGENTRUN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${AGENTRUN_SANITIZE})
endif()

# Half of the time until main() was the dynamic loader's work on libstdc++, libfmt and libspdlog. What crosses the plugin
# boundary holds with a copy of libstdc++ on either side: both take memory from the one malloc, each module destroys what
# it made, and nothing throws across.
function(agentrun_bring_standard_library target)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT AGENTRUN_SANITIZE)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()
