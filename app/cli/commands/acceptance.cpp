// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/commands/segment_bandwidth.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/formats/plan_files.h"
#include "core/derived/rules/check.h"
#include "core/design/edit/script.h"
#include "core/foundation/model/find_network.h"
#include "core/foundation/model/setting_values.h"
#include "core/foundation/storage/project_file.h"
#include "core/output/exchange/design_stamp.h"
#include "importers/asbuilt/evidence_readers.h"
#include "importers/configuration/config_files.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <pwd.h>
#include <unistd.h>

namespace hw::cli {

namespace acceptance_command {

using asbuilt::GateEvaluation;

struct Options {
    std::string file, segment, network, audit, model;
    std::vector<std::string> config, perftest, nccl;
    bool json = false, record = false, preCheck = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    app.add_option("--segment", o.segment,
                   words(i18n("Segment number (from 1), or POD/SEGMENT if there is more than one pod; default: all gates of all segments")))
        ->option_text("SEGMENT");
    app.add_option("--network", o.network, words(i18n("Network (default: first backend network)")))->option_text("NAME");
    app.add_option("--audit", o.audit, words(i18n("Gate 1: firmware and settings audit results (JSON)")))->option_text("PATH");
    app.add_option("--config", o.config,
                   words(i18n("Gate 1: configuration of hosts and switches as captured (docs/configuration.md), files or folders; compared with the "
                              "expected values")))
        ->option_text("PATH...");
    app.add_flag("--pre-check", o.preCheck,
                 words(i18n("Evaluate only the configuration of the switches of the segment, before its hosts are deployed; needs --config")));
    app.add_option("--perftest", o.perftest,
                   words(i18n("Gate 2: ib_write_bw output (text or JSON), files named HOST.DEVICE.txt or folders of such files")))
        ->option_text("PATH...");
    app.add_option("--nccl", o.nccl, words(i18n("Gate 3: nccl-tests output, files or folders of files")))->option_text("PATH...");
    app.add_option("--model", o.model, words(i18n("Gate 4: results of the model run and the fault-injection test (JSON)")))->option_text("PATH");
    app.add_flag("--record", o.record, words(i18n("Record gate results in the project (one undo step)")));
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.footer(words(i18n("Exits with 3 if an evaluated gate fails. A gate can pass only after all earlier gates have passed "
                          "or been waived with a reason (edit: accept-gate).")));
}

Result<std::vector<exchange::ImportSource>> sourcesOf(const std::vector<std::string>& paths)
{
    const auto files = app::filesOf(paths, i18n("specify the results folder"));
    if (!files) return tl::unexpected(files.error());
    std::vector<exchange::ImportSource> sources;
    for (const auto& file : *files) {
        auto source = exchange::readSource(file);
        if (!source) return tl::unexpected(source.error());
        sources.push_back(std::move(*source));
    }
    return sources;
}

/// Judges the gates that there is evidence for.
class Judging {
public:
    Judging(const Options& o, FiguresPtr figures, asbuilt::SegmentKey key, const Progress& progress)
        : m_o(o), m_f(std::move(figures)), m_segment(asbuilt::segmentAt(*m_f->snapshot, key)), m_progress(progress)
    {
    }

    Result<std::vector<GateEvaluation>> run()
    {
        std::vector<GateEvaluation> all;
        const auto put = [&](const Result<GateEvaluation>& one) -> Result<void> {
            if (!one) return tl::unexpected(one.error());
            all.push_back(*one);
            return {};
        };
        if (m_o.preCheck) {
            if (const auto done = put(preCheck()); !done) return tl::unexpected(done.error());
            return all;
        }
        if (!m_o.audit.empty() || !m_o.config.empty() || !m_o.perftest.empty()) {
            auto compared = asbuilt::compareStored(m_f, m_progress);
            if (!compared) return tl::unexpected(compared.error());
            m_compared = std::move(*compared);
        }
        if (!m_o.audit.empty() || !m_o.config.empty())
            if (const auto done = put(audit()); !done) return tl::unexpected(done.error());
        if (!m_o.perftest.empty())
            if (const auto done = put(cards()); !done) return tl::unexpected(done.error());
        if (!m_o.nccl.empty())
            if (const auto done = put(collectives()); !done) return tl::unexpected(done.error());
        if (!m_o.model.empty())
            if (const auto done = put(model()); !done) return tl::unexpected(done.error());
        return all;
    }

private:
    Result<configuration::Comparison> configuration() const
    {
        const auto& profiles = configuration::shippedProfiles();
        if (!profiles) return tl::unexpected(profiles.error());
        const auto sources = sourcesOf(m_o.config);
        if (!sources) return tl::unexpected(sources.error());
        auto read = importers::readConfiguration(*sources, *m_f->snapshot);
        if (!read) return tl::unexpected(read.error());
        for (const auto& doubt : read->doubts) printNote(i18n("{}: {}", doubt.where, doubt.what));
        return configuration::compare(*m_f, *profiles, read->items);
    }

    Result<GateEvaluation> preCheck() const
    {
        const auto compared = configuration();
        if (!compared) return tl::unexpected(compared.error());
        return asbuilt::judgeSwitches(*m_f, m_segment, configuration::auditOf(*compared));
    }

    Result<GateEvaluation> audit()
    {
        std::vector<asbuilt::AuditCheck> checks;
        if (!m_o.audit.empty()) {
            const auto source = exchange::readSource(m_o.audit);
            if (!source) return tl::unexpected(source.error());
            auto read = importers::readAudit(*source);
            if (!read) return tl::unexpected(read.error());
            checks = std::move(*read);
        }
        Text notCaptured;
        std::vector<Text> unmatched;
        if (!m_o.config.empty()) {
            const auto compared = configuration();
            if (!compared) return tl::unexpected(compared.error());
            const auto own = configuration::auditOf(*compared);
            checks.insert(checks.end(), own.begin(), own.end());
            if (compared->notCaptured > 0)
                notCaptured =
                    i18n("{:L} expected items not captured: {}", std::int64_t(compared->notCaptured), listedNames(compared->itemsNotCaptured));
            for (const auto& issue : compared->unmatched) unmatched.push_back(i18n("{}: {}", issue.where, issue.what));
        }
        const auto checked = check(*m_f, {}, m_progress);
        if (!checked) return tl::unexpected(checked.error());
        std::vector<Text> errors;
        for (const Finding& f : checked->findings)
            if (f.rule != "D6" && f.severity == Severity::Error && !f.waived && // what was compared is listed by itself
                std::ranges::any_of(f.entities, [&](EntityRef e) { return m_segment.holds(*m_f->snapshot, e); }))
                errors.push_back(i18n("{}: {}", f.rule, f.message));
        errors.insert(errors.end(), unmatched.begin(), unmatched.end());
        auto judged = asbuilt::judgeAudit(*m_f, m_segment, m_compared, errors, checks);
        if (!notCaptured.empty()) judged.facts.push_back(notCaptured);
        return judged;
    }

    Result<GateEvaluation> cards()
    {
        const auto sources = sourcesOf(m_o.perftest);
        if (!sources) return tl::unexpected(sources.error());
        std::vector<asbuilt::CardMeasure> measures;
        for (const auto& source : *sources) {
            const auto read = importers::readPerftest(source);
            if (!read && sources->size() == 1) return tl::unexpected(read.error());
            if (!read) { // fails its card, not the others
                measures.push_back({{}, {}, 0, source.path.string(), i18n("{}; {}", read.error().what, read.error().todo)});
                continue;
            }
            measures.insert(measures.end(), read->begin(), read->end());
        }
        return asbuilt::judgeCards(*m_f, m_segment, m_compared, measures, numberSetting(*m_f->snapshot, "asbuilt.card_percent") / 100).judgment;
    }

    Result<GateEvaluation> collectives()
    {
        const auto sources = sourcesOf(m_o.nccl);
        if (!sources) return tl::unexpected(sources.error());
        std::vector<asbuilt::CollectiveRun> runs;
        for (const auto& source : *sources) {
            auto read = importers::readNccl(source);
            if (!read && sources->size() == 1) return tl::unexpected(read.error());
            if (!read) {
                runs.push_back({});
                runs.back().source = source.path.string(), runs.back().failed = i18n("{}; {}", read.error().what, read.error().todo);
                continue;
            }
            runs.push_back(std::move(*read));
        }
        return asbuilt::judgeCollectives(*m_f, m_segment, runs, numberSetting(*m_f->snapshot, "asbuilt.collective_percent") / 100,
                                         [&](const asbuilt::CollectiveRun& run) { return simulatedLimit(*m_f, m_segment, run, m_progress); });
    }

    Result<GateEvaluation> model()
    {
        const auto source = exchange::readSource(m_o.model);
        if (!source) return tl::unexpected(source.error());
        const auto test = importers::readModelTest(*source);
        if (!test) return tl::unexpected(test.error());
        return asbuilt::judgeModel({*test});
    }

    const Options& m_o;
    FiguresPtr m_f;
    asbuilt::Segment m_segment;
    const Progress& m_progress;
    asbuilt::Comparison m_compared;
};

std::string evidenceOf(const GateEvaluation& gate)
{
    std::string text;
    for (const auto* list : {&gate.facts, &gate.faults})
        for (const Text& one : *list)
            if (text.size() < 2000) text += (text.empty() ? "" : "; ") + words(one);
    return text;
}

std::string accountName()
{
    const passwd* entry = getpwuid(getuid());
    return entry ? entry->pw_name : words(i18n("unknown"));
}

/// Judged gates go in one after the other. What passes behind one that just failed is not recorded, and says so; behind one that is open, as
/// nothing was said of it, that is refused with the reason.
Result<void> recordIn(const Options& o, const asbuilt::SegmentKey& key, std::vector<GateEvaluation>& judged, const Progress& progress)
{
    auto file = ProjectFile::open(o.file, {}, progress);
    if (!file) return tl::unexpected(file.error());
    Document document((*file)->loaded().snapshot);
    (*file)->releaseLoaded();
    const auto following = (*file)->follow(document);
    {
        auto transaction = document.begin(words(i18n("Acceptance of {}", asbuilt::segmentTitle(*document.snapshot(), key))));
        int failed = 0;
        for (GateEvaluation& gate : judged) {
            if (gate.passes && failed > 0) {
                gate.facts.push_back(
                    i18n("not recorded: gate {} ({}) must first pass or be waived with a reason", failed, asbuilt::gateTitle(failed)));
                continue;
            }
            if (!gate.passes) failed = failed > 0 ? failed : gate.gate;
            const auto done = asbuilt::setGate(*transaction, key, gate.gate,
                                               {gate.passes ? GateResult::Passed : GateResult::Failed, evidenceOf(gate), accountName(), today()});
            if (!done) return tl::unexpected(done.error());
        }
        transaction.commit();
    }
    (*file)->save(document.snapshot());
    return (*file)->close();
}

nlohmann::ordered_json statesJson(const Snapshot& s, const asbuilt::SegmentKey& key)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    const auto states = asbuilt::gatesOf(s, key);
    for (int gate = 1; gate <= asbuilt::kGates; ++gate) {
        const auto& state = states[std::size_t(gate - 1)];
        list.push_back({{"gate", gate},
                        {"name", words(asbuilt::gateTitle(gate))},
                        {"result", wordOf(state.result)},
                        {"evidence", state.evidence},
                        {"author", state.author},
                        {"date", state.date}});
    }
    return list;
}

std::string statesText(const Snapshot& s, const asbuilt::SegmentKey& key)
{
    std::string out = words(asbuilt::segmentTitle(s, key)) + "\n";
    const auto states = asbuilt::gatesOf(s, key);
    for (int gate = 1; gate <= asbuilt::kGates; ++gate) {
        const auto& state = states[std::size_t(gate - 1)];
        out += fmt::format("  {}. {}: {}", gate, words(asbuilt::gateTitle(gate)), wordOf(state.result));
        if (!state.date.empty()) out += fmt::format(" ({}, {})", state.date, state.author);
        if (state.result == GateResult::Waived) out += ": " + state.evidence;
        out += "\n";
    }
    return out;
}

void showJudged(const Options& o, const Snapshot& s, const std::vector<asbuilt::SegmentKey>& keys, const std::vector<GateEvaluation>& judged)
{
    if (o.json) {
        nlohmann::ordered_json json{{"schema", "hallwright.acceptance/1"}, {"segments", nlohmann::ordered_json::array()}};
        for (const auto& key : keys)
            json["segments"].push_back(
                {{"segment", asbuilt::segmentName(key)}, {"network", s.networks.name[key.network]}, {"gates", statesJson(s, key)}});
        json["judged"] = nlohmann::ordered_json::array();
        for (const GateEvaluation& gate : judged) {
            nlohmann::ordered_json one{{"gate", gate.gate},
                                       {"passes", gate.passes},
                                       {"facts", nlohmann::ordered_json::array()},
                                       {"faults", nlohmann::ordered_json::array()}};
            for (const Text& fact : gate.facts) one["facts"].push_back(words(fact));
            for (const Text& fault : gate.faults) one["faults"].push_back(words(fault));
            json["judged"].push_back(std::move(one));
        }
        print(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
        return;
    }
    for (const auto& key : keys) print(statesText(s, key));
    for (const GateEvaluation& gate : judged) {
        print("\n" +
              words(gate.passes ? i18n("Gate {} ({}): pass", gate.gate, asbuilt::gateTitle(gate.gate))
                                : i18n("Gate {} ({}): fail", gate.gate, asbuilt::gateTitle(gate.gate))) +
              "\n");
        for (const Text& fact : gate.facts) print("  + " + words(fact) + "\n");
        for (const Text& fault : gate.faults) print("  - " + words(fault) + "\n");
    }
}

Outcome run(const Options& o, const Progress& progress)
{
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    const Snapshot& s = *(*figures)->snapshot;
    if (o.preCheck && o.config.empty())
        return fail(ErrorCode::Usage, "--pre-check", i18n("nothing to evaluate"),
                    i18n("specify the captured configuration of the switches with --config"));
    for (const auto& [name, given] :
         {std::pair("--record", o.record), std::pair("--audit", !o.audit.empty()), std::pair("--perftest", !o.perftest.empty()),
          std::pair("--nccl", !o.nccl.empty()), std::pair("--model", !o.model.empty())})
        if (o.preCheck && given) return fail(ErrorCode::Usage, name, i18n("cannot be combined with --pre-check"), i18n("omit one of the two"));
    const bool evidence = !o.audit.empty() || !o.config.empty() || !o.perftest.empty() || !o.nccl.empty() || !o.model.empty();
    if (o.segment.empty()) {
        if (evidence) return fail(ErrorCode::Usage, "--segment", i18n("missing"), i18n("specify the segment that the test results belong to"));
        if (o.record) return fail(ErrorCode::Usage, "--record", i18n("nothing to record"), i18n("provide test results, or omit it"));
        std::vector<asbuilt::SegmentKey> keys;
        std::optional<Error> unknown;
        const auto named = findNetwork(s, o.network);
        s.networks.forEach([&](NetworkId id) {
            if (o.network.empty() ? s.networks.kind[id] != NetworkKind::Backend : named != id) return;
            const auto all = asbuilt::segmentsOf(s, id);
            keys.insert(keys.end(), all.begin(), all.end());
        });
        if (keys.empty())
            return fail(ErrorCode::Refused, "--network " + o.network, i18n("network has no segment with hosts"), i18n("specify another network"));
        showJudged(o, s, keys, {});
        return kDone;
    }
    const auto key = asbuilt::findSegment(s, o.segment, o.network);
    if (!key) return tl::unexpected(key.error());
    if (o.record && !evidence) return fail(ErrorCode::Usage, "--record", i18n("nothing to record"), i18n("provide test results, or omit it"));
    auto judged = Judging(o, *figures, *key, progress).run();
    if (!judged) return tl::unexpected(judged.error());
    SnapshotPtr now = (*figures)->snapshot;
    if (o.record) {
        if (const auto done = recordIn(o, *key, *judged, progress); !done) return tl::unexpected(done.error());
        const auto read = readDesign(o.file, progress);
        if (!read) return tl::unexpected(read.error());
        now = *read;
    }
    showJudged(o, *now, {*key}, *judged);
    return std::ranges::all_of(*judged, &GateEvaluation::passes) ? kDone : kAnswerIsNo;
}

} // namespace acceptance_command

void addAcceptance(Session& session)
{
    using namespace acceptance_command;
    session.command<Options>("acceptance", i18n("Evaluate test results against the four acceptance gates of a segment"), declare, run);
}

} // namespace hw::cli
