// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/power.h"
#include "core/derived/figures/power_feeds.h"
#include "core/physics/power/survey.h"

namespace hw {

/// Real over apparent power of what the hall draws: the setting "site.power_factor", 0.95 where none is given.
[[nodiscard]] double powerFactorOf(const Snapshot& snapshot);

/// What equipment loses. A rating in kVA carries that many kW times the power factor; what has an efficiency curve carries direct or corrected
/// current and has a power factor of 1.
[[nodiscard]] power::Loss lossOf(const PowerSpec& spec, double powerFactor);

/// How power flows through a design on one basis. Elements of the network are the devices, by id.
/// A device takes what its type and optics draw, evenly over its live supplies; power and cooling equipment with several ways in takes the
/// first one that lives, a UPS group or shelf all of them, a switchboard the transformers of one side together (what feeds it after them is their
/// reserve), a static switch always the first, and it leaves UPS modules that cannot carry alone what they did together; each element adds its own
/// loss. Of equipment that nothing feeds only utilities and generators hold by themselves; so a design without an element is what its loss leaves.
/// A dual-fed device survives only if the supplies that still live carry its draw.
struct PowerChain {
    power::Network network;
    power::Flow flow;
    [[nodiscard]] static std::shared_ptr<const PowerChain> compute(const Snapshot&, const ProjectParts&, const PowerFeeds&, const PowerFigures&,
                                                                   PowerBasis);
    /// What the element takes in: all that it feeds, and its own loss.
    [[nodiscard]] Milliwatts load(DeviceId id) const { return flow.intake[id.value].total(); }
    [[nodiscard]] Milliwatts through(DeviceId id) const { return flow.through[id.value].total(); }
    friend bool operator==(const PowerChain&, const PowerChain&) = default;
};

/// The worst that any single element of the chain leaves every other with.
struct PowerWorst {
    power::Worst over;
    /// Most that the element carries while any one other is lost, and which.
    [[nodiscard]] Milliwatts through(DeviceId id) const { return over.loads[id.value].through; }
    [[nodiscard]] Maybe<DeviceId> lost(DeviceId id) const; ///< none: nothing adds to it
    [[nodiscard]] bool darkens(DeviceId id) const { return over.darkens[id.value] != 0; }
    friend bool operator==(const PowerWorst&, const PowerWorst&) = default;
};
[[nodiscard]] std::shared_ptr<const PowerWorst> powerWorst(const Snapshot&, const PowerChain&);

/// What is without power once a device is lost: devices that had some, in the order of ids, without it.
[[nodiscard]] std::vector<DeviceId> darkWithout(const PowerChain& chain, DeviceId lost);
/// Racks all of whose drawing devices are among `dark`, in the order of ids.
[[nodiscard]] std::vector<RackId> racksDark(const Snapshot& snapshot, const PowerChain& chain, std::span<const DeviceId> dark);

} // namespace hw
