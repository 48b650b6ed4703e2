// All threads of a block step through the tree together, each with a flag that says whether it
// takes part.

#include "tests/cpp/simt/random/program.hpp"

#include <algorithm>

namespace heald::cpu::test::random {
namespace {

using Values = std::vector<Value>;
using Active = std::vector<char>;

class BlockEvaluation {
public:
    BlockEvaluation(const Program& program, const Run& run, Value block, Outcome& outcome)
        : run_(run), block_(block), outcome_(outcome), threads_(run.threads()) {
        variables_.assign(program.variables, Values(threads_, 0));
        for (Value i = 0; i < variable_count; ++i) variables_[i].assign(threads_, i);
        private_.assign(private_count, Values(threads_, 0));
        leaving_.assign(threads_, 0);
        Active all(threads_, 1);
        body(program.body, all);
        for (unsigned t = 0; t < threads_; ++t) {
            if (!all[t]) continue;
            for (unsigned i = 0; i < variable_count; ++i) {
                outcome_.out[(block * threads_ + t) * variable_count + i] = variables_[i][t];
            }
        }
    }

private:
    static constexpr Value returns = Statement::return_kernel;
    static constexpr Value continues = Statement::continue_loop;

    template <typename Each>
    Values each(const Each& value) const {
        Values result(threads_);
        for (unsigned t = 0; t < threads_; ++t) result[t] = value(t);
        return result;
    }

    Values value(const Expression& e) const;

    void body(const Body& statements, Active& active) {
        for (const Statement& statement : statements) {
            execute(statement, active);
            for (unsigned t = 0; t < threads_; ++t) active[t] &= leaving_[t] == 0;
        }
    }
    void execute(const Statement& s, Active& active);
    void warp_operation(const Statement& s, const Active& active);
    void choice(const Statement& s, const Active& active);
    void loop(const Statement& s, const Active& active);

    void assign(Value variable, const Values& values, const Active& active) {
        for (unsigned t = 0; t < threads_; ++t) {
            if (active[t]) variables_[variable][t] = values[t];
        }
    }
    static Active both(const Active& active, const Values& condition) {
        Active result = active;
        for (unsigned t = 0; t < result.size(); ++t) result[t] &= condition[t] != 0;
        return result;
    }

    const Run& run_;
    Value block_;
    Outcome& outcome_;
    unsigned threads_;
    std::vector<Values> variables_;
    std::vector<Values> private_;
    Values shared_;
    Values leaving_;  ///< per thread: 0, or how many loops it still leaves, or continues, returns
};

Values BlockEvaluation::value(const Expression& e) const {
    using Kind = Expression::Kind;
    std::vector<Values> operands;
    for (const Expression& operand : e.operands) operands.push_back(value(operand));
    operands.resize(3, Values(threads_, 0));
    const Values& first = operands[0];
    switch (e.kind) {
        case Kind::constant:
            return Values(threads_, e.index);
        case Kind::variable:
            return variables_[e.index];
        case Kind::thread:
            return each([&](unsigned t) { return t; });
        case Kind::coordinate:
            return each([&](unsigned t) {
                const auto& size = run_.block;
                return e.index == 0   ? t % size[0]
                       : e.index == 1 ? t / size[0] % size[1]
                                      : t / size[0] / size[1];
            });
        case Kind::block:
            return Values(threads_, block_);
        case Kind::parameter:
            return Values(threads_, run_.parameters[e.index]);
        case Kind::load:
            return each([&](unsigned t) { return run_.input[first[t] % input_count]; });
        case Kind::guarded_load:
            return each(
                [&](unsigned t) { return first[t] < input_count ? run_.input[first[t]] : 17; });
        case Kind::shifted_load:
            return each([&](unsigned t) {
                return first[t] - 1 < input_count ? run_.input[first[t] - 1] : 18;
            });
        case Kind::private_load:
            return each([&](unsigned t) { return private_[first[t] % private_count][t]; });
        case Kind::exchanged_load:
            return each([&](unsigned t) { return shared_[first[t] % threads_]; });
        case Kind::operation:
            return each([&](unsigned t) {
                return operations()[e.index].value(operands[0][t], operands[1][t], operands[2][t]);
            });
    }
    return {};
}

void BlockEvaluation::execute(const Statement& s, Active& active) {
    using Kind = Statement::Kind;
    std::vector<Values> e;
    // Conditions of loops are evaluated turn by turn.
    const bool is_loop =
        s.kind == Kind::loop_for || s.kind == Kind::loop_down || s.kind == Kind::loop_do;
    if (!is_loop) {
        for (const Expression& expression : s.expressions) e.push_back(value(expression));
    }
    switch (s.kind) {
        case Kind::assign:
            return assign(s.target, e[0], active);
        case Kind::store_own:
        case Kind::store_private:
        case Kind::store_block:
        case Kind::atomic:
            for (unsigned t = 0; t < threads_; ++t) {
                if (!active[t]) continue;
                if (s.kind == Kind::store_own) outcome_.own[block_ * threads_ + t] = e[0][t];
                if (s.kind == Kind::store_private) private_[e[0][t] % private_count][t] = e[1][t];
                if (s.kind == Kind::store_block) outcome_.of_block[block_] = e[0][t];
                if (s.kind == Kind::atomic) outcome_.counters[e[0][t] % counter_count] += e[1][t];
            }
            return;
        case Kind::branch: {
            Active yes = both(active, e[0]);
            Active no = both(active, each([&](unsigned t) { return e[0][t] == 0; }));
            body(s.bodies[0], yes);
            body(s.bodies[1], no);
            return;
        }
        case Kind::choice:
            return choice(s, active);
        case Kind::loop_for:
        case Kind::loop_down:
        case Kind::loop_do:
            return loop(s, active);
        case Kind::leave:
            for (unsigned t = 0; t < threads_; ++t) {
                if (active[t]) leaving_[t] = s.number;
            }
            return;
        case Kind::shuffle:
        case Kind::vote:
            return warp_operation(s, active);
        case Kind::exchange:
            shared_ = e[0];
            return body(s.bodies[0], active);
        case Kind::count: {
            Value count = 0;
            for (unsigned t = 0; t < threads_; ++t) count += active[t] && e[0][t];
            const Value result = s.number == 0   ? count
                                 : s.number == 1 ? Value{count != 0}
                                                 : Value{count == threads_};
            return assign(s.target, Values(threads_, result), active);
        }
        case Kind::unset: {
            body(s.bodies[0], active);
            const Values sum = each([&](unsigned t) { return variables_[s.target][t] + e[1][t]; });
            return assign(s.target, sum, both(active, e[0]));
        }
    }
}

void BlockEvaluation::warp_operation(const Statement& s, const Active& active) {
    const Values values = value(s.expressions[0]);
    const Values where = s.expressions.size() > 1 ? value(s.expressions[1]) : values;
    const Values result = each([&](unsigned t) -> Value {
        const unsigned lane = t % 32;
        const unsigned base = t - lane;
        if (s.kind == Statement::Kind::shuffle) {
            const unsigned distance = where[t] % 32;
            const unsigned from = s.number == 0   ? distance
                                  : s.number == 1 ? (lane < distance ? lane : lane - distance)
                                  : s.number == 2 ? (lane + distance > 31 ? lane : lane + distance)
                                                  : lane ^ distance;
            return values[base + from];
        }
        Value bits = 0;
        for (unsigned l = 0; l < 32; ++l) bits |= Value{values[base + l] != 0} << l;
        return s.number == 0 ? bits : s.number == 1 ? Value{bits != 0} : Value{bits == ~Value{0}};
    });
    assign(s.target, result, active);
}

void BlockEvaluation::choice(const Statement& s, const Active& active) {
    const Values selector = value(s.expressions[0]);
    Active falls_in(threads_, 0);
    for (unsigned i = 0; i < s.bodies.size(); ++i) {
        Active here = both(active, each([&](unsigned t) {
                               return Value{selector[t] % s.bodies.size() == i || falls_in[t]};
                           }));
        body(s.bodies[i], here);
        falls_in = s.number >> i & 1 ? here : Active(threads_, 0);
    }
}

void BlockEvaluation::loop(const Statement& s, const Active& active) {
    using Kind = Statement::Kind;
    Values& counter = variables_[s.target];
    const Values first = value(s.expressions[0]);
    const Values end = s.kind == Kind::loop_for ? value(s.expressions[1]) : first;
    assign(s.target, s.kind == Kind::loop_do ? Values(threads_, 0) : first, active);
    Active live = active;
    const auto check = [&] {
        if (s.kind == Kind::loop_for) {
            live = both(live, each([&](unsigned t) { return Value{counter[t] < end[t]}; }));
            live = both(live, value(s.expressions[2]));
        } else if (s.kind == Kind::loop_down) {
            live = both(live, counter);
            for (unsigned t = 0; t < threads_; ++t) counter[t] -= live[t];
        }
    };
    for (check(); std::count(live.begin(), live.end(), 1) > 0; check()) {
        Active turn = live;
        body(s.bodies[0], turn);
        for (unsigned t = 0; t < threads_; ++t) {
            if (!live[t]) continue;
            Value& leaving = leaving_[t];
            live[t] = leaving == 0 || leaving == continues;
            if (leaving == continues) leaving = 0;
            if (leaving != 0 && leaving != returns) --leaving;
            if (!live[t]) continue;
            if (s.kind == Kind::loop_for) counter[t] += s.number;
            if (s.kind == Kind::loop_do) live[t] = ++counter[t] < end[t];
        }
    }
}

}  // namespace

Outcome::Outcome(const Run& run)
    : out(std::size_t{run.grid} * run.threads() * variable_count, 0xABABABAB),
      own(std::size_t{run.grid} * run.threads(), 0xABABABAB),
      of_block(run.grid, 0xABABABAB),
      counters(counter_count, 0) {}

Outcome evaluate(const Program& program, const Run& run) {
    Outcome outcome(run);
    for (Value block = 0; block < run.grid; ++block) BlockEvaluation(program, run, block, outcome);
    return outcome;
}

}  // namespace heald::cpu::test::random
