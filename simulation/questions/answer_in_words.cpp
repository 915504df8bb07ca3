// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/answer_in_words.h"

#include "simulation/questions/answer_text.h"
#include "simulation/questions/answer_words.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

namespace hw::sim {
inline namespace questions {

namespace {

constexpr std::size_t kMostFigures = 6;

/// What one looks for first, in this order; the others follow in the tables.
constexpr const char* kFirst[] = {"iteration_s",
                                  "iteration_before_s",
                                  "iteration_degraded_s",
                                  "completion_s",
                                  "goodput",
                                  "simulated",
                                  "gpus_in_use_share",
                                  "mfu",
                                  "tokens_per_s",
                                  "exposed_share",
                                  "training_days",
                                  "slow_down",
                                  "ring_slow_down_static",
                                  "black_hole_s",
                                  "restored_at_s",
                                  "lost_bytes",
                                  "standstill_s",
                                  "nic_gbps",
                                  "memory_bytes_per_gpu",
                                  "interval_s",
                                  "fragmentation",
                                  "mean_wait_h",
                                  "time_saved",
                                  "throughput",
                                  "no_collision_probability",
                                  "flat_from_gpus",
                                  "bubble_share",
                                  "gpus"};

bool isTable(const Json& v)
{
    return v.is_array() && !v.empty() && std::ranges::all_of(v, [](const Json& e) { return e.is_object(); });
}
bool isScalars(const Json& v) { return !v.is_object() && !isTable(v); }

bool flat(const Json& object)
{
    return object.is_object() && !object.empty() && std::all_of(object.begin(), object.end(), [](const Json& v) { return isScalars(v); });
}

std::vector<std::string> keysOf(const Json& object)
{
    std::vector<std::string> keys;
    for (const auto& [key, v] : object.items()) keys.push_back(key);
    return keys;
}

/// "checkpoint.shares" as "Checkpoint: shares"; the last part without its unit.
std::string titleOf(const std::string& path)
{
    const auto dot = path.rfind('.');
    return dot == std::string::npos ? wordsOf(path).label
                                    : sentenceStart(plainWords(path.substr(0, dot))) + ": " + wordsOf(path.substr(dot + 1)).label;
}

/// Rows of leaves below objects; columns in the order in which they first occur.
SaidTable tableOf(std::string title, const std::vector<std::vector<std::pair<std::string, Json>>>& rows)
{
    SaidTable table{std::move(title), {}, {}, {}};
    std::vector<Quantity> quantities;
    for (const auto& row : rows)
        for (const auto& [key, value] : row)
            if (std::ranges::find(table.columns, key, &SaidTable::Column::key) == table.columns.end()) {
                const auto dot = key.rfind('.');
                const KeyWords words = wordsOf(key);
                const std::string above = dot == std::string::npos ? "" : titleOf(key.substr(0, dot)) + ": ";
                table.columns.push_back({above.empty() ? words.label : above + words.label, key, false, false});
                quantities.push_back(words.quantity);
            }
    for (const auto& row : rows) {
        auto& cells = table.rows.emplace_back(table.columns.size(), "");
        auto& values = table.values.emplace_back(table.columns.size());
        for (const auto& [key, value] : row) {
            const auto at = std::size_t(std::ranges::find(table.columns, key, &SaidTable::Column::key) - table.columns.begin());
            cells[at] = shownValue(value, quantities[at]);
            values[at] = value;
            table.columns[at].number = table.columns[at].number || value.is_number();
        }
    }
    return table;
}

std::vector<std::pair<std::string, Json>> cellsOf(const Json& object)
{
    std::vector<std::pair<std::string, Json>> cells;
    for (const auto& [key, v] : object.items())
        if (v.is_object())
            for (auto& [inner, value] : cellsOf(v)) cells.emplace_back(key + "." + inner, std::move(value));
        else if (!isTable(v))
            cells.emplace_back(key, v);
    return cells;
}

/// Lists of objects below rows of a list: a job's phases and the like.
void innerTables(const Json& list, const std::string& path, std::vector<SaidTable>& out);

void listTable(const Json& list, const std::string& path, std::vector<SaidTable>& out)
{
    std::vector<std::vector<std::pair<std::string, Json>>> rows;
    for (const Json& entry : list) rows.push_back(cellsOf(entry));
    SaidTable table = tableOf(titleOf(path), rows);
    if (!table.columns.empty()) out.push_back(std::move(table));
    innerTables(list, path, out);
}

void innerTables(const Json& list, const std::string& path, std::vector<SaidTable>& out)
{
    for (const Json& entry : list)
        for (const auto& [key, v] : entry.items()) {
            if (!isTable(v)) continue;
            const std::string name = entry.begin()->is_string() ? entry.begin()->get<std::string>() : "";
            listTable(v, name.empty() ? path + "." + key : name + ": " + key, out);
        }
}

/// Objects beside each other that say the same of different things: one table, a row each ("before", "degraded").
std::size_t likeSiblings(const Json& object, const std::vector<std::string>& keys, std::size_t from)
{
    std::size_t to = from;
    while (to < keys.size() && flat(object[keys[to]]) && keysOf(object[keys[to]]) == keysOf(object[keys[from]])) ++to;
    return to - from;
}

/// `single`: label and value of what stands alone.
void walk(const Json& object, const std::string& path, SaidTable& single, std::vector<SaidTable>& out)
{
    const auto keys = keysOf(object);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Json& v = object[keys[i]];
        const std::string name = path.empty() ? keys[i] : path + "." + keys[i];
        if (keys[i] == "certificate" || (keys[i] == "verdict" && v.is_string())) continue; // said elsewhere
        if (isTable(v)) {
            listTable(v, name, out);
        } else if (const std::size_t like = likeSiblings(object, keys, i); like > 1) {
            std::vector<std::vector<std::pair<std::string, Json>>> rows;
            for (std::size_t k = i; k < i + like; ++k) {
                auto& row = rows.emplace_back();
                row.emplace_back("", titleOf(keys[k]));
                for (auto& cell : cellsOf(object[keys[k]])) row.push_back(std::move(cell));
            }
            out.push_back(tableOf(path.empty() ? "" : titleOf(path), rows));
            i += like - 1;
        } else if (v.is_object()) {
            SaidTable own{titleOf(name), {}, {}, {}};
            std::vector<SaidTable> inner;
            walk(v, name, own, inner);
            if (!own.rows.empty()) out.push_back(std::move(own));
            out.insert(out.end(), std::make_move_iterator(inner.begin()), std::make_move_iterator(inner.end()));
        } else {
            const KeyWords words = wordsOf(name);
            single.rows.push_back({words.label, shownValue(v, words.quantity)});
        }
    }
}

std::string proofOf(const Json& results)
{
    const Json* found = nullptr;
    for (const auto& [key, v] : results.items())
        if (key == "certificate" && v.is_object() && v.contains("ok")) found = &v;
    if (!found) return {};
    if (!(*found)["ok"].is_boolean() || !(*found)["ok"].get<bool>()) return "The rates could not be proved max-min fair.";
    return found->contains("worst_gap") && (*found)["worst_gap"].is_number()
               ? fmt::format("Rates proved max-min fair, to {:.0e} at worst.", (*found)["worst_gap"].get<double>())
               : std::string("Rates proved max-min fair.");
}

/// A sweep: swept parameters, then what varies; what does not is said once.
void saySweep(const Json& document, SaidAnswer& out)
{
    const Json& sweep = document["sweep"];
    std::vector<std::vector<std::pair<std::string, Json>>> rows;
    const std::size_t axes = sweep["parameters"].size();
    for (const Json& point : sweep["points"]) {
        auto& row = rows.emplace_back();
        for (std::size_t i = 0; i < axes; ++i)
            row.emplace_back("\x01" + sweep["parameters"][i].get<std::string>(), point["values"][i]); // apart from results of that name
        for (auto& [key, value] : leaves(point["results"]))
            if (key.find('[') == std::string::npos && key.find("certificate") == std::string::npos) row.emplace_back(key, std::move(value));
    }
    if (rows.empty()) return;
    std::set<std::string> same;
    for (std::size_t c = axes; c < rows.front().size(); ++c) {
        const auto& [key, value] = rows.front()[c];
        const bool all =
            rows.size() > 1 && std::ranges::all_of(rows, [&](const auto& row) { return std::ranges::find(row, rows.front()[c]) != row.end(); });
        if (!all) continue;
        same.insert(key);
        const KeyWords words = wordsOf(key);
        out.constants.push_back({words.label, shownValue(value, words.quantity)});
    }
    for (auto& row : rows) std::erase_if(row, [&](const auto& cell) { return same.contains(cell.first); });
    const auto rank = [](const std::string& key) {
        const auto it = std::ranges::find(kFirst, key);
        return key.starts_with('\x01') ? std::ptrdiff_t(-1) : it - std::begin(kFirst);
    };
    for (auto& row : rows) std::ranges::stable_sort(row, {}, [&](const auto& cell) { return rank(cell.first); });
    SaidTable table = tableOf("", rows);
    for (auto& column : table.columns) {
        column.swept = column.key.starts_with('\x01');
        if (!column.swept) continue;
        column.key = column.key.substr(1);
        column.title = sentenceStart(plainWords(column.key.starts_with("design.") ? column.key.substr(7) : column.key));
    }
    out.tables.push_back(std::move(table));
}

/// Says values of an answer by key, for sentences.
struct Values {
    const Json& r;
    [[nodiscard]] bool has(const char* key) const { return r.contains(key) && !r[key].is_null(); }
    [[nodiscard]] bool yes(const char* key) const { return has(key) && r[key].is_boolean() && r[key].get<bool>(); }
    [[nodiscard]] std::string say(const char* key) const { return shownValue(r[key], wordsOf(key).quantity); }
    [[nodiscard]] double number(const char* key) const { return has(key) && r[key].is_number() ? r[key].get<double>() : 0; }
};

std::string of(const Json& entry, const char* key) { return entry.contains(key) ? shownValue(entry[key], wordsOf(key).quantity) : std::string("–"); }

std::string trainingVerdict(const Values& v)
{
    if (v.has("runs") && !v.yes("runs")) return "The job does not run: some of its transfers have no way through the network.";
    std::string out = fmt::format("An iteration{} takes {}", v.has("gpus") ? " on " + v.say("gpus") + " GPUs" : "", v.say("iteration_s"));
    if (v.has("mfu")) out += fmt::format(" at {} of the accelerators' peak", v.say("mfu"));
    if (v.has("exposed_share")) out += fmt::format("; {} of it waits for communication", v.say("exposed_share"));
    return out + ".";
}

std::string failureVerdict(const Values& v)
{
    if (v.yes("job_lost"))
        return fmt::format("The job is lost{}: it stands longer than the collective waits.",
                           v.has("job_lost_at_s") ? " " + v.say("job_lost_at_s") + " into the time line"
                           : v.has("lost_at_s")   ? " " + v.say("lost_at_s") + " into the time line"
                                                  : "");
    std::string out = "The job survives";
    const double slow = v.number("ring_slow_down_static");
    if (slow > 1.0005)
        out += fmt::format(", slowed down {} until the repair", shownValue(Json(slow), Quantity::Factor));
    else if (v.has("ring_slow_down_static") && v.yes("job_continues"))
        out += " at its full rate once everybody knows";
    else if (v.has("job_continues") && !v.yes("job_continues"))
        out += ", standing until the repair";
    if (v.number("black_hole_s") > 0) out += fmt::format(", after {} of traffic sent into nothing", v.say("black_hole_s"));
    return out + ".";
}

/// A training job with a fault: its iteration before, during and after.
std::string faultVerdict(const Values& v)
{
    const Json& i = v.r["iteration_s"];
    const auto part = [&](const char* key) {
        return i.contains(key) && !i[key].is_null() ? shownValue(i[key], Quantity::Seconds) : std::string("no end");
    };
    std::string out =
        fmt::format("An iteration takes {} before the fault, {} while it lasts and {} afterwards", part("before"), part("during"), part("after"));
    if (v.yes("job_lost"))
        return out + fmt::format("; the job is lost{}.", v.has("lost_at_s") ? " " + v.say("lost_at_s") + " into the time line" : "");
    if (v.number("stands_s") > 0) out += fmt::format("; the job stands for {}", v.say("stands_s"));
    return out + ".";
}

std::string listVerdict(const Json& list, const char* what, const char* key)
{
    const Json &first = list.front(), &last = list.back();
    if (!first.contains(what) || !first.contains(key)) return {};
    const std::string unit =
        wordsOf(what).quantity == Quantity::Plain || wordsOf(what).quantity == Quantity::Count ? " " + plainWords(what) : std::string();
    return fmt::format("{} goes from {} at {}{} to {} at {}.", wordsOf(key).label, of(first, key), of(first, what), unit, of(last, key),
                       of(last, what));
}

std::string bestVerdict(const Json& list, const char* who, const char* key, bool least)
{
    const Json *best = nullptr, *worst = nullptr;
    for (const Json& e : list) {
        if (!e.contains(who) || !e.contains(key) || !e[key].is_number()) continue;
        const auto better = [&](const Json& a, const Json& b) {
            return least ? a[key].get<double>() < b[key].get<double>() : a[key].get<double>() > b[key].get<double>();
        };
        if (!best || better(e, *best)) best = &e;
        if (!worst || better(*worst, e)) worst = &e;
    }
    if (!best || best == worst) return {};
    return fmt::format("Best is {} ({} {}), worst {} ({}).", of(*best, who), sentenceStart(wordsOf(key).label), of(*best, key), of(*worst, who),
                       of(*worst, key));
}

/// By what an answer holds, not by its kind, so that kinds of the same make read alike.
std::string byContent(const Json& r)
{
    const Values v{r};
    if (r.contains("iteration_s") && r["iteration_s"].is_object()) return faultVerdict(v);
    if (v.has("iteration_s")) return trainingVerdict(v);
    if (v.has("job_lost")) return failureVerdict(v);
    if (r.contains("completion_s"))
        return v.has("completion_s") ? fmt::format("All data has arrived after {}.", v.say("completion_s"))
                                     : std::string("The data never arrives: some flows have no way.");
    if (v.has("goodput")) return fmt::format("{} of the time is useful work.", v.say("goodput"));
    if (v.has("simulated"))
        return fmt::format("{} of the time is useful work{}.", shownValue(r["simulated"], Quantity::Share),
                           v.has("interval_s") ? ", saving every " + v.say("interval_s") : "");
    if (r.contains("restored_at_s"))
        return v.has("restored_at_s") ? fmt::format("Traffic flows again {} into the time line; {} are lost.", v.say("restored_at_s"),
                                                    v.has("lost_bytes") ? v.say("lost_bytes") : std::string("bytes"))
                                      : std::string("Traffic never flows again: nobody notices.");
    if (v.has("gpus_in_use_share"))
        return fmt::format("{} of the GPUs are in use{}.", v.say("gpus_in_use_share"),
                           v.has("fragmentation") ? ", fragmentation " + v.say("fragmentation") : "");
    if (v.has("time_saved")) return fmt::format("The faster network saves {} of an iteration.", shownValue(r["time_saved"], Quantity::Share));
    if (r.contains("ring") && r["ring"].is_object() && r["ring"].contains("under_one_switch_share"))
        return fmt::format("{} of the ring's traffic stays under one access switch.", of(r["ring"], "under_one_switch_share"));
    if (r.contains("source_port_hash") && r.contains("five_tuple"))
        return fmt::format("Hashing by source port reaches {} of the throughput, by five-tuple {}.", of(r["source_port_hash"], "throughput_share"),
                           of(r["five_tuple"], "throughput_share"));
    if (r.contains("as_designed") && r.contains("single_plane") && isTable(r["as_designed"]) && isTable(r["single_plane"]))
        return fmt::format("The slowest NIC takes {} its time as designed and {} on a single plane, with {} connections each.",
                           of(r["as_designed"].front(), "slowest_nic_factor"), of(r["single_plane"].front(), "slowest_nic_factor"),
                           of(r["as_designed"].front(), "connections"));
    for (const char* list : {"ways", "policies", "remedies"})
        if (r.contains(list) && isTable(r[list]))
            for (const auto& [who, key, least] :
                 {std::tuple{"crossing", "iteration_s", true}, {"policy", "utilisation", false}, {"remedy", "lost_bytes", true}})
                if (auto said = bestVerdict(r[list], who, key, least); !said.empty()) return said;
    for (const char* list : {"points", "sizes", "rows"})
        if (r.contains(list) && isTable(r[list]))
            for (const auto& [what, key] : {std::pair{"gpus", "efficiency"},
                                            {"bytes", "bus_gbytes_per_s"},
                                            {"domain_gpus", "time_s"},
                                            {"gpus", "goodput"},
                                            {"bytes_per_pair", "speedup_overlapped"}})
                if (auto said = listVerdict(r[list], what, key); !said.empty()) return said;
    return {};
}

/// A swept parameter in a sentence: "down_s" as "down", "gpus" as "GPUs".
std::string axisWords(std::string path)
{
    if (path.starts_with("design.")) path = path.substr(7);
    std::string label = wordsOf(path).label;
    if (label.size() > 1 && std::islower(static_cast<unsigned char>(label[1]))) label[0] = char(std::tolower(static_cast<unsigned char>(label[0])));
    return label;
}

std::string sweepVerdict(const Json& document)
{
    const Json& points = document["sweep"]["points"];
    std::string names;
    for (const Json& p : document["sweep"]["parameters"]) names += (names.empty() ? "" : " and ") + axisWords(p.get<std::string>());
    const auto at = [&](const Json& p) {
        std::string text;
        for (std::size_t i = 0; i < p["values"].size(); ++i)
            text += (text.empty() ? "" : ", ") + shownValue(p["values"][i], wordsOf(document["sweep"]["parameters"][i].get<std::string>()).quantity);
        return text;
    };
    if (std::ranges::all_of(points, [](const Json& p) { return p["results"].contains("job_lost") && p["results"]["job_lost"].is_boolean(); })) {
        std::string lost, kept;
        for (const Json& p : points) {
            std::string& list = p["results"]["job_lost"].get<bool>() ? lost : kept;
            list += (list.empty() ? "" : "; ") + at(p);
        }
        if (lost.empty()) return fmt::format("The job survives at every point over {}.", names);
        return kept.empty() ? fmt::format("The job is lost at every point over {}.", names)
                            : fmt::format("The job is lost at {}, and survives at {}.", lost, kept);
    }
    const char* key = nullptr;
    for (const char* first : kFirst)
        if (!key && points.front()["results"].contains(first) &&
            std::ranges::all_of(points, [&](const Json& p) { return p["results"].contains(first) && p["results"][first].is_number(); }) &&
            std::ranges::any_of(points, [&](const Json& p) { return p["results"][first] != points.front()["results"][first]; }))
            key = first;
    if (!key) return fmt::format("{} points over {}.", points.size(), names);
    const auto value = [&](const Json& p) { return p["results"][key].template get<double>(); };
    const auto low = std::ranges::min_element(points, {}, value), high = std::ranges::max_element(points, {}, value);
    const KeyWords words = wordsOf(key);
    return fmt::format("{} is between {} (at {}) and {} (at {}) over {}.", words.label, shownValue((*low)["results"][key], words.quantity), at(*low),
                       shownValue((*high)["results"][key], words.quantity), at(*high), names);
}

Json resultsOf(const Json& document)
{
    return document.contains("results") && document["results"].is_object() ? document["results"] : Json::object();
}

std::string kindOf(const Json& d) { return d.value(d.contains("workload") ? "workload" : "analysis", std::string()); }

/// The parameters in which two answers differ, as words: "fault tor".
std::string apart(const Json& mine, const Json& other)
{
    std::string out;
    const auto left = leaves(mine.value("parameters", Json::object())), right = leaves(other.value("parameters", Json::object()));
    int said = 0;
    for (const auto& [key, value] : left) {
        const auto it = std::ranges::find(right, key, &std::pair<std::string, Json>::first);
        if (it != right.end() && it->second == value) continue;
        if (++said > 3) return out + ", …";
        out += (out.empty() ? "" : ", ") + plainWords(key) + " " + shownValue(value, wordsOf(key).quantity);
    }
    return out;
}

std::string designOf(const Json& d)
{
    return d.contains("design")
               ? fmt::format("{}, revision {}", d["design"].value("name", std::string()), d["design"].value("revision", std::uint64_t(0)))
               : std::string();
}

/// "before.host_gbps" as "Before: one host"; entries of lists with their number.
std::string labelOf(const std::string& path)
{
    const auto dot = path.rfind('.');
    if (dot == std::string::npos) return wordsOf(path).label;
    std::string above = path.substr(0, dot);
    for (auto at = above.find('['); at != std::string::npos; at = above.find('[')) {
        const auto end = above.find(']', at);
        above = above.substr(0, at) + " " + std::to_string(std::stoul(above.substr(at + 1, end - at - 1)) + 1) + above.substr(end + 1);
    }
    return titleOf(above) + ": " + wordsOf(path).label;
}

} // namespace

std::string verdictOf(const Json& document)
{
    if (document.contains("sweep"))
        return document["sweep"].contains("points") && !document["sweep"]["points"].empty() ? sweepVerdict(document) : std::string();
    const Json results = resultsOf(document);
    if (results.contains("verdict") && results["verdict"].is_string()) return results["verdict"].get<std::string>();
    if (auto said = byContent(results); !said.empty()) return said;
    std::string out;
    int said = 0;
    for (const auto& [key, v] : results.items()) {
        if (!v.is_number() || said == 2) continue;
        const KeyWords words = wordsOf(key);
        out += (out.empty() ? "" : "; ") + words.label + ": " + shownValue(v, words.quantity);
        ++said;
    }
    return out.empty() ? out : out + ".";
}

SaidAnswer inWords(const Json& document)
{
    SaidAnswer out;
    out.verdict = verdictOf(document);
    if (document.contains("sweep")) {
        saySweep(document, out);
        return out;
    }
    const Json results = resultsOf(document);
    out.proof = proofOf(results);
    for (const char* key : kFirst)
        if (results.contains(key) && results[key].is_number() && out.figures.size() < kMostFigures) {
            const KeyWords words = wordsOf(key);
            out.figures.push_back({words.label, shownValue(results[key], words.quantity)});
        }
    SaidTable single;
    walk(results, "", single, out.tables);
    std::erase_if(single.rows, [&](const auto& row) {
        return std::ranges::any_of(out.figures, [&](const auto& f) { return f.label == row[0] && f.value == row[1]; });
    });
    if (!single.rows.empty()) out.tables.insert(out.tables.begin(), std::move(single));
    return out;
}

SaidComparison compareInWords(const Json& a, const Json& b)
{
    SaidComparison out;
    out.first = a.value("name", std::string()), out.second = b.value("name", std::string());
    if (kindOf(a) != kindOf(b) || a.contains("sweep") != b.contains("sweep")) {
        out.verdict =
            fmt::format("These answer different questions ({} and {}) and have no numbers in common; pin an answer to the same question to compare.",
                        plainWords(kindOf(a)) + (a.contains("sweep") ? " swept" : ""), plainWords(kindOf(b)) + (b.contains("sweep") ? " swept" : ""));
        return out;
    }
    if (designOf(a) != designOf(b)) out.first += " (" + designOf(a) + ")", out.second += " (" + designOf(b) + ")";
    if (const auto x = apart(a, b), y = apart(b, a); !x.empty() || !y.empty())
        out.first += x.empty() ? "" : " [" + x + "]", out.second += y.empty() ? "" : " [" + y + "]";
    if (out.first == out.second) out.first += " (pinned)", out.second += " (now)";
    const Json found = compareAnswers(a, b);
    std::size_t all = 0;
    for (const Json& row : found["rows"]) {
        const std::string key = row["key"].get<std::string>();
        if (key.find("certificate") != std::string::npos) continue;
        ++all;
        if (row["a"] == row["b"]) continue;
        const KeyWords words = wordsOf(key);
        out.rows.push_back({labelOf(key), shownValue(row["a"], words.quantity), shownValue(row["b"], words.quantity),
                            row["ratio"].is_number() ? shownValue(row["ratio"], Quantity::Factor) : std::string()});
    }
    out.verdict = out.rows.empty() ? fmt::format("The two answers are the same in all {} values.", all)
                                   : fmt::format("{} of {} values differ.", out.rows.size(), all);
    return out;
}

} // namespace questions
} // namespace hw::sim
