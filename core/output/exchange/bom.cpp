// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exchange/bom.h"

#include "core/derived/cabling/uncabled.h"
#include "core/derived/figures/node_info.h"
#include "core/foundation/model/setting_values.h"
#include "core/foundation/money/price_book.h"
#include "core/output/exchange/bom_spares.h"
#include "core/output/exchange/supply_bill.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <tuple>

namespace hw {
namespace {

/// Adds lines to a bill, each at the price of its part.
class BomBuilder {
public:
    BomBuilder(const Snapshot& s, const ProjectParts& parts) : m_parts(parts), m_prices(s, parts), m_policy(SparesPolicy::of(s))
    {
        s.devices.forEach([&](DeviceId id) { m_tiers.try_emplace(s.devices.type[id], s.tiers.kind[s.devices.tier[id]]); });
        for (const PriceId id : m_prices.withoutRate()) m_bom.withoutRate.push_back(s.prices.part[id]);
        m_bom.currency = settingOf(s, "project.currency");
        m_bom.shippingPercent = numberSetting(s, "cost.shipping_percent");
        m_bom.installationPercent = numberSetting(s, "cost.installation_percent");
        m_bom.taxPercent = numberSetting(s, "cost.tax_percent");
        m_bom.sparesShare = m_policy.share;
    }

    /// `quantity` pieces of a length, or meters of what has none by itself.
    void add(Bom::Group group, PartTypeId type, std::int64_t quantity, std::int32_t lengthMm = 0, const CableOrder& order = {})
    {
        if (quantity == 0) return;
        put(group, type, quantity, lengthMm, order);
        if (group != Bom::Group::Trays) m_pieces[type].add(quantity, lengthMm);
    }

    /// What has no part type: at the price that somebody has for it, or in that of another part.
    void addSundry(const Sundry& sundry, std::int64_t quantity)
    {
        if (quantity == 0) return;
        const PartPrice price = m_prices.of(sundry.part);
        const bool contained = !price.known && !sundry.with.empty();
        const Text text = contained ? i18n("{}, included in the price of {}", sundry.description, sundry.with) : sundry.description;
        Bom::Line line{Bom::Group::Sundries, sundry.part, text, quantity, 0, price.of(0, quantity), price.of(0, quantity) * quantity,
                       price.confidence};
        line.system = sundry.system, line.unit = sundry.unit, line.priced = price.known || contained;
        line.trust = contained ? Trust::Published : price.trust;
        line.leadDays = price.leadDays, line.leadSource = price.leadSource, line.leadConfidence = price.leadConfidence;
        if (contained) line.with = sundry.with, line.confidence = Confidence::Derived;
        line.source = price.source, line.supplier = price.supplier, line.date = price.date;
        m_bom.lines.push_back(std::move(line));
    }

    void addSundries(const Sundries& sundries)
    {
        std::vector<std::int64_t> thousandths(sundries.kinds.size(), 0);
        for (const SundryNeed& need : sundries.needs) thousandths[need.sundry] += need.thousandths;
        for (std::size_t i = 0; i < thousandths.size(); ++i) addSundry(sundries.kinds[i], (thousandths[i] + 999) / 1000);
    }

    /// Of everything that states how often it fails; of cables the longest, which goes everywhere.
    void addSpares()
    {
        for (const auto& [type, pieces] : m_pieces) {
            const auto spares = m_policy.spares(m_parts[type].failuresPerYear.value, pieces.count, m_prices.of(type).leadDays);
            if (spares > 0) put(Bom::Group::Spares, type, spares, pieces.longestMm, {}, pieces.count);
        }
    }

    Bom take()
    {
        std::ranges::stable_sort(m_bom.lines, [](const Bom::Line& a, const Bom::Line& b) {
            return std::tie(a.group, a.part, a.lengthMm) < std::tie(b.group, b.part, b.lengthMm);
        });
        m_bom.close();
        return std::move(m_bom);
    }

private:
    struct Pieces {
        std::int64_t count = 0;
        std::int32_t longestMm = 0;
        void add(std::int64_t n, std::int32_t lengthMm) { count += n, longestMm = std::max(longestMm, lengthMm); }
    };

    /// `besides`: pieces that are bought with them, for prices by quantity.
    void put(Bom::Group group, PartTypeId type, std::int64_t quantity, std::int32_t lengthMm, const CableOrder& order = {}, std::int64_t besides = 0)
    {
        const Part& part = m_parts[type];
        const PartPrice price = m_prices.of(type);
        if (auto& names = m_bom.withoutRate; price.noRate && std::ranges::find(names, part.slug) == names.end()) names.push_back(part.slug);
        const Money each = group == Bom::Group::Trays ? price.ofMeter(quantity) : price.of(lengthMm, quantity + besides);
        const auto tier = m_tiers.find(type);
        Bom::Line line{group, part.slug, ordered(description(part, lengthMm), order), quantity, lengthMm, each, each * quantity, price.confidence};
        line.system = systemOf(part, tier == m_tiers.end() ? TierKind::Other : tier->second);
        line.priced = group == Bom::Group::Trays ? price.known : price.covers(lengthMm);
        line.trust = price.trust;
        line.leadDays = price.leadDays, line.leadSource = price.leadSource, line.leadConfidence = price.leadConfidence;
        line.source = price.source, line.supplier = price.supplier, line.date = price.date;
        m_bom.lines.push_back(std::move(line));
    }

    static Text description(const Part& part, std::int32_t lengthMm)
    {
        auto name = part.model;
        if (lengthMm > 0) name += fmt::format(", {:g} m", toMeters(Millimeters(lengthMm)));
        return part.description.empty() ? verbatim(name) : i18n("{} ({})", name, resourceText(part.description));
    }

    /// What of it is not laid.
    static Text ordered(Text text, const CableOrder& order)
    {
        if (order.spare > 0 && order.fill > 0) return i18n("{}, including {:L} spare and {:L} to fill packs", text, order.spare, order.fill);
        if (order.spare > 0) return i18n("{}, including {:L} spare", text, order.spare);
        if (order.fill > 0) return i18n("{}, including {:L} to fill packs", text, order.fill);
        return text;
    }

    const ProjectParts& m_parts;
    PriceBook m_prices;
    SparesPolicy m_policy;
    std::map<PartTypeId, TierKind> m_tiers;
    std::map<PartTypeId, Pieces> m_pieces;
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

void addTrays(BomBuilder& builder, const Trays& trays)
{
    std::map<PartTypeId, std::int64_t> millimeters;
    trays.forEach([&](TrayId id) {
        const double dx = trays.x2[id].count() - trays.x1[id].count(), dy = trays.y2[id].count() - trays.y1[id].count(),
                     dz = trays.z2[id].count() - trays.z1[id].count();
        millimeters[trays.type[id]] += std::llround(std::sqrt(dx * dx + dy * dy + dz * dz)) * trays.count[id];
    });
    for (const auto& [type, length] : millimeters) builder.add(Bom::Group::Trays, type, (length + 999) / 1000);
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
    case Bom::Group::Sundries: return "sundries";
    case Bom::Group::Spares: return "spares";
    case Bom::Group::Charges: return "charges";
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
    case Bom::Group::Sundries: return i18n("accessories");
    case Bom::Group::Spares: return i18n("spares");
    case Bom::Group::Charges: return i18n("charges");
    }
    return {};
}

Text leftOutText(const Bom::LeftOut& out)
{
    return i18np(out.links, "{} link {} without a cable and modules: {}; {}", "{} links {} without cables and modules: {}; {}", out.between,
                 out.reason, out.todo);
}

std::string_view bomUnit(const Bom::Line& line)
{
    return line.group == Bom::Group::Trays ? "m" : line.group == Bom::Group::Charges ? "lot" : wordOf(line.unit);
}

std::vector<std::string> Bom::unpricedParts() const
{
    std::vector<std::string> slugs;
    for (const auto& line : lines)
        if (!line.priced && std::ranges::find(slugs, line.part) == slugs.end()) slugs.push_back(line.part);
    return slugs;
}

Money Bom::goods() const
{
    Money sum;
    for (const auto& line : lines)
        if (line.group != Group::Charges) sum += line.sum;
    return sum;
}

namespace {

/// Of goods of this worth.
struct Charges {
    Money installation, shipping, tax;
    static Charges on(const Bom& bom, Money goods)
    {
        const auto share = [](Money sum, double percent) { return Money(std::llround(double(sum.count()) * percent / 100)); };
        const Money installation = share(goods, bom.installationPercent), shipping = share(goods, bom.shippingPercent);
        return {installation, shipping, share(goods + installation + shipping, bom.taxPercent)};
    }
};

} // namespace

void Bom::close(Money before)
{
    std::erase_if(lines, [](const Line& line) { return line.group == Group::Charges; });
    const Money sum = goods();
    const Charges now = Charges::on(*this, before + sum), then = Charges::on(*this, before);
    const auto charge = [&](const char* part, const Text& description, double percent, Money amount) {
        if (amount.count() == 0) return;
        Line line{Group::Charges, part, i18n("{}, {:g} %", description, percent), 1, 0, amount, amount, Confidence::Derived};
        line.priced = true, line.trust = Trust::Published;
        lines.push_back(std::move(line));
    };
    charge("installation", i18n("installation labor"), installationPercent, now.installation - then.installation);
    charge("shipping", i18n("shipping"), shippingPercent, now.shipping - then.shipping);
    charge("tax", i18n("tax"), taxPercent, now.tax - then.tax);
    total = assumed = Money(), unpriced = 0;
    for (const auto& line : lines) {
        total += line.sum;
        if (line.confidence == Confidence::Assumed) assumed += line.sum;
        unpriced += !line.priced;
    }
    if (sum.count() > 0 && total != sum) // charges on guesses are guesses
        assumed = Money(std::llround(double(assumed.count()) * double(total.count()) / double(sum.count())));
}

Text chargesText(const Bom& bom)
{
    if (bom.shippingPercent == 0 && bom.installationPercent == 0 && bom.taxPercent == 0)
        return i18n("Excludes shipping, installation labor and tax: cost.shipping_percent and related settings are 0.");
    return i18n("Includes {:g} % shipping, {:g} % installation labor and {:g} % tax.", bom.shippingPercent, bom.installationPercent, bom.taxPercent);
}

std::shared_ptr<const Bom> BomNode::compute(const Now<BomNode>& now)
{
    const Snapshot& s = now.snapshot();
    const auto& parts = now.get<PartsNode>();
    const auto& cabling = now.get<CablingNode>();
    BomBuilder builder(s, parts);
    std::int64_t labels = 0;
    for (const auto& [type, count] : countByType(s.racks)) builder.add(Bom::Group::Racks, type, count), labels += count;
    for (const auto& [type, count] : countByType(s.devices)) // a feed of the utility is not bought
        if (parts.device(type).power.element != PowerElement::Utility) builder.add(Bom::Group::Devices, type, count), labels += count;
    for (const auto& [type, count] : cabling.transceivers()) // engines that are part of their device are not bought
        if (!isBuiltIn(parts.transceiver(type))) builder.add(Bom::Group::Transceivers, type, count);
    for (const auto& [key, order] : cableOrders(s, parts, cabling, now.get<RoutingNode>()))
        builder.add(Bom::Group::Cables, key.type, order.bought(), key.lengthMm, order), labels += labelsOf(order.laid);
    for (const SupplyNeed& need : supplyNeeds(now.get<SupplyNode>(), now.get<CordsNode>())) {
        builder.add(need.lengthMm > 0 ? Bom::Group::Cables : Bom::Group::Devices, need.type, need.quantity, need.lengthMm);
        labels += need.lengthMm > 0 ? labelsOf(need.quantity) : need.quantity;
    }
    addTrays(builder, s.trays);
    builder.addSundries(
        sundriesOf({s, parts, now.get<PlacementNode>(), now.get<SupplyNode>(), now.get<MediumNode<Medium::Coolant>>(), now.get<CoolingChainNode>()}));
    builder.addSundry(labelSundry(), labels);
    builder.addSpares();
    auto bom = std::make_shared<Bom>(builder.take());
    for (const auto& gap : now.get<UncabledNode>())
        bom->leftOut.push_back(
            {tiersJoined(s, gap.rule), gap.why.what, gap.why.todo, std::int64_t(gap.links.size()), std::int64_t(gap.cables.size())});
    return bom;
}

template const NodeInfo& nodeInfo<BomNode>();

} // namespace hw
