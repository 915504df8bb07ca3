// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/explore/explore.h"

#include "simulation/answers/plot_svg.h"

#include <fmt/format.h>

#include <set>

namespace hw::sim {
inline namespace explore {

namespace {

/// A figure of the table for people.
struct Shown {
    const char* key;
    TextId title;
    double unit;
    int digits;
};
const Shown kShown[] = {{"accelerators", TextId("accelerators"), 1, 0},
                        {"facility_w", TextId("facility MW"), 1e6, 2},
                        {"pue", TextId("PUE"), 1, 3},
                        {"capital", TextId("capital cost, M"), 1e6, 1},
                        {"cost_hour", TextId("cost/GPU-hour"), 1, 3},
                        {"goodput_per_mw", TextId("goodput/MW"), 1, 1},
                        {"worst_loss_gpus", TextId("max GPUs lost"), 1, 0},
                        {"errors", TextId("errors"), 1, 0}};

std::string wordOf(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string parameterWords(const Json& point, std::string_view before)
{
    std::string out;
    for (const auto& [name, value] : point["parameters"].items()) out += fmt::format("{}{}={}", before, name, wordOf(value));
    return out;
}

std::string commandOf(const Json& point, const std::string& output)
{
    return fmt::format("hallwright-cli new {}{} -o {}", point["template"].get<std::string>(), parameterWords(point, " --set "), output); // no text
}

} // namespace

std::string exploreText(const Json& document)
{
    const Json &points = document["points"], &front = document["front"];
    std::string out = words(i18n("{}: {:L} designs, {:L} on the Pareto front, {:L} outside the limits, {:L} failed",
                                 document["name"].get<std::string>(), document["designs"].get<std::size_t>(), front.size(),
                                 std::ranges::count_if(points, [](const Json& p) { return !p["outside"].empty(); }), document["failed"].size())) +
                      "\n";
    std::vector<std::string> best;
    for (const Json& o : document["objectives"])
        best.push_back(o["figure"].get<std::string>() + (o["best"] == "high" ? words(i18n(" (highest)")) : words(i18n(" (lowest)"))));
    out += words(i18n("Objectives: {}", listedNames(best))) + "\n\n  #";
    for (const Shown& s : kShown) out += fmt::format("  {:>15}", words(Text(s.title)));
    out += "\n";
    std::size_t number = 0;
    for (const Json& place : front) {
        const Json& point = points[place.get<std::size_t>()];
        out += fmt::format("{:>3}", ++number);
        for (const Shown& s : kShown)
            out += point[s.key].is_number() ? fmt::format("  {:>15}", words(i18n("{:.{}Lf}", point[s.key].get<double>() / s.unit, s.digits)))
                                            : fmt::format("  {:>15}", "–");
        out += "\n     " + commandOf(point, fmt::format("design-{}.hall\n", number));
    }
    std::set<std::string> reasons;
    for (const Json& one : document["failed"])
        if (reasons.size() < 5 && reasons.insert(one["error"].get<std::string>()).second)
            out +=
                words(i18n("Failed: {}{}: {}", one["template"].get<std::string>(), parameterWords(one, " "), one["error"].get<std::string>())) + "\n";
    return out;
}

Result<std::string> exploreSvg(const Json& document, std::string x, std::string y)
{
    const Json &points = document["points"], &objectives = document["objectives"];
    if (x.empty()) x = objectives[0]["figure"].get<std::string>();
    if (y.empty()) y = objectives[objectives.size() > 1 ? 1 : 0]["figure"].get<std::string>();
    for (const auto& [option, name] : {std::pair("--x", &x), std::pair("--y", &y)})
        if (std::ranges::none_of(points, [&](const Json& p) { return p.contains(*name) && p[*name].is_number(); })) {
            std::vector<std::string> known;
            for (const auto& [key, value] : points[0].items())
                if (value.is_number()) known.push_back(key);
            return fail(ErrorCode::Usage, option, i18n("'{}' is not a figure of the designs", *name), i18n("choose one of {}", listedNames(known)));
        }
    std::vector<SweepPlot::Line> lines;
    const auto add = [&](const std::string& label, const Json& point) {
        if (!point[x].is_number() || !point[y].is_number()) return;
        auto line = std::ranges::find(lines, label, &SweepPlot::Line::label);
        if (line == lines.end()) line = lines.insert(line, {label, {}, {}, false});
        line->points.emplace_back(point[x].get<double>(), point[y].get<double>());
        line->titles.push_back(commandOf(point, "FILE.hall"));
    };
    for (const Json& point : points)
        if (point["outside"].empty()) add(point["template"].get<std::string>(), point);
    std::vector<std::size_t> front;
    for (const Json& place : document["front"]) front.push_back(place.get<std::size_t>());
    std::ranges::sort(front, {}, [&](std::size_t p) { return std::pair(points[p][x].is_number() ? points[p][x].get<double>() : 0, p); });
    const std::string best = words(i18n("Pareto front"));
    for (const std::size_t p : front) add(best, points[p]);
    return chartSvg(document["name"].get<std::string>(), x, y, lines);
}

Result<void> writeExploreTable(const Json& document, const std::filesystem::path& file, const Progress& progress)
{
    const Json& points = document["points"];
    std::vector<std::string> parameters, figures;
    const auto note = [](std::vector<std::string>& list, const std::string& name) {
        if (std::ranges::find(list, name) == list.end()) list.push_back(name);
    };
    for (const Json& point : points) {
        for (const auto& [name, value] : point["parameters"].items()) note(parameters, name);
        for (const auto& [name, value] : point.items())
            if (!value.is_structured() && name != "template") note(figures, name);
    }
    PlainTable table{"explore", {{"template", 16}, {"on_front", 9}, {"outside", 16}}, points.size(), {}};
    for (const auto& name : parameters) table.columns.push_back({name});
    for (const auto& name : figures) table.columns.push_back({name});
    std::set<std::size_t> front;
    for (const Json& place : document["front"]) front.insert(place.get<std::size_t>());
    const auto cell = [](const Json& holder, const std::string& name) -> PlainTable::Cell {
        if (!holder.contains(name) || holder[name].is_null()) return std::monostate();
        if (holder[name].is_number()) return holder[name].get<double>();
        return wordOf(holder[name]);
    };
    table.each = [&](const PlainTable::Take& take) -> Result<void> {
        for (std::size_t p = 0; p < points.size(); ++p) {
            const Json& point = points[p];
            std::string outside;
            for (const Json& figure : point["outside"]) outside += (outside.empty() ? "" : " ") + figure.get<std::string>();
            std::vector<PlainTable::Cell> row{point["template"].get<std::string>(), front.contains(p) ? 1.0 : 0.0, outside};
            for (const auto& name : parameters) row.push_back(cell(point["parameters"], name));
            for (const auto& name : figures) row.push_back(cell(point, name));
            if (const auto taken = take(row); !taken) return taken;
        }
        return {};
    };
    return writeTable(table, file, progress);
}

} // namespace explore
} // namespace hw::sim
