// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/power_chain.h"

#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>

namespace hw {

namespace {

/// True for what holds without a way in. Everything else that nothing feeds is dead, as it would be if what fed it failed.
bool isSource(PowerElement element) { return element == PowerElement::Utility || element == PowerElement::Generator; }

/// How power equipment uses its ways: a shelf and what only UPS feed all of them, a static switch the first one that lives, a board whatever works
/// together with that.
power::Intake intakeOf(const Snapshot& s, const ProjectParts& parts, PowerElement element, std::span<const PowerFeed> ways)
{
    if (element == PowerElement::Shelf) return power::Intake::Shared;
    if (element == PowerElement::StaticSwitch) return power::Intake::Transfer;
    const bool modules = !ways.empty() && std::ranges::all_of(ways, [&](const PowerFeed& way) {
        return parts.device(s.devices.type[way.supplier]).power.element == PowerElement::Ups;
    });
    if (modules) return power::Intake::Shared;
    for (std::size_t i = 0; i < ways.size(); ++i)
        if (ways[i].group != i) return power::Intake::Parallel;
    return power::Intake::Transfer;
}

/// A board of UPS modules whose loads all have another board is left by them once its modules cannot carry what they did: static switches see a
/// UPS in overload as lost. True where there is such a board; then `elements` and `ways` say so.
bool giveUpBlocks(const Snapshot& s, const ProjectParts& parts, double powerFactor, const power::Network& network, const power::Flow& flow,
                  std::vector<power::Element>& elements, std::vector<std::vector<power::Feed>>& ways)
{
    bool any = false;
    const auto spec = [&](power::Index i) -> const DeviceSpec& { return parts.device(s.devices.type[DeviceId(i)]); };
    s.devices.forEach([&](DeviceId id) {
        const auto uses = network.uses(id.value);
        if (ways[id.value].size() < 2 || uses.empty() || spec(id.value).power.element != PowerElement::Switchboard) return;
        const bool switched = std::ranges::all_of(
            uses, [&](const auto& use) { return elements[use.consumer].intake == power::Intake::Transfer && ways[use.consumer].size() > 1; });
        const bool rated = std::ranges::all_of(ways[id.value], [&](const power::Feed& way) {
            return spec(way.from).power.element == PowerElement::Ups && spec(way.from).capacity.value.count() > 0;
        });
        const auto behind = [&](const auto& use) { return spec(use.consumer).power.element == PowerElement::StaticSwitch; };
        if (!switched || !rated || std::ranges::none_of(uses, behind)) return;
        Milliwatts all;
        for (power::Feed& way : ways[id.value]) {
            const DeviceSpec& ups = spec(way.from);
            const auto apparent = std::int64_t(powerFactor * double(ups.power.apparent.value.count()));
            way.capacity = apparent > 0 ? Milliwatts(std::min(apparent, ups.capacity.value.count())) : ups.capacity.value;
            all += way.capacity;
        }
        elements[id.value].least = std::min(all, flow.through[id.value].total());
        any = true;
    });
    return any;
}

} // namespace

double powerFactorOf(const Snapshot& s) { return std::clamp(numberSetting(s, "site.power_factor"), 0.1, 1.0); }

power::Loss lossOf(const PowerSpec& spec, double powerFactor)
{
    const double factor = spec.efficiency.value.empty() ? powerFactor : 1;
    power::Loss loss{spec.noLoadLoss.value, spec.loadLoss.value, Milliwatts(std::llround(double(spec.apparent.value.count()) * factor)), {}};
    for (const auto& [load, efficiency] : spec.efficiency.value) loss.curve.push_back({load, efficiency});
    return loss;
}

std::shared_ptr<const PowerChain> PowerChain::compute(const Snapshot& s, const ProjectParts& parts, const PowerFeeds& feeds,
                                                      const PowerFigures& loads, PowerBasis basis)
{
    const double powerFactor = powerFactorOf(s);
    std::vector<power::Element> elements(s.devices.nextId());
    std::vector<std::vector<power::Feed>> ways(s.devices.nextId());
    s.devices.forEach([&](DeviceId id) {
        const DeviceSpec& spec = parts.device(s.devices.type[id]);
        power::Element& e = elements[id.value];
        const TierKind kind = s.tiers.kind[s.devices.tier[id]];
        const auto own = feeds.of(id);
        if (kind == TierKind::Power) {
            e.intake = intakeOf(s, parts, spec.power.element, own);
            e.source = own.empty() && isSource(spec.power.element);
            e.loss = lossOf(spec.power, powerFactor);
        } else if (kind == TierKind::Cooling) {
            e.intake = power::Intake::Transfer; // fans and pumps have a change-over switch, not two halves
            e.draw = basis == PowerBasis::Typical ? spec.typical.value : basis == PowerBasis::Design ? spec.design.value : spec.nameplate.value;
        } else {
            e.draw = loads.device(id).at(basis);
        }
        for (const PowerFeed& feed : own) {
            const bool supply = kind != TierKind::Power && feed.inlet >= 0 && std::size_t(feed.inlet) < spec.inlets.size();
            ways[id.value].push_back(
                {feed.supplier.value, feed.phase, supply ? spec.inlets[std::size_t(feed.inlet)].maximumDraw : Milliwatts(), feed.group});
        }
    });
    power::Network network(elements, ways);
    power::Flow flow = power::flowOf(network);
    if (giveUpBlocks(s, parts, powerFactor, network, flow, elements, ways)) {
        network = power::Network(std::move(elements), ways);
        flow = power::flowOf(network);
    }
    return std::make_shared<const PowerChain>(PowerChain{std::move(network), std::move(flow)});
}

Maybe<DeviceId> PowerWorst::lost(DeviceId id) const
{
    const auto& load = over.loads[id.value];
    return load.lost == id.value ? Maybe<DeviceId>() : Maybe<DeviceId>(DeviceId(load.lost));
}

std::shared_ptr<const PowerWorst> powerWorst(const Snapshot& s, const PowerChain& chain)
{
    std::vector<power::Index> elements;
    s.devices.forEach([&](DeviceId id) {
        if (s.tiers.kind[s.devices.tier[id]] == TierKind::Power) elements.push_back(id.value);
    });
    power::Survey survey(chain.network);
    return std::make_shared<const PowerWorst>(PowerWorst{power::worstOver(survey, chain.network, elements)});
}

std::vector<DeviceId> darkWithout(const PowerChain& chain, DeviceId lost)
{
    power::Survey survey(chain.network);
    std::vector<DeviceId> out;
    for (const power::Index i : survey.lose({&lost.value, 1}).dark) out.emplace_back(i);
    return out;
}

std::vector<RackId> racksDark(const Snapshot& s, const PowerChain& chain, std::span<const DeviceId> dark)
{
    std::vector<std::uint32_t> drawing(s.racks.nextId(), 0), out(s.racks.nextId(), 0);
    const auto count = [&](DeviceId id, std::vector<std::uint32_t>& racks) {
        if (const auto rack = s.devices.rack[id]; rack && chain.network[id.value].draw.count() > 0) ++racks[(*rack).value];
    };
    s.devices.forEach([&](DeviceId id) { count(id, drawing); });
    for (const DeviceId id : dark) count(id, out);
    std::vector<RackId> racks;
    for (std::uint32_t r = 0; r < out.size(); ++r)
        if (out[r] > 0 && out[r] == drawing[r]) racks.emplace_back(r);
    return racks;
}

} // namespace hw
