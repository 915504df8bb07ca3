// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hw::bindings {

/// Of keys that are looked up by views.
struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

/// What stood for the {names} of the patterns that fitted; views into what was matched.
using Captures = std::vector<std::pair<std::string_view, std::string_view>>;

/// A text in which `*` stands for any text, also none, and `{name}` for some text, of the shortest that fits; a name that comes again stands
/// for the same.
class Pattern {
public:
    /// Error: Refused, for a brace that does not close, an empty or a broken name.
    [[nodiscard]] static Result<Pattern> of(std::string_view text);

    /// Adds what stood for its names; of one that does not fit nothing. `slashes`: whether {name} may reach over a "/".
    [[nodiscard]] bool matches(std::string_view text, Captures& captures, bool slashes) const;
    [[nodiscard]] bool literal() const { return m_parts.size() == 1 && m_parts[0].kind == Part::Kind::Text; }
    [[nodiscard]] bool empty() const { return m_parts.empty(); }
    [[nodiscard]] std::vector<std::string> names() const;

private:
    struct Part {
        enum class Kind { Text, Any, Name } kind = Kind::Text;
        std::string text; ///< or the name
    };
    [[nodiscard]] bool fits(std::size_t part, std::string_view text, Captures& captures, bool slashes) const;
    std::vector<Part> m_parts;
};

/// A text with {names} to be filled in.
class Template {
public:
    /// Error: Refused, for braces that do not close and a name that is not among `known`.
    [[nodiscard]] static Result<Template> of(std::string_view text, const std::vector<std::string>& known);
    [[nodiscard]] bool empty() const { return m_parts.empty(); }
    [[nodiscard]] bool fixed() const; ///< no name in it
    void fill(const Captures& captures, std::string& out) const;

private:
    std::vector<std::pair<bool, std::string>> m_parts; ///< true: a name
};

} // namespace hw::bindings
