// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/texts/catalog.h"

#include "core/design/edit/fields.h"
#include "simulation/answers/answer_words.h"
#include "tests/texts/literals.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

namespace hw {

namespace fs = std::filesystem;

namespace {

/// Which arguments of a call are ids: the first, and the plural where it has one. -1: none.
struct Marks {
    int id = -1, many = -1;
};

Marks marksOf(const std::string& callee)
{
    if (callee == "i18n" || callee == "TextId" || callee == "tr" || callee == "QT_TR_NOOP") return {0, -1};
    if (callee == "i18np") return {1, 2};
    if (callee == "QT_TRANSLATE_NOOP" || callee == "translate" || callee == "report") return {1, -1};
    return {};
}

/// Keys whose values people read, in templates, catalog, workloads and scenarios.
/// Of scenarios also the name that stands at the top.
const std::set<std::string> kReadKeys{"title", "summary", "description", "help", "text", "note", "notes", "label", "why", "reason"};

void collect(const YAML::Node& node, const std::string& key, const std::string& file, TextCatalog& out)
{
    static const std::regex place("\\{[^}]*\\}");
    if (node.IsScalar() && key == "message") { // of a constraint: values stand where it has expressions
        out.add(std::regex_replace(node.Scalar(), place, "{}"), "", file);
    } else if (node.IsScalar()) {
        if (kReadKeys.contains(key) && std::ranges::any_of(node.Scalar(), [](unsigned char c) { return std::isalpha(c); }))
            out.add(node.Scalar(), "", file);
    } else if (node.IsSequence()) {
        for (const auto& item : node) collect(item, key, file, out);
    } else if (node.IsMap()) {
        if (node["default"] && file.starts_with("resources/templates/")) // a parameter
            for (const char* said : {"unit", "one", "limit"})
                if (node[said]) out.add(node[said].Scalar(), "", file);
        for (const auto& pair : node)
            if (pair.first.IsScalar()) collect(pair.second, pair.first.Scalar(), file, out);
    }
}

/// What a key of parameters or results reads as, without its unit, at the start of a sentence and within one.
void addKey(std::string key, const std::string& file, TextCatalog& out)
{
    const auto add = [&](const Text& text) { // what a table says is a literal of its own
        if (text.kind() == Text::Kind::Resource) out.add(std::get<std::string>(text.arguments().front()), "", file);
    };
    const sim::KeyWords own = sim::wordsOf(key);
    add(own.label), add(own.inside);
    for (const std::string_view suffix : {"_gbytes_per_s", "_gbytes", "_gbps", "_bytes", "_points", "_us", "_s", "_h"}) // behind a label in a form
        if (key.ends_with(suffix)) {
            key.resize(key.size() - suffix.size());
            break;
        }
    add(sim::titleText(key)), add(sim::plainText(key));
}

/// Keys that the sources of the scenarios name: every word with an underscore, and what begins a JSON pair or a parameter.
void collectKeys(const fs::path& source, const std::string& file, TextCatalog& out)
{
    static const std::regex key("[a-z][a-z0-9]*(_[a-z0-9]+)*");
    static const std::set<std::string> before{"",        "number",   "integer",   "boolean", "text",   "choice",  "fileName",
                                              "numbers", "integers", "selection", "texts",   "object", "objects", "presetChoice"};
    for (const Literal& l : literalsOf(source))
        if (std::regex_match(l.value, key) && (l.value.find('_') != std::string::npos || (l.argument == 0 && before.contains(l.callee))))
            addKey(l.value, file, out);
}

std::string quoted(const std::string& text)
{
    std::string out = "\"";
    for (const char c : text)
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else
            out += c;
    return out + '"';
}

std::string unquoted(const std::string& line)
{
    const std::size_t from = line.find('"'), to = line.rfind('"');
    std::string out;
    for (std::size_t i = from + 1; i < to; ++i)
        if (line[i] == '\\') {
            ++i;
            out += line[i] == 'n' ? '\n' : line[i] == 't' ? '\t' : line[i];
        } else {
            out += line[i];
        }
    return out;
}

} // namespace

void TextCatalog::add(const std::string& id, const std::string& many, const std::string& file)
{
    if (id.empty()) return;
    const auto [known, isNew] = m_known.emplace(std::pair(id, std::string()), entries.size());
    if (isNew) entries.push_back({id, many, {}});
    Entry& entry = entries[known->second];
    if (entry.many.empty()) entry.many = many;
    if (entry.files.empty() || entry.files.back() != file) entry.files.push_back(file);
}

std::vector<fs::path> productSources(const fs::path& root)
{
    std::vector<fs::path> out;
    for (const char* part : {"core", "simulation", "importers", "views", "app"})
        for (const auto& entry : fs::recursive_directory_iterator(root / part))
            if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h") out.push_back(entry.path());
    std::ranges::sort(out);
    return out;
}

TextCatalog collectTexts(const fs::path& root)
{
    TextCatalog out;
    for (const auto& source : productSources(root)) {
        const std::string file = fs::relative(source, root).string();
        if (file.starts_with("core/foundation/base/text.h")) continue; // says how
        const auto literals = literalsOf(source);
        if (file.starts_with("simulation/questions/") && !file.ends_with("/key_labels.cpp")) collectKeys(source, file, out);
        for (std::size_t i = 0; i < literals.size(); ++i) {
            const Literal& l = literals[i];
            const Marks marks = marksOf(l.callee);
            if (marks.id != l.argument) continue;
            std::string many;
            for (std::size_t j = i + 1; marks.many >= 0 && j < literals.size() && literals[j].bracket == l.bracket; ++j)
                if (literals[j].argument == marks.many) many = literals[j].value;
            out.add(l.value, many, file);
        }
    }
    schemaSnapshot().eachTable([&](const auto& table) {
        for (const edit::Field& field : edit::fieldsOf(kKindOf<std::decay_t<decltype(table)>>))
            out.add(std::get<std::string>(edit::fieldLabel(field).arguments().front()), "", "core/foundation/model/tables.h");
    });
    std::vector<fs::path> documents;
    for (const char* part : {"templates", "catalog", "coolants", "workloads"})
        for (const auto& entry : fs::recursive_directory_iterator(root / "resources" / part))
            if (entry.path().extension() == ".yaml") documents.push_back(entry.path());
    std::ranges::sort(documents);
    for (const auto& document : documents)
        for (const auto& node : YAML::LoadAllFromFile(document.string())) collect(node, "", fs::relative(document, root).string(), out);
    documents.clear();
    for (const auto& entry : fs::directory_iterator(root / "resources" / "scenarios"))
        if (entry.path().extension() == ".json") documents.push_back(entry.path());
    std::ranges::sort(documents);
    for (const auto& document : documents) {
        const YAML::Node scenario = YAML::LoadFile(document.string());
        const std::string file = fs::relative(document, root).string();
        if (scenario["name"]) out.add(scenario["name"].as<std::string>(), "", file);
        collect(scenario, "", file, out);
    }
    return out;
}

std::string potOf(const TextCatalog& catalog, std::string (*say)(const std::string&))
{
    std::ostringstream out;
    out << "# Texts of Hallwright. Made by HALLWRIGHT_TEXTS=write test_texts.\n"
           "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Content-Transfer-Encoding: 8bit\\n\"\n"
           "\"Plural-Forms: nplurals=2; plural=n != 1;\\n\"\n";
    for (const auto& entry : catalog.entries) {
        out << '\n';
        for (const auto& file : entry.files) out << "#: " << file << '\n';
        out << "msgid " << quoted(entry.id) << '\n';
        if (!entry.many.empty()) out << "msgid_plural " << quoted(entry.many) << '\n';
        const auto said = [&](const std::string& id) { return quoted(say ? say(id) : std::string()); };
        if (entry.many.empty())
            out << "msgstr " << said(entry.id) << '\n';
        else
            out << "msgstr[0] " << said(entry.id) << "\nmsgstr[1] " << said(entry.many) << '\n';
    }
    return out.str();
}

std::vector<std::string> idsOfPot(const fs::path& file)
{
    std::vector<std::string> out;
    std::ifstream in(file);
    std::string line, *open = nullptr;
    while (std::getline(in, line)) {
        if (line.starts_with("msgid ")) {
            out.push_back(unquoted(line));
            open = &out.back();
        } else if (line.starts_with("msgid_plural ")) {
            out.back() += '\0' + unquoted(line);
            open = &out.back();
        } else if (line.starts_with('"') && open) {
            *open += unquoted(line);
        } else {
            open = nullptr;
        }
    }
    std::erase(out, "");
    return out;
}

std::vector<std::pair<std::vector<std::string>, std::string>> translationsOf(const fs::path& file)
{
    std::vector<std::pair<std::vector<std::string>, std::string>> out;
    std::vector<std::string> ids;
    std::ifstream in(file);
    std::string line, translation, *open = nullptr;
    const auto close = [&] {
        if (!ids.empty() && !ids.front().empty()) out.emplace_back(ids, translation);
        ids.clear();
        translation.clear();
        open = nullptr;
    };
    while (std::getline(in, line)) {
        if (line.starts_with("msgid ") || line.starts_with("msgid_plural ")) {
            if (line.starts_with("msgid ")) close();
            ids.push_back(unquoted(line));
            open = &ids.back();
        } else if (line.starts_with("msgstr")) {
            translation = unquoted(line.substr(line.find(' ') + 1));
            open = &translation;
        } else if (line.starts_with('"') && open) {
            *open += unquoted(line);
        }
    }
    close();
    return out;
}

std::vector<std::string> placesOf(const std::string& text)
{
    std::vector<std::string> out;
    int next = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '{' && text.compare(at, 2, "{{") != 0) {
            const auto end = text.find('}', at);
            if (end == std::string::npos) break;
            const std::string place = text.substr(at + 1, end - at - 1), number = place.substr(0, place.find(':'));
            out.push_back('{' + (number.empty() ? std::to_string(next++) : number) + place.substr(number.size()) + '}');
            at = end;
        } else if (text[at] == '{' || text.compare(at, 2, "}}") == 0) {
            ++at;
        } else if (text[at] == '%' && at + 1 < text.size() && (std::isdigit(static_cast<unsigned char>(text[at + 1])) || text[at + 1] == 'n')) {
            out.push_back(text.substr(at, 2));
        }
    }
    std::ranges::sort(out);
    return out;
}

std::vector<std::string> builtInPlace(const fs::path& root, const fs::path& source)
{
    // Two words with a blank between them: what no key, name, unit or format of another program looks like.
    static const std::regex sentence("[A-Za-z]{2,}[,.;:]? [a-z]{2,}"), markup("</?[a-z][^>]*(>|$)|&[a-z0-9#]+;"), shader("\\bvec[234]\\b");
    // Not for people: faults of the program, SQL, log lines, words that stay.
    static const std::set<std::string> apart{
        "verbatim", "logic_error", "runtime_error", "invalid_argument", "static_assert", "assert",  "setObjectName", "setStyleSheet", "warn",
        "info",     "debug",       "error",         "Statement",        "prepare",       "execute", "exec",          "nodiscard",     "deprecated"};
    std::vector<std::string> out;
    std::ifstream in(source);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    for (const Literal& l : literalsOf(source)) {
        const Marks marks = marksOf(l.callee);
        if (marks.id == l.argument || (marks.many >= 0 && marks.many == l.argument) || apart.contains(l.callee)) continue;
        if (!std::regex_search(std::regex_replace(l.value, markup, " | "), sentence) || std::regex_search(l.value, shader)) continue;
        if (lines[std::size_t(l.line - 1)].find("// no text") != std::string::npos) continue;
        out.push_back(fs::relative(source, root).string() + ":" + std::to_string(l.line) + ": " + l.value.substr(0, 80));
    }
    return out;
}

} // namespace hw
