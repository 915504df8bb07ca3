// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/answers/answer_in_words.h"

#include "simulation/answers/answer_text.h"
#include "simulation/answers/answer_verdicts.h"
#include "simulation/answers/answer_words.h"

#include <algorithm>
#include <set>

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

/// "jobs[0]" as "jobs 1"; `first`: with a capital letter.
Text partText(std::string_view part, bool first)
{
    const std::string_view key = part.substr(0, part.find('['));
    Text said = first ? titleText(key) : plainText(key);
    for (auto at = part.find('['); at != std::string_view::npos; at = part.find('[', at + 1))
        said = i18n("{} {}", said, std::stoul(std::string(part.substr(at + 1))) + 1);
    return said;
}

/// "checkpoint.shares" as "Checkpoint: shares"; the last part without its unit; entries of lists with their number.
Text titleOf(std::string_view path)
{
    const auto dot = path.rfind('.');
    const std::string_view last = dot == std::string_view::npos ? path : path.substr(dot + 1);
    const Text label = last.find('[') == std::string_view::npos ? wordsOf(last).label : partText(last, true);
    if (dot == std::string_view::npos) return label;
    Text above;
    for (std::string_view rest = path.substr(0, dot); !rest.empty();) {
        const std::string_view part = rest.substr(0, rest.find('.'));
        above = above.empty() ? partText(part, true) : i18n("{} {}", above, partText(part, false));
        rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    }
    return i18n("{}: {}", above, label);
}

/// A value with its key; `said` where it reads otherwise than as a value.
struct Cell {
    std::string key;
    Json value;
    Text said = {};
    friend bool operator==(const Cell& a, const Cell& b) { return a.key == b.key && a.value == b.value; }
};
using Row = std::vector<Cell>;

/// Rows of leaves below objects; columns in the order in which they first occur.
ResultTable tableOf(Text title, const std::vector<Row>& rows)
{
    ResultTable table{std::move(title), {}, {}, {}};
    std::vector<Quantity> quantities;
    for (const Row& row : rows)
        for (const Cell& cell : row)
            if (std::ranges::find(table.columns, cell.key, &ResultTable::Column::key) == table.columns.end()) {
                const auto dot = cell.key.rfind('.');
                const KeyWords own = wordsOf(cell.key);
                table.columns.push_back(
                    {dot == std::string::npos ? own.label : i18n("{}: {}", titleOf(cell.key.substr(0, dot)), own.label), cell.key, false, false});
                quantities.push_back(own.quantity);
            }
    for (const Row& row : rows) {
        auto& cells = table.rows.emplace_back(table.columns.size());
        auto& values = table.values.emplace_back(table.columns.size());
        for (const Cell& cell : row) {
            const auto at = std::size_t(std::ranges::find(table.columns, cell.key, &ResultTable::Column::key) - table.columns.begin());
            cells[at] = cell.said.empty() ? shownValue(cell.value, quantities[at]) : cell.said;
            values[at] = cell.value;
            table.columns[at].number = table.columns[at].number || cell.value.is_number();
        }
    }
    return table;
}

Row cellsOf(const Json& object)
{
    Row cells;
    for (const auto& [key, v] : object.items())
        if (v.is_object())
            for (Cell& cell : cellsOf(v)) cells.push_back({key + "." + cell.key, std::move(cell.value)});
        else if (!isTable(v))
            cells.push_back({key, v});
    return cells;
}

/// Lists of objects below rows of a list: a job's phases and the like.
void innerTables(const Json& list, const std::string& path, std::vector<ResultTable>& out);

void listTable(const Json& list, const std::string& path, Text title, std::vector<ResultTable>& out)
{
    std::vector<Row> rows;
    for (const Json& entry : list) rows.push_back(cellsOf(entry));
    ResultTable table = tableOf(std::move(title), rows);
    if (!table.columns.empty()) out.push_back(std::move(table));
    innerTables(list, path, out);
}

void innerTables(const Json& list, const std::string& path, std::vector<ResultTable>& out)
{
    for (const Json& entry : list)
        for (const auto& [key, v] : entry.items()) {
            if (!isTable(v)) continue;
            const std::string name = entry.begin()->is_string() ? entry.begin()->get<std::string>() : "";
            const std::string inner = path + "." + key;
            listTable(v, inner, name.empty() ? titleOf(inner) : i18n("{}: {}", sentenceStart(plainWords(name)), wordsOf(key).inside), out);
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
void walk(const Json& object, const std::string& path, ResultTable& single, std::vector<ResultTable>& out)
{
    const auto keys = keysOf(object);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Json& v = object[keys[i]];
        const std::string name = path.empty() ? keys[i] : path + "." + keys[i];
        if (keys[i] == "certificate" || (keys[i] == "verdict" && v.is_string())) continue; // said elsewhere
        if (isTable(v)) {
            listTable(v, name, titleOf(name), out);
        } else if (const std::size_t like = likeSiblings(object, keys, i); like > 1) {
            std::vector<Row> rows;
            for (std::size_t k = i; k < i + like; ++k) {
                Row& row = rows.emplace_back();
                row.push_back({"", keys[k], titleOf(keys[k])});
                for (Cell& cell : cellsOf(object[keys[k]])) row.push_back(std::move(cell));
            }
            out.push_back(tableOf(path.empty() ? Text() : titleOf(path), rows));
            i += like - 1;
        } else if (v.is_object()) {
            ResultTable own{titleOf(name), {}, {}, {}};
            std::vector<ResultTable> inner;
            walk(v, name, own, inner);
            if (!own.rows.empty()) out.push_back(std::move(own));
            out.insert(out.end(), std::make_move_iterator(inner.begin()), std::make_move_iterator(inner.end()));
        } else {
            const KeyWords own = wordsOf(name);
            single.rows.push_back({own.label, shownValue(v, own.quantity)});
        }
    }
}

Text proofOf(const Json& results)
{
    const Json* found = nullptr;
    for (const auto& [key, v] : results.items())
        if (key == "certificate" && v.is_object() && v.contains("ok")) found = &v;
    if (!found) return {};
    if (!(*found)["ok"].is_boolean() || !(*found)["ok"].get<bool>()) return i18n("Max-min fairness of the rates could not be verified.");
    return found->contains("worst_gap") && (*found)["worst_gap"].is_number()
               ? i18n("Max-min fairness of the rates verified; largest gap {:.0e}.", (*found)["worst_gap"].get<double>())
               : i18n("Max-min fairness of the rates verified.");
}

/// A sweep: swept parameters, then what varies; what does not is said once.
void saySweep(const Json& document, ResultDocument& out)
{
    const Json& sweep = document["sweep"];
    std::vector<Row> rows;
    const std::size_t axes = sweep["parameters"].size();
    for (const Json& point : sweep["points"]) {
        Row& row = rows.emplace_back();
        for (std::size_t i = 0; i < axes; ++i)
            row.push_back({"\x01" + sweep["parameters"][i].get<std::string>(), point["values"][i]}); // apart from results of that name
        for (auto& [key, value] : leaves(point["results"]))
            if (key.find('[') == std::string::npos && key.find("certificate") == std::string::npos) row.push_back({key, std::move(value)});
    }
    if (rows.empty()) return;
    std::set<std::string> same;
    for (std::size_t c = axes; c < rows.front().size(); ++c) {
        const Cell& cell = rows.front()[c];
        const bool all = rows.size() > 1 && std::ranges::all_of(rows, [&](const auto& row) { return std::ranges::find(row, cell) != row.end(); });
        if (!all) continue;
        same.insert(cell.key);
        const KeyWords own = wordsOf(cell.key);
        out.constants.push_back({own.label, shownValue(cell.value, own.quantity)});
    }
    for (Row& row : rows) std::erase_if(row, [&](const Cell& cell) { return same.contains(cell.key); });
    const auto rank = [](const std::string& key) {
        const auto it = std::ranges::find(kFirst, key);
        return key.starts_with('\x01') ? std::ptrdiff_t(-1) : it - std::begin(kFirst);
    };
    for (Row& row : rows) std::ranges::stable_sort(row, {}, [&](const Cell& cell) { return rank(cell.key); });
    ResultTable table = tableOf({}, rows);
    for (auto& column : table.columns) {
        column.swept = column.key.starts_with('\x01');
        if (!column.swept) continue;
        column.key = column.key.substr(1);
        column.title = wordsOf(column.key.starts_with("design.") ? column.key.substr(7) : column.key).label;
    }
    out.tables.push_back(std::move(table));
}

/// A swept parameter in a sentence: "down_s" as "down", "gpus" as "GPUs".
Text axisWords(const std::string& path) { return wordsOf(path.starts_with("design.") ? path.substr(7) : path).inside; }

Text sweepVerdict(const Json& document)
{
    const Json& points = document["sweep"]["points"];
    Text names;
    for (const Json& p : document["sweep"]["parameters"]) {
        Text name = axisWords(p.get<std::string>());
        names = names.empty() ? std::move(name) : i18n("{} and {}", names, name);
    }
    const auto at = [&](const Json& p) {
        std::vector<Text> values;
        for (std::size_t i = 0; i < p["values"].size(); ++i)
            values.push_back(shownValue(p["values"][i], wordsOf(document["sweep"]["parameters"][i].get<std::string>()).quantity));
        return listed(std::move(values));
    };
    if (std::ranges::all_of(points, [](const Json& p) { return p["results"].contains("job_lost") && p["results"]["job_lost"].is_boolean(); })) {
        Text lost, kept;
        for (const Json& p : points) {
            Text& list = p["results"]["job_lost"].get<bool>() ? lost : kept;
            list = list.empty() ? at(p) : i18n("{}; {}", list, at(p));
        }
        if (lost.empty()) return i18n("The job survives at every sweep point ({}).", names);
        return kept.empty() ? i18n("The job is lost at every sweep point ({}).", names)
                            : i18n("The job is lost at {} and survives at {}.", lost, kept);
    }
    const char* key = nullptr;
    for (const char* first : kFirst)
        if (!key && points.front()["results"].contains(first) &&
            std::ranges::all_of(points, [&](const Json& p) { return p["results"].contains(first) && p["results"][first].is_number(); }) &&
            std::ranges::any_of(points, [&](const Json& p) { return p["results"][first] != points.front()["results"][first]; }))
            key = first;
    if (!key) return i18n("{} sweep points ({}).", points.size(), names);
    const auto value = [&](const Json& p) { return p["results"][key].template get<double>(); };
    const auto low = std::ranges::min_element(points, {}, value), high = std::ranges::max_element(points, {}, value);
    const KeyWords own = wordsOf(key);
    return i18n("{} ranges from {} (at {}) to {} (at {}) over {}.", own.label, shownValue((*low)["results"][key], own.quantity), at(*low),
                shownValue((*high)["results"][key], own.quantity), at(*high), names);
}

Json resultsOf(const Json& document)
{
    return document.contains("results") && document["results"].is_object() ? document["results"] : Json::object();
}

std::string kindOf(const Json& d) { return d.value(d.contains("workload") ? "workload" : "analysis", std::string()); }

/// The parameters in which two answers differ, as words: "fault tor".
Text apart(const Json& mine, const Json& other)
{
    std::vector<Text> out;
    const auto left = leaves(mine.value("parameters", Json::object())), right = leaves(other.value("parameters", Json::object()));
    for (const auto& [key, value] : left) {
        const auto it = std::ranges::find(right, key, &std::pair<std::string, Json>::first);
        if (it != right.end() && it->second == value) continue;
        if (out.size() == 3) {
            out.push_back(verbatim("…"));
            break;
        }
        {
            const KeyWords own = wordsOf(key);
            out.push_back(i18n("{} {}", own.inside, shownValue(value, own.quantity)));
        }
    }
    return out.empty() ? Text() : listed(std::move(out));
}

Text designOf(const Json& d)
{
    return d.contains("design") ? i18n("{}, revision {}", d["design"].value("name", std::string()), d["design"].value("revision", std::uint64_t(0)))
                                : Text();
}

/// "before.host_gbps" as "Before: one host"; entries of lists with their number.
Text labelOf(const std::string& path)
{
    const auto dot = path.rfind('.');
    return dot == std::string::npos ? wordsOf(path).label : i18n("{}: {}", titleOf(path.substr(0, dot)), wordsOf(path).label);
}

} // namespace

Text verdictOf(const Json& document)
{
    if (document.contains("sweep"))
        return document["sweep"].contains("points") && !document["sweep"]["points"].empty() ? sweepVerdict(document) : Text();
    const Json results = resultsOf(document);
    if (results.contains("verdict") && results["verdict"].is_string()) return verbatim(results["verdict"].get<std::string>());
    if (auto said = verdictOfResults(results, document.value("parameters", Json())); !said.empty()) return said;
    Text out;
    int said = 0;
    for (const auto& [key, v] : results.items()) {
        if (!v.is_number() || said == 2) continue;
        const KeyWords own = wordsOf(key);
        Text one = i18n("{}: {}", own.label, shownValue(v, own.quantity));
        out = out.empty() ? std::move(one) : i18n("{}; {}", out, one);
        ++said;
    }
    return out.empty() ? out : i18n("{}.", out);
}

ResultDocument inWords(const Json& document)
{
    ResultDocument out;
    out.verdict = verdictOf(document);
    if (document.contains("sweep")) {
        saySweep(document, out);
        return out;
    }
    const Json results = resultsOf(document);
    out.proof = proofOf(results);
    for (const char* key : kFirst)
        if (results.contains(key) && results[key].is_number() && out.figures.size() < kMostFigures) {
            const KeyWords own = wordsOf(key);
            out.figures.push_back({own.label, shownValue(results[key], own.quantity)});
        }
    ResultTable single;
    walk(results, "", single, out.tables);
    std::erase_if(single.rows, [&](const auto& row) {
        return std::ranges::any_of(out.figures, [&](const auto& f) { return f.label == row[0] && f.value == row[1]; });
    });
    if (!single.rows.empty()) out.tables.insert(out.tables.begin(), std::move(single));
    return out;
}

ComparisonDocument compareInWords(const Json& a, const Json& b)
{
    ComparisonDocument out;
    out.first = resourceText(a.value("name", std::string())), out.second = resourceText(b.value("name", std::string()));
    if (kindOf(a) != kindOf(b) || a.contains("sweep") != b.contains("sweep")) {
        const auto kind = [](const Json& d) { return d.contains("sweep") ? i18n("{} sweep", plainText(kindOf(d))) : plainText(kindOf(d)); };
        out.verdict = i18n("These results belong to different scenarios ({} and {}) and have no values in common; pin a result "
                           "of the same scenario to compare.",
                           kind(a), kind(b));
        return out;
    }
    if (const Text x = designOf(a), y = designOf(b); x != y) out.first = i18n("{} ({})", out.first, x), out.second = i18n("{} ({})", out.second, y);
    if (const Text x = apart(a, b); !x.empty()) out.first = i18n("{} [{}]", out.first, x);
    if (const Text x = apart(b, a); !x.empty()) out.second = i18n("{} [{}]", out.second, x);
    if (out.first == out.second) out.first = i18n("{} (pinned)", out.first), out.second = i18n("{} (current)", out.second);
    const Json found = compareAnswers(a, b);
    std::size_t all = 0;
    for (const Json& row : found["rows"]) {
        const std::string key = row["key"].get<std::string>();
        if (key.find("certificate") != std::string::npos) continue;
        ++all;
        if (row["a"] == row["b"]) continue;
        const Quantity quantity = wordsOf(key).quantity;
        out.rows.push_back({labelOf(key), shownValue(row["a"], quantity), shownValue(row["b"], quantity),
                            row["ratio"].is_number() ? shownValue(row["ratio"], Quantity::Factor) : Text()});
    }
    out.verdict =
        out.rows.empty() ? i18n("The two results are identical in all {} values.", all) : i18n("{} of {} values differ.", out.rows.size(), all);
    return out;
}

} // namespace questions
} // namespace hw::sim
