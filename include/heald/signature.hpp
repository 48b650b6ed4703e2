#pragma once

#include <heald/dtype.hpp>
#include <heald/export.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace heald {

/// One parameter of a kernel, as the compiler sees it.
struct Parameter {
    enum class Kind : std::uint8_t {
        scalar,   ///< `dtype` says which; `size` bytes
        pointer,  ///< to `dtype` elements (opaque: void, structures, pointers); read-only if
                  ///< `is_const`
        record,   ///< a structure passed by value: `size` bytes
    };

    Kind kind = Kind::scalar;
    DType dtype = DType::opaque;
    bool is_const = false;      ///< pointer to const
    bool is_void = false;       ///< `void*`: takes memory of any dtype
    std::size_t size = 0;       ///< bytes in the argument block
    std::size_t alignment = 1;  ///< bytes
    std::string type_name;      ///< as in C++, "const float *"
    std::string name;           ///< "" where the compiler does not tell
};

/// What a launch is checked against.
struct Signature {
    enum class Source : std::uint8_t {
        exact,       ///< from the source or a mangled name: types are known
        sizes_only,  ///< from the driver: only parameter sizes are known
    };

    Source source = Source::exact;
    std::vector<Parameter> parameters;
};

/// "(const float * x, int n)"
HEALD_API std::string to_string(const Signature& signature);

}  // namespace heald
