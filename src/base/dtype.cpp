#include <heald/dtype.hpp>

#include "src/base/check.hpp"

#include <array>

namespace heald {
namespace {

constexpr std::array<DTypeInfo, 16> table{{
    {DType::boolean, "bool", "bool", 1, DTypeKind::boolean},
    {DType::int8, "int8", "signed char", 1, DTypeKind::signed_int},
    {DType::int16, "int16", "short", 2, DTypeKind::signed_int},
    {DType::int32, "int32", "int", 4, DTypeKind::signed_int},
    {DType::int64, "int64", "long long", 8, DTypeKind::signed_int},
    {DType::uint8, "uint8", "unsigned char", 1, DTypeKind::unsigned_int},
    {DType::uint16, "uint16", "unsigned short", 2, DTypeKind::unsigned_int},
    {DType::uint32, "uint32", "unsigned int", 4, DTypeKind::unsigned_int},
    {DType::uint64, "uint64", "unsigned long long", 8, DTypeKind::unsigned_int},
    {DType::float16, "float16", "__half", 2, DTypeKind::real},
    {DType::bfloat16, "bfloat16", "__nv_bfloat16", 2, DTypeKind::real},
    {DType::float32, "float32", "float", 4, DTypeKind::real},
    {DType::float64, "float64", "double", 8, DTypeKind::real},
    {DType::complex64, "complex64", "float2", 8, DTypeKind::complex},
    {DType::complex128, "complex128", "double2", 16, DTypeKind::complex},
    {DType::opaque, "opaque", "void", 0, DTypeKind::opaque},
}};

constexpr bool table_in_order() {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (static_cast<std::size_t>(table[i].dtype) != i) return false;
    return true;
}
static_assert(table_in_order(), "one row per DType, in the order of the enumeration");

}  // namespace

const DTypeInfo& info(DType dtype) noexcept {
    return table[static_cast<std::size_t>(dtype)];
}

DType dtype_from_name(std::string_view name) {
    for (const DTypeInfo& row : table)
        if (row.name == name && row.dtype != DType::opaque) return row.dtype;
    std::string names;
    for (const DTypeInfo& row : table)
        if (row.dtype != DType::opaque) names += text(names.empty() ? "" : ", ", row.name);
    fail(ErrorKind::not_found, "[dtype] there is no dtype '", name, "': the dtypes are ", names);
}

}  // namespace heald
