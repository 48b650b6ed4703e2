#include "tests/cpp/simt/random/program.hpp"

#include <algorithm>
#include <random>

namespace heald::cpu::test::random {
namespace {

Value named(const std::string& text) {
    for (Value i = 0;; ++i) {
        if (operations().at(i).text == text) return i;
    }
}

class Generator {
public:
    explicit Generator(std::uint64_t seed) : random_(seed) {
        program_.has_warp_operations = one_in(3);
        program_.has_barriers = one_in(2);
        budget_ = 8 + below(25);
    }

    Program make() {
        while (budget_ > 0) body(program_.body, Level::block, 3);
        return std::move(program_);
    }

private:
    struct Loop {
        Level level;  ///< who agrees on how often the loop turns
        Level rest;   ///< who agrees on coming here after a `continue` above
        bool is_choice = false;
        bool is_closed = false;  ///< nothing may leave from inside: threads wait at its end
    };

    unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
    bool one_in(unsigned n) { return below(n) == 0; }

    /// Who agrees on coming to a place under conditions of `level`.
    Level here(Level level) const {
        level = std::max(level, floor_);
        for (const Loop& loop : loops_) level = std::max({level, loop.level, loop.rest});
        return level;
    }

    Level any_level(Level most) {
        return static_cast<Level>(below(static_cast<unsigned>(most) + 1));
    }

    Expression leaf(Level level);
    Expression expression(Level level, unsigned depth);
    Expression condition(Level level) {
        return one_in(4) ? leaf(level) : expression(level, 1 + below(2));
    }
    Expression small(Level level, unsigned bound) {
        Expression result{Expression::Kind::operation, remainder_, {expression(level, 1)}};
        return below(bound) == 0 ? result
                                 : Expression{Expression::Kind::constant, 1 + below(5), {}};
    }

    void body(Body& to, Level level, unsigned depth) {
        const unsigned count = 1 + below(4);
        for (unsigned i = 0; i < count && budget_ > 0; ++i) statement(to, level, depth);
    }
    void statement(Body& to, Level level, unsigned depth);
    void simple(Body& to, Level level);
    bool compound(Body& to, Level level, unsigned depth);
    void loop(Body& to, Level level, unsigned depth);
    bool leave(Body& to, Level level);
    bool of_warp(Body& to, Level level);
    bool of_block(Body& to, Level level, unsigned depth);
    /// A variable that threads which agree on `level` may set to a value of `value_level`.
    Value target(Level place, Level value_level) {
        const Level least = std::max(place, value_level);
        for (;;) {
            const Value variable = below(variable_count);
            if (level_of_variable(variable) >= least) return variable;
        }
    }

    std::mt19937_64 random_;
    Program program_;
    unsigned budget_ = 0;
    Level floor_ = Level::block;
    std::vector<Loop> loops_;
    struct Counter {
        Value variable;
        Level level;
    };
    std::vector<Counter> counters_;
    unsigned exchanges_ = 0;
    const Value remainder_ = named("(A % 10u)");
    const Value warp_ = named("(A / 32u)");
};

Expression Generator::leaf(Level level) {
    using Kind = Expression::Kind;
    switch (below(level == Level::thread ? 12 : 8)) {
        case 0:
            return {Kind::constant, one_in(3) ? static_cast<Value>(random_()) : below(70), {}};
        case 1:
        case 2:
            return {Kind::parameter, below(parameter_count), {}};
        case 3:
            return {Kind::block, 0, {}};
        case 4: {
            if (counters_.empty()) break;
            const Counter& counter = counters_[below(static_cast<unsigned>(counters_.size()))];
            if (counter.level <= level) return {Kind::variable, counter.variable, {}};
            break;
        }
        case 8:
        case 9:
            return {Kind::thread, 0, {}};
        case 10:
            return {Kind::coordinate, below(3), {}};
        default:
            break;
    }
    if (level >= Level::warp && one_in(6)) {
        return {Kind::operation, warp_, {{Kind::thread, 0, {}}}};
    }
    for (;;) {
        const Value variable = below(variable_count);
        if (level_of_variable(variable) <= level) return {Kind::variable, variable, {}};
    }
}

Expression Generator::expression(Level level, unsigned depth) {
    using Kind = Expression::Kind;
    if (depth == 0) return leaf(level);
    const auto operand = [&] { return expression(level, depth - 1); };
    const unsigned kind = below(16);
    if (kind == 0) return {Kind::load, 0, {operand()}};
    if (kind == 1) return {Kind::guarded_load, 0, {operand()}};
    if (kind == 2) return {Kind::shifted_load, 0, {operand()}};
    if (kind == 3 && level == Level::thread) return {Kind::private_load, 0, {operand()}};
    if (kind <= 5 && exchanges_ > 0) return {Kind::exchanged_load, 0, {operand()}};
    Expression result{Kind::operation, below(static_cast<unsigned>(operations().size())), {}};
    for (unsigned i = 0; i < operations()[result.index].operands; ++i) {
        result.operands.push_back(operand());
    }
    return result;
}

void Generator::simple(Body& to, Level level) {
    using Kind = Statement::Kind;
    const Level place = here(level);
    const Level value_level = any_level(Level::thread);
    const Expression value = expression(value_level, 1 + below(3));
    const unsigned kind = below(12);
    if (kind == 0) {
        to.push_back({Kind::store_own, 0, 0, {value}, {}});
    } else if (kind == 1) {
        to.push_back({Kind::store_private, 0, 0, {expression(Level::thread, 1), value}, {}});
    } else if (kind == 2 && place == Level::block) {
        to.push_back({Kind::store_block, 0, 0, {expression(Level::block, 2)}, {}});
    } else if (kind == 3) {
        to.push_back({Kind::atomic, 0, 0, {expression(Level::thread, 1), value}, {}});
    } else {
        to.push_back({Kind::assign, target(place, value_level), 0, {value}, {}});
    }
}

bool Generator::leave(Body& to, Level level) {
    // Where the threads that leave are missed.
    const Level place = here(level);
    Statement s{Statement::Kind::leave, 0, 0, {}, {}};
    unsigned within = 0;
    while (within < loops_.size() && !loops_[loops_.size() - 1 - within].is_closed) ++within;
    const bool is_closed = within < loops_.size();
    const auto may_leave = [&](const Loop& loop) { return loop.is_choice || place <= loop.level; };
    unsigned loops_to_leave = 0;
    bool in_loop = false;
    for (unsigned i = 0; i < within && may_leave(loops_[loops_.size() - 1 - i]); ++i) {
        if (!loops_[loops_.size() - 1 - i].is_choice) ++loops_to_leave;
    }
    for (unsigned i = 0; i < within; ++i) in_loop |= !loops_[loops_.size() - 1 - i].is_choice;
    const unsigned kind = below(4);
    if (kind == 0 && !is_closed) {
        for (const Loop& loop : loops_) {
            if (!may_leave(loop)) return false;
        }
        s.number = Statement::return_kernel;
        floor_ = std::max(floor_, place);
    } else if (kind == 1 && in_loop) {
        s.number = Statement::continue_loop;
        for (unsigned i = 0; i < within; ++i) {
            Loop& loop = loops_[loops_.size() - 1 - i];
            loop.rest = std::max(loop.rest, place);
            if (!loop.is_choice) break;
        }
    } else if (loops_to_leave > 0) {
        s.number = 1 + below(loops_to_leave);
        // The rest of loops further in is left as well, by an edge that the choice of level allows.
        for (unsigned i = 0; i < within; ++i) {
            Loop& loop = loops_[loops_.size() - 1 - i];
            loop.rest = std::max(loop.rest, place);
            if (!loop.is_choice) break;
        }
    } else {
        return false;
    }
    to.push_back(s);
    return true;
}

void Generator::loop(Body& to, Level level, unsigned depth) {
    using Kind = Statement::Kind;
    const Level place = here(level);
    const Level bound_level = std::max(place, any_level(Level::thread));
    const Level leaves = std::max(bound_level, any_level(Level::thread));
    const Value counter = program_.variables++;
    Statement s{Kind::loop_for, counter, 1, {}, {{}}};
    const unsigned kind = below(4);
    if (kind <= 1) {
        s.number = one_in(3) ? 1 + below(8) : 1;
        s.expressions = {
            one_in(2) ? Expression{} : small(bound_level, 2), small(bound_level, 2),
            one_in(3) ? condition(bound_level) : Expression{Expression::Kind::constant, 1, {}}};
        // From the thread's own index in steps, as grids do.
        if (bound_level == Level::thread && one_in(3)) {
            s.number = 32;
            s.expressions[0] = {Expression::Kind::thread, 0, {}};
            s.expressions[1] = {Expression::Kind::constant, 20 + below(180), {}};
        }
    } else {
        s.kind = kind == 2 ? Kind::loop_down : Kind::loop_do;
        s.expressions = {small(bound_level, 2)};
    }
    loops_.push_back({leaves, Level::block});
    counters_.push_back({counter, leaves});
    body(s.bodies[0], level, depth - 1);
    counters_.pop_back();
    loops_.pop_back();
    to.push_back(std::move(s));
}

bool Generator::of_warp(Body& to, Level level) {
    using Kind = Statement::Kind;
    if (!program_.has_warp_operations || here(level) > Level::warp) return false;
    const Expression value = expression(Level::thread, 1 + below(2));
    if (one_in(2)) {
        to.push_back({Kind::vote, target(here(level), Level::warp), below(3), {value}, {}});
    } else {
        const bool is_constant = one_in(2);
        const Expression where = is_constant ? Expression{Expression::Kind::constant, below(32), {}}
                                             : expression(any_level(Level::thread), 1);
        const Value kind = below(4);
        const Level result = kind == 0 && is_constant ? Level::warp : Level::thread;
        to.push_back({Kind::shuffle, target(here(level), result), kind, {value, where}, {}});
    }
    return true;
}

bool Generator::of_block(Body& to, Level level, unsigned depth) {
    using Kind = Statement::Kind;
    if (!program_.has_barriers || exchanges_ > 0 || here(level) > Level::block) return false;
    const Expression value = expression(Level::thread, 1 + below(2));
    if (one_in(3)) {
        to.push_back({Kind::count, target(Level::block, Level::block), below(3), {value}, {}});
        return true;
    }
    Statement s{Kind::exchange, 0, 0, {value}, {{}}};
    ++exchanges_;
    loops_.push_back({Level::block, Level::block, true, true});
    body(s.bodies[0], level, depth);
    loops_.pop_back();
    --exchanges_;
    to.push_back(std::move(s));
    return true;
}

bool Generator::compound(Body& to, Level level, unsigned depth) {
    using Kind = Statement::Kind;
    const Level of_condition = any_level(Level::thread);
    const Level inside = std::max(level, of_condition);
    const unsigned kind = below(10);
    if (kind <= 4) {
        Statement s{Kind::branch, 0, 0, {condition(of_condition)}, {{}, {}}};
        body(s.bodies[0], inside, depth - 1);
        if (!one_in(3)) body(s.bodies[1], inside, depth - 1);
        to.push_back(std::move(s));
    } else if (kind == 5) {
        Statement s{Kind::choice, 0, below(64), {expression(of_condition, 2)}, {}};
        s.bodies.resize(2 + below(4));
        loops_.push_back({Level::block, Level::block, true});
        for (Body& one : s.bodies) body(one, inside, depth - 1);
        loops_.pop_back();
        to.push_back(std::move(s));
    } else if (kind == 6) {
        Statement s{Kind::unset, 0, 0, {condition(of_condition), {}}, {{}}};
        const Level value_level = any_level(Level::thread);
        s.expressions[1] = expression(value_level, 1);
        body(s.bodies[0], level, depth - 1);
        s.target = target(here(inside), value_level);
        to.push_back(std::move(s));
    } else {
        loop(to, level, depth);
    }
    return true;
}

void Generator::statement(Body& to, Level level, unsigned depth) {
    if (budget_ > 0) --budget_;
    const unsigned kind = below(20);
    if (kind < 2 && depth < 3 && leave(to, level)) return;
    if (kind >= 2 && kind < 5 && of_warp(to, level)) return;
    if (kind >= 5 && kind < 7 && depth > 0 && of_block(to, level, depth)) return;
    if (kind >= 7 && kind < 14 && depth > 0 && compound(to, level, depth)) return;
    simple(to, level);
}

}  // namespace

Level level_of_variable(unsigned variable) {
    return variable < 2 ? Level::block : variable < 4 ? Level::warp : Level::thread;
}

Program make_program(std::uint64_t seed) {
    return Generator(seed).make();
}

}  // namespace heald::cpu::test::random
