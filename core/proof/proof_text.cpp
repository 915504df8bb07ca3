// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/proof_output.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw {
namespace {

std::string grouped(std::uint64_t value)
{
    auto digits = std::to_string(value);
    for (auto at = std::int64_t(digits.size()) - 3; at > 0; at -= 3) digits.insert(std::size_t(at), ",");
    return digits;
}

template <class T>
std::string rangeText(const ValueRange<T>& range)
{
    if (!range.any) return "-";
    return range.equal() ? grouped(std::uint64_t(range.min)) : grouped(std::uint64_t(range.min)) + "-" + grouped(std::uint64_t(range.max));
}

/// "1 switch", "2-4 switches".
template <class T>
std::string countText(const ValueRange<T>& range, std::string_view what)
{
    const bool one = range.max == T(1) && range.equal();
    return fmt::format("{} {}{}", rangeText(range), what, one ? "" : what.ends_with("ch") ? "es" : "s");
}

std::string namesText(const std::vector<std::string>& names, std::int64_t count)
{
    std::string text;
    const auto shown = std::min<std::size_t>(names.size(), 3);
    for (std::size_t i = 0; i < shown; ++i) text += (i ? ", " : "") + names[i];
    return count > std::int64_t(shown) ? text + fmt::format(", … ({} in all)", grouped(std::uint64_t(count))) : text;
}
std::string namesText(const NamedSet& set) { return namesText(set.names, set.count); }

/// Collects lines; words that do not fit go below, indented.
class Lines {
public:
    void add(std::string_view label, std::string_view text)
    {
        std::string line = fmt::format("{:<20} ", label);
        for (std::size_t at = 0; at < text.size();) {
            auto end = std::min(text.find(' ', at), text.size());
            const auto word = text.substr(at, end - at);
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
void addPart(Lines& lines, const NetworkProof::Part& part, bool forwarding)
{
    std::string text = forwarding && !part.connected ? "joined only if end devices passed traffic on, which is not modelled"
                       : part.connected              ? "connected"
                       : part.withinRails            ? "connected within each rail"
                                                     : "NOT connected";
    text += fmt::format(": {} switches join {} NICs", grouped(std::uint64_t(part.switches)), grouped(std::uint64_t(part.nics)));
    if (part.pieces > 1 && !part.connected) text += fmt::format(" in {} pieces", grouped(std::uint64_t(part.pieces)));
    if (!part.missing.empty()) text += "; without a cable: " + namesText(part.missing);
    if (!part.cutOff.empty() && !forwarding) text += "; cut off: " + namesText(part.cutOff);
    lines.add(part.plane < 0 ? "Whole network" : fmt::format("Plane {}", part.plane + 1), text);
}

void addDomains(Lines& lines, const NetworkProof::Connectivity& c)
{
    lines.add("Domains", fmt::format("{} of {}, {}", grouped(std::uint64_t(c.domains)), countText(c.domainDevices, "end device"),
                                     c.throughSwitches ? "each joined within itself by its switches" : "NOT all joined within themselves"));
}

void addWiring(Lines& lines, const NetworkProof& proof)
{
    const auto& w = proof.wiring;
    if (w.sound()) lines.add("Wiring", "every port and every cable is used once, at one speed, in this network alone");
    const auto fault = [&](const char* what, const NamedSet& set) {
        if (!set.empty()) lines.add("Wiring FAULT", fmt::format("{}: {}", what, namesText(set)));
    };
    fault("ports used twice", w.portsUsedTwice);
    fault("joined to another network", w.portsOfOtherNetworks);
    fault("two speeds", w.ratesThatDiffer);
    fault("from NIC to NIC", w.endToEnd);
    fault("one cable in several places", w.cablesUsedTwice);
    fault("links without a cable", w.linksWithoutCable);
    fault("cables that join two planes", w.planesCrossed);
    fault("NICs with all ports in one plane", w.nicsOnOnePlane);
    if (proof.connectivity.planes.empty()) return;
    lines.add("Planes", w.planesDisjoint         ? "no cable and no switch joins two planes"
                        : w.planesMeetAt.empty() ? "NOT disjoint"
                                                 : "meet at tier " + w.planesMeetAt);
}

void addTiers(Lines& lines, const NetworkProof& proof)
{
    const bool manyKinds = std::ranges::count_if(proof.tiers, &NetworkProof::TierPair::access) > 4; // management
    for (const auto& t : proof.tiers) {
        if (t.access && t.even && manyKinds) continue;
        std::string text = fmt::format("{}: cables {} a {}, {} a {}, {} a pair", t.even ? "even" : "UNEVEN", rangeText(t.perLower),
                                       t.access ? "NIC" : t.lower, rangeText(t.perUpper), t.upper, rangeText(t.perPair));
        if (!t.even) text += "; " + namesText(t.where);
        lines.add("Evenness", t.lower + " - " + t.upper + " " + text);
    }
}

void addPairs(Lines& lines, const NetworkProof& proof)
{
    for (const auto& p : proof.pairs) {
        if (!p.paths.any) {
            lines.add("Two NICs", p.label + ": no way through switches");
            continue;
        }
        std::string hops;
        for (const auto& c : p.choices)
            if (c.choices > 1) hops += fmt::format("{}{} at {}", hops.empty() ? "" : " x ", grouped(std::uint64_t(c.choices)), c.tier);
        lines.add("Two NICs", fmt::format("{}: {} over {} ({} a port){}; {} share no cable, {} no switch", p.label,
                                          countText(p.paths, "shortest path"), countText(p.hops, "switch"), rangeText(p.pathsPerPort),
                                          p.paths.equal() ? "" : ", fewest " + p.fewest, rangeText(p.disjointCables), rangeText(p.disjointSwitches)));
        lines.add("", p.searchSpace() > 1 ? fmt::format("path selection searches {} = {}", grouped(p.searchSpace()), hops)
                                          : "path selection has nothing to choose");
        if (!p.reachable) lines.add("", "NOT all of them reach each other through switches");
    }
}

void addLosses(Lines& lines, const NetworkProof& proof)
{
    const auto cut = [&](const char* label, const NetworkProof::Cut& c, const char* what) {
        if (c.size > 0)
            lines.add(label,
                      fmt::format("losing {} {} parts two NICs, fewer do not: {} ({})", c.size, what, namesText(c.members, c.size), c.between));
    };
    cut("Smallest loss", proof.switchCut, proof.switchCut.size == 1 ? "switch" : "switches");
    cut("", proof.cableCut, proof.cableCut.size == 1 ? "cable" : "cables");
    if (proof.singleSwitches.empty() && proof.singleCables.empty()) return lines.add("Single points", "none: no one switch or cable parts two NICs");
    if (!proof.singleSwitches.empty())
        lines.add("Single points",
                  fmt::format("{} switches: {}", grouped(std::uint64_t(proof.singleSwitches.count)), namesText(proof.singleSwitches)));
    if (!proof.singleCables.empty())
        lines.add("Single points", fmt::format("{} cables: {}", grouped(std::uint64_t(proof.singleCables.count)), namesText(proof.singleCables)));
}

} // namespace

std::string proofMethod(const NetworkProof& proof)
{
    const auto& m = proof.method;
    if (!proof.hasCables()) return "There are no cables to prove anything about.";
    return fmt::format("Computed from the {} cables alone: flows on the quotient of {} classes, paths and cuts from {} of {} classes of NICs "
                       "(symmetries verified cable by cable), "
                       "connectivity, ports and single losses on the whole graph.{}",
                       grouped(std::uint64_t(proof.size.cables)), m.classes, grouped(std::uint64_t(m.sources)),
                       grouped(std::uint64_t(m.sourceClasses)),
                       m.exhaustive ? "" : " Too irregular to be exhaustive: paths and cuts are of a sample.");
}

std::vector<std::string> proofLines(const NetworkProof& proof)
{
    Lines lines;
    lines.add("Proof", !proof.hasCables()        ? "nothing to prove"
                       : proof.needsForwarding() ? "not modelled"
                       : proof.holds()           ? "holds"
                                                 : "DOES NOT HOLD");
    for (const auto& flag : proof.flags) lines.add("", "! " + flag);
    if (!proof.hasCables()) return lines.take();
    if (proof.scaleUp)
        addDomains(lines, proof.connectivity);
    else
        addPart(lines, proof.connectivity.whole, proof.needsForwarding());
    for (const auto& plane : proof.connectivity.planes) addPart(lines, plane, proof.needsForwarding());
    addWiring(lines, proof);
    addTiers(lines, proof);
    addPairs(lines, proof);
    for (const auto& b : proof.bisections)
        lines.add("Bisection", fmt::format("{}: {} of {} Gb/s ({:.4g} of full)", b.halves, grouped(std::uint64_t(b.carriedGbps)),
                                           grouped(std::uint64_t(b.wantedGbps)), b.fraction()));
    addLosses(lines, proof);
    lines.add("Method", proofMethod(proof));
    return lines.take();
}

} // namespace hw
