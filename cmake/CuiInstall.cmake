# Installation: headers, the CMake package, and what the parts installed themselves.
install(DIRECTORY devlib/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/cuinstrument)
