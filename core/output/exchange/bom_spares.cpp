// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exchange/bom_spares.h"

#include "core/foundation/model/setting_values.h"

#include <cmath>

namespace hw {

CableOrdering CableOrdering::of(const Snapshot& s)
{
    return {numberSetting(s, "cabling.spare_percent"), settingOf(s, "cabling.spares_per") == "racks",
            std::max<std::int64_t>(1, std::int64_t(numberSetting(s, "cabling.pack_size")))};
}

std::map<Cabling::TypeLength, CableOrder> cableOrders(const Snapshot& s, const ProjectParts& parts, const Cabling& cabling, const Routing& routing)
{
    const CableOrdering how = CableOrdering::of(s);
    const auto spares = [&](std::int64_t laid) { return std::int64_t(std::ceil(double(laid) * how.sparePercent / 100 - 1e-9)); };
    std::map<Cabling::TypeLength, CableOrder> orders;
    for (const auto& [key, laid] : cabling.physicalByTypeLength()) orders[key] = {laid, how.perRacks ? 0 : spares(laid), 0};
    if (how.perRacks && how.sparePercent > 0) {
        // What runs within one rack is a pair of its own, all of them together.
        std::map<std::pair<std::uint32_t, Cabling::TypeLength>, std::int64_t> byPair;
        s.cables.forEach([&](CableId id) {
            const auto& cable = cabling[id];
            if (cable.type && cable.lengthMm > 0 && !cable.partOf) ++byPair[{routing.pairOf(id), {*cable.type, cable.lengthMm}}];
        });
        for (const auto& [key, laid] : byPair)
            if (const auto order = orders.find(key.second); order != orders.end()) order->second.spare += spares(laid);
    }
    for (auto& [key, order] : orders) {
        const std::int64_t pack = parts.cable(key.type).positions > 1 ? 1 : how.pack;
        order.fill = (pack - (order.laid + order.spare) % pack) % pack;
    }
    return orders;
}

} // namespace hw
