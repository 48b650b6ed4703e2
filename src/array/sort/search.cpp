#include "src/array/host_work.hpp"
#include "src/array/lazy/kernels.hpp"
#include "src/array/packed_launch.hpp"
#include "src/array/sort/complex_order.hpp"
#include "src/array/sort/order_key.hpp"
#include "src/array/sort/order_source.hpp"
#include "src/array/sort/sort.hpp"
#include "src/base/check.hpp"

namespace heald::array {
namespace {

constexpr std::int64_t part_length = 4096;

/// Places of values[first, last) in n sorted elements. `before(a, b)`: a comes first.
template <class Value, class Key, class Before>
void search(const Value* sorted, std::int64_t n, const Value* values, std::int64_t* places,
            std::int64_t first, std::int64_t last, bool right, Key key, Before before) {
    std::int64_t low = 0;
    for (std::int64_t i = first; i < last; ++i) {
        const auto value = key(values[i]);
        const auto stays = [&](std::int64_t place) {
            const auto element = key(sorted[place]);
            return right ? !before(value, element) : before(element, value);
        };
        // Values in ascending order are found from where the last one was.
        std::int64_t high = n;
        if (low > 0 && !stays(low - 1)) {
            high = low;
            low = 0;
        }
        for (std::int64_t step = 1; low + step <= high; step *= 2) {
            if (!stays(low + step - 1)) {
                high = low + step - 1;
                break;
            }
            low += step;
        }
        while (low < high) {
            const std::int64_t middle = low + (high - low) / 2;
            stays(middle) ? low = middle + 1 : high = middle;
        }
        places[i] = low;
    }
}

template <class Value, class Key, class Before>
void search_on_cpu(const Array& sorted, const Array& values, const Array& places, bool right,
                   const Stream& stream, Key key, Before before) {
    HostWork work(stream);
    const auto* from = work.read<Value>(sorted);
    const auto* wanted = work.read<Value>(values);
    auto* to = work.write<std::int64_t>(places);
    const std::int64_t n = sorted.size(), count = values.size();
    const Parts parts{count, (count + part_length - 1) / part_length};
    work.run(parts.count, count <= 512, [=](std::int64_t part) {
        search(from, n, wanted, to, parts.begin(part), parts.end(part), right, key, before);
    });
}

template <class Real>
void search_complex(const Array& sorted, const Array& values, const Array& places, bool right,
                    const Stream& stream) {
    using Complex = ComplexValue<Real>;
    search_on_cpu<Complex>(
        sorted, values, places, right, stream, [](const Complex& value) { return value; },
        [](const Complex& a, const Complex& b) { return complex_before(a, b); });
}

void search_on_host(const Array& sorted, const Array& values, const Array& places, bool right,
                    const Stream& stream) {
    if (sorted.dtype() == DType::complex64)
        return search_complex<float>(sorted, values, places, right, stream);
    if (sorted.dtype() == DType::complex128)
        return search_complex<double>(sorted, values, places, right, stream);
    with_order_key(sorted.dtype(), [&]<class Order>(Order) {
        using U = typename Order::Bits;
        search_on_cpu<U>(
            sorted, values, places, right, stream, [](U bits) { return Order::equal_key(bits); },
            [](U a, U b) { return a < b; });
    });
}

constexpr const char* search_kernel = R"(
extern "C" __global__ void __launch_bounds__(256)
fused(const Element* __restrict__ sorted, const Element* __restrict__ values,
      long long* __restrict__ places, const long long n, const long long count, const int right) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i >= count) return;
    const Element value = values[i];
    long long low = 0, high = n;
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        const Element element = sorted[middle];
        const bool stays = right ? !comes_before(value, element) : comes_before(element, value);
        if (stays)
            low = middle + 1;
        else
            high = middle;
    }
    places[i] = low;
}
)";

void search_with_kernel(const Array& sorted, const Array& values, const Array& places, bool right,
                        const Stream& stream) {
    core::DeviceState& device = stream.state().device;
    const Kernel kernel =
        generated_kernel(device, text("searchsorted ", device.name(), " ", name_of(sorted.dtype())),
                         [&] { return order_source(sorted.dtype()) + search_kernel; });
    PackedLaunch arguments;
    arguments.add_array(sorted, false);
    arguments.add_array(values, false);
    arguments.add_array(places, true);
    arguments.add_value(sorted.size());
    arguments.add_value(values.size());
    arguments.add_value(static_cast<int>(right));
    const auto blocks = static_cast<std::uint32_t>((values.size() + 255) / 256);
    arguments.launch(kernel, LaunchConfig{blocks, 256}, stream, "searchsorted");
}

}  // namespace

Array searchsorted(const Array& sorted_, const Array& values_, bool right, bool use_kernels) {
    constexpr const char* operation = "[searchsorted] ";
    HEALD_EXPECTS(sorted_.ndim() == 1, invalid_value, operation,
                  "the sorted array must have one axis, it has ", sorted_.ndim());
    HEALD_EXPECTS(sorted_.dtype() == values_.dtype(), type_mismatch, operation,
                  "the dtypes differ: ", name_of(sorted_.dtype()), " and ",
                  name_of(values_.dtype()));
    HEALD_EXPECTS(sorted_.device() == values_.device(), invalid_value, operation,
                  "the arrays are on ", sorted_.device().name(), " and ", values_.device().name(),
                  ": bring them together with x.to(device)");
    const Stream stream = stream_for(sorted_);
    const Array sorted = sorted_.is_c_contiguous() ? sorted_ : sorted_.copy(stream);
    const Array values = values_.is_c_contiguous() ? values_ : values_.copy(stream);
    Array places(values.shape(), DType::int64, stream);
    if (values.size() == 0) return places;
    if (stream.device().kind() == DeviceKind::cpu && !use_kernels)
        search_on_host(sorted, values, places, right, stream);
    else
        search_with_kernel(sorted, values, places, right, stream);
    return places;
}

}  // namespace heald::array
