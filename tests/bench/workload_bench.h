// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>

namespace hw::bench {

/// One iteration of the shipped jobs over all 122,880 GPUs of eight HPN pods, by placement and path selection: CPU seconds, flows, peak
/// memory of the process so far, and what came out. Every phase is routed in full, solved and proved.
void benchWorkload(std::ostream& out);

} // namespace hw::bench
