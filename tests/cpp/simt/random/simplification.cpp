#include "tests/cpp/simt/random/program.hpp"

namespace heald::cpu::test::random {
namespace {

/// Makes the edit with a given number, counted along a walk over the tree.
class Edit {
public:
    explicit Edit(unsigned number) : left_(number) {}

    /// Whether there was an edit with that number.
    bool apply(Body& body) {
        for (std::size_t i = 0; i < body.size(); ++i) {
            if (is_turn()) {
                body.erase(body.begin() + static_cast<std::ptrdiff_t>(i));
                return true;
            }
            if (body[i].kind == Statement::Kind::branch) {
                for (unsigned side = 0; side < 2; ++side) {
                    if (is_turn()) return replace(body, i, Body(body[i].bodies[side]));
                }
            }
        }
        for (Statement& statement : body) {
            const bool is_bound = statement.kind == Statement::Kind::loop_for ||
                                  statement.kind == Statement::Kind::loop_down ||
                                  statement.kind == Statement::Kind::loop_do;
            for (Expression& expression : statement.expressions) {
                if (apply(expression, is_bound)) return true;
            }
            for (Body& inner : statement.bodies) {
                if (apply(inner)) return true;
            }
        }
        return false;
    }

private:
    bool is_turn() { return left_-- == 0; }

    static bool replace(Body& body, std::size_t at, const Body& with) {
        const auto place = body.erase(body.begin() + static_cast<std::ptrdiff_t>(at));
        body.insert(place, with.begin(), with.end());
        return true;
    }

    // Bounds of loops stay small: they are not replaced by what they are the remainder of.
    bool apply(Expression& expression, bool is_bound) {
        if (expression.kind != Expression::Kind::constant && is_turn()) {
            expression = {Expression::Kind::constant, 1, {}};
            return true;
        }
        for (std::size_t i = 0; i < expression.operands.size(); ++i) {
            if (!is_bound && is_turn()) {
                expression = Expression(expression.operands[i]);
                return true;
            }
            if (apply(expression.operands[i], false)) return true;
        }
        return false;
    }

    unsigned left_;
};

}  // namespace

std::vector<Program> simplifications(const Program& program) {
    std::vector<Program> all;
    for (unsigned number = 0;; ++number) {
        Program simpler = program;
        if (!Edit(number).apply(simpler.body)) return all;
        all.push_back(std::move(simpler));
    }
}

}  // namespace heald::cpu::test::random
