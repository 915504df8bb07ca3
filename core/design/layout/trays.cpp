// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/plan.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::layout {

namespace {

constexpr std::int32_t kRowTrayZ = 3300, kSpineZ = 3600;
constexpr std::int32_t kSpinePitchMm = 700;
constexpr int kMostPlaneTrays = 8;           ///< more planes than these share their trays
constexpr std::int32_t kDuctApartMm = 1'500; ///< of the ducts to the core and across from the one to a hall
constexpr std::int32_t kCampusMm = 200'000;  ///< a cable between buildings is about this long

/// Cross-section of cables over the places of a line: what starts and ends where, summed up at the end.
class LineLoad {
public:
    explicit LineLoad(std::size_t places = 0) : m_change(places + 1, 0.0) {}
    void add(std::size_t a, std::size_t b, double area)
    {
        m_change[std::min(a, b)] += area;
        m_change[std::max(a, b)] -= area;
    }
    [[nodiscard]] double most() const
    {
        double now = 0, most = 0;
        for (const double change : m_change) most = std::max(most, now += change);
        return most;
    }

private:
    std::vector<double> m_change;
};

class TrayWriter {
public:
    TrayWriter(DesignBuilder& builder, const Plan& plan, Parts& parts, int planes)
        : m_builder(builder), m_out(builder.design()), m_plan(plan), m_parts(parts), m_planes(planes)
    {
    }

    void run()
    {
        prepare();
        sumLoads();
        for (std::size_t n = 0; n < m_plan.halls.size(); ++n) {
            writeRowTrays(n);
            writeSpines(n);
        }
        if (m_plan.severalHalls()) writeDucts();
    }

private:
    struct Loads {
        std::vector<LineLoad> rows;   ///< by row, over its racks
        std::vector<LineLoad> spines; ///< by line of cells and plane, over its slots
        double leaving = 0;           ///< to other halls
        int planes = 0;
    };

    /// Those over lines of cells, then those across them.
    static std::vector<PlannedLine> spineLines(const PlannedHall& hall)
    {
        std::vector<PlannedLine> lines = hall.lines;
        if (hall.across) lines.push_back(*hall.across);
        return lines;
    }

    [[nodiscard]] int spinesOf(const Loads& loads) const { return loads.planes >= 2 && loads.planes <= kMostPlaneTrays ? loads.planes : 1; }

    template <class F>
    void forCables(F&& f) const
    {
        std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> last{kNone, kNone, kNone};
        m_out.links.forEach([&](LinkId link) {
            const PortId from = m_out.links.from[link], to = m_out.links.to[link];
            if (m_out.ports.medium[from] != Medium::Data) return;
            const DeviceId lower = m_out.ports.device[from], upper = m_out.ports.device[to];
            const std::uint32_t a = m_plan.rackOf[lower.value], b = m_plan.rackOf[upper.value];
            if (a == kNone || b == kNone || a == b) return;
            const std::tuple now{m_out.links.cable[link] ? (*m_out.links.cable[link]).value : kNone, a, b};
            if (std::get<0>(now) != kNone && std::exchange(last, now) == now) return; // another leg of a breakout to the same rack
            f(m_plan.racks[a], m_plan.racks[b], std::max(m_out.devices.plane[lower], m_out.devices.plane[upper]));
        });
    }

    void prepare()
    {
        for (const auto& hall : m_plan.halls) {
            Loads loads;
            loads.planes = m_planes;
            for (const auto& row : hall.rows) loads.rows.emplace_back(row.racks.size());
            m_loads.push_back(std::move(loads));
        }
        forCables([&](const PlannedRack& a, const PlannedRack& b, std::int16_t plane) {
            for (const auto* rack : {&a, &b}) m_loads[rack->hall].planes = std::max(m_loads[rack->hall].planes, plane + 1);
        });
        for (std::size_t n = 0; n < m_loads.size(); ++n)
            for (const PlannedLine& line : spineLines(m_plan.halls[n]))
                m_loads[n].spines.insert(m_loads[n].spines.end(), std::size_t(spinesOf(m_loads[n])), LineLoad(std::size_t(line.places) + 1));
    }

    /// Where the cables of other halls come in: the end of the spine at the trunk, or the middle of the core hall.
    [[nodiscard]] std::size_t entrance(std::uint32_t number) const
    {
        const auto cells = std::size_t(m_plan.halls[number].cells());
        if (m_plan.halls[number].core) return cells / 2;
        return leftOfTrunk(number) ? cells : 0;
    }
    [[nodiscard]] bool leftOfTrunk(std::uint32_t number) const { return m_plan.halls[number].column % 2 == 0; }

    [[nodiscard]] std::size_t middleOf(const PlannedRack& rack) const { return m_plan.halls[rack.hall].rows[rack.row].racks.size() / 2; }

    void addSpine(std::uint32_t hall, std::int32_t line, std::size_t a, std::size_t b, std::int16_t plane, double area)
    {
        const auto count = std::size_t(spinesOf(m_loads[hall]));
        for (std::size_t p = 0; p < count; ++p)
            if (count == 1 || plane < 0 || std::size_t(plane) == p) m_loads[hall].spines[std::size_t(line) * count + p].add(a, b, area);
    }

    /// Between lines of cells: to the spines across them, and along these.
    void addAcross(std::uint32_t hall, const PlannedRow& a, const PlannedRow& b, std::int16_t plane, double area)
    {
        const auto& lines = m_plan.halls[hall].lines;
        for (const auto* row : {&a, &b}) {
            const auto slot = std::size_t(row->slot), cross = std::size_t(lines[std::size_t(row->line)].crossSlot);
            addSpine(hall, row->line, slot, cross == slot ? slot + 1 : cross, plane, area);
        }
        addSpine(hall, std::int32_t(lines.size()), std::size_t(a.line), std::size_t(b.line), plane, area);
    }

    void sumLoads()
    {
        forCables([&](const PlannedRack& a, const PlannedRack& b, std::int16_t plane) {
            const auto& home = m_plan.halls[a.hall];
            if (a.hall == b.hall && a.row == b.row) {
                m_loads[a.hall].rows[a.row].add(a.position, b.position, m_parts.cableArea(std::abs(a.along - b.along)));
                return;
            }
            const PlannedRow &rowA = home.rows[a.row], &rowB = m_plan.halls[b.hall].rows[b.row];
            const bool inside = a.hall == b.hall;
            const double area = m_parts.cableArea(inside ? std::abs(rowA.x - rowB.x) + std::abs(rowA.y - rowB.y) : kCampusMm);
            for (const auto* rack : {&a, &b}) m_loads[rack->hall].rows[rack->row].add(rack->position, middleOf(*rack), area);
            if (inside && rowA.line != rowB.line) return addAcross(a.hall, rowA, rowB, plane, area);
            if (inside) {
                const auto slotA = std::size_t(rowA.slot), slotB = std::size_t(rowB.slot);
                addSpine(a.hall, rowA.line, slotA, slotB + (slotA == slotB), plane, area); // the two rows of a cell meet over it
                return;
            }
            for (const auto* rack : {&a, &b}) {
                const auto& row = m_plan.halls[rack->hall].rows[rack->row];
                const std::size_t slot = std::size_t(row.slot), door = entrance(rack->hall);
                addSpine(rack->hall, row.line, slot, slot == door ? door + 1 : door, plane, area);
                m_loads[rack->hall].leaving += area;
            }
        });
    }

    struct Line {
        std::int32_t x1, y1, x2, y2, z;
    };
    /// Along a line, as many of this type as its cables need; the rest of `tray` is given.
    void write(NewTray tray, const std::string& slug, const Line& line, double area)
    {
        tray.key.insert(0, "tray.auto-");
        tray.type = m_parts.use(slug);
        tray.x1 = Millimeters(line.x1), tray.y1 = Millimeters(line.y1), tray.z1 = Millimeters(line.z);
        tray.x2 = Millimeters(line.x2), tray.y2 = Millimeters(line.y2), tray.z2 = Millimeters(line.z);
        tray.count = m_parts.traysFor(area, slug);
        tray.carries = Carries::Data;
        (void)m_builder.tray(std::move(tray));
    }

    /// Over the racks, and as far as the spines lie.
    void writeRowTrays(std::size_t n)
    {
        const auto& hall = m_plan.halls[n];
        const std::int32_t spread = (spinesOf(m_loads[n]) - 1) * kSpinePitchMm / 2 + kSpinePitchMm / 2, across = hall.rackDepth / 2;
        for (std::size_t r = 0; r < hall.rows.size(); ++r) {
            const auto& row = hall.rows[r];
            if (row.racks.empty()) continue;
            write({.key = "row/" + m_out.rows.key[row.id].substr(9), .name = "tray-" + m_out.rows.name[row.id], .kind = TrayKind::Row, .row = row.id},
                  m_plan.options.rowTray,
                  {std::min(0, row.crossing - spread), across, std::max(row.widthMm, row.crossing + spread), across, kRowTrayZ},
                  m_loads[n].rows[r].most());
        }
    }

    void writeSpines(std::size_t n)
    {
        const auto& hall = m_plan.halls[n];
        const std::string stem = hall.key.substr(hall.key.find('/') + 1);
        const int count = spinesOf(m_loads[n]);
        const auto lines = spineLines(hall);
        for (std::size_t l = 0; l < lines.size(); ++l) {
            PlannedLine line = lines[l];
            if (lines.size() > 1) { // those of every plane reach those across
                const std::int32_t more = count * kSpinePitchMm / 2;
                (line.x1 == line.x2 ? line.y1 : line.x1) -= more, (line.x1 == line.x2 ? line.y2 : line.x2) += more;
            }
            const std::string name = (m_plan.severalHalls() || m_plan.othersStand ? "spine-" + hall.name : "tray-spine") +
                                     (l >= hall.lines.size() ? "-across"
                                      : lines.size() > 1     ? fmt::format("-line{}", l + 1)
                                                             : std::string());
            for (int p = 0; p < count; ++p) {
                const std::int32_t aside = (2 * p - count + 1) * kSpinePitchMm / 2, x = line.x1 == line.x2 ? aside : 0, y = x == 0 ? aside : 0;
                write({.key = fmt::format("spine/{}{}/plane={}", stem, l > 0 ? fmt::format("/line={}", l) : "", p),
                       .name = count > 1 ? fmt::format("{}-plane{}", name, p + 1) : name,
                       .kind = TrayKind::Spine,
                       .hall = hall.id,
                       .plane = std::int16_t(count > 1 ? p : -1)},
                      m_plan.options.spineTray, {line.x1 + x, line.y1 + y, line.x2 + x, line.y2 + y, kSpineZ},
                      m_loads[n].spines[l * std::size_t(count) + std::size_t(p)].most());
            }
        }
    }

    void duct(const std::string& name, const Line& line, double area)
    {
        write({.key = "duct/" + name, .name = "duct-" + name, .kind = TrayKind::Duct}, m_plan.options.duct, line, area);
    }

    /// From every hall to the trunk of its pair of columns, along it, across to the others and to the core.
    void writeDucts()
    {
        const auto& campus = m_plan.campus;
        struct Trunk {
            std::int32_t low, high;
            double area = 0;
        };
        std::vector<Trunk> trunks(campus.trunks.size(), Trunk{campus.middleY - kDuctApartMm, campus.middleY + kDuctApartMm});
        double all = 0;
        for (std::uint32_t n = 0; n < m_plan.halls.size(); ++n) {
            const auto& b = m_plan.halls[n];
            const std::int32_t y = b.core ? campus.middleY + kDuctApartMm : b.y + kHallY + b.hallY / 2;
            if (b.core) {
                duct("core", {campus.trunks[campus.trunks.size() / 2], y, b.x + kHallX + b.hallX / 2, y, kDuctZ}, m_loads[n].leaving);
                continue;
            }
            const auto pair = std::size_t(b.column / 2);
            auto& trunk = trunks[pair];
            trunk.low = std::min(trunk.low, y), trunk.high = std::max(trunk.high, y);
            trunk.area += m_loads[n].leaving, all += m_loads[n].leaving;
            const std::int32_t x = b.x + kHallX + (leftOfTrunk(n) ? b.hallX - kSpineEndMm : kSpineEndMm);
            duct(b.name, {x, y, campus.trunks[pair], y, kDuctZ}, m_loads[n].leaving);
        }
        for (std::size_t i = 0; i < trunks.size(); ++i)
            duct(fmt::format("trunk{}", i + 1), {campus.trunks[i], trunks[i].low, campus.trunks[i], trunks[i].high, kDuctZ},
                 trunks.size() > 1 ? all : trunks[i].area);
        if (trunks.size() > 1)
            duct("cross", {campus.trunks.front(), campus.middleY - kDuctApartMm, campus.trunks.back(), campus.middleY - kDuctApartMm, kDuctZ}, all);
    }

    DesignBuilder& m_builder;
    const Snapshot& m_out;
    const Plan& m_plan;
    Parts& m_parts;
    int m_planes;
    std::vector<Loads> m_loads;
};

} // namespace

void writeTrays(DesignBuilder& builder, const Plan& plan, Parts& parts, int planes) { TrayWriter(builder, plan, parts, planes).run(); }

} // namespace hw::layout
