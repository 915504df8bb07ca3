// SPDX-License-Identifier: GPL-3.0-or-later
// Every network with what is proved of it.
#include "core/output/document/parts.h"

#include "core/derived/proof/proof_output.h"
#include "core/foundation/model/label.h"
#include "core/output/report/amounts.h"
#include "core/output/report/network_view.h"

#include <algorithm>

namespace hw::document {
namespace {

using namespace amounts;
using Style = Paragraph::Style;

template <class T>
Text rangeText(const ValueRange<T>& range)
{
    if (!range.any) return verbatim("–");
    return range.equal() ? i18n("{:L}", range.min) : i18n("{:L} to {:L}", range.min, range.max);
}

Text namesOf(const NamedSet& set)
{
    constexpr std::size_t kMost = 4;
    std::vector<Text> names(set.names.begin(), set.names.begin() + std::ptrdiff_t(std::min(kMost, set.names.size())));
    const bool more = set.count > std::int64_t(names.size());
    return more ? i18n("{}, … ({:L} in total)", listed(std::move(names)), set.count) : listed(std::move(names));
}

Facts networkFacts(const Input& in, const FabricFigures::Network& network, const NetworkProof* proof)
{
    Facts facts;
    facts.lines.push_back({i18n("Name"), verbatim(in.snapshot().networks.name[network.id])});
    facts.lines.push_back({i18n("Kind"), verbatim(std::string(wordOf(in.snapshot().networks.kind[network.id])))});
    facts.lines.push_back(
        {i18n("Topology"), listed({i18np(network.planes, "{} plane", "{} planes"), i18np(network.rails, "{} rail", "{} rails"),
                                   i18np(network.segments, "{} segment per pod", "{} segments per pod"), i18np(network.pods, "{} pod", "{} pods")})});
    facts.lines.push_back({i18n("Connectivity"), connectionText(network, proof), network.connected ? Tone::Good : Tone::Bad});
    facts.lines.push_back({i18n("Oversubscription"), i18n("{:.4g}:1", network.oversubscriptionEndToEnd)});
    if (!proof || !proof->hasCables()) return facts;
    facts.lines.push_back({i18n("Cabling"),
                           proof->wiring.sound()
                               ? i18n("no port or cable is used more than once; port speeds match; no connection to another network")
                               : i18n("errors found, see below"),
                           proof->wiring.sound() ? Tone::Good : Tone::Bad});
    if (!proof->connectivity.planes.empty())
        facts.lines.push_back({i18n("Planes"), proof->wiring.planesDisjoint         ? i18n("no cable or switch connects two planes")
                                               : proof->wiring.planesMeetAt.empty() ? i18n("not disjoint")
                                                                                    : i18n("connected at tier {}", proof->wiring.planesMeetAt)});
    if (!proof->singleSwitches.empty()) facts.lines.push_back({i18n("Single points of failure"), namesOf(proof->singleSwitches), Tone::Warning});
    if (proof->switchCut.size > 0)
        facts.lines.push_back({i18n("Minimum cut"), i18n("{} or {} disconnect two NICs", i18np(proof->switchCut.size, "{:L} switch", "{:L} switches"),
                                                         i18np(proof->cableCut.size, "{:L} cable", "{:L} cables"))});
    facts.lines.push_back({i18n("Method"), proofMethod(*proof), Tone::Dim});
    return facts;
}

Table tiersTable(const Input& in, const FabricFigures::Network& network)
{
    Table table;
    table.caption = i18n("Tiers, from the servers up");
    table.columns = {{i18n("Tier"), 1.3},         {i18n("Switches"), 0.8, true},       {i18n("Down, Gb/s"), 1, true},
                     {i18n("Up, Gb/s"), 1, true}, {i18n("Oversubscription"), 1, true}, {i18n("Ratio, backup in use"), 0.9, true},
                     {i18n("Type"), 2.2}};
    for (const auto& tier : network.tiers) {
        if (in.snapshot().tiers.kind[tier.id] == TierKind::Server) continue;
        table.rows.push_back({{verbatim(in.snapshot().tiers.name[tier.id]), grouped(tier.switches), grouped(tier.downGbps), grouped(tier.upGbps),
                               i18n("{:.4g}:1", tier.oversubscription()), i18n("{:.4g}:1", tier.oversubscriptionWithBackup()),
                               verbatim(typeOfTier(in.figures, tier.id))}});
    }
    return table;
}

Table bisectionTable(const NetworkProof& proof)
{
    Table table;
    table.caption = i18n("Bisection: maximum throughput between two halves, independent of routing");
    table.columns = {{i18n("Between"), 1},
                     {i18n("Halves"), 3},
                     {i18n("Required, Gb/s"), 1.1, true},
                     {i18n("Available, Gb/s"), 1.1, true},
                     {i18n("Share"), 0.8, true}};
    for (const auto& b : proof.bisections)
        table.rows.push_back({{verbatim(b.level), b.halves, grouped(b.wantedGbps), grouped(b.carriedGbps),
                               Cell(percent(b.fraction()), b.fraction() < 0.999 ? Tone::Warning : Tone::Good)}});
    return table;
}

Table pathsTable(const NetworkProof& proof)
{
    Table table;
    table.caption = i18n("Paths between two NICs");
    table.columns = {{i18n("Pair"), 2.6},         {i18n("Switches"), 0.9, true},       {i18n("Shortest paths"), 1.2, true},
                     {i18n("Per port"), 1, true}, {i18n("Cable-disjoint"), 1.3, true}, {i18n("Switch-disjoint"), 1.1, true}};
    for (const auto& p : proof.pairs)
        table.rows.push_back({{p.label, rangeText(p.hops), p.reachable || p.paths.any ? Cell(rangeText(p.paths)) : Cell(i18n("no path"), Tone::Bad),
                               rangeText(p.pathsPerPort), rangeText(p.disjointCables), rangeText(p.disjointSwitches)}});
    return table;
}

Points remarks(const Input& in, const FabricFigures::Network& network, const NetworkProof* proof)
{
    Points points;
    if (proof) {
        const auto& w = proof->wiring;
        for (const auto& [what, set] :
             {std::pair(i18n("ports used twice"), &w.portsUsedTwice), std::pair(i18n("connected to another network"), &w.portsOfOtherNetworks),
              std::pair(i18n("mismatched speeds"), &w.ratesThatDiffer), std::pair(i18n("connected NIC to NIC"), &w.endToEnd),
              std::pair(i18n("one cable used in several places"), &w.cablesUsedTwice), std::pair(i18n("links without a cable"), &w.linksWithoutCable),
              std::pair(i18n("cables connecting two planes"), &w.planesCrossed),
              std::pair(i18n("NICs with all ports in one plane"), &w.nicsOnOnePlane)})
            if (!set->empty()) points.points.push_back({i18n("{}: {}", what, namesOf(*set)), Tone::Bad});
        for (const auto& tier : proof->tiers)
            if (!tier.even && !tier.access)
                points.points.push_back({i18n("uneven cabling between {} and {}: {}", tier.lower, tier.upper, namesOf(tier.where)), Tone::Warning});
        for (const Text& flag : proof->flags) points.points.push_back({flag});
    }
    for (const auto& note : unevenWiring(in.snapshot(), network.id)) points.points.push_back({verbatim(note), Tone::Warning});
    return points;
}

Section networkSection(const Input& in, const FabricFigures::Network& network)
{
    const Snapshot& s = in.snapshot();
    Section section{labelText(s.networks, network.id), 2, "networks." + std::to_string(network.id.value), {}};
    const auto found = std::ranges::find(in.report.proofs, network.id, &NetworkProof::network);
    const NetworkProof* proof = found == in.report.proofs.end() ? nullptr : &*found;
    section.blocks.push_back(networkFacts(in, network, proof));
    if (Table tiers = tiersTable(in, network); !tiers.rows.empty()) section.blocks.push_back(std::move(tiers));
    if (proof && !proof->bisections.empty()) section.blocks.push_back(bisectionTable(*proof));
    if (proof && !proof->pairs.empty()) section.blocks.push_back(pathsTable(*proof));
    if (Points points = remarks(in, network, proof); !points.points.empty()) section.blocks.push_back(std::move(points));
    if (network.id == in.figures.get<RackKindsNode>().main)
        section.blocks.push_back(Figure{Drawing::Fabric, network.id.value, i18n("{} network", s.networks.name[network.id]), {}});
    return section;
}

} // namespace

void addNetworks(const Input& in, std::vector<Section>& sections)
{
    sections.push_back({i18n("Networks"), 1, "networks", {}});
    const auto& networks = in.figures.fabric->networks();
    if (networks.empty()) sections.back().blocks.push_back(Paragraph{i18n("The design contains no networks.")});
    for (const auto& network : networks) sections.push_back(networkSection(in, network));
}

} // namespace hw::document
