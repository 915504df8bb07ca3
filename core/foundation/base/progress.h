// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

namespace hw {

/// Passed down into long work. `report` may be called from the working thread, a few times a second
/// at most; the fraction runs from 0 to 1. Work checks `stopRequested` inside its loops and then
/// returns an Error with ErrorCode::Canceled, having changed nothing.
struct Progress {
    std::stop_token stop;
    std::function<void(double fraction, std::string_view step)> sink;

    [[nodiscard]] bool stopRequested() const { return stop.stop_requested(); }
    void report(double fraction, std::string_view step) const
    {
        if (sink) sink(fraction, step);
    }
};

} // namespace hw
