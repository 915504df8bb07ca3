// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/parts_of_size.h"

#include "core/design/layout/layout.h"
#include "core/design/template/spec.h"
#include "core/foundation/settings/registry.h"
#include "core/output/report/report.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

namespace hw::sizing {

namespace {

/// What holds for a setting in a design of this template.
std::string settingOf(const Template& design, const std::string& key)
{
    for (const auto& [name, value] : design.spec().settings)
        if (name == key) return value;
    return defaultOf(key);
}

double numberSetting(const Template& design, const std::string& key)
{
    for (const std::string& text : {settingOf(design, key), defaultOf(key)}) {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        if (!text.empty() && *end == '\0' && value >= 0) return value;
    }
    return 0;
}

SiteSupply supplyOf(const Template& design, const Catalog& catalog)
{
    SiteSupply out;
    out.station = {std::llround(numberSetting(design, "site.substation_transformers")), std::llround(numberSetting(design, "site.substation_spare")),
                   numberSetting(design, "site.substation_mva"), numberSetting(design, "site.power_factor")};
    if (const Part* feed = catalog.find(layout::Options().utility); feed && out.station.powerFactor > 0)
        out.feedMva = toWatts(std::get<DeviceSpec>(feed->spec).capacity.value) / 1e6 / out.station.powerFactor;
    return out;
}

PowerBasis basisOf(const Template& design) { return powerBasisFromName(settingOf(design, "site.power_basis")).value_or(PowerBasis::Design); }

bool drawsPower(const TemplateCount::Tier& tier) { return tier.kind != TierKind::Power && tier.kind != TierKind::Cooling; }

const DeviceSpec& deviceOf(const Catalog& catalog, const std::string& slug) { return std::get<DeviceSpec>(catalog.find(slug)->spec); }

const std::string& networkOf(const TemplateCount& count, const TemplateCount::Rule& rule)
{
    return count.tiers[rule.from].ports[rule.fromGroup].network;
}

/// As FabricFigures: capacity between levels, and the access capacity over the narrowest level above.
class Capacity {
public:
    Capacity(const TemplateCount& count, const std::string& network)
    {
        for (const auto& rule : count.rules) {
            if (rule.medium != Medium::Data || rule.links == 0 || rule.role == LinkRole::Backup || networkOf(count, rule) != network) continue;
            std::size_t low = rule.from, high = rule.to;
            if (count.tiers[low].level == count.tiers[high].level) continue;
            if (count.tiers[low].level > count.tiers[high].level) std::swap(low, high);
            const std::int64_t gbps = rule.links * rule.rate.count();
            if (count.tiers[high].kind != TierKind::Server) down[high] += gbps;
            if (count.tiers[low].kind == TierKind::Server)
                access += gbps;
            else
                up[low] += gbps, upOfLevel[count.tiers[low].level] += gbps;
        }
    }
    [[nodiscard]] double endToEnd() const
    {
        std::int64_t narrowest = access;
        bool first = true;
        for (const auto& [level, gbps] : upOfLevel) narrowest = std::exchange(first, false) ? gbps : std::min(narrowest, gbps);
        return narrowest > 0 ? double(access) / double(narrowest) : 1.0;
    }
    [[nodiscard]] double ofTier(std::size_t tier) const
    {
        const auto d = down.find(tier), u = up.find(tier);
        return d == down.end() || u == up.end() || u->second == 0 ? 1.0 : double(d->second) / double(u->second);
    }
    std::map<std::size_t, std::int64_t> down, up; ///< by tier
    std::map<int, std::int64_t> upOfLevel;
    std::int64_t access = 0;
};

/// 16-bit dense rate of an accelerator: the catalog writes it as fp16, bf16 or both.
double teraflopsOf(const DeviceSpec& spec)
{
    for (const auto* precision : {"fp16", "bf16"})
        if (const auto found = spec.teraflops.find(precision); found != spec.teraflops.end()) return found->second.value;
    return 0;
}

void fillCounts(const TemplateCount& count, const Catalog& catalog, SizedDesign& out)
{
    out.accelerators = count.activeAccelerators, out.backupAccelerators = count.backupAccelerators;
    out.servers = count.servers(DeviceRole::Active), out.backupServers = count.servers(DeviceRole::Backup);
    std::map<std::string, std::int64_t> types;
    for (const auto& tier : count.tiers)
        for (const auto& devices : tier.devices) {
            if (tier.kind == TierKind::Server && devices.role == DeviceRole::Active)
                types[devices.type] += devices.count * std::max(deviceOf(catalog, devices.type).accelerators, 1);
            if (tier.kind == TierKind::Switch) out.switchesOfAll += devices.count;
        }
    std::int64_t most = 0;
    for (const auto& [type, n] : types)
        if (n > most) most = n, out.serverType = type;
    if (!out.serverType.empty())
        out.teraflops = teraflopsOf(deviceOf(catalog, out.serverType)), out.acceleratorClass = deviceOf(catalog, out.serverType).acceleratorClass;
    out.buildings = count.podBuildings;
    out.siteLimit = count.podLimit;
}

void fillTiers(const TemplateCount& count, SizedDesign& out)
{
    const Capacity capacity(count, out.network);
    out.oversubscription = capacity.endToEnd();
    out.accessGbps = count.activeAccelerators ? double(capacity.access) / double(count.activeAccelerators) : 0.0;
    for (std::size_t t = 0; t < count.tiers.size(); ++t) {
        const auto& tier = count.tiers[t];
        if (tier.kind != TierKind::Switch || tier.network != out.network || tier.devices.empty()) continue;
        const auto most = std::max_element(tier.devices.begin(), tier.devices.end(), [](const auto& a, const auto& b) { return a.count < b.count; });
        out.tiers.push_back({tier.name, tier.label, most->type, tier.level, tier.total(), capacity.ofTier(t)});
        out.switches += tier.total();
        for (const auto& ports : tier.ports)
            if (ports.medium == Medium::Data && ports.network == out.network && ports.total > 0)
                out.ports.push_back({tier.name, ports.role, ports.rate, ports.total, ports.used});
    }
    std::stable_sort(out.tiers.begin(), out.tiers.end(), [](const SizedTier& a, const SizedTier& b) { return a.level < b.level; });
}

/// Servers and the sized network's switches; `everything` also what the template has besides.
void fillPower(const TemplateCount& count, const Catalog& catalog, SizedDesign& out)
{
    for (const auto& tier : count.tiers) {
        if (!drawsPower(tier)) continue;
        const bool own = tier.kind == TierKind::Server || (tier.kind == TierKind::Switch && tier.network == out.network);
        for (const auto& devices : tier.devices) {
            const auto& spec = deviceOf(catalog, devices.type);
            const std::array<Milliwatts, kPowerBases> draw{spec.typical.value, spec.design.value, spec.nameplate.value};
            for (std::size_t b = 0; b < kPowerBases; ++b) {
                out.powerOfAll[b] += draw[b] * devices.count;
                if (own) out.power[b] += draw[b] * devices.count;
            }
            if (!own) continue;
            const Money sum = spec.price.value * devices.count;
            out.price.total += sum;
            if (spec.price.assumed()) out.price.assumed += sum;
        }
    }
}

/// Racks, and the halls of the pod buildings.
void fillPlaces(const TemplateCount& count, const Snapshot& places, SizedDesign& out)
{
    out.racksEstimated = count.laidOut;
    out.racks = std::int64_t(places.racks.size());
    places.buildings.forEach([&](BuildingId id) { out.buildings += count.laidOut && places.buildings.kind[id] == BuildingKind::Pod; });
    places.halls.forEach([&](HallId id) {
        if (places.buildings.kind[places.halls.building[id]] != BuildingKind::Pod) return;
        const double x = double(places.halls.sizeX[id].count()) / 1000, y = double(places.halls.sizeY[id].count()) / 1000;
        out.hallsM.push_back({std::max(x, y), std::min(x, y)});
    });
}

/// Sums of every network's optics go to `powerOfAll`; those of the sized one to the rest, too.
void fillCables(const Template& design, TemplateCounter& counter, const LengthModel& lengths, const TemplateCount& count, const Catalog& catalog,
                const CableParts& parts, SizedDesign& out)
{
    const double slack = numberSetting(design, "cabling.slack_percent");
    const auto counts = [&](std::size_t tier) {
        const auto& devices = count.tiers[tier].devices;
        return drawsPower(count.tiers[tier]) && !devices.empty() && !deviceOf(catalog, devices.front().type).opticsIncluded;
    };
    for (std::size_t r = 0; r < count.rules.size(); ++r) {
        const auto& rule = count.rules[r];
        if (rule.medium != Medium::Data || rule.links == 0) continue;
        const bool own = networkOf(count, rule) == out.network;
        CableEstimate unused;
        Cost cost;
        std::optional<PanelsOfRule> panels;
        if (own && rule.panels) panels = panelsOfRule(counter, count, r, lengths.site(), catalog);
        estimateRule(count, r, lengths, parts, slack, counts(rule.from), counts(rule.to), panels, own ? out.cabling : unused, cost);
        for (std::size_t b = 0; b < kPowerBases; ++b) {
            out.powerOfAll[b] += cost.optics[b];
            if (own) out.power[b] += cost.optics[b];
        }
        if (!own) continue;
        out.links += rule.links;
        if (panels) out.panels += panels->panels;
        out.price.total += cost.cables.total, out.price.assumed += cost.cables.assumed, out.price.estimated += cost.cables.estimated;
    }
    for (const auto& [part, n] : out.cabling.cables) out.cables += n;
}

} // namespace

std::string sizedNetwork(const Template& design, const TemplateCount& count)
{
    if (const auto found = design.spec().sizing.fields.find("network"); found != design.spec().sizing.fields.end()) return found->second.text;
    std::set<std::string> linked;
    for (const auto& rule : count.rules)
        if (rule.medium == Medium::Data && rule.links > 0 && count.tiers[rule.from].kind == TierKind::Server) linked.insert(networkOf(count, rule));
    std::string first;
    for (const auto& network : count.networks) {
        if (!linked.contains(network.name)) continue;
        if (network.kind == NetworkKind::Backend) return network.name;
        if (first.empty()) first = network.name;
    }
    return first;
}

Result<SizedDesign> describe(const Template& design, TemplateCounter& counter, const TemplateCount& count, const Catalog& catalog,
                             const CableParts& parts, const std::optional<HallRoom>& room)
{
    SizedDesign out;
    out.templateName = design.name();
    out.title = design.title();
    out.parameters = count.parameters;
    for (const auto& p : design.parameters()) out.parameterTexts[p.name] = p.textOf(count.parameters.at(p.name));
    out.network = sizedNetwork(design, count);
    for (const auto& network : count.networks)
        if (network.name == out.network) out.planes = network.planes, out.rails = network.rails, out.railsApart = network.railsApart;
    out.basis = basisOf(design);
    out.pue = out.constantPue = std::max(1.0, numberSetting(design, "site.pue"));
    out.supply = supplyOf(design, catalog);
    out.currency = settingOf(design, "project.currency");
    fillCounts(count, catalog, out);
    fillTiers(count, out);
    fillPower(count, catalog, out);
    std::vector<bool> own;
    for (const auto& rule : count.rules) own.push_back(rule.links > 0 && networkOf(count, rule) == out.network);
    const auto lengths = LengthModel::make(counter, count, own, std::int32_t(std::lround(numberSetting(design, "cabling.service_loop_mm"))), room);
    if (!lengths) return tl::unexpected(lengths.error());
    fillPlaces(count, lengths->places(), out);
    fillCables(design, counter, *lengths, count, catalog, parts, out);
    out.campusIt = out.powerOfAll[std::size_t(out.basis)];
    out.facility = Milliwatts(std::llround(out.pue * double(out.campusIt.count())));
    out.failure = failureImpact(counter, count, out.network);
    out.schedulers = passedSchedulerLimits(out.servers + out.backupServers);
    return out;
}

Text grouped(std::int64_t value) { return i18n("{:L}", value); }

Text powerText(double watts) { return watts >= 1e6 ? i18n("{:.2f} MW", watts / 1e6) : i18n("{:.1f} kW", watts / 1e3); }

Text moneyText(double amount)
{
    if (amount >= 1e9) return i18n("{:.2f} B", amount / 1e9);
    if (amount >= 1e6) return i18n("{:.1f} M", amount / 1e6);
    return grouped(std::int64_t(amount));
}

} // namespace hw::sizing
