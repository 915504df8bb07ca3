// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/monitor.h"
#include "tests/rules/power_hall.h"

/// A watch over the little hall of the power rules, with points given by hand and values said one by one.
struct SmallWatch {
    explicit SmallWatch(std::vector<hw::bindings::Point> points, const std::map<std::string, std::string>& settings = {});
    void say(const hw::bindings::Point& point, double value, bool good = true);
    /// One second more; its events.
    std::vector<hw::monitoring::Event> second();
    std::vector<hw::monitoring::Event> seconds(int n, const std::vector<std::pair<hw::bindings::Point, double>>& said);

    PowerHall hall;
    hw::FiguresPtr figures;
    hw::bindings::BoundPtr bound;
    hw::monitoring::Monitor watch;
    std::int64_t now = 1'800'000'000'000;
};
