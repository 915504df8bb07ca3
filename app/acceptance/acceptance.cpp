// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/acceptance/acceptance.h"

#include "app/acceptance/injected_faults.h"
#include "app/acceptance/segment_bandwidth.h"
#include "app/formats/plan_files.h"
#include "core/derived/rules/check.h"
#include "core/foundation/model/setting_values.h"
#include "importers/asbuilt/evidence_readers.h"
#include "importers/configuration/config_files.h"

#include <algorithm>

namespace hw::app {

using asbuilt::GateEvaluation;

namespace {

Result<std::vector<exchange::ImportSource>> evidenceSources(const std::vector<std::string>& paths)
{
    const auto files = filesOf(paths, i18n("specify the results folder"));
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
    Judging(const GateEvidence& o, FiguresPtr figures, asbuilt::SegmentKey key, const Progress& progress)
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
        if (!m_o.model.empty() || !m_o.injected.empty() || !m_o.recording.empty())
            if (const auto done = put(model()); !done) return tl::unexpected(done.error());
        return all;
    }

    [[nodiscard]] std::vector<Text>& doubts() { return m_doubts; }

private:
    Result<configuration::Comparison> configuration()
    {
        const auto& profiles = configuration::shippedProfiles();
        if (!profiles) return tl::unexpected(profiles.error());
        const auto sources = evidenceSources(m_o.config);
        if (!sources) return tl::unexpected(sources.error());
        auto read = importers::readConfiguration(*sources, *m_f->snapshot);
        if (!read) return tl::unexpected(read.error());
        for (const auto& doubt : read->doubts) m_doubts.push_back(i18n("{}: {}", doubt.where, doubt.what));
        return configuration::compare(*m_f, *profiles, read->items);
    }

    Result<GateEvaluation> preCheck()
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
        const auto sources = evidenceSources(m_o.perftest);
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
        const auto sources = evidenceSources(m_o.nccl);
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
        if (m_o.injected.empty() != m_o.recording.empty())
            return fail(ErrorCode::Refused, m_o.injected.empty() ? m_o.recording : m_o.injected,
                        m_o.injected.empty() ? i18n("a recording without the script of the injected faults")
                                             : i18n("a script of injected faults without the recording of that time"),
                        i18n("specify both"));
        std::vector<asbuilt::ModelTest> tests;
        if (!m_o.model.empty()) {
            const auto source = exchange::readSource(m_o.model);
            if (!source) return tl::unexpected(source.error());
            auto test = importers::readModelTest(*source);
            if (!test) return tl::unexpected(test.error());
            tests.push_back(std::move(*test));
        }
        if (m_o.injected.empty()) return asbuilt::judgeModel(tests);
        auto found = findInjected(m_f, m_o.injected, m_o.recording, m_progress);
        if (!found) return tl::unexpected(found.error());
        auto judged = asbuilt::judgeModel(tests, found->faults);
        judged.facts.insert(judged.facts.end(), found->facts.begin(), found->facts.end());
        judged.faults.insert(judged.faults.end(), found->faultsOfJobs.begin(), found->faultsOfJobs.end());
        judged.passes = judged.faults.empty();
        return judged;
    }

    const GateEvidence& m_o;
    FiguresPtr m_f;
    asbuilt::Segment m_segment;
    const Progress& m_progress;
    asbuilt::Comparison m_compared;
    std::vector<Text> m_doubts;
};

std::string evidenceOf(const GateEvaluation& gate)
{
    std::string text;
    for (const auto* list : {&gate.facts, &gate.faults})
        for (const Text& one : *list)
            if (text.size() < 2000) text += (text.empty() ? "" : "; ") + words(one);
    return text;
}

} // namespace

bool GateEvidence::empty() const
{
    return audit.empty() && config.empty() && perftest.empty() && nccl.empty() && model.empty() && injected.empty() && recording.empty();
}

Result<GateResults> evaluateGates(const FiguresPtr& figures, const asbuilt::SegmentKey& key, const GateEvidence& evidence, const Progress& progress)
{
    Judging judging(evidence, figures, key, progress);
    auto gates = judging.run();
    if (!gates) return tl::unexpected(gates.error());
    return GateResults{std::move(*gates), std::move(judging.doubts())};
}

Result<void> recordGates(Snapshot& snapshot, const asbuilt::SegmentKey& key, std::vector<GateEvaluation>& judged, const std::string& author,
                         const std::string& date)
{
    int failed = 0;
    for (GateEvaluation& gate : judged) {
        if (gate.passes && failed > 0) {
            gate.facts.push_back(i18n("not recorded: gate {} ({}) must first pass or be waived with a reason", failed, asbuilt::gateTitle(failed)));
            continue;
        }
        if (!gate.passes) failed = failed > 0 ? failed : gate.gate;
        const auto done =
            asbuilt::setGate(snapshot, key, gate.gate, {gate.passes ? GateResult::Passed : GateResult::Failed, evidenceOf(gate), author, date});
        if (!done) return tl::unexpected(done.error());
    }
    return {};
}

Result<int> waiveGate(Snapshot& snapshot, const asbuilt::SegmentKey& key, int gate, const std::string& reason, const std::string& author,
                      const std::string& date)
{
    return asbuilt::setGate(snapshot, key, gate, {GateResult::Waived, reason, author, date});
}

} // namespace hw::app
