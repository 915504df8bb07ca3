// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/plant.h"

#include "core/derived/figures/power_chain.h"
#include "core/design/layout/plant_bench.h"
#include "core/foundation/model/places.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <array>
#include <set>

namespace hw::layout {

namespace {

constexpr std::int32_t kBuswayZ = 2700, kBuswayAcross = 300, kBuswayPitchMm = 500,
                       kBuswayLevelMm = 210; ///< over the racks of a row, the next section of a row on the next level. Assumed

constexpr std::array kBuswaySizes{"busway-630a-400v", "busway-800a-400v", "busway-1000a-400v",
                                  "busway-1250a-400v"}; ///< below the one named, all of one length

constexpr double kBuswayMargin = 1.1;          ///< of a smaller busway over its nameplate load, for servers that are added. Assumed
constexpr std::int64_t kSmallMw = 750'000'000; ///< of IT as designed; by the catalog's prices sets on the boards cost less up to about 1 MW. Assumed

class PlantWriter {
public:
    PlantWriter(DesignBuilder& builder, const Options& options, Parts& parts, PlantRooms& rooms, const WaterMade& water, const Scope& scope)
        : m_builder(builder), m_out(builder.design()), m_o(options), m_parts(parts), m_wire(builder, parts),
          m_rooms(rooms), m_bench{m_out, options, parts, m_wire, rooms, water}, m_scope(scope)
    {
    }

    void run()
    {
        readRacks();
        if (m_o.rackPdu != "none") addStrips();
        if (m_o.busway != "none") addBusways();
        if (m_o.transformer == "none") return m_rooms.write();
        gatherSections();
        if (m_o.batteryMinutes != Options().batteryMinutes) m_out.putSetting("rule.p8.minutes", std::to_string(m_o.batteryMinutes));
        const auto transformers = writeGroups(m_bench, m_sections);
        if (m_o.switchgear != "none") writeGrid(m_bench, transformers);
        m_rooms.write();
        writePowerDucts(m_builder, m_o, m_parts, m_rooms);
        if (m_bench.ways() == 1) declareSingleFed();
    }

private:
    struct RackLoad {
        std::int64_t mw = 0, designMw = 0; ///< at nameplate, and as designed
        bool plugged = false;              ///< has devices that want a strip
        std::int64_t small = 0, large = 0; ///< plugs of 10 A and of 16 A that a side gets
        std::vector<std::int64_t> plugs;   ///< of a side: mW on each as designed, as P6 judges, while that side carries all
        std::vector<DeviceId> strips;
    };
    [[nodiscard]] const DeviceSpec& spec(DeviceId id) const { return m_bench.spec(id); }
    [[nodiscard]] TierKind kind(DeviceId id) const { return m_bench.kind(id); }
    [[nodiscard]] std::int64_t capacity(const std::string& slug) const { return m_bench.capacity(slug); }
    [[nodiscard]] static std::string keyed(const std::string& key, const std::string& text) { return PlantBench::keyed(key, text); }
    /// Strips of a rack that depend on one busway.
    [[nodiscard]] std::int64_t stripsOfSide(const RackLoad& load) const
    {
        return m_bench.ways() == 1 ? std::int64_t(load.strips.size()) : std::int64_t(load.strips.size() + 1) / 2;
    }

    void readRacks()
    {
        const auto demands = demandsOf(m_out, m_parts);
        m_racks.resize(m_out.racks.nextId());
        m_out.devices.forEach([&](DeviceId id) {
            const auto rack = m_out.devices.rack[id];
            if (!rack || !m_scope.covers(hallOf(m_out, id))) return;
            RackLoad& load = m_racks[(*rack).value];
            if (kind(id) == TierKind::Power) return load.strips.push_back(id);
            load.mw += demands[id.value].nameplateMw, load.designMw += demands[id.value].designMw;
            load.plugged = load.plugged || (demands[id.value].nameplateMw > 0 && !m_wire.isFed(id));
            std::int64_t small = 0, large = 0;
            for (const PowerInlet& inlet : spec(id).inlets) ++(inlet.type == "iec-60320-c14" ? small : large);
            load.small += (small + 1) / 2, load.large += (large + 1) / 2;
            if (const std::int64_t plugs = (small + 1) / 2 + (large + 1) / 2; plugs > 0 && !m_wire.isFed(id))
                load.plugs.insert(load.plugs.end(), std::size_t(plugs), demands[id.value].designMw / plugs);
        });
        for (const RackLoad& load : m_racks) shareLoad(load);
        m_out.racks.forEach([&](RackId rack) {
            auto& most = m_bench.densest[m_out.rows.hall[m_out.racks.row[rack]]];
            most = std::max(most, m_racks[rack.value].designMw);
        });
        passOn();
    }

    /// With one side what draws power says that it means to depend on that alone.
    void declareSingleFed()
    {
        m_out.devices.forEach([&](DeviceId id) {
            if (kind(id) != TierKind::Power && spec(id).nameplate.value.count() > 0 && m_scope.covers(m_bench.hallOf(id)))
                m_out.devices.side.set(id, PowerSide::A);
        });
    }

    /// What the template feeds itself depends on what feeds it.
    void passOn()
    {
        std::vector<std::vector<DeviceId>> suppliers(m_out.devices.nextId());
        std::vector<std::uint32_t> open(m_out.devices.nextId(), 0);
        m_out.links.forEach([&](LinkId link) {
            const DeviceId low = m_out.ports.device[m_out.links.from[link]], high = m_out.ports.device[m_out.links.to[link]];
            if (m_out.ports.medium[m_out.links.from[link]] != Medium::Power || kind(low) != TierKind::Power) return;
            suppliers[low.value].push_back(high);
            ++open[high.value];
        });
        std::vector<DeviceId> ready;
        m_out.devices.forEach([&](DeviceId id) {
            if (open[id.value] == 0 && !suppliers[id.value].empty()) ready.push_back(id);
        });
        for (std::size_t at = 0; at < ready.size(); ++at)
            for (const DeviceId supplier : suppliers[ready[at].value]) {
                m_wire.carry(supplier, ready[at]);
                if (--open[supplier.value] == 0) ready.push_back(supplier);
            }
    }

    /// Each side of a rack alone carries it.
    void shareLoad(const RackLoad& load)
    {
        for (const DeviceId strip : load.strips)
            m_wire.mw(strip) = load.mw / stripsOfSide(load), m_wire.designMw(strip) = load.designMw / stripsOfSide(load);
    }

    /// What the most loaded phase carries where plugs go onto strips in turn, and there onto the phase with least on it.
    [[nodiscard]] static std::int64_t fullestPhase(std::span<const std::int64_t> plugs, std::size_t strips)
    {
        std::vector<std::array<std::int64_t, 3>> phases(strips);
        std::int64_t most = 0;
        for (std::size_t i = 0; i < plugs.size(); ++i) {
            std::int64_t& least = *std::ranges::min_element(phases[i % strips]);
            most = std::max(most, least += plugs[i]);
        }
        return most;
    }

    /// What P6 lets a phase of a strip carry, mW: of its capacity, or of its rating in kVA where that is less.
    [[nodiscard]] std::int64_t phaseOfStrip(const DeviceSpec& strip) const
    {
        const double own = double(strip.power.continuousPermille.value) / 1000,
                     share = own > 0 ? own : numberSetting(m_out, "rule.p2.continuous_percent", 80) / 100;
        const auto apparent = std::int64_t(double(strip.power.apparent.value.count()) * share * powerFactorOf(m_out));
        const std::int64_t stated = strip.capacity.value.count();
        return (apparent > 0 && (stated == 0 || apparent < stated) ? apparent : stated) / 3;
    }

    void addStrips()
    {
        Maybe<TierId> tier;
        bool own = false; // a tier of this name is the template's, and counted by it
        m_out.tiers.forEach([&](TierId id) { own = own || m_out.tiers.key[id] == "pdu"; });
        const std::int64_t each = capacity(m_o.rackPdu), phase = phaseOfStrip(m_parts.device(m_o.rackPdu));
        std::int64_t small = 0, large = 0; // outlets of a strip
        std::set<char> legs;
        for (const PowerOutlet& outlet : m_parts.device(m_o.rackPdu).outlets)
            ++(outlet.type == "iec-60320-c13" ? small : large), legs.insert(outlet.leg);
        m_out.racks.forEach([&](RackId rack) {
            RackLoad& load = m_racks[rack.value];
            if (!load.plugged || !load.strips.empty()) return;
            if (!tier) tier = m_wire.tier(own ? "rack_pdu" : "pdu", TextId("Rack PDU"), 22);
            const auto strips = [](std::int64_t wanted, std::int64_t of) { return of > 0 ? (wanted + of - 1) / of : 0; };
            auto side = std::max<std::int64_t>({1, strips(load.mw, each), strips(load.small, small), strips(load.large, large)});
            while (legs.size() == 3 && phase > 0 && side < std::ssize(load.plugs) && fullestPhase(load.plugs, std::size_t(side)) > phase) ++side;
            const std::string& key = m_out.racks.key[rack];
            for (std::int64_t n = 0; n < 2 * side; ++n) {
                const DeviceId id =
                    m_wire.device(*tier, m_o.rackPdu, keyed(key, fmt::format("pdu/{}/feed={}", key.substr(std::min<std::size_t>(key.size(), 5)), n)),
                                  fmt::format("{}-pdu{}", m_out.racks.name[rack], n + 1), m_bench.ways() == 1 ? 0 : int(n % 2));
                m_out.devices.rack.set(id, rack);
                m_out.devices.face.set(id, n % 2 ? Face::Right : Face::Left);
                load.strips.push_back(id);
            }
            shareLoad(load);
        });
    }

    [[nodiscard]] int sideOf(DeviceId id, std::size_t order) const
    {
        if (m_bench.ways() == 1) return 0;
        const PowerSide side = m_out.devices.side[id];
        return side == PowerSide::None ? int(order % 2) : (int(side) - 1) % 2;
    }

    void addBusways()
    {
        std::map<RowId, std::vector<RackId>> rows;
        m_out.racks.forEach([&](RackId rack) {
            if (std::ranges::any_of(m_racks[rack.value].strips, [&](DeviceId strip) { return !m_wire.isFed(strip); }))
                rows[m_out.racks.row[rack]].push_back(rack);
        });
        if (rows.empty()) return;
        const TierId tier = m_wire.tier("busway", TextId("Busway"), 21);
        const std::int64_t most = capacity(m_o.busway), taps = std::int64_t(m_parts.device(m_o.busway).outlets.size());
        for (auto& [row, racks] : rows) {
            std::ranges::stable_sort(racks, {}, [&](RackId rack) { return m_out.racks.along[rack]; });
            std::size_t first = 0;
            int run = 0;
            std::int64_t mw = 0, used = 0;
            for (std::size_t i = 0; i <= racks.size(); ++i) {
                const RackLoad* load = i < racks.size() ? &m_racks[racks[i].value] : nullptr;
                const std::int64_t more = load ? stripsOfSide(*load) : 0;
                const bool full = load && i > first && ((most > 0 && mw + load->mw > most) || (taps > 0 && used + more > taps));
                if (!load || full) {
                    writeBusways(tier, row, racks, first, i - first, run++);
                    first = i, mw = 0, used = 0;
                }
                if (load) mw += load->mw, used += more;
            }
        }
    }

    /// From the first to the last of racks in a row, in mm along it.
    [[nodiscard]] std::pair<std::int32_t, std::int32_t> reach(std::span<const RackId> racks)
    {
        const RackId last = racks.back();
        return {m_out.racks.along[racks.front()].count(),
                m_out.racks.along[last].count() + m_parts.rack(m_parts.slug(m_out.racks.type[last])).width.value.count()};
    }

    /// A part of one length, over the middle of its racks and no further over the ends of the row than it must.
    [[nodiscard]] std::int32_t buswayStart(std::span<const RackId> row, std::span<const RackId> racks)
    {
        const std::int32_t length = m_parts.device(m_o.busway).depth.value.count();
        const auto [from, to] = reach(racks);
        const auto [low, high] = reach(row);
        return high - low <= length ? (low + high - length) / 2 : std::clamp((from + to - length) / 2, low, high - length);
    }

    /// The smallest of the series that carries these racks with the other one lost.
    [[nodiscard]] std::string buswayFor(std::span<const RackId> racks)
    {
        if (!m_o.sizesBusway) return m_o.busway;
        std::int64_t mw = 0, used = 0;
        for (const RackId rack : racks) mw += m_racks[rack.value].mw, used += stripsOfSide(m_racks[rack.value]);
        const std::int32_t length = m_parts.device(m_o.busway).depth.value.count();
        for (const char* slug : kBuswaySizes)
            if (m_parts.has(slug) && m_parts.device(slug).depth.value.count() == length && capacity(slug) < capacity(m_o.busway) &&
                double(mw) * kBuswayMargin <= double(capacity(slug)) && used <= std::int64_t(m_parts.device(slug).outlets.size()))
                return slug;
        return m_o.busway;
    }

    /// `run`: how many of the row are there already; where a row has one side they hang in turn in both lanes.
    void writeBusways(TierId tier, RowId row, std::span<const RackId> all, std::size_t first, std::size_t count, int run)
    {
        const auto racks = all.subspan(first, count);
        const std::string &key = m_out.rows.key[row], tail = first == 0 ? std::string() : fmt::format("-{:02}", first + 1);
        const std::int32_t start = buswayStart(all, racks);
        const std::string slug = buswayFor(racks);
        for (int side = 0; side < m_bench.ways(); ++side) {
            const DeviceId busway = m_wire.device(tier, slug, keyed(key, fmt::format("busway/auto/{}/rack={}/feed={}", key, first, side)),
                                                  fmt::format("{}-busway{}{}", m_out.rows.name[row], side + 1, tail), side);
            m_out.devices.row.set(busway, row);
            m_out.devices.x.set(busway, Millimeters(start)),
                m_out.devices.y.set(busway, Millimeters(kBuswayAcross + (m_bench.ways() == 1 ? run % 2 : side) * kBuswayPitchMm));
            m_out.devices.z.set(busway, Millimeters(kBuswayZ + run / (m_bench.ways() == 1 ? 2 : 1) % 2 * kBuswayLevelMm)),
                m_out.devices.angle.set(busway, 90);
            for (const RackId rack : racks)
                for (std::size_t n = 0; n < m_racks[rack.value].strips.size(); ++n)
                    if (const DeviceId strip = m_racks[rack.value].strips[n]; sideOf(strip, n) == side && !m_wire.isFed(strip)) {
                        if (m_out.devices.side[strip] == PowerSide::None || m_bench.ways() == 1) m_out.devices.side.set(strip, PowerSide(1 + side));
                        m_wire.feed(strip, busway);
                    }
        }
    }

    /// What wants a way from a board, in the order of rows.
    void gatherSections()
    {
        std::map<HallId, std::array<std::vector<DeviceId>, 2>> open;
        std::map<HallId, std::size_t> seen;
        m_out.devices.forEach([&](DeviceId id) {
            if (kind(id) != TierKind::Power || m_wire.isFed(id)) return;
            const PowerElement element = spec(id).power.element;
            if (element != PowerElement::Busway && element != PowerElement::Pdu && element != PowerElement::Shelf) return;
            const auto hall = hallOf(m_out, id);
            if (!hall || !m_scope.covers(hall)) return;
            open[*hall][std::size_t(sideOf(id, seen[*hall]++))].push_back(id);
            if (m_bench.ways() == 1) m_out.devices.side.set(id, PowerSide::A);
        });
        for (auto& [hall, sides] : open) {
            auto& sections = m_sections[hall];
            sections.resize(std::max(sides[0].size(), sides[1].size()));
            for (std::size_t side = 0; side < 2; ++side)
                for (std::size_t i = 0; i < sides[side].size(); ++i) {
                    sections[i].ways[side] = sides[side][i];
                    sections[i].mw = std::max(sections[i].mw, m_wire.intakeOf(sides[side][i]));
                    sections[i].designMw = std::max(sections[i].designMw, m_wire.designIntakeOf(sides[side][i]));
                }
        }
    }

    DesignBuilder& m_builder;
    Snapshot& m_out;
    const Options& m_o;
    Parts& m_parts;
    Wirer m_wire;
    PlantRooms& m_rooms;
    PlantBench m_bench;
    const Scope& m_scope;
    std::vector<RackLoad> m_racks;
    std::map<HallId, std::vector<PlantSection>> m_sections;
};

/// Sets at medium voltage need switchgear that costs more than those of a small hall: there they are on the main boards.
Options forSize(const Options& options, const Snapshot& design, Parts& parts, const Scope& scope)
{
    Options own = options;
    if (own.generators != Generators::Central || !own.smallOnBoards || own.generator == "none") return own;
    const auto demands = demandsOf(design, parts);
    std::int64_t all = 0;
    design.devices.forEach([&](DeviceId id) {
        const TierKind kind = design.tiers.kind[design.devices.tier[id]];
        if (kind != TierKind::Power && kind != TierKind::Cooling && scope.covers(hallOf(design, id))) all += demands[id.value].designMw;
    });
    if (all > kSmallMw) return own;
    own.generators = Generators::Board;
    own.generator = "generator-3250kw"; // the largest of the series
    return own;
}

} // namespace

void writePlant(DesignBuilder& builder, const Options& options, Parts& parts, const Scope& scope)
{
    PlantRooms rooms(builder, parts);
    const WaterMade water = options.cooling ? writeWater(builder, options, parts, rooms, scope) : WaterMade{};
    const Options own = forSize(options, builder.design(), parts, scope);
    PlantWriter(builder, own, parts, rooms, water, scope).run();
}

} // namespace hw::layout
