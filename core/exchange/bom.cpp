// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/bom.h"

#include "core/derive/uncabled.h"
#include "core/exchange/bom_spares.h"
#include "core/exchange/supply_bill.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <tuple>

namespace hw {
namespace {

/// Adds lines to a bill and its sums.
class BomBuilder {
public:
    explicit BomBuilder(const ProjectParts& parts) : m_parts(parts) {}

    void add(Bom::Group group, PartTypeId type, std::int64_t quantity, const Fact<Money>& price, std::int32_t lengthMm = 0,
             const CableOrder& order = {})
    {
        if (quantity == 0) return;
        const Part& part = m_parts[type];
        Bom::Line line{
            group, part.slug, ordered(description(part, lengthMm), order), quantity, lengthMm, price.value, price.value * quantity, price.confidence};
        m_bom.total += line.sum;
        if (price.assumed()) m_bom.assumed += line.sum;
        if (line.unitPrice.count() == 0) ++m_bom.unpriced;
        m_bom.lines.push_back(std::move(line));
    }

    Bom take()
    {
        std::ranges::stable_sort(m_bom.lines, [](const Bom::Line& a, const Bom::Line& b) {
            return std::tie(a.group, a.part, a.lengthMm) < std::tie(b.group, b.part, b.lengthMm);
        });
        return std::move(m_bom);
    }

private:
    static Text description(const Part& part, std::int32_t lengthMm)
    {
        auto name = part.model;
        if (lengthMm > 0) name += fmt::format(", {:g} m", toMetres(Millimetres(lengthMm)));
        return part.description.empty() ? verbatim(name) : i18n("{} ({})", name, resourceText(part.description));
    }

    /// What of it is not laid.
    static Text ordered(Text text, const CableOrder& order)
    {
        if (order.spare > 0 && order.fill > 0) return i18n("{}, of them {:L} spare and {:L} to fill packs", text, order.spare, order.fill);
        if (order.spare > 0) return i18n("{}, of them {:L} spare", text, order.spare);
        if (order.fill > 0) return i18n("{}, of them {:L} to fill packs", text, order.fill);
        return text;
    }

    const ProjectParts& m_parts;
    Bom m_bom;
};

/// Living rows per part type.
template <class Table>
std::map<PartTypeId, std::int64_t> countByType(const Table& table)
{
    std::map<PartTypeId, std::int64_t> counts;
    table.forEach([&](auto id) { ++counts[table.type[id]]; });
    return counts;
}

void addTrays(BomBuilder& builder, const Trays& trays, const ProjectParts& parts)
{
    std::map<PartTypeId, std::int64_t> millimetres;
    trays.forEach([&](TrayId id) {
        const double dx = trays.x2[id].count() - trays.x1[id].count(), dy = trays.y2[id].count() - trays.y1[id].count(),
                     dz = trays.z2[id].count() - trays.z1[id].count();
        millimetres[trays.type[id]] += std::llround(std::sqrt(dx * dx + dy * dy + dz * dz)) * trays.count[id];
    });
    for (const auto& [type, length] : millimetres) builder.add(Bom::Group::Trays, type, (length + 999) / 1000, parts.tray(type).pricePerMetre);
}

} // namespace

std::string_view bomGroupName(Bom::Group group)
{
    switch (group) {
    case Bom::Group::Racks: return "racks";
    case Bom::Group::Devices: return "devices";
    case Bom::Group::Transceivers: return "transceivers";
    case Bom::Group::Cables: return "cables";
    case Bom::Group::Trays: return "trays";
    }
    return {};
}

std::int64_t Bom::linksLeftOut() const
{
    std::int64_t links = 0;
    for (const auto& out : leftOut) links += out.links;
    return links;
}

Text bomGroupText(Bom::Group group)
{
    switch (group) {
    case Bom::Group::Racks: return i18n("racks");
    case Bom::Group::Devices: return i18n("devices");
    case Bom::Group::Transceivers: return i18n("transceivers");
    case Bom::Group::Cables: return i18n("cables");
    case Bom::Group::Trays: return i18n("trays");
    }
    return {};
}

Text leftOutText(const Bom::LeftOut& out)
{
    return i18np(out.links, "{} link {} without cable and modules: {}; {}", "{} links {} without cable and modules: {}; {}", out.between, out.reason,
                 out.todo);
}

std::shared_ptr<const Bom> BomNode::compute(const Now<BomNode>& now)
{
    const Snapshot& s = now.snapshot();
    const auto& parts = now.get<PartsNode>();
    const auto& cabling = now.get<CablingNode>();
    BomBuilder builder(parts);
    for (const auto& [type, count] : countByType(s.racks)) builder.add(Bom::Group::Racks, type, count, parts.rack(type).price);
    for (const auto& [type, count] : countByType(s.devices)) // a feed of the utility is not bought
        if (parts.device(type).power.element != PowerElement::Utility) builder.add(Bom::Group::Devices, type, count, parts.device(type).price);
    for (const auto& [type, count] : cabling.transceivers()) // engines that are part of their device are not bought
        if (!isBuiltIn(parts.transceiver(type))) builder.add(Bom::Group::Transceivers, type, count, parts.transceiver(type).price);
    const auto addCables = [&](PartTypeId type, std::int64_t count, std::int32_t lengthMm, const CableOrder& order = {}) {
        const auto& cable = parts.cable(type);
        Fact<Money> price = cable.priceFixed;
        price.value += Money((cable.pricePerMetre.value.count() * lengthMm + 500) / 1000);
        if (cable.pricePerMetre.assumed()) price.confidence = Confidence::Assumed;
        builder.add(Bom::Group::Cables, type, count, price, lengthMm, order);
    };
    for (const auto& [key, order] : cableOrders(s, parts, cabling, now.get<RoutingNode>())) addCables(key.type, order.bought(), key.lengthMm, order);
    for (const SupplyNeed& need : supplyNeeds(now.get<SupplyNode>(), now.get<CordsNode>())) {
        if (need.lengthMm > 0)
            addCables(need.type, need.quantity, need.lengthMm);
        else
            builder.add(Bom::Group::Devices, need.type, need.quantity, parts.device(need.type).price);
    }
    addTrays(builder, s.trays, parts);
    auto bom = std::make_shared<Bom>(builder.take());
    for (const auto& gap : now.get<UncabledNode>())
        bom->leftOut.push_back(
            {tiersJoined(s, gap.rule), gap.why.what, gap.why.todo, std::int64_t(gap.links.size()), std::int64_t(gap.cables.size())});
    bom->currency = s.setting("project.currency", "USD");
    return bom;
}

} // namespace hw
