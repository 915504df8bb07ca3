// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cabling/cable_why.h"

#include "core/derived/cabling/cable_index.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw {

namespace {

Text metersText(std::int64_t mm) { return verbatim(fmt::format("{:.10g} m", double((mm + 5) / 10) / 100)); }

std::uint32_t raw(Maybe<PartTypeId> id) { return id ? (*id).value : 0xFFFFFFFFu; }

} // namespace

CableReasons::CableReasons(const Snapshot& snapshot, const ProjectParts& parts, const Cabling& cabling)
    : m_s(snapshot), m_parts(parts), m_cabling(cabling), m_loss(FiberLoss::of(snapshot)), m_currency(settingOf(snapshot, "project.currency"))
{
}

Text CableReasons::money(Money amount) const { return verbatim(fmt::format("{:.2f} {}", toCurrency(amount), m_currency)); }

Text CableReasons::setText(Maybe<PartTypeId> type, Maybe<PartTypeId> from, Maybe<PartTypeId> to) const
{
    const auto slug = [&](Maybe<PartTypeId> id) { return id ? m_parts[*id].slug : std::string("–"); };
    if (!from || !to) return verbatim(slug(type));
    return from == to ? i18n("{} between {}", slug(type), slug(from)) : i18n("{} between {} and {}", slug(type), slug(from), slug(to));
}

CableWhy CableReasons::of(CableId cable)
{
    const auto links = m_cabling.linksOf(cable);
    if (links.empty()) return {};
    const auto first = m_cabling.isRun(cable) ? m_s.links.cable[links.front()] : Maybe<CableId>(cable);
    if (!first || m_cabling.isRun(*first)) return {};
    const auto& c = m_cabling[*first];
    const Channel channel = channelOf(m_s, m_parts, m_cabling, m_loss, *first);
    const bool byHand = m_s.cables.type[*first].has_value();
    const std::int64_t length = channel.panels > 0 ? channel.lengthMm : c.routeMm + c.loopMm;
    const auto [known, fresh] = m_known.try_emplace({m_cabling.classOf(*first), length, raw(c.type), raw(c.moduleFrom), raw(c.moduleTo), byHand});
    if (fresh) known->second = make(*first, channel);
    CableWhy why = known->second;
    why.channel = channel;
    return why;
}

CableWhy CableReasons::make(CableId first, const Channel& channel) const
{
    CableWhy why;
    const auto& cable = m_cabling[first];
    if (cable.noRoute && m_s.cables.length[first].count() == 0) {
        why.reason = i18n("no tray route");
        return why;
    }
    if (!cable.type) {
        why.reason = m_cabling.whyNone(m_s, first).what;
        return why;
    }
    const std::int32_t byHand = m_s.cables.length[first].count();
    const auto needed = channel.panels > 0 ? std::int32_t(channel.lengthMm) : byHand > 0 ? byHand : m_cabling.neededMm(cable);
    const auto all = m_cabling.choice().candidates(m_cabling.classOf(first), needed);
    const auto reached = std::count_if(all.begin(), all.end(), [](const auto& c) { return c.reached; });
    const auto own = std::find_if(all.begin(), all.end(), [&](const auto& c) {
        return c.type == cable.type && c.moduleFrom == cable.moduleFrom && c.moduleTo == cable.moduleTo;
    });
    const Text length = metersText(needed);
    if (m_s.cables.type[first])
        why.reason = i18n("{} was selected manually", m_parts[*cable.type].slug);
    else if (own == all.end())
        why.reason = i18n("one copper assembly for all cables of its cage costs less than modules");
    else if (!own->reached)
        why.reason = i18n("no option reaches {}; {} has the longest reach, {}", length, setText(own->type, own->moduleFrom, own->moduleTo),
                          metersText(own->limitMm));
    else if (own == all.begin())
        why.reason = i18np(std::size_t(reached), "the only option that reaches {1}: {2} including its share of the modules",
                           "the lowest-cost of {0} options that reach {1}: {2} including its share of the modules", length, money(own->cost));
    else
        why.reason = i18n("the modules of its cage also serve another cable; on its own, {} would cost {}",
                          setText(all.front().type, all.front().moduleFrom, all.front().moduleTo), money(all.front().cost));
    for (auto it = all.begin(); it != all.end(); ++it) {
        if (it == own || !it->reached) continue;
        why.extra = it->cost - (own != all.end() ? own->cost : Money());
        const Text set = setText(it->type, it->moduleFrom, it->moduleTo);
        why.runnerUp = own == all.end()        ? i18n("{} for {}", set, money(it->cost))
                       : why.extra.count() < 0 ? i18n("{} for {} less", set, money(-why.extra))
                                               : i18n("{} for {} more", set, money(why.extra));
        break;
    }
    const auto excluded = std::size_t(all.size()) - std::size_t(reached);
    if (excluded > 0 && reached > 0) {
        const auto furthest = std::max_element(
            all.begin(), all.end(), [](const auto& a, const auto& b) { return (a.reached ? -1 : a.limitMm) < (b.reached ? -1 : b.limitMm); });
        why.excluded = i18np(excluded, "{0} option has insufficient reach: {1} ends at {2}",
                             "{0} options have insufficient reach: the longest of them, {1}, ends at {2}",
                             setText(furthest->type, furthest->moduleFrom, furthest->moduleTo), metersText(furthest->limitMm));
    }
    return why;
}

} // namespace hw
