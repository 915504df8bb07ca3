// SPDX-License-Identifier: GPL-3.0-or-later
// A plan of a room as an architect draws it: form checked, read by dxflib, scaled to mm, recognised, written into a hall.
#include "importers/dxf/recognise.h"
#include "importers/dxf/room_writer.h"
#include "importers/dxf/scale.h"
#include "importers/dxf/turn.h"
#include "importers/formats.h"

#include <algorithm>
#include <cmath>

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
std::optional<std::vector<Drawn>> scaled(const Drawing& drawing, const Roles& roles, double millimetres)
{
    constexpr double kFarthest = 1e12;
    bool fits = true;
    const auto whole = [&](Spot p) {
        const double x = p.x * millimetres, y = p.y * millimetres;
        if (!(std::abs(x) < kFarthest && std::abs(y) < kFarthest)) return fits = false, Pt{};
        return Pt{std::int64_t(std::floor(x + 0.5 + 1e-4)), std::int64_t(std::floor(y + 0.5 + 1e-4))};
    };
    std::vector<Drawn> all;
    all.reserve(drawing.shapes.size());
    for (const Shape& shape : drawing.shapes) {
        Drawn drawn{&shape, roles.of(shape), {}, whole(shape.centre)};
        for (const Spot p : shape.points) drawn.points.push_back(whole(p));
        all.push_back(std::move(drawn));
    }
    return fits ? std::optional(std::move(all)) : std::nullopt;
}

class DxfImporter final : public exchange::Importer {
public:
    exchange::FormatInfo info() const override
    {
        return {"dxf", i18n("a drawing of a room (ASCII DXF): walls, columns, doors, ramps, and its lines")};
    }
    std::vector<exchange::ImportOption> options() const override
    {
        return {{"hall", "NAME", i18n("the hall that is drawn; without it one is made, in a building of its own")},
                {"units", "UNIT", i18n("the drawing's unit (mm, cm, m, in, ft), where the file does not say it or is wrong")},
                {"known-length", "WHAT=LENGTH",
                 i18n("a length that is known, as \"width=120 m\" or \"depth=20 m\" (of all walls), \"LAYER=9.6 m\" (its width) or "
                      "\"x1,y1,x2,y2=12.0 m\" (drawn points); refused when more than 1 % off")},
                {"layers", "ROLE=LAYER,...",
                 i18n("what layers hold: room, walls, columns, doors, ramps, keep-outs; * stands for anything; others go by their names")}};
    }
    bool probe(const exchange::ImportSource& source) const override { return looksLikeDrawing(source.content); }

    Result<exchange::ImportPlan> plan(const exchange::ImportSource& source, const SnapshotPtr& base, const Progress& progress) const override
    {
        const auto checked = checkForm(source);
        if (!checked) return tl::unexpected(checked.error());
        auto drawing = readDrawing(*checked, source.path.string(), progress);
        if (!drawing) return tl::unexpected(drawing.error());
        std::set<std::string> layers;
        for (const Shape& shape : drawing->shapes) layers.insert(shape.layer);
        const auto roles = Roles::of(source.option("layers"), layers);
        if (!roles) return tl::unexpected(roles.error());
        const auto scale = scaleOf(source, *checked, *drawing, *roles);
        if (!scale) return tl::unexpected(scale.error());

        exchange::ImportPlan plan;
        plan.name = i18n("Import drawing {}", source.path.filename().string());
        plan.facts = scale->facts;
        const std::string file = source.path.string();
        for (const Text& doubt : scale->doubts) plan.issues.push_back({file, doubt});
        tellLayers(*roles, file, plan);
        tellOthers(*checked, *drawing, file, plan);

        if (const double by = turnToWalls(*drawing, *roles, kOneWall / scale->millimetres); by != 0)
            plan.issues.push_back(
                {file, i18n("the walls run at {:.1f}° to the axes of the drawing: it is turned by {:.1f}°, so that rows of racks run along them", -by,
                            by)});
        const auto drawn = scaled(*drawing, *roles, scale->millimetres);
        if (!drawn) return fail(ErrorCode::Refused, file, i18n("lies out of all bounds"), i18n("check the unit: --units"));
        const Recognised room = recognise(*drawn);
        if (room.outline.empty()) return noRoom(file, layers);
        for (const Text& doubt : room.doubts) plan.issues.push_back({file, doubt});
        auto after = std::make_shared<Snapshot>(*base);
        const RoomDrawing into{file, source.path.filename().string(), source.path.stem().string(), source.option("hall"), &room, &*drawn};
        if (const auto written = writeRoom(*after, into, plan); !written) return tl::unexpected(written.error());
        plan.base = base;
        plan.after = std::move(after);
        return plan;
    }

private:
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
                plan.issues.push_back({file, i18n("layer {} is taken for {} by its name; --layers says otherwise", layer, roleWord(role))});
            else
                plan.facts.push_back(i18n("layer {}: {}", layer, roleWord(role)));
        }
    }

    static void tellOthers(const Checked& checked, const Drawing& drawing, const std::string& file, exchange::ImportPlan& plan)
    {
        for (const auto& [kind, others] : checked.others)
            plan.issues.push_back(
                {fmt::format("{}:{}", file, others.line), i18np(others.count, "{0} {1} is not read", "{0} {1} are not read", kind)});
        for (const auto& block : drawing.missingBlocks) plan.issues.push_back({file, i18n("block {} is inserted and not in the file", block)});
    }

    static tl::unexpected<Error> noRoom(const std::string& file, const std::set<std::string>& layers)
    {
        if (layers.empty())
            return fail(ErrorCode::Unreadable, file, i18n("holds no lines, arcs or circles"), i18n("export the model space of the drawing"));
        const std::vector<std::string> known(layers.begin(), layers.end());
        return fail(ErrorCode::Refused, file, i18n("no layer is known to hold the room or its walls"),
                    i18n("name one: --layers walls=LAYER or room=LAYER; the drawing has {}", listedNames(known)));
    }
};

} // namespace

std::unique_ptr<exchange::Importer> dxfImporter() { return std::make_unique<DxfImporter>(); }

} // namespace hw::importers
