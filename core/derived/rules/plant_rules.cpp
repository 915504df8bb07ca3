// SPDX-License-Identifier: GPL-3.0-or-later
// P7 to P12: UPS, batteries, generators, transformers, job steps, the utility's contract.
#include "core/derived/figures/substations.h"
#include "core/derived/rules/power_view.h"
#include "core/foundation/model/setting_values.h"
#include "core/physics/power/battery.h"

#include <algorithm>
#include <cmath>

namespace hw::rules {

namespace {

/// What the worst load comes with.
Text lossText(const PowerView& v, DeviceId id)
{
    const auto lost = v.worst().lost(id);
    return lost ? i18n("after loss of {}", v.name(*lost)) : i18n("in normal operation");
}

std::int64_t permille(const Fact<std::int32_t>& fact, std::int64_t fallback) { return fact.value > 0 ? fact.value : fallback; }

} // namespace

std::vector<Finding> upsLoad(const RuleInput& input)
{
    const PowerView v(input);
    const double advised = input.threshold(kUpsAdvised) / 100;
    Groups groups(input, "P7");
    v.s.devices.forEach([&](DeviceId id) {
        if (!v.isPower(id) || v.element(id) != PowerElement::Ups) return;
        const DeviceSpec& spec = v.spec(id);
        const Rating rating = ratingOf(spec, 1, 1); // its output: kVA are kW at the power factor of what it feeds
        const double load = double(v.worst().through(id).count()), apparent = load / v.powerFactor;
        const double share = std::max(spec.capacity.value.count() > 0 ? load / double(spec.capacity.value.count()) : 0,
                                      spec.power.apparent.value.count() > 0 ? apparent / double(spec.power.apparent.value.count()) : 0);
        if (rating.real.count() <= 0 || share <= advised) return;
        const bool over = share > 1;
        groups.add((over ? "over|" : "near|") + v.like(id), ref(id), over ? Severity::Error : Severity::Warning, share, [&] {
            return i18n("{} carries {} ({:.0f} % of its rating) {} ({} basis)", v.name(id), powerText(v.worst().through(id)), 100 * share,
                        lossText(v, id), powerBasisName(input.basis));
        });
    });
    return groups.findings();
}

std::vector<Finding> batteryRuntime(const RuleInput& input)
{
    const PowerView v(input);
    const double wanted = std::max(input.threshold(kBatteryMinutes), numberSetting(v.s, "impact.generator_start_s") / 60),
                 depth = input.threshold(kBatteryDepth) / 100;
    Groups groups(input, "P8");
    v.s.devices.forEach([&](DeviceId id) {
        if (!v.isPower(id) || v.element(id) != PowerElement::Ups) return;
        const PowerSpec& ups = v.spec(id).power;
        const Milliwatts load = v.worst().through(id);
        if (ups.battery.value.count() <= 0) {
            groups.add("unstated|" + v.like(id), ref(id), Severity::Info, 0,
                       [&] { return i18n("battery energy of {} not specified: autonomy unknown", v.name(id)); });
            return;
        }
        if (load.count() <= 0) return;
        const double health = double(permille(ups.endOfLifePermille, 800)) / 1000;
        const Milliwatts drain = power::batteryDrain(v.chain.network[id.value].loss, load);
        const double most = double(ups.battery.value.count()) * numberSetting(v.s, "power.battery_kw_per_kwh");
        if (most > 0 && double(drain.count()) > most)
            groups.add("power|" + v.like(id), ref(id), Severity::Warning, double(drain.count()) / most, [&] {
                return i18n("the battery of {} delivers up to {} regardless of stored energy, but the worst-case load is {}: add "
                            "battery cabinets to share the load",
                            v.name(id), powerText(Milliwatts(std::llround(most))), powerText(drain));
            });
        const double minutes = double(power::usableEnergy(ups.battery.value, {health, depth})) / double(drain.count()) / 60'000;
        if (minutes >= wanted) return;
        groups.add(v.like(id), ref(id), Severity::Warning, -minutes, [&] {
            return i18n("battery autonomy of {}: {:.1f} min at end of life with {} ({:.0f} kWh new, {:.0f} % remaining), required {:.1f} min",
                        v.name(id), minutes, powerText(load), double(ups.battery.value.count()) / 1e6, 100 * health, wanted);
        });
    });
    return groups.findings();
}

namespace {

/// The chain with no utility: what sets then carry.
power::Flow withoutUtilities(const PowerView& v)
{
    std::vector<power::Index> lost;
    v.s.devices.forEach([&](DeviceId id) {
        if (v.isPower(id) && v.element(id) == PowerElement::Utility) lost.push_back(id.value);
    });
    return power::flowOf(v.chain.network, lost);
}

/// Of every element's load, the shares that no UPS softens when a generator takes over: what returns at once, and cooling, which restarts in steps;
/// and the largest single consumer of cooling, mW.
struct BareLoad {
    std::vector<double> share, cooling, largest;
};
BareLoad loadWithoutUps(const PowerView& v, const power::Flow& flow)
{
    const auto& network = v.chain.network;
    BareLoad out;
    out.share.assign(network.size(), 0), out.cooling = out.largest = out.share;
    std::vector<double> bare(network.size(), 0), cold(network.size(), 0), largest(network.size(), 0);
    for (const auto i : network.order()) { // consumers first
        const DeviceId id(i);
        if (!v.s.devices.contains(id)) continue;
        const auto draw = double(network[i].draw.count());
        if (v.kind(id) == TierKind::Cooling)
            cold[i] += draw, largest[i] = std::max(largest[i], draw);
        else
            bare[i] += draw;
        const double through = double(flow.through[i].total().count());
        if ((v.isPower(id) && v.element(id) == PowerElement::Ups) || through <= 0) continue;
        out.share[i] = std::min(1.0, bare[i] / through), out.cooling[i] = std::min(1 - out.share[i], cold[i] / through);
        out.largest[i] = largest[i];
        for (std::size_t f = 0; f < network.feeds(i).size(); ++f) {
            const auto from = network.feeds(i)[f].from;
            const double comes = double(flow.shares[network.firstFeed(i) + f].total().count());
            bare[from] += out.share[i] * comes, cold[from] += out.cooling[i] * comes;
            largest[from] = std::max(largest[from], std::min(out.cooling[i] * comes, largest[i]));
        }
    }
    return out;
}

/// Generators that feed the same equipment run together.
std::map<std::vector<power::Index>, std::vector<DeviceId>> generatorGroups(const PowerView& v)
{
    std::map<std::vector<power::Index>, std::vector<DeviceId>> groups;
    v.s.devices.forEach([&](DeviceId id) {
        if (!v.isPower(id) || v.element(id) != PowerElement::Generator) return;
        std::vector<power::Index> feeds;
        for (const auto& use : v.chain.network.uses(id.value)) feeds.push_back(use.consumer);
        std::ranges::sort(feeds);
        if (!feeds.empty()) groups[std::move(feeds)].push_back(id);
    });
    return groups;
}

/// What a group of generators carries at worst: one of them takes all in a chain that uses its first way, each its part in a shared one.
/// The worst of any single loss, and of the loss of all utilities.
Milliwatts groupLoad(const PowerView& v, const power::Flow& alone, power::Index consumer, const std::vector<DeviceId>& group)
{
    Milliwatts most, sum, all;
    for (const DeviceId id : group) {
        const Milliwatts load = std::max(v.worst().through(id), alone.through[id.value].total());
        most = std::max(most, load);
        sum += v.worst().through(id), all += alone.through[id.value].total();
    }
    sum = std::max(sum, all);
    return v.chain.network[consumer].intake == power::Intake::Transfer ? most : sum;
}

} // namespace

std::vector<Finding> generatorLoad(const RuleInput& input)
{
    const PowerView v(input);
    Groups groups(input, "P9");
    const auto all = generatorGroups(v);
    if (all.empty()) return {};
    const double step = input.threshold(kGeneratorStep) / 100, allowed = input.threshold(kGeneratorShare) / 100;
    const power::Flow alone = withoutUtilities(v);
    const BareLoad bare = loadWithoutUps(v, alone);
    const double stages = std::max(1.0, input.threshold(kGeneratorStages));
    for (const auto& [consumers, group] : all) {
        const DeviceId first = group.front();
        const Rating one = ratingOf(v.spec(first), v.powerFactor, 1);
        const std::int64_t running = group.size() > 1 ? std::int64_t(group.size()) - 1 : 1; // one of several may fail to start
        const Milliwatts load = groupLoad(v, alone, consumers.front(), group),
                         rating = Milliwatts(std::llround(double((one.real * running).count()) * allowed));
        if (rating.count() <= 0 || load.count() <= 0) continue;
        const double used = double(load.count()) / double(rating.count());
        if (used > 1)
            groups.add("load|" + v.like(first), ref(first), Severity::Error, used, [&] {
                return group.size() > 1
                           ? i18np(group.size(), "{2} and the sets in parallel with it ({0:L} set): worst-case load {1}, limit with one set out {3}",
                                   "{2} and the sets in parallel with it ({0:L} sets): worst-case load {1}, limit with one set out {3}",
                                   powerText(load), v.name(first), powerText(rating))
                           : i18n("{} carries {} {}, limit {}", v.name(first), powerText(load), lossText(v, first), powerText(rating));
            });
        const double cooling = used * bare.cooling[consumers.front()], // restarted in steps, none smaller than the largest consumer
            inSteps = std::min(cooling, std::max(cooling / stages, bare.largest[consumers.front()] / double(rating.count())));
        const double atOnce = used * bare.share[consumers.front()] + inSteps;
        if (atOnce <= step) continue;
        groups.add("step|" + v.like(first), ref(first), Severity::Warning, atOnce, [&] {
            return i18n("{} takes a load step of {:.0f} % of its rating, not buffered by a UPS; maximum {:.0f} %", v.name(first), 100 * atOnce,
                        100 * step);
        });
    }
    return groups.findings();
}

std::vector<Finding> transformerLoad(const RuleInput& input)
{
    const PowerView v(input);
    const double advised = input.threshold(kTransformerAdvised) / 100, distortion = input.threshold(kLoadDistortion) / 100,
                 factor = (1 + 25 * distortion * distortion) / (1 + distortion * distortion), built = input.threshold(kHarmonicFactor);
    Groups groups(input, "P10");
    v.s.devices.forEach([&](DeviceId id) {
        if (!v.isPower(id) || v.element(id) != PowerElement::Transformer) return;
        const DeviceSpec& spec = v.spec(id);
        const Rating rating = ratingOf(spec, v.powerFactor, 1);
        if (rating.real.count() <= 0) return;
        const Milliwatts worst = v.worstLoad(id), steady = v.chain.load(id);
        if (factor > built && steady.count() > 0)
            groups.add("harmonics|" + v.like(id), ref(id), Severity::Info, 0, [&] {
                return i18n("{} carries a load with K-factor {:.1f} (current THD {:.0f} %), rated K-factor {:g}", v.name(id), factor,
                            100 * distortion, built);
            });
        const double over = double(worst.count()) / double(rating.real.count()), share = double(steady.count()) / double(rating.real.count());
        if (over > 1)
            groups.add("over|" + v.like(id), ref(id), Severity::Error, over, [&] {
                return i18n("{} carries {} {} ({} basis), limit {}", v.name(id), powerText(worst), lossText(v, id), powerBasisName(input.basis),
                            ratingText(spec, rating, v.powerFactor, 1));
            });
        else if (share > advised)
            groups.add("near|" + v.like(id), ref(id), Severity::Warning, share, [&] {
                return i18n("{} carries {} continuously, {:.0f} % of its rating (recommended maximum {:.0f} %)", v.name(id), powerText(steady),
                            100 * share, 100 * advised);
            });
    });
    return groups.findings();
}

std::vector<Finding> jobSteps(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const double low = input.threshold(kStepLow) / 100, high = input.threshold(kStepHigh) / 100, limit = 1e3 * input.threshold(kStepLimit);
    Milliwatts most;
    EntityRef where;
    s.buildings.forEach([&](BuildingId building) {
        const Milliwatts it = input.figures.power->building(building).at(input.basis);
        if (s.buildings.kind[building] == BuildingKind::Pod && it > most) most = it, where = ref(building);
    });
    const double step = (high - low) * toWatts(most), seconds = std::max(0.001, input.threshold(kStepSeconds)),
                 ramp = 1e3 * input.threshold(kRampLimit);
    if (step > 0 && ramp > 0 && step / seconds > ramp)
        return {{.severity = Severity::Warning,
                 .message = i18n("job starts and stalls change the power of {} by {} per second, allowable {}", input.name(where),
                                 powerText(Milliwatts(std::llround(1000 * step / seconds))), powerText(Milliwatts(std::llround(1000 * ramp)))),
                 .entities = {where},
                 .id = findingId("P11", {"ramp", input.subject(where)})}};
    if (step <= 0 || (limit > 0 && step <= limit) || (limit <= 0 && ramp > 0)) return {};
    const std::string name = input.name(where);
    const Text swing = powerText(Milliwatts(std::llround(1000 * step)));
    Finding f{.severity = limit > 0 ? Severity::Warning : Severity::Info, .entities = {where}, .id = findingId("P11", {input.subject(where)})};
    f.message = limit > 0
                    ? i18n("job starts and stalls change the load of {} by {} within seconds ({:.0f} to {:.0f} % of its IT power), allowable {}",
                           name, swing, 100 * low, 100 * high, powerText(Milliwatts(std::llround(1000 * limit))))
                    : i18n("job starts and stalls change the load of {} by {} within seconds ({:.0f} to {:.0f} % of its IT power); UPS "
                           "and utility load-step limits not specified",
                           name, swing, 100 * low, 100 * high);
    return {f};
}

namespace {

/// Utility feeds at worst against what each may carry.
void utilityFeeds(const PowerView& v, Groups& groups)
{
    v.s.devices.forEach([&](DeviceId id) {
        if (!v.isPower(id) || v.element(id) != PowerElement::Utility) return;
        const Rating rating = ratingOf(v.spec(id), v.powerFactor, 1);
        const Milliwatts worst = v.worstLoad(id);
        if (!rating.exceeded(worst)) return;
        groups.add("feed|" + v.like(id), ref(id), Severity::Error, double(worst.count()) / double(rating.real.count()), [&] {
            return i18n("{} must supply {} {} ({} basis), capacity {}", v.name(id), powerText(worst), lossText(v, id), powerBasisName(v.input.basis),
                        ratingText(v.spec(id), rating, v.powerFactor, 1));
        });
    });
}

/// Facility power of a site: of its buildings.
double demandW(const PowerView& v, SiteId site)
{
    double figured = 0;
    const double pue = pueOf(v.input.figures, v.input.basis).value;
    v.s.buildings.forEach([&](BuildingId b) {
        if (v.s.buildings.site[b] == Maybe<SiteId>(site)) figured += pue * toWatts(v.input.figures.power->building(b).at(v.input.basis));
    });
    return figured;
}

/// Substations with a transformer out in each against the facility power, as the report has it.
void substations(const PowerView& v, std::vector<Finding>& out)
{
    const SubstationSupply stations = substationSupply(v.s, v.input.parts(), v.feeds);
    const Pue pue = pueOf(v.input.figures, v.input.basis);
    if (stations.stations == 0 || toWatts(pue.facility) <= stations.capacityW) return;
    const Text drawn = powerText(pue.facility), most = powerText(Milliwatts(std::llround(1000 * stations.capacityW)));
    Finding f{
        .message = i18np(
            stations.stations,
            "{1} of facility power ({2} basis, PUE {3:.2f}) exceeds what {0:L} substation delivers with one transformer out: {4}; {5:L} of this "
            "size are required, or a load of at most {6:.0f} %",
            "{1} of facility power ({2} basis, PUE {3:.2f}) exceeds what {0:L} substations deliver with one transformer out in each: {4}; "
            "{5:L} of this size are required, or a load of at most {6:.0f} %",
            drawn, powerBasisName(v.input.basis), pue.value, most, stations.required(toWatts(pue.facility)),
            std::floor(100 * stations.capacityW / toWatts(pue.facility))),
        .id = findingId("P12", {"substations"})};
    if (!stations.drawn) f.severity = Severity::Warning; // assumed
    for (const DeviceId id : stations.devices) f.entities.push_back(ref(id));
    if (!stations.drawn) v.s.buildings.forEach([&](BuildingId id) { f.entities.push_back(ref(id)); });
    out.push_back(std::move(f));
}

} // namespace

std::vector<Finding> utilityDemand(const RuleInput& input)
{
    const PowerView v(input);
    Groups groups(input, "P12");
    utilityFeeds(v, groups);
    auto out = groups.findings();
    substations(v, out);
    const double diversity = input.threshold(kDiversity);
    v.s.sites.forEach([&](SiteId site) {
        const double contract = toWatts(v.s.sites.contract[site]);
        if (contract <= 0) return;
        const double demand = diversity * demandW(v, site);
        if (demand <= contract) return;
        out.push_back(
            {.message = i18n("{} draws {} from its utility ({} basis), contracted {}", input.name(ref(site)),
                             powerText(Milliwatts(std::llround(1000 * demand))), powerBasisName(input.basis), powerText(v.s.sites.contract[site])),
             .entities = {ref(site)},
             .id = findingId("P12", {input.subject(ref(site))})});
    });
    return out;
}

} // namespace hw::rules
