// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/oneline/one_line_layout.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hw {

namespace {

constexpr double kWay = 8;           ///< width of a line that passes a level
constexpr double kTrack = 7;         ///< between lines that run beside each other
constexpr double kLeastBetween = 26; ///< between two levels
constexpr double kMostStretch = 3;   ///< of the room between levels
constexpr int kSweeps = 3;

/// A box, or the place where a line passes a level.
struct PlacedNode {
    std::uint32_t box = OneLine::kNone; ///< kNone: a passing line
    std::int32_t level = 0;
    double width = OneLineLayout::kBoxWidth, x = 0, wish = 0; ///< of its middle
    std::vector<std::uint32_t> up{}, down{};
};

struct Hop {
    std::uint32_t from = 0, to = 0, edge = 0; ///< nodes
};

int sideRank(char side) { return side == 0 ? 1 : side <= 'A' ? 0 : 1 + (side - 'A'); }

/// Middles as near to their wishes as their order and widths allow: least squares, by merging neighbors that would overlap.
void place(std::vector<PlacedNode>& nodes, const std::vector<std::uint32_t>& row)
{
    struct Run {
        double sum = 0; ///< of wishes less offsets
        std::size_t count = 0, first = 0;
        [[nodiscard]] double mean() const { return sum / double(count); }
    };
    std::vector<double> offset(row.size(), 0);
    std::vector<Run> runs;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (i > 0) offset[i] = offset[i - 1] + (nodes[row[i - 1]].width + nodes[row[i]].width) / 2 + OneLineLayout::kGap;
        runs.push_back({nodes[row[i]].wish - offset[i], 1, i});
        while (runs.size() > 1 && runs[runs.size() - 2].mean() > runs.back().mean()) {
            const Run last = runs.back();
            runs.pop_back();
            runs.back().sum += last.sum;
            runs.back().count += last.count;
        }
    }
    for (const Run& run : runs)
        for (std::size_t i = run.first; i < run.first + run.count; ++i) nodes[row[i]].x = run.mean() + offset[i];
}

class Tidy {
public:
    Tidy(const OneLineModel& model, double shape) : m_model(model), m_shape(shape), m_rows(std::size_t(std::max(1, model.line->levels)))
    {
        for (std::uint32_t b = 0; b < model.boxes.size(); ++b) m_nodes.push_back({.box = b, .level = model.boxes[b].level});
        for (std::uint32_t e = 0; e < model.edges.size(); ++e) thread(e);
        for (const Hop& hop : m_hops) {
            m_nodes[hop.from].down.push_back(hop.to);
            m_nodes[hop.to].up.push_back(hop.from);
        }
    }

    OneLineLayout run()
    {
        order();
        const auto levels = m_rows.size();
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            for (std::size_t l = levels; l-- > 0;) settle(l, &PlacedNode::up);
            for (std::size_t l = 0; l < levels; ++l) settle(l, &PlacedNode::down);
        }
        settle(0, &PlacedNode::up);
        return draw();
    }

private:
    /// A line over several levels passes those between on a place of its own.
    void thread(std::uint32_t edge)
    {
        std::uint32_t above = m_model.edges[edge].from;
        const std::uint32_t to = m_model.edges[edge].to;
        for (std::int32_t level = m_nodes[above].level - 1; level > m_nodes[to].level; --level) {
            const auto way = std::uint32_t(m_nodes.size());
            m_nodes.push_back({.level = level, .width = kWay});
            m_hops.push_back({above, way, edge});
            above = way;
        }
        m_hops.push_back({above, to, edge});
    }

    /// From the sources down, each branch as a whole: what ends a branch stands in the order of visits, the rest over the middle of it.
    void order()
    {
        std::vector<std::uint32_t> roots;
        for (std::uint32_t n = 0; n < m_nodes.size(); ++n)
            if (m_nodes[n].up.empty()) roots.push_back(n);
        std::ranges::stable_sort(roots, {}, [&](std::uint32_t n) { return std::pair(-m_nodes[n].level, rank(n)); });
        std::vector<char> seen(m_nodes.size(), 0);
        double slot = 0;
        std::vector<std::pair<std::uint32_t, std::size_t>> path;
        const auto enter = [&](std::uint32_t n) {
            seen[n] = 1;
            std::ranges::stable_sort(m_nodes[n].down, {}, [&](std::uint32_t child) { return rank(child); });
            if (m_nodes[n].down.empty()) m_nodes[n].wish = slot, slot += m_nodes[n].width + OneLineLayout::kGap;
            path.emplace_back(n, 0);
        };
        for (const std::uint32_t root : roots) {
            if (!seen[root]) enter(root);
            while (!path.empty()) {
                auto& [n, next] = path.back();
                if (next == m_nodes[n].down.size()) {
                    path.pop_back();
                } else if (const std::uint32_t child = m_nodes[n].down[next++]; !seen[child]) {
                    enter(child);
                }
            }
        }
        for (std::uint32_t n = 0; n < m_nodes.size(); ++n) m_rows[std::size_t(m_nodes[n].level)].push_back(n);
        for (auto& row : m_rows) {
            for (const std::uint32_t n : row)
                if (!m_nodes[n].down.empty()) m_nodes[n].wish = mean(m_nodes[n].down);
            std::ranges::stable_sort(row, {}, [&](std::uint32_t n) { return std::pair(std::llround(m_nodes[n].wish * 4), rank(n)); });
            place(m_nodes, row);
        }
    }

    /// Side, then the order of the model; a passing line is of the side of what it comes from.
    [[nodiscard]] std::pair<int, std::uint32_t> rank(std::uint32_t n) const
    {
        std::uint32_t box = n;
        while (m_nodes[box].box == OneLine::kNone) box = m_nodes[box].up.front();
        return {sideRank(m_model.boxes[box].side), n};
    }

    [[nodiscard]] double mean(const std::vector<std::uint32_t>& nodes) const
    {
        double sum = 0;
        for (const std::uint32_t n : nodes) sum += m_nodes[n].x;
        return sum / double(nodes.size());
    }

    void settle(std::size_t level, std::vector<std::uint32_t> PlacedNode::*neighbors)
    {
        for (const std::uint32_t n : m_rows[level]) m_nodes[n].wish = (m_nodes[n].*neighbors).empty() ? m_nodes[n].x : mean(m_nodes[n].*neighbors);
        place(m_nodes, m_rows[level]);
    }

    /// Where a line enters a box: side by side, in the order in which they come.
    [[nodiscard]] double entry(const Hop& hop) const
    {
        const PlacedNode& to = m_nodes[hop.to];
        if (to.box == OneLine::kNone) return to.x;
        auto from = to.up;
        std::ranges::stable_sort(from, {}, [&](std::uint32_t n) { return m_nodes[n].x; });
        const auto at = double(std::ranges::find(from, hop.from) - from.begin());
        const double step = std::min(16.0, (OneLineLayout::kBoxWidth - 16) / double(from.size()));
        return to.x + (at - double(from.size() - 1) / 2) * step;
    }

    /// Tracks of the level lines between two levels, by node that they come from; lines of one node share theirs.
    struct Tracks {
        std::map<std::uint32_t, std::size_t> of;
        std::size_t count = 0;
    };
    [[nodiscard]] Tracks tracksBelow(std::size_t level) const
    {
        struct Span {
            double low = 1e300, high = -1e300;
        };
        std::map<std::pair<std::pair<int, std::uint32_t>, std::uint32_t>, Span> spans; // A above B
        for (const Hop& hop : m_hops) {
            if (std::size_t(m_nodes[hop.from].level) != level) continue;
            const double from = m_nodes[hop.from].x, to = entry(hop);
            if (std::abs(from - to) < 0.5) continue;
            Span& span = spans[{rank(hop.from), hop.from}];
            span.low = std::min({span.low, from, to});
            span.high = std::max({span.high, from, to});
        }
        Tracks tracks;
        std::vector<std::vector<Span>> taken;
        for (const auto& [key, span] : spans) {
            std::size_t t = 0;
            const auto meets = [&](const Span& other) { return span.low <= other.high + 2 && other.low <= span.high + 2; };
            while (t < taken.size() && std::ranges::any_of(taken[t], meets)) ++t;
            if (t == taken.size()) taken.emplace_back();
            taken[t].push_back(span);
            tracks.of[key.second] = t;
        }
        tracks.count = taken.size();
        return tracks;
    }

    OneLineLayout draw()
    {
        OneLineLayout out;
        double left = 1e300, right = -1e300;
        for (const PlacedNode& n : m_nodes) left = std::min(left, n.x - n.width / 2), right = std::max(right, n.x + n.width / 2);
        if (m_nodes.empty()) return out;
        for (PlacedNode& n : m_nodes) n.x -= left;
        out.width = right - left;
        std::vector<Tracks> tracks(m_rows.size());
        out.levelTop.assign(m_rows.size(), 0);
        for (std::size_t l = 0; l < m_rows.size(); ++l) tracks[l] = tracksBelow(l);
        const auto between = [&](std::size_t l) { return std::max(kLeastBetween, kTrack * double(tracks[l].count + 2)); };
        double y = OneLineLayout::kBoxHeight * double(m_rows.size()), gaps = 0;
        for (std::size_t l = 1; l < m_rows.size(); ++l) gaps += between(l);
        double stretch = 1;
        if (m_shape > 0 && gaps > 0) stretch = std::clamp((out.width / m_shape - y) / gaps, 1.0, kMostStretch);
        y = 0;
        for (std::size_t l = m_rows.size(); l-- > 0;) {
            out.levelTop[l] = y;
            y += OneLineLayout::kBoxHeight + (l > 0 ? stretch * between(l) : 0.0);
        }
        out.height = y;
        for (std::uint32_t b = 0; b < m_model.boxes.size(); ++b)
            out.boxes.push_back({m_nodes[b].x - OneLineLayout::kBoxWidth / 2, out.levelTop[std::size_t(m_nodes[b].level)]});
        for (const Hop& hop : m_hops) {
            const auto level = std::size_t(m_nodes[hop.from].level);
            if (out.lines.empty() || out.lines.back().edge != hop.edge) out.lines.push_back({hop.edge, {}});
            auto& corners = out.lines.back().corners;
            const double from = m_nodes[hop.from].x, to = entry(hop), bottom = out.levelTop[level] + OneLineLayout::kBoxHeight;
            const double end = out.levelTop[level - 1];
            if (corners.empty()) corners.push_back({from, bottom});
            if (const auto track = tracks[level].of.find(hop.from); track != tracks[level].of.end() && std::abs(from - to) >= 0.5) {
                const double at = bottom + (end - bottom) * double(track->second + 1) / double(tracks[level].count + 1);
                corners.push_back({from, at});
                corners.push_back({to, at});
            }
            corners.push_back({to, end});
        }
        return out;
    }

    const OneLineModel& m_model;
    double m_shape;
    std::vector<PlacedNode> m_nodes;
    std::vector<Hop> m_hops;
    std::vector<std::vector<std::uint32_t>> m_rows; ///< nodes by level, from left to right
};

} // namespace

OneLineLayout OneLineLayout::make(const OneLineModel& model, double shape) { return Tidy(model, shape).run(); }

} // namespace hw
