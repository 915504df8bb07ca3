// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/document/report_document.h"

#include "core/output/document/parts.h"

namespace hw::document {
namespace {

Text basisText(const Input& in)
{
    const auto& power = in.report.power;
    return power.pueComputed ? i18n("Power on the {} basis; PUE calculated from the losses of this design", powerBasisName(power.basis))
                             : i18n("Power on the {} basis; constant PUE", powerBasisName(power.basis));
}

Text subtitleText(const Report& report)
{
    if (report.design.templateName.empty()) return i18n("Design report");
    return i18n("Design report · template {}", report.design.templateName);
}

} // namespace

Result<ReportDocument> makeReportDocument(const FiguresPtr& figures, const DesignStamp& stamp, const Progress& progress)
{
    const auto step = [&](double fraction, const Text& what) { progress.report(fraction, words(what)); };
    step(0.02, i18n("bill of materials"));
    if (const auto made = figures->prepare<BomNode, PowerNode>(progress); !made) return tl::unexpected(made.error());
    step(0.15, i18n("network verification"));
    const auto report = makeProvenReport(*figures, makeBom(*figures), progress);
    if (!report) return tl::unexpected(report.error());
    step(0.35, i18n("rules"));
    const auto findings = check(*figures, {}, progress);
    if (!findings) return tl::unexpected(findings.error());
    step(0.5, i18n("sections"));
    const Input in{*figures, *report, makeBom(*figures), *findings};
    ReportDocument d;
    d.figures = figures;
    d.stamp = stamp;
    d.title = stamp.project.empty() ? i18n("Design") : verbatim(stamp.project);
    d.subtitle = subtitleText(*report);
    d.basis = basisText(in);
    d.cover = keyFigures(in);
    d.sections.push_back(summarySection(in));
    addBudgets(in, d.sections);
    addNetworks(in, d.sections);
    addDrawings(in, d.sections);
    addRacks(in, d.sections);
    addFindings(in, d.sections);
    addBill(in, d.sections);
    addTrust(in, d.sections);
    return d;
}

} // namespace hw::document
