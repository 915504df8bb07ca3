// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/plant.h"

#include "core/layout/plant_rooms.h"
#include "core/layout/plant_wirer.h"
#include "core/model/places.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::layout {

namespace {

constexpr std::int32_t kBuswayZ = 2700, kBuswayAcross = 300, kBuswayPitchMm = 500,
                       kBuswayLevelMm = 210;       ///< over the racks of a row, the next section of a row on the next level. Assumed
constexpr std::int64_t kCoolingBeside = 40;        ///< fans up to one part in so many of the transformers hang on those of the racks. Assumed
constexpr std::int64_t kKeptForLosses = 25;        ///< of a transformer one part in so many is for the losses of what it feeds. Assumed
constexpr std::int64_t kLostBehindUps = 100;       ///< one part in so many, in busways. Assumed
constexpr std::size_t kFeedsWithoutSubstation = 3; ///< of a side. Assumed

using Sides = std::array<Maybe<DeviceId>, 2>;

class PlantWriter {
public:
    PlantWriter(DesignBuilder& builder, const Options& options, Parts& parts)
        : m_out(builder.design()), m_o(options), m_parts(parts), m_wire(builder, parts), m_rooms(builder, parts)
    {
    }

    void run()
    {
        readRacks();
        if (m_o.rackPdu != "none") addStrips();
        if (m_o.busway != "none") addBusways();
        if (m_o.transformer == "none") return;
        gatherSections();
        for (const auto& [hall, sections] : m_sections) addGroups(hall, sections);
        if (m_o.switchgear != "none") addSwitchgear();
        m_rooms.write();
    }

private:
    struct RackLoad {
        std::int64_t mw = 0;
        bool plugged = false;              ///< has devices that want a strip
        std::int64_t small = 0, large = 0; ///< plugs of 10 A and of 16 A that a side gets
        std::vector<DeviceId> strips;
    };
    /// Busways A and B, or strips where there are no busways, that carry the same racks.
    struct Section {
        Sides ways;
        std::int64_t mw = 0;
    };

    [[nodiscard]] const DeviceSpec& spec(DeviceId id) const { return m_parts.device(m_out.devices.type[id]); }
    [[nodiscard]] TierKind kind(DeviceId id) const { return m_out.tiers.kind[m_out.devices.tier[id]]; }
    [[nodiscard]] std::int64_t capacity(const std::string& slug) const { return m_parts.device(slug).capacity.value.count(); }
    [[nodiscard]] static std::string keyed(const std::string& key, const std::string& text) { return key.empty() ? std::string() : text; }

    void readRacks()
    {
        const auto demands = demandsOf(m_out, m_parts);
        m_racks.resize(m_out.racks.nextId());
        m_out.devices.forEach([&](DeviceId id) {
            const auto rack = m_out.devices.rack[id];
            if (!rack) return;
            RackLoad& load = m_racks[(*rack).value];
            if (kind(id) == TierKind::Power) return load.strips.push_back(id);
            load.mw += demands[id.value].nameplateMw;
            load.plugged = load.plugged || (demands[id.value].nameplateMw > 0 && !m_wire.isFed(id));
            std::int64_t small = 0, large = 0;
            for (const PowerInlet& inlet : spec(id).inlets) ++(inlet.type == "iec-60320-c14" ? small : large);
            load.small += (small + 1) / 2, load.large += (large + 1) / 2;
        });
        for (const RackLoad& load : m_racks) shareLoad(load);
    }

    /// Each side of a rack alone carries it.
    void shareLoad(const RackLoad& load)
    {
        const auto aSide = std::int64_t(load.strips.size() + 1) / 2;
        for (const DeviceId strip : load.strips) m_wire.mw(strip) = load.mw / aSide;
    }

    void addStrips()
    {
        Maybe<TierId> tier;
        bool own = false; // a tier of this name is the template's, and counted by it
        m_out.tiers.forEach([&](TierId id) { own = own || m_out.tiers.key[id] == "pdu"; });
        const std::int64_t each = capacity(m_o.rackPdu);
        std::int64_t small = 0, large = 0; // outlets of a strip
        for (const PowerOutlet& outlet : m_parts.device(m_o.rackPdu).outlets) ++(outlet.type == "iec-60320-c13" ? small : large);
        m_out.racks.forEach([&](RackId rack) {
            RackLoad& load = m_racks[rack.value];
            if (!load.plugged || !load.strips.empty()) return;
            if (!tier) tier = m_wire.tier(own ? "rack_pdu" : "pdu", TextId("Rack PDU"), 22);
            const auto strips = [](std::int64_t wanted, std::int64_t of) { return of > 0 ? (wanted + of - 1) / of : 0; };
            const auto side = std::max<std::int64_t>({1, strips(load.mw, each), strips(load.small, small), strips(load.large, large)});
            const std::string& key = m_out.racks.key[rack];
            for (std::int64_t n = 0; n < 2 * side; ++n) {
                const DeviceId id =
                    m_wire.device(*tier, m_o.rackPdu, keyed(key, fmt::format("pdu/{}/feed={}", key.substr(std::min<std::size_t>(key.size(), 5)), n)),
                                  fmt::format("{}-pdu{}", m_out.racks.name[rack], n + 1), int(n % 2));
                m_out.devices.rack.set(id, rack);
                m_out.devices.face.set(id, n % 2 ? Face::Right : Face::Left);
                load.strips.push_back(id);
            }
            shareLoad(load);
        });
    }

    [[nodiscard]] int sideOf(DeviceId id, std::size_t order) const
    {
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
            int number = 0;
            std::int64_t mw = 0, used = 0;
            for (std::size_t i = 0; i <= racks.size(); ++i) {
                const RackLoad* load = i < racks.size() ? &m_racks[racks[i].value] : nullptr;
                const std::int64_t more = load ? std::int64_t(load->strips.size() + 1) / 2 : 0;
                const bool full = load && i > first && ((most > 0 && mw + load->mw > most) || (taps > 0 && used + more > taps));
                if (!load || full) {
                    writeBusways(tier, row, racks, first, i - first, number++);
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

    void writeBusways(TierId tier, RowId row, std::span<const RackId> all, std::size_t first, std::size_t count, int number)
    {
        const auto racks = all.subspan(first, count);
        const std::string &key = m_out.rows.key[row], tail = first == 0 ? std::string() : fmt::format("-{:02}", first + 1);
        const std::int32_t start = buswayStart(all, racks);
        for (int side = 0; side < 2; ++side) {
            const DeviceId busway = m_wire.device(tier, m_o.busway, keyed(key, fmt::format("busway/auto/{}/rack={}/feed={}", key, first, side)),
                                                  fmt::format("{}-busway{}{}", m_out.rows.name[row], side + 1, tail), side);
            m_out.devices.row.set(busway, row);
            m_out.devices.x.set(busway, Millimetres(start)), m_out.devices.y.set(busway, Millimetres(kBuswayAcross + side * kBuswayPitchMm));
            m_out.devices.z.set(busway, Millimetres(kBuswayZ + number % 2 * kBuswayLevelMm)), m_out.devices.angle.set(busway, 90);
            for (const RackId rack : racks)
                for (std::size_t n = 0; n < m_racks[rack.value].strips.size(); ++n)
                    if (const DeviceId strip = m_racks[rack.value].strips[n]; sideOf(strip, n) == side && !m_wire.isFed(strip)) {
                        if (m_out.devices.side[strip] == PowerSide::None) m_out.devices.side.set(strip, PowerSide(1 + side));
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
            if (hall) open[*hall][std::size_t(sideOf(id, seen[*hall]++))].push_back(id);
        });
        for (auto& [hall, sides] : open) {
            auto& sections = m_sections[hall];
            sections.resize(std::max(sides[0].size(), sides[1].size()));
            for (std::size_t side = 0; side < 2; ++side)
                for (std::size_t i = 0; i < sides[side].size(); ++i) {
                    sections[i].ways[side] = sides[side][i];
                    sections[i].mw = std::max(sections[i].mw, m_wire.mw(sides[side][i]));
                }
        }
    }

    /// Cooling equipment of a hall that has no power yet, pumps of liquid loops or fans.
    [[nodiscard]] std::vector<DeviceId> coolingOf(HallId hall, bool pumps)
    {
        std::vector<DeviceId> found;
        m_out.devices.forEach([&](DeviceId id) {
            if (kind(id) != TierKind::Cooling || m_out.devices.rack[id] || !(hallOf(m_out, id) == hall) || m_wire.isFed(id)) return;
            m_wire.mw(id) = spec(id).nameplate.value.count();
            if (m_wire.mw(id) > 0 && (spec(id).removes == "liquid") == pumps) found.push_back(id);
        });
        return found;
    }

    /// What the pumps of the hall add to each group of sections.
    [[nodiscard]] std::int64_t pumpsBeside(HallId hall, const std::vector<Section>& sections, std::int64_t most)
    {
        const auto pumps = coolingOf(hall, true);
        std::int64_t all = 0, largest = 0;
        for (const Section& section : sections) all += section.mw;
        for (const DeviceId id : pumps) largest = std::max(largest, m_wire.mw(id));
        const std::int64_t groups = std::max<std::int64_t>(1, (all + most - 1) / most), count = std::int64_t(pumps.size());
        return (count + groups - 1) / groups * largest;
    }

    /// One transformer of each side carries as many sections in a row as it can alone.
    void addGroups(HallId hall, const std::vector<Section>& sections)
    {
        const std::int64_t rated = std::min(capacity(m_o.transformer), m_o.switchboard == "none" ? INT64_MAX : capacity(m_o.switchboard));
        const std::int64_t most = rated - rated / kKeptForLosses;
        const std::int64_t beside = most > 0 ? std::min(most / 2, pumpsBeside(hall, sections, most)) : 0;
        std::vector<std::array<DeviceId, 2>> mains, outputs;
        std::vector<Section> group;
        std::int64_t mw = 0;
        const auto close = [&] {
            if (group.empty()) return;
            std::array<DeviceId, 2> main, output;
            for (int side = 0; side < 2; ++side) {
                const auto [m, o] = addBoards(hall, mains.size() + 1, side, mw + mw / kLostBehindUps + beside, true);
                main[std::size_t(side)] = m, output[std::size_t(side)] = o;
                for (const Section& section : group)
                    if (const auto way = section.ways[std::size_t(side)]) m_wire.feed(*way, o);
            }
            mains.push_back(main), outputs.push_back(output);
            group.clear(), mw = 0;
        };
        for (const Section& section : sections) {
            if (most > 0 && !group.empty() && mw + section.mw + beside > most) close();
            group.push_back(section), mw += section.mw;
        }
        close();
        feedCooling(hall, mains, outputs, rated);
        for (const auto& chain : m_chains) linkChain(chain);
        m_chains.clear();
    }

    struct Chain {
        HallId hall;
        int side = 0;
        DeviceId transformer;
        Maybe<DeviceId> generator, main, output;
        std::vector<DeviceId> ups;
    };

    [[nodiscard]] std::string prefix(HallId hall) const
    {
        std::size_t halls = 0, here = 0;
        std::vector<char> used(m_out.halls.nextId(), 0);
        m_out.rows.forEach([&](RowId row) { used[m_out.rows.hall[row].value] = 1; });
        m_out.halls.forEach([&](HallId id) {
            halls += used[id.value] != 0;
            here += used[id.value] && m_out.halls.building[id] == m_out.halls.building[hall];
        });
        return halls <= 1 ? std::string() : (here == 1 ? m_out.buildings.name[m_out.halls.building[hall]] : m_out.halls.name[hall]) + "-";
    }

    /// Devices of one group and side: the board that feeds equipment, and the one behind the UPS; the same where there is no UPS.
    std::pair<DeviceId, DeviceId> addBoards(HallId hall, std::size_t number, int side, std::int64_t mw, bool ups)
    {
        const auto make = [&](const char* tier, TextId label, std::int16_t level, const std::string& slug, const std::string& tail = {}) {
            const std::string& key = m_out.halls.key[hall];
            return m_wire.device(m_wire.tier(tier, label, level), slug,
                                 keyed(key, fmt::format("{}/auto/{}/group={}/feed={}{}", tier, key, number - 1, side, tail)),
                                 fmt::format("{}{}{}-{}{}", prefix(hall), tier, number, side + 1, tail), side);
        };
        Chain chain{};
        chain.hall = hall, chain.side = side;
        chain.transformer = make("transformer", TextId("Transformer"), 16, m_o.transformer);
        m_rooms.inside(hall, chain.transformer);
        const auto place = [&](DeviceId id) {
            m_rooms.inside(hall, id);
            return id;
        };
        if (m_o.switchboard != "none") chain.main = place(make("switchboard", TextId("Main switchboard"), 18, m_o.switchboard));
        if (m_o.generator != "none" && chain.main) {
            chain.generator = make("generator", TextId("Generator set"), 17, m_o.generator);
            m_rooms.outside(hall, *chain.generator);
        }
        if (ups && m_o.ups != "none" && m_o.upsBoard != "none") {
            const std::int64_t count = upsModules(mw, capacity(m_o.ups));
            for (std::int64_t n = 0; n < count; ++n) chain.ups.push_back(place(make("ups", TextId("UPS"), 19, m_o.ups, fmt::format("-{}", n + 1))));
            chain.output = place(make("ups_board", TextId("UPS output switchboard"), 20, m_o.upsBoard));
        }
        m_chains.push_back(chain);
        const DeviceId main = chain.main ? *chain.main : chain.transformer;
        return {main, chain.output ? *chain.output : main};
    }

    /// From the loads up, so that each knows what hangs on it.
    void linkChain(const Chain& chain)
    {
        const DeviceId main = chain.main ? *chain.main : chain.transformer;
        for (const DeviceId ups : chain.ups) {
            m_wire.feed(*chain.output, ups);
            m_wire.mw(ups) = m_wire.mw(*chain.output) / std::int64_t(chain.ups.size());
            m_wire.feed(ups, main);
        }
        if (chain.main) m_wire.feed(*chain.main, chain.transformer);
        if (chain.generator) m_wire.feed(*chain.main, *chain.generator);
        m_transformers.emplace_back(chain.hall, chain.side, chain.transformer);
    }

    /// A way from either side, the sides preferred in turn: pumps of liquid loops behind the UPS, fans on transformers of their own where
    /// they would weigh on those of the racks.
    void feedCooling(HallId hall, const std::vector<std::array<DeviceId, 2>>& mains, const std::vector<std::array<DeviceId, 2>>& outputs,
                     std::int64_t most)
    {
        if (mains.empty()) return;
        feedFrom(outputs, coolingOf(hall, true));
        const auto fans = coolingOf(hall, false);
        std::int64_t mw = 0;
        for (const DeviceId id : fans) mw += m_wire.mw(id);
        if (most <= 0 || mw * kCoolingBeside <= most * std::int64_t(mains.size())) return feedFrom(mains, fans);
        std::vector<std::array<DeviceId, 2>> own;
        for (std::int64_t n = 0; n < (mw + most - 1) / most; ++n) {
            auto& boards = own.emplace_back();
            for (int side = 0; side < 2; ++side) boards[std::size_t(side)] = addBoards(hall, mains.size() + own.size(), side, 0, false).first;
        }
        feedFrom(own, fans);
    }

    void feedFrom(const std::vector<std::array<DeviceId, 2>>& boards, const std::vector<DeviceId>& devices)
    {
        for (std::size_t i = 0; i < devices.size(); ++i) {
            const auto& pair = boards[i * boards.size() / devices.size()];
            m_wire.feed(devices[i], pair[i % 2]);
            if (spec(devices[i]).inlets.size() != 1) m_wire.feed(devices[i], pair[1 - i % 2]);
        }
    }

    /// Switchgear by building and side, then feeds of the utility.
    void addSwitchgear()
    {
        std::map<std::pair<BuildingId, int>, std::vector<std::pair<HallId, DeviceId>>> open;
        for (const auto& [hall, side, transformer] : m_transformers) open[{m_out.halls.building[hall], side}].emplace_back(hall, transformer);
        const TierId tier = m_wire.tier("mv_switchgear", TextId("MV switchgear"), 14);
        const std::int64_t most = std::min(capacity(m_o.switchgear), m_o.utility == "none" ? INT64_MAX : capacity(m_o.utility));
        std::array<std::vector<DeviceId>, 2> gear;
        std::map<std::uint32_t, HallId> hallOfGear;
        for (const auto& [where, transformers] : open) {
            const auto& [building, side] = where;
            const std::string& key = m_out.buildings.key[building];
            std::size_t number = 0;
            Maybe<DeviceId> current;
            for (const auto& [hall, transformer] : transformers) {
                if (!current || m_wire.mw(*current) + m_wire.mw(transformer) > most) {
                    ++number;
                    current =
                        m_wire.device(tier, m_o.switchgear, keyed(key, fmt::format("mv_switchgear/auto/{}/n={}/feed={}", key, number - 1, side)),
                                      fmt::format("{}-switchgear{}-{}", m_out.buildings.name[building], number, side + 1), side);
                    m_rooms.inside(hall, *current);
                    gear[std::size_t(side)].push_back(*current);
                    hallOfGear.emplace((*current).value, hall);
                }
                m_wire.feed(transformer, *current);
            }
        }
        if (m_o.utility == "none") return;
        for (int side = 0; side < 2; ++side) addUtilities(gear[std::size_t(side)], side, hallOfGear);
    }

    /// Consumers onto as few suppliers as carry them, in order.
    template <class Make>
    std::vector<DeviceId> pack(const std::vector<DeviceId>& consumers, std::int64_t most, Make&& make)
    {
        std::vector<DeviceId> suppliers;
        for (const DeviceId consumer : consumers) {
            if (suppliers.empty() || (most > 0 && m_wire.mw(suppliers.back()) + m_wire.mw(consumer) > most))
                suppliers.push_back(make(suppliers.size(), consumer));
            m_wire.feed(consumer, suppliers.back());
        }
        return suppliers;
    }

    void addUtilities(const std::vector<DeviceId>& gear, int side, const std::map<std::uint32_t, HallId>& hallOfGear)
    {
        const auto name = [&](const char* what, std::size_t n) {
            return fmt::format("{}-{}{}", what, char('a' + side), n == 0 ? std::string() : std::to_string(n + 1));
        };
        const auto key = [&](const char* what, std::size_t n) { return fmt::format("{}/auto/n={}/feed={}", what, n, side); };
        const std::int64_t feed = capacity(m_o.utility);
        std::size_t needed = 0;
        std::int64_t on = feed;
        for (const DeviceId id : gear) {
            if (on + m_wire.mw(id) > feed) ++needed, on = 0;
            on += m_wire.mw(id);
        }
        const TierId utility = m_wire.tier("utility", TextId("Utility feed"), 10);
        if (needed <= kFeedsWithoutSubstation || m_o.gridTransformer == "none" || m_o.gridUtility == "none") {
            (void)pack(gear, feed, [&](std::size_t n, DeviceId first) {
                const DeviceId id = m_wire.device(utility, m_o.utility, key("utility", n), name("utility", n), side);
                m_rooms.outside(hallOfGear.at(first.value), id);
                return id;
            });
            return;
        }
        const TierId grid = m_wire.tier("grid_transformer", TextId("HV/MV transformer"), 12);
        const auto transformers = pack(gear, capacity(m_o.gridTransformer), [&](std::size_t n, DeviceId) {
            const DeviceId id = m_wire.device(grid, m_o.gridTransformer, key("grid_transformer", n), name("grid-transformer", n), side);
            m_rooms.inSubstation(side, id);
            return id;
        });
        (void)pack(transformers, capacity(m_o.gridUtility), [&](std::size_t n, DeviceId) {
            const DeviceId id = m_wire.device(utility, m_o.gridUtility, key("utility", n), name("utility", n), side);
            m_rooms.inSubstation(side, id);
            return id;
        });
    }

    Snapshot& m_out;
    const Options& m_o;
    Parts& m_parts;
    Wirer m_wire;
    PlantRooms m_rooms;
    std::vector<RackLoad> m_racks;
    std::map<HallId, std::vector<Section>> m_sections;
    std::vector<Chain> m_chains;
    std::vector<std::tuple<HallId, int, DeviceId>> m_transformers;
};

} // namespace

void writePlant(DesignBuilder& builder, const Options& options, Parts& parts) { PlantWriter(builder, options, parts).run(); }

} // namespace hw::layout
