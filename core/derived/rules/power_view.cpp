// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/power_view.h"

#include <algorithm>
#include <cmath>

namespace hw::rules {

PowerView::PowerView(const RuleInput& of)
    : input(of), s(of.snapshot()), feeds(of.figures.get<PowerFeedsNode>()), chain(powerChain(of.figures, of.basis)), powerFactor(powerFactorOf(s))
{
}

Milliwatts PowerView::worstLoad(DeviceId id) const
{
    const Milliwatts through = worst().through(id);
    return live(id) ? through + chain.network[id.value].loss.at(through) : through;
}

Text PowerView::loadText(DeviceId id, Milliwatts load) const
{
    if (!isPower(id) || element(id) != PowerElement::Pdu || takesDirectCurrent(spec(id))) return powerText(load);
    return i18n("{} ({:.1f} kVA)", powerText(load), toWatts(load) / powerFactor / 1000);
}

std::string PowerView::like(DeviceId id) const
{
    const auto hall = hallOf(s, id);
    return (hall ? input.subject(ref(*hall)) : std::string("-")) + '|' + s.partTypes.slug[s.devices.type[id]];
}

std::vector<DeviceId> PowerView::upstream(DeviceId id) const
{
    std::vector<DeviceId> found;
    const auto add = [&](DeviceId of) {
        for (const auto& feed : chain.network.feeds(of.value))
            if (feed.from != id.value && std::ranges::find(found, DeviceId(feed.from)) == found.end()) found.emplace_back(feed.from);
    };
    add(id);
    for (std::size_t at = 0; at < found.size(); ++at) add(found[at]);
    return found;
}

Rating ratingOf(const DeviceSpec& spec, double powerFactor, double share)
{
    Rating rating{spec.capacity.value};
    const double apparent = double(spec.power.apparent.value.count()) * share * powerFactor;
    if (apparent > 0 && (rating.real.count() == 0 || apparent < double(rating.real.count()))) rating = {Milliwatts(std::llround(apparent)), true};
    return rating;
}

double continuousShare(const RuleInput& input, const DeviceSpec& spec)
{
    if (spec.power.continuousPermille.value > 0) return spec.power.continuousPermille.value / 1000.0;
    switch (spec.power.element) {
    case PowerElement::Switchgear:
    case PowerElement::StaticSwitch:
    case PowerElement::Switchboard:
    case PowerElement::Busway:
    case PowerElement::Pdu:
    case PowerElement::Shelf: return input.threshold(kContinuousLoad) / 100.0;
    case PowerElement::None:
    case PowerElement::Utility:
    case PowerElement::Transformer:
    case PowerElement::Generator:
    case PowerElement::Ups: break;
    }
    return 1;
}

Text ratingText(const DeviceSpec& spec, const Rating& rating, double powerFactor, double share)
{
    if (!rating.byApparent) return powerText(rating.real);
    const double kva = double(spec.power.apparent.value.count()) / 1e6;
    if (share >= 1) return i18n("{} ({:.0f} kVA at power factor {:.2f})", powerText(rating.real), kva, powerFactor);
    return i18n("{} ({:.0f} % of {:.0f} kVA at power factor {:.2f})", powerText(rating.real), 100 * share, kva, powerFactor);
}

} // namespace hw::rules
