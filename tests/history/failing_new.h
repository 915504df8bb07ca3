// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>

/// How a machine without memory is to a thread: allocations of other threads than that which asked for it fail.
namespace failing_new {

/// The next `times` allocations of at least `bytes` by other threads throw std::bad_alloc.
void begin(int times, std::size_t bytes);
[[nodiscard]] int left(); ///< that have not failed yet
void end();

} // namespace failing_new
