#include "src/backend/cuda/launch_log.hpp"

#include "src/base/text.hpp"

#include <mutex>
#include <unordered_set>

namespace heald::cuda {

std::vector<std::string> LaunchLog::unfinished(std::uint64_t& more) const {
    constexpr std::uint64_t shown = 8;
    const std::uint64_t end = next_.load(std::memory_order_relaxed);
    const std::uint64_t begin = done_.load(std::memory_order_relaxed);
    std::vector<std::string> result;
    const std::uint64_t count = end > begin ? end - begin : 0;
    for (std::uint64_t i = 0; i < count && i < shown; ++i) {
        const Record& record = ring_[(end - 1 - i) % capacity];
        const char* kernel = record.kernel.load(std::memory_order_relaxed);
        if (kernel == nullptr) continue;
        result.push_back(describe_launch(kernel, {record.file.load(std::memory_order_relaxed),
                                                  record.line.load(std::memory_order_relaxed)}));
    }
    more += count > shown ? count - shown : 0;
    return result;
}

std::string describe_launch(const char* kernel, const LaunchSite& site) {
    if (site.file == nullptr) return text("'", kernel, "'");
    return text("'", kernel, "' (", site.file, ":", site.line, ")");
}

const char* intern_name(const std::string& name) {
    static std::mutex mutex;
    static auto* const names = new std::unordered_set<std::string>;
    const std::lock_guard lock(mutex);
    return names->insert(name).first->c_str();
}

}  // namespace heald::cuda
