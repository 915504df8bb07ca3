// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/lifecycle/power_items.h"

#include <algorithm>
#include <map>

namespace hw {

namespace {

PowerItem itemOf(const Part& part)
{
    if (const auto* cable = std::get_if<CableSpec>(&part.spec)) return cable->connector.starts_with("iec-") ? PowerItem::Racks : PowerItem::Feeders;
    const auto* device = std::get_if<DeviceSpec>(&part.spec);
    if (!device) return PowerItem::Other;
    switch (device->power.element) {
    case PowerElement::Generator: return PowerItem::Generators;
    case PowerElement::Ups: return PowerItem::Ups;
    case PowerElement::Switchboard: return PowerItem::Switchboards;
    case PowerElement::Switchgear: return PowerItem::Switchgear;
    case PowerElement::Transformer: return PowerItem::Transformers;
    case PowerElement::StaticSwitch: return PowerItem::StaticSwitches;
    case PowerElement::Busway: return PowerItem::Busways;
    case PowerElement::Pdu:
    case PowerElement::Shelf: return PowerItem::Racks;
    case PowerElement::Utility: return PowerItem::Other;
    case PowerElement::None: return device->interfaces.empty() && !device->outlets.empty() ? PowerItem::Busways : PowerItem::Other; // tap-off boxes
    }
    return PowerItem::Other;
}

} // namespace

Text powerItemText(PowerItem item)
{
    switch (item) {
    case PowerItem::Generators: return i18n("generator sets");
    case PowerItem::Ups: return i18n("UPS with batteries");
    case PowerItem::Switchboards: return i18n("LV switchboards");
    case PowerItem::Switchgear: return i18n("MV switchgear");
    case PowerItem::Transformers: return i18n("transformers");
    case PowerItem::Busways: return i18n("busways, tap-offs");
    case PowerItem::StaticSwitches: return i18n("static transfer switches");
    case PowerItem::Feeders: return i18n("feeder cables");
    case PowerItem::Other: return i18n("other");
    case PowerItem::Racks: return i18n("rack PDUs, power shelves, cords");
    case PowerItem::Spares: return i18n("spares");
    }
    return {};
}

std::vector<PowerItemCost> powerItems(const Figures& figures, const Bom& bom)
{
    std::map<PowerItem, Money> sums;
    for (const Bom::Line& line : bom.lines) {
        if (line.system != CostSystem::Power || line.group == Bom::Group::Charges) continue;
        const auto type = line.group == Bom::Group::Sundries ? std::nullopt : figures.parts->find(line.part);
        sums[line.spare() ? PowerItem::Spares : type ? itemOf((*figures.parts)[*type]) : PowerItem::Other] += line.sum;
    }
    std::vector<PowerItemCost> out;
    for (const auto& [item, sum] : sums)
        if (sum.count() > 0) out.push_back({item, sum});
    std::ranges::stable_sort(out, std::ranges::greater(), [](const PowerItemCost& item) { return item.sum.count(); });
    return out;
}

double publishedShare(const std::vector<PowerItemCost>& items)
{
    double all = 0, inside = 0;
    for (const PowerItemCost& item : items) all += toCurrency(item.sum), inside += item.published() ? toCurrency(item.sum) : 0;
    return all > 0 ? inside / all : 1;
}

} // namespace hw
