#include "tests/cpp/simt/random/program.hpp"

namespace heald::cpu::test::random {
namespace {

std::string variable(Value index) {
    return (index < variable_count ? "v" : "c") + std::to_string(index);
}

std::string number(Value value) {
    return std::to_string(value) + "u";
}

std::string text(const Expression& e) {
    using Kind = Expression::Kind;
    const auto operand = [&](unsigned i) { return text(e.operands[i]); };
    switch (e.kind) {
        case Kind::constant:
            return number(e.index);
        case Kind::variable:
            return variable(e.index);
        case Kind::thread:
            return "t";
        case Kind::coordinate:
            return e.index == 0 ? "threadIdx.x" : e.index == 1 ? "threadIdx.y" : "threadIdx.z";
        case Kind::block:
            return "blockIdx.x";
        case Kind::parameter:
            return "p" + std::to_string(e.index);
        case Kind::load:
            return "in[" + operand(0) + " % " + number(input_count) + "]";
        case Kind::guarded_load:
            return "guarded(in, " + operand(0) + ")";
        case Kind::shifted_load:
            return "shifted(in, " + operand(0) + ")";
        case Kind::private_load:
            return "own_array[" + operand(0) + " % " + number(private_count) + "]";
        case Kind::exchanged_load:
            return "shared[" + operand(0) + " % threads]";
        case Kind::operation:
            break;
    }
    std::string result;
    const Operation& operation = operations()[e.index];
    for (const char* c = operation.text; *c; ++c) {
        const bool is_word = c[1] >= 'a' && c[1] <= 'z';
        result += *c >= 'A' && *c <= 'C' && !is_word ? operand(static_cast<unsigned>(*c - 'A'))
                                                     : std::string(1, *c);
    }
    return result;
}

class Printer {
public:
    std::string result;

    void body(const Body& statements, unsigned depth) {
        for (const Statement& statement : statements) print(statement, depth);
    }

private:
    struct Scope {
        bool is_loop;
        Value label;
    };

    void line(unsigned depth, const std::string& text) {
        result += std::string(4UL * depth, ' ') + text + "\n";
    }

    void loop(const std::string& head, const std::string& first, const std::string& last,
              const Statement& s, unsigned depth) {
        line(depth, head);
        if (!first.empty()) line(depth + 1, first);
        scopes_.push_back({true, s.target});
        body(s.bodies[0], depth + 1);
        scopes_.pop_back();
        line(depth, last);
        line(depth, "after_" + variable(s.target) + ":;");
    }

    std::string leave(Value how) const {
        if (how == Statement::return_kernel) return "return;";
        if (how == Statement::continue_loop) return "continue;";
        if (how == 1 && scopes_.back().is_loop) return "break;";
        auto scope = scopes_.rbegin();
        for (;; ++scope) {
            if (scope->is_loop && --how == 0) break;
        }
        return "goto after_" + variable(scope->label) + ";";
    }

    void print(const Statement& s, unsigned depth);

    std::vector<Scope> scopes_;
    unsigned names_ = 0;
};

void Printer::print(const Statement& s, unsigned depth) {
    using Kind = Statement::Kind;
    const auto e = [&](unsigned i) { return text(s.expressions[i]); };
    const std::string target = variable(s.target);
    switch (s.kind) {
        case Kind::assign:
            return line(depth, target + " = " + e(0) + ";");
        case Kind::store_own:
            return line(depth, "own[i] = " + e(0) + ";");
        case Kind::store_private:
            return line(depth,
                        "own_array[" + e(0) + " % " + number(private_count) + "] = " + e(1) + ";");
        case Kind::store_block:
            return line(depth, "of_block[blockIdx.x] = " + e(0) + ";");
        case Kind::atomic:
            return line(depth, "atomicAdd(&counters[" + e(0) + " % " + number(counter_count) +
                                   "], " + e(1) + ");");
        case Kind::branch:
            line(depth, "if (" + e(0) + ") {");
            body(s.bodies[0], depth + 1);
            if (!s.bodies[1].empty()) line(depth, "} else {");
            body(s.bodies[1], depth + 1);
            return line(depth, "}");
        case Kind::choice:
            line(depth, "switch (" + e(0) + " % " + number(s.bodies.size()) + ") {");
            scopes_.push_back({false, 0});
            for (unsigned i = 0; i < s.bodies.size(); ++i) {
                line(depth, "case " + std::to_string(i) + ": {");
                body(s.bodies[i], depth + 1);
                line(depth, s.number >> i & 1 ? "}" : "} break;");
            }
            scopes_.pop_back();
            return line(depth, "}");
        case Kind::loop_for: {
            const std::string end = "end" + std::to_string(names_++);
            loop("for (unsigned " + target + " = " + e(0) + ", " + end + " = " + e(1) + "; " +
                     target + " < " + end + " && " + e(2) + "; " + target +
                     " += " + number(s.number) + ") {",
                 "", "}", s, depth);
            return;
        }
        case Kind::loop_down:
            loop("for (unsigned " + target + " = " + e(0) + "; " + target + "-- > 0;) {", "", "}",
                 s, depth);
            return;
        case Kind::loop_do: {
            const std::string end = "end" + std::to_string(names_++);
            line(depth, "{");
            loop("unsigned " + target + " = 0; const unsigned " + end + " = " + e(0) + "; do {", "",
                 "} while (++" + target + " < " + end + ");", s, depth);
            return line(depth, "}");
        }
        case Kind::leave:
            return line(depth, leave(s.number));
        case Kind::shuffle: {
            static const char* const names[] = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync",
                                                "__shfl_xor_sync"};
            const bool is_distance = s.number != 0;
            return line(depth, target + " = " + names[s.number] + "(~0u, " + e(0) + ", " + e(1) +
                                   (is_distance ? " & 31u" : "") + ");");
        }
        case Kind::vote: {
            static const char* const names[] = {"__ballot_sync", "__any_sync", "__all_sync"};
            return line(depth, target + " = " + names[s.number] + "(~0u, " + e(0) + ") " +
                                   (s.number == 0 ? "" : "!= 0") + ";");
        }
        case Kind::exchange:
            line(depth, "shared[t] = " + e(0) + ";");
            line(depth, "__syncthreads();");
            body(s.bodies[0], depth);
            return line(depth, "__syncthreads();");
        case Kind::count: {
            static const char* const names[] = {"__syncthreads_count", "__syncthreads_or",
                                                "__syncthreads_and"};
            return line(depth, target + " = " + names[s.number] + "(" + e(0) + ") " +
                                   (s.number == 0 ? "" : "!= 0") + ";");
        }
        case Kind::unset: {
            const std::string name = std::to_string(names_++);
            line(depth, "{");
            line(depth, "const bool has" + name + " = " + e(0) + ";");
            line(depth, "unsigned some" + name + ";");
            line(depth, "if (has" + name + ") some" + name + " = " + e(1) + ";");
            body(s.bodies[0], depth);
            line(depth, "if (has" + name + ") " + target + " += some" + name + ";");
            return line(depth, "}");
        }
    }
}

}  // namespace

std::string text_of(const Program& program, const std::string& name) {
    Printer printer;
    printer.result =
        "extern \"C\" __global__ void " + name +
        "(const unsigned* in, unsigned* out, unsigned* own, unsigned* of_block,\n"
        "        unsigned* counters, unsigned p0, unsigned p1, unsigned p2) {\n"
        "    __shared__ unsigned shared[256];\n"
        "    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;\n"
        "    const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * "
        "threadIdx.z);\n"
        "    const unsigned i = blockIdx.x * threads + t;\n"
        "    unsigned own_array[" +
        std::to_string(private_count) + "] = {};\n    unsigned ";
    for (unsigned i = 0; i < variable_count; ++i) {
        printer.result += (i ? ", v" : "v") + std::to_string(i) + " = " + std::to_string(i);
    }
    printer.result += ";\n";
    printer.body(program.body, 1);
    for (unsigned i = 0; i < variable_count; ++i) {
        printer.result += "    out[i * " + std::to_string(variable_count) + " + " +
                          std::to_string(i) + "] = v" + std::to_string(i) + ";\n";
    }
    return R"(#ifndef GUARDED
#define GUARDED
__device__ unsigned guarded(const unsigned* in, unsigned i) { return i < )" +
           number(input_count) + R"( ? in[i] : 17u; }
__device__ unsigned shifted(const unsigned* in, unsigned i) {
    const unsigned j = i - 1u;
    if (j < )" +
           number(input_count) + R"() return in[j];
    return 18u;
}
#endif
)" + printer.result +
           "}\n";
}

}  // namespace heald::cpu::test::random
