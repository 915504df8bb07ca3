// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/proof/proof_output.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw {
namespace {

template <class T>
Text rangeText(const ValueRange<T>& range)
{
    if (!range.any) return verbatim("-");
    return range.equal() ? i18n("{:L}", range.min) : i18n("{:L}-{:L}", range.min, range.max);
}

/// "1 switch", "2-4 switches": `say` is told the number that decides, and the range.
template <class T, class Say>
Text countText(const ValueRange<T>& range, Say&& say)
{
    return say(range.equal() ? range.max : std::max(range.max, T(2)), rangeText(range));
}

Text namesText(std::vector<Text> names, std::int64_t count)
{
    if (names.size() > 3) names.resize(3);
    const bool more = count > std::int64_t(names.size());
    Text shown = listed(std::move(names));
    return more ? i18n("{}, … ({:L} in total)", shown, count) : shown;
}
Text namesText(const NamedSet& set) { return namesText(set.names, set.count); }

/// Collects lines; words that do not fit go below, indented.
class Lines {
public:
    void add(const Text& label, const Text& said)
    {
        const std::string text = words(said);
        std::string line = fmt::format("{:<20} ", label);
        for (std::size_t at = 0; at < text.size();) {
            auto end = std::min(text.find(' ', at), text.size());
            const auto word = std::string_view(text).substr(at, end - at);
            if (line.size() > kIndent && line.size() + word.size() > kWidth) {
                m_lines.push_back(line);
                line.assign(kIndent, ' ');
            }
            line += std::string(word) + ' ';
            at = end + 1;
        }
        m_lines.push_back(line);
    }
    [[nodiscard]] std::vector<std::string> take()
    {
        for (auto& line : m_lines) line.erase(line.find_last_not_of(' ') + 1);
        return std::move(m_lines);
    }

private:
    static constexpr std::size_t kIndent = 21, kWidth = 98;
    std::vector<std::string> m_lines;
};

/// `forwarding`: the rest is reached only if end devices passed traffic on, which is no fault of the cables.
void addPart(Lines& lines, const NetworkProof::Part& part, bool forwarding, bool management)
{
    const Text state = forwarding && !part.connected ? i18n("connected only if end devices forward traffic, which is not modeled")
                       : part.connected              ? i18n("connected")
                       : part.withinRails            ? i18n("connected within each rail")
                                                     : i18n("NOT connected");
    const Text nics = management ? i18np(part.nics, "{:L} management port (BMC, PDU, switch)", "{:L} management ports (BMC, PDU, switch)")
                                 : i18np(part.nics, "{:L} NIC", "{:L} NICs");
    Text text = i18np(part.switches, "{1}: {0:L} switch connects {2}", "{1}: {0:L} switches connect {2}", state, nics);
    if (part.pieces > 1 && !part.connected) text = i18np(part.pieces, "{1} in {0:L} isolated partition", "{1} in {0:L} isolated partitions", text);
    if (!part.missing.empty()) text = i18n("{}; without cable: {}", text, namesText(part.missing));
    if (!part.cutOff.empty() && !forwarding) text = i18n("{}; isolated: {}", text, namesText(part.cutOff));
    lines.add(part.plane < 0 ? i18n("Whole network") : i18n("Plane {}", part.plane + 1), text);
}

void addDomains(Lines& lines, const NetworkProof::Connectivity& c)
{
    const Text devices = countText(c.domainDevices, [](auto n, const Text& range) { return i18np(n, "{1} end device", "{1} end devices", range); });
    lines.add(i18n("Domains"), c.throughSwitches ? i18n("{:L} of {}, each internally connected by its switches", c.domains, devices)
                                                 : i18n("{:L} of {}, NOT all internally connected", c.domains, devices));
}

void addWiring(Lines& lines, const NetworkProof& proof)
{
    const auto& w = proof.wiring;
    if (w.sound()) lines.add(i18n("Cabling"), i18n("no port or cable is used more than once; port speeds match; no connection to another network"));
    const auto fault = [&](TextId what, const NamedSet& set) {
        if (!set.empty()) lines.add(i18n("Cabling ERROR"), i18n("{}: {}", what, namesText(set)));
    };
    fault(TextId("ports used twice"), w.portsUsedTwice);
    fault(TextId("connected to another network"), w.portsOfOtherNetworks);
    fault(TextId("mismatched speeds"), w.ratesThatDiffer);
    fault(TextId("connected NIC to NIC"), w.endToEnd);
    fault(TextId("one cable used in several places"), w.cablesUsedTwice);
    fault(TextId("links without a cable"), w.linksWithoutCable);
    fault(TextId("cables connecting two planes"), w.planesCrossed);
    fault(TextId("NICs with all ports in one plane"), w.nicsOnOnePlane);
    if (proof.connectivity.planes.empty()) return;
    lines.add(i18n("Planes"), w.planesDisjoint         ? i18n("no cable or switch connects two planes")
                              : w.planesMeetAt.empty() ? i18n("NOT disjoint")
                                                       : i18n("connected at tier {}", w.planesMeetAt));
}

void addTiers(Lines& lines, const NetworkProof& proof)
{
    const bool manyKinds = std::ranges::count_if(proof.tiers, &NetworkProof::TierPair::access) > 4; // management
    for (const auto& t : proof.tiers) {
        if (t.access && t.even && manyKinds) continue;
        const Text lower = rangeText(t.perLower), upper = rangeText(t.perUpper), pair = rangeText(t.perPair);
        const Text each = t.access && !proof.scaleUp ? i18n("NIC") : verbatim(t.lower); // trays of a scale-up domain have no NIC in it
        Text text = t.even ? i18n("{} - {} uniform: {} per {}, {} per {}, {} per pair", t.lower, t.upper, lower, each, upper, t.upper, pair)
                           : i18n("{} - {} NOT uniform: {} per {}, {} per {}, {} per pair", t.lower, t.upper, lower, each, upper, t.upper, pair);
        if (!t.even) text = i18n("{}; {}", text, namesText(t.where));
        lines.add(i18n("Cables"), text);
    }
}

void addPairs(Lines& lines, const NetworkProof& proof)
{
    for (const auto& p : proof.pairs) {
        if (!p.paths.any) {
            lines.add(i18n("NIC pair"), i18n("{}: no path through switches", p.label));
            continue;
        }
        Text hops;
        for (const auto& c : p.choices) {
            if (c.choices < 2) continue;
            const Text hop = i18n("{:L} at {}", c.choices, c.tier);
            hops = hops.empty() ? hop : i18n("{} x {}", hops, hop);
        }
        const Text paths = countText(p.paths, [](auto n, const Text& range) { return i18np(n, "{1} shortest path", "{1} shortest paths", range); });
        const Text over = countText(p.hops, [](auto n, const Text& range) { return i18np(n, "{1} switch", "{1} switches", range); });
        const Text port = rangeText(p.pathsPerPort), cables = rangeText(p.disjointCables), switches = rangeText(p.disjointSwitches);
        lines.add(i18n("NIC pair"), p.paths.equal() ? i18n("{}: {} over {} ({} per port); {} cable-disjoint, {} switch-disjoint", p.label, paths,
                                                           over, port, cables, switches)
                                                    : i18n("{}: {} over {} ({} per port), lowest for {}; {} cable-disjoint, {} switch-disjoint",
                                                           p.label, paths, over, port, p.fewest, cables, switches));
        lines.add({}, p.searchSpace() > 1 ? i18n("path selection search space {:L} = {}", p.searchSpace(), hops)
                                          : i18n("one path per port: no path selection"));
        if (!p.reachable) lines.add({}, i18n("NOT all of these NICs can reach each other through switches"));
    }
}

void addLosses(Lines& lines, const NetworkProof& proof)
{
    const auto members = [](const NetworkProof::Cut& c) {
        std::vector<Text> names;
        for (const auto& name : c.members) names.push_back(verbatim(name));
        return namesText(std::move(names), c.size);
    };
    if (const auto& c = proof.switchCut; c.size > 0)
        lines.add(i18n("Minimum cut"), i18np(c.size, "{} switch: {}; separates {}", "{} switches: {}; separate {}", members(c), c.between));
    if (const auto& c = proof.cableCut; c.size > 0)
        lines.add({}, i18np(c.size, "{} cable: {}; separates {}", "{} cables: {}; separate {}", members(c), c.between));
    const Text label = i18n("SPOF");
    if (proof.singleSwitches.empty() && proof.singleCables.empty())
        return lines.add(label, i18n("none: no single switch or cable disconnects two NICs"));
    if (!proof.singleSwitches.empty())
        lines.add(label, i18np(proof.singleSwitches.count, "{:L} switch: {}", "{:L} switches: {}", namesText(proof.singleSwitches)));
    if (!proof.singleCables.empty())
        lines.add(label, i18np(proof.singleCables.count, "{:L} cable: {}", "{:L} cables: {}", namesText(proof.singleCables)));
}

} // namespace

Text proofMethod(const NetworkProof& proof)
{
    const auto& m = proof.method;
    if (!proof.hasCables()) return i18n("No cables; nothing to verify.");
    Text text = i18n("Calculated from the {:L} cables only: flows on a reduced graph of {} equivalence classes, paths and cuts "
                     "from {:L} of {:L} NIC classes (symmetries verified cable by cable), connectivity, ports and single "
                     "failures on the full graph.",
                     proof.size.cables, m.classes, m.sources, m.sourceClasses);
    return m.exhaustive ? text : together({text, i18n("Too irregular for an exhaustive check: paths and cuts are based on a sample.")});
}

std::vector<std::string> proofLines(const NetworkProof& proof)
{
    Lines lines;
    lines.add(i18n("Verification"), !proof.hasCables()        ? i18n("nothing to verify")
                                    : proof.needsForwarding() ? i18n("not modeled")
                                    : proof.holds()           ? i18n("passed")
                                                              : i18n("FAILED"));
    for (const auto& flag : proof.flags) lines.add({}, i18n("! {}", flag));
    if (!proof.hasCables()) return lines.take();
    if (proof.scaleUp)
        addDomains(lines, proof.connectivity);
    else
        addPart(lines, proof.connectivity.whole, proof.needsForwarding(), proof.management);
    for (const auto& plane : proof.connectivity.planes) addPart(lines, plane, proof.needsForwarding(), proof.management);
    addWiring(lines, proof);
    addTiers(lines, proof);
    addPairs(lines, proof);
    for (const auto& b : proof.bisections)
        lines.add(i18n("Bisection"), i18n("{}: {:L} of {:L} Gb/s ({:.4g} %)", b.halves, b.carriedGbps, b.wantedGbps, 100 * b.fraction()));
    addLosses(lines, proof);
    lines.add(i18n("Method"), proofMethod(proof));
    return lines.take();
}

} // namespace hw
