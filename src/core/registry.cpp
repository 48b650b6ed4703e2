#include "src/core/registry.hpp"

#include "src/base/check.hpp"
#include "src/base/log.hpp"
#include "src/base/settings.hpp"

#include <charconv>
#include <deque>

namespace heald::core {
namespace {

/// One kind of device: how many there are is found out once, each device is made once.
struct Kind {
    explicit Kind(const BackendKind& backend_) : backend(backend_) {}

    const BackendKind& backend;
    ForkOnce counted;
    int count = 0;
    std::string reason;
    bool suspicious = false;

    struct Slot {
        ForkOnce made;
        std::shared_ptr<DeviceState> device;
    };
    std::deque<Slot> slots;

    int devices() {
        counted([this] {
            count = backend.count(reason, suspicious);
            slots.resize(static_cast<std::size_t>(count));
        });
        return count;
    }

    const std::shared_ptr<DeviceState>& device(int ordinal) {
        Slot& slot = slots.at(static_cast<std::size_t>(ordinal));
        slot.made(
            [&] { slot.device = DeviceState::make(backend.make(ordinal), backend.kind, ordinal); });
        return slot.device;
    }
};

std::deque<Kind>& kinds() {
    static auto& all = *[] {
        auto list = std::make_unique<std::deque<Kind>>();
        for (const BackendKind& kind : backend_kinds()) list->emplace_back(kind);
        return list.release();  // lives as long as the process
    }();
    return all;
}

Kind* kind_of(DeviceKind wanted) {
    for (Kind& kind : kinds())
        if (kind.backend.kind == wanted) return &kind;
    return nullptr;
}

std::string_view name_of(DeviceKind kind) {
    return kind == DeviceKind::cpu ? "cpu" : "cuda";
}

[[noreturn]] void fail_name(std::string_view name) {
    fail(ErrorKind::not_found, "[Device] there is no device '", name,
         "': names are cpu, cuda and cuda:N with N = 0, 1, …");
}

std::shared_ptr<DeviceState> choose_default() {
    if (const auto wanted = setting(Setting::device)) {
        try {
            return device_by_name(*wanted);
        } catch (const Error& error) {
            throw Error(error.kind(),
                        text(error.what(), " (asked for by HEALD_DEVICE=", *wanted, ")"));
        }
    }
    Kind* gpu = kind_of(DeviceKind::cuda);
    if (gpu != nullptr && gpu->devices() > 0) return gpu->device(0);
    if (gpu != nullptr && gpu->suspicious) {
        static WarnOnce once;
        once("the GPU cannot be used, so the CPU is the default device: ", gpu->reason,
             ". HEALD_DEVICE=cpu chooses the CPU without this warning");
    }
    return device_by_name("cpu");
}

}  // namespace

std::shared_ptr<DeviceState> device_by_name(std::string_view name) {
    const auto colon = name.find(':');
    const std::string_view word = name.substr(0, colon);
    Kind* kind = word == "cpu"    ? kind_of(DeviceKind::cpu)
                 : word == "cuda" ? kind_of(DeviceKind::cuda)
                                  : nullptr;
    if (word != "cpu" && word != "cuda") fail_name(name);
    int ordinal = 0;
    if (colon != std::string_view::npos) {
        const std::string_view digits = name.substr(colon + 1);
        const auto [end, status] =
            std::from_chars(digits.data(), digits.data() + digits.size(), ordinal);
        if (status != std::errc{} || end != digits.data() + digits.size() || ordinal < 0)
            fail_name(name);
    }
    HEALD_EXPECTS(kind != nullptr, unavailable, "[Device] this build of heald has no ", word,
                  " backend");
    const int count = kind->devices();
    HEALD_EXPECTS(count > 0, unavailable, "[Device] '", name, "' cannot be used: ", kind->reason);
    HEALD_EXPECTS(ordinal < count, unavailable, "[Device] '", name, "' does not exist: there ",
                  count == 1 ? "is 1 device" : text("are ", count, " devices"), " of that kind, ",
                  word, count == 1 ? ":0" : text(":0 to ", word, ":", count - 1));
    return kind->device(ordinal);
}

std::shared_ptr<DeviceState> default_device() {
    static auto& once = *std::make_unique<ForkOnce>().release();
    static auto& chosen = *std::make_unique<std::shared_ptr<DeviceState>>().release();
    once([] { chosen = choose_default(); });
    return chosen;
}

std::vector<std::shared_ptr<DeviceState>> usable_devices() {
    std::vector<std::shared_ptr<DeviceState>> result;
    for (const DeviceKind wanted : {DeviceKind::cuda, DeviceKind::cpu}) {
        Kind* kind = kind_of(wanted);
        if (kind == nullptr) continue;
        for (int i = 0; i < kind->devices(); ++i) result.push_back(kind->device(i));
    }
    return result;
}

std::string why_no_gpu() {
    Kind* gpu = kind_of(DeviceKind::cuda);
    if (gpu == nullptr) return "this build of heald has no cuda backend";
    if (gpu->devices() > 0) return "";
    return gpu->reason.empty() ? "no GPU was found" : gpu->reason;
}

std::vector<DeviceReport> device_reports() {
    std::shared_ptr<DeviceState> chosen;
    std::string why_none;
    try {
        chosen = default_device();
    } catch (const Error& error) {
        why_none = error.what();
    }
    std::vector<DeviceReport> reports;
    for (Kind& kind : kinds()) {
        const int count = kind.devices();
        if (count == 0)
            reports.push_back(
                {std::string(name_of(kind.backend.kind)), "", false, false, kind.reason});
        for (int i = 0; i < count; ++i) {
            DeviceReport report;
            report.name = kind.backend.kind == DeviceKind::cpu ? "cpu" : text("cuda:", i);
            try {
                const auto& device = kind.device(i);
                report.model = device->backend().properties().name;
                report.usable = true;
                report.chosen = device == chosen;
                if (!report.chosen)
                    report.reason = text("usable: Device('", report.name, "') chooses it");
                else if (setting(Setting::device))
                    report.reason = text("HEALD_DEVICE=", setting_or(Setting::device, ""));
                else
                    report.reason = kind.backend.kind == DeviceKind::cuda
                                        ? "the first usable GPU"
                                        : "there is no usable GPU";
            } catch (const Error& error) {
                report.reason = error.what();
            }
            reports.push_back(std::move(report));
        }
    }
    return reports;
}

void add_backend_reports(DoctorReport& report) {
    for (Kind& kind : kinds()) {
        if (kind.devices() == 0) continue;
        try {
            kind.device(0)->backend().report(report);
        } catch (const Error& error) {
            report.problems.emplace_back(error.what());
        }
    }
}

}  // namespace heald::core
