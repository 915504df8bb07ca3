// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/rules/functions.h"
#include "core/derived/rules/groups.h"
#include "core/foundation/model/places.h"

namespace hw::rules {

/// The power chain of a check's basis, as the power rules ask for it. Lives as long as the check.
struct PowerView {
    const RuleInput& input;
    const Snapshot& s;
    const PowerFeeds& feeds;
    const PowerChain& chain;
    const double powerFactor;

    explicit PowerView(const RuleInput& of);
    /// Made when first asked for.
    [[nodiscard]] const PowerWorst& worst() const { return worstPower(input.figures, input.basis); }
    [[nodiscard]] const DeviceSpec& spec(DeviceId id) const { return input.parts().device(s.devices.type[id]); }
    [[nodiscard]] PowerElement element(DeviceId id) const { return spec(id).power.element; }
    [[nodiscard]] TierKind kind(DeviceId id) const { return s.tiers.kind[s.devices.tier[id]]; }
    /// A device that states its side is meant to depend on that one alone.
    [[nodiscard]] bool singleFed(DeviceId id) const { return !isPower(id) && s.devices.side[id] != PowerSide::None; }
    [[nodiscard]] bool isPower(DeviceId id) const { return kind(id) == TierKind::Power; }
    [[nodiscard]] bool draws(DeviceId id) const { return !isPower(id) && chain.network[id.value].draw.count() > 0; }
    [[nodiscard]] bool live(DeviceId id) const { return chain.flow.live[id.value] != 0; }
    /// What it carries with one other element lost, and its own loss: what the report calls the worst load.
    [[nodiscard]] Milliwatts worstLoad(DeviceId id) const;
    [[nodiscard]] std::string name(DeviceId id) const { return input.name(ref(id)); }
    /// "10.0 kW"; of a rack PDU, which is rated in apparent power, "10.0 kW (10.5 kVA)".
    [[nodiscard]] Text loadText(DeviceId id, Milliwatts load) const;
    /// Stable: the hall or building that it stands in, and its type.
    [[nodiscard]] std::string like(DeviceId id) const;
    /// By device: a way leads on to a utility.
    [[nodiscard]] std::vector<char> reachUtility() const { return reachedByUtility(input.figures, chain); }
    /// Elements upstream of it, nearest first, without repeats.
    [[nodiscard]] std::vector<DeviceId> upstream(DeviceId id) const;
};

/// What equipment may carry all the time, as real power.
struct Rating {
    Milliwatts real{};       ///< the lower of both; 0 = not stated
    bool byApparent = false; ///< the one in kVA decides
    [[nodiscard]] bool exceeded(Milliwatts load) const { return real.count() > 0 && load > real; }
};
/// Its capacity, which is stated for continuous load, and `share` of its rating in kVA at the power factor.
[[nodiscard]] Rating ratingOf(const DeviceSpec& spec, double powerFactor, double share);
/// The share of a rating that equipment behind a breaker may carry all the time: its own, else that of the rule; 1 for sources, transformers and UPS.
[[nodiscard]] double continuousShare(const RuleInput& input, const DeviceSpec& spec);
/// "886.8 kW", or "842.5 kW (80 % of 1108.5 kVA at power factor 0.95)".
[[nodiscard]] Text ratingText(const DeviceSpec& spec, const Rating& rating, double powerFactor, double share);

} // namespace hw::rules
