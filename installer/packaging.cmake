# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed, and the packages made of it by installer/package: a DEB that uses the libraries of Debian 12, and a TGZ that runs from any
# folder and brings its own.
include(GNUInstallDirs)
set(CMAKE_INSTALL_DOCDIR ${CMAKE_INSTALL_DATADIR}/doc/hallwright)
set(CMAKE_INSTALL_LIBDIR lib)
set(programs hallwright hallwright-cli hallwright-render)
set_target_properties(${programs} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/hallwright")
foreach(program ${programs})
  target_link_options(${program} PRIVATE -Wl,--disable-new-dtags) # DT_RPATH holds for the libraries of libraries, DT_RUNPATH does not
endforeach()
install(TARGETS ${programs} RUNTIME_DEPENDENCY_SET libraries RUNTIME COMPONENT program)

set(files ${CMAKE_CURRENT_LIST_DIR}/files)
set(HW_RELEASE_DATE "2026-11-27")
configure_file(${files}/hallwright.metainfo.xml.in ${CMAKE_BINARY_DIR}/generated/io.github.hallwright.Hallwright.metainfo.xml @ONLY)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/resources/ DESTINATION ${CMAKE_INSTALL_DATADIR}/hallwright COMPONENT program
  PATTERN "*.po" EXCLUDE PATTERN "*.pot" EXCLUDE PATTERN "CMakeLists.txt" EXCLUDE)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/hallwright/docs COMPONENT program # the reference in Help
  PATTERN "gallery" EXCLUDE PATTERN "pictures" EXCLUDE PATTERN "architecture.*" EXCLUDE)
install(FILES ${files}/hallwright.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT program)
install(FILES ${files}/hallwright.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT program)
install(FILES ${CMAKE_BINARY_DIR}/generated/io.github.hallwright.Hallwright.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT program)
install(FILES ${CMAKE_SOURCE_DIR}/resources/icons/hallwright.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT program)
install(FILES ${CMAKE_SOURCE_DIR}/resources/icons/hallwright.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/mimetypes
  RENAME application-x-hallwright.svg COMPONENT program)
install(FILES ${files}/hallwright.bash-completion DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME hallwright-cli COMPONENT program)
install(FILES ${files}/copyright ${CMAKE_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY ${CMAKE_BINARY_DIR}/guide DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program OPTIONAL) # made by installer/package
install(DIRECTORY ${CMAKE_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program OPTIONAL) # made by installer/package

# The TGZ's own libraries: all but the C library, the graphics driver's and what talks to the display.
foreach(plugin platforms/libqxcb platforms/libqoffscreen xcbglintegrations/libqxcb-glx-integration iconengines/libqsvgicon imageformats/libqsvg imageformats/libqjpeg)
  get_filename_component(name ${plugin} NAME)
  get_filename_component(folder ${plugin} DIRECTORY)
  add_library(plugin_${name} MODULE IMPORTED)
  set_target_properties(plugin_${name} PROPERTIES IMPORTED_LOCATION ${QT6_INSTALL_PREFIX}/${QT6_INSTALL_PLUGINS}/${plugin}.so)
  install(IMPORTED_RUNTIME_ARTIFACTS plugin_${name} RUNTIME_DEPENDENCY_SET libraries LIBRARY DESTINATION lib/hallwright/plugins/${folder} COMPONENT libraries)
endforeach()
install(RUNTIME_DEPENDENCY_SET libraries
  PRE_EXCLUDE_REGEXES "^(ld-linux.*|libc|libm|libdl|librt|libpthread|libresolv|libutil|libanl|libmvec)\\.so" "^lib(GL|GLX|EGL|OpenGL|GLdispatch|glapi|drm|gbm)\\.so"
                      "^lib(X11|X11-xcb|xcb|Xext|fontconfig|freetype|expat|z|stdc\\+\\+|gcc_s)\\.so"
  LIBRARY DESTINATION lib/hallwright COMPONENT libraries)
install(FILES ${files}/qt.conf DESTINATION bin COMPONENT libraries)

set(CPACK_PACKAGE_NAME hallwright)
set(CPACK_PACKAGE_VENDOR Hallwright)
set(CPACK_SYSTEM_NAME linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_CONTACT "Hallwright developers <hallwright@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "design GPU datacenters and run their digital twin")
set(CPACK_PACKAGE_DESCRIPTION "One model of a GPU datacenter holds geometry, fabric, power, cooling and cabling.
Every edit updates port counts, oversubscription, power and cooling budgets, cable lengths, findings and cost at once.
An embedded flow simulator is drawn over a 3D twin; live telemetry is compared with the design.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-inter, fonts-noto-cjk, libgl1-mesa-dri, xvfb, xauth") # a display for `render` where there is none
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "mosquitto, openfoam, slurm-client")
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_BINARY_DIR}/generated/packages.cmake)
file(WRITE ${CPACK_PROJECT_CONFIG_FILE} "
set(CPACK_INSTALL_CMAKE_PROJECTS \"${CMAKE_BINARY_DIR};Hallwright;program;/\")
if(CPACK_GENERATOR STREQUAL \"DEB\")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
else()
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS \"${CMAKE_BINARY_DIR};Hallwright;libraries;/\")
endif()
")
include(CPack)
