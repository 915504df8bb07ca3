// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/dxf/curves.h"

#include "core/foundation/base/trim.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <span>

namespace hw::importers::dxf {

namespace {

constexpr double kStep = 7.5;                 ///< degrees of an arc to a straight piece
constexpr std::size_t kPiecesOfSpan = 8;      ///< of a spline between two control points
constexpr std::size_t kMostControls = 20'000; ///< of a spline
constexpr double kSharpest = 4;               ///< a corner reaches out at most so many times the offset
constexpr double kDegrees = std::numbers::pi / 180;

double realIn(std::string_view text)
{
    text = trimmed(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc() && std::isfinite(value) ? value : 0;
}

using GroupRange = std::span<const std::pair<int, std::string>>;

double valueOf(GroupRange groups, int code, double missing = 0)
{
    const auto found = std::ranges::find(groups, code, &std::pair<int, std::string>::first);
    return found == groups.end() ? missing : realIn(found->second);
}
Spot spotOf(GroupRange groups, int code) { return {valueOf(groups, code), valueOf(groups, code + 10)}; }
bool hasGroup(GroupRange groups, int code) { return std::ranges::find(groups, code, &std::pair<int, std::string>::first) != groups.end(); }

/// All values of a code, and all points that begin with it.
std::vector<double> valuesOf(GroupRange groups, int code)
{
    std::vector<double> all;
    for (const auto& [own, value] : groups)
        if (own == code) all.push_back(realIn(value));
    return all;
}
std::vector<Spot> spotsOf(GroupRange groups, int code)
{
    std::vector<Spot> all;
    for (const auto& [own, value] : groups) {
        if (own == code) all.push_back({realIn(value), 0});
        if (own == code + 10 && !all.empty()) all.back().y = realIn(value);
    }
    return all;
}

double apart(Spot a, Spot b) { return std::hypot(b.x - a.x, b.y - a.y); }

/// Without points that repeat the one before.
void tidy(Path& path)
{
    auto& p = path.points;
    p.erase(std::unique(p.begin(), p.end(), [](Spot a, Spot b) { return a.x == b.x && a.y == b.y; }), p.end());
    if (path.closed && p.size() > 1 && p.front().x == p.back().x && p.front().y == p.back().y) p.pop_back();
}

/// From `from` to `to`, radians of its parameter.
void addEllipse(std::vector<Spot>& points, Spot center, Spot major, Spot minor, double from, double to)
{
    const int steps = std::clamp(int(std::ceil(std::abs(to - from) / kDegrees / kStep - 1e-6)), 1, 4096);
    for (int i = 0; i <= steps; ++i) {
        const double t = from + (to - from) * i / steps, c = std::cos(t), s = std::sin(t);
        points.push_back({center.x + major.x * c + minor.x * s, center.y + major.y * c + minor.y * s});
    }
}

/// A rational B-spline at many places (de Boor). Empty: its counts do not fit together.
std::vector<Spot> splinePoints(int degree, const std::vector<double>& knots, const std::vector<Spot>& controls, const std::vector<double>& weights)
{
    const std::size_t n = controls.size(), p = std::size_t(degree);
    if (degree < 1 || degree > 25 || n <= p || n > kMostControls || knots.size() != n + p + 1 || !std::ranges::is_sorted(knots)) return {};
    if (!weights.empty() && weights.size() != n) return {};
    std::vector<Spot> out;
    struct Weighed {
        double x, y, w;
    };
    std::vector<Weighed> d(p + 1);
    const auto at = [&](std::size_t span, double u) {
        for (std::size_t j = 0; j <= p; ++j) {
            const std::size_t i = j + span - p;
            const double w = weights.empty() ? 1 : weights[i];
            d[j] = {controls[i].x * w, controls[i].y * w, w};
        }
        for (std::size_t r = 1; r <= p; ++r)
            for (std::size_t j = p; j >= r; --j) {
                const double low = knots[j + span - p], high = knots[j + 1 + span - r], a = high > low ? (u - low) / (high - low) : 0;
                d[j] = {d[j - 1].x * (1 - a) + d[j].x * a, d[j - 1].y * (1 - a) + d[j].y * a, d[j - 1].w * (1 - a) + d[j].w * a};
            }
        if (d[p].w != 0) out.push_back({d[p].x / d[p].w, d[p].y / d[p].w});
    };
    for (std::size_t span = p; span < n; ++span) {
        if (!(knots[span + 1] > knots[span])) continue;
        const std::size_t pieces = p == 1 ? 1 : kPiecesOfSpan;
        for (std::size_t i = out.empty() ? 0 : 1; i <= pieces; ++i)
            at(span, knots[span] + (knots[span + 1] - knots[span]) * double(i) / double(pieces));
    }
    return out;
}

std::optional<std::vector<Path>> ellipsePath(const Groups& groups)
{
    const Spot center = spotOf(groups, 10), major = spotOf(groups, 11);
    const double ratio = valueOf(groups, 40, 1), length = std::hypot(major.x, major.y), turn = valueOf(groups, 230, 1) < 0 ? -1 : 1;
    double from = valueOf(groups, 41, 0), to = valueOf(groups, 42, 2 * std::numbers::pi);
    if (!(length > 0) || !(ratio > 0)) return std::nullopt;
    if (to <= from) to += 2 * std::numbers::pi;
    const bool whole = to - from > 2 * std::numbers::pi - 1e-4;
    if (whole && std::abs(ratio - 1) < 1e-6) return {{{{center}, true, length}}};
    Path path{{}, whole};
    addEllipse(path.points, center, major, {-major.y * ratio * turn, major.x * ratio * turn}, from, to);
    if (whole) path.points.pop_back();
    return {{std::move(path)}};
}

std::optional<std::vector<Path>> splinePath(const Groups& groups)
{
    Path path;
    path.points = splinePoints(int(valueOf(groups, 71)), valuesOf(groups, 40), spotsOf(groups, 10), valuesOf(groups, 41));
    if (path.points.empty()) path.points = spotsOf(groups, 11); // drawn through points
    path.closed = (int(valueOf(groups, 70)) & 1) != 0;
    if (path.points.size() < 2) return std::nullopt;
    return {{std::move(path)}};
}

/// Its third and fourth corner are crossed.
std::optional<std::vector<Path>> solidCorners(const Groups& groups)
{
    if (!hasGroup(groups, 10) || !hasGroup(groups, 11) || !hasGroup(groups, 12)) return std::nullopt;
    Path path{{spotOf(groups, 10), spotOf(groups, 11)}, true};
    if (hasGroup(groups, 13)) path.points.push_back(spotOf(groups, 13));
    path.points.push_back(spotOf(groups, 12));
    return {{std::move(path)}};
}

/// An edge of a hatch's boundary; empty: it cannot be read.
std::vector<Spot> hatchEdge(GroupRange groups)
{
    std::vector<Spot> points;
    const bool clockwise = valueOf(groups, 73, 1) == 0;
    double from = valueOf(groups, 50), to = valueOf(groups, 51, 360);
    if (to <= from) to += 360;
    if (clockwise) from = -from, to = -to;
    switch (int(valueOf(groups, 72))) {
    case 1: return {spotOf(groups, 10), spotOf(groups, 11)};
    case 2: addArc(points, spotOf(groups, 10), valueOf(groups, 40), from, to); break;
    case 3: {
        const Spot major = spotOf(groups, 11);
        const double ratio = valueOf(groups, 40, 1);
        addEllipse(points, spotOf(groups, 10), major, {-major.y * ratio, major.x * ratio}, from * kDegrees, to * kDegrees);
        break;
    }
    case 4: return splinePoints(int(valueOf(groups, 94)), valuesOf(groups, 40), spotsOf(groups, 10), valuesOf(groups, 42));
    default: break;
    }
    return points;
}

/// The boundary whose groups follow its flags (92).
std::optional<Path> hatchBoundary(GroupRange groups, bool polyline)
{
    Path path{{}, true};
    if (polyline) {
        double bulge = 0;
        std::optional<Spot> last;
        const auto corner = [&](Spot at) {
            if (last) addBulge(path.points, *last, at, bulge);
            path.points.push_back(at);
            last = at, bulge = 0;
        };
        for (std::size_t i = 0; i < groups.size(); ++i) {
            if (groups[i].first == 97) break; // what it was made of
            if (groups[i].first == 10 && i + 1 < groups.size() && groups[i + 1].first == 20)
                corner({realIn(groups[i].second), realIn(groups[i + 1].second)});
            if (groups[i].first == 42) bulge = realIn(groups[i].second);
        }
        if (last) addBulge(path.points, *last, path.points.front(), bulge);
    } else {
        for (std::size_t i = 0; i < groups.size(); ++i) {
            if (groups[i].first != 72) continue;
            std::size_t end = i + 1;
            while (end < groups.size() && groups[end].first != 72 && groups[end].first != 97) ++end;
            auto points = hatchEdge(groups.subspan(i, end - i));
            if (points.empty()) return std::nullopt;
            const bool turned = !path.points.empty() && apart(path.points.back(), points.back()) < apart(path.points.back(), points.front());
            if (turned) std::ranges::reverse(points);
            path.points.insert(path.points.end(), points.begin(), points.end());
            i = end - 1;
        }
    }
    tidy(path);
    return path.points.size() < 3 ? std::nullopt : std::optional(std::move(path));
}

std::optional<std::vector<Path>> hatchPaths(const Groups& groups)
{
    std::vector<Path> paths;
    const GroupRange all(groups);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].first != 92) continue;
        std::size_t end = i + 1; // 75: its style, behind the last
        while (end < all.size() && all[end].first != 92 && all[end].first != 75) ++end;
        if (auto path = hatchBoundary(all.subspan(i + 1, end - i - 1), (int(realIn(all[i].second)) & 2) != 0)) paths.push_back(std::move(*path));
    }
    return paths.empty() ? std::nullopt : std::optional(std::move(paths));
}

/// A path so far to the left of another.
Path offsetPath(const Path& path, double left)
{
    Path out{{}, path.closed};
    const auto& p = path.points;
    const std::size_t n = p.size();
    const auto normal = [&](std::size_t from) {
        const Spot a = p[from], b = p[(from + 1) % n];
        const double length = apart(a, b);
        return Spot{-(b.y - a.y) / length, (b.x - a.x) / length};
    };
    for (std::size_t i = 0; i < n; ++i) {
        const bool first = !path.closed && i == 0, last = !path.closed && i + 1 == n;
        const Spot before = normal(first ? 0 : (i + n - 1) % n), after = normal(last ? n - 2 : i);
        const double x = before.x + after.x, y = before.y + after.y, square = x * x + y * y;
        const double reach = square > 1e-9 ? std::min(2 / square, kSharpest / std::sqrt(square)) : 0; // of their sum, to both lines
        if (reach == 0)
            out.points.push_back({p[i].x + after.x * left, p[i].y + after.y * left});
        else
            out.points.push_back({p[i].x + x * reach * left, p[i].y + y * reach * left});
    }
    return out;
}

/// What lies between two offsets of a path: its two edges, or its outline where it is not closed.
std::vector<Path> bandOf(Path path, double low, double high)
{
    tidy(path);
    if (path.points.size() < 2) return {};
    path.closed = path.closed && path.points.size() > 2;
    Path right = offsetPath(path, low), left = offsetPath(path, high);
    if (path.closed) return {std::move(right), std::move(left)};
    right.points.insert(right.points.end(), left.points.rbegin(), left.points.rend());
    right.closed = true;
    return {std::move(right)};
}

/// Where the lines of its style run is stated at its corners, along the bisector there.
std::optional<std::vector<Path>> multiline(const Groups& groups)
{
    Path middle{{}, (int(valueOf(groups, 71)) & 2) != 0};
    std::vector<double> offsets; ///< along the first bisector
    Spot direction{1, 0}, bisector{0, 1};
    bool begins = false;
    for (const auto& [code, text] : groups) {
        const double value = realIn(text);
        if (code == 11) middle.points.push_back({value, 0});
        if (code == 21 && !middle.points.empty()) middle.points.back().y = value;
        if (middle.points.size() != 1) continue;
        if (code == 12) direction.x = value;
        if (code == 22) direction.y = value;
        if (code == 13) bisector.x = value;
        if (code == 23) bisector.y = value;
        if (code == 74) begins = true;
        if (code == 41 && begins) offsets.push_back(value), begins = false;
    }
    if (middle.points.size() < 2 || offsets.empty()) return std::nullopt;
    const double sine = direction.x * bisector.y - direction.y * bisector.x;
    for (double& offset : offsets) offset *= sine;
    const auto [low, high] = std::ranges::minmax(offsets);
    if (high > low) return bandOf(std::move(middle), low, high);
    tidy(middle);
    return {{offsetPath(middle, low)}};
}

} // namespace

void addArc(std::vector<Spot>& points, Spot center, double radius, double from, double to)
{
    const int steps = int(std::clamp(std::ceil(std::abs(to - from) / kStep - 1e-6), 1.0, 4096.0));
    for (int i = 0; i <= steps; ++i) {
        const double angle = (from + (to - from) * i / steps) * kDegrees;
        points.push_back({center.x + radius * std::cos(angle), center.y + radius * std::sin(angle)});
    }
}

std::optional<Spot> addBulge(std::vector<Spot>& points, Spot a, Spot b, double bulge)
{
    const double theta = 4 * std::atan(bulge), chord = apart(a, b);
    if (std::abs(bulge) < 1e-9 || chord <= 0) return std::nullopt;
    const double radius = chord / (2 * std::sin(theta / 2)), height = radius * std::cos(theta / 2);
    const Spot center{(a.x + b.x) / 2 - (b.y - a.y) / chord * height, (a.y + b.y) / 2 + (b.x - a.x) / chord * height};
    const double from = std::atan2(a.y - center.y, a.x - center.x) / kDegrees;
    std::vector<Spot> arc;
    addArc(arc, center, std::abs(radius), from, from + theta / kDegrees);
    points.insert(points.end(), arc.begin() + 1, arc.end() - 1);
    return center;
}

namespace {

struct CurveKind {
    std::string_view name;
    std::optional<std::vector<Path>> (*read)(const Groups&);
    bool ownPlane;
};
constexpr std::array<CurveKind, 6> kCurveKinds = {{{"ELLIPSE", ellipsePath, false},
                                                   {"SPLINE", splinePath, false},
                                                   {"SOLID", solidCorners, true},
                                                   {"TRACE", solidCorners, true},
                                                   {"HATCH", hatchPaths, true},
                                                   {"MLINE", multiline, false}}};

const CurveKind* curveKindOf(std::string_view name)
{
    const auto found = std::ranges::find(kCurveKinds, name, &CurveKind::name);
    return found == kCurveKinds.end() ? nullptr : &*found;
}

} // namespace

std::optional<std::vector<Path>> pathsOf(std::string_view kind, const Groups& groups)
{
    const CurveKind* own = curveKindOf(kind);
    return own ? own->read(groups) : std::nullopt;
}
bool hasPaths(std::string_view kind) { return curveKindOf(kind) != nullptr; }
bool inOwnPlane(std::string_view kind)
{
    const CurveKind* own = curveKindOf(kind);
    return own && own->ownPlane;
}

WideLine wideLineOf(const Groups& groups)
{
    WideLine line;
    line.closed = (int(valueOf(groups, 70)) & 1) != 0;
    const double all = valueOf(groups, 43);
    for (const auto& [code, text] : groups) {
        if (code == 10) line.corners.push_back({{realIn(text), 0}, 0, all, all});
        if (line.corners.empty()) continue;
        Corner& corner = line.corners.back();
        if (code == 20) corner.at.y = realIn(text);
        if (code == 40) corner.startWidth = realIn(text);
        if (code == 41) corner.endWidth = realIn(text);
        if (code == 42) corner.bulge = realIn(text);
    }
    return line;
}

Width widthOf(const WideLine& line)
{
    const std::size_t pieces = line.corners.size() - (line.closed || line.corners.empty() ? 0 : 1); // the last of an open one starts nothing
    double least = INFINITY, most = 0;
    for (std::size_t i = 0; i < pieces; ++i)
        for (const double width : {line.corners[i].startWidth, line.corners[i].endWidth})
            least = std::min(least, width), most = std::max(most, width);
    if (!(most > 0)) return Width::None;
    return most - least <= 1e-6 * most ? Width::Constant : Width::Varying;
}

std::vector<Path> edgesOf(const WideLine& line)
{
    const auto& c = line.corners;
    if (c.size() < 2) return {};
    const double width = c.front().startWidth;
    const bool ring = line.closed && c.size() == 2 && std::abs(std::abs(c[0].bulge) - 1) < 1e-6 && std::abs(std::abs(c[1].bulge) - 1) < 1e-6;
    if (ring) {
        const Spot center{(c[0].at.x + c[1].at.x) / 2, (c[0].at.y + c[1].at.y) / 2};
        const double radius = apart(c[0].at, c[1].at) / 2, hole = radius - width / 2;
        std::vector<Path> circles{{{center}, true, radius + width / 2}};
        if (hole > 1e-3 * radius) circles.push_back({{center}, true, hole});
        return circles;
    }
    Path middle{{}, line.closed};
    for (std::size_t i = 0; i < c.size(); ++i) {
        middle.points.push_back(c[i].at);
        if (i + 1 < c.size() || line.closed) addBulge(middle.points, c[i].at, c[(i + 1) % c.size()].at, c[i].bulge);
    }
    return bandOf(std::move(middle), -width / 2, width / 2);
}

} // namespace hw::importers::dxf
