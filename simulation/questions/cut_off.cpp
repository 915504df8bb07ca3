// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/cut_off.h"

#include "core/design/template/template.h"
#include "core/foundation/base/disjoint_sets.h"
#include "simulation/fabric/studies/study.h"

#include <algorithm>
#include <map>
#include <set>

namespace hw::sim {
inline namespace questions {

namespace {

constexpr std::size_t kMostCutOffNamed = 4;

/// As the design's own template calls it: "unit" of scalable units, else "segment".
Text segmentWord(const Snapshot& s)
{
    const auto design = templateOf(s);
    if (!design) return i18n("segment");
    for (const Parameter& p : design->parameters())
        if (p.name == "segments" && !p.unitOfOne.empty())
            if (const std::string word = p.unitOfOne.substr(0, p.unitOfOne.find(' ')); word != "segment") return resourceText(word);
    return i18n("segment");
}

struct CutNic {
    DeviceId host;
    int nic = 0, pod = -1, segment = -1, rail = -1; ///< rail -1: the network has none
    bool cut = false;
};

/// The NICs of the hosts, and which of them are cut off.
std::vector<CutNic> nicsOf(const Snapshot& s, const FabricGraph& graph, const FabricState* state, std::span<const DeviceId> hosts, int nics)
{
    const auto isUp = [&](DirectedLink l) { return !state || state->up(l); };
    DisjointSets designed(graph.switchCount()), left(graph.switchCount());
    for (DirectedLink l = 0; l < graph.directedCount(); ++l) {
        const auto a = graph.tail(l), b = graph.head(l);
        if (a == FabricGraph::kNone || b == FabricGraph::kNone || graph.capacityGbps()[l] <= 0) continue;
        designed.join(a, b);
        if (isUp(l)) left.join(a, b);
    }
    std::map<std::uint32_t, std::map<std::uint32_t, std::size_t>> ports; // by part of the design, by what is left of it: ports of NICs
    const auto isLive = [&](const FabricGraph::HostPort& port) { return port.access != FabricGraph::kNone && isUp(graph.upward(port)); };
    for (const DeviceId host : hosts)
        for (int nic = 0; nic < nics; ++nic)
            for (const auto& port : graph.nicPorts(host, nic))
                if (isLive(port)) ++ports[designed.find(port.access)][left.find(port.access)];
    std::map<std::uint32_t, std::uint32_t> largest;
    for (const auto& [part, pieces] : ports)
        largest[part] = std::ranges::max_element(pieces, {}, [](const auto& piece) { return piece.second; })->first;
    std::vector<CutNic> all;
    for (const DeviceId host : hosts)
        for (int nic = 0; nic < nics; ++nic) {
            const auto own = graph.nicPorts(host, nic);
            const auto cabled = std::ranges::find_if(own, [](const auto& port) { return port.access != FabricGraph::kNone; });
            if (cabled == own.end()) continue;
            const bool reaches = std::ranges::any_of(
                own, [&](const auto& port) { return isLive(port) && left.find(port.access) == largest[designed.find(port.access)]; });
            all.push_back({host, nic, s.devices.pod[host], s.devices.segment[host], graph.at(cabled->access).rail, !reaches});
        }
    return all;
}

/// Names what all NICs of a group are cut off of, the largest groups first.
class CutOffNames {
public:
    CutOffNames(const Snapshot& s, std::vector<CutNic> nics) : m_s(s), m_nics(std::move(nics)), m_segmentWord(segmentWord(s))
    {
        std::set<int> pods;
        for (const CutNic& n : m_nics) pods.insert(n.pod);
        m_severalPods = pods.size() > 1;
    }

    std::vector<Text> names()
    {
        take([](const CutNic& n) { return std::tuple(n.pod); }, [](const CutNic& n) { return n.pod >= 0; },
             [](const CutNic& n) { return i18n("pod {}", n.pod + 1); });
        take([](const CutNic& n) { return std::tuple(n.rail); }, [](const CutNic& n) { return n.rail >= 0; },
             [](const CutNic& n) { return i18n("rail {}", n.rail + 1); });
        take([](const CutNic& n) { return std::tuple(n.pod, n.segment); }, [](const CutNic& n) { return n.segment >= 0; },
             [&](const CutNic& n) { return segment(n); });
        take([](const CutNic& n) { return std::tuple(n.pod, n.segment, n.rail); }, [](const CutNic& n) { return n.segment >= 0 && n.rail >= 0; },
             [&](const CutNic& n) { return i18n("rail {} of {}", n.rail + 1, segment(n)); });
        take([](const CutNic& n) { return std::tuple(n.host); }, [](const CutNic&) { return true; },
             [&](const CutNic& n) { return verbatim(m_s.devices.name[n.host]); });
        take([](const CutNic& n) { return std::tuple(n.host, n.nic); }, [](const CutNic&) { return true; },
             [&](const CutNic& n) { return i18n("NIC {} of {}", n.nic + 1, m_s.devices.name[n.host]); });
        return std::move(m_names);
    }

private:
    [[nodiscard]] Text segment(const CutNic& n) const
    {
        return m_severalPods && n.pod >= 0 ? i18n("{} {} of pod {}", m_segmentWord, n.segment + 1, n.pod + 1)
                                           : i18n("{} {}", m_segmentWord, n.segment + 1);
    }
    /// Groups of which every NIC is cut off and not named yet; a group that is all of the NICs says nothing.
    void take(auto keyOf, auto fits, auto nameOf)
    {
        std::map<decltype(keyOf(m_nics.front())), std::vector<CutNic*>> groups;
        for (CutNic& n : m_nics)
            if (fits(n)) groups[keyOf(n)].push_back(&n);
        if (groups.size() < 2) return;
        for (auto& [key, members] : groups) {
            if (!std::ranges::all_of(members, &CutNic::cut)) continue;
            m_names.push_back(nameOf(*members.front()));
            for (CutNic* n : members) n->cut = false;
        }
    }

    const Snapshot& m_s;
    std::vector<CutNic> m_nics;
    Text m_segmentWord;
    bool m_severalPods = false;
    std::vector<Text> m_names;
};

} // namespace

Text cutOffText(const Snapshot& s, const FabricGraph& graph, const FabricState* state, std::span<const DeviceId> hosts, int nics)
{
    std::vector<CutNic> all = nicsOf(s, graph, state, hosts, nics);
    if (std::ranges::none_of(all, &CutNic::cut)) return {};
    std::vector<Text> names = CutOffNames(s, std::move(all)).names();
    const auto count = names.size();
    if (count > kMostCutOffNamed + 1) {
        names.resize(kMostCutOffNamed);
        names.push_back(i18n("{:L} more", std::int64_t(count - kMostCutOffNamed)));
    }
    return i18np(count, "{1} is cut off", "{1} are cut off", listed(std::move(names)));
}

Text cutOffText(const ScenarioDesign& design, const std::string& network, const FailedState& lost)
{
    const auto fabric = studyFabric(*design.snapshot, network);
    if (!fabric) return {};
    FabricState state(fabric->graph);
    for (const LinkId link : lost.links) state.setLink(link, false);
    std::vector<DeviceId> hosts = fabric->servers;
    std::erase_if(hosts, [&](DeviceId host) { return lost.hasLost(host); });
    return cutOffText(*design.snapshot, fabric->graph, &state, hosts, fabric->layout.nics);
}

void tellCutOff(ScenarioOutcome& outcome, std::uint64_t flows, const Text& why)
{
    outcome.results["cut_off"] =
        why.empty() ? i18np(flows, "{:L} flow has no path through the switches", "{:L} flows have no path through the switches") : why;
    outcome.results["unreachable_flows"] = flows;
}

std::string cutOffOf(const Json& document)
{
    const auto of = [](const Json& holder) {
        const auto results = holder.find("results");
        return results != holder.end() && results->is_object() ? results->value("cut_off", std::string()) : std::string();
    };
    if (const auto sweep = document.find("sweep"); sweep != document.end())
        for (const Json& point : sweep->value("points", Json::array()))
            if (auto said = of(point); !said.empty()) return said;
    return of(document);
}

Error namingCutOff(Error error, const Text& why)
{
    if (error.where != "network" || why.empty()) return error;
    error.what = why;
    error.todo = i18n("list fewer failed elements, or choose hosts that are still connected");
    return error;
}

} // namespace questions
} // namespace hw::sim
