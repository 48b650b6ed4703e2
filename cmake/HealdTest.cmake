include(GoogleTest)

# heald_add_test(name LAYER layer SOURCES … [LIBRARIES …] [ENVIRONMENT …])
# A GoogleTest program with ctest label = layer.
function(heald_add_test name)
    cmake_parse_arguments(TEST "" "LAYER" "SOURCES;LIBRARIES;ENVIRONMENT" ${ARGN})
    add_executable(${name} ${TEST_SOURCES})
    target_link_libraries(${name} PRIVATE ${TEST_LIBRARIES} heald_flags GTest::gtest GTest::gtest_main)
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
        PROPERTIES LABELS ${TEST_LAYER} TIMEOUT 300 ENVIRONMENT "${TEST_ENVIRONMENT}")
endfunction()
