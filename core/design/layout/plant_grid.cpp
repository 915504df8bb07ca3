// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/plant_bench.h"

#include <algorithm>

namespace hw::layout {

namespace {

constexpr std::size_t kFeedsWithoutSubstation = 3; ///< of a side. Assumed
constexpr int kSides = 4;

class GridWriter {
public:
    explicit GridWriter(PlantBench& bench) : m_bench(bench), m_out(bench.out), m_o(bench.o), m_wire(bench.wire) {}

    /// Switchgear by building and side, then feeds of the utility.
    void run(const std::vector<PlantTransformer>& transformers)
    {
        addSwitchgear(transformers);
        if (m_o.utility == "none") return;
        for (int side = 0; side < kSides; ++side)
            if (!m_gear[std::size_t(side)].empty()) addUtilities(side);
        stateSubstations();
    }

private:
    void addSwitchgear(const std::vector<PlantTransformer>& made)
    {
        std::map<std::pair<BuildingId, int>, std::vector<PlantTransformer>> open;
        for (const auto& transformer : made) open[{m_out.halls.building[transformer.hall], transformer.side}].push_back(transformer);
        const TierId tier = m_wire.tier("mv_switchgear", TextId("MV switchgear"), 14);
        const std::int64_t most = std::min(m_bench.capacity(m_o.switchgear), m_o.utility == "none" ? INT64_MAX : m_bench.capacity(m_o.utility));
        for (const auto& [where, transformers] : open) {
            const auto& [building, side] = where;
            const std::string& key = m_out.buildings.key[building];
            std::size_t number = 0;
            Maybe<DeviceId> current;
            Maybe<DeviceId> board; // whose transformers share a switchgear, as one alone would not carry it
            for (const auto& transformer : transformers) {
                std::int64_t more = 0;
                for (const auto& other : transformers)
                    if (other.board == transformer.board) more += m_wire.intakeOf(other.id);
                if (!current || (!(board == Maybe<DeviceId>(transformer.board)) && m_wire.mw(*current) + more > most)) {
                    ++number;
                    current = m_wire.device(tier, m_o.switchgear,
                                            PlantBench::keyed(key, fmt::format("mv_switchgear/auto/{}/n={}/feed={}", key, number - 1, side)),
                                            fmt::format("{}-switchgear{}-{}", m_out.buildings.name[building], number, side + 1), side);
                    m_bench.rooms.inside(transformer.hall, *current);
                    m_gear[std::size_t(side)].push_back(*current);
                    m_hallOfGear.emplace((*current).value, transformer.hall);
                }
                board = transformer.board;
                m_wire.feed(transformer.id, *current);
            }
        }
    }

    /// Consumers onto as few suppliers as carry them, in order; onto `count` of them evenly where that is given.
    template <class Make>
    std::vector<DeviceId> pack(const std::vector<DeviceId>& consumers, std::int64_t most, std::size_t count, Make&& make)
    {
        std::int64_t all = 0, before = 0;
        for (const DeviceId consumer : consumers) all += m_wire.intakeOf(consumer);
        std::vector<DeviceId> suppliers;
        for (const DeviceId consumer : consumers) {
            const std::int64_t more = m_wire.intakeOf(consumer);
            const bool full = count > 0
                                  ? suppliers.size()<count&& double(before) + double(more) / 2> double(all) * double(suppliers.size()) / double(count)
                                  : most > 0 && !suppliers.empty() && m_wire.mw(suppliers.back()) + more > most;
            if (suppliers.empty() || full) suppliers.push_back(make(suppliers.size(), consumer));
            m_wire.feed(consumer, suppliers.back());
            before += more;
        }
        return suppliers;
    }
    /// With N+1 one supplier more, which takes over from any other.
    template <class Make>
    void addReserve(const std::vector<DeviceId>& consumers, std::vector<DeviceId>& suppliers, Make&& make)
    {
        if (m_o.redundancy != Redundancy::NPlusOne || suppliers.empty()) return;
        const DeviceId reserve = make(suppliers.size(), consumers.front());
        for (const DeviceId consumer : consumers) m_wire.feedInReserve(consumer, reserve);
        std::int64_t most = 0;
        for (const DeviceId supplier : suppliers) most = std::max(most, m_wire.mw(supplier));
        m_wire.mw(reserve) = most;
        suppliers.push_back(reserve);
    }

    [[nodiscard]] std::size_t feedsNeeded(const std::vector<DeviceId>& gear)
    {
        const std::int64_t feed = m_bench.capacity(m_o.utility);
        std::size_t needed = 0;
        std::int64_t on = feed;
        for (const DeviceId id : gear) {
            if (on + m_wire.mw(id) > feed) ++needed, on = 0;
            on += m_wire.mw(id);
        }
        return needed;
    }

    void addUtilities(int side)
    {
        const auto& gear = m_gear[std::size_t(side)];
        const auto maker = [&](const char* what, TierId tier, const std::string& slug, auto&& place) {
            return [=, this](std::size_t n, DeviceId first) {
                const DeviceId id =
                    m_wire.device(tier, slug, fmt::format("{}/auto/n={}/feed={}", m_out.tiers.key[tier], n, side),
                                  fmt::format("{}-{}{}", what, char('a' + side), n == 0 ? std::string() : std::to_string(n + 1)), side);
                place(id, first);
                return id;
            };
        };
        const TierId utility = m_wire.tier("utility", TextId("Utility feed"), 10);
        const bool station = m_o.substationTransformers > 0 || feedsNeeded(gear) > kFeedsWithoutSubstation;
        if (!station || m_o.gridTransformer == "none" || m_o.gridUtility == "none") {
            const auto make = maker("utility", utility, m_o.utility,
                                    [this](DeviceId id, DeviceId first) { m_bench.rooms.outside(m_hallOfGear.at(first.value), id); });
            auto feeds = pack(gear, m_bench.capacity(m_o.utility), 0, make);
            return addReserve(gear, feeds, make);
        }
        const auto inYard = [this, side](DeviceId id, DeviceId) { m_bench.rooms.inSubstation(side, id); };
        const auto makeTransformer =
            maker("grid-transformer", m_wire.tier("grid_transformer", TextId("HV/MV transformer"), 12), m_o.gridTransformer, inYard);
        auto transformers = pack(gear, m_bench.capacity(m_o.gridTransformer), std::size_t(m_o.substationTransformers), makeTransformer);
        addReserve(gear, transformers, makeTransformer);
        const auto makeFeed = maker("utility", utility, m_o.gridUtility, inYard);
        auto feeds = pack(transformers, m_bench.capacity(m_o.gridUtility), 0, makeFeed);
        addReserve(transformers, feeds, makeFeed);
        ++m_substations;
        m_transformersOfStation = std::max(m_transformersOfStation, transformers.size());
        for (const DeviceId id : gear) m_bench.rooms.ductTo(side, m_hallOfGear.at(id.value));
    }

    /// What the report's readings of the substations go by, where the template says how large they are and states no other figures.
    void stateSubstations()
    {
        if (m_o.substationTransformers == 0 || m_substations == 0 || !m_out.setting("site.substations").empty()) return;
        m_out.putSetting("site.substations", std::to_string(m_substations));
        m_out.putSetting("site.substation_transformers", std::to_string(m_transformersOfStation));
        const double mva = double(m_bench.parts.device(m_o.gridTransformer).power.apparent.value.count()) / 1e9;
        m_out.putSetting("site.substation_mva", fmt::format("{:g}", mva));
    }

    PlantBench& m_bench;
    Snapshot& m_out;
    const Options& m_o;
    Wirer& m_wire;
    std::array<std::vector<DeviceId>, kSides> m_gear;
    std::map<std::uint32_t, HallId> m_hallOfGear;
    int m_substations = 0;
    std::size_t m_transformersOfStation = 0;
};

} // namespace

void writeGrid(PlantBench& bench, const std::vector<PlantTransformer>& transformers) { GridWriter(bench).run(transformers); }

} // namespace hw::layout
