// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cabling/uncabled.h"

#include "core/foundation/base/language.h"

#include <map>
#include <tuple>

namespace hw {

std::vector<Uncabled> uncabled(const Snapshot& s, const Cabling& cabling)
{
    const NoCableReason kNoRow{NoCableReason::Cause::Assembly, i18n("no cable is recorded for the link"), i18n("disconnect it and reconnect it")};
    const NoCableReason kNoRoute{NoCableReason::Cause::None, i18n("no tray route, so no cable length can be calculated"),
                                 i18n("connect the racks with trays, or set the cable length manually")};
    const Language english; // so that groups and their order are the same in every language
    std::map<std::tuple<std::uint32_t, bool, std::string>, Uncabled> groups;
    std::vector<Uncabled*> known(s.cables.nextId(), nullptr); // by cable, so that its other links need no reason again
    s.links.forEach([&](LinkId link) {
        if (s.ports.medium[s.links.from[link]] != Medium::Data) return;
        const auto cable = s.links.cable[link];
        Uncabled* group = cable ? known[(*cable).value] : nullptr;
        if (!group) {
            const Cabling::Cable made = cable ? cabling[*cable] : Cabling::Cable{};
            if (cable && made.type && made.lengthMm > 0) return;
            const bool noRoute = cable && made.lengthMm == 0 && made.noRoute;
            const NoCableReason why = !cable ? kNoRow : noRoute ? kNoRoute : cabling.whyNone(s, *cable);
            const auto rule = s.links.rule[link];
            group = &groups[{rule ? (*rule).value : 0xFFFFFFFFu, noRoute, english.words(why.what)}];
            group->rule = rule;
            group->why = why;
            group->noRoute = noRoute;
            if (cable) {
                known[(*cable).value] = group;
                group->cables.push_back(*cable);
            }
        }
        group->links.push_back(link);
    });
    std::vector<Uncabled> result;
    for (auto& [key, group] : groups) result.push_back(std::move(group));
    return result;
}

Text tiersJoined(const Snapshot& s, Maybe<LinkRuleId> rule)
{
    return rule ? verbatim(s.tiers.name[s.linkRules.from[*rule]] + " – " + s.tiers.name[s.linkRules.to[*rule]]) : i18n("connected manually");
}

} // namespace hw
