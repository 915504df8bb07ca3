// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/plan.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace hw::layout {

namespace {

/// Divides the blocks among buildings and halls, and decides in which of them every other switch stands.
class BuildingPlanner {
public:
    BuildingPlanner(Plan& plan, const Survey& survey, const Groups& groups) : m_plan(plan), m_survey(survey), m_groups(groups) {}

    void run()
    {
        findRanges();
        fillHalls();
        nameHalls();
        placeNetwork();
    }

private:
    /// Blocks [low, high] that a device reaches downwards; low > high: none.
    struct Range {
        std::uint32_t low = kNone, high = 0;
    };

    void findRanges()
    {
        m_range.resize(m_survey.devices());
        std::vector<Range> listed(m_survey.sameBelow.empty() ? 0 : m_range.size()); // many devices have the same ones below them
        for (std::uint32_t d = 0; d < m_range.size(); ++d)
            if (m_groups.blockOf[d] != kNone) m_range[d] = {m_groups.blockOf[d], m_groups.blockOf[d]};
        for (const DeviceId id : m_groups.network) { // by level, so that what is below is known
            auto& range = m_range[id.value];
            auto* const known = listed.empty() ? nullptr : &listed[m_survey.listedAs(id.value)];
            if (known && known->low <= known->high)
                range = *known;
            else
                range = rangeBelow(id.value);
            if (known) *known = range;
            // What belongs to a pod as a whole goes to the core together where the pod is split.
            const bool ofPod = m_survey.placeOf(id) == Place::Core && range.low <= range.high;
            const Range pod = ofPod || range.low > range.high ? rangeOfPod(m_survey.pod[id.value]) : Range{};
            if (pod.low <= pod.high) range = {std::min(range.low, pod.low), std::max(range.high, pod.high)};
        }
    }

    [[nodiscard]] Range rangeBelow(std::uint32_t device) const
    {
        Range range;
        for (const std::uint32_t below : m_survey.belowOf(device)) {
            range.low = std::min(range.low, m_range[below].low);
            range.high = std::max(range.high, m_range[below].high);
        }
        return range;
    }

    Range rangeOfPod(std::int16_t pod)
    {
        if (m_pods.empty())
            for (std::uint32_t b = 0; b < m_plan.blocks.size(); ++b) {
                auto& range = m_pods[m_plan.blocks[b].pod];
                range.low = std::min(range.low, b), range.high = b;
            }
        const auto found = m_pods.find(pod);
        return pod < 0 || found == m_pods.end() ? Range{} : found->second;
    }

    [[nodiscard]] std::size_t racksOf(const Block& block) const { return block.serverRacks.size() + block.networkRacks.size(); }

    /// Reaches several pods, or no server at all.
    [[nodiscard]] bool isShared(Range range) const
    {
        if (range.low > range.high) return true;
        const std::int16_t pod = m_plan.blocks[range.low].pod;
        return range.low != range.high && (pod < 0 || pod != m_plan.blocks[range.high].pod);
    }

    /// Power of every block with the switches of its own or its pod; what several pods share is in `shared`.
    std::vector<std::int64_t> loads(std::int64_t& shared) const
    {
        std::vector<std::int64_t> load(m_plan.blocks.size());
        for (std::size_t b = 0; b < load.size(); ++b) load[b] = m_plan.blocks[b].demand.designMw;
        for (const DeviceId id : m_groups.network) {
            const Range range = m_range[id.value];
            const std::int64_t mw = m_survey.demand[id.value].designMw;
            if (isShared(range))
                shared += mw;
            else
                load[range.low] += mw;
        }
        return load;
    }

    /// What the open hall and its building hold so far.
    struct Filled {
        std::int64_t mw = 0;
        std::size_t racks = 0;
        std::int64_t halls = 0;
    };

    void open(bool newBuilding)
    {
        const std::uint32_t site = m_plan.halls.empty() ? 0 : m_plan.halls.back().site + newBuilding;
        if (newBuilding || m_plan.halls.empty()) m_filled = {};
        m_filled.racks = 0;
        m_filled.halls += 1;
        m_plan.halls.emplace_back();
        m_plan.halls.back().site = site;
    }

    /// Opens a hall, in a building of its own where this one has no power or no room for one more.
    void openFor(std::int64_t mw)
    {
        const Options& o = m_plan.options;
        const bool power = m_oneBuilding || m_filled.mw + mw <= o.buildingLimitW * 1000;
        open(!power || m_filled.halls >= o.hallsPerBuilding);
    }

    [[nodiscard]] bool fits(std::int64_t mw, std::size_t racks) const
    {
        if (m_oneBuilding) return m_filled.halls == m_plan.options.hallsPerBuilding || m_filled.racks + racks <= m_mostRacks;
        return m_filled.mw + mw <= m_plan.options.buildingLimitW * 1000 && m_filled.racks + racks <= m_mostRacks;
    }

    /// Consecutive blocks of one pod stay together where a hall can take them.
    void fillHalls()
    {
        const Options& o = m_plan.options;
        std::int64_t all = 0;
        const auto load = loads(all);
        std::size_t racks = 0;
        for (std::size_t b = 0; b < load.size(); ++b) all += load[b], racks += racksOf(m_plan.blocks[b]);
        m_mostRacks = std::size_t(2 * o.cellsPerHall * o.racksPerRow);
        m_oneBuilding = !o.buildingPerPod && all <= o.buildingLimitW * 1000 && racks <= m_mostRacks * std::size_t(o.hallsPerBuilding);
        for (std::uint32_t b = 0; b < load.size();) {
            std::uint32_t end = b;
            std::int64_t podMw = 0;
            std::size_t podRacks = 0;
            do podMw += load[end], podRacks += racksOf(m_plan.blocks[end]), ++end;
            while (end < load.size() && m_plan.blocks[end].pod >= 0 && m_plan.blocks[end].pod == m_plan.blocks[b].pod);
            if (m_plan.halls.empty() || o.buildingPerPod)
                open(true);
            else if (!fits(podMw, podRacks))
                openFor(podMw);
            for (; b < end; ++b) {
                const std::size_t more = racksOf(m_plan.blocks[b]);
                if (!fits(load[b], more) && !m_plan.halls.back().blocks.empty()) openFor(load[b]);
                m_plan.halls.back().blocks.push_back(b);
                m_filled.mw += load[b], m_filled.racks += more;
            }
        }
        if (m_plan.halls.empty()) open(true);
        m_hallOf.assign(m_plan.blocks.size(), 0);
        for (std::uint32_t n = 0; n < m_plan.halls.size(); ++n)
            for (const std::uint32_t b : m_plan.halls[n].blocks) m_hallOf[b] = n;
    }

    /// "pod3" where every building holds one pod, else "building3"; halls are numbered where a building has several.
    void nameHalls()
    {
        const auto podOf = [&](std::uint32_t block) { return m_plan.blocks[block].pod; };
        const std::uint32_t sites = m_plan.halls.back().site + 1;
        std::vector<std::set<std::int16_t>> pods(sites);
        std::vector<int> halls(sites, 0);
        for (const auto& hall : m_plan.halls)
            for (const std::uint32_t b : hall.blocks) pods[hall.site].insert(podOf(b));
        std::set<std::int16_t> seen;
        const bool onePodEach =
            sites > 1 && std::ranges::all_of(pods, [&](const auto& p) { return p.size() == 1 && *p.begin() >= 0 && seen.insert(*p.begin()).second; });
        for (const auto& hall : m_plan.halls) ++halls[hall.site];
        std::vector<int> number(sites, 0);
        for (auto& hall : m_plan.halls) {
            const int n = ++number[hall.site];
            hall.siteName = onePodEach ? fmt::format("pod{}", *pods[hall.site].begin() + 1) : fmt::format("building{}", hall.site + 1);
            hall.name = sites == 1 ? fmt::format("hall{}", n) : halls[hall.site] == 1 ? hall.siteName : fmt::format("{}-hall{}", hall.siteName, n);
            hall.hallName = sites > 1 && halls[hall.site] == 1 ? hall.siteName + "-hall" : hall.name;
            hall.key = fmt::format("hall.auto/n={}{}", hall.site, n == 1 ? "" : fmt::format("/hall={}", n - 1));
        }
    }

    /// What several halls share stands in a hall of its own: of the one building, or of a core building.
    void placeNetwork()
    {
        const auto count = std::uint32_t(m_plan.halls.size());
        const std::uint32_t sites = m_plan.halls.back().site + 1;
        std::vector<DeviceId> core;
        for (const DeviceId id : m_groups.network) {
            const Range range = m_range[id.value];
            const Place place = m_survey.placeOf(id);
            const bool known = range.low <= range.high;
            const std::uint32_t low = known ? m_hallOf[range.low] : 0, high = known ? m_hallOf[range.high] : count - 1;
            const bool noRoom = !m_oneBuilding && place == Place::Core && isShared(range); // its power is not part of the buildings' shares
            if ((low == high && !noRoom) || (known && place == Place::NetworkRows))
                m_plan.halls[(low + high) / 2].network.push_back(id);
            else
                core.push_back(id);
        }
        if (core.empty()) return;
        PlannedHall hall;
        hall.name = "core";
        hall.hallName = "core-hall";
        hall.core = !m_oneBuilding;
        hall.siteName = hall.core ? "core" : m_plan.halls.front().siteName;
        hall.key = "hall.auto/core=0";
        hall.site = hall.core ? sites : 0;
        hall.network = std::move(core);
        m_plan.halls.push_back(std::move(hall));
    }

    Plan& m_plan;
    const Survey& m_survey;
    const Groups& m_groups;
    std::vector<Range> m_range;
    std::map<std::int16_t, Range> m_pods;
    std::vector<std::uint32_t> m_hallOf; ///< by block
    std::size_t m_mostRacks = 0;         ///< of one hall
    bool m_oneBuilding = false;
    Filled m_filled;
};

} // namespace

void planBuildings(Plan& plan, const Survey& survey, const Groups& groups) { BuildingPlanner(plan, survey, groups).run(); }

} // namespace hw::layout
