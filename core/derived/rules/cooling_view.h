// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/chain.h"
#include "core/derived/rules/functions.h"
#include "core/derived/rules/groups.h"
#include "core/foundation/model/places.h"

namespace hw::rules {

/// The cooling chain as the cooling rules ask for it. Lives as long as the check.
struct CoolingView {
    const RuleInput& input;
    const Snapshot& s;
    const CoolingChain& chain;

    explicit CoolingView(const RuleInput& of) : input(of), s(of.snapshot()), chain(of.figures.get<CoolingChainNode>()) {}
    [[nodiscard]] const DeviceSpec& spec(DeviceId id) const { return input.parts().device(s.devices.type[id]); }
    [[nodiscard]] std::string name(DeviceId id) const { return input.name(ref(id)); }
    /// A cabinet, or a device that liquid cools and that stands in none.
    [[nodiscard]] EntityRef who(const CooledLoad& taker) const { return taker.rack ? ref(*taker.rack) : ref(taker.device); }
    /// Stable: the room and the first of its sources, or of what depends on it.
    [[nodiscard]] std::string subject(const CoolingLoop& loop) const;
    [[nodiscard]] std::vector<EntityRef> entities(const CoolingLoop& loop) const;
    [[nodiscard]] const CoolingLoop& loop(std::int32_t l) const { return chain.loops[std::size_t(l)]; }
    /// A room's key, for what depends on nothing.
    [[nodiscard]] std::string room(DeviceId id) const;
    /// Any equipment that cools: without it a design leaves cooling to others.
    [[nodiscard]] bool cools() const;
    [[nodiscard]] bool coolsIn(BuildingId building) const;
};

/// "112.0 kW" or "3.14 MW" of a number in watts.
[[nodiscard]] Text wattsText(double watts);

} // namespace hw::rules
