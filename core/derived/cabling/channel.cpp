// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cabling/channel.h"

#include "core/derived/cabling/cable_index.h"
#include "core/derived/cabling/cable_reason.h"

namespace hw {

Channel channelOf(const Snapshot& s, const ProjectParts& parts, const Cabling& cabling, const FiberLoss& loss, CableId first)
{
    Channel channel;
    const auto& cable = cabling[first];
    const auto links = cabling.linksOf(first);
    channel.lengthMm = cable.lengthMm;
    if (!cable.type || links.empty() || cabling.isRun(first)) return channel;
    const CableSpec& cord = parts.cable(*cable.type);
    channel.medium = cord.medium;
    if (!cable.moduleFrom || !cable.moduleTo) return channel;
    const TransceiverSpec &a = parts.transceiver(*cable.moduleFrom), &b = parts.transceiver(*cable.moduleTo);
    const auto fiber = [&](const Cabling::Cable& own) {
        const std::string& medium = own.type ? parts.cable(*own.type).medium : cord.medium;
        channel.fiberMdb += FiberLoss::ofLength(loss.perKilometer(medium, a.signal), own.lengthMm);
    };
    fiber(cable);
    for (const RunId run : cabling.runs().of(links.front())) {
        const CableId id = s.runs.cable[run];
        fiber(cabling[id]);
        channel.lengthMm += cabling[id].lengthMm;
        ++channel.cables;
        ++channel.panels;
    }
    channel.jointsMdb = cabling.choice().keyOf(cabling.classOf(first)).jointsMdb + loss.atModules * loss.pair(a.connector);
    channel.budgetMdb = lossBudget(a, b, cord.medium);
    if (const auto reach = reachOver(cord, a, b); reach > 0) channel.reachMm = reach;
    return channel;
}

} // namespace hw
