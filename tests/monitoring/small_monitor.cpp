// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monitoring/small_monitor.h"

#include <algorithm>

using namespace hw;

SmallWatch::SmallWatch(std::vector<bindings::Point> points, const std::map<std::string, std::string>& settings)
{
    for (const auto& [key, value] : settings) hall.s.putSetting(key, value);
    figures = hall.figures();
    auto made = std::make_shared<bindings::Bound>();
    std::ranges::sort(points);
    made->points = std::move(points);
    bound = std::move(made);
    watch.design(figures, bound);
    (void)watch.advance(now);
}

void SmallWatch::say(const bindings::Point& point, double value, bool good)
{
    const auto at = std::ranges::lower_bound(bound->points, point);
    const monitoring::PointSample sample{bindings::PointNo(at - bound->points.begin()), now + 1000, value, good};
    watch.take({&sample, 1});
}

std::vector<monitoring::Event> SmallWatch::second()
{
    now += 1000;
    return watch.advance(now);
}

std::vector<monitoring::Event> SmallWatch::seconds(int n, const std::vector<std::pair<bindings::Point, double>>& said)
{
    std::vector<monitoring::Event> all;
    for (int i = 0; i < n; ++i) {
        for (const auto& [point, value] : said) say(point, value);
        for (auto& event : second()) all.push_back(std::move(event));
    }
    return all;
}
