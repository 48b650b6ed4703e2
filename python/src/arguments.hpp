#pragma once

#include <heald/array.hpp>
#include <heald/kernel.hpp>
#include <heald/signature.hpp>

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace heald::python {

namespace nb = nanobind;

/// How one parameter is filled; prepared once per kernel.
struct Slot {
    enum class Kind : std::uint8_t {
        signed_int,
        unsigned_int,
        boolean,
        real,
        complex,
        pointer,
        record,   ///< a structure by value
        unknown,  ///< only the size is known
    };

    Kind kind = Kind::unknown;
    DType dtype = DType::opaque;
    bool is_const = false;
    bool any_dtype = false;  ///< a pointer that takes memory of any dtype
    bool is_char = false;    ///< plain char: int8 and uint8 fit
    std::uint32_t size = 0;
    std::uint32_t offset = 0;  ///< in the argument block
};

/// What a kernel's launches are checked against and packed by.
struct ArgumentPlan {
    ArgumentPlan(std::string kernel_name, Signature kernel_signature, Device kernel_device);

    std::string name;
    Signature signature;
    Device device;
    std::vector<Slot> slots;
    std::size_t bytes = 0;  ///< of the argument block
};

/// One argument that is being looked at.
struct ArgumentPlace {
    const ArgumentPlan& plan;
    std::size_t index;

    /// "[Kernel.launch] argument 2 'n' of 'add_one' "
    [[nodiscard]] std::string prefix() const;
    /// "int (4 bytes)", "const float *"
    [[nodiscard]] std::string expected() const;
    /// Raises "… is int (4 bytes), got <given>: <remedy>".
    [[noreturn]] void refuse(ErrorKind kind, const std::string& given,
                             const std::string& remedy) const;
};

/// "float 1.5", "numpy.int64 5", "list"
std::string given_text(PyObject* object);

/// The arguments of one launch, on the stack of the call.
class ArgumentPack {
public:
    ArgumentPack(const ArgumentPlan& plan, const Stream& stream);
    ArgumentPack(const ArgumentPack&) = delete;
    ArgumentPack& operator=(const ArgumentPack&) = delete;

    /// Checks and converts every argument; copies host arguments (In, InOut) to the device.
    void fill(PyObject* const* arguments, std::size_t count);

    [[nodiscard]] PackedArguments packed() const noexcept {
        return {pointers_, count_, {uses_, use_count_}};
    }
    [[nodiscard]] const Stream& stream() const noexcept { return stream_; }
    [[nodiscard]] const ArgumentPlan& plan() const noexcept { return plan_; }

    void set_pointer(std::size_t index, void* address) noexcept {
        *static_cast<void**>(pointers_[index]) = address;
    }
    /// What the kernel reads or writes; not empty. At most one per parameter.
    void add_use(const MemoryUse& use) noexcept { new (&uses_[use_count_++]) MemoryUse(use); }
    void keep(const Buffer& buffer) { kept_.push_back(buffer); }
    /// For a bound launch: arrays are kept alive too.
    void keep_all() noexcept { keeps_all_ = true; }
    [[nodiscard]] bool keeps_all() const noexcept { return keeps_all_; }
    /// After the launch: `device` goes to the host array.
    void copy_back(Buffer device, nb::object host) {
        copies_.push_back({std::move(device), std::move(host)});
    }

    /// Host arguments were used: the call returns when the kernel is done.
    [[nodiscard]] bool must_wait() const noexcept { return must_wait_; }
    void set_must_wait() noexcept { must_wait_ = true; }
    void finish();

    [[nodiscard]] std::vector<Buffer> take_kept() { return std::move(kept_); }

private:
    struct CopyBack {
        Buffer device;
        nb::object host;
    };

    static constexpr std::size_t inline_bytes = 256;
    static constexpr std::size_t inline_count = 24;

    const ArgumentPlan& plan_;
    const Stream& stream_;
    std::size_t count_;
    std::size_t use_count_ = 0;
    std::byte* values_;
    void** pointers_;
    MemoryUse* uses_;
    bool must_wait_ = false;
    bool keeps_all_ = false;
    std::vector<Buffer> kept_;
    std::vector<CopyBack> copies_;
    std::unique_ptr<std::byte[]> heap_;
    alignas(64) std::byte inline_values_[inline_bytes];
    alignas(8) std::byte inline_pointers_[inline_count * sizeof(void*)];
    alignas(8) std::byte inline_uses_[inline_count * sizeof(MemoryUse)];
};

// One file each.
void fill_scalar(const ArgumentPlace& place, const Slot& slot, PyObject* object, void* out);
void fill_pointer(const ArgumentPlace& place, const Slot& slot, PyObject* object,
                  ArgumentPack& pack);
/// In, Out and InOut; false if the object is none of them.
bool fill_host_argument(const ArgumentPlace& place, const Slot& slot, PyObject* object,
                        ArgumentPack& pack);
/// Tensors of other libraries; false if the object is none.
bool fill_foreign(const ArgumentPlace& place, const Slot& slot, PyObject* object,
                  ArgumentPack& pack);
void fill_array(const ArgumentPlace& place, const Slot& slot, const Array& array,
                ArgumentPack& pack, PyObject* given);
/// Raises unless memory of `dtype` (nullopt: untyped) fits the pointer parameter.
void check_pointer_dtype(const ArgumentPlace& place, const Slot& slot, std::optional<DType> dtype,
                         const std::string& given);

}  // namespace heald::python
