// SPDX-License-Identifier: GPL-3.0-or-later
// Cables of links that go over patch panels: each has a way and a length of its own, the modules see their sum.
#include "core/derived/cabling/cable_index.h"
#include "core/derived/cabling/cabling.h"

#include <algorithm>

namespace hw {

const CableRuns& Cabling::runs() const { return *m_index->runs; }
bool Cabling::isRun(CableId id) const { return m_index->isBehind(id); }
const CableChoice& Cabling::choice() const { return *m_index->choice; }
std::uint32_t Cabling::classOf(CableId id) const { return m_index->classOf[id.value]; }

bool Cabling::overPanels(CableId first) const
{
    if (m_index->runs->empty() || m_index->isBehind(first)) return false;
    const auto links = m_index->linksOf(first);
    return !links.empty() && !m_index->runs->of(links.front()).empty();
}

std::int64_t Cabling::channelMm(const Snapshot& s, LinkId link) const
{
    std::int64_t sum = 0;
    m_index->runs->eachCable(s, link, [&](CableId id) { sum += m_cables[id.value].lengthMm; });
    return sum;
}

std::pair<DeviceId, DeviceId> Cabling::endsOf(CableId id) const
{
    if (m_index->isBehind(id)) {
        const auto& behind = m_index->behind[m_index->behindOf[id.value]];
        return {behind.from, behind.to};
    }
    const LinkId link = m_index->linksOf(id).front();
    return {m_index->ends[link.value].from, m_index->endOfFirst(link)};
}

Cabling::Cable Cabling::makeRun(const Snapshot& s, const Routing& routing, CableId id) const
{
    Cable cable;
    const auto& behind = m_index->behind[m_index->behindOf[id.value]];
    cable.links = std::uint8_t(std::min<std::size_t>(m_index->linksOf(id).size(), 255));
    takeStretch(routing, {behind.from, behind.to, behind.pair, behind.flags}, cable);
    for (const DeviceId leg : behind.legs) takeStretch(routing, {behind.from, leg, behind.pair, behind.flags}, cable);
    const std::int32_t byHand = s.cables.length[id].count();
    cable.type = s.cables.type[id];
    if (byHand > 0)
        cable.lengthMm = byHand;
    else if (!cable.noRoute)
        cable.lengthMm = m_index->choice->boughtLength(cable.type, neededMm(cable));
    return cable;
}

CableChoice::Wanted Cabling::overPanels(const Snapshot& s, const Routing& routing, CableId first, std::int32_t ownMm) const
{
    const std::uint32_t kind = m_index->classOf[first.value];
    const auto bought = [&](CableId id, std::int32_t mm) {
        return s.cables.length[id].count() > 0 || s.cables.type[id] ? mm : m_index->choice->longestBought(kind, mm);
    };
    std::int64_t sum = bought(first, ownMm);
    for (const RunId run : m_index->runs->of(m_index->linksOf(first).front())) {
        const CableId id = s.runs.cable[run];
        sum += bought(id, makeRun(s, routing, id).lengthMm);
    }
    return {kind, std::int32_t(std::min<std::int64_t>(sum, std::numeric_limits<std::int32_t>::max() / 2)), false};
}

std::vector<std::pair<CableId, Cabling::Cable>> Cabling::finishRuns(const Snapshot& s, const Routing& routing, CableId first, Cable& cable) const
{
    const CableChoice& choice = *m_index->choice;
    const LinkId link = m_index->linksOf(first).front();
    const auto byLength = [&](CableId id, Cable& c) {
        if (const auto byHand = s.cables.length[id].count(); byHand > 0)
            c.lengthMm = byHand;
        else
            c.lengthMm = c.noRoute ? 0 : choice.boughtLength(c.type, neededMm(c));
    };
    const CableChoice::Decision decision{cable.type, cable.moduleFrom, cable.moduleTo, 0, false};
    std::vector<std::pair<CableId, Cable>> all, behind;
    // A breakout lies where its legs are; what goes on from there is undivided.
    const CableShape shape = choice.keyOf(m_index->classOf[first.value]).shape;
    const bool legsAbove = shape.from != shape.to && (shape.to > shape.from) != isFlipped(link);
    const Maybe<PartTypeId> whole = decision.type ? choice.undivided(*decision.type) : Maybe<PartTypeId>();
    if (legsAbove && !s.cables.type[first]) cable.type = whole;
    bool crossed = cable.type && choice.crosses(*cable.type);
    const auto runs = m_index->runs->of(link);
    for (const RunId run : runs) {
        const CableId id = s.runs.cable[run];
        Cable own = makeRun(s, routing, id);
        if (!own.type) own.type = legsAbove && run == runs.back() ? decision.type : whole;
        crossed = crossed != (own.type && choice.crosses(*own.type));
        all.emplace_back(id, own);
    }
    // An odd number of crossings brings the transmitters to the receivers: one cord is bought straight where they come out even.
    if (decision.type && !crossed && !all.empty()) {
        const bool last = !s.cables.type[all.back().first] && !legsAbove; // breakouts are made in one way
        auto& cord = last ? all.back().second.type : cable.type;
        if (last || !s.cables.type[first])
            if (const auto other = cord ? choice.otherPolarity(*cord) : Maybe<PartTypeId>()) cord = other;
    }
    byLength(first, cable);
    std::int64_t sum = cable.lengthMm;
    for (auto& [id, own] : all) {
        byLength(id, own);
        sum += own.lengthMm;
        if (m_index->linksOf(id).front() == link) behind.emplace_back(id, own); // of several links the first says what a trunk is
    }
    cable.reachExceeded = decision.type && sum > choice.limitOf(m_index->classOf[first.value], decision);
    return behind;
}

} // namespace hw
