# SPDX-License-Identifier: GPL-3.0-or-later

# hw_headers(name LINK … HEADERS …): headers that nearly every source of some modules includes, compiled once for them.
function(hw_headers name)
  cmake_parse_arguments(ARG "" "" "LINK;HEADERS;OPTIONS" ${ARGN})
  add_library(${name} STATIC ${CMAKE_SOURCE_DIR}/cmake/headers.cpp)
  target_link_libraries(${name} PRIVATE hw_options ${ARG_LINK})
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
endfunction()

set(HW_CORE_HEADERS <algorithm> <array> <cmath> <functional> <map> <memory> <optional> <set> <span> <string> <string_view> <tuple> <unordered_map>
    <vector> <fmt/format.h> ${CMAKE_SOURCE_DIR}/core/model/snapshot.h ${CMAKE_SOURCE_DIR}/core/base/result.h)

# hw_unity(target): its sources are compiled in batches of nearly equal size, most of the cost being headers and what they make.
set(HW_MOST_TOGETHER 12)
function(hw_unity target)
  if(NOT HW_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(LENGTH sources count)
  math(EXPR batches "(${count} + ${HW_MOST_TOGETHER} - 1) / ${HW_MOST_TOGETHER}")
  if(batches GREATER 0)
    math(EXPR together "(${count} + ${batches} - 1) / ${batches}")
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${together})
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage) # a source is not its own main file here
  endif()
endfunction()

# hw_module(name SOURCES … LINK … [QT] [APART]): one static library of the product, alias hw::name. Sources are compiled
# several at a time (hw_unity); APART compiles each alone. QT: it has parts of a window.
function(hw_module name)
  cmake_parse_arguments(ARG "APART;QT" "" "SOURCES;LINK" ${ARGN})
  add_library(hw_${name} STATIC ${ARG_SOURCES})
  add_library(hw::${name} ALIAS hw_${name})
  target_link_libraries(hw_${name} PUBLIC hw_options fmt::fmt ${ARG_LINK})
  if(ARG_QT)
    set_target_properties(hw_${name} PROPERTIES AUTOMOC ON)
    target_precompile_headers(hw_${name} REUSE_FROM hw_qt_headers)
  else()
    target_precompile_headers(hw_${name} REUSE_FROM hw_core_headers)
  endif()
  if(NOT ARG_APART)
    hw_unity(hw_${name})
  endif()
endfunction()

# Tests and what only reads options and prints: less optimised, for they are compiled more often than they wait for themselves.
set(HW_QUICK_TO_COMPILE $<$<CONFIG:Release>:-O1>)

# hw_test(name SOURCES … LINK … [GUI]): one QtTest executable and its ctest entry.
function(hw_test name)
  cmake_parse_arguments(ARG "GUI" "TIMEOUT" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES AUTOMOC ON)
  # What moc makes is in the source itself; the rest is an empty file, quickly compiled if it does not load the headers.
  set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/${name}_autogen/mocs_compilation.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  target_link_libraries(${name} PRIVATE hw_options fmt::fmt Qt6::Test ${ARG_LINK})
  target_compile_options(${name} PRIVATE ${HW_QUICK_TO_COMPILE})
  if(ARG_GUI)
    target_precompile_headers(${name} REUSE_FROM hw_gui_test_headers)
  else()
    target_precompile_headers(${name} REUSE_FROM hw_test_headers)
  endif()
  target_compile_definitions(${name} PRIVATE HW_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data"
                             HW_RESOURCES="${CMAKE_SOURCE_DIR}/resources" HW_BIN_DIR="${CMAKE_BINARY_DIR}/bin")
  add_test(NAME ${name} COMMAND ${name})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  if(HW_SANITIZE)
    math(EXPR ARG_TIMEOUT "${ARG_TIMEOUT} * 10")
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT})
  if(ARG_GUI)
    set_tests_properties(${name} PROPERTIES LABELS gui)
  else()
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
  endif()
endfunction()
