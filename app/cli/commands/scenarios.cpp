// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/scenario_input.h"
#include "simulation/questions/request.h"

#include <fmt/format.h>

namespace hw::cli {

namespace scenarios_command {

struct Options {
    std::string kind;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("KIND", o.kind, words(i18n("Show the parameters of one scenario kind")));
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
}

std::string parameterText(const sim::Json& fields, const std::string& indent)
{
    std::string out;
    for (const auto& f : fields) {
        out += fmt::format("{}{:<22} {}", indent, f["key"].get<std::string>(), f["type"].get<std::string>());
        if (f.contains("range")) out += ' ' + words(i18n("{:g} to {:g}", f["range"][0].get<double>(), f["range"][1].get<double>()));
        if (f.contains("unit")) out += " " + f["unit"].get<std::string>();
        if (f.contains("choices")) out += " " + f["choices"].dump();
        if (f.contains("default") && !f["default"].is_null() && !f["default"].is_structured())
            out += ", " + words(i18n("default {}", f["default"].dump()));
        out += ": " + f["help"].get<std::string>();
        if (f.contains("counts_when")) out += " (" + words(i18n("only if {}", f["counts_when"].get<std::string>())) + ")";
        if (f.contains("display_only")) out += " (" + words(i18n("does not affect results")) + ")";
        out += "\n";
        if (f.contains("fields")) out += parameterText(f["fields"], indent + "  ");
    }
    return out;
}

/// Shipped scenarios with what they ask, so that a reader need not open the files.
sim::Json shipped()
{
    sim::Json list = sim::Json::array();
    for (const auto& name : shippedScenarios()) {
        const auto text = readScenario(name);
        const auto request = text ? sim::parseScenarioRequest(text->text, text->where) : tl::unexpected(text.error());
        if (!request) continue;
        list.push_back({{"scenario", name},
                        {"name", words(resourceText(request->name))},
                        {request->kind->onDesign ? "workload" : "analysis", request->kind->name}});
    }
    return list;
}

Outcome run(const Options& o, const Progress&)
{
    sim::Json kinds = sim::describeScenarioKinds();
    if (!o.kind.empty()) {
        sim::Json one;
        for (const auto& k : kinds)
            if (k["name"] == o.kind) one = k;
        if (one.is_null()) return fail(ErrorCode::Usage, "KIND", i18n("unknown scenario kind '{}'", o.kind), i18n("see 'scenarios' for the list"));
        print(o.json ? one.dump(1) + "\n"
                     : fmt::format("{} (\"{}\"): {}\n{}", o.kind, one["key"].get<std::string>(), one["summary"].get<std::string>(),
                                   parameterText(one["parameters"], "  ")));
        return kDone;
    }
    const sim::Json ready = shipped();
    if (o.json) {
        print(sim::Json{{"schema", "hallwright.scenarios/1"}, {"shipped", ready}, {"kinds", kinds}}.dump(1) + "\n");
        return kDone;
    }
    std::string out = words(i18n("Shipped scenarios (simulate [FILE.hall] --scenario NAME):")) + '\n';
    for (const auto& s : ready) out += fmt::format("  {:<26} {}\n", s["scenario"].get<std::string>(), s["name"].get<std::string>());
    out += '\n' + words(i18n("Scenario kinds for custom scenarios (scenarios KIND lists the parameters):")) + '\n';
    for (const auto& k : kinds)
        out += fmt::format("  {:<9} {:<18} {}\n", k["key"].get<std::string>(), k["name"].get<std::string>(), k["summary"].get<std::string>());
    print(out);
    return kDone;
}

} // namespace scenarios_command

void addScenarios(Session& session)
{
    using namespace scenarios_command;
    session.command<Options>("scenarios", i18n("List shipped scenarios, scenario kinds and their parameters"), declare, run);
}

} // namespace hw::cli
