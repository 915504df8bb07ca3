// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/library.h"

#include "core/derived/figures/figures.h"

namespace hw::test {

/// An HPN pod with two segments: everything that the window shows, in a tenth of the time.
struct Sample {
    app::Library library;
    SnapshotPtr snapshot;
    FiguresPtr figures;
};
/// Gives this process, and what it starts, settings and drafts of its own that go with it.
void keepSettingsApart();
[[nodiscard]] Sample makeSample(std::int64_t segments = 2);

} // namespace hw::test
