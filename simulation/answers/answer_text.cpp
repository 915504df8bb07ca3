// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/answers/answer_text.h"

#include "simulation/answers/answer_in_words.h"
#include "simulation/answers/answer_words.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace hw::sim {
inline namespace questions {

namespace {

constexpr std::size_t kMostLeaves = 100'000;

std::string cell(const Json& value)
{
    if (value.is_string()) return value.get<std::string>();
    if (value.is_null()) return "-";
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
    if (value.is_array()) {
        std::string out;
        for (const Json& e : value) out += (out.empty() ? "" : " ") + cell(e);
        return out;
    }
    return value.dump();
}

void collect(const Json& value, const std::string& path, std::vector<std::pair<std::string, Json>>& out)
{
    if (out.size() >= kMostLeaves) return;
    if (value.is_object())
        for (const auto& [key, v] : value.items()) collect(v, path.empty() ? key : path + "." + key, out);
    else if (value.is_array())
        for (std::size_t i = 0; i < value.size(); ++i) collect(value[i], fmt::format("{}[{}]", path, i), out);
    else
        out.emplace_back(path, value);
}

/// Columns in the order in which they first occur; nested values become paths.
AnswerTable tableOf(std::string title, const std::vector<std::vector<std::pair<std::string, Json>>>& rows)
{
    AnswerTable table{std::move(title), {}, {}};
    std::map<std::string, std::size_t> index;
    for (const auto& row : rows)
        for (const auto& [key, value] : row)
            if (index.emplace(key, index.size()).second) table.columns.push_back(key);
    for (const auto& row : rows) {
        auto& cells = table.rows.emplace_back(table.columns.size());
        for (const auto& [key, value] : row) cells[index.at(key)] = cell(value);
    }
    return table;
}

void tablesIn(const Json& value, const std::string& path, AnswerTable& single, std::vector<AnswerTable>& out)
{
    for (const auto& [key, v] : value.items()) {
        const std::string name = path.empty() ? key : path + "." + key;
        if (isTable(v)) {
            std::vector<std::vector<std::pair<std::string, Json>>> rows;
            for (const Json& entry : v) rows.push_back(leaves(entry));
            out.push_back(tableOf(name, rows));
        } else if (v.is_object())
            tablesIn(v, name, single, out);
        else
            single.rows.push_back({name, cell(v)});
    }
}

std::string quoted(const std::string& text)
{
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

std::string printed(const AnswerTable& table, std::size_t mostRows)
{
    std::vector<std::size_t> width;
    for (const auto& c : table.columns) width.push_back(c.size());
    const std::size_t shown = std::min(mostRows, table.rows.size());
    for (std::size_t r = 0; r < shown; ++r)
        for (std::size_t c = 0; c < table.rows[r].size(); ++c) {
            if (c >= width.size()) width.push_back(0);
            width[c] = std::max(width[c], table.rows[r][c].size());
        }
    std::string out = table.title.empty() ? "" : table.title + "\n";
    const auto line = [&](const std::vector<std::string>& cells) {
        std::string text = " ";
        for (std::size_t c = 0; c < cells.size(); ++c) text += fmt::format(" {:<{}}", cells[c], width[c]);
        out += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
    };
    if (!table.columns.empty()) line(table.columns);
    for (std::size_t r = 0; r < shown; ++r) line(table.rows[r]);
    if (shown < table.rows.size()) out += "  " + words(i18n("… {} more (--json or -o shows all)", table.rows.size() - shown)) + "\n";
    return out;
}

} // namespace

std::vector<std::pair<std::string, Json>> leaves(const Json& value)
{
    std::vector<std::pair<std::string, Json>> out;
    collect(value, "", out);
    return out;
}

std::vector<AnswerTable> answerTables(const Json& document)
{
    std::vector<AnswerTable> out;
    if (document.contains("sweep")) {
        const Json& sweep = document["sweep"];
        std::vector<std::vector<std::pair<std::string, Json>>> rows;
        for (const Json& point : sweep["points"]) {
            auto& row = rows.emplace_back();
            for (std::size_t i = 0; i < sweep["parameters"].size(); ++i)
                row.emplace_back(sweep["parameters"][i].get<std::string>(), point["values"][i]);
            for (auto& [key, value] : leaves(point["results"])) {
                if (key.find('[') != std::string::npos) continue;
                const bool isSwept =
                    std::ranges::find(sweep["parameters"], Json(key)) != sweep["parameters"].end(); // what was asked stands beside what came out
                row.emplace_back(isSwept ? "results." + key : key, value);
            }
        }
        out.push_back(tableOf("sweep", rows));
        return out;
    }
    AnswerTable single;
    tablesIn(document.value("results", Json::object()), "", single, out);
    if (!single.rows.empty()) out.insert(out.begin(), std::move(single));
    return out;
}

std::string answerText(const Json& document)
{
    constexpr std::size_t kMostRows = 40;
    Text head = resourceText(document["name"].get<std::string>());
    if (document.contains("design"))
        head = i18n("{} on {} ({}), revision {}", head, document["design"]["name"].get<std::string>(),
                    document["design"]["template"].get<std::string>(), document["design"]["revision"].get<std::uint64_t>());
    if (document.contains("design") && document["design"].contains("set")) head = i18n("{} with {}", head, document["design"]["set"].dump());
    std::string out = words(head) + "\n";
    if (const Text verdict = verdictOf(document); !verdict.empty()) out += "  " + words(verdict) + "\n";
    for (const AnswerTable& table : answerTables(document)) out += printed(table, document.contains("sweep") ? table.rows.size() : kMostRows);
    for (const Json& note : document["notes"]) out += "  " + words(i18n("note: {}", note.get<std::string>())) + "\n";
    return out;
}

std::string answerCsv(const Json& document)
{
    auto tables = answerTables(document);
    std::string out;
    const auto line = [&](const std::vector<std::string>& cells) {
        for (std::size_t i = 0; i < cells.size(); ++i) out += (i ? "," : "") + quoted(cells[i]);
        out += "\r\n";
    };
    const auto largest = std::ranges::max_element(tables, {}, [](const AnswerTable& t) { return t.columns.empty() ? 0 : t.rows.size(); });
    if (largest == tables.end()) return out;
    if (largest->columns.empty())
        line({"key", "value"});
    else
        line(largest->columns);
    for (const auto& row : largest->rows) line(row);
    return out;
}

Json compareAnswers(const Json& a, const Json& b)
{
    const auto content = [](const Json& d) { return leaves(d.contains("sweep") ? d["sweep"] : d.value("results", Json::object())); };
    const auto left = content(a), right = content(b);
    std::map<std::string, Json> other(right.begin(), right.end());
    Json rows = Json::array();
    const auto add = [&](const std::string& key, const Json& x, const Json& y) {
        Json row = {{"key", key}, {"a", x}, {"b", y}, {"difference", nullptr}, {"ratio", nullptr}};
        if (x.is_number() && y.is_number()) {
            row["difference"] = y.get<double>() - x.get<double>();
            if (x.get<double>() != 0) row["ratio"] = y.get<double>() / x.get<double>();
        }
        rows.push_back(std::move(row));
    };
    for (const auto& [key, value] : left) {
        const auto it = other.find(key);
        add(key, value, it == other.end() ? Json() : it->second);
        if (it != other.end()) other.erase(it);
    }
    for (const auto& [key, value] : right)
        if (other.contains(key)) add(key, Json(), value);
    return {{"schema", "hallwright.result-comparison/1"}, {"a", a["name"]}, {"b", b["name"]}, {"rows", std::move(rows)}};
}

} // namespace questions
} // namespace hw::sim
