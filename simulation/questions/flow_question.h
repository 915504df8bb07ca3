// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "simulation/fabric/routing_options.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hw::sim::inline questions {

enum class Workload : std::uint8_t {
    RingAllReduce, ///< one ring per rail over all chosen hosts, both planes at once
    Permutation    ///< every GPU sends to one other GPU, drawn at random
};

/// A traffic question about a design. As JSON:
/// `{"schema": "hallwright.scenario/1", "name": "…", "workload": "ring-allreduce" | "permutation",
///   "network": "backend", "pods": [1] | "all", "segments": [1, 2] | "all", "bytes": 1e9, "seed": 1,
///   "flows_per_port": 1, "path_selection": "hash" | "disjoint" | "least-load" | "spray", "rate_control": "ideal" | "paced",
///   "equal_hash_seeds": false, "variant": "as-designed" | "single-plane" | "single-tor"}`; everything but `workload` may be left out. Pods and
///   segments count from 1.
struct Scenario {
    std::string name = "ring all-reduce";
    Workload workload = Workload::RingAllReduce;
    std::string network = "backend";
    std::vector<int> pods;     ///< empty = all
    std::vector<int> segments; ///< of every chosen pod; empty = all
    double bytes = 1e9;        ///< all-reduced buffer per GPU, or message per GPU
    std::uint64_t seed = 1;    ///< of the ECMP hash and of random draws
    int flowsPerPort = 1;      ///< connections that a NIC port spreads its bytes over
    PathSelection selection = PathSelection::Hash;
    RateControl rateControl = RateControl::Ideal;
    bool equalHashSeeds = false; ///< all tiers hash alike (polarisation)
    FabricVariant variant = FabricVariant::AsDesigned;
};

/// Errors name `where` (a file) and the key.
[[nodiscard]] Result<Scenario> parseScenario(const std::string& json, const std::string& where);
[[nodiscard]] std::string toJson(const Scenario& scenario);
[[nodiscard]] const char* name(Workload workload);
[[nodiscard]] const char* name(RateControl control);
[[nodiscard]] const char* name(FabricVariant variant);
/// From their names; nothing for others.
[[nodiscard]] std::optional<PathSelection> pathSelection(std::string_view name);
[[nodiscard]] std::optional<RateControl> rateControl(std::string_view name);
[[nodiscard]] std::optional<FabricVariant> fabricVariant(std::string_view name);

} // namespace hw::sim::inline questions
