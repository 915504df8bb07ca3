# SPDX-License-Identifier: GPL-3.0-or-later

# hw_module(name SOURCES … LINK …): one static library of the product, alias hw::name.
function(hw_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(hw_${name} STATIC ${ARG_SOURCES})
  add_library(hw::${name} ALIAS hw_${name})
  target_link_libraries(hw_${name} PUBLIC hw_options ${ARG_LINK})
endfunction()

# hw_test(name SOURCES … LINK … [GUI]): one QtTest executable and its ctest entry.
function(hw_test name)
  cmake_parse_arguments(ARG "GUI" "TIMEOUT" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES AUTOMOC ON)
  target_link_libraries(${name} PRIVATE hw_options Qt6::Test ${ARG_LINK})
  target_compile_definitions(${name} PRIVATE HW_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data"
                             HW_RESOURCES="${CMAKE_SOURCE_DIR}/resources" HW_BIN_DIR="${CMAKE_BINARY_DIR}/bin")
  add_test(NAME ${name} COMMAND ${name})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT})
  if(ARG_GUI)
    set_tests_properties(${name} PROPERTIES LABELS gui)
  else()
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
  endif()
endfunction()
