// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/analytic/analytic_scenarios.h"

#include "simulation/analytic/analyses.h"
#include "simulation/analytic/key_lines.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hw::sim {

namespace {

constexpr std::size_t kMostPoints = 10'000;

struct Axis { std::string parameter; std::vector<Json> values; };

tl::unexpected<Error> unreadable(std::string key, std::string what, std::string todo)
{
    return fail(ErrorCode::Unreadable, std::move(key), std::move(what), std::move(todo));
}

std::string knownNames()
{
    std::vector<std::string> names;
    for (const Analysis& a : analyses()) names.push_back(a.name);
    return fmt::format("use {}", fmt::join(names, ", "));
}

Result<Axis> readAxis(const Json& given, const std::string& path)
{
    if (!given.is_object()) return unreadable(path, "must be an object", R"(write {"parameter": …, "values": […]})");
    for (const auto& [key, value] : given.items())
        if (key != "parameter" && key != "values") return unreadable(path + "." + key, "unknown key", "use parameter, values");
    if (!given.contains("parameter") || !given["parameter"].is_string()) return unreadable(path + ".parameter", "must be a text", "name a parameter");
    if (!given.contains("values") || !given["values"].is_array() || given["values"].empty()) return unreadable(path + ".values", "must be a list with at least one entry", "write [ … ]");
    return Axis{given["parameter"].get<std::string>(), given["values"].get<std::vector<Json>>()};
}

Result<std::vector<Axis>> readSweep(const Json& given)
{
    std::vector<Axis> axes;
    const bool list = given.is_array();
    std::size_t points = 1;
    for (std::size_t i = 0; i < (list ? given.size() : 1); ++i) {
        auto axis = readAxis(list ? given[i] : given, list ? fmt::format("sweep[{}]", i) : "sweep");
        if (!axis) return tl::unexpected(axis.error());
        points *= axis->values.size();
        axes.push_back(std::move(*axis));
        if (points > kMostPoints) return unreadable("sweep", fmt::format("has more than {} points", kMostPoints), "sweep less");
    }
    if (axes.empty()) return unreadable("sweep", "is empty", R"(write {"parameter": …, "values": […]})");
    return axes;
}

/// `jobs[0].gpus` is /jobs/0/gpus. The place must be there once defaults are filled in.
bool assign(Json& parameters, const std::string& path, const Json& value)
{
    std::string pointer = "/";
    for (const char c : path)
        if (c == '.' || c == '[') pointer += '/';
        else if (c != ']') pointer += c;
    try {
        const Json::json_pointer place(pointer);
        if (!place.parent_pointer().empty() && !parameters.contains(place.parent_pointer())) return false;
        parameters[place] = value;
        return true;
    } catch (const Json::exception&) {
        return false;
    }
}

Result<Json> head(const Analysis& analysis, const Json& given)
{
    auto parameters = readParameters(given, analysis.fields);
    if (!parameters) return parameters;
    return Json{{"schema", "hallwright.analysis/1"}, {"analysis", analysis.name}, {"parameters", std::move(*parameters)}};
}

Result<Json> runSweep(const Analysis& analysis, const Json& given, const std::vector<Axis>& axes, const Progress& progress)
{
    auto result = head(analysis, given);
    if (!result) return result;
    std::size_t points = 1;
    Json names = Json::array();
    for (const Axis& a : axes) {
        points *= a.values.size();
        names.push_back(a.parameter);
    }
    (*result)["sweep"] = {{"parameters", names}, {"points", Json::array()}};
    for (std::size_t point = 0; point < points; ++point) {
        if (progress.stopRequested()) return fail(ErrorCode::Cancelled, analysis.name, "stopped");
        progress.report(double(point) / double(points), "sweep");
        Json parameters = (*result)["parameters"], values = Json::array();
        std::size_t rest = point, left = points;
        for (const Axis& a : axes) { // the last axis varies fastest
            left /= a.values.size();
            const Json& value = a.values[rest / left];
            rest %= left;
            values.push_back(value);
            if (!assign(parameters, a.parameter, value)) return unreadable("sweep", "\"" + a.parameter + "\" is no parameter", "name a key of this analysis, for example jobs[0].gpus");
        }
        auto run = runAnalysis(analysis.name, parameters, Progress{progress.stop, {}});
        if (!run) return fail(run.error().code, fmt::format("sweep at {}: {}", values.dump(), run.error().where), run.error().what, run.error().todo);
        (*result)["notes"] = (*run)["notes"];
        (*result)["sweep"]["points"].push_back({{"values", std::move(values)}, {"results", std::move((*run)["results"])}});
    }
    return result;
}

Result<Json> runRoot(Json root, const Progress& progress)
{
    if (!root.is_object()) return unreadable("scenario", "must be an object", R"(write {"analysis": …})");
    if (root.contains("schema") && root["schema"] != "hallwright.scenario/1") return unreadable("schema", "is not hallwright.scenario/1", "use a scenario of this version");
    if (!root.contains("analysis") || !root["analysis"].is_string()) return unreadable("analysis", "must be a text", knownNames());
    if (root.contains("name") && !root["name"].is_string()) return unreadable("name", "must be a text", "put it in quotes");
    const Analysis* analysis = findAnalysis(root["analysis"].get<std::string>());
    if (!analysis) return unreadable("analysis", "\"" + root["analysis"].get<std::string>() + "\" is not a known analysis", knownNames());
    const Json name = root.value("name", Json(analysis->name)), sweep = root.value("sweep", Json());
    for (const char* key : {"schema", "analysis", "name", "sweep"}) root.erase(key);

    Result<Json> result = Json();
    if (sweep.is_null()) {
        result = runAnalysis(analysis->name, root, progress);
    } else {
        const auto axes = readSweep(sweep);
        if (!axes) return tl::unexpected(axes.error());
        result = runSweep(*analysis, root, *axes, progress);
    }
    if (result) (*result)["name"] = name;
    return result;
}

} // namespace

std::span<const Analysis> analyses()
{
    static const std::vector<Analysis> all = {goodputAnalysis(), checkpointAnalysis(), amdahlAnalysis(),   collectiveAnalysis(), forwardingAnalysis(),
                                              xlinkAnalysis(),   priorityAnalysis(),   blackHoleAnalysis(), portFailoverAnalysis(), trainingAnalysis()};
    return all;
}

const Analysis* findAnalysis(std::string_view name)
{
    const auto it = std::ranges::find(analyses(), name, &Analysis::name);
    return it == analyses().end() ? nullptr : &*it;
}

Json describeAnalyses()
{
    Json list = Json::array();
    for (const Analysis& a : analyses()) list.push_back({{"name", a.name}, {"summary", a.summary}, {"parameters", describeFields(a.fields)}});
    return list;
}

Result<Json> runAnalysis(std::string_view name, const Json& given, const Progress& progress)
{
    const Analysis* analysis = findAnalysis(name);
    if (!analysis) return fail(ErrorCode::Usage, "analysis", fmt::format("\"{}\" is not a known analysis", name), knownNames());
    auto result = head(*analysis, given);
    if (!result) return result;
    auto found = analysis->run((*result)["parameters"], progress);
    if (!found) return found;
    (*result)["results"] = std::move((*found)["results"]);
    (*result)["notes"] = std::move((*found)["notes"]);
    return result;
}

bool asksForAnalysis(std::string_view text)
{
    try {
        const auto root = Json::parse(text);
        return root.is_object() && root.contains("analysis");
    } catch (const Json::exception&) {
        return false;
    }
}

Result<Json> runAnalysisScenario(std::string_view text, const std::string& where, const Progress& progress)
{
    Json root;
    try {
        root = Json::parse(text);
    } catch (const Json::parse_error& e) {
        const auto line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(std::min(e.byte, text.size())), '\n');
        return unreadable(fmt::format("{}:{}", where, line), "not JSON", "correct the syntax there");
    } catch (const Json::exception&) { // a number beyond what a double holds
        return unreadable(where, "holds a number that is too large", "correct the value");
    }
    const KeyLines lines = keyLines(text);
    const auto placed = [&](Error error) {
        const auto it = lines.line.find(error.where);
        error.where = it == lines.line.end() ? where + ": " + error.where : fmt::format("{}:{}: {}", where, it->second, error.where);
        return tl::unexpected(std::move(error));
    };
    if (!lines.duplicate.empty()) return placed({ErrorCode::Unreadable, lines.duplicate, "is there twice", "keep one"});
    auto result = runRoot(std::move(root), progress);
    if (!result) return placed(result.error());
    return result;
}

} // namespace hw::sim
