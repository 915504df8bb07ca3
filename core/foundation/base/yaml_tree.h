// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hw {

struct YamlEntry;

/// One value of a YAML text with all below it; what an alias names is there again.
class YamlNode {
public:
    enum class Kind : std::uint8_t { None, Null, Scalar, Sequence, Map };

    /// None: what an operator finds that finds nothing.
    YamlNode();
    YamlNode(Kind kind, int line);

    explicit operator bool() const { return m_kind != Kind::None; }
    [[nodiscard]] bool isNull() const { return m_kind == Kind::Null; } ///< empty, `~` or `null` without quotes
    [[nodiscard]] bool isScalar() const { return m_kind == Kind::Scalar; }
    [[nodiscard]] bool isSequence() const { return m_kind == Kind::Sequence; }
    [[nodiscard]] bool isMap() const { return m_kind == Kind::Map; }
    [[nodiscard]] int line() const { return m_line; } ///< where it begins, from 1; 0 = none

    [[nodiscard]] const std::string& scalar() const { return m_scalar; }         ///< empty where it is no scalar
    [[nodiscard]] std::optional<bool> flag() const;                              ///< yes, true, on, y and their opposites
    [[nodiscard]] const std::vector<YamlNode>& items() const { return m_items; } ///< of a sequence
    [[nodiscard]] const std::vector<YamlEntry>& entries() const;                 ///< of a map, in the order of the text; keys may repeat
    [[nodiscard]] const YamlNode& operator[](std::string_view key) const;        ///< of a map: the first value under a key

private:
    friend class YamlBuilder;
    std::string m_scalar;
    std::vector<YamlNode> m_items;
    std::vector<YamlEntry> m_entries;
    int m_line = 0;
    Kind m_kind = Kind::None;
};

struct YamlEntry {
    YamlNode key, value;
};

/// Why a text is no YAML.
struct YamlProblem {
    int line = 1; ///< from 1
    std::string what;
};

/// A decimal number, nothing where a text is none.
[[nodiscard]] std::optional<double> yamlNumber(std::string_view text);

/// Reads all documents of a text. Throws YamlProblem; besides syntax for more than a million values with those that aliases repeat, and for
/// values more than 200 levels deep.
[[nodiscard]] std::vector<YamlNode> readYamlDocuments(std::string_view text);

inline YamlNode::YamlNode() = default;
inline YamlNode::YamlNode(Kind kind, int line) : m_line(line), m_kind(kind) {}
inline const std::vector<YamlEntry>& YamlNode::entries() const { return m_entries; }

} // namespace hw
