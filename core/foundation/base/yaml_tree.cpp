// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/yaml_tree.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <memory>

#include <yaml.h>

namespace hw {
namespace {

constexpr int kMostYamlNodes = 1'000'000;
constexpr int kMostYamlLevels = 200;

std::string_view viewOf(const yaml_char_t* text, std::size_t length) { return {reinterpret_cast<const char*>(text), length}; }

bool isNullText(std::string_view text) { return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL"; }

struct YamlDeleter {
    void operator()(yaml_parser_t* parser) const
    {
        yaml_parser_delete(parser);
        delete parser;
    }
    void operator()(yaml_document_t* document) const
    {
        yaml_document_delete(document);
        delete document;
    }
};

} // namespace

class YamlBuilder {
public:
    explicit YamlBuilder(yaml_document_t& document) : m_document(document) {}

    YamlNode build(int index, int level)
    {
        const yaml_node_t& from = *yaml_document_get_node(&m_document, index);
        const int line = int(from.start_mark.line) + 1;
        if (++m_nodes > kMostYamlNodes) throw YamlProblem{line, "too many values"}; // no text: beside those of the library
        if (level > kMostYamlLevels) throw YamlProblem{line, "nested too deeply"};  // no text: beside those of the library
        YamlNode node(YamlNode::Kind::Null, line);
        switch (from.type) {
        case YAML_NO_NODE: break;
        case YAML_SCALAR_NODE: {
            const auto text = viewOf(from.data.scalar.value, from.data.scalar.length);
            if (from.data.scalar.style == YAML_PLAIN_SCALAR_STYLE && isNullText(text)) break;
            node.m_kind = YamlNode::Kind::Scalar;
            node.m_scalar = text;
            break;
        }
        case YAML_SEQUENCE_NODE: {
            node.m_kind = YamlNode::Kind::Sequence;
            const auto& items = from.data.sequence.items;
            node.m_items.reserve(std::size_t(items.top - items.start));
            for (const int* item = items.start; item != items.top; ++item) node.m_items.push_back(build(*item, level + 1));
            break;
        }
        case YAML_MAPPING_NODE: {
            node.m_kind = YamlNode::Kind::Map;
            const auto& pairs = from.data.mapping.pairs;
            node.m_entries.reserve(std::size_t(pairs.top - pairs.start));
            for (const auto* pair = pairs.start; pair != pairs.top; ++pair)
                node.m_entries.push_back({build(pair->key, level + 1), build(pair->value, level + 1)});
            break;
        }
        }
        return node;
    }

private:
    yaml_document_t& m_document;
    int m_nodes = 0;
};

std::optional<bool> YamlNode::flag() const
{
    constexpr std::array<std::string_view, 4> kYes{"y", "yes", "true", "on"}, kNo{"n", "no", "false", "off"};
    std::string lower = m_scalar;
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    // All small, all capitals, or one capital at the beginning.
    const auto tail = std::string_view(m_scalar).substr(std::min<std::size_t>(1, m_scalar.size()));
    const bool small = std::ranges::all_of(tail, [](unsigned char c) { return std::islower(c); });
    const bool capitals = std::ranges::all_of(m_scalar, [](unsigned char c) { return std::isupper(c); });
    if (!small && !capitals) return std::nullopt;
    if (std::ranges::find(kYes, lower) != kYes.end()) return true;
    if (std::ranges::find(kNo, lower) != kNo.end()) return false;
    return std::nullopt;
}

std::optional<double> yamlNumber(std::string_view text)
{
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

const YamlNode& YamlNode::operator[](std::string_view key) const
{
    static const YamlNode kNone;
    const auto found = std::ranges::find(m_entries, key, [](const YamlEntry& entry) { return std::string_view(entry.key.m_scalar); });
    return found == m_entries.end() ? kNone : found->value;
}

std::vector<YamlNode> readYamlDocuments(std::string_view text)
{
    const std::unique_ptr<yaml_parser_t, YamlDeleter> parser(new yaml_parser_t{});
    if (!yaml_parser_initialize(parser.get())) throw std::bad_alloc();
    yaml_parser_set_input_string(parser.get(), reinterpret_cast<const unsigned char*>(text.data()), text.size());
    std::vector<YamlNode> documents;
    for (;;) {
        const std::unique_ptr<yaml_document_t, YamlDeleter> document(new yaml_document_t{});
        if (!yaml_parser_load(parser.get(), document.get())) {
            if (parser->error == YAML_MEMORY_ERROR) throw std::bad_alloc();
            const bool reading = parser->error == YAML_READER_ERROR; // it gives an offset alone
            const auto before = text.substr(0, reading ? parser->problem_offset : 0);
            const int line = reading ? int(std::ranges::count(before, '\n')) : int(parser->problem_mark.line);
            throw YamlProblem{line + 1, parser->problem ? parser->problem : ""};
        }
        if (!yaml_document_get_root_node(document.get())) return documents;
        documents.push_back(YamlBuilder(*document).build(1, 0));
    }
}

} // namespace hw
