#pragma once

namespace heald::cpu {

/// Registers what fork() and exit() need. Only the first call does something.
void survive_forks();

}  // namespace heald::cpu
