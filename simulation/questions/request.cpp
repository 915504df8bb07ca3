// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/request.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace hw::sim {
inline namespace questions {

namespace {

constexpr std::size_t kMostPoints = 10'000;
constexpr std::array kOwnKeys = {"schema", "name", "workload", "analysis", "design", "sweep"};

struct Refusal {
    Error error;
};

[[noreturn]] void refuseKey(std::string key, Text what, Text todo)
{
    throw Refusal{Error{ErrorCode::Unreadable, std::move(key), std::move(what), std::move(todo)}};
}

Text kindNames(bool onDesign)
{
    std::vector<std::string> names;
    for (const ScenarioKind& k : scenarioKinds())
        if (k.onDesign == onDesign) names.push_back(k.name);
    return listedNames(names);
}

/// From A to B in N steps, both ends included; whole numbers where all are whole.
std::vector<Json> steps(double from, double to, std::size_t count)
{
    std::vector<Json> values;
    bool whole = true;
    for (std::size_t i = 0; i < count; ++i) {
        const double v = count == 1 ? from : from + (to - from) * double(i) / double(count - 1);
        whole = whole && v == std::floor(v);
        values.emplace_back(v);
    }
    if (whole)
        for (auto& v : values) v = std::int64_t(v.get<double>());
    return values;
}

SweepAxis readAxis(const Json& given, const std::string& path)
{
    if (!given.is_object()) refuseKey(path, i18n("must be an object"), i18n("use {}", R"({"parameter": …, "values": […]})"));
    for (const auto& [key, value] : given.items())
        if (key != "parameter" && key != "values" && key != "from" && key != "to" && key != "steps")
            refuseKey(path + "." + key, i18n("unknown key"), i18n("use parameter, values, or from, to, steps"));
    if (!given.contains("parameter") || !given["parameter"].is_string())
        refuseKey(path + ".parameter", i18n("must be a string"), i18n("specify a parameter"));
    const auto parameter = given["parameter"].get<std::string>();
    if (given.contains("values")) {
        if (!given["values"].is_array() || given["values"].empty())
            refuseKey(path + ".values", i18n("must be a list with at least one entry"), i18n("use [ … ]"));
        return {parameter, given["values"].get<std::vector<Json>>(), path};
    }
    if (!given.contains("from"))
        refuseKey(path + ".values", i18n("must be a list with at least one entry"), i18n("use [ … ], or from, to and steps"));
    for (const char* key : {"from", "to", "steps"})
        if (!given.contains(key) || !given[key].is_number() || !std::isfinite(given[key].get<double>()))
            refuseKey(path + "." + key, i18n("must be a number"), i18n("specify from, to and steps"));
    const double count = given["steps"].get<double>();
    if (count < 1 || count > double(kMostPoints) || count != std::floor(count))
        refuseKey(path + ".steps", i18n("must be a whole number from 1 to 10,000"), i18n("correct the value"));
    return {parameter, steps(given["from"].get<double>(), given["to"].get<double>(), std::size_t(count)), path};
}

std::vector<SweepAxis> readSweep(const Json& given)
{
    if (given.is_null()) return {};
    std::vector<SweepAxis> axes;
    if (!given.is_array()) return {readAxis(given, "sweep")};
    for (std::size_t i = 0; i < given.size(); ++i) axes.push_back(readAxis(given[i], fmt::format("sweep[{}]", i)));
    if (axes.empty()) refuseKey("sweep", i18n("empty"), i18n("use {}", R"({"parameter": …, "values": […]})"));
    return axes;
}

void readDesign(ScenarioRequest& request, const Json& given)
{
    if (given.is_null()) return;
    if (!given.is_object()) refuseKey("design", i18n("must be an object"), i18n("use {}", R"({"template": "hpn", "set": {"pods": 2}})"));
    for (const auto& [key, value] : given.items()) {
        if (key == "template" && value.is_string())
            request.designTemplate = value.get<std::string>();
        else if (key == "template")
            refuseKey("design.template", i18n("must be a string"), i18n("put it in quotes"));
        else if (key == "set" && value.is_object())
            for (const auto& [name, v] : value.items()) {
                if (!v.is_number_integer() && !v.is_string())
                    refuseKey("design.set." + name, i18n("must be a whole number or a choice"), i18n("correct the value"));
                request.designSet[name] = v;
            }
        else if (key == "set")
            refuseKey("design.set", i18n("must be an object"), i18n("use {}", R"({"pods": 2})"));
        else
            refuseKey("design." + key, i18n("unknown key"), i18n("use template, set"));
    }
}

const ScenarioKind& namedKind(const Json& root)
{
    const bool workload = root.contains("workload");
    if (workload && root.contains("analysis")) refuseKey("analysis", i18n("cannot be combined with workload"), i18n("keep only one"));
    const char* key = workload ? "workload" : "analysis";
    if (!root.contains(key)) refuseKey("workload", i18n("missing"), i18n("use {}; or as analysis: {}", kindNames(true), kindNames(false)));
    if (!root[key].is_string()) refuseKey(key, i18n("must be a string"), i18n("use {}", kindNames(workload)));
    const auto name = root[key].get<std::string>();
    const ScenarioKind* kind = findScenarioKind(name);
    if (!kind) refuseKey(key, i18n("unknown {1} \"{0}\"", name, key), i18n("use {}", kindNames(workload)));
    if (kind->onDesign != workload)
        refuseKey(key, kind->onDesign ? i18n("\"{}\" is a workload and requires a design", name) : i18n("\"{}\" is an analysis", name),
                  i18n("use \"{}\": \"{}\"", kind->onDesign ? "workload" : "analysis", name));
    return *kind;
}

bool isDesignAxis(const SweepAxis& axis) { return axis.parameter.starts_with("design."); }

/// What is given, with the values of a point. False when an axis names no place.
bool assignPoint(const ScenarioRequest& request, const std::vector<Json>& values, Json& given)
{
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!isDesignAxis(request.sweep[i]) && !assignPath(given, request.sweep[i].parameter, values[i], request.kind->fields)) return false;
    return true;
}

/// Every value fits, and every given key counts at one point at least.
void checkPoints(const ScenarioRequest& request)
{
    std::vector<std::string> never;
    for (std::size_t point = 0; point < request.points(); ++point) {
        Json given = request.parameters;
        (void)assignPoint(request, request.valuesAt(point), given);
        std::vector<std::string> unused;
        const auto complete = readParameters(given, request.kind->fields, &unused);
        if (!complete) throw Refusal{placedAt(request, point, complete.error())};
        std::ranges::sort(unused);
        if (point == 0)
            never = std::move(unused);
        else
            std::erase_if(never, [&](const std::string& path) { return !std::ranges::binary_search(unused, path); });
    }
    if (never.empty()) return;
    Json given = request.parameters;
    (void)assignPoint(request, request.valuesAt(0), given);
    const Error error = readParameters(given, request.kind->fields).error();
    throw Refusal{placedAt(request, 0,
                           {error.code, never.front(), never.front() == error.where ? error.what : i18n("has no effect at any point"), error.todo})};
}

void checkAxes(const ScenarioRequest& request)
{
    if (request.points() > kMostPoints) refuseKey("sweep", i18n("exceeds {} points", kMostPoints), i18n("reduce the sweep"));
    for (std::size_t i = 0; i < request.sweep.size(); ++i) {
        const SweepAxis& axis = request.sweep[i];
        const std::string place = axis.path.empty() ? "sweep" : axis.path + ".parameter";
        if (std::ranges::find(request.sweep.begin(), request.sweep.begin() + std::ptrdiff_t(i), axis.parameter, &SweepAxis::parameter) !=
            request.sweep.begin() + std::ptrdiff_t(i))
            refuseKey(place, i18n("\"{}\" is swept twice", axis.parameter), i18n("keep only one"));
        if (isDesignAxis(axis)) {
            if (!request.kind->onDesign)
                refuseKey(place, i18n("\"{}\" requires a design", axis.parameter), i18n("this analysis does not use a design"));
            continue;
        }
        Json tried = request.parameters;
        if (!assignPath(tried, axis.parameter, axis.values.front(), request.kind->fields))
            refuseKey(place, i18n("\"{}\" is not a parameter", axis.parameter),
                      i18n("specify a key of this scenario, for example jobs[0].gpus, or design.PARAMETER"));
    }
    checkPoints(request);
}

void read(ScenarioRequest& request, Json root)
{
    if (!root.is_object()) refuseKey("scenario", i18n("must be an object"), i18n("use {} or {}", R"({"workload": …})", R"({"analysis": …})"));
    if (root.contains("schema") && root["schema"] != "hallwright.scenario/1")
        refuseKey("schema", i18n("is not hallwright.scenario/1"), i18n("use a scenario of this version"));
    if (root.contains("name") && !root["name"].is_string()) refuseKey("name", i18n("must be a string"), i18n("put it in quotes"));
    request.kind = &namedKind(root);
    request.name = root.contains("name") ? root["name"].get<std::string>() : request.kind->name;
    readDesign(request, root.value("design", Json()));
    if (!request.kind->onDesign && !root.value("design", Json()).is_null())
        refuseKey("design", i18n("has no effect: this analysis uses no design"), i18n("omit it"));
    request.sweep = readSweep(root.value("sweep", Json()));
    for (const char* key : kOwnKeys) root.erase(key);
    request.parameters = std::move(root);
    if (request.sweep.empty()) {
        if (const auto fine = request.completeAt(0); !fine) throw Refusal{fine.error()};
    } else {
        checkAxes(request);
    }
}

} // namespace

std::size_t ScenarioRequest::points() const
{
    std::size_t count = 1;
    for (const SweepAxis& axis : sweep) count = std::min<std::size_t>(count * axis.values.size(), kMostPoints + 1);
    return count;
}

std::vector<Json> ScenarioRequest::valuesAt(std::size_t point) const
{
    std::vector<Json> values(sweep.size());
    for (std::size_t i = sweep.size(); i-- > 0; point /= sweep[i].values.size()) values[i] = sweep[i].values[point % sweep[i].values.size()];
    return values;
}

Result<Json> ScenarioRequest::completeAt(std::size_t point) const
{
    Json given = parameters;
    if (!assignPoint(*this, valuesAt(point), given))
        return fail(ErrorCode::Unreadable, "sweep", i18n("parameter name is missing"), i18n("specify a key of this scenario"));
    std::vector<std::string> unused; // what counts at other points may stand here
    return readParameters(given, kind->fields, sweep.empty() ? nullptr : &unused);
}

bool assignPath(Json& parameters, const std::string& path, const Json& value, std::span<const Field> fields)
{
    std::string pointer = "/";
    for (const char c : path)
        if (c == '.' || c == '[')
            pointer += '/';
        else if (c != ']')
            pointer += c;
    try {
        const Json::json_pointer place(pointer);
        std::vector<Json::json_pointer> above; // from the root down, without the place itself
        for (auto p = place.parent_pointer(); !p.empty(); p = p.parent_pointer()) above.insert(above.begin(), p);
        for (const auto& p : above) {
            if (parameters.contains(p)) continue;
            const auto found = std::ranges::find(fields, p.back(), &Field::key);
            if (!p.parent_pointer().empty() || found == fields.end() || found->fallback.is_null()) return false;
            parameters[p] = found->fallback; // a list or object that was left to its default
        }
        if (!parameters.at(place.parent_pointer()).is_object() && !parameters.contains(place)) return false;
        parameters[place] = value;
        return true;
    } catch (const Json::exception&) {
        return false;
    }
}

namespace {

/// The line of a key, or of the nearest thing around it that has one; 0 where there is none.
int lineOf(const KeyLines& lines, std::string path)
{
    while (true) {
        if (const auto it = lines.line.find(path); it != lines.line.end()) return it->second;
        const auto cut = path.find_last_of(".[");
        if (cut == std::string::npos) return 0;
        path.resize(cut);
    }
}

std::string shown(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// Whether an error's key is a swept one or stands in it: `jobs[0].gpus` for `jobs[0]`, `design.set.pods` for `design.pods`.
bool isAbout(const std::string& key, const SweepAxis& axis)
{
    const std::string swept = isDesignAxis(axis) ? "design.set." + axis.parameter.substr(7) : axis.parameter;
    return key == swept || (key.starts_with(swept) && (key[swept.size()] == '.' || key[swept.size()] == '['));
}

} // namespace

Error placed(const ScenarioRequest& request, Error error)
{
    const int line = lineOf(request.lines, error.where);
    error.where = line == 0 ? request.where + ": " + error.where : fmt::format("{}:{}: {}", request.where, line, error.where);
    return error;
}

Error placedAt(const ScenarioRequest& request, std::size_t point, Error error)
{
    const auto values = request.valuesAt(point);
    std::string at;
    for (std::size_t i = 0; i < values.size(); ++i) at += fmt::format("{}{} = {}", i ? ", " : "", request.sweep[i].parameter, shown(values[i]));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const SweepAxis& axis = request.sweep[i];
        if (!isAbout(error.where, axis)) continue;
        if (axis.path.empty()) {
            error.where = fmt::format("--sweep {}={}", axis.parameter, shown(values[i]));
            return error;
        }
        const auto place = std::ranges::find(axis.values, values[i]) - axis.values.begin();
        error.where = fmt::format("{}.values[{}]", axis.path, place);
        error = placed(request, std::move(error));
        error.where += fmt::format(" ({})", at);
        return error;
    }
    error = placed(request, std::move(error));
    error.where += fmt::format(" (at {})", at);
    return error;
}

Result<ScenarioRequest> parseScenarioRequest(std::string_view text, const std::string& where)
{
    Json root;
    try {
        root = Json::parse(text);
    } catch (const Json::parse_error& e) {
        const auto line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(std::min(e.byte, text.size())), '\n');
        return fail(ErrorCode::Unreadable, fmt::format("{}:{}", where, line), i18n("not JSON"), i18n("correct the syntax"));
    } catch (const Json::exception&) { // a number beyond what a double holds
        return fail(ErrorCode::Unreadable, where, i18n("contains a number that is too large, for example bytes"), i18n("correct the value"));
    }
    ScenarioRequest request;
    request.where = where;
    request.lines = keyLines(text);
    try {
        if (!request.lines.duplicate.empty()) refuseKey(request.lines.duplicate, i18n("duplicate name"), i18n("keep only one"));
        read(request, std::move(root));
    } catch (const Refusal& refusal) {
        return tl::unexpected(refusal.error.where.starts_with(where) ? refusal.error : placed(request, refusal.error));
    }
    return request;
}

namespace {

Json literal(const std::string& text)
{
    try {
        return Json::parse(text);
    } catch (const Json::exception&) {
        return text;
    }
}

std::vector<std::string> split(const std::string& text, char at)
{
    std::vector<std::string> parts(1);
    for (const char c : text)
        if (c == at)
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

} // namespace

Result<void> addSweepAxis(ScenarioRequest& request, const std::string& text)
{
    const auto wrong = [&](Text what) { return fail(ErrorCode::Usage, "--sweep", std::move(what), i18n("use PATH=V1,V2,… or PATH=FROM:TO:STEP")); };
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) return wrong(i18n("'{}' specifies no values", text));
    SweepAxis axis{text.substr(0, equals), {}};
    const std::string values = text.substr(equals + 1);
    if (const auto range = split(values, ':'); range.size() == 3) {
        const Json from = literal(range[0]), to = literal(range[1]), step = literal(range[2]);
        if (!from.is_number() || !to.is_number() || !step.is_number() || step.get<double>() <= 0 || to.get<double>() < from.get<double>())
            return wrong(i18n("'{}' is not a valid range", values));
        const double count = std::floor((to.get<double>() - from.get<double>()) / step.get<double>() + 1e-9) + 1;
        if (count > double(kMostPoints)) return wrong(i18n("'{}' has too many steps", values));
        axis.values = steps(from.get<double>(), from.get<double>() + (count - 1) * step.get<double>(), std::size_t(count));
    } else {
        for (const auto& v : split(values, ',')) axis.values.push_back(literal(v));
    }
    request.sweep.push_back(std::move(axis));
    try {
        checkAxes(request);
    } catch (const Refusal& refusal) {
        return fail(ErrorCode::Usage, "--sweep " + text, refusal.error.what, refusal.error.todo);
    }
    return {};
}

Json toJson(const ScenarioRequest& request)
{
    Json root = {{"schema", "hallwright.scenario/1"}, {"name", request.name}, {request.kind->onDesign ? "workload" : "analysis", request.kind->name}};
    root.update(request.parameters);
    if (!request.designTemplate.empty()) root["design"]["template"] = request.designTemplate;
    for (const auto& [name, value] : request.designSet) root["design"]["set"][name] = value;
    for (const SweepAxis& axis : request.sweep) root["sweep"].push_back({{"parameter", axis.parameter}, {"values", axis.values}});
    return root;
}

} // namespace questions
} // namespace hw::sim
