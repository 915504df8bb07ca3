// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/watch/small_watch.h"

#include <algorithm>

using namespace hw;

SmallWatch::SmallWatch(std::vector<live::Point> points, const std::map<std::string, std::string>& settings)
{
    for (const auto& [key, value] : settings) hall.s.putSetting(key, value);
    figures = hall.figures();
    auto made = std::make_shared<live::Bound>();
    std::ranges::sort(points);
    made->points = std::move(points);
    bound = std::move(made);
    watch.design(figures, bound);
    (void)watch.advance(now);
}

void SmallWatch::say(const live::Point& point, double value, bool good)
{
    const auto at = std::ranges::lower_bound(bound->points, point);
    const watch::PointSample sample{live::PointNo(at - bound->points.begin()), now + 1000, value, good};
    watch.take({&sample, 1});
}

std::vector<watch::Event> SmallWatch::second()
{
    now += 1000;
    return watch.advance(now);
}

std::vector<watch::Event> SmallWatch::seconds(int n, const std::vector<std::pair<live::Point, double>>& said)
{
    std::vector<watch::Event> all;
    for (int i = 0; i < n; ++i) {
        for (const auto& [point, value] : said) say(point, value);
        for (auto& event : second()) all.push_back(std::move(event));
    }
    return all;
}
