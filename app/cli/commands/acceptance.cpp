// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/acceptance/acceptance.h"
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "core/design/edit/script.h"
#include "core/foundation/model/find_network.h"
#include "core/foundation/storage/project_file.h"
#include "core/output/exchange/design_stamp.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <pwd.h>
#include <unistd.h>

namespace hw::cli {

namespace acceptance_command {

using asbuilt::GateEvaluation;

struct Options : app::GateEvidence {
    std::string file, segment, network, reason;
    int waive = 0;
    bool json = false, record = false;
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
    auto* injected = app.add_option("--injected", o.injected,
                                    words(i18n("Gate 4: fault script (docs/emulate.md) of the faults injected while the recording was made")))
                         ->option_text("SCRIPT.json");
    auto* recording =
        app.add_option("--recording", o.recording, words(i18n("Gate 4: recording of `live --record` or `emulate -o` during the fault injection")))
            ->option_text("RECORDING")
            ->needs(injected);
    injected->needs(recording);
    app.add_flag("--record", o.record, words(i18n("Record gate results in the project (one undo step)")));
    auto* reason = app.add_option("--reason", o.reason, words(i18n("Why the gate is waived")))->option_text("TEXT");
    auto* waive = app.add_option("--waive", o.waive, words(i18n("Waive this gate of the segment, 1 to 4, with --reason (one undo step)")))
                      ->option_text("GATE")
                      ->check(CLI::Range(1, asbuilt::kGates))
                      ->needs(reason);
    reason->needs(waive);
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.footer(words(i18n("Exits with 3 if an evaluated gate fails. A gate can pass only after all earlier gates have passed "
                          "or been waived with a reason.")));
}

std::string accountName()
{
    const passwd* entry = getpwuid(getuid());
    return entry ? entry->pw_name : words(i18n("unknown"));
}

/// One undo step in the project file.
Result<void> changeIn(const Options& o, const asbuilt::SegmentKey& key, const std::function<Result<void>(Snapshot&)>& change,
                      const Progress& progress)
{
    auto file = ProjectFile::open(o.file, {}, progress);
    if (!file) return tl::unexpected(file.error());
    Document document((*file)->loaded().snapshot);
    (*file)->releaseLoaded();
    const auto following = (*file)->follow(document);
    {
        auto transaction = document.begin(words(i18n("Acceptance of {}", asbuilt::segmentTitle(*document.snapshot(), key))));
        if (const auto done = change(*transaction); !done) return done;
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
          std::pair("--nccl", !o.nccl.empty()), std::pair("--model", !o.model.empty()), std::pair("--injected", !o.injected.empty())})
        if (o.preCheck && given) return fail(ErrorCode::Usage, name, i18n("cannot be combined with --pre-check"), i18n("omit one of the two"));
    const bool evidence = !o.empty();
    if (o.waive > 0 && (evidence || o.record))
        return fail(ErrorCode::Usage, "--waive", i18n("cannot be combined with test results"), i18n("waive the gate in a run of its own"));
    if (o.segment.empty()) {
        if (o.waive > 0) return fail(ErrorCode::Usage, "--segment", i18n("missing"), i18n("specify the segment whose gate is waived"));
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
    app::GateResults results;
    if (o.waive == 0) {
        auto evaluated = app::evaluateGates(*figures, *key, o, progress);
        if (!evaluated) return tl::unexpected(evaluated.error());
        results = std::move(*evaluated);
    }
    for (const Text& doubt : results.doubts) printNote(doubt);
    auto& judged = results.gates;
    SnapshotPtr now = (*figures)->snapshot;
    if (o.record || o.waive > 0) {
        const auto change = [&](Snapshot& t) -> Result<void> {
            if (o.record) return app::recordGates(t, *key, judged, accountName(), today());
            const auto opened = app::waiveGate(t, *key, o.waive, o.reason, accountName(), today());
            if (!opened) return tl::unexpected(opened.error());
            return {};
        };
        if (const auto done = changeIn(o, *key, change, progress); !done) return tl::unexpected(done.error());
        const auto read = readDesign(o.file, progress);
        if (!read) return tl::unexpected(read.error());
        now = *read;
    }
    showJudged(o, *now, {*key}, judged);
    return std::ranges::all_of(judged, &GateEvaluation::passes) ? kDone : kAnswerIsNo;
}

} // namespace acceptance_command

void addAcceptance(Session& session)
{
    using namespace acceptance_command;
    session.command<Options>("acceptance", i18n("Evaluate test results against the four acceptance gates of a segment"), declare, run);
}

} // namespace hw::cli
