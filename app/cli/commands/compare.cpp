// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/compare.h"
#include "app/cli/arguments.h"
#include "app/cli/commands/commands.h"
#include "app/cli/commands/compare_netbox.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/foundation/base/json_document.h"
#include "core/output/exchange/bom_delta.h"
#include "core/output/report/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::cli {

namespace compare_command {

struct Options {
    std::string a, b;
    std::vector<std::string> set, setA, setB;
    std::string output;
    bool json = false, differences = false, expectSame = false, bom = false;
    NetboxComparison netbox;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("A", o.a, words(i18n("Project file, or template name or file")))->option_text("A.hall|TEMPLATE")->required();
    app.add_option("B", o.b, words(i18n("Second project or template")))->option_text("B.hall|TEMPLATE");
    app.add_option("--set", o.set, words(i18n("Template parameter, set on each side that has it")))
        ->option_text("NAME=VALUE")
        ->allow_extra_args(false);
    app.add_option("--set-a", o.setA, words(i18n("Parameter of template A")))->option_text("NAME=VALUE")->allow_extra_args(false);
    app.add_option("--set-b", o.setB, words(i18n("Parameter of template B")))->option_text("NAME=VALUE")->allow_extra_args(false);
    auto* differences = app.add_flag("--differences", o.differences, words(i18n("Show differences only")));
    app.add_flag("--expect-same", o.expectSame, words(i18n("Exit with 3 if anything differs")));
    app.add_flag("--bom", o.bom, words(i18n("Compare bills of materials only, as a priced change order")))->excludes(differences);
    app.add_option("-o,--output", o.output, words(i18n("Output file of --bom, or of --netbox (CSV, XLSX)")))->option_text("OUT.csv|.xlsx|.json");
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of a table")));
    declareNetbox(app, o.netbox);
}

using Values = std::map<std::string, std::string>;

bool isProject(const std::string& path) { return std::filesystem::path(path).extension() == ".hall"; }

bool hasParameter(const Template& design, const std::string& name)
{
    for (const auto& p : design.parameters())
        if (p.name == name) return true;
    return false;
}

/// One side: its report, whether it is a project or made here from a template.
struct Side {
    std::string name;
    std::optional<Template> source;
    Values values;
};

Result<Side> sideOf(const std::string& argument, const Values& own, const std::string& option)
{
    if (isProject(argument)) {
        if (!own.empty())
            return fail(ErrorCode::Usage, option, i18n("{} is a project; its parameters are fixed", argument),
                        i18n("use this option with a template"));
        return Side{argument, std::nullopt, {}};
    }
    auto design = findTemplate(argument);
    if (!design) return tl::unexpected(design.error());
    return Side{argument, *design, own};
}

/// Gives the common parameters to each template that has them; one that nobody has is wrong usage.
Result<void> share(const Values& common, Side& a, Side& b)
{
    for (const auto& [name, value] : common) {
        bool known = false;
        for (Side* side : {&a, &b})
            if (side->source && hasParameter(*side->source, name)) {
                side->values.try_emplace(name, value);
                known = true;
            }
        if (!known) return fail(ErrorCode::Usage, "--set " + name, i18n("neither side has this parameter"), i18n("see 'templates'"));
    }
    return {};
}

Result<FiguresPtr> figuresOf(Side& side, const Catalog& catalog, const Progress& progress)
{
    FiguresPtr figures;
    if (!side.source) {
        auto read = readFigures(side.name, progress);
        if (!read) return tl::unexpected(read.error());
        figures = *read;
    } else {
        const auto values = side.source->complete(side.values);
        if (!values) return tl::unexpected(values.error());
        const auto snapshot = instantiate(*side.source, *values, catalog, progress);
        if (!snapshot) return tl::unexpected(snapshot.error());
        auto computed = computeFigures(*snapshot, progress);
        if (!computed) return tl::unexpected(computed.error());
        figures = *computed;
        for (const auto& [name, value] : side.values) side.name += fmt::format(" {}={}", name, value);
    }
    return figures;
}

Result<nlohmann::ordered_json> reportOf(const Figures& figures, const Progress& progress)
{
    const auto report = makeProvenReport(figures, makeBom(figures), progress);
    if (!report) return tl::unexpected(report.error());
    return reportJson(*report, figures);
}

Outcome compareBills(const Options& o, const Figures& a, const Figures& b, const Progress& progress)
{
    const auto delta = bomDelta(makeBom(a), makeBom(b), DesignStamp::of(*a.snapshot), DesignStamp::of(*b.snapshot));
    if (!delta) return tl::unexpected(delta.error());
    if (!o.output.empty()) {
        const auto written = writeWhole(o.output, [&](const std::filesystem::path& path) { return writeDelta(*delta, path, progress); });
        if (!written) return tl::unexpected(written.error());
    } else {
        print(o.json ? deltaJson(*delta).dump(2) + '\n' : deltaText(*delta));
    }
    return o.expectSame && !delta->lines.empty() ? kAnswerIsNo : kDone;
}

Outcome run(const Options& o, const Progress& progress)
{
    if (!o.netbox.url.empty()) {
        if (!o.b.empty()) return fail(ErrorCode::Usage, "B " + o.b, i18n("cannot be combined with --netbox"), i18n("omit one of the two"));
        for (const auto& [given, name] :
             {std::pair(!o.set.empty(), "--set"), std::pair(!o.setA.empty(), "--set-a"), std::pair(!o.setB.empty(), "--set-b"),
              std::pair(o.differences, "--differences"), std::pair(o.bom, "--bom")})
            if (given) return fail(ErrorCode::Usage, name, i18n("cannot be combined with --netbox"), i18n("omit one of the two"));
        return compareNetbox(o.a, o.netbox, o.output, o.json, o.expectSame, progress);
    }
    if (const auto alone = refuseWithoutNetbox(o.netbox); !alone) return tl::unexpected(alone.error());
    if (o.b.empty()) return fail(ErrorCode::Usage, "B", i18n("missing"), i18n("specify the second project or template, or --netbox"));
    if (!o.output.empty() && !o.bom)
        return fail(ErrorCode::Usage, "-o " + o.output, i18n("applies to --bom and --netbox only"), i18n("add one of the two, or omit it"));
    if (!o.output.empty())
        if (const auto format = outputFormat(o.output, {".csv", ".xlsx", ".json"}); !format) return tl::unexpected(format.error());
    const auto common = namedValues(o.set, "--set"), ownA = namedValues(o.setA, "--set-a"), ownB = namedValues(o.setB, "--set-b");
    for (const auto* given : {&common, &ownA, &ownB})
        if (!*given) return tl::unexpected(given->error());
    auto a = sideOf(o.a, *ownA, "--set-a"), b = sideOf(o.b, *ownB, "--set-b");
    if (!a) return tl::unexpected(a.error());
    if (!b) return tl::unexpected(b.error());
    if (const auto shared = share(*common, *a, *b); !shared) return tl::unexpected(shared.error());
    const auto catalog = shippedCatalog();
    if (!catalog) return tl::unexpected(catalog.error());
    const auto figuresA = figuresOf(*a, *catalog, progress);
    if (!figuresA) return tl::unexpected(figuresA.error());
    const auto figuresB = figuresOf(*b, *catalog, progress);
    if (!figuresB) return tl::unexpected(figuresB.error());
    if (o.bom) return compareBills(o, **figuresA, **figuresB, progress);
    const auto reportA = reportOf(**figuresA, progress);
    if (!reportA) return tl::unexpected(reportA.error());
    const auto reportB = reportOf(**figuresB, progress);
    if (!reportB) return tl::unexpected(reportB.error());
    auto comparison = sizing::compareReports(*reportA, *reportB, a->name, b->name);
    comparison.servers = sizing::compareServers(**figuresA, **figuresB);
    print(o.json ? documentText(sizing::compareJson(comparison, o.differences)) : sizing::compareText(comparison, o.differences));
    return o.expectSame && comparison.differences() > 0 ? kAnswerIsNo : kDone;
}

} // namespace compare_command

void addCompare(Session& session)
{
    using namespace compare_command;
    session.command<Options>("compare", i18n("Compare two designs value by value"), declare, run);
}

} // namespace hw::cli
