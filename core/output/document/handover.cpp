// SPDX-License-Identifier: GPL-3.0-or-later
// The hand-over pack of a segment: what it is, how it was built, what is open, who signs.
#include "core/output/document/handover.h"

#include "core/derived/proof/proof_node.h"
#include "core/derived/proof/proof_output.h"
#include "core/operations/asbuilt/work_order.h"
#include "core/output/report/amounts.h"

#include <algorithm>
#include <set>

namespace hw::document {

using asbuilt::LinkState;

bool HandoverInput::isOwn(EntityRef e) const { return segment.holds(snapshot(), e); }

namespace {

using namespace amounts;
using Lead = Paragraph;

bool touches(const HandoverInput& in, const asbuilt::Difference& d)
{
    const auto own = [&](const asbuilt::SeenEnd& end) { return end.device && in.segment.has[(*end.device).value] != 0; };
    return std::ranges::any_of(d.links, [&](LinkId id) { return std::ranges::binary_search(in.segment.links, id); }) ||
           std::ranges::any_of(d.seen, [&](const asbuilt::SeenLink& seen) { return own(seen.from) || own(seen.to); });
}

std::int64_t linksIn(const HandoverInput& in, LinkState state)
{
    return std::ranges::count_if(in.segment.links, [&](LinkId id) { return LinkState(in.comparison.linkState[id.value]) == state; });
}

Tone toneOf(GateResult result)
{
    switch (result) {
    case GateResult::Passed: return Tone::Good;
    case GateResult::Waived: return Tone::Warning;
    case GateResult::Failed: return Tone::Bad;
    case GateResult::Open: return Tone::Dim;
    }
    return Tone::Plain;
}

std::int64_t gpusOf(const HandoverInput& in)
{
    std::int64_t all = 0;
    for (const DeviceId id : in.segment.hosts) all += in.model->gpus[id.value];
    return all;
}

Tiles coverTiles(const HandoverInput& in)
{
    std::int64_t differences = std::ranges::count_if(in.comparison.differences, [&](const auto& d) { return touches(in, d); });
    const auto gates = asbuilt::gatesOf(in.snapshot(), in.segment.key);
    const auto through = std::ranges::count_if(gates, &asbuilt::GateState::isThrough);
    Tiles tiles;
    tiles.tiles.push_back({grouped(std::int64_t(in.segment.hosts.size())), i18n("hosts"),
                           i18n("{:L} GPUs, {:L} standby hosts", gpusOf(in), std::int64_t(in.segment.backup.size()))});
    tiles.tiles.push_back(
        {grouped(std::int64_t(in.segment.links.size())), i18n("links"), i18n("{:L} observed as designed", linksIn(in, LinkState::AsDesigned))});
    tiles.tiles.push_back({grouped(differences), i18n("differences"), i18n("as-built vs design"), differences ? Tone::Bad : Tone::Good});
    tiles.tiles.push_back({i18n("{} of {}", std::int64_t(through), asbuilt::kGates), i18n("gates"), i18n("passed or waived"),
                           through == asbuilt::kGates ? Tone::Good : Tone::Warning});
    return tiles;
}

Section segmentSection(const HandoverInput& in)
{
    const Snapshot& s = in.snapshot();
    Section section{i18n("Scope of handover"), 1, "segment", {}};
    Table table;
    table.caption = i18n("Racks of the segment");
    table.columns = {{i18n("Hall"), 1}, {i18n("Row"), 1}, {i18n("Rack"), 1.4}, {i18n("Devices"), 0.7, true}, {i18n("Stage"), 1.2}};
    std::map<std::tuple<std::string, std::string, std::string>, std::vector<DeviceId>> racks;
    for (const DeviceId id : in.segment.devices()) {
        const auto at = asbuilt::floorPlace(s, id);
        racks[{at.hall, at.row, at.rack}].push_back(id);
    }
    for (const auto& [place, devices] : racks) {
        Stage least = Stage::Live;
        for (const DeviceId id : devices) least = std::min(least, s.devices.stage[id]);
        table.rows.push_back(
            {{verbatim(std::get<0>(place)), verbatim(std::get<1>(place)), verbatim(std::get<2>(place)), grouped(std::int64_t(devices.size())),
              Cell(verbatim(std::string(wordOf(least))), least < Stage::Installed ? Tone::Warning : Tone::Plain)}});
    }
    section.blocks.push_back(std::move(table));
    return section;
}

/// Lines of the proof: a label, blanks, what is said of it; lines that begin with blanks go on with the one before.
Facts proofFacts(const NetworkProof& proof)
{
    std::vector<std::pair<std::string, std::string>> lines;
    for (const std::string& line : proofLines(proof)) {
        const auto first = line.find_first_not_of(' ');
        if (first == line.npos) continue;
        const auto gap = line.find("  ", first);
        const auto value = gap == line.npos ? first : line.find_first_not_of(' ', gap);
        if (first == 0 && gap != line.npos && value != line.npos)
            lines.emplace_back(line.substr(0, gap), line.substr(value));
        else if (!lines.empty())
            lines.back().second += " " + line.substr(first);
        else
            lines.emplace_back(std::string(), line.substr(first));
    }
    Facts facts;
    for (auto& [label, value] : lines) facts.lines.push_back({verbatim(std::move(label)), verbatim(std::move(value))});
    return facts;
}

} // namespace

Result<Section> networkProofSection(const HandoverInput& in, const Progress& progress)
{
    const auto proofs = proofOf(in.figures, progress);
    if (!proofs) return tl::unexpected(proofs.error());
    const auto proof = std::ranges::find(**proofs, in.segment.key.network, &NetworkProof::network);
    if (proof == (*proofs)->end()) return fail(ErrorCode::Fault, "network", i18n("network not found in the design"), {});
    Section section{i18n("Network verification"), 1, "network", {}};
    section.blocks.push_back(Paragraph{proof->holds() ? i18n("The planned network passes verification: connected, correctly wired, planes disjoint.")
                                                      : i18n("The planned network fails verification."),
                                       Paragraph::Style::Lead, proof->holds() ? Tone::Good : Tone::Bad});
    section.blocks.push_back(proofFacts(*proof));
    return section;
}

Section asBuiltSection(const HandoverInput& in)
{
    Section section{i18n("As-built vs design"), 1, "as-built", {}};
    section.blocks.push_back(Paragraph{i18n("{:L} of {:L} links observed as designed, {:L} with unidentified ports; {:L} not inspected.",
                                            linksIn(in, LinkState::AsDesigned), std::int64_t(in.segment.links.size()),
                                            linksIn(in, LinkState::NotTold), linksIn(in, LinkState::Unseen) + linksIn(in, LinkState::NotBuilt)),
                                       Paragraph::Style::Lead});
    Table table;
    table.caption = i18n("Differences, highest impact first");
    table.columns = {{i18n("Kind"), 1}, {i18n("Item"), 4}, {i18n("GPUs degraded"), 0.8, true}, {i18n("GPUs lost"), 0.7, true}};
    for (const auto& d : in.comparison.differences)
        if (touches(in, d))
            table.rows.push_back(
                {{Cell(asbuilt::kindTitle(d.kind), Tone::Bad), d.message, grouped(d.cost.gpusDegraded.active), grouped(d.cost.gpusLost.active)}});
    if (table.rows.empty())
        section.blocks.push_back(Paragraph{i18n("All observed cables match the design."), Paragraph::Style::Body, Tone::Good});
    else
        section.blocks.push_back(std::move(table));
    return section;
}

Section punchSection(const HandoverInput& in)
{
    Section section{i18n("Punch list"), 1, "punch", {}};
    Table table;
    table.columns = {{i18n("No."), 0.4, true}, {i18n("Open item"), 5}, {i18n("From"), 1}, {i18n("Done (date, initials)"), 1.6}};
    const auto put = [&](const Text& what, const Text& from, Tone tone) {
        table.rows.push_back({{grouped(std::int64_t(table.rows.size() + 1)), Cell(what, tone), Cell(from), Cell()}});
    };
    const auto gates = asbuilt::gatesOf(in.snapshot(), in.segment.key);
    for (int gate = 1; gate <= asbuilt::kGates; ++gate)
        if (const auto& state = gates[std::size_t(gate - 1)]; !state.isThrough())
            put(i18n("Gate {} ({}) is {}", gate, asbuilt::gateTitle(gate), wordOf(state.result)), i18n("acceptance"), toneOf(state.result));
    for (const auto& d : in.comparison.differences)
        if (touches(in, d)) put(d.message, i18n("as-built"), Tone::Bad);
    const auto unseen = linksIn(in, LinkState::Unseen) + linksIn(in, LinkState::NotBuilt) + linksIn(in, LinkState::NotTold);
    if (unseen > 0)
        put(i18np(unseen, "{:L} link not observed or with unidentified ports", "{:L} links not observed or with unidentified ports"),
            i18n("as-built"), Tone::Warning);
    for (const Finding& f : in.findings.findings)
        if (f.rule != "D6" && !f.waived && f.severity != Severity::Info && std::ranges::any_of(f.entities, [&](EntityRef e) { return in.isOwn(e); }))
            put(f.message, i18n("rule {}", f.rule), f.severity == Severity::Error ? Tone::Bad : Tone::Warning);
    if (table.rows.empty())
        section.blocks.push_back(Paragraph{i18n("No open items."), Paragraph::Style::Lead, Tone::Good});
    else
        section.blocks.push_back(std::move(table));
    return section;
}

Section signSection(const HandoverInput& in)
{
    Section section{i18n("Sign-off"), 1, "sign-off", {}};
    Table gates;
    gates.caption = i18n("Acceptance gates");
    gates.columns = {{i18n("Gate"), 2}, {i18n("Result"), 0.8}, {i18n("Evidence"), 3}, {i18n("Date"), 0.8}, {i18n("By"), 0.8}};
    const auto states = asbuilt::gatesOf(in.snapshot(), in.segment.key);
    for (int gate = 1; gate <= asbuilt::kGates; ++gate) {
        const auto& state = states[std::size_t(gate - 1)];
        gates.rows.push_back(
            {{i18n("{}. {}", gate, asbuilt::gateTitle(gate)), Cell(verbatim(std::string(wordOf(state.result))), toneOf(state.result)),
              verbatim(state.evidence), verbatim(state.date), verbatim(state.author)}});
    }
    Table lines;
    lines.caption = i18n("Handover and acceptance");
    lines.columns = {{i18n("Role"), 1.4}, {i18n("Name"), 1.6}, {i18n("Date"), 0.8}, {i18n("Signature"), 2}};
    for (const Text& role : {i18n("Contractor"), i18n("Commissioning"), i18n("Network"), i18n("Facility"), i18n("Operator")})
        lines.rows.push_back({{role, verbatim("…………………………"), verbatim("……………"), verbatim("……………………………………")}});
    section.blocks.push_back(std::move(gates));
    section.blocks.push_back(std::move(lines));
    return section;
}

Result<ReportDocument> makeHandover(const FiguresPtr& figures, const asbuilt::SegmentKey& key, const DesignStamp& stamp, const Progress& progress)
{
    const auto step = [&](double fraction, const Text& what) { progress.report(fraction, words(what)); };
    step(0.05, i18n("as-built"));
    const auto comparison = asbuilt::compareStored(figures, progress);
    if (!comparison) return tl::unexpected(comparison.error());
    step(0.15, i18n("rules"));
    const auto findings = check(*figures, {}, progress);
    if (!findings) return tl::unexpected(findings.error());
    step(0.3, i18n("failure impact"));
    const auto model = impact::Model::of(figures, progress);
    if (!model) return tl::unexpected(model.error());
    const asbuilt::Segment segment = asbuilt::segmentAt(*figures->snapshot, key);
    const HandoverInput in{*figures, segment, *comparison, *findings, *model};
    ReportDocument d;
    d.figures = figures;
    d.stamp = stamp;
    d.title = i18n("Handover: {}", asbuilt::segmentTitle(*figures->snapshot, key));
    d.subtitle = stamp.project.empty() ? i18n("Design") : verbatim(stamp.project);
    d.basis = i18n("Readings predicted from the design on the {} power basis", powerBasisName((*model)->basis));
    d.cover = coverTiles(in);
    d.sections.push_back(segmentSection(in));
    d.sections.push_back(loadBankSection(in));
    addFailovers(in, d.sections);
    step(0.45, i18n("network verification"));
    auto proof = networkProofSection(in, progress);
    if (!proof) return tl::unexpected(proof.error());
    d.sections.push_back(std::move(*proof));
    d.sections.push_back(asBuiltSection(in));
    d.sections.push_back(punchSection(in));
    d.sections.push_back(signSection(in));
    return d;
}

} // namespace hw::document
