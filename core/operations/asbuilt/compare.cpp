// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/asbuilt/compare.h"

#include "core/foundation/catalog/entity.h"
#include "core/operations/asbuilt/matching.h"
#include "core/operations/asbuilt/repair_planner.h"
#include "core/operations/asbuilt/seen_links.h"

#include <algorithm>
#include <tuple>

namespace hw::asbuilt {

Text kindTitle(Kind kind)
{
    switch (kind) {
    case Kind::Swapped: return i18n("Swapped");
    case Kind::UnknownDevice: return i18n("Unknown device");
    case Kind::WrongRail: return i18n("Wrong rail");
    case Kind::WrongPlane: return i18n("Wrong plane");
    case Kind::WrongPort: return i18n("Wrong port");
    case Kind::Missing: return i18n("Missing");
    case Kind::Extra: return i18n("Not planned");
    case Kind::WrongSpeed: return i18n("Wrong speed");
    case Kind::DegradedLanes: return i18n("Degraded lanes");
    }
    return {};
}

std::int64_t Comparison::count(Kind kind) const { return std::ranges::count(differences, kind, &Difference::kind); }

std::optional<Kind> speedFault(int wanted, int seen, int lanes)
{
    if (seen <= 0 || wanted <= 0 || seen == wanted) return std::nullopt;
    if (lanes <= 0 || seen > wanted || seen % lanes != 0) return Kind::WrongSpeed;
    const int lane = seen / lanes;
    const int most = lane >= 100 ? 8 : 4; // InfiniBand has up to 4 lanes, sockets of 100G lanes 8
    const bool fewer = wanted % lane == 0 && wanted / lane > lanes && wanted / lane <= most;
    return fewer ? Kind::DegradedLanes : Kind::WrongSpeed;
}

namespace {

/// Works one comparison out; lives as long as it takes.
class Comparing {
public:
    /// `costed`: the same figures, null where costs are not asked for.
    Comparing(const Figures& figures, FiguresPtr costed, NameRules rules, std::span<const Sighting> sightings)
        : m_costed(std::move(costed)), m_s(*figures.snapshot), m_seen(m_s, *figures.parts, std::move(rules), sightings), m_mending(figures)
    {
    }

    Result<Comparison> run(const Progress& progress)
    {
        m_out.sightings = m_seen.count();
        judgeLinks();
        countLookers();
        explainRest();
        mergeByCable();
        if (const auto costed = cost(progress); !costed) return tl::unexpected(costed.error());
        for (auto* list : {&m_out.differences, &m_out.changing})
            for (Difference& one : *list) m_mending.describe(one);
        rank();
        tally();
        m_out.unmatched = m_seen.unmatched();
        m_out.contradictions = m_seen.contradictions();
        m_out.strangers = m_seen.strangers();
        return std::move(m_out);
    }

private:
    /// A device is not built yet where neither its stage nor any witness says that it is there, though two of its neighbors to be looked; where
    /// the design keeps stages, one is enough.
    [[nodiscard]] bool isBuilt(DeviceId id) const
    {
        if (m_s.devices.stage[id] >= Stage::Installed || m_seen.wasNamed(id)) return true;
        const auto found = m_lookedFor.find(id);
        return found == m_lookedFor.end() || found->second.size() < (m_stages ? 1u : 2u);
    }
    [[nodiscard]] bool isPending(LinkId id) const
    {
        if (const auto cable = m_s.links.cable[id]; cable && m_s.cables.stage[*cable] >= Stage::Installed) return false;
        return !isBuilt(m_s.ports.device[m_s.links.from[id]]) || !isBuilt(m_s.ports.device[m_s.links.to[id]]);
    }
    /// Who looked for the devices that nobody saw.
    void countLookers()
    {
        m_s.devices.forEach([&](DeviceId id) { m_stages = m_stages || m_s.devices.stage[id] >= Stage::Installed; });
        for (const LinkId id : m_absent) {
            const DeviceId from = m_s.ports.device[m_s.links.from[id]], to = m_s.ports.device[m_s.links.to[id]];
            m_lookedFor[from].insert(to);
            m_lookedFor[to].insert(from);
        }
    }
    void state(LinkId id, LinkState what) { m_out.linkState[id.value] = char(what); }

    void judgeLinks()
    {
        m_out.linkState.assign(m_s.links.nextId(), char(LinkState::None));
        std::set<CageId> kept;
        m_s.links.forEach([&](LinkId id) {
            const PortId from = m_s.links.from[id], to = m_s.links.to[id];
            if (m_s.ports.medium[from] != Medium::Data) return;
            if (const auto* there = m_seen.between(from, to)) {
                state(id, LinkState::AsDesigned);
                for (const PortId port : {from, to})
                    if (m_mending.isShared(port)) kept.insert(m_s.ports.cage[port]);
                checkSpeed(id, *there);
            } else if (m_seen.joinsSomehow(from, to)) {
                state(id, LinkState::NotTold);
            } else if (m_seen.isUnreadable(from) || m_seen.isUnreadable(to)) {
                state(id, LinkState::NotTold);
            } else if (m_seen.at(from) || m_seen.at(to) || m_seen.lookedAt(from) || m_seen.lookedAt(to)) {
                m_absent.push_back(id);
            } else {
                state(id, LinkState::Unseen);
            }
        });
        findMovedPlugs(kept);
        m_mending.keep(std::move(kept));
    }

    /// Connectors of several links that are all seen in one other socket, lane by lane: one move mends them.
    void findMovedPlugs(const std::set<CageId>& kept)
    {
        std::map<CageId, std::vector<std::optional<CageId>>> seenIn; // by where they belong
        for (const LinkId id : m_absent)
            for (const auto& [near, far] : {std::pair(m_s.links.from[id], m_s.links.to[id]), std::pair(m_s.links.to[id], m_s.links.from[id])}) {
                if (!m_mending.isShared(near)) continue;
                const SeenLink* there = m_seen.at(far);
                const auto& port = !there ? std::nullopt : there->from.port == far ? there->to.port : there->from.port;
                const bool fits = port && m_s.ports.lane[*port] == m_s.ports.lane[near] && !kept.contains(m_s.ports.cage[*port]);
                seenIn[m_s.ports.cage[near]].push_back(fits ? std::optional(m_s.ports.cage[*port]) : std::nullopt);
            }
        std::map<CageId, CageId> moved;
        for (const auto& [cage, sockets] : seenIn) {
            const bool one = std::ranges::all_of(sockets, [&](const auto& socket) { return socket && socket == sockets.front(); });
            if (one && sockets.size() > 1 && !kept.contains(cage) && *sockets.front() != cage) moved.emplace(cage, *sockets.front());
        }
        m_mending.move(std::move(moved));
    }

    void checkSpeed(LinkId id, const SeenLink& there)
    {
        const int wanted = std::min(m_s.ports.rate[m_s.links.from[id]], m_s.ports.rate[m_s.links.to[id]]).count();
        const auto fault = speedFault(wanted, there.rateGbps, there.lanes);
        if (!fault) return;
        Difference one;
        one.kind = *fault;
        one.links = {id};
        one.seen = {there};
        one.wantedGbps = wanted, one.seenGbps = there.rateGbps, one.seenLanes = there.lanes;
        if (*fault == Kind::DegradedLanes) one.wantedLanes = wanted / (there.rateGbps / there.lanes);
        state(id, LinkState::Differs);
        m_out.differences.push_back(std::move(one));
    }

    /// Places of plugs as numbers: ports by id; what the design does not have gets numbers behind them.
    void explainRest()
    {
        std::uint32_t next = m_s.ports.nextId();
        std::vector<PlugPair> planned, seen;
        for (const LinkId id : m_absent) planned.push_back({m_s.links.from[id].value, m_s.links.to[id].value});
        const auto others = m_seen.notIn([&](PortId port) { return m_mending.plannedPeer(port); });
        for (const SeenLink* one : others) {
            const auto place = [&](const SeenEnd& end) { return end.port ? (*end.port).value : next++; };
            const std::uint32_t a = place(one->from);
            seen.push_back({a, place(one->to)});
        }
        const auto moved = [&](std::uint32_t p, std::uint32_t s) { return m_mending.distance(m_absent[p], *others[s]); };
        for (const Explained& why : explain(planned, seen, moved)) take(why, others);
    }

    void take(const Explained& why, const std::vector<const SeenLink*>& others)
    {
        Difference one;
        for (const auto& move : why.moves) {
            one.links.push_back(m_absent[move.planned]);
            one.seen.push_back(*others[move.seen]);
        }
        for (const auto i : why.missing) one.links.push_back(m_absent[i]);
        for (const auto i : why.extra) one.seen.push_back(*others[i]);
        one.kind = kindOf(one);
        m_mending.work(one);
        const bool pending =
            one.kind != Kind::UnknownDevice && !one.links.empty() && std::ranges::all_of(one.links, [&](LinkId id) { return isPending(id); });
        for (const LinkId id : one.links) state(id, pending ? LinkState::NotBuilt : LinkState::Differs);
        if (!pending)
            m_out.differences.push_back(std::move(one));
        else if (!one.seen.empty())
            m_out.changing.push_back(std::move(one));
    }

    [[nodiscard]] Kind kindOf(const Difference& d) const
    {
        if (d.seen.empty()) return Kind::Missing;
        if (d.links.size() > 1) return Kind::Swapped;
        const SeenLink& seen = d.seen.front();
        if (!seen.from.device || !seen.to.device) return Kind::UnknownDevice;
        if (d.links.empty()) return Kind::Extra;
        return m_mending.crossing(seen).value_or(Kind::WrongPort);
    }

    /// Links of one assembly that differ in one way are one difference: its plug is in the wrong place, or it is not there.
    void mergeByCable()
    {
        std::vector<Difference> merged;
        std::map<std::tuple<Kind, std::vector<std::uint32_t>>, std::size_t> at;
        for (Difference& one : m_out.differences) {
            std::vector<std::uint32_t> cables;
            for (const LinkId id : one.links) {
                const auto cable = m_s.links.cable[id];
                cables.push_back(cable ? (*cable).value : 0xFFFFFFFFu);
            }
            std::ranges::sort(cables);
            const bool alone = cables.empty() || cables.back() == 0xFFFFFFFFu;
            const auto [found, fresh] = alone ? std::pair(at.end(), true) : at.try_emplace({one.kind, cables}, merged.size());
            if (fresh) {
                merged.push_back(std::move(one));
                continue;
            }
            Difference& first = merged[found->second];
            first.links.insert(first.links.end(), one.links.begin(), one.links.end());
            first.seen.insert(first.seen.end(), one.seen.begin(), one.seen.end());
            first.work.insert(first.work.end(), one.work.begin(), one.work.end());
        }
        for (Difference& one : merged) m_mending.mergeSteps(one);
        m_out.differences = std::move(merged);
    }

    Result<void> cost(const Progress& progress)
    {
        for (Difference& one : m_out.differences)
            if (one.kind == Kind::WrongSpeed || one.kind == Kind::DegradedLanes) m_mending.work(one);
        if (m_out.differences.empty() || !m_costed) return {};
        const auto model = impact::Model::of(m_costed, progress);
        if (!model) return tl::unexpected(model.error());
        impact::Study study(*model);
        for (Difference& one : m_out.differences) {
            std::vector<impact::Failing> failed;
            for (const LinkId id : one.links) failed.push_back({ref(id), -1, -1, -1});
            if (!failed.empty()) one.cost = study.lose(failed).loss;
        }
        return {};
    }

    void rank()
    {
        std::ranges::stable_sort(m_out.differences, [](const Difference& a, const Difference& b) {
            const auto x = a.cost.badness(), y = b.cost.badness();
            return x != y ? x > y : std::tie(a.kind, a.id) < std::tie(b.kind, b.id);
        });
    }

    void tally()
    {
        std::map<std::uint32_t, NetworkTally> by;
        std::map<DeviceId, std::int64_t> notSeen;
        m_s.links.forEach([&](LinkId id) {
            const auto what = LinkState(m_out.linkState[id.value]);
            if (what == LinkState::None) return;
            const auto network = m_s.ports.network[m_s.links.from[id]] ? m_s.ports.network[m_s.links.from[id]] : m_s.ports.network[m_s.links.to[id]];
            NetworkTally& of = by[network ? (*network).value : 0xFFFFFFFFu];
            if (network) of.network = *network, of.name = m_s.networks.name[*network];
            ++of.planned;
            of.asDesigned += what == LinkState::AsDesigned;
            of.differs += what == LinkState::Differs;
            of.notTold += what == LinkState::NotTold;
            of.notBuilt += what == LinkState::NotBuilt;
            of.unseen += what == LinkState::Unseen;
            if (what != LinkState::NotBuilt) return;
            m_out.notBuilt.push_back(id);
            for (const PortId port : {m_s.links.from[id], m_s.links.to[id]})
                if (const DeviceId device = m_s.ports.device[port]; !isBuilt(device)) ++notSeen[device];
        });
        m_out.notSeen.assign(notSeen.begin(), notSeen.end());
        for (auto& [network, of] : by) m_out.networks.push_back(std::move(of));
    }

    FiguresPtr m_costed;
    const Snapshot& m_s;
    SeenLinks m_seen;
    RepairPlanner m_mending;
    std::vector<LinkId> m_absent;
    std::map<DeviceId, std::set<DeviceId>> m_lookedFor; ///< at the other ends of absent links
    bool m_stages = false;                              ///< something is installed
    Comparison m_out;
};

Result<Comparison> compared(const Figures& figures, FiguresPtr costed, std::span<const Sighting> sightings, const Progress& progress)
{
    auto rules = NameRules::of(*figures.snapshot);
    if (!rules) return tl::unexpected(rules.error());
    if (const auto made = figures.prepare<CablingNode>(progress); !made) return tl::unexpected(made.error());
    return Comparing(figures, std::move(costed), std::move(*rules), sightings).run(progress);
}

} // namespace

Result<Comparison> compare(const FiguresPtr& figures, std::span<const Sighting> sightings, const Progress& progress)
{
    return compared(*figures, figures, sightings, progress);
}

Result<Comparison> compareStored(const FiguresPtr& figures, const Progress& progress)
{
    return compare(figures, sightingsOf(*figures->snapshot), progress);
}

Result<Comparison> differencesStored(const Figures& figures, const Progress& progress)
{
    return compared(figures, nullptr, sightingsOf(*figures.snapshot), progress);
}

} // namespace hw::asbuilt
