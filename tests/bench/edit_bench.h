// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>

namespace hw::bench {

/// 100,000 edits of a pod by name, each its own undo step and durable in its file.
void benchEdits(std::ostream& out);

} // namespace hw::bench
