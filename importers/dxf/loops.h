// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <vector>

namespace hw::importers::dxf {

/// A point of the drawing in whole mm. All that is decided is decided in these, so that the drawing's unit does not count.
struct Pt {
    std::int64_t x = 0, y = 0;
    friend auto operator<=>(const Pt&, const Pt&) = default;
};
struct Seg {
    Pt a, b;
    friend auto operator<=>(const Seg&, const Seg&) = default;
};

[[nodiscard]] inline double distance(Pt a, Pt b) { return std::hypot(double(b.x - a.x), double(b.y - a.y)); }
[[nodiscard]] double distance(Pt p, const Seg& seg);
[[nodiscard]] double area(const std::vector<Pt>& loop); ///< without sign, mm²

struct Extent {
    Pt low{INT64_MAX, INT64_MAX}, high{INT64_MIN, INT64_MIN};
    void add(Pt p);
    [[nodiscard]] bool empty() const { return low.x > high.x; }
    [[nodiscard]] bool holds(Pt p) const { return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y; }
    [[nodiscard]] bool meets(const Extent& o) const { return low.x <= o.high.x && o.low.x <= high.x && low.y <= o.high.y && o.low.y <= high.y; }
    [[nodiscard]] std::int64_t width() const { return empty() ? 0 : high.x - low.x; }
    [[nodiscard]] std::int64_t depth() const { return empty() ? 0 : high.y - low.y; }
};

/// The largest loop that lines close on their outer side: ends that meet within 20 mm, and gaps in a straight line up to 6 m (doors)
/// close it. Without corners on straight pieces, counter-clockwise, from its lowest left corner. Empty: there is none.
[[nodiscard]] std::vector<Pt> outerLoop(const std::vector<Seg>& lines);
/// The room inside of walls: the inner face where they are drawn as two lines, else the outer loop.
[[nodiscard]] std::vector<Pt> roomLoop(const std::vector<Seg>& walls);

} // namespace hw::importers::dxf
