// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "simulation/fabric/flow_router.h"
#include "simulation/fabric/hosts.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace hw::sim {
inline namespace fabric {

/// A network of a snapshot ready for a study.
struct StudyFabric {
    NetworkId network;
    std::vector<DeviceId> servers; ///< active, by pod, segment, index
    HostLayout layout;
    FabricGraph graph;
    /// Servers of a pod and segment (from 0; -1: of any).
    [[nodiscard]] std::vector<DeviceId> serversOf(const Snapshot& s, int pod, int segment) const;
};

/// Refused, naming `network`, when the design has no such network or no servers in it.
[[nodiscard]] Result<StudyFabric> studyFabric(const Snapshot& snapshot, const std::string& network,
                                              FabricVariant variant = FabricVariant::AsDesigned);

/// Refused, naming `network`: some flows of a study have no path.
[[nodiscard]] tl::unexpected<Error> noPath(Text what);

/// Refused, naming `pod`, when the design has no active hosts in that pod (from 0).
[[nodiscard]] Result<void> checkPod(const StudyFabric& fabric, const Snapshot& snapshot, int pod);

/// Mean and range of something drawn again and again.
class Sample {
public:
    void add(double x)
    {
        ++m_count;
        m_mean += (x - m_mean) / double(m_count);
        m_least = m_count == 1 ? x : std::min(m_least, x);
        m_most = m_count == 1 ? x : std::max(m_most, x);
    }
    [[nodiscard]] double mean() const { return m_mean; }
    [[nodiscard]] double least() const { return m_least; }
    [[nodiscard]] double most() const { return m_most; }
    [[nodiscard]] std::size_t count() const { return m_count; }

private:
    std::size_t m_count = 0;
    double m_mean = 0, m_least = 0, m_most = 0;
};

/// Rates of routed connections with their proof.
struct ProvedRates {
    std::vector<double> gbps; ///< by flow
    bool ok = false;
    double gap = 0;
};
/// A fair-share problem of only the links that its flows use, numbered by first use: small studies on large fabrics.
class SmallProblem {
public:
    /// `betweenSwitchesGbps` above 0 replaces the capacity of links between switches.
    explicit SmallProblem(const FabricGraph& graph, double betweenSwitchesGbps = 0) : m_graph(&graph), m_betweenSwitchesGbps(betweenSwitchesGbps) {}
    /// `limitGbps` above 0: the flow never gets more.
    void add(double gbit, std::span<const DirectedLink> way, double limitGbps = 0);
    [[nodiscard]] const FlowProblem& problem() const { return m_problem; }

private:
    const FabricGraph* m_graph;
    double m_betweenSwitchesGbps;
    FlowProblem m_problem;
    std::unordered_map<DirectedLink, std::uint32_t> m_local; ///< looked up, never walked
    std::vector<std::uint32_t> m_way;
};

[[nodiscard]] ProvedRates proveRates(const FlowProblem& problem);

} // namespace fabric
} // namespace hw::sim
