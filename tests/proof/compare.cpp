// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare.h"

#include "brute_force.h"
#include "tests/proof/prove_one.h"

#include <QtGlobal>

#include <algorithm>

using namespace hw;

NetworkProof prove(const FabricBuilder& b)
{
    auto proof = test::proveNetwork(b.s, b.network);
    if (!proof) qFatal("%s", proof.error().text().c_str());
    return *proof;
}

const NetworkProof::PairClass& pairs(const NetworkProof& proof, const std::string& label)
{
    const auto it = std::ranges::find_if(proof.pairs, [&](const auto& p) { return words(p.label) == label; });
    if (it == proof.pairs.end()) qFatal("no pairs '%s'", label.c_str());
    return *it;
}

namespace {

template <class T>
bool same(const ValueRange<T>& a, const ValueRange<T>& b, const char* what, const std::string& label)
{
    if (a == b) return true;
    qWarning("%s of %s: proof %lld-%lld, brute force %lld-%lld", what, label.c_str(), (long long)a.min, (long long)a.max, (long long)b.min,
             (long long)b.max);
    return false;
}

bool samePairs(const NetworkProof& proof, const BruteForce& brute)
{
    const auto wanted = brute.classes();
    if (wanted.size() != proof.pairs.size()) return qWarning("%zu classes, brute force %zu", proof.pairs.size(), wanted.size()), false;
    return std::ranges::all_of(wanted, [&](const auto& entry) {
        const auto& [label, w] = entry;
        const auto& p = pairs(proof, label);
        return p.reachable == w.reachable && same(p.hops, w.hops, "hops", label) && same(p.paths, w.paths, "paths", label) &&
               same(p.pathsPerPort, w.pathsPerPort, "paths per port", label) && same(p.disjointCables, w.disjointCables, "disjoint cables", label) &&
               same(p.disjointSwitches, w.disjointSwitches, "disjoint switches", label);
    });
}

bool sameCuts(const NetworkProof& proof, const BruteForce& brute)
{
    std::int64_t cables = 0, switches = 0;
    for (const auto& [label, c] : brute.classes()) {
        // unreachable pairs have a cut of 0, which is no loss; a class that mixes both hides its smallest
        if (!c.reachable) return true;
        if (c.disjointCables.any && (cables == 0 || c.disjointCables.min < cables)) cables = c.disjointCables.min;
        if (c.disjointSwitches.any && (switches == 0 || c.disjointSwitches.min < switches)) switches = c.disjointSwitches.min;
    }
    return proof.cableCut.size == cables && proof.switchCut.size == switches;
}

/// Cuts are as large as they say, and their loss parts NICs.
bool cutsCut(const NetworkProof& proof, const BruteForce& brute)
{
    const auto& s = proof.switchCut;
    const auto& c = proof.cableCut;
    if (std::int64_t(s.members.size()) != s.size || std::int64_t(c.members.size()) != c.size) return false;
    if (s.size > 0 && !brute.parts(brute.switchesNamed(s.members), {})) return false;
    return c.size == 0 || (std::int64_t(brute.linksNamed(c.members).size()) >= c.size && brute.parts({}, brute.linksNamed(c.members)));
}

bool sameSinglePoints(const NetworkProof& proof, const BruteForce& brute)
{
    auto names = brute.singleSwitches();
    if (proof.singleSwitches.count != std::int64_t(names.size()))
        return qWarning("%lld single switches, brute force %zu", (long long)proof.singleSwitches.count, names.size()), false;
    names.resize(std::min(names.size(), std::size_t(NamedSet::kMostNamed)));
    if (!std::ranges::equal(proof.singleSwitches.names, names, [](const Text& a, const std::string& b) { return words(a) == b; }))
        return qWarning("other single switches"), false;
    if (proof.singleCables.count == brute.singleCables()) return true;
    return qWarning("%lld single cables, brute force %lld", (long long)proof.singleCables.count, (long long)brute.singleCables()), false;
}

/// First half of `groups` on side 0, as many that follow on side 1; within each group where `inside`.
std::map<std::uint32_t, int> halves(const std::vector<std::vector<DeviceId>>& groups, bool inside)
{
    std::map<std::uint32_t, int> side;
    const auto put = [&](DeviceId d, std::size_t at, std::size_t of) {
        if (at < of / 2 * 2) side[d.value] = at < of / 2 ? 0 : 1;
    };
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (std::size_t i = 0; i < groups[g].size(); ++i) inside ? put(groups[g][i], i, groups[g].size()) : put(groups[g][i], g, groups.size());
    return side;
}

bool sameBisections(const NetworkProof& proof, const BruteForce& brute, const Snapshot& s)
{
    std::map<int, std::vector<DeviceId>> pods;
    std::map<std::pair<int, int>, std::vector<DeviceId>> segments;
    for (const auto d : brute.activeHosts()) pods[s.devices.pod[d]].push_back(d), segments[{s.devices.pod[d], s.devices.segment[d]}].push_back(d);
    const auto values = [](const auto& map) {
        std::vector<std::vector<DeviceId>> result;
        for (const auto& [_, v] : map) result.push_back(v);
        return result;
    };
    for (const auto& b : proof.bisections) {
        std::map<std::uint32_t, int> side;
        if (b.level == "pods")
            side = halves(values(pods), false);
        else if (b.level == "hosts")
            side = halves(values(segments), true);
        else if (b.level == "segments")
            for (const auto& [pod, _] : pods) {
                std::map<std::pair<int, int>, std::vector<DeviceId>> own;
                for (const auto& [key, hosts] : segments)
                    if (key.first == pod) own[key] = hosts;
                side.merge(halves(values(own), false));
            }
        std::map<int, int> rails;
        if (b.level == "rails") {
            const auto all = brute.rails();
            int place = 0;
            const int half = int(all.size()) / 2;
            for (const int rail : all) rails[rail] = place < half ? 0 : place < 2 * half ? 1 : -1, ++place;
        }
        if (const auto wanted = rails.empty() ? brute.flow(side) : brute.flowBetweenRails(rails); wanted != b.carriedGbps)
            return qWarning("%s: %lld Gb/s, brute force %lld", words(b.halves).c_str(), (long long)b.carriedGbps, (long long)wanted), false;
    }
    return true;
}

} // namespace

bool sameAsBruteForce(const FabricBuilder& b)
{
    const auto proof = prove(b);
    const BruteForce brute(b.s, b.network);
    return proof.method.exhaustive && samePairs(proof, brute) && sameCuts(proof, brute) && cutsCut(proof, brute) && sameSinglePoints(proof, brute) &&
           sameBisections(proof, brute, b.s) && proof.connectivity.throughSwitches == brute.everyPairMeets();
}
