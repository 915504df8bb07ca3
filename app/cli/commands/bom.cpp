// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/foundation/money/price_book.h"
#include "core/output/exchange/bom_delta.h"
#include "core/output/exchange/bom_sections.h"
#include "core/output/exchange/bom_total.h"
#include "core/output/exchange/lead_times.h"

namespace hw::cli {

namespace bom_command {

struct Options {
    std::string file, output, by;
    std::optional<int> phase;
    std::optional<std::uint64_t> since;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    app.add_option("-o,--output", o.output, words(i18n("Bill of materials file to write")))->option_text("OUT.csv|.xlsx|.json")->required();
    auto* by = app.add_option("--by", o.by, words(i18n("Group by system, phase, building or room, with subtotals")))->option_text("NAME");
    addPhaseOption(app, o.phase);
    app.add_option("--since", o.since, words(i18n("Changes since a revision of this file, as a priced change order")))
        ->option_text("REVISION")
        ->excludes(by);
    app.footer(words(i18n("A file contains the revision of its last save and all later revisions. To compare two files: "
                          "compare A.hall B.hall --bom.")));
}

Result<Bom> billOf(const Figures& figures, const Progress& progress)
{
    if (const auto made = figures.prepare<BomNode>(progress); !made) return tl::unexpected(made.error());
    return makeBom(figures);
}

Outcome changeOrder(const Options& o, const FiguresPtr& after, const Progress& progress)
{
    auto snapshot = readRevision(o.file, *o.since, progress);
    if (!snapshot) return tl::unexpected(snapshot.error());
    const auto before = figuresOf(*snapshot);
    if (!before) return tl::unexpected(before.error());
    const auto bomBefore = billOf(**before, progress), bomAfter = billOf(*after, progress);
    if (!bomBefore) return tl::unexpected(bomBefore.error());
    if (!bomAfter) return tl::unexpected(bomAfter.error());
    const auto delta = bomDelta(*bomBefore, *bomAfter, DesignStamp::of(**snapshot), DesignStamp::of(*after->snapshot));
    if (!delta) return tl::unexpected(delta.error());
    const auto written = writeWhole(o.output, [&](const std::filesystem::path& path) { return writeDelta(*delta, path, progress); });
    if (!written) return tl::unexpected(written.error());
    return kDone;
}

Outcome run(const Options& o, const Progress& progress)
{
    if (const auto format = outputFormat(o.output, {".csv", ".xlsx", ".json"}); !format) return tl::unexpected(format.error());
    const auto by = o.by.empty() ? std::nullopt : fromWord<BomBy>(o.by);
    if (!o.by.empty() && !by)
        return fail(ErrorCode::Usage, "--by " + o.by, i18n("cannot group a bill of materials"), i18n("choose from {}", listedNames(kWords<BomBy>)));
    const auto figures = readFigures(o.file, progress, o.phase);
    if (!figures) return tl::unexpected(figures.error());
    if (o.since) return changeOrder(o, *figures, progress);
    const auto bom = billOf(**figures, progress);
    if (!bom) return tl::unexpected(bom.error());
    const DesignStamp stamp = DesignStamp::of(*(*figures)->snapshot);
    const auto sections = by ? std::optional(bomSections(**figures, *bom, *by)) : std::nullopt;
    const auto orders = leadTimes(*(*figures)->snapshot, phaseSections(**figures, *bom));
    const auto written = writeWhole(o.output, [&](const std::filesystem::path& path) {
        return writeBom(*bom, path, stamp.project, progress, stamp, {sections ? &*sections : nullptr, &orders});
    });
    if (!written) return tl::unexpected(written.error());
    for (const auto& out : bom->leftOut) printNote(i18n("omitted from the bill of materials: {}", leftOutText(out)));
    if (const auto parts = bom->unpricedParts(); !parts.empty()) printNote(i18n("unpriced: {}", listedNames(parts)));
    for (const ExpiredOffer& offer : expiredOffers(*(*figures)->snapshot, *(*figures)->parts, stamp.date))
        printNote(i18n("{}: the quote from {} expired on {}; request a new one", offer.part, offer.supplier.empty() ? offer.source : offer.supplier,
                       offer.validUntil));
    if (const Text missing = withoutRateText(bom->withoutRate); !missing.empty()) printNote(missing);
    return kDone;
}

} // namespace bom_command

void addBom(Session& session)
{
    using namespace bom_command;
    session.command<Options>("bom", i18n("Write the bill of materials"), declare, run);
}

} // namespace hw::cli
