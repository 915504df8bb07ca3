// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/reading.h"
#include "core/physics/hydraulics/network.h"

#include <map>

namespace hw::cooling {

/// One loop as a network of the solver. Supply and return are mirrors of each other, so that one pipe with the losses of both stands for a pair.
struct Pipes {
    using Index = hydraulics::Index;
    /// What gives flow into it: a source, or a pump of its own (then `other` is where it draws from).
    struct Inlet {
        DeviceId device;
        Index node = 0;
        std::optional<Index> other;
        double headKpa = 0; ///< 0 = not stated
        double weight = 1;  ///< flow is shared in proportion
        double ownKpa = 0;  ///< loss of the source itself
    };
    /// What takes flow out of it.
    struct Outlet {
        DeviceId device;
        Index node = 0;
        double lpm = 0, ownKpa = 0;
    };
    hydraulics::Network network;
    std::vector<Inlet> inlets;
    std::vector<Outlet> outlets;
    std::map<std::size_t, std::size_t> linkOfWay;              ///< by place among the chain's ways
    std::vector<std::pair<std::size_t, DeviceId>> headerLinks; ///< pieces of headers
    struct Span {
        bool alongX = true;
        std::int32_t fromMm = 0, toMm = 0; ///< along it on the campus
    };
    std::vector<Span> headerSpans; ///< by place in `headerLinks`
};
[[nodiscard]] Pipes pipesOf(const Design& design, const CoolingChain& chain, std::int32_t loop);
/// The same of a finished chain.
[[nodiscard]] Pipes pipesOf(const Figures& figures, std::int32_t loop);
/// Kv of one of the pair that a valve of such a network stands for.
[[nodiscard]] double oneOfPairKv(double kv);

/// Flow of a device that liquid cools, of that of what feeds it together with others.
[[nodiscard]] double shareLpm(const Design& design, const CoolingChain& chain, const CooledLoad& taker, DeviceId device);
/// Loss of a pair of hoses with its couplings at a flow, kPa.
[[nodiscard]] double lossKpa(const CoolantHose& hose, double lpm, const coolant::Properties& fluid);
/// The pair from a device to its manifold, where the design's list has one.
[[nodiscard]] const CoolantHose* hoseOf(const CoolingChain& chain, DeviceId device);
/// Loss of a part at a flow, kPa; 0 where its type states none.
[[nodiscard]] double lossKpa(const FlowLoss& loss, double lpm);

} // namespace hw::cooling
