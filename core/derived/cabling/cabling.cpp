// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cabling/cabling.h"

#include "core/derived/cabling/cable_index.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <set>
#include <unordered_map>

namespace hw {

namespace {

template <class Map, class Key>
void addTo(Map& map, const Key& key, std::int64_t n)
{
    const auto it = map.try_emplace(key, 0).first;
    it->second += n;
    if (it->second == 0) map.erase(it);
}

} // namespace

std::int32_t Cabling::slackOf(const Snapshot& snapshot)
{
    const std::string text = settingOf(snapshot, "cabling.slack_percent");
    char* end = nullptr;
    const double percent = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || !(percent >= 0 && percent <= 100)) return 500;
    return std::int32_t(std::lround(percent * 100));
}

std::int32_t Cabling::serviceLoopOf(const Snapshot& snapshot)
{
    return std::int32_t(std::lround(std::min(numberSetting(snapshot, "cabling.service_loop_mm"), 100'000.0)));
}

/// Route of every link: along the trays, plus the drops from the tray above either rack to the middle
/// of the device. A breakout's longest leg decides.
std::optional<CableChoice::Wanted> Cabling::measure(const Snapshot& s, const Routing& routing, CableId id, Cable& cable) const
{
    const auto links = m_index->linksOf(id);
    cable.links = std::uint8_t(std::min<std::size_t>(links.size(), 255));
    if (links.empty() || s.cables.medium[id] != Medium::Data) return std::nullopt;
    for (const LinkId link : links)
        takeStretch(routing, {m_index->ends[link.value].from, m_index->endOfFirst(link), routing.pairOfLink(link), m_index->flags[link.value]},
                    cable);
    const std::int32_t byHand = s.cables.length[id].count();
    if (cable.noRoute && byHand == 0) {
        cable.type = s.cables.type[id];
        return std::nullopt;
    }
    if (overPanels(id)) return overPanels(s, routing, id, byHand > 0 ? byHand : neededMm(cable));
    return CableChoice::Wanted{m_index->classOf[id.value], byHand > 0 ? byHand : neededMm(cable), byHand > 0};
}

void Cabling::takeStretch(const Routing& routing, const Stretch& stretch, Cable& cable) const
{
    const std::int32_t zFrom = m_index->heightMm[stretch.from.value], zTo = m_index->heightMm[stretch.to.value];
    if (stretch.flags & CableIndex::kSameRack) {
        cable.routeMm = std::max(cable.routeMm, (zFrom == zTo ? 0 : std::abs(zFrom - zTo)) + kPatchingMm);
    } else if (stretch.pair == Routing::kNoPair || routing.pairs()[stretch.pair].lengthMm < 0) {
        cable.noRoute = true;
    } else {
        const auto& pair = routing.pairs()[stretch.pair];
        const bool swapped = stretch.flags & CableIndex::kFromIsB;
        const auto drop = [](std::int32_t tray, std::int32_t z) { return z == CableIndex::kOnFloor ? 0 : std::abs(tray - z); };
        const std::int32_t drops = drop(swapped ? pair.heightB : pair.heightA, zFrom) + drop(swapped ? pair.heightA : pair.heightB, zTo);
        cable.routeMm = std::max(cable.routeMm, pair.lengthMm + drops);
        cable.loopMm = std::max(cable.loopMm, m_loop * (int(zFrom != CableIndex::kOnFloor) + int(zTo != CableIndex::kOnFloor)));
    }
}

namespace {

void fill(Cabling::Cable& cable, const CableChoice::Decision& decision)
{
    cable.lengthMm = decision.lengthMm;
    cable.type = decision.type;
    cable.moduleFrom = decision.moduleFrom;
    cable.moduleTo = decision.moduleTo;
    cable.reachExceeded = decision.reachExceeded;
}

} // namespace

template <class F>
void Cabling::makeAlone(const Snapshot& s, const Routing& routing, CableId id, F&& f) const
{
    Cable cable;
    if (const auto wanted = measure(s, routing, id, cable))
        fill(cable, wanted->fixed ? m_index->choice->decideFixed(wanted->cableClass, wanted->neededMm)
                                  : m_index->choice->decide(wanted->cableClass, wanted->neededMm));
    if (overPanels(id))
        for (const auto& [behind, run] : finishRuns(s, routing, id, cable)) f(behind, run);
    f(id, cable);
}

template <class F>
void Cabling::makeBundle(const Snapshot& s, const Routing& routing, std::uint32_t bundle, F&& f) const
{
    const auto& members = m_index->bundles[bundle];
    std::vector<Cable> cables(members.size());
    std::vector<CableChoice::Wanted> wanted;
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < members.size(); ++i)
        if (const auto one = measure(s, routing, members[i], cables[i])) {
            wanted.push_back(*one);
            of.push_back(i);
        }
    if (!wanted.empty()) {
        const auto decisions = m_index->choice->together(wanted);
        const auto copper = m_index->copperOf[bundle];
        const bool whole = copper != CableChoice::kNone && wanted.size() == members.size();
        const auto instead = whole ? m_index->choice->copperInstead(copper, wanted, decisions) : std::nullopt;
        for (std::size_t i = 0; i < of.size(); ++i) {
            fill(cables[of[i]], instead ? *instead : decisions[i]);
            cables[of[i]].partOf = instead && i > 0;
        }
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (overPanels(members[i]))
            for (const auto& [behind, run] : finishRuns(s, routing, members[i], cables[i])) f(behind, run);
        f(members[i], cables[i]);
    }
}

/// Differences to the sums, gathered cheaply and then added to the ordered maps at once.
struct Cabling::Sums {
    static constexpr std::uint32_t kUntyped = 0xFFFFFFFFu;
    std::unordered_map<std::uint64_t, std::int64_t> lines; ///< by type and length
    std::unordered_map<std::uint32_t, std::int64_t> modules;
};

void Cabling::count(CableId id, std::int64_t sign, Sums& sums) const
{
    const Cable& cable = m_cables[id.value];
    if (cable.lengthMm > 0 && !cable.partOf) {
        const std::uint32_t type = cable.type ? (*cable.type).value : Sums::kUntyped;
        sums.lines[std::uint64_t(type) << 32 | std::uint32_t(cable.lengthMm)] += sign;
    }
    std::int64_t from = 0, to = 0;
    for (const LinkId link : m_index->linksOf(id)) {
        const std::uint8_t flags = m_index->flags[link.value];
        const bool flipped = flags & CableIndex::kFlipped;
        (flipped ? to : from) += (flags & CableIndex::kOwnsFrom) != 0;
        (flipped ? from : to) += (flags & CableIndex::kOwnsTo) != 0;
    }
    if (cable.moduleFrom && from) sums.modules[(*cable.moduleFrom).value] += from * sign;
    if (cable.moduleTo && to) sums.modules[(*cable.moduleTo).value] += to * sign;
}

void Cabling::take(const Sums& sums)
{
    for (const auto& [key, n] : sums.lines) {
        const auto type = std::uint32_t(key >> 32);
        const auto length = std::int32_t(key & 0xFFFFFFFFu);
        if (type == Sums::kUntyped)
            addTo(m_untyped, length, n);
        else
            addTo(m_byTypeLength, TypeLength{PartTypeId(type), length}, n);
    }
    for (const auto& [module, n] : sums.modules) addTo(m_transceivers, PartTypeId(module), n);
    m_longestMm = m_untyped.empty() ? 0 : m_untyped.rbegin()->first;
    for (const auto& [line, n] : m_byTypeLength) m_longestMm = std::max(m_longestMm, line.lengthMm);
}

std::uint64_t Cabling::nextNumber()
{
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

std::shared_ptr<const Cabling> Cabling::compute(const Snapshot& s, std::shared_ptr<const CableIndex> index, const Routing& routing)
{
    auto result = std::make_shared<Cabling>();
    result->m_index = std::move(index);
    result->m_slack = slackOf(s), result->m_loop = serviceLoopOf(s);
    result->m_cables.resize(s.cables.nextId());
    Sums sums;
    const auto put = [&](CableId id, const Cable& cable) { result->m_cables[id.value] = cable; };
    s.cables.forEach([&](CableId id) {
        if (result->m_index->bundleOf[id.value] == CableIndex::kAlone && !result->m_index->isBehind(id)) result->makeAlone(s, routing, id, put);
    });
    for (std::uint32_t bundle = 0; bundle < result->m_index->bundles.size(); ++bundle) result->makeBundle(s, routing, bundle, put);
    s.cables.forEach([&](CableId id) { result->count(id, 1, sums); });
    result->take(sums);
    return result;
}

std::shared_ptr<const Cabling> Cabling::moved(const Cabling& before, const Snapshot& after, const Routing& routing,
                                              std::span<const std::uint32_t> changedPairs)
{
    auto result = std::make_shared<Cabling>(before);
    result->m_number = nextNumber();
    result->m_movedFrom = before.m_number;
    result->m_refitted.clear();
    Sums sums;
    const auto renew = [&](CableId id, const Cable& fresh) {
        Cable& cable = result->m_cables[id.value];
        if (fresh == cable) return;
        const bool modules = fresh.moduleFrom != cable.moduleFrom || fresh.moduleTo != cable.moduleTo;
        const bool counted = modules || fresh.lengthMm != cable.lengthMm || fresh.type != cable.type || fresh.partOf != cable.partOf;
        if (counted) result->count(id, -1, sums);
        cable = fresh;
        if (counted) result->count(id, 1, sums);
        if (modules) result->m_refitted.push_back(id);
    };
    std::set<std::uint32_t> bundles;
    std::set<CableId> channels; // first cables whose links go over panels
    const auto remake = [&](CableId id) {
        if (before.m_index->isBehind(id)) return;
        const auto bundle = before.m_index->bundleOf[id.value];
        if (bundle == CableIndex::kAlone)
            result->makeAlone(after, routing, id, renew);
        else
            bundles.insert(bundle);
    };
    for (const std::uint32_t pair : changedPairs)
        for (const CableId id : before.cablesOfPair(pair)) {
            if (before.m_index->isBehind(id))
                for (const LinkId link : before.linksOf(id)) {
                    if (const auto first = after.links.cable[link]) channels.insert(*first);
                }
            else if (before.overPanels(id))
                channels.insert(id);
            else
                remake(id);
        }
    for (const CableId first : channels) remake(first);
    for (const auto bundle : bundles) result->makeBundle(after, routing, bundle, renew);
    result->take(sums);
    return result;
}

std::optional<std::vector<CableId>> Cabling::refittedSince(const Cabling& before) const
{
    if (m_index != before.m_index || m_cables.size() != before.m_cables.size()) return std::nullopt;
    if (m_movedFrom == before.m_number) return m_refitted;
    std::vector<CableId> refitted;
    for (std::uint32_t i = 0; i < m_cables.size(); ++i)
        if (m_cables[i].moduleFrom != before.m_cables[i].moduleFrom || m_cables[i].moduleTo != before.m_cables[i].moduleTo) refitted.emplace_back(i);
    return refitted;
}

bool Cabling::isFlipped(LinkId link) const { return m_index->flags[link.value] & CableIndex::kFlipped; }

Maybe<PartTypeId> Cabling::moduleAt(LinkId link, CableId cable, bool from) const
{
    return from != isFlipped(link) ? m_cables[cable.value].moduleFrom : m_cables[cable.value].moduleTo;
}

NoCableReason Cabling::whyNone(const Snapshot& s, CableId id) const
{
    const Cable& cable = m_cables[id.value];
    if (cable.type || isRun(id) || cable.links == 0 || s.cables.medium[id] != Medium::Data || (cable.noRoute && s.cables.length[id].count() == 0))
        return {};
    const auto kind = m_index->classOf[id.value];
    if (!m_index->choice->possible(kind)) return m_index->choice->reason(kind);
    return {NoCableReason::Cause::Pair, i18n("the other connector of its twin-port module needs different optics"),
            i18n("connect both ports of a twin-port cage to cages that take the same optics")};
}

void Cabling::forModules(CableId id, const std::function<void(DeviceId, PartTypeId)>& f) const
{
    const Cable& cable = m_cables[id.value];
    if (!cable.moduleFrom && !cable.moduleTo) return;
    for (const LinkId link : m_index->linksOf(id)) {
        const std::uint8_t flags = m_index->flags[link.value];
        const auto [from, to] = m_index->ends[link.value];
        const auto moduleFrom = moduleAt(link, id, true), moduleTo = moduleAt(link, id, false);
        if ((flags & CableIndex::kOwnsFrom) && moduleFrom) f(from, *moduleFrom);
        if ((flags & CableIndex::kOwnsTo) && moduleTo) f(to, *moduleTo);
    }
}

std::span<const LinkId> Cabling::linksOf(CableId id) const { return m_index->linksOf(id); }
std::span<const CableId> Cabling::cablesOfPair(std::uint32_t pair) const { return m_index->cablesOf(pair); }

bool operator==(const Cabling& a, const Cabling& b)
{
    return a.m_cables == b.m_cables && a.m_byTypeLength == b.m_byTypeLength && a.m_untyped == b.m_untyped && a.m_transceivers == b.m_transceivers &&
           a.m_longestMm == b.m_longestMm && a.m_slack == b.m_slack && a.m_loop == b.m_loop &&
           (a.m_index == b.m_index ||
            (a.m_index->links == b.m_index->links && a.m_index->cables == b.m_index->cables && a.m_index->flags == b.m_index->flags));
}

} // namespace hw
