#include "src/plan/fft/problem.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace heald::fft {
namespace {

template <class T>
void append(std::string& key, const T& value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_axes(std::string& key, const std::vector<Axis>& axes) {
    append(key, static_cast<std::uint32_t>(axes.size()));
    for (const Axis& axis : axes) {
        append(key, axis.n);
        append(key, axis.in);
        append(key, axis.out);
    }
}

}  // namespace

std::int64_t Problem::points() const noexcept {
    std::int64_t points = 1;
    for (const Axis& axis : axes) points *= axis.n;
    return points;
}

std::int64_t Problem::transforms() const noexcept {
    std::int64_t count = 1;
    for (const Axis& axis : batch) count *= axis.n;
    return count;
}

std::int64_t Problem::in_extent(std::size_t axis) const noexcept {
    const bool halved = operation == Operation::c2r && axis + 1 == axes.size();
    return halved ? axes[axis].n / 2 + 1 : axes[axis].n;
}

std::int64_t Problem::out_extent(std::size_t axis) const noexcept {
    const bool halved = operation == Operation::r2c && axis + 1 == axes.size();
    return halved ? axes[axis].n / 2 + 1 : axes[axis].n;
}

std::string Problem::key() const {
    std::string key;
    key.reserve(32 + 24 * (axes.size() + batch.size()));
    key += static_cast<char>(operation);
    key += static_cast<char>(float64 * 2 + in_place);
    append_axes(key, axes);
    append_axes(key, batch);
    for (const int kind : r2r_kinds) append(key, kind);
    append(key, scale);
    return key;
}

std::vector<Axis> simplified(std::vector<Axis> batch) {
    std::erase_if(batch, [](const Axis& axis) { return axis.n == 1; });
    std::stable_sort(batch.begin(), batch.end(), [](const Axis& a, const Axis& b) {
        return std::abs(a.out) != std::abs(b.out) ? std::abs(a.out) > std::abs(b.out)
                                                  : std::abs(a.in) > std::abs(b.in);
    });
    std::vector<Axis> joined;
    for (const Axis& axis : batch) {
        if (!joined.empty() && joined.back().in == axis.n * axis.in &&
            joined.back().out == axis.n * axis.out)
            joined.back() = {joined.back().n * axis.n, axis.in, axis.out};
        else
            joined.push_back(axis);
    }
    return joined;
}

}  // namespace heald::fft
