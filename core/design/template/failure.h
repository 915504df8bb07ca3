// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/template/expression.h"
#include "core/foundation/catalog/catalog.h"
#include "core/foundation/model/words.h"

namespace hw {

[[nodiscard]] TemplateFailure refusal(const std::string& where, Text what, Text todo);
[[nodiscard]] TemplateFailure mistake(const std::string& where, Text what, Text todo);
/// The failure for a slug that the catalog lacks; names the parts whose slugs come close.
[[nodiscard]] TemplateFailure noPart(const ExpressionText& slug, const Catalog& catalog);
[[nodiscard]] TemplateFailure unknownWord(const std::string& word, const std::string& where, std::span<const std::string_view> known);

/// The value of one of the words of an enum; throws naming them.
template <Worded E>
[[nodiscard]] E wordIn(const std::string& word, const std::string& where)
{
    if (const auto value = fromWord<E>(word)) return *value;
    throw unknownWord(word, where, kWords<E>);
}

/// The value of a word among fixed choices; throws naming them.
template <class E>
[[nodiscard]] E oneOf(const std::string& word, const std::string& where, std::initializer_list<std::pair<const char*, E>> choices)
{
    std::vector<std::string_view> names;
    for (const auto& [name, value] : choices) {
        if (word == name) return value;
        names.emplace_back(name);
    }
    throw unknownWord(word, where, names);
}

} // namespace hw
