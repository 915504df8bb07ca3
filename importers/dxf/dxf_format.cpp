// SPDX-License-Identifier: GPL-3.0-or-later
// A plan of a room as an architect draws it: form checked, read by dxflib, scaled to mm, recognized, written into a hall.
#include "core/physics/site/turn.h"
#include "importers/dxf/recognize.h"
#include "importers/dxf/room_writer.h"
#include "importers/dxf/scale.h"
#include "importers/dxf/turn.h"
#include "importers/formats.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace hw::importers {

namespace {

using namespace dxf;

constexpr double kOneWall = 2; ///< mm: places of a wall in a turned drawing that were one before they were rounded

/// Where a known length is drawn, in the drawing's units: two points, the room's walls, or a layer.
double drawnLength(const KnownLength& known, const Drawing& drawing, const Roles& roles)
{
    if (known.what.empty()) return std::hypot(known.b.x - known.a.x, known.b.y - known.a.y);
    const bool depth = known.what == "depth", all = depth || known.what == "width";
    double low = INFINITY, high = -INFINITY;
    for (const Shape& shape : drawing.shapes) {
        const Role role = roles.of(shape);
        if (all ? role != Role::Wall && role != Role::Room : shape.layer != known.what) continue;
        for (const Spot p : shape.points) low = std::min(low, depth ? p.y : p.x), high = std::max(high, depth ? p.y : p.x);
    }
    return high > low ? high - low : 0;
}

/// In whole mm; halves always go up, whatever the unit. Nothing where a place is out of all bounds.
std::optional<std::vector<Drawn>> scaled(const Drawing& drawing, const Roles& roles, double millimeters)
{
    constexpr double kFarthest = 1e12;
    bool fits = true;
    const auto whole = [&](Spot p) {
        const double x = p.x * millimeters, y = p.y * millimeters;
        if (!(std::abs(x) < kFarthest && std::abs(y) < kFarthest)) return fits = false, Pt{};
        return Pt{std::int64_t(std::floor(x + 0.5 + 1e-4)), std::int64_t(std::floor(y + 0.5 + 1e-4))};
    };
    std::vector<Drawn> all;
    all.reserve(drawing.shapes.size());
    for (const Shape& shape : drawing.shapes) {
        Drawn drawn{&shape, roles.of(shape), {}, whole(shape.center)};
        for (const Spot p : shape.points) drawn.points.push_back(whole(p));
        for (const Shape::Bow& bow : shape.bows) drawn.bows.push_back({whole(bow.center), bow.from, bow.to});
        all.push_back(std::move(drawn));
    }
    return fits ? std::optional(std::move(all)) : std::nullopt;
}

class DxfImporter final : public exchange::Importer {
public:
    exchange::FormatInfo info() const override { return {"dxf", i18n("room drawing (ASCII DXF): walls, columns, doors, ramps and underlay lines")}; }
    std::vector<exchange::FormatOption> options() const override
    {
        return {{"hall", "NAME", i18n("hall shown in the drawing; if omitted, a hall is created in a new building")},
                {"units", "UNIT", i18n("unit of the drawing (mm, cm, m, in, ft), if missing or wrong in the file")},
                {"known-length", "WHAT=LENGTH",
                 i18n("a known length, as \"width=120 m\" or \"depth=20 m\" (of all walls), \"LAYER=9.6 m\" (its width) or "
                      "\"x1,y1,x2,y2=12.0 m\" (points in the drawing); rejected if more than 1 % off")},
                {"rack-block", "PATTERN=RACKTYPE[@EDGE]",
                 i18n("blocks to import as racks of a type; * is a wildcard; * in RACKTYPE is replaced by what the first * in PATTERN matches; EDGE "
                      "is the "
                      "front of the block: bottom (default), right, top or left"),
                 true},
                {"layers", "ROLE=LAYER,...",
                 i18n("layer contents: room, walls, columns, doors, ramps, keep-outs; * is a wildcard; other layers are classified by name")}};
    }
    bool probe(const exchange::ImportSource& source) const override { return looksLikeDrawing(source.content); }

    Result<exchange::ImportPlan> plan(const exchange::ImportSource& source, const SnapshotPtr& base, const Progress& progress) const override
    {
        const auto checked = checkForm(source);
        if (!checked) return tl::unexpected(checked.error());
        const auto rules = rackRules(source.option("rack-block"));
        if (!rules) return tl::unexpected(rules.error());
        std::function<bool(const std::string&)> whole;
        if (!rules->empty()) whole = [&](const std::string& block) { return ruleOf(*rules, block) != nullptr; };
        auto drawing = readDrawing(*checked, source.path.string(), progress, whole);
        if (!drawing) return tl::unexpected(drawing.error());
        std::set<std::string> layers, hidden;
        for (const Shape& shape : drawing->shapes) {
            layers.insert(shape.layer);
            if (!shape.hiddenBy.empty()) layers.insert(shape.hiddenBy), hidden.insert(shape.hiddenBy);
        }
        const auto roles = Roles::of(source.option("layers"), layers, hidden);
        if (!roles) return tl::unexpected(roles.error());
        const auto left = leaveHidden(*drawing, *roles);
        const auto scale = scaleOf(source, *checked, *drawing, *roles);
        if (!scale) return tl::unexpected(scale.error());

        exchange::ImportPlan plan;
        plan.name = i18n("Import drawing {}", source.path.filename().string());
        plan.facts = scale->facts;
        const std::string file = source.path.string();
        for (const Text& doubt : scale->doubts) plan.issues.push_back({file, doubt});
        tellLayers(*roles, file, plan);
        tellHidden(*checked, left, file, plan);
        tellOthers(*checked, *drawing, file, plan);

        const double by = turnToWalls(*drawing, *roles, kOneWall / scale->millimeters);
        if (by != 0)
            plan.issues.push_back(
                {file, i18n("the walls are at {:.1f}° to the axes of the drawing: it is rotated by {:.1f}° so that rows run along them", -by, by)});
        const auto drawn = scaled(*drawing, *roles, scale->millimeters);
        if (!drawn) return fail(ErrorCode::Refused, file, i18n("is out of bounds"), i18n("check the unit: --units"));
        const Recognized room = recognize(*drawn);
        if (room.outline.empty()) return noRoom(file, layers, hidden, *checked);
        for (const Text& doubt : room.doubts) plan.issues.push_back({file, doubt});
        auto after = std::make_shared<Snapshot>(*base);
        Extent extent;
        for (const Pt p : room.outline) extent.add(p);
        RoomDrawing into{file, source.path.filename().string(), source.path.stem().string(), source.option("hall"), &room, &*drawn};
        into.rackRules = !rules->empty();
        into.racks = drawnRacks(*drawing, *rules, scale->millimeters, {double(extent.low.x), double(extent.low.y)});
        if (by == 0) plan.facts.push_back(i18n("lower left corner of the room in the drawing: {},{} mm", extent.low.x, extent.low.y));
        if (drawing->hiddenInsertions > 0)
            plan.issues.push_back({file, i18np(drawing->hiddenInsertions, "{} rack on a layer that is frozen or off is not imported",
                                               "{} racks on layers that are frozen or off are not imported")});
        if (const auto written = writeRoom(*after, into, plan); !written) return tl::unexpected(written.error());
        if (by != 0) setNorth(*base, *after, source.option("hall"), by, file, plan);
        plan.base = base;
        plan.after = std::move(after);
        return plan;
    }

private:
    /// Of a drawing whose upper edge was north before it was turned; other rooms that are there keep theirs.
    static void setNorth(const Snapshot& base, Snapshot& after, const std::string& hall, double by, const std::string& file,
                         exchange::ImportPlan& plan)
    {
        bool others = false;
        base.halls.forEach([&](HallId id) { others = others || base.halls.name[id] != hall; });
        const double north = site::planNorthAfter(Snapshot(), by), known = site::planNorthAfter(base, 0);
        if (!others) {
            site::setPlanNorth(after, north);
            plan.facts.push_back(i18n("plan north: {:.1f}°, if the drawing had north up", north));
        } else if (north != known) {
            plan.issues.push_back({file, i18n("plan north would be {:.1f}°; the project's {:.1f}° is kept", north, known)});
        }
    }

    static Result<Scale> scaleOf(const exchange::ImportSource& source, const Checked& checked, const Drawing& drawing, const Roles& roles)
    {
        ScaleQuestion question{checked.units, source.option("units"), {}, {}, source.path.string()};
        if (const auto stated = source.option("known-length"); !stated.empty()) {
            const auto known = parseKnownLength(stated);
            if (!known) return tl::unexpected(known.error());
            question.known = *known;
            question.measure = [&](const KnownLength& length) { return drawnLength(length, drawing, roles); };
        }
        return findScale(question);
    }

    static void tellLayers(const Roles& roles, const std::string& file, exchange::ImportPlan& plan)
    {
        for (const auto& [layer, role] : roles.layers()) {
            if (roles.guessed(layer))
                plan.issues.push_back({file, i18n("layer {} interpreted as {} by its name; override with --layers", layer, roleWord(role))});
            else
                plan.facts.push_back(i18n("layer {}: {}", layer, roleWord(role)));
        }
    }

    /// Takes away what hidden layers hide, unless their role is stated; how much, by layer.
    static std::map<std::string, std::size_t> leaveHidden(Drawing& drawing, const Roles& roles)
    {
        std::map<std::string, std::size_t> left;
        std::erase_if(drawing.shapes, [&](const Shape& shape) {
            const bool leave = !shape.hiddenBy.empty() && !roles.stated(shape.hiddenBy);
            if (leave) ++left[shape.hiddenBy];
            return leave;
        });
        return left;
    }

    static void tellHidden(const Checked& checked, const std::map<std::string, std::size_t>& left, const std::string& file,
                           exchange::ImportPlan& plan)
    {
        for (const auto& [layer, count] : left) {
            const auto state = checked.hiddenLayers.find(layer);
            const bool frozen = state != checked.hiddenLayers.end() && state->second;
            plan.issues.push_back(
                {file, frozen ? i18np(count, "layer {1} is frozen: {0} line or arc is not imported; --layers ROLE={1} imports it",
                                      "layer {1} is frozen: {0} lines and arcs are not imported; --layers ROLE={1} imports them", layer)
                              : i18np(count, "layer {1} is off: {0} line or arc is not imported; --layers ROLE={1} imports it",
                                      "layer {1} is off: {0} lines and arcs are not imported; --layers ROLE={1} imports them", layer)});
        }
        if (checked.invisible > 0)
            plan.issues.push_back({file, i18np(checked.invisible, "{} invisible entity is not imported", "{} invisible entities are not imported")});
        if (checked.tapered > 0)
            plan.issues.push_back({file, i18np(checked.tapered, "{} polyline of varying width is imported as its center line",
                                               "{} polylines of varying width are imported as their center lines")});
        if (!checked.doubt.empty()) plan.issues.push_back({file, checked.doubt});
    }

    static void tellOthers(const Checked& checked, const Drawing& drawing, const std::string& file, exchange::ImportPlan& plan)
    {
        for (const auto& [kind, others] : checked.others)
            plan.issues.push_back({fmt::format("{}:{}", file, others.line), i18np(others.count, "{0} {1} ignored", "{0} {1} ignored", kind)});
        for (const auto& block : drawing.missingBlocks)
            plan.issues.push_back({file, i18n("block {} is inserted but not defined in the file", block)});
    }

    /// "12 3DSOLID, 4 MESH"
    static std::string countsOf(const Checked& checked)
    {
        std::string all;
        for (const auto& [kind, others] : checked.others) all += fmt::format("{}{} {}", all.empty() ? "" : ", ", others.count, kind);
        return all;
    }

    static tl::unexpected<Error> noRoom(const std::string& file, const std::set<std::string>& layers, const std::set<std::string>& hidden,
                                        const Checked& checked)
    {
        if (layers.empty() && checked.others.empty())
            return fail(ErrorCode::Unreadable, file, i18n("contains no lines, arcs or circles"), i18n("export the model space of the drawing"));
        if (layers.empty())
            return fail(ErrorCode::Unreadable, file, i18n("contains no lines, arcs or circles; not read: {}", countsOf(checked)),
                        i18n("explode these entities, or export a 2D floor plan of the model space"));
        const std::vector<std::string> known(layers.begin(), layers.end()), frozen(hidden.begin(), hidden.end());
        return fail(ErrorCode::Refused, file, i18n("no layer identified as the room or its walls"),
                    hidden.empty() ? i18n("specify one: --layers walls=LAYER or room=LAYER; layers in the drawing: {}", listedNames(known))
                                   : i18n("specify one: --layers walls=LAYER or room=LAYER; the drawing has {} (frozen or off: {})",
                                          listedNames(known), listedNames(frozen)));
    }
};

} // namespace

std::unique_ptr<exchange::Importer> dxfImporter() { return std::make_unique<DxfImporter>(); }

} // namespace hw::importers
