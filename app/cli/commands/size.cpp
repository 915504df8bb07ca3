// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "core/design/sizing/demand.h"
#include "core/design/sizing/facility_of_size.h"
#include "core/design/sizing/sizing.h"
#include "core/foundation/base/file_kind.h"
#include "core/foundation/base/json_document.h"
#include "importers/demand/demand_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::cli {

namespace size_command {

struct Options {
    std::optional<std::int64_t> accelerators;
    std::string server, curve, acceleratorClass, hall, limitBasis = "it";
    std::optional<double> megawatts;
    std::optional<std::int64_t> racks;
    std::vector<std::string> switches, growth, templates, split;
    std::optional<double> maxOversubscription;
    std::optional<int> planes, tiers;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("--accelerators", o.accelerators,
                   words(i18n("Number of active accelerators; default with --curve: peak demand; with limits: as many as fit")))
        ->option_text("N");
    app.add_option("--class", o.acceleratorClass, words(i18n("Accelerator class (default: rank each class separately)")))->option_text("gpu|tpu");
    app.add_option("--server", o.server, words(i18n("Server: catalog part, or name as listed by 'templates'")))->option_text("TYPE");
    app.add_option("--switch", o.switches, words(i18n("Switches used in the network")))
        ->option_text("TYPE[,TYPE]")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--max-oversubscription", o.maxOversubscription, words(i18n("Maximum end-to-end oversubscription; 1 is full bisection")))
        ->option_text("R");
    app.add_option("--planes", o.planes, words(i18n("Network planes")))->option_text("P");
    app.add_option("--split", o.split, words(i18n("Ports per uplink cage (breakout), for all switch tiers or by tier: 2, leaf=2,spine=1")))
        ->option_text("N | TIER=N[,TIER=N]")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--tiers", o.tiers, words(i18n("Switch tiers of the network")))->option_text("T");
    app.add_option("--limit-mw", o.megawatts, words(i18n("Power available to the whole design")))->option_text("MW");
    app.add_option("--limit-basis", o.limitBasis, words(i18n("Basis of --limit-mw: IT power, or facility power (times the PUE of each design)")))
        ->option_text("it|facility");
    app.add_option("--limit-racks", o.racks, words(i18n("Available racks for servers and all networks")))->option_text("N");
    app.add_option("--limit-hall", o.hall, words(i18n("Single hall that the design must fit into, inner dimensions in meters")))
        ->option_text("LENGTHxWIDTH");
    app.add_option("--growth", o.growth, words(i18n("Growth target: a share (0.5, 50%), or 'to N' accelerators")))
        ->option_text("SHARE | to N")
        ->expected(1, 2);
    app.add_option("--template", o.templates,
                   words(i18n("Only these templates, by name; template files are considered in addition to the shipped ones")))
        ->option_text("NAME[,NAME]")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--curve", o.curve, words(i18n("Demand curve: determine which design is needed when")))->option_text("CURVE.csv|json");
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.footer(words(i18n("With limits and without --accelerators: the largest design of each template that fits, and its "
                          "limiting factor.\nServer, switch and link counts are exact. Cable counts are exact unless one copper "
                          "cable replaces\nseveral cables that share a cage. Transceivers, cable lengths and figures derived "
                          "from them are estimates.\nExits with 3 if no design meets the requirements.")));
}

std::optional<double> numberOf(const std::string& text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// "2" of all tiers, "leaf=2" of one.
Result<std::map<std::string, int>> splitOf(const std::vector<std::string>& words)
{
    std::map<std::string, int> split;
    for (const auto& word : words) {
        const auto at = word.find('=');
        const auto ports = numberOf(at == std::string::npos ? word : word.substr(at + 1));
        if (!ports || *ports != std::floor(*ports) || std::abs(*ports) > 1024)
            return fail(ErrorCode::Usage, "--split " + word, i18n("neither a number of ports nor TIER=N"),
                        i18n("for example: --split 2 or --split leaf=2,spine=1"));
        if (!split.emplace(at == std::string::npos ? "" : word.substr(0, at), int(*ports)).second)
            return fail(ErrorCode::Usage, "--split " + word, i18n("is given twice"), i18n("specify each tier once"));
    }
    return split;
}

/// "0.5", "50%", "to 30000", "to" "30000", "to:30000".
Result<std::int64_t> growTo(const std::vector<std::string>& words, std::int64_t accelerators)
{
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
    const auto refuse = [&] {
        return fail(ErrorCode::Usage, "--growth " + text, i18n("neither a share nor 'to N'"), i18n("for example: --growth 50% or --growth to 30000"));
    };
    if (text.starts_with("to ") || text.starts_with("to:") || text.starts_with("to=")) {
        const auto value = numberOf(text.substr(3));
        if (!value || *value < 1 || *value != std::floor(*value) || *value > 1e9) return refuse();
        return std::int64_t(*value);
    }
    const bool percent = text.ends_with('%');
    const auto share = numberOf(percent ? text.substr(0, text.size() - 1) : text);
    if (!share || *share < 0 || *share > 1e6) return refuse();
    return std::int64_t(std::ceil(double(accelerators) * (1 + *share / (percent ? 100 : 1)) - 1e-9));
}

/// "60x30", "60 x 30".
Result<sizing::SizeLimits::Hall> hallOf(const std::string& text)
{
    std::string plain;
    for (const char c : text)
        if (c != ' ') plain += c;
    const auto by = plain.find('x');
    const auto length = by == plain.npos ? std::nullopt : numberOf(plain.substr(0, by)),
               width = by == plain.npos ? std::nullopt : numberOf(plain.substr(by + 1));
    if (!length || !width)
        return fail(ErrorCode::Usage, "--limit-hall " + text, i18n("not valid hall dimensions"), i18n("for example: --limit-hall 60x30"));
    return sizing::SizeLimits::Hall{*length, *width};
}

Result<sizing::SizeLimits> limitsOf(const Options& o)
{
    sizing::SizeLimits limits;
    limits.megawatts = o.megawatts;
    limits.racks = o.racks;
    if (o.limitBasis != "it" && o.limitBasis != "facility")
        return fail(ErrorCode::Usage, "--limit-basis " + o.limitBasis, i18n("must be 'it' or 'facility'"), i18n("specify one of the two"));
    if (o.limitBasis == "facility" && !o.megawatts)
        return fail(ErrorCode::Usage, "--limit-basis", i18n("requires --limit-mw"), i18n("add --limit-mw"));
    limits.facility = o.limitBasis == "facility";
    if (o.hall.empty()) return limits;
    const auto hall = hallOf(o.hall);
    if (!hall) return tl::unexpected(hall.error());
    limits.hall = *hall;
    return limits;
}

Result<sizing::DemandCurve> readCurve(const std::string& path)
{
    if (path.empty()) return sizing::DemandCurve();
    const auto text = readTextFile(path);
    if (!text) return tl::unexpected(text.error());
    auto list = importers::readDemand(*text, path);
    if (!list) return tl::unexpected(list.error());
    for (const Error& left : list->left) printNote(i18n("{}: skipped: {}", left.where, left.what));
    if (!list->left.empty()) printNote(i18n("{}: {}", path, list->counts()));
    return std::move(list->curve);
}

/// The shipped templates, and those among `names` that are files.
Result<std::vector<Template>> templatesFor(std::vector<std::string>& names)
{
    auto templates = shippedTemplates();
    if (!templates) return tl::unexpected(templates.error());
    for (auto& name : names) {
        const auto found = findTemplate(name);
        if (!found) return tl::unexpected(found.error());
        const bool shipped = std::any_of(templates->begin(), templates->end(),
                                         [&](const Template& t) { return t.name() == found->name() && t.text() == found->text(); });
        if (!shipped) {
            std::erase_if(*templates, [&](const Template& t) { return t.name() == found->name(); });
            templates->push_back(*found);
        }
        name = found->name();
    }
    return templates;
}

Result<sizing::SizeRequest> requestOf(const Options& o, const sizing::DemandCurve& curve)
{
    sizing::SizeRequest request;
    const auto limits = limitsOf(o);
    if (!limits) return tl::unexpected(limits.error());
    request.limits = *limits;
    request.acceleratorClass = o.acceleratorClass;
    if (o.accelerators && *o.accelerators < 1)
        return fail(ErrorCode::Refused, fmt::format("accelerators {}", *o.accelerators), i18n("not a valid number of accelerators"),
                    i18n("specify 1 or more"));
    if (o.accelerators)
        request.accelerators = *o.accelerators;
    else if (!curve.empty())
        request.accelerators = std::int64_t(std::ceil(curve.peak() - 1e-9));
    else if (!limits->any())
        return fail(ErrorCode::Usage, "--accelerators", i18n("missing"), i18n("specify a number, or add --curve or a limit"));
    request.server = o.server;
    request.switches = o.switches;
    request.templates = o.templates;
    request.maxOversubscription = o.maxOversubscription;
    request.planes = o.planes;
    request.tiers = o.tiers;
    const auto split = splitOf(o.split);
    if (!split) return tl::unexpected(split.error());
    request.split = *split;
    if (o.growth.empty()) return request;
    if (request.accelerators == 0)
        return fail(ErrorCode::Usage, "--growth", i18n("requires --accelerators"), i18n("specify how many accelerators are needed initially"));
    const auto to = growTo(o.growth, request.accelerators);
    if (!to) return tl::unexpected(to.error());
    request.growTo = *to;
    return request;
}

Outcome run(const Options& given, const Progress& progress)
{
    Options o = given;
    const auto curve = readCurve(o.curve);
    if (!curve) return tl::unexpected(curve.error());
    const auto request = requestOf(o, *curve);
    if (!request) return tl::unexpected(request.error());
    const auto templates = templatesFor(o.templates);
    const auto catalog = shippedCatalog();
    if (!templates) return tl::unexpected(templates.error());
    sizing::SizeRequest asked = *request;
    asked.templates = o.templates;
    if (!catalog) return tl::unexpected(catalog.error());
    const auto which = o.json ? sizing::FacilityOf::All : sizing::FacilityOf::ParetoOptimal; // the text has details of these
    auto answer = sizing::sizeWithFacility(asked, *templates, *catalog, progress, which);
    if (!answer) return tl::unexpected(answer.error());
    auto json = sizing::sizeJson(*answer);
    std::string text = sizing::sizeText(*answer);
    for (std::size_t i = 0; !curve->empty() && i < answer->designs.size(); ++i) {
        const auto& design = answer->designs[i];
        if (!design.pareto) continue;
        const auto source = std::find_if(templates->begin(), templates->end(), [&](const Template& t) { return t.name() == design.templateName; });
        const auto stages = sizing::growthStages(design, *source, *catalog, *curve);
        if (!stages) return tl::unexpected(stages.error());
        json["designs"][i]["stages"] = sizing::stagesJson(*stages);
        text += '\n' + words(i18n("{}. Growth stages of {}", i + 1, design.title)) + '\n' + sizing::stagesText(*stages);
    }
    print(o.json ? documentText(json) : text);
    return answer->designs.empty() ? kAnswerIsNo : kDone;
}

} // namespace size_command

void addSize(Session& session)
{
    using namespace size_command;
    session.command<Options>("size", i18n("List designs for a number of accelerators, with the resources that each needs"), declare, run);
}

} // namespace hw::cli
