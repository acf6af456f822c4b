# Installation: headers, the CMake package, the Make fragment, and what the parts installed themselves. The CMake
# package and the Make fragment are put into the build tree as well, in the places they are installed to.
set(config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/cuinstrument")
set(share_dir "${CMAKE_INSTALL_DATADIR}/cuinstrument")
file(RELATIVE_PATH CUI_PREFIX_FROM_CONFIG "/${config_dir}" "/")
file(RELATIVE_PATH CUI_BIN_FROM_SHARE "/${share_dir}" "/${CMAKE_INSTALL_BINDIR}")

get_property(CUI_LIBRARY_CALLS GLOBAL PROPERTY CUI_LIBRARY_CALL)
get_property(CUI_LIBRARY_LAUNCHES GLOBAL PROPERTY CUI_LIBRARY_LAUNCH)

include(CMakePackageConfigHelpers)
configure_file(cmake/cuinstrument-config.cmake.in "${PROJECT_BINARY_DIR}/${config_dir}/cuinstrument-config.cmake" @ONLY)
configure_file(cmake/cuinstrument-instrument.cmake "${PROJECT_BINARY_DIR}/${config_dir}/cuinstrument-instrument.cmake"
               COPYONLY)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/${config_dir}/cuinstrument-config-version.cmake"
                                 COMPATIBILITY SameMinorVersion)
configure_file(cmake/cuinstrument.mk.in "${PROJECT_BINARY_DIR}/${share_dir}/cuinstrument.mk" @ONLY)

install(DIRECTORY "${PROJECT_BINARY_DIR}/${config_dir}/" DESTINATION "${config_dir}")
install(FILES "${PROJECT_BINARY_DIR}/${share_dir}/cuinstrument.mk" LICENSE DESTINATION "${share_dir}")
install(DIRECTORY devlib/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        PATTERN "*.md" EXCLUDE)
