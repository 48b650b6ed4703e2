#include "src/array/host_work.hpp"
#include "src/array/sort/complex_order.hpp"
#include "src/array/sort/cpu_sort.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace heald::array {
namespace {

template <class Function>
void for_rows(const Rows& rows, const Array& to, const Stream& stream, Function function) {
    HostWork work(stream);
    const auto* from = work.read<std::byte>(rows.elements);
    auto* result = work.write<std::byte>(to);
    const std::int64_t length = rows.length;
    const auto from_step = length * static_cast<std::int64_t>(size_of(rows.elements.dtype()));
    const auto to_step = length * static_cast<std::int64_t>(size_of(to.dtype()));
    work.run(rows.count, rows.count * length <= 1024, [=](std::int64_t row) {
        function(from + row * from_step, result + row * to_step, length);
    });
}

template <class Real>
void sort_values(const Rows& rows, const Array& to, bool descending, const Stream& stream) {
    using Complex = ComplexValue<Real>;
    for_rows(rows, to, stream,
             [descending](const std::byte* from, std::byte* result, std::int64_t length) {
                 const auto* values = reinterpret_cast<const Complex*>(from);
                 auto* sorted = reinterpret_cast<Complex*>(result);
                 std::copy_n(values, length, sorted);
                 std::stable_sort(sorted, sorted + length,
                                  [descending](const Complex& a, const Complex& b) {
                                      return complex_before(a, b, descending);
                                  });
             });
}

template <class Real>
void sort_places(const Rows& rows, const Array& to, bool descending, const Stream& stream) {
    using Complex = ComplexValue<Real>;
    for_rows(rows, to, stream,
             [descending](const std::byte* from, std::byte* result, std::int64_t length) {
                 const auto* values = reinterpret_cast<const Complex*>(from);
                 auto* places = reinterpret_cast<std::int64_t*>(result);
                 std::iota(places, places + length, std::int64_t{0});
                 std::stable_sort(places, places + length, [=](std::int64_t a, std::int64_t b) {
                     return complex_before(values[a], values[b], descending);
                 });
             });
}

}  // namespace

void sort_complex_rows_on_cpu(const Rows& rows, const Array& to, bool descending,
                              const Stream& stream) {
    rows.elements.dtype() == DType::complex64 ? sort_values<float>(rows, to, descending, stream)
                                              : sort_values<double>(rows, to, descending, stream);
}

void argsort_complex_rows_on_cpu(const Rows& rows, const Array& to, bool descending,
                                 const Stream& stream) {
    rows.elements.dtype() == DType::complex64 ? sort_places<float>(rows, to, descending, stream)
                                              : sort_places<double>(rows, to, descending, stream);
}

}  // namespace heald::array
