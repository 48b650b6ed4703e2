#pragma once

#include <heald/array.hpp>
#include <heald/kernel.hpp>

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heald::python {

namespace nb = nanobind;

/// The bytes of a key, on the stack as long as there are few.
class KeyText {
public:
    void add(char c) {
        if (size_ < inline_size) [[likely]]
            inline_[size_] = c;
        else
            spill(c);
        ++size_;
    }
    void add_pointer(const void* p);
    [[nodiscard]] std::string_view view() const noexcept {
        return size_ <= inline_size ? std::string_view(inline_.data(), size_) : heap_;
    }

private:
    static constexpr std::size_t inline_size = 120;
    void spill(char c);

    std::size_t size_ = 0;
    std::array<char, inline_size> inline_;
    std::string heap_;
};

/// One array or number among the arguments of a Python kernel, tuples taken apart.
struct JitLeaf {
    PyObject* object = nullptr;    ///< borrowed
    const Array* array = nullptr;  ///< null: a number, or a host array
    bool is_host = false;          ///< hd.In, hd.Out, hd.InOut
};

/// The arguments of one call: the leaves, and the key of the version that they need. The grammar of
/// the key is python/heald/_jit/signature.py's.
///
///   array    'A' dtype ndim layout      layout: C order, 'I' last stride one, 'A' any
///   number   'b' | 'i' ('u' | 'i' | 'l' | 'U') | 'f' | 'c' | 's' dtype
///   tuple    '(' … ')' | 'T' type … ')'
///   other    'N' None | 'R' dtype (a NumPy record) | 'O' object (a function or a type)
///   the end  'n' (32-bit indices) | 'w'
class JitArguments {
public:
    /// `operation` names the kernel in errors.
    JitArguments(PyObject* const* arguments, std::size_t count, const Device& device,
                 const Stream& stream, const LaunchConfig& config, const std::string& operation);
    JitArguments(const JitArguments&) = delete;
    JitArguments& operator=(const JitArguments&) = delete;

    [[nodiscard]] std::string_view key() const noexcept { return key_.view(); }
    [[nodiscard]] const JitLeaf& leaf(std::size_t i) const noexcept {
        return i < inline_count ? leaves_[i] : more_[i - inline_count];
    }
    [[nodiscard]] std::size_t leaf_count() const noexcept { return count_; }

private:
    static constexpr std::size_t inline_count = 12;

    void add(PyObject* object);
    void add_array(PyObject* object, const Array& array);
    void add_int(PyObject* object);
    void add_other(PyObject* object);
    void add_tuple(PyObject* tuple);
    void add_host(PyObject* object);
    bool add_foreign(PyObject* object);
    void add_leaf(const JitLeaf& leaf) {
        if (count_ < inline_count) [[likely]]
            leaves_[count_] = leaf;
        else
            more_.push_back(leaf);
        ++count_;
    }
    [[noreturn]] void refuse(PyObject* object) const;

    const Device& device_;
    const Stream& stream_;
    const std::string& operation_;
    KeyText key_;
    std::array<JitLeaf, inline_count> leaves_;
    std::vector<JitLeaf> more_;
    std::size_t count_ = 0;
    bool narrow_ = true;
    std::optional<std::deque<Array>> owned_;  ///< tensors of other libraries
    std::vector<nb::object> kept_;
};

/// The device that a call's arguments are on: that of the first array; nullopt if there is none.
std::optional<Device> jit_device(PyObject* const* arguments, std::size_t count);

/// Elements between neighbours along an axis. The array's strides are whole elements.
std::int64_t element_stride(const Array& array, std::size_t axis) noexcept;

}  // namespace heald::python
