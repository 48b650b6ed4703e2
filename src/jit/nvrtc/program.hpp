#pragma once

#include "src/jit/nvrtc/api.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heald::nvrtc {

/// One NVRTC program.
class Program {
public:
    Program(const Api& api, const std::string& source, const std::string& name,
            const std::vector<std::pair<std::string, std::string>>& headers);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void add_name(const std::string& expression);
    /// success, compilation or another failure of the compiler itself.
    [[nodiscard]] Result compile(const std::vector<std::string>& command_line);

    [[nodiscard]] std::string log() const;
    /// nullopt if the expression was not added.
    [[nodiscard]] std::optional<std::string> lowered(const std::string& expression) const;
    /// "cubin", "ptx" or "ltoir".
    [[nodiscard]] std::string code(const std::string& format) const;

private:
    const Api& api_;
    ProgramHandle handle_ = nullptr;
};

}  // namespace heald::nvrtc
