# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -P together.cmake OUT (NAME SOURCE)…: writes one source that compiles several tests: the headers of all, then each
# test in a namespace of its own, where what is anonymous, and its main, cannot meet another's.
set(headers)
set(tests "")
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE 4 ${last} 2)
  math(EXPR next "${i} + 1")
  file(STRINGS ${CMAKE_ARGV${next}} lines REGEX "^#include")
  list(FILTER lines EXCLUDE REGEX "\\.moc\"")
  list(APPEND headers ${lines})
  string(APPEND tests "namespace in_${CMAKE_ARGV${i}} {\n#include \"${CMAKE_ARGV${next}}\"\n}\n")
endforeach()
list(REMOVE_DUPLICATES headers)
list(JOIN headers "\n" headers)
file(WRITE ${CMAKE_ARGV3} "${headers}\n${tests}")
