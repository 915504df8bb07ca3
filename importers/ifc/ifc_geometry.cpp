// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/ifc/ifc_geometry.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <tuple>

namespace hw::importers::ifc {

namespace {

constexpr double kFarthest = 1e9; ///< of a coordinate, in any unit
constexpr int kDeepestPlacement = 200, kDeepestItem = 12, kArcPieces = 24;
constexpr double kLevel = 1.0; ///< mm: faces within it lie in one plane
using Kind = StepValue::Kind;

bool isRef(const StepValue& v) { return v.kind == Kind::Reference; }
double numberOf(const StepValue& v, double otherwise = 0)
{
    if (v.kind == Kind::Number) return v.number;
    if (v.isList() && v.items.size() == 1 && v.items[0].kind == Kind::Number) return v.items[0].number;
    return otherwise;
}
const StepValue& attribute(const std::vector<StepValue>& v, std::size_t i)
{
    static const StepValue none;
    return i < v.size() ? v[i] : none;
}

double dot(Spot3 a, Spot3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Spot3 cross(Spot3 a, Spot3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
std::optional<Spot3> unitOf(Spot3 a)
{
    const double length = std::sqrt(dot(a, a));
    if (!(length > 1e-12) || !std::isfinite(length)) return std::nullopt;
    return Spot3{a.x / length, a.y / length, a.z / length};
}
bool bounded(Spot3 p) { return std::abs(p.x) < kFarthest && std::abs(p.y) < kFarthest && std::abs(p.z) < kFarthest; }

double areaOf(const std::vector<Spot2>& loop)
{
    double twice = 0;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const Spot2 a = loop[i], b = loop[(i + 1) % loop.size()];
        twice += a.x * b.y - b.x * a.y;
    }
    return std::abs(twice) / 2;
}

void withoutRepeats(std::vector<Spot2>& loop, double within)
{
    const auto same = [&](Spot2 a, Spot2 b) { return std::hypot(a.x - b.x, a.y - b.y) <= within; };
    std::vector<Spot2> kept;
    for (const Spot2 p : loop)
        if (kept.empty() || !same(kept.back(), p)) kept.push_back(p);
    while (kept.size() > 1 && same(kept.front(), kept.back())) kept.pop_back();
    loop = std::move(kept);
}

} // namespace

Spot3 Transform::turn(Spot3 d) const
{
    return {x.x * d.x + y.x * d.y + z.x * d.z, x.y * d.x + y.y * d.y + z.y * d.z, x.z * d.x + y.z * d.y + z.z * d.z};
}
Spot3 Transform::at(Spot3 p) const
{
    const Spot3 d = turn(p);
    return {origin.x + d.x, origin.y + d.y, origin.z + d.z};
}
Transform Transform::then(const Transform& inner) const { return {turn(inner.x), turn(inner.y), turn(inner.z), at(inner.origin)}; }

double PlanBody::low() const
{
    double z = INFINITY;
    for (const Spot3 p : points) z = std::min(z, p.z);
    return z;
}
double PlanBody::high() const
{
    double z = -INFINITY;
    for (const Spot3 p : points) z = std::max(z, p.z);
    return z;
}

IfcGeometry::IfcGeometry(const StepFile& file) : m_file(file) { readUnits(); }

bool IfcGeometry::spend(std::size_t amount)
{
    if (m_budget < amount) return false;
    m_budget -= amount;
    return true;
}

/// Meters (radians) of a named unit; 0: not known.
double IfcGeometry::lengthOf(std::uint64_t unit, int depth) const
{
    const auto* instance = m_file.find(unit);
    if (!instance || depth > 4) return 0;
    const auto v = m_file.attributesOf(unit);
    if (instance->entity == "IFCSIUNIT") {
        static constexpr std::pair<std::string_view, double> kPrefixes[] = {{"KILO", 1e3},   {"HECTO", 1e2},  {"DECA", 1e1},  {"DECI", 1e-1},
                                                                            {"CENTI", 1e-2}, {"MILLI", 1e-3}, {"MICRO", 1e-6}};
        const StepValue& prefix = attribute(v, 2);
        if (prefix.kind == Kind::Unset) return 1;
        for (const auto& [word, factor] : kPrefixes)
            if (prefix.text == word) return factor;
        return 0;
    }
    if (instance->entity != "IFCCONVERSIONBASEDUNIT" && instance->entity != "IFCCONVERSIONBASEDUNITWITHOFFSET") return 0;
    const StepValue& factor = attribute(v, 3);
    if (!isRef(factor)) return 0;
    const auto measure = m_file.attributesOf(factor.reference);
    const StepValue& base = attribute(measure, 1);
    return isRef(base) ? numberOf(attribute(measure, 0)) * lengthOf(base.reference, depth + 1) : 0;
}

void IfcGeometry::readUnits()
{
    for (const auto number : m_file.of("IFCUNITASSIGNMENT")) {
        const auto v = m_file.attributesOf(number);
        for (const StepValue& unit : attribute(v, 0).items) {
            if (!isRef(unit)) continue;
            const auto u = m_file.attributesOf(unit.reference);
            const std::string& kind = attribute(u, 1).text;
            if (kind != "LENGTHUNIT" && kind != "PLANEANGLEUNIT") continue;
            const double factor = lengthOf(unit.reference, 0);
            if (!(factor > 0) || !std::isfinite(factor)) continue;
            if (kind == "PLANEANGLEUNIT")
                m_radians = factor;
            else
                m_mm = factor * 1000, m_unitStated = true;
        }
    }
}

std::optional<Spot3> IfcGeometry::point(const StepValue& value) const
{
    if (!isRef(value)) return std::nullopt;
    const auto v = m_file.attributesOf(value.reference);
    const auto& c = attribute(v, 0).items;
    if (c.empty() || c.size() > 3) return std::nullopt;
    const Spot3 p{numberOf(c[0]), c.size() > 1 ? numberOf(c[1]) : 0, c.size() > 2 ? numberOf(c[2]) : 0};
    return bounded(p) ? std::optional(p) : std::nullopt;
}

/// An IfcAxis2Placement2D or 3D; unset: where everything else is.
std::optional<Transform> IfcGeometry::axes(const StepValue& value) const
{
    if (value.kind == Kind::Unset) return Transform{};
    if (!isRef(value)) return std::nullopt;
    const auto* instance = m_file.find(value.reference);
    if (!instance) return std::nullopt;
    const auto v = m_file.attributesOf(value.reference);
    const auto origin = point(attribute(v, 0));
    if (!origin) return std::nullopt;
    Transform t;
    t.origin = *origin;
    const bool flat = instance->entity == "IFCAXIS2PLACEMENT2D";
    const StepValue &axis = attribute(v, 1), &other = attribute(v, 2);
    const auto given = [&](const StepValue& direction) { return isRef(direction) ? point(direction) : std::nullopt; };
    if (flat) {
        if (const auto x = given(axis))
            if (const auto unit = unitOf({x->x, x->y, 0})) t.x = *unit, t.y = {-unit->y, unit->x, 0};
        return t;
    }
    if (const auto z = given(axis))
        if (const auto unit = unitOf(*z)) t.z = *unit;
    Spot3 x = std::abs(t.z.x) < 0.999999 ? Spot3{1, 0, 0} : Spot3{0, 1, 0};
    if (const auto direction = given(other)) x = *direction;
    const double along = dot(x, t.z);
    const auto unit = unitOf({x.x - t.z.x * along, x.y - t.z.y * along, x.z - t.z.z * along});
    if (!unit) return std::nullopt;
    t.x = *unit;
    t.y = cross(t.z, t.x);
    return t;
}

std::optional<Transform> IfcGeometry::placement(std::uint64_t number)
{
    if (const auto known = m_placements.find(number); known != m_placements.end()) return known->second;
    std::vector<std::uint64_t> chain; // outwards, so that a long one needs no deep calls
    std::optional<Transform> frame = Transform{};
    for (std::uint64_t now = number;;) {
        if (const auto known = m_placements.find(now); known != m_placements.end()) {
            frame = known->second;
            break;
        }
        const auto* instance = m_file.find(now);
        if (!instance || instance->entity != "IFCLOCALPLACEMENT" || int(chain.size()) > kDeepestPlacement ||
            std::ranges::find(chain, now) != chain.end()) {
            frame.reset();
            break;
        }
        chain.push_back(now);
        const auto v = m_file.attributesOf(now);
        const StepValue& parent = attribute(v, 0);
        if (!isRef(parent)) break;
        now = parent.reference;
    }
    for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
        if (frame) {
            const auto v = m_file.attributesOf(*it);
            const auto own = axes(attribute(v, 1));
            frame = own ? std::optional(frame->then(*own)) : std::nullopt;
            if (frame && !bounded(frame->origin)) frame.reset();
        }
        m_placements[*it] = frame;
    }
    return frame;
}

/// An IfcCartesianTransformationOperator.
std::optional<Transform> IfcGeometry::scaling(const StepValue& value) const
{
    if (!isRef(value)) return std::nullopt;
    const auto v = m_file.attributesOf(value.reference);
    const auto origin = point(attribute(v, 2));
    if (!origin) return std::nullopt;
    Transform t;
    t.origin = *origin;
    const auto axis = [&](std::size_t i) -> std::optional<Spot3> {
        const auto d = point(attribute(v, i));
        return d ? unitOf(*d) : std::nullopt;
    };
    const auto x = axis(0), y = axis(1), z = axis(4);
    if (z) t.z = *z;
    if (x) t.x = *x;
    t.y = y ? *y : cross(t.z, t.x);
    if (!z && x && y) t.z = cross(t.x, t.y);
    const double scale = numberOf(attribute(v, 3), 1);
    const double sy = numberOf(attribute(v, 5), scale), sz = numberOf(attribute(v, 6), scale);
    if (!(std::abs(scale) < 1e6 && std::abs(sy) < 1e6 && std::abs(sz) < 1e6)) return std::nullopt;
    const auto times = [](Spot3 a, double f) { return Spot3{a.x * f, a.y * f, a.z * f}; };
    t.x = times(t.x, scale), t.y = times(t.y, sy), t.z = times(t.z, sz);
    return t;
}

PlanBody IfcGeometry::bodyOf(const std::vector<StepValue>& product)
{
    PlanBody body;
    const StepValue &place = attribute(product, 5), &shape = attribute(product, 6);
    Transform frame;
    if (isRef(place)) {
        const auto found = placement(place.reference);
        if (!found) return body;
        frame = *found;
    }
    if (const double length = std::hypot(frame.x.x, frame.x.y); length > 1e-9) body.direction = {frame.x.x / length, frame.x.y / length};
    if (!isRef(shape)) return body;
    const auto definition = m_file.attributesOf(shape.reference);
    std::vector<Item> items;
    for (const bool named : {true, false}) { // the body; without one, what there is but axes and boxes
        for (const StepValue& r : attribute(definition, 2).items) {
            if (!isRef(r)) continue;
            const auto v = m_file.attributesOf(r.reference);
            const std::string& name = attribute(v, 1).text;
            if (named ? name == "Body" : name != "Axis" && name != "Box" && name != "Body" && name != "Annotation")
                representation(r.reference, frame, 0, items);
        }
        if (!items.empty()) break;
    }
    double largest = -1;
    for (Item& item : items) {
        if (std::ranges::any_of(item.points, [&](Spot3 p) { return !bounded(p) || !(std::abs(p.x * m_mm) < kFarthest * 1000); })) continue;
        for (const Spot3 p : item.points) body.points.push_back({p.x * m_mm, p.y * m_mm, p.z * m_mm});
        for (Spot2& p : item.outline) p = {p.x * m_mm, p.y * m_mm};
        withoutRepeats(item.outline, 0.4);
        if (const double size = areaOf(item.outline); item.outline.size() > 2 && size > largest) {
            largest = size;
            body.round = item.round && items.size() == 1;
            body.outline = item.outline;
        }
    }
    return body;
}

void IfcGeometry::representation(std::uint64_t number, const Transform& frame, int depth, std::vector<Item>& items)
{
    const auto v = m_file.attributesOf(number);
    for (const StepValue& r : attribute(v, 3).items)
        if (isRef(r)) item(r.reference, frame, depth, items);
}

void IfcGeometry::item(std::uint64_t number, const Transform& frame, int depth, std::vector<Item>& items)
{
    const auto* instance = m_file.find(number);
    if (!instance || depth > kDeepestItem || !spend()) return;
    const std::string_view entity = instance->entity;
    const auto v = m_file.attributesOf(number);
    if (entity == "IFCEXTRUDEDAREASOLID" || entity == "IFCEXTRUDEDAREASOLIDTAPERED") return extruded(v, frame, items);
    if (entity == "IFCMAPPEDITEM") {
        const StepValue& source = attribute(v, 0);
        const auto target = scaling(attribute(v, 1));
        if (!isRef(source) || !target) return;
        const auto map = m_file.attributesOf(source.reference);
        const auto origin = axes(attribute(map, 0));
        const StepValue& mapped = attribute(map, 1);
        if (origin && isRef(mapped)) representation(mapped.reference, frame.then(*target).then(*origin), depth + 1, items);
        return;
    }
    if (entity == "IFCBOOLEANCLIPPINGRESULT" || entity == "IFCBOOLEANRESULT") { // openings and slopes are left out
        if (const StepValue& first = attribute(v, 1); isRef(first)) item(first.reference, frame, depth + 1, items);
        return;
    }
    if (entity == "IFCBOUNDINGBOX") {
        const auto corner = point(attribute(v, 0));
        const double x = numberOf(attribute(v, 1)), y = numberOf(attribute(v, 2)), z = numberOf(attribute(v, 3));
        if (!corner || !bounded({x, y, z})) return;
        std::vector<std::vector<Spot3>> ends;
        for (const double h : {0.0, z}) {
            auto& face = ends.emplace_back();
            for (const auto& [dx, dy] : {std::pair(0.0, 0.0), {x, 0.0}, {x, y}, {0.0, y}})
                face.push_back(frame.at({corner->x + dx, corner->y + dy, corner->z + h}));
        }
        return addFaces(ends, items);
    }
    faces(number, entity, frame, items);
}

void IfcGeometry::extruded(const std::vector<StepValue>& v, const Transform& frame, std::vector<Item>& items)
{
    const StepValue& area = attribute(v, 0);
    const auto place = axes(attribute(v, 1));
    const auto direction = point(attribute(v, 2));
    const double depth = numberOf(attribute(v, 3));
    if (!isRef(area) || !place || !direction || !(std::abs(depth) < kFarthest)) return;
    bool round = false;
    const auto outline = profile(area.reference, round);
    const auto along = unitOf(*direction);
    if (!outline || outline->size() < 3 || !along || !spend(outline->size() * 2)) return;
    const Transform whole = frame.then(*place);
    const Spot3 way = whole.turn({along->x * depth, along->y * depth, along->z * depth});
    Item item;
    for (const Spot2 p : *outline) {
        const Spot3 low = whole.at({p.x, p.y, 0});
        item.points.push_back(low);
        item.points.push_back({low.x + way.x, low.y + way.y, low.z + way.z});
    }
    const double length = std::sqrt(dot(way, way));
    const bool upright = length > 0 && std::hypot(way.x, way.y) < 1e-4 * length && std::hypot(whole.z.x, whole.z.y) < 1e-4 * std::abs(whole.z.z);
    if (upright)
        for (std::size_t i = 0; i < item.points.size(); i += 2) item.outline.push_back({item.points[i].x, item.points[i].y});
    item.round = round && upright;
    items.push_back(std::move(item));
}

std::optional<std::vector<Spot2>> IfcGeometry::profile(std::uint64_t number, bool& round)
{
    const auto* instance = m_file.find(number);
    if (!instance) return std::nullopt;
    const std::string_view entity = instance->entity;
    const auto v = m_file.attributesOf(number);
    if (entity == "IFCARBITRARYCLOSEDPROFILEDEF" || entity == "IFCARBITRARYPROFILEDEFWITHVOIDS") {
        const StepValue& outer = attribute(v, 2);
        if (!isRef(outer)) return std::nullopt;
        auto loop = curve(outer.reference, 0);
        withoutRepeats(loop, 1e-9);
        return loop;
    }
    const auto place = axes(attribute(v, 2));
    if (!place) return std::nullopt;
    std::vector<Spot2> loop;
    const auto add = [&](double x, double y) {
        const Spot3 p = place->at({x, y, 0});
        loop.push_back({p.x, p.y});
    };
    double a = numberOf(attribute(v, 3)), b = numberOf(attribute(v, 4));
    if (entity == "IFCCIRCLEPROFILEDEF" || entity == "IFCCIRCLEHOLLOWPROFILEDEF" || entity == "IFCELLIPSEPROFILEDEF") {
        if (entity != "IFCELLIPSEPROFILEDEF") b = a, round = true;
        for (int i = 0; i < kArcPieces; ++i) {
            const double angle = 2 * std::numbers::pi * i / kArcPieces;
            add(a * std::cos(angle), b * std::sin(angle));
        }
        return loop;
    }
    static constexpr std::string_view kWidthFirst[] = {"IFCRECTANGLEPROFILEDEF", "IFCROUNDEDRECTANGLEPROFILEDEF", "IFCRECTANGLEHOLLOWPROFILEDEF",
                                                       "IFCISHAPEPROFILEDEF", "IFCASYMMETRICISHAPEPROFILEDEF"};
    static constexpr std::string_view kDepthFirst[] = {"IFCUSHAPEPROFILEDEF", "IFCLSHAPEPROFILEDEF", "IFCCSHAPEPROFILEDEF", "IFCTSHAPEPROFILEDEF",
                                                       "IFCZSHAPEPROFILEDEF"};
    if (std::ranges::find(kDepthFirst, entity) != std::end(kDepthFirst))
        std::swap(a, b);
    else if (std::ranges::find(kWidthFirst, entity) == std::end(kWidthFirst)) {
        ++m_unread[std::string(entity)];
        return std::nullopt;
    }
    if (!(a > 0 && b > 0)) return std::nullopt;
    for (const auto& [x, y] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}}) add(x * a / 2, y * b / 2);
    return loop;
}

std::vector<Spot2> IfcGeometry::curve(std::uint64_t number, int depth)
{
    std::vector<Spot2> out;
    const auto* instance = m_file.find(number);
    if (!instance || depth > kDeepestItem || !spend()) return out;
    const auto v = m_file.attributesOf(number);
    const std::string_view entity = instance->entity;
    if (entity == "IFCPOLYLINE") {
        for (const StepValue& p : attribute(v, 0).items)
            if (const auto spot = point(p)) out.push_back({spot->x, spot->y});
        (void)spend(out.size());
    } else if (entity == "IFCINDEXEDPOLYCURVE") {
        out = indexed(v);
    } else if (entity == "IFCCOMPOSITECURVE" || entity == "IFC2DCOMPOSITECURVE") {
        for (const StepValue& segment : attribute(v, 0).items) {
            if (!isRef(segment)) continue;
            const auto s = m_file.attributesOf(segment.reference);
            const StepValue& parent = attribute(s, 2);
            if (!isRef(parent)) continue;
            auto piece = curve(parent.reference, depth + 1);
            if (attribute(s, 1).text == "F") std::ranges::reverse(piece);
            out.insert(out.end(), piece.begin(), piece.end());
        }
    } else if (entity == "IFCTRIMMEDCURVE") {
        out = trimmed(v, depth);
    } else {
        ++m_unread[std::string(entity)];
    }
    return out;
}

/// Piece of a line or circle.
std::vector<Spot2> IfcGeometry::trimmed(const std::vector<StepValue>& v, int depth)
{
    std::vector<Spot2> out;
    const StepValue& basis = attribute(v, 0);
    const auto* instance = isRef(basis) ? m_file.find(basis.reference) : nullptr;
    if (!instance || depth > kDeepestItem) return out;
    const auto spotOf = [&](std::size_t trim) -> std::optional<Spot3> {
        for (const StepValue& t : attribute(v, trim).items)
            if (isRef(t)) return point(t);
        return std::nullopt;
    };
    const auto parameterOf = [&](std::size_t trim) -> std::optional<double> {
        for (const StepValue& t : attribute(v, trim).items)
            if (t.isList() && t.text == "IFCPARAMETERVALUE") return numberOf(t);
        return std::nullopt;
    };
    const auto from = spotOf(1), to = spotOf(2);
    if (instance->entity != "IFCCIRCLE") {
        if (from && to) out = {{from->x, from->y}, {to->x, to->y}};
        return out;
    }
    const auto circle = m_file.attributesOf(basis.reference);
    const auto place = axes(attribute(circle, 0));
    const double radius = numberOf(attribute(circle, 1));
    if (!place || !(radius > 0 && radius < kFarthest)) return out;
    const auto angleOf = [&](std::size_t trim, const std::optional<Spot3>& spot) -> std::optional<double> {
        if (const auto parameter = parameterOf(trim)) return *parameter * m_radians;
        if (!spot) return std::nullopt;
        const Spot3 d{spot->x - place->origin.x, spot->y - place->origin.y, 0};
        return std::atan2(dot(d, place->y), dot(d, place->x));
    };
    const auto first = angleOf(1, from), last = angleOf(2, to);
    if (!first || !last || !(std::abs(*first) < 1e4 && std::abs(*last) < 1e4)) return out;
    const bool forward = attribute(v, 3).text != "F";
    double sweep = std::fmod(*last - *first, 2 * std::numbers::pi);
    if (forward && sweep <= 0) sweep += 2 * std::numbers::pi;
    if (!forward && sweep >= 0) sweep -= 2 * std::numbers::pi;
    const int pieces = std::max(1, int(std::ceil(std::abs(sweep) / (2 * std::numbers::pi) * kArcPieces)));
    for (int i = 0; i <= pieces; ++i) {
        const double angle = *first + sweep * i / pieces;
        const Spot3 p = place->at({radius * std::cos(angle), radius * std::sin(angle), 0});
        out.push_back({p.x, p.y});
    }
    return out;
}

/// An IfcIndexedPolyCurve: lines, and arcs through three points.
std::vector<Spot2> IfcGeometry::indexed(const std::vector<StepValue>& v) const
{
    std::vector<Spot2> spots, out;
    const StepValue& list = attribute(v, 0);
    if (!isRef(list)) return out;
    const auto coordinates = m_file.attributesOf(list.reference);
    for (const StepValue& c : attribute(coordinates, 0).items) spots.push_back({numberOf(attribute(c.items, 0)), numberOf(attribute(c.items, 1))});
    const StepValue& segments = attribute(v, 1);
    if (!segments.isList()) return spots;
    for (const StepValue& segment : segments.items) {
        const auto& indices = segment.items.size() == 1 && segment.items[0].isList() ? segment.items[0].items : segment.items;
        std::vector<Spot2> piece;
        for (const StepValue& index : indices)
            if (const double i = numberOf(index); i >= 1 && i <= double(spots.size())) piece.push_back(spots[std::size_t(i) - 1]);
        if (segment.text == "IFCARCINDEX" && piece.size() == 3) {
            const Spot2 a = piece[0], b = piece[1], c = piece[2];
            const double d = 2 * (a.x * (b.y - c.y) + b.x * (c.y - a.y) + c.x * (a.y - b.y));
            if (std::abs(d) > 1e-12) {
                const double aa = a.x * a.x + a.y * a.y, bb = b.x * b.x + b.y * b.y, cc = c.x * c.x + c.y * c.y;
                const Spot2 m{(aa * (b.y - c.y) + bb * (c.y - a.y) + cc * (a.y - b.y)) / d,
                              (aa * (c.x - b.x) + bb * (a.x - c.x) + cc * (b.x - a.x)) / d};
                const double r = std::hypot(a.x - m.x, a.y - m.y), from = std::atan2(a.y - m.y, a.x - m.x);
                const auto turned = [&](Spot2 p) {
                    const double angle = std::atan2(p.y - m.y, p.x - m.x) - from;
                    return angle < 0 ? angle + 2 * std::numbers::pi : angle;
                };
                const double end = turned(b) < turned(c) ? turned(c) : turned(c) - 2 * std::numbers::pi;
                const int pieces = std::max(2, int(std::ceil(std::abs(end) / (2 * std::numbers::pi) * kArcPieces)));
                piece.clear();
                for (int i = 0; i <= pieces; ++i)
                    piece.push_back({m.x + r * std::cos(from + end * i / pieces), m.y + r * std::sin(from + end * i / pieces)});
            }
        }
        out.insert(out.end(), piece.begin(), piece.end());
    }
    return out;
}

/// Bodies of flat faces.
void IfcGeometry::faces(std::uint64_t number, std::string_view entity, const Transform& frame, std::vector<Item>& items)
{
    std::vector<std::vector<Spot3>> faces;
    const auto v = m_file.attributesOf(number);
    const auto shell = [&](const StepValue& of) {
        if (!isRef(of)) return;
        const auto s = m_file.attributesOf(of.reference);
        for (const StepValue& f : attribute(s, 0).items) {
            if (!isRef(f) || !spend()) continue;
            const auto face = m_file.attributesOf(f.reference);
            for (const StepValue& b : attribute(face, 0).items) {
                if (!isRef(b)) continue;
                const auto bound = m_file.attributesOf(b.reference);
                if (!isRef(attribute(bound, 0))) continue;
                const auto loop = m_file.attributesOf(bound[0].reference);
                auto& points = faces.emplace_back();
                for (const StepValue& p : attribute(loop, 0).items)
                    if (const auto spot = point(p); spot && spend()) points.push_back(frame.at(*spot));
            }
        }
    };
    if (entity == "IFCFACETEDBREP" || entity == "IFCFACETEDBREPWITHVOIDS") {
        shell(attribute(v, 0));
    } else if (entity == "IFCSHELLBASEDSURFACEMODEL" || entity == "IFCFACEBASEDSURFACEMODEL") {
        for (const StepValue& s : attribute(v, 0).items) shell(s);
    } else if (entity == "IFCPOLYGONALFACESET" || entity == "IFCTRIANGULATEDFACESET") {
        const StepValue& list = attribute(v, 0);
        if (!isRef(list)) return;
        std::vector<Spot3> spots;
        const auto coordinates = m_file.attributesOf(list.reference);
        for (const StepValue& c : attribute(coordinates, 0).items)
            spots.push_back(frame.at({numberOf(attribute(c.items, 0)), numberOf(attribute(c.items, 1)), numberOf(attribute(c.items, 2))}));
        if (!spend(spots.size())) return;
        const bool triangles = entity == "IFCTRIANGULATEDFACESET";
        for (const StepValue& f : attribute(v, triangles ? 3 : 2).items) {
            const std::vector<StepValue> face = triangles || !isRef(f) ? std::vector<StepValue>() : m_file.attributesOf(f.reference);
            auto& points = faces.emplace_back();
            for (const StepValue& index : triangles ? f.items : attribute(face, 0).items)
                if (const double i = numberOf(index); i >= 1 && i <= double(spots.size()) && spend()) points.push_back(spots[std::size_t(i) - 1]);
        }
    } else {
        ++m_unread[std::string(entity)];
        return;
    }
    addFaces(faces, items);
}

/// Of a body's faces: its corners, and the loop around those at its bottom.
void IfcGeometry::addFaces(const std::vector<std::vector<Spot3>>& faces, std::vector<Item>& items) const
{
    Item item;
    double low = INFINITY;
    for (const auto& face : faces)
        for (const Spot3 p : face) item.points.push_back(p), low = std::min(low, p.z);
    if (item.points.empty()) return;
    const double within = kLevel / m_mm;
    using Key = std::pair<long long, long long>;
    const auto keyOf = [&](Spot3 p) { return Key(std::llround(p.x / within), std::llround(p.y / within)); };
    if (std::ranges::any_of(item.points, [](Spot3 p) { return !bounded(p); })) return;
    std::map<Key, Spot2> spots;
    std::map<std::pair<Key, Key>, int> edges; // those of two faces are within
    for (const auto& face : faces) {
        if (face.size() < 3 || std::ranges::any_of(face, [&](Spot3 p) { return p.z > low + within; })) continue;
        for (std::size_t i = 0; i < face.size(); ++i) {
            const Spot3 a = face[i], b = face[(i + 1) % face.size()];
            const Key from = keyOf(a), to = keyOf(b);
            if (from == to) continue;
            spots.try_emplace(from, Spot2{a.x, a.y}), spots.try_emplace(to, Spot2{b.x, b.y});
            ++edges[{std::min(from, to), std::max(from, to)}];
        }
    }
    std::map<Key, std::vector<Key>> next;
    for (const auto& [edge, count] : edges)
        if (count == 1) next[edge.first].push_back(edge.second), next[edge.second].push_back(edge.first);
    std::set<Key> used;
    double largest = 0;
    for (const auto& [start, ends] : next) {
        if (used.contains(start)) continue;
        std::vector<Spot2> loop;
        for (Key at = start; used.insert(at).second;) {
            loop.push_back(spots[at]);
            for (const Key& to : next[at])
                if (!used.contains(to)) {
                    at = to;
                    break;
                }
        }
        if (const double size = areaOf(loop); size > largest) largest = size, item.outline = std::move(loop);
    }
    items.push_back(std::move(item));
}

} // namespace hw::importers::ifc
