// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/scene/scene.h"

#include "core/derived/cooling/chain.h"
#include "core/derived/figures/pipe_path.h"
#include "core/derived/figures/rack_kind.h"
#include "core/derived/geometry/contained_aisle.h"
#include "core/derived/geometry/frame.h"
#include "core/foundation/catalog/entity.h"
#include "core/output/scene/colors.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace hw::scene {

namespace {

constexpr std::int32_t kRoofMm = 50, kThinMm = 20; ///< of a containment roof; of marks on the floor and of what states no size (assumed)

class SceneBuilder {
public:
    SceneBuilder(const Figures& figures, const Scope& scope) : m_f(figures), m_s(*figures.snapshot), m_scope(scope) {}

    Scene run()
    {
        m_s.structures.forEach([&](StructureId id) { structure(id); });
        for (const ContainedAisle& aisle : containedAisles(m_s, *m_f.placement)) containment(aisle);
        devicesByRack();
        m_ofRack.assign(m_s.racks.nextId(), -1);
        m_ofDevice.assign(m_s.devices.nextId(), -1);
        m_s.racks.forEach([&](RackId id) { rack(id); });
        m_s.devices.forEach([&](DeviceId id) {
            if (!m_s.devices.rack[id]) freeDevice(id);
        });
        m_s.trays.forEach([&](TrayId id) { tray(id); });
        pipes();
        connect();
        return std::move(m_scene);
    }

private:
    [[nodiscard]] bool wanted(Maybe<HallId> hall) const { return !m_scope.hall || (hall && *hall == *m_scope.hall); }

    Element& add(ElementKind kind, EntityRef entity, std::string name, Maybe<HallId> hall)
    {
        Element e;
        e.kind = kind, e.entity = entity, e.name = std::move(name), e.hall = hall;
        if (hall) e.building = m_s.halls.building[*hall];
        m_scene.elements.push_back(std::move(e));
        return m_scene.elements.back();
    }

    /// An upright box along the axes whose front is turned by quarters: its front-left corner and its own sides.
    static void put(Element& e, const Box& box, int quarter)
    {
        const Point size{box.high.x - box.low.x, box.high.y - box.low.y, box.high.z - box.low.z};
        e.form = Form::Box;
        e.degrees = quarter * 90;
        e.width = std::max(quarter % 2 ? size.y : size.x, 1), e.depth = std::max(quarter % 2 ? size.x : size.y, 1), e.height = std::max(size.z, 1);
        e.a = {quarter == 1 || quarter == 2 ? box.high.x : box.low.x, quarter >= 2 ? box.high.y : box.low.y, box.low.z};
        e.b = e.a;
    }

    void structure(StructureId id)
    {
        static constexpr ElementKind kKinds[] = {ElementKind::Wall, ElementKind::Column, ElementKind::Door, ElementKind::Ramp, ElementKind::KeepOut};
        const auto& t = m_s.structures;
        if (!wanted(t.hall[id])) return;
        const StructureShape& shape = m_f.placement->structure(id);
        Element& e = add(kKinds[std::size_t(t.kind[id])], ref(id), t.name[id], t.hall[id]);
        const std::int32_t width = std::max(shape.width, 1);
        const bool flat = t.kind[id] == StructureKind::Ramp || t.kind[id] == StructureKind::KeepOut;
        e.height = flat ? kThinMm : std::max(shape.height, 1);
        e.rgb = t.kind[id] == StructureKind::KeepOut ? kHotRgb : kStructureRgb;
        e.translucent = flat;
        if (shape.a == shape.b) { // a round column stands on its middle
            e.form = Form::Round;
            e.a = shape.a, e.b = {shape.a.x, shape.a.y, shape.a.z + e.height};
            e.width = width;
            return;
        }
        const double dx = shape.b.x - shape.a.x, dy = shape.b.y - shape.a.y, length = std::hypot(dx, dy);
        e.form = Form::Beam; // lies on its line: raised by half of its height
        e.a = {shape.a.x, shape.a.y, shape.a.z + e.height / 2}, e.b = {shape.b.x, shape.b.y, shape.a.z + e.height / 2};
        e.width = width;
        e.depth = std::int32_t(std::lround(length));
    }

    void containment(const ContainedAisle& aisle)
    {
        const HallId hall = m_s.rows.hall[aisle.row];
        if (!wanted(hall)) return;
        const bool hot = aisle.kind == Containment::HotAisle;
        Element& e = add(ElementKind::Containment, ref(aisle.row), m_s.rows.name[aisle.row] + "/" + std::string(wordOf(aisle.kind)), hall);
        Box roof = aisle.box;
        roof.low.z = roof.high.z - kRoofMm;
        put(e, roof, 0);
        e.rgb = hot ? kHotRgb : kColdRgb;
        e.translucent = true;
    }

    void devicesByRack()
    {
        m_devices.resize(m_s.racks.nextId());
        if (m_scope.devices)
            m_s.devices.forEach([&](DeviceId id) {
                if (const auto rack = m_s.devices.rack[id]) m_devices[(*rack).value].push_back(id);
            });
    }

    void rack(RackId id)
    {
        const HallId hall = m_s.rows.hall[m_s.racks.row[id]];
        if (!wanted(hall)) return;
        const auto number = std::int32_t(m_scene.elements.size());
        m_ofRack[id.value] = number;
        Element& e = add(ElementKind::Rack, ref(id), m_s.racks.name[id], hall);
        e.type = m_s.racks.type[id];
        e.rgb = kRackRgb[std::size_t(m_f.get<RackKindsNode>().ofRack[id.value])];
        const int quarter = ((m_f.placement->facing(id) + 90) % 360) / 90;
        put(e, m_f.placement->rack(id), quarter);
        int strips = 0;
        for (const DeviceId device : m_devices[id.value]) mounted(device, id, number, quarter, strips);
    }

    void mounted(DeviceId id, RackId rack, std::int32_t parent, int quarter, int& strips)
    {
        constexpr std::int32_t kMount = 483, kRear = 60, kStrip = 50; // 19 inches; free behind devices; a zero-U strip's width (assumed)
        m_ofDevice[id.value] = std::int32_t(m_scene.elements.size());
        const DeviceSpec& spec = m_f.parts->device(m_s.devices.type[id]);
        Box box = m_f.placement->device(m_s, *m_f.parts, id);
        const Box whole = m_f.placement->rack(rack);
        const Frame frame = frameOf(whole, quarter);
        const std::int32_t width = quarter % 2 ? whole.high.y - whole.low.y : whole.high.x - whole.low.x;
        const std::int32_t depth = quarter % 2 ? whole.high.x - whole.low.x : whole.high.y - whole.low.y;
        const std::int32_t w = std::min(kMount, width);
        if (spec.halfUnits == 0) { // at the rear, left and right in turn
            const std::int32_t inset = 12 + 60 * (strips / 2), x = strips % 2 ? width - inset - kStrip : inset;
            ++strips;
            box = boxAround(frame.at(x, std::max(depth - kRear, 0), 150), frame.at(x + kStrip, depth, std::max(whole.high.z - 200, 200)));
        } else {
            const std::int32_t stated = spec.depth.value.count() > 0 ? spec.depth.value.count() : depth - kRear;
            const std::int32_t deep = std::clamp(stated, 1, std::max(depth - kRear, 1)), x = (width - w) / 2;
            const std::int32_t front = m_s.devices.face[id] == Face::Rear ? depth - deep : 0;
            box = boxAround(frame.at(x, front, box.low.z), frame.at(x + w, front + deep, box.high.z));
        }
        Element& e = device(id, m_s.rows.hall[m_s.racks.row[rack]]);
        e.parent = parent;
        e.rgb = kDeviceRgb;
        put(e, box, quarter);
    }

    /// Looks along a box's front from its left corner, into its depth on the left.
    static Frame frameOf(const Box& box, int quarter)
    {
        return {quarter == 1 || quarter == 2 ? box.high.x : box.low.x, quarter >= 2 ? box.high.y : box.low.y, quarter};
    }

    Element& device(DeviceId id, Maybe<HallId> hall)
    {
        const DeviceSpec& spec = m_f.parts->device(m_s.devices.type[id]);
        Element& e = add(ElementKind::Device, ref(id), m_s.devices.name[id], hall);
        e.type = m_s.devices.type[id];
        e.power = spec.power.element;
        e.cooling = coolingElement(spec);
        return e;
    }

    void freeDevice(DeviceId id)
    {
        Maybe<HallId> hall = m_s.devices.hall[id];
        const auto row = m_s.devices.row[id];
        if (row) hall = m_s.rows.hall[*row];
        if (!hall || !wanted(hall)) return; // not placed
        m_ofDevice[id.value] = std::int32_t(m_scene.elements.size());
        Element& e = device(id, hall);
        const int quarter = (quarterOf(m_s.devices.angle[id]) + (row ? rowFrame(m_s, *row).quarter : 0)) % 4;
        e.rgb = e.power == PowerElement::Busway ? kPowerRgb : kFacilityRgb;
        put(e, m_f.placement->device(m_s, *m_f.parts, id), quarter);
    }

    void tray(TrayId id)
    {
        const auto& t = m_s.trays;
        const Maybe<HallId> hall = t.row[id] ? Maybe<HallId>(m_s.rows.hall[*t.row[id]]) : t.hall[id];
        const TrayLine& line = m_f.placement->tray(id);
        if (!wanted(hall) || line.a == line.b) return;
        const TraySpec& spec = m_f.parts->tray(t.type[id]);
        Element& e = add(ElementKind::Tray, ref(id), t.name[id], hall);
        e.type = t.type[id];
        e.form = Form::Beam;
        e.a = line.a, e.b = line.b;
        e.width = std::max(spec.width.value.count() * std::max<int>(1, t.count[id]), kThinMm);
        e.height = std::max(spec.height.value.count(), kThinMm);
        e.rgb = t.carries[id] == Carries::Power ? kPowerRgb : t.carries[id] == Carries::Coolant ? kSupplyRgb : kTrayRgb;
    }

    /// Supply and return of every coolant line, side by side along its route over trays; without one, straight.
    void pipes()
    {
        const auto& supply = m_f.get<SupplyNode>();
        std::map<DeviceId, std::uint32_t> numbers;
        for (const SupplyLine& line : supply.lines()) {
            if (line.medium != Medium::Coolant) continue;
            const Maybe<HallId> hall = hallOf(line.consumer);
            if (!hall || !hallOf(line.supplier) || !wanted(hall)) continue; // an end is not placed
            const auto rack = m_s.devices.rack[line.consumer];
            if (rack && rack == m_s.devices.rack[line.supplier]) continue; // within it
            const std::int32_t outer = pipeOuterMm(*m_f.parts, line);
            const auto path = pipePath(m_f, line);
            std::uint32_t piece = 0;
            for (std::size_t i = 1; i < path.size(); ++i) {
                const std::uint32_t number = ++numbers[line.consumer]; // of all its lines, so that names differ
                for (const int side : {-1, 1}) pipe(line, hall, path[i - 1], path[i], outer, side, ++piece, number);
            }
        }
    }

    void pipe(const SupplyLine& line, Maybe<HallId> hall, Point a, Point b, std::int32_t outer, int side, std::uint32_t piece, std::uint32_t number)
    {
        if (a == b) return;
        const std::int32_t by = side * outer;
        const bool alongX = a.x != b.x; // routes run along the axes; risers are moved along both, to meet either neighbor
        for (Point* p : {&a, &b}) {
            if (!alongX) p->x += by;
            if (alongX || a.z != b.z) p->y += by;
        }
        Element& e = add(ElementKind::Pipe, ref(line.link),
                         m_s.devices.name[line.consumer] + (side < 0 ? "/supply-" : "/return-") + std::to_string(number), hall);
        e.piece = piece;
        e.type = line.size.type;
        e.form = Form::Round;
        e.a = a, e.b = b;
        e.width = outer;
        e.rgb = side < 0 ? kSupplyRgb : kReturnRgb;
    }

    [[nodiscard]] Maybe<HallId> hallOf(DeviceId id) const
    {
        if (const auto rack = m_s.devices.rack[id]) return m_s.rows.hall[m_s.racks.row[*rack]];
        if (const auto row = m_s.devices.row[id]) return m_s.rows.hall[*row];
        return m_s.devices.hall[id];
    }

    /// The element that a device is part of; -1: it is none.
    [[nodiscard]] std::int32_t elementOf(DeviceId id) const
    {
        if (m_ofDevice[id.value] >= 0) return m_ofDevice[id.value];
        const auto rack = m_s.devices.rack[id];
        return rack ? m_ofRack[(*rack).value] : -1;
    }

    void connect()
    {
        auto& all = m_scene.connections;
        const auto& feeds = m_f.get<PowerFeedsNode>();
        const auto& coolant = m_f.get<MediumNode<Medium::Coolant>>();
        const auto join = [&](DeviceId feeder, DeviceId fed, Medium medium, char side) {
            const auto from = elementOf(feeder), to = elementOf(fed);
            if (from >= 0 && to >= 0 && from != to) all.push_back({std::uint32_t(from), std::uint32_t(to), medium, side});
        };
        m_s.devices.forEach([&](DeviceId id) {
            for (const PowerFeed& feed : feeds.of(id)) join(feed.supplier, id, Medium::Power, feeds.side(feed.supplier));
            for (const auto& arc : coolant.arcs(id))
                if (arc.up) join(arc.to, id, Medium::Coolant, 0);
        });
        std::ranges::sort(all);
        all.erase(std::unique(all.begin(), all.end()), all.end());
    }

    const Figures& m_f;
    const Snapshot& m_s;
    const Scope& m_scope;
    Scene m_scene;
    std::vector<std::vector<DeviceId>> m_devices; ///< by rack
    std::vector<std::int32_t> m_ofRack, m_ofDevice;
};

} // namespace

Box Element::box() const
{
    if (form == Form::Box) {
        const Frame frame{a.x, a.y, quarterOf(int(degrees))};
        return boxAround(frame.at(0, 0, a.z), frame.at(width, depth, a.z + height));
    }
    const double dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z, length = std::sqrt(dx * dx + dy * dy + dz * dz), plan = std::hypot(dx, dy);
    const double up = form == Form::Round ? width : height;
    const auto half = [](double v) { return std::int32_t(std::ceil(v / 2 - 1e-9)); };
    std::int32_t x = 0, y = 0, z = 0;
    if (form == Form::Round && length > 0) { // a cylinder around its line
        const auto across = [&](double d) { return half(width * std::sqrt(std::max(0.0, 1 - d * d / (length * length)))); };
        x = across(dx), y = across(dy), z = across(dz);
    } else if (plan > 0) {
        x = half(width * std::abs(dy) / plan + up * std::abs(dz) / length * std::abs(dx) / plan);
        y = half(width * std::abs(dx) / plan + up * std::abs(dz) / length * std::abs(dy) / plan);
        z = half(up * plan / length);
    } else {
        x = half(width), y = half(up);
    }
    Box around = boxAround(a, b);
    around.low = {around.low.x - x, around.low.y - y, around.low.z - z};
    around.high = {around.high.x + x, around.high.y + y, around.high.z + z};
    return around;
}

Element::Pose Element::pose() const
{
    constexpr double kDegrees = 180 / std::numbers::pi;
    const double dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z, plan = std::hypot(dx, dy);
    if (plan == 0) return {-90, dz < 0 ? -90.0 : 90.0, std::abs(dz)};
    return {std::atan2(dy, dx) * kDegrees, std::atan2(dz, plan) * kDegrees, std::hypot(plan, dz)};
}

std::vector<Box> rackFrame(const Element& rack)
{
    constexpr std::int32_t kPanel = 20;
    const std::int32_t side = std::min(kPanel, rack.width / 4), lid = std::min(kPanel, rack.height / 4),
                       base = std::min(kRackBaseMm - 10, rack.height / 4);
    return {{{0, 0, 0}, {side, rack.depth, rack.height}},
            {{rack.width - side, 0, 0}, {rack.width, rack.depth, rack.height}},
            {{side, 0, 0}, {rack.width - side, rack.depth, base}},
            {{side, 0, rack.height - lid}, {rack.width - side, rack.depth, rack.height}}};
}

Scene Scene::of(const Figures& figures, const Scope& scope) { return SceneBuilder(figures, scope).run(); }

std::string stableName(const Snapshot& s, EntityRef entity)
{
    std::string out;
    visitEntity(s, entity, [&](const auto& table, auto id) {
        out = std::string(static_cast<const TableBase&>(table).name());
        if constexpr (requires { table.key[id].empty(); })
            if (!table.key[id].empty()) return void(out += ":" + table.key[id]);
        out += "#" + std::to_string(id.value);
    });
    return out;
}

} // namespace hw::scene
