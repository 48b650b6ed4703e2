#pragma once

#include <heald/kernel.hpp>

namespace heald::python {

/// The line of Python that calls, for errors of asynchronous work. Cheap when a line launches
/// again and again. Needs the GIL.
LaunchSite launch_site() noexcept;

}  // namespace heald::python
