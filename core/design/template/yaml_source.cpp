// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/yaml_source.h"

#include "core/design/template/expression.h"
#include "core/foundation/base/resources.h"
#include "core/foundation/base/spelling.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include <fmt/format.h>

namespace hw {

namespace {

constexpr int kMostGenerations = 8;
constexpr int kMostTemplateNodes = 1'000'000;
constexpr std::string_view kFileTag = "!file:"; ///< on nodes of files that were extended, so that errors name their place

[[noreturn]] void refuse(const std::string& where, Text what, Text todo)
{
    throw TemplateFailure{Error{ErrorCode::Unreadable, where, std::move(what), std::move(todo)}};
}

std::string place(const YAML::Node& node, const std::string& file, const std::string& key)
{
    return fmt::format("{}:{}: {}", file, node.Mark().line + 1, key);
}

/// Calls visit(node) for a node and all below it; refuses what has no end (an alias of itself).
template <class F>
void eachNode(const YAML::Node& root, const std::string& where, F&& visit)
{
    std::vector<YAML::Node> pending{root};
    for (int visited = 0; !pending.empty(); ++visited) {
        if (visited > kMostTemplateNodes) refuse(where, i18n("the file has too many entries"), i18n("remove nested aliases"));
        YAML::Node node = pending.back();
        pending.pop_back();
        visit(node);
        if (node.IsSequence())
            for (auto entry : node) pending.push_back(entry);
        if (node.IsMap())
            for (auto entry : node) pending.push_back(entry.first), pending.push_back(entry.second);
    }
}

/// How many brackets a text opens and does not close.
int open(const std::string& text) { return int(std::count(text.begin(), text.end(), '(')) - int(std::count(text.begin(), text.end(), ')')); }

/// Within {…} and […] a comma ends a text that stands without quotes: `{x: div(a, b)}` is read as `x: div(a` and a key `b)`. A text that
/// is cut so opens a bracket that it does not close.
void refuseLooseCommas(const YAML::Node& node, const std::string& file)
{
    if (node.Style() != YAML::EmitterStyle::Flow || !(node.IsMap() || node.IsSequence())) return;
    std::vector<YAML::Node> texts; // as they stand there
    for (const auto& entry : node) {
        texts.push_back(node.IsMap() ? entry.first : YAML::Node(entry));
        if (node.IsMap() && entry.second.IsScalar()) texts.push_back(entry.second);
    }
    const auto plain = [](const YAML::Node& text) { return text.IsScalar() && text.Tag() == "?"; }; // yaml-cpp's mark of a text without quotes
    for (std::size_t i = 0; i + 1 < texts.size(); ++i) {
        if (!plain(texts[i]) || open(texts[i].Scalar()) <= 0) continue;
        std::string whole = texts[i].Scalar();
        for (std::size_t k = i + 1; k < texts.size() && open(whole) > 0 && texts[k].IsScalar(); ++k) whole += ", " + texts[k].Scalar();
        const char* const where = node.IsMap() ? "{…}" : "[…]";
        refuse(place(texts[i], file, texts[i].Scalar()), i18n("an unquoted comma in {} ends the text '{}'", where, texts[i].Scalar()),
               i18n("quote the entire text: \"{}\"", whole));
    }
}

YAML::Node parse(const std::string& yaml, const std::string& where)
{
    try {
        YAML::Node root = YAML::Load(yaml);
        if (!root.IsMap()) refuse(where, i18n("is not a template"), i18n("start with 'template: NAME'"));
        eachNode(root, where, [&](YAML::Node& node) { refuseLooseCommas(node, where); });
        return root;
    } catch (const YAML::Exception& e) {
        refuse(fmt::format("{}:{}", where, e.mark.line + 1), i18n("invalid YAML: {}", e.msg), i18n("correct the syntax"));
    }
}

/// Marks the nodes that no older file marked.
void markFile(const YAML::Node& root, const std::string& file)
{
    eachNode(root, file, [&](YAML::Node& node) {
        if (!node.Tag().starts_with(kFileTag)) node.SetTag(std::string(kFileTag) + file);
    });
}

/// Puts the entries of `over` into `base`: mappings key by key, everything else whole.
void overlay(YAML::Node base, const YAML::Node& over, const std::string& file, const std::string& path)
{
    const YAML::Node& known = base;
    for (const auto& entry : over) {
        std::string key = entry.first.Scalar();
        const bool append = key.ends_with('+');
        if (append) key.pop_back();
        const YAML::Node value = entry.second;
        const YAML::Node old = known[key];
        const std::string where = path.empty() ? key : path + "." + key;
        if (value.IsNull()) {
            if (!old.IsDefined()) refuse(place(entry.first, file, where), i18n("no such entry to remove"), i18n("correct the name"));
            base.remove(key);
        } else if (append && old.IsDefined()) {
            if (!old.IsSequence() || !value.IsSequence())
                refuse(place(entry.first, file, where), i18n("'+' can only append a list to a list"), i18n("use [a, b, …], or omit the '+'"));
            YAML::Node list = old;
            for (const auto& element : value) list.push_back(element);
        } else if (old.IsDefined() && old.IsMap() && value.IsMap()) {
            overlay(old, value, file, where);
        } else {
            base[key] = value;
        }
    }
}

void emit(YAML::Emitter& out, const YAML::Node& node)
{
    switch (node.Type()) {
    case YAML::NodeType::Undefined: break;
    case YAML::NodeType::Null: out << YAML::Null; break;
    case YAML::NodeType::Scalar: out << node.Scalar(); break;
    case YAML::NodeType::Sequence:
        out << (node.Style() == YAML::EmitterStyle::Flow ? YAML::Flow : YAML::Block) << YAML::BeginSeq;
        for (const auto& entry : node) emit(out, entry);
        out << YAML::EndSeq;
        break;
    case YAML::NodeType::Map:
        out << (node.Style() == YAML::EmitterStyle::Flow ? YAML::Flow : YAML::Block) << YAML::BeginMap;
        for (const auto& entry : node) {
            out << YAML::Key;
            emit(out, entry.first);
            out << YAML::Value;
            emit(out, entry.second);
        }
        out << YAML::EndMap;
        break;
    }
}

/// Where the template that another one extends is found.
std::filesystem::path baseFile(const YAML::Node& name, const std::string& where, const std::filesystem::path& folder)
{
    const std::string at = place(name, where, "extends");
    const bool plain = name.IsScalar() && !name.Scalar().empty() && name.Scalar().find_first_of("/\\") == std::string::npos;
    if (!plain) refuse(at, i18n("must be a template name"), i18n("use the name only: 'extends: hpn'"));
    const std::string file = name.Scalar() + ".yaml";
    const auto found = inEitherSpelling(name.Scalar(), [&](std::string_view one) {
        std::optional<std::filesystem::path> existing;
        for (const auto& place : {folder, resourceFolder() / "templates"}) {
            std::error_code error;
            const auto path = place / (std::string(one) + ".yaml");
            if (!existing && !place.empty() && std::filesystem::is_regular_file(path, error)) existing = path;
        }
        return existing;
    });
    if (found) return *found;
    refuse(at, i18n("template '{}' not found", name.Scalar()), i18n("place {} next to this file, or use a shipped template", file));
}

std::string contentsOf(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) refuse(file.string(), i18n("cannot be read"), i18n("check its permissions"));
    return text.str();
}

YAML::Node merged(const std::string& yaml, const std::string& where, const std::filesystem::path& folder, int generation)
{
    YAML::Node root = parse(yaml, where);
    const YAML::Node& known = root;
    const YAML::Node name = known["extends"];
    if (!name.IsDefined()) return root;
    if (generation > kMostGenerations)
        refuse(place(name, where, "extends"), i18n("circular 'extends' references between templates"), i18n("remove the circular reference"));
    const auto file = baseFile(name, where, folder);
    const std::string label = file.filename().string();
    YAML::Node base = merged(contentsOf(file), label, file.parent_path(), generation + 1);
    if (!known["template"].IsDefined()) refuse(where + ": template", i18n("name is missing"), i18n("start with 'template: NAME'"));
    markFile(base, label);
    root.remove("extends");
    overlay(base, root, where, "");
    return base;
}

} // namespace

YamlSource readYaml(const std::string& yaml, const std::string& where, const std::filesystem::path& folder)
{
    YamlSource source{merged(yaml, where, folder, 1), yaml};
    if (fileOf(source.root).empty()) return source;
    YAML::Emitter out;
    emit(out, source.root);
    source.text = out.c_str() + std::string("\n");
    return source;
}

std::string fileOf(const YAML::Node& node)
{
    const std::string& tag = node.Tag();
    return tag.starts_with(kFileTag) ? tag.substr(kFileTag.size()) : std::string();
}

} // namespace hw
