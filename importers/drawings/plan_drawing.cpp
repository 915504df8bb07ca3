// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/drawings/plan_drawing.h"

#include "core/derived/figures/supply.h"
#include "core/derived/geometry/contained_aisle.h"
#include "core/foundation/model/places.h"
#include "core/foundation/model/underlay_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

namespace hw::drawings {

namespace {

constexpr double kNameHeight = 140, kRoomNameHeight = 400, kTextHeight = 90; ///< mm of the model
constexpr double kLabeledTray = 3000;                                        ///< from this length on a tray has its size written on it
constexpr double kPipesApart = 60;                                           ///< between supply and return, besides their diameter

/// Around a line from a to b, `width` across; a point is a square.
std::vector<At> around(At a, At b, double width)
{
    double x = b.x - a.x, y = b.y - a.y;
    const double length = std::hypot(x, y);
    if (length < 1e-9)
        return {{a.x - width / 2, a.y - width / 2},
                {a.x + width / 2, a.y - width / 2},
                {a.x + width / 2, a.y + width / 2},
                {a.x - width / 2, a.y + width / 2}};
    x *= width / 2 / length, y *= width / 2 / length;
    return {{a.x + y, a.y - x}, {b.x + y, b.y - x}, {b.x - y, b.y + x}, {a.x - y, a.y + x}};
}

On structureLayer(StructureKind kind)
{
    switch (kind) {
    case StructureKind::Wall: return On::Wall;
    case StructureKind::Column: return On::Column;
    case StructureKind::Door: return On::Door;
    case StructureKind::Ramp: return On::Ramp;
    case StructureKind::KeepOut: break;
    }
    return On::KeepOut;
}

On equipmentLayer(const DeviceSpec& spec)
{
    if (spec.power.element == PowerElement::Busway) return On::Busway;
    if (spec.power.element != PowerElement::None) return On::Power;
    return spec.cooling.element != CoolingElement::None ? On::Cooling : On::Equipment;
}

class Plan {
public:
    explicit Plan(Scene& scene)
        : m(scene), m_s(scene.s), m_parts(*scene.figures.parts), m_placement(*scene.figures.placement), m_model(scene.file.model()),
          m_basis(powerBasisOf(scene.s))
    {
    }

    void run()
    {
        if (m.campus) m_s.buildings.forEach([&](BuildingId id) { box(On::Building, m_placement.building(id)); });
        for (const HallId hall : m.halls) underlay(hall);
        for (const HallId hall : m.halls) room(hall);
        m_s.structures.forEach([&](StructureId id) { structure(id); });
        for (const ContainedAisle& aisle : containedAisles(m_s, m_placement))
            if (m.shows(m_s.rows.hall[aisle.row])) box(On::Containment, aisle.box);
        m_s.trays.forEach([&](TrayId id) { tray(id); });
        supplies();
        m_s.devices.forEach([&](DeviceId id) {
            if (!m_s.devices.rack[id]) equipment(id);
        });
        m_s.racks.forEach([&](RackId id) { rack(id); });
        m_s.rows.forEach([&](RowId id) { rowName(id); });
    }

private:
    void box(On on, const Box& b) { m_model.rectangle(m.layers[on], m.at(b.low), m.at(b.high)); }

    void room(HallId hall)
    {
        const Frame frame = hallFrame(m_s, hall);
        std::vector<std::pair<std::int32_t, At>> corners;
        m_s.corners.forEach([&](CornerId id) {
            if (m_s.corners.hall[id] == hall)
                corners.emplace_back(m_s.corners.number[id], m.at(frame.at(m_s.corners.x[id].count(), m_s.corners.y[id].count(), 0)));
        });
        std::ranges::stable_sort(corners, {}, [](const auto& corner) { return corner.first; });
        std::vector<At> outline;
        for (const auto& [number, at] : corners) outline.push_back(at);
        const Box& b = m_placement.hall(hall);
        if (outline.size() >= 3)
            m_model.polyline(m.layers[On::Room], outline, true);
        else
            box(On::Room, b);
        const double width = double(b.high.x - b.low.x), depth = double(b.high.y - b.low.y);
        const std::string text = fmt::format("{}   {:.2f} m x {:.2f} m", m_s.halls.name[hall], width / 1000, depth / 1000);
        m_model.write(m.layers[On::RoomName], {text, m.at(b.low.x, b.high.y + 600.0), fittingHeight(text, std::max(width, 6000.0), kRoomNameHeight)});
    }

    void structure(StructureId id)
    {
        if (!m.shows(m_s.structures.hall[id])) return;
        const StructureShape& shape = m_placement.structure(id);
        const StructureKind kind = m_s.structures.kind[id];
        const std::string& layer = m.layers[structureLayer(kind)];
        if (kind == StructureKind::Column && shape.a == shape.b)
            m_model.circle(layer, m.at(shape.a), shape.width / 2.0);
        else
            m_model.polyline(layer, around(m.at(shape.a), m.at(shape.b), shape.width), true);
    }

    void underlay(HallId hall)
    {
        std::map<std::string, DxfSpace*> blocks;
        m_s.underlays.forEach([&](UnderlayId id) {
            if (m_s.underlays.hall[id] != hall) return;
            const std::string block = dxfName(fmt::format("{}-{}-{}", m.layers[On::Underlay], m_s.underlays.source[id], m_s.halls.name[hall]));
            const auto [known, fresh] = blocks.try_emplace(block, nullptr);
            if (fresh) {
                known->second = m.file.block(block);
                if (known->second) m_model.insert(m.layers.underlay("0"), {block, m.at(hallFrame(m_s, hall).at(0, 0, 0))});
                m.file.layer({m.layers.underlay("0"), 8});
            }
            if (!known->second) return;
            const std::string layer = m.layers.underlay(m_s.underlays.name[id]);
            m.file.layer({layer, 8});
            for (const auto& [x1, y1, x2, y2] : underlayLines(m_s.underlays.lines[id]))
                known->second->line(layer, {double(x1), double(y1)}, {double(x2), double(y2)});
        });
    }

    /// A block of a footprint with the attributes that its insertions fill; a rack's front is its lower edge.
    void defineBlock(const std::string& name, double width, double depth, const std::vector<std::string>& tags, bool front)
    {
        if (!m_defined.insert(name).second) return;
        DxfSpace* block = m.file.block(name);
        if (!block) return;
        block->rectangle("0", {0, 0}, {width, depth});
        if (front) block->line("0", {0, std::min(60.0, depth / 10)}, {width, std::min(60.0, depth / 10)});
        for (const std::string& tag : tags)
            block->define(
                "0",
                {tag, tag, {tag, {width / 2, depth / 2}, std::min(kNameHeight, width / 3), 0, Across::Middle, Upright::Middle}, tag != "NAME", {}});
    }

    struct Value {
        const char* tag;
        std::string text;
    };
    /// `corner`: of the block's origin; the block is `width` by `depth` before it is turned by `quarter`.
    void insertBlock(On on, On names, const std::string& name, At corner, int quarter, double width, double depth, const std::vector<Value>& values)
    {
        Insertion in{name, corner, quarter * 90.0, 1, {}};
        const double turn = quarter * 1.57079632679489661923, c = std::round(std::cos(turn)), s = std::round(std::sin(turn));
        const At middle{corner.x + c * width / 2 - s * depth / 2, corner.y + s * width / 2 + c * depth / 2};
        const double angle = readableAngle(quarter * 90.0 + (depth > width ? 90.0 : 0.0));
        for (const Value& value : values) {
            const double height = fittingHeight(value.text, std::max(width, depth) * 0.92, std::min({kNameHeight, width * 0.45, depth * 0.45}));
            in.attributes.push_back({value.tag,
                                     {},
                                     {value.text, middle, height, angle, Across::Middle, Upright::Middle},
                                     std::string_view(value.tag) != "NAME",
                                     m.layers[names]});
        }
        m_model.insert(m.layers[on], in);
    }

    void rack(RackId id)
    {
        const RowId row = m_s.racks.row[id];
        if (!m.shows(m_s.rows.hall[row])) return;
        const Part& part = m_parts[m_s.racks.type[id]];
        const RackSpec& spec = m_parts.rack(m_s.racks.type[id]);
        const double width = spec.width.value.count(), depth = spec.depth.value.count();
        const std::string name = dxfName(std::string(kRackBlock) + part.slug);
        defineBlock(name, width, depth, {"NAME", "U", "KW", "ROW", "TYPE"}, true);
        const Frame frame = rowFrame(m_s, row);
        const Point corner = frame.at(m_s.racks.along[id].count(), m_s.racks.across[id].count(), 0);
        insertBlock(On::Rack, On::RackName, name, m.at(corner), frame.quarter, width, depth,
                    {{"NAME", m_s.racks.name[id]},
                     {"U", fmt::format("{}", spec.heightU)},
                     {"KW", kilowatts(m.figures.power->rack(id).at(m_basis))},
                     {"ROW", m_s.rows.name[row]},
                     {"TYPE", part.slug}});
    }

    void equipment(DeviceId id)
    {
        const auto hall = hallOf(m_s, id);
        if (!hall || !m.shows(*hall)) return;
        const Part& part = m_parts[m_s.devices.type[id]];
        const DeviceSpec& spec = m_parts.device(m_s.devices.type[id]);
        const double width = spec.width.value.count(), depth = spec.depth.value.count();
        if (width <= 0 || depth <= 0) return;
        const std::string name = dxfName(std::string(kEquipmentBlock) + part.slug);
        defineBlock(name, width, depth, {"NAME", "KW", "TYPE"}, false);
        const auto row = m_s.devices.row[id];
        const int quarter = (quarterOf(m_s.devices.angle[id]) + (row ? rowFrame(m_s, *row).quarter : 0)) % 4;
        const Box b = m_placement.device(m_s, m_parts, id);
        const std::array<At, 4> corners{m.at(b.low), m.at(b.high.x, b.low.y), m.at(b.high), m.at(b.low.x, b.high.y)};
        const bool plant = spec.power.element != PowerElement::None || spec.cooling.element != CoolingElement::None;
        const Milliwatts power = plant ? spec.capacity.value : m.figures.power->device(id).at(m_basis);
        insertBlock(equipmentLayer(spec), On::EquipmentName, name, corners[std::size_t(quarter)], quarter, width, depth,
                    {{"NAME", m_s.devices.name[id]}, {"KW", power.count() > 0 ? kilowatts(power) : std::string()}, {"TYPE", part.slug}});
    }

    void tray(TrayId id)
    {
        const auto row = m_s.trays.row[id];
        const Maybe<HallId> hall = row ? Maybe<HallId>(m_s.rows.hall[*row]) : m_s.trays.hall[id];
        if (!m.shows(hall)) return;
        const TrayLine& line = m_placement.tray(id);
        const TraySpec& spec = m_parts.tray(m_s.trays.type[id]);
        const double width = std::max(1, spec.width.value.count());
        const Carries carries = m_s.trays.carries[id];
        const On on = carries == Carries::Power ? On::PowerTray : carries == Carries::Coolant ? On::PipeRack : On::Tray;
        const At a = m.at(line.a), b = m.at(line.b);
        m_model.polyline(m.layers[on], around(a, b, width), true);
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        if (length < kLabeledTray) return;
        const std::string many = m_s.trays.count[id] > 1 ? fmt::format("{} x ", m_s.trays.count[id]) : std::string();
        const std::string text = fmt::format("{}{:.0f} x {}  +{}", many, width, spec.height.value.count(), std::min(line.a.z, line.b.z));
        m_model.write(m.layers[On::Text], {text,
                                           {(a.x + b.x) / 2, (a.y + b.y) / 2},
                                           fittingHeight(text, length * 0.8, std::min(kTextHeight, width * 0.6)),
                                           readableAngle(std::atan2(b.y - a.y, b.x - a.x) * 57.29577951308232),
                                           Across::Middle,
                                           Upright::Middle});
    }

    /// Feeders and pipes along their routes, each route once; what needs no route runs straight.
    void supplies()
    {
        const Supply& supply = m.figures.get<SupplyNode>();
        std::set<std::pair<On, std::vector<std::pair<std::int32_t, std::int32_t>>>> drawn;
        for (const SupplyLine& line : supply.lines()) {
            const bool pipe = line.size.kind == SupplyKind::Pipe,
                       feeder = line.size.kind == SupplyKind::Feeder || line.size.kind == SupplyKind::BusDuct;
            if ((!pipe && !feeder) || !m.shows(hallOf(m_s, line.consumer)) || !hallOf(m_s, line.supplier)) continue;
            std::vector<std::pair<std::int32_t, std::int32_t>> way;
            const auto add = [&](std::int32_t x, std::int32_t y) {
                if (way.empty() || way.back() != std::pair(x, y)) way.emplace_back(x, y);
            };
            if (line.pair != Routing::kNoPair)
                for (const Point& p : supply.routing(line.medium).path(line.pair)) add(p.x, p.y);
            else
                for (const DeviceId end : {line.consumer, line.supplier}) {
                    const Box b = m_placement.device(m_s, m_parts, end);
                    add((b.low.x + b.high.x) / 2, (b.low.y + b.high.y) / 2);
                }
            const On on = pipe ? On::Supply : line.size.kind == SupplyKind::BusDuct ? On::Busway : On::Feeder;
            if (way.size() < 2 || !drawn.emplace(on, way).second) continue;
            for (const std::vector<At>& points : pieces(way, *hallOf(m_s, line.consumer))) supplyLine(line, on, pipe, points);
        }
    }

    void supplyLine(const SupplyLine& line, On on, bool pipe, const std::vector<At>& points)
    {
        if (!pipe) return m_model.polyline(m.layers[on], points, false);
        // Beside each other: moved along the diagonal, so that they are as far apart along x as along y.
        const double diameter = line.size.type ? m_parts.cable(*line.size.type).diameter.value.count() : 0, half = (diameter + kPipesApart) / 2;
        for (const double side : {1.0, -1.0}) {
            std::vector<At> moved = points;
            for (At& p : moved) p.x += side * half, p.y += side * half;
            m_model.polyline(m.layers[side > 0 ? On::Supply : On::Return], moved, false);
        }
    }

    /// A route, where one room is drawn only as far as it runs in it and through its wall.
    std::vector<std::vector<At>> pieces(const std::vector<std::pair<std::int32_t, std::int32_t>>& way, HallId hall) const
    {
        std::vector<std::vector<At>> all;
        const Box& b = m_placement.hall(hall);
        constexpr double kThrough = 600; // mm beyond the wall
        for (std::size_t i = 1; i < way.size(); ++i) {
            const At from{double(way[i - 1].first), double(way[i - 1].second)}, to{double(way[i].first), double(way[i].second)};
            double low = 0, high = 1; // of the way from one to the other
            const auto clip = [&](double start, double step, double least, double most) {
                if (step == 0) return void(high = start < least || start > most ? -1 : high);
                const double a = (least - start) / step, c = (most - start) / step;
                low = std::max(low, std::min(a, c)), high = std::min(high, std::max(a, c));
            };
            if (!m.campus) {
                clip(from.x, to.x - from.x, b.low.x - kThrough, b.high.x + kThrough);
                clip(from.y, to.y - from.y, b.low.y - kThrough, b.high.y + kThrough);
            }
            if (low >= high) continue;
            const auto at = [&](double share) { return m.at(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share); };
            if (all.empty() || !(all.back().back() == at(low))) all.push_back({at(low)});
            all.back().push_back(at(high));
        }
        return all;
    }

    void rowName(RowId id)
    {
        if (!m.shows(m_s.rows.hall[id])) return;
        const Box& b = m_placement.row(id);
        if (b.high.x <= b.low.x || b.high.y <= b.low.y) return; // without racks
        const bool along = rowFrame(m_s, id).quarter % 2 == 0;
        const At at = along ? m.at(b.low.x - 200.0, (b.low.y + b.high.y) / 2.0) : m.at((b.low.x + b.high.x) / 2.0, b.low.y - 200.0);
        m_model.write(m.layers[On::RowName], {m_s.rows.name[id], at, 200, along ? 0.0 : 90.0, Across::Right, Upright::Middle});
    }

    Scene& m;
    const Snapshot& m_s;
    const ProjectParts& m_parts;
    const Placement& m_placement;
    DxfSpace& m_model;
    PowerBasis m_basis;
    std::set<std::string> m_defined;
};

} // namespace

double readableAngle(double degrees)
{
    double angle = std::fmod(degrees, 360);
    if (angle < 0) angle += 360;
    return angle > 90.5 && angle < 270.5 ? std::fmod(angle + 180, 360) : angle;
}

double fittingHeight(std::string_view text, double room, double most)
{
    const auto characters =
        double(std::max<std::ptrdiff_t>(1, std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; })));
    return std::max(1.0, std::min(most, room / (characters * 0.85)));
}

std::string kilowatts(Milliwatts power) { return fmt::format("{:.1f}", toWatts(power) / 1000); }

void drawPlan(Scene& scene) { Plan(scene).run(); }

} // namespace hw::drawings
