# What `cmake --install` puts where. One tree serves a prefix (/usr/local) and the wheel (its
# `heald` folder): include/heald, lib/libheald.so with the CPU compiler beside it, lib/cmake/heald.
#
# Component `engine`: library, plug-in, headers, CMake package. Component `python`: all of that,
# the Python module, and with HEALD_WHEEL the LLVM libraries.
include(CMakePackageConfigHelpers)

option(HEALD_WHEEL "Install for a wheel: self-contained, without symbolic links" OFF)
if(HEALD_WHEEL)
    set(CMAKE_INSTALL_LIBDIR lib)
    set_property(TARGET heald PROPERTY VERSION)
    set_property(TARGET heald PROPERTY SOVERSION)
endif()

set_target_properties(heald PROPERTIES INSTALL_RPATH "$ORIGIN")
if(TARGET heald_cpu_compiler)
    # DT_RPATH, not DT_RUNPATH: it also serves the libraries that LLVM's libraries need.
    set_target_properties(heald_cpu_compiler PROPERTIES INSTALL_RPATH "$ORIGIN")
    if(HEALD_WHEEL)
        target_link_options(heald_cpu_compiler PRIVATE LINKER:--disable-new-dtags)
    endif()
endif()

# The build folder can be found as well: -Dheald_ROOT=<build>.
set(package ${CMAKE_CURRENT_BINARY_DIR}/lib/cmake/heald)
configure_package_config_file(cmake/heald-config.cmake.in ${package}/heald-config.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heald)
write_basic_package_version_file(${package}/heald-config-version.cmake
    COMPATIBILITY SameMinorVersion)

foreach(component engine python)
    install(TARGETS heald EXPORT heald-${component}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component})
    if(TARGET heald_cpu_compiler)
        install(TARGETS heald_cpu_compiler
            RUNTIME_DEPENDENCY_SET heald-dependencies-${component}
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component} NAMELINK_SKIP)
    endif()
    if(HEALD_KERNEL_FILES)
        install(FILES ${HEALD_KERNEL_FILES} DESTINATION ${CMAKE_INSTALL_LIBDIR}
            COMPONENT ${component})
    endif()
    install(DIRECTORY include/heald DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT ${component} FILES_MATCHING PATTERN "*.hpp")
    install(EXPORT heald-${component} NAMESPACE heald:: FILE heald-targets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heald COMPONENT ${component})
    install(FILES ${package}/heald-config.cmake ${package}/heald-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heald COMPONENT ${component})
endforeach()

export(EXPORT heald-engine NAMESPACE heald:: FILE ${package}/heald-targets.cmake)

if(TARGET _heald)
    set_target_properties(_heald PROPERTIES INSTALL_RPATH "$ORIGIN/${CMAKE_INSTALL_LIBDIR}")
    install(TARGETS _heald LIBRARY DESTINATION . COMPONENT python)
endif()

# Everything that LLVM's libraries need, but for what every Linux with Python has.
if(HEALD_WHEEL AND TARGET heald_cpu_compiler)
    install(RUNTIME_DEPENDENCY_SET heald-dependencies-python
        PRE_EXCLUDE_REGEXES "^lib(c|m|dl|rt|pthread|mvec|z|stdc\\+\\+|gcc_s)\\.so" "^ld-linux"
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT python NAMELINK_SKIP)
endif()
