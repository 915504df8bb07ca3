// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/plant_bench.h"

#include <algorithm>

namespace hw::layout {

namespace {

constexpr std::size_t kFeedsWithoutSubstation = 3; ///< of a side. Assumed
constexpr int kSides = 4;
constexpr const char *kGear = "mv-switchgear-20kv-1250a", *kGeneratorGear = "mv-generator-switchgear-20kv-1250a";
constexpr const char *kSmallGear = "mv-switchgear-20kv-630a", *kSmallGeneratorGear = "mv-generator-switchgear-20kv-630a";
constexpr const char* kRingMain = "mv-ring-main-24kv-630a"; ///< two transformers at most, and no sets at medium voltage
constexpr std::int64_t kRingMainMw = 2'000'000'000;         ///< above it a switchgear with relays. Assumed
constexpr std::int64_t kMostSets = 16;      ///< on one generator switchgear: 1.05 kA for each 3 MVA, so that 25 kA hold 22 (assumed X"d 0.15)
constexpr std::int64_t kFewSets = 4;        ///< needed ones of a size; for more of them a larger size is taken. Assumed
constexpr std::size_t kFewTransformers = 4; ///< of a substation and a size; for more of them a larger size is taken. Assumed
constexpr std::array kGridSizes{"transformer-25mva", "transformer-40mva", "transformer-50mva"}; ///< below the one named
constexpr double kSetMargin = 1.01;                                                             ///< between what is planned and what the chain counts
constexpr std::array kCentralSizes{"generator-mv-200kw",  "generator-mv-400kw",  "generator-mv-750kw",  "generator-mv-1000kw", "generator-mv-1500kw",
                                   "generator-mv-2000kw", "generator-mv-2500kw", "generator-mv-3250kw", "generator-mv-4000kw"};

class GridWriter {
public:
    explicit GridWriter(PlantBench& bench) : m_bench(bench), m_out(bench.out), m_o(bench.o), m_wire(bench.wire) {}

    /// Switchgear by building and side, then feeds of the utility.
    void run(const std::vector<PlantTransformer>& transformers)
    {
        addSwitchgear(transformers);
        if (m_o.utility != "none") {
            for (int side = 0; side < kSides; ++side)
                if (!m_gear[std::size_t(side)].empty()) addUtilities(side);
            stateSubstations();
        }
        if (m_o.generator != "none" && m_o.generators == Generators::Central) addCentralSets();
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
                    current = m_wire.device(tier, m_o.sizesSwitchgear ? m_bench.parts.slug(m_out.devices.type[transformer.id]) : m_o.switchgear,
                                            PlantBench::keyed(key, fmt::format("mv_switchgear/auto/{}/n={}/feed={}", key, number - 1, side)),
                                            fmt::format("{}-switchgear{}-{}", m_out.buildings.name[building], number, side + 1), side);
                    m_bench.rooms.inside(transformer.hall, *current);
                    m_gear[std::size_t(side)].push_back(*current);
                    m_ofBuilding[building][std::size_t(side)].push_back(*current);
                    m_hallOfGear.emplace((*current).value, transformer.hall);
                }
                board = transformer.board;
                m_wire.feed(transformer.id, *current);
            }
        }
        if (!m_o.sizesSwitchgear) return;
        for (const auto& side : m_gear)
            for (const DeviceId gear : side) m_out.devices.type.set(gear, m_bench.parts.use(gearFor(m_wire.mw(gear), m_wire.waysOf(gear))));
    }
    [[nodiscard]] std::string gearFor(std::int64_t mw, std::size_t ways) const
    {
        if (m_o.switchgear != kGear) return m_o.switchgear;
        if (m_o.generators == Generators::Board && mw <= kRingMainMw && isEnough(kRingMain, mw, ways)) return kRingMain;
        return isEnough(kSmallGear, mw, ways) ? kSmallGear : m_o.switchgear;
    }
    /// True where a switchgear has so much and so many ways out.
    [[nodiscard]] bool isEnough(const char* slug, std::int64_t mw, std::size_t ways) const
    {
        return m_bench.parts.has(slug) && double(mw) * kSetMargin <= double(m_bench.capacity(slug)) &&
               ways <= m_bench.parts.device(slug).outlets.size();
    }

    /// What all sides draw together of the switchgear from `first` on, each with its `count` of them: with 2N each side has all on it, with
    /// distributed systems what it takes over, too, and with blocks the reserve stands still.
    [[nodiscard]] std::int64_t drawn(const std::array<std::vector<DeviceId>, kSides>& gear, std::size_t first, std::size_t count)
    {
        std::int64_t most = 0, sum = 0;
        for (const auto& side : gear) {
            std::int64_t mw = 0;
            for (std::size_t i = first; i < std::min(side.size(), first + count); ++i) mw += m_wire.designMw(side[i]);
            most = std::max(most, mw), sum += mw;
        }
        if (m_o.redundancy == Redundancy::Distributed) return std::max(most, sum * (m_o.systems - 1) / m_o.systems);
        return m_o.redundancy == Redundancy::NPlusOne ? sum : most;
    }
    /// The sets that carry so much with least installed, few of those below the largest, and how many.
    [[nodiscard]] std::pair<std::string, std::int64_t> setsFor(std::int64_t mw) const
    {
        const auto needed = [&](const std::string& slug) {
            const std::int64_t each = std::max<std::int64_t>(1, m_bench.capacity(slug));
            return std::max<std::int64_t>(1, (std::int64_t(double(mw) * kSetMargin) + each - 1) / each);
        };
        std::string best = m_o.generator;
        const auto installed = [&](const std::string& slug) { return (needed(slug) + m_o.generatorReserve) * m_bench.capacity(slug); };
        for (const char* slug : kCentralSizes) {
            const bool smaller = m_o.sizesGenerator && m_bench.parts.has(slug) && m_bench.capacity(slug) < m_bench.capacity(m_o.generator);
            if (smaller && needed(slug) <= kFewSets && installed(slug) < installed(best)) best = slug;
        }
        return {best, needed(best)};
    }

    /// Sets beside each building. Every set has a breaker on the generator switchgear of every side, so that none of these is the only one.
    void addCentralSets()
    {
        for (const auto& [building, gear] : m_ofBuilding) {
            std::size_t most = 0, number = 0;
            for (const auto& side : gear) most = std::max(most, side.size());
            const std::int64_t bus = std::max<std::int64_t>(1, m_bench.capacity(m_o.switchgear));
            for (std::size_t first = 0, count = 0; first < most; first += count) {
                for (count = 1; first + count < most; ++count)
                    if (const std::int64_t mw = drawn(gear, first, count + 1); mw > bus || setsFor(mw).second + m_o.generatorReserve > kMostSets)
                        break;
                addPlant(building, gear, first, count, number++);
            }
        }
    }

    void addPlant(BuildingId building, const std::array<std::vector<DeviceId>, kSides>& gear, std::size_t first, std::size_t count,
                  std::size_t number)
    {
        const std::string &key = m_out.buildings.key[building], name = m_out.buildings.name[building];
        const std::int64_t all = drawn(gear, first, count);
        const auto [slug, needed] = setsFor(all);
        const TierId setTier = m_wire.tier("generator", TextId("Generator set"), 11),
                     busTier = m_wire.tier("generator_switchgear", TextId("Generator switchgear"), 13);
        std::vector<DeviceId> buses;
        Maybe<HallId> hall;
        for (int side = 0; side < kSides; ++side) {
            const auto& own = gear[std::size_t(side)];
            if (own.size() <= first) continue;
            if (!hall) hall = m_hallOfGear.at(own[first].value);
            const bool few = m_o.sizesSwitchgear && isEnough(kSmallGeneratorGear, all, count) &&
                             needed + m_o.generatorReserve <= std::ssize(m_bench.parts.device(kSmallGeneratorGear).inlets);
            const DeviceId bus = m_wire.device(busTier,
                                               m_o.switchgear != kGear ? m_o.switchgear
                                               : few                   ? kSmallGeneratorGear
                                                                       : kGeneratorGear,
                                               PlantBench::keyed(key, fmt::format("generator_switchgear/auto/{}/n={}/feed={}", key, number, side)),
                                               fmt::format("{}-generator_switchgear{}-{}", name, number + 1, side + 1), side);
            m_bench.rooms.inside(m_hallOfGear.at(own[first].value), bus);
            for (std::size_t i = first; i < std::min(own.size(), first + count); ++i) m_wire.feedInReserve(own[i], bus);
            buses.push_back(bus);
        }
        for (std::int64_t n = 0; n < needed + m_o.generatorReserve; ++n) {
            const DeviceId set = m_wire.device(setTier, slug, PlantBench::keyed(key, fmt::format("generator/auto/{}/plant={}/n={}", key, number, n)),
                                               fmt::format("{}-generator{}-{}", name, number + 1, n + 1), -1);
            m_bench.rooms.outside(*hall, set);
            for (const DeviceId bus : buses) m_wire.feedInReserve(bus, set);
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
        for (const DeviceId supplier : suppliers) {
            m_wire.mw(reserve) = std::max(m_wire.mw(reserve), m_wire.mw(supplier));
            m_wire.designMw(reserve) = std::max(m_wire.designMw(reserve), m_wire.designMw(supplier));
        }
        suppliers.push_back(reserve);
    }

    /// Suppliers of so much each, as `pack` makes them; none where one consumer alone is more.
    [[nodiscard]] std::optional<std::size_t> countOf(const std::vector<DeviceId>& gear, std::int64_t each)
    {
        std::size_t needed = 0;
        std::int64_t on = each;
        for (const DeviceId id : gear) {
            if (m_wire.mw(id) > each) return std::nullopt;
            if (on + m_wire.mw(id) > each) ++needed, on = 0;
            on += m_wire.mw(id);
        }
        return needed;
    }
    [[nodiscard]] std::size_t feedsNeeded(const std::vector<DeviceId>& gear)
    {
        return countOf(gear, m_bench.capacity(m_o.utility)).value_or(gear.size());
    }
    /// The size with the least installed that carries a substation, few of those below the largest.
    [[nodiscard]] std::string gridTransformerFor(const std::vector<DeviceId>& gear)
    {
        std::string best = m_o.gridTransformer;
        if (!m_o.sizesGridTransformer || m_o.substationTransformers > 0) return best;
        const std::size_t reserve = m_o.redundancy == Redundancy::NPlusOne ? 1 : 0;
        const auto installed = [&](const std::string& slug, std::size_t count) { return std::int64_t(count + reserve) * m_bench.capacity(slug); };
        std::int64_t least = installed(best, countOf(gear, m_bench.capacity(best)).value_or(gear.size()));
        for (const char* slug : kGridSizes) {
            if (!m_bench.parts.has(slug)) continue;
            const auto count = countOf(gear, m_bench.capacity(slug));
            if (!count || *count > kFewTransformers || installed(slug, *count) >= least) continue;
            best = slug, least = installed(slug, *count);
        }
        return best;
    }

    /// A transformer of a substation to the smallest size that carries what it feeds.
    void shrink(DeviceId id, const std::string& named)
    {
        for (const char* slug : kGridSizes) {
            if (!m_bench.parts.has(slug) || m_bench.capacity(slug) >= m_bench.capacity(named)) continue;
            if (double(m_wire.mw(id)) * kSetMargin > double(m_bench.capacity(slug))) continue;
            return m_out.devices.type.set(id, m_bench.parts.use(slug));
        }
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
        const std::string slug = gridTransformerFor(gear);
        const auto makeTransformer = maker("grid-transformer", m_wire.tier("grid_transformer", TextId("HV/MV transformer"), 12), slug, inYard);
        auto transformers = pack(gear, m_bench.capacity(slug), std::size_t(m_o.substationTransformers), makeTransformer);
        addReserve(gear, transformers, makeTransformer);
        if (m_o.sizesGridTransformer && m_o.substationTransformers == 0)
            for (const DeviceId id : transformers) shrink(id, slug);
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
    std::map<BuildingId, std::array<std::vector<DeviceId>, kSides>> m_ofBuilding;
    std::map<std::uint32_t, HallId> m_hallOfGear;
    int m_substations = 0;
    std::size_t m_transformersOfStation = 0;
};

} // namespace

void writeGrid(PlantBench& bench, const std::vector<PlantTransformer>& transformers) { GridWriter(bench).run(transformers); }

} // namespace hw::layout
