include(GoogleTest)

# Under sanitizers, what is tested is instrumented in full, its tests only as far as their memory
# goes: they compile in a third of the time.
add_library(heald_test_flags INTERFACE)
if(HEALD_SANITIZE)
    target_compile_options(heald_test_flags INTERFACE -O0)
    if(HEALD_SANITIZE MATCHES "undefined")
        target_compile_options(heald_test_flags INTERFACE -fno-sanitize=undefined)
    endif()
endif()

# heald_add_test(name LAYER layer SOURCES … [LIBRARIES …] [ENVIRONMENT …])
# A GoogleTest program with ctest label = layer; the target tests_<layer> builds a layer's programs.
function(heald_add_test name)
    cmake_parse_arguments(TEST "" "LAYER" "SOURCES;LIBRARIES;ENVIRONMENT" ${ARGN})
    add_executable(${name} ${TEST_SOURCES})
    target_link_libraries(${name} PRIVATE ${TEST_LIBRARIES} heald_flags heald_test_flags
        GTest::gtest GTest::gtest_main)
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
        PROPERTIES LABELS ${TEST_LAYER} TIMEOUT 300 ENVIRONMENT "${TEST_ENVIRONMENT}")
    if(NOT TARGET tests_${TEST_LAYER})
        add_custom_target(tests_${TEST_LAYER})
    endif()
    add_dependencies(tests_${TEST_LAYER} ${name})
endfunction()
