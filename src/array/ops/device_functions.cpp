#include "src/array/ops/device_functions.hpp"

#include <memory>
#include <vector>

namespace heald::array {

std::span<const DeviceFunctions> device_functions() noexcept {
    static const auto& all = *[] {
        auto joined = std::make_unique<std::vector<DeviceFunctions>>();
        for (const auto family :
             {format_functions(), integer_functions(), real_functions(), complex_arithmetic(),
              complex_functions(), philox_functions(), variate_functions()})
            joined->insert(joined->end(), family.begin(), family.end());
        return joined.release();
    }();
    return all;
}

}  // namespace heald::array
