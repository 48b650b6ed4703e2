// Random kernels, compiled in several variants, against an evaluation of their trees.
//
// HEALD_RANDOM_PROGRAMS=<count> runs more than the default, HEALD_RANDOM_SEED=<first> others. A
// kernel that fails is made smaller and shown.

#include "tests/cpp/simt/kernel_runner.hpp"
#include "tests/cpp/simt/random/program.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <random>

namespace heald::cpu::test::random {
namespace {

constexpr unsigned programs_per_source = 6;

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::vector<Dim> blocks_of(const Program& program) {
    if (program.has_warp_operations) return {{64, 1, 1}, {128, 1, 1}, {32, 2, 1}, {16, 4, 1}};
    return {{64, 1, 1}, {100, 1, 1}, {33, 1, 1}, {16, 4, 1}, {10, 10, 1}, {8, 4, 4}, {5, 1, 1}};
}

std::vector<unsigned> lanes_of(const Program& program) {
    if (program.has_warp_operations) return {32};
    return {1, 4, 8, 16, 32, 64};
}

struct Trial {
    Run run;
    unsigned lanes = 32;
};

template <typename T>
const T& one_of(const std::vector<T>& all, std::mt19937_64& random) {
    return all[random() % all.size()];
}

std::vector<Trial> trials_of(const Program& program, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<Trial> trials(2);
    for (Trial& trial : trials) {
        trial.run.grid = 1 + static_cast<unsigned>(random() % 3);
        trial.run.block = one_of(blocks_of(program), random);
        for (Value& parameter : trial.run.parameters) {
            parameter = static_cast<Value>(random() % 4 ? random() % 5 : random());
        }
        trial.run.input.resize(input_count);
        for (Value& value : trial.run.input) {
            value = static_cast<Value>(random() % 3 ? random() % 100 : random());
        }
        trial.lanes = one_of(lanes_of(program), random);
    }
    return trials;
}

bool agrees(KernelRunner& runner, const std::string& name, const Program& program,
            const Trial& trial) {
    Outcome got(trial.run);
    const auto& p = trial.run.parameters;
    runner(name, trial.lanes, {{trial.run.grid, 1, 1}, trial.run.block}, trial.run.input.data(),
           got.out.data(), got.own.data(), got.of_block.data(), got.counters.data(), p[0], p[1],
           p[2]);
    return got == evaluate(program, trial.run);
}

bool fails(const Program& program, const Trial& trial, const std::string& target) {
    KernelRunner runner(text_of(program, "k"), target);
    return !agrees(runner, "k", program, trial);
}

Program smallest_failing(Program program, const Trial& trial, const std::string& target) {
    for (bool was_simplified = true; was_simplified;) {
        was_simplified = false;
        for (Program& simpler : simplifications(program)) {
            if (!fails(simpler, trial, target)) continue;
            program = std::move(simpler);
            was_simplified = true;
            break;
        }
    }
    return program;
}

TEST(RandomPrograms, GiveWhatTheirTreesGive) {
    const std::uint64_t first = setting("HEALD_RANDOM_SEED", 1);
    const std::uint64_t count = setting("HEALD_RANDOM_PROGRAMS", 48);
    const bool is_long = count > 1000;
    std::vector<std::string> targets{""};
    for (const char* target : {"x86-64-v2", "x86-64-v3", "x86-64-v4"}) {
        if (can_run(target)) targets.push_back(target);
    }
    unsigned failures = 0;
    for (std::uint64_t seed = first; seed < first + count; seed += programs_per_source) {
        std::vector<Program> programs;
        std::string source;
        for (unsigned i = 0; i < programs_per_source; ++i) {
            programs.push_back(make_program(seed + i));
            source += text_of(programs[i], "k" + std::to_string(i));
        }
        const std::string target = targets[seed / programs_per_source % targets.size()];
        if (is_long) std::cout << "seed " << seed << " " << target << std::endl;
        KernelRunner runner(source, target);
        for (unsigned i = 0; i < programs_per_source; ++i) {
            for (const Trial& trial : trials_of(programs[i], seed + i)) {
                const std::string name = "k" + std::to_string(i);
                if (agrees(runner, name, programs[i], trial)) continue;
                const Program smallest = smallest_failing(programs[i], trial, target);
                const auto& [x, y, z] = trial.run.block;
                const auto& p = trial.run.parameters;
                ADD_FAILURE() << "seed " << seed + i << ", target '" << target << "', "
                              << trial.lanes << " lanes, grid " << trial.run.grid << ", block " << x
                              << "x" << y << "x" << z << ", parameters " << p[0] << ", " << p[1]
                              << ", " << p[2] << ":\n"
                              << text_of(smallest, "k");
                ASSERT_LT(++failures, 5U);
                break;
            }
        }
    }
}

}  // namespace
}  // namespace heald::cpu::test::random
