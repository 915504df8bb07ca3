// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/flow_question.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::sim::inline questions {

namespace {

using nlohmann::json;

struct Refusal {
    Error error;
};

[[noreturn]] void refuse(const std::string& where, const std::string& key, std::string what, std::string todo)
{
    throw Refusal{Error{ErrorCode::Unreadable, where + ": " + key, std::move(what), std::move(todo)}};
}

double positive(const json& value, const std::string& where, const std::string& key)
{
    if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() <= 0)
        refuse(where, key, "must be a number above 0", "correct the value");
    return value.get<double>();
}

std::vector<int> numbers(const json& value, const std::string& where, const std::string& key)
{
    if (value.is_string() && value == "all") return {};
    if (!value.is_array() || value.empty()) refuse(where, key, "must be \"all\" or a list of numbers", "write for example [1, 2]");
    std::vector<int> result;
    for (const auto& entry : value) {
        if (!entry.is_number_integer() || entry.get<long long>() < 1 || entry.get<long long>() > 1'000'000)
            refuse(where, key, "holds something that is not a number from 1 up", "count from 1");
        result.push_back(entry.get<int>());
    }
    return result;
}

template <class Value>
Value chosen(const json& value, std::optional<Value> (*byName)(std::string_view), const std::string& where, const std::string& key,
             const std::string& names)
{
    const auto found = value.is_string() ? byName(value.get<std::string>()) : std::nullopt;
    if (!found) refuse(where, key, "is not a known choice", "use " + names);
    return *found;
}

Scenario read(const json& root, const std::string& where)
{
    if (!root.is_object()) refuse(where, "scenario", "must be an object", "write {\"workload\": …}");
    Scenario s;
    bool named = false, hasWorkload = false;
    for (const auto& [key, value] : root.items()) {
        if (key == "schema") {
            if (value != "hallwright.scenario/1") refuse(where, key, "is not hallwright.scenario/1", "use a scenario of this version");
        } else if (key == "name" || key == "network") {
            if (!value.is_string()) refuse(where, key, "must be a text", "put it in quotes");
            (key == "name" ? s.name : s.network) = value.get<std::string>();
            named = named || key == "name";
        } else if (key == "workload") {
            hasWorkload = true;
            if (value == "ring-allreduce")
                s.workload = Workload::RingAllReduce;
            else if (value == "permutation")
                s.workload = Workload::Permutation;
            else
                refuse(where, key, "is not a known workload", "use ring-allreduce or permutation");
        } else if (key == "pods")
            s.pods = numbers(value, where, key);
        else if (key == "segments")
            s.segments = numbers(value, where, key);
        else if (key == "bytes")
            s.bytes = positive(value, where, key);
        else if (key == "seed") {
            if (!value.is_number_integer() || value.is_number_float() || value.get<long long>() < 0)
                refuse(where, key, "must be a whole number from 0 up", "correct the value");
            s.seed = value.get<std::uint64_t>();
        } else if (key == "flows_per_port") {
            if (!value.is_number_integer() || value.get<long long>() < 1 || value.get<long long>() > 64)
                refuse(where, key, "must be a whole number from 1 to 64", "correct the value");
            s.flowsPerPort = value.get<int>();
        } else if (key == "path_selection")
            s.selection = chosen(value, pathSelection, where, key, "hash, disjoint, least-load or spray");
        else if (key == "rate_control")
            s.rateControl = chosen(value, rateControl, where, key, "ideal or paced");
        else if (key == "variant")
            s.variant = chosen(value, fabricVariant, where, key, "as-designed, single-plane or single-tor");
        else if (key == "equal_hash_seeds") {
            if (!value.is_boolean()) refuse(where, key, "must be true or false", "correct the value");
            s.equalHashSeeds = value.get<bool>();
        } else
            refuse(where, key, "unknown key",
                   "use schema, name, workload, network, pods, segments, bytes, seed, flows_per_port, path_selection, rate_control, "
                   "equal_hash_seeds, variant");
    }
    if (!hasWorkload) refuse(where, "workload", "is missing", "use ring-allreduce or permutation");
    if (!named) s.name = name(s.workload);
    return s;
}

} // namespace

const char* name(Workload workload)
{
    switch (workload) {
    case Workload::RingAllReduce: return "ring-allreduce";
    case Workload::Permutation: return "permutation";
    }
    return "";
}

const char* name(RateControl control)
{
    switch (control) {
    case RateControl::Ideal: return "ideal";
    case RateControl::Paced: return "paced";
    }
    return "";
}

const char* name(FabricVariant variant)
{
    switch (variant) {
    case FabricVariant::AsDesigned: return "as-designed";
    case FabricVariant::SinglePlane: return "single-plane";
    case FabricVariant::SingleToR: return "single-tor";
    case FabricVariant::StackedToR: return "stacked-tor";
    }
    return "";
}

namespace {

template <class Value>
std::optional<Value> named(std::string_view wanted, std::initializer_list<Value> values)
{
    for (const Value value : values)
        if (wanted == name(value)) return value;
    return std::nullopt;
}

} // namespace

std::optional<PathSelection> pathSelection(std::string_view wanted)
{
    return named(wanted, {PathSelection::Hash, PathSelection::Disjoint, PathSelection::LeastLoad, PathSelection::Spray});
}

std::optional<RateControl> rateControl(std::string_view wanted) { return named(wanted, {RateControl::Ideal, RateControl::Paced}); }

/// A stack has links that the design lacks, which a result by link cannot show; runFailoverStudy takes it.
std::optional<FabricVariant> fabricVariant(std::string_view wanted)
{
    return named(wanted, {FabricVariant::AsDesigned, FabricVariant::SinglePlane, FabricVariant::SingleToR});
}

Result<Scenario> parseScenario(const std::string& text, const std::string& where)
{
    std::string key; // the last one read
    try {
        return read(json::parse(text,
                                [&](int, json::parse_event_t event, const json& parsed) {
                                    if (event == json::parse_event_t::key) key = parsed.get<std::string>();
                                    return true;
                                }),
                    where);
    } catch (const Refusal& refusal) {
        return tl::unexpected(refusal.error);
    } catch (const json::parse_error& e) {
        const auto line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(std::min(e.byte, text.size())), '\n');
        return fail(ErrorCode::Unreadable, fmt::format("{}:{}", where, line), "not JSON", "correct the syntax there");
    } catch (const json::exception&) { // a number that no double can hold
        return fail(ErrorCode::Unreadable, fmt::format("{}: {}", where, key.empty() ? "scenario" : key), "cannot be read as a number",
                    "correct the value");
    }
}

std::string toJson(const Scenario& s)
{
    nlohmann::ordered_json root = {{"schema", "hallwright.scenario/1"}, {"name", s.name}, {"workload", name(s.workload)}, {"network", s.network}};
    root["pods"] = s.pods.empty() ? nlohmann::ordered_json("all") : nlohmann::ordered_json(s.pods);
    root["segments"] = s.segments.empty() ? nlohmann::ordered_json("all") : nlohmann::ordered_json(s.segments);
    root["bytes"] = s.bytes;
    root["seed"] = s.seed;
    root["flows_per_port"] = s.flowsPerPort;
    root["path_selection"] = name(s.selection);
    root["rate_control"] = name(s.rateControl);
    root["equal_hash_seeds"] = s.equalHashSeeds;
    root["variant"] = name(s.variant);
    return root.dump(2);
}

} // namespace hw::sim::inline questions
