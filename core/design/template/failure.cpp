// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/failure.h"

#include <algorithm>

namespace hw {

TemplateFailure refusal(const std::string& where, Text what, Text todo)
{
    return {Error{ErrorCode::Refused, where, std::move(what), std::move(todo)}};
}

TemplateFailure mistake(const std::string& where, Text what, Text todo)
{
    return {Error{ErrorCode::Unreadable, where, std::move(what), std::move(todo)}};
}

TemplateFailure noPart(const ExpressionText& slug, const Catalog& catalog)
{
    if (auto unreadable = catalog.errorOf(slug.text)) return {std::move(*unreadable)};
    std::size_t common = 4; // less in common is chance
    std::vector<std::string> close;
    for (const std::string& known : catalog.slugs()) {
        const auto same = std::size_t(std::ranges::mismatch(known, slug.text).in1 - known.begin());
        if (same > common) common = same, close.clear();
        if (same == common && close.size() < 4) close.push_back(known);
    }
    return mistake(slug.where,
                   close.empty() ? i18n("part '{}' is not in the catalog", slug.text)
                                 : i18n("part '{}' is not in the catalog; closest matches: {}", slug.text, listedNames(close)),
                   i18n("correct the name, or add the part to resources/catalog"));
}

TemplateFailure unknownWord(const std::string& word, const std::string& where, std::span<const std::string_view> known)
{
    return mistake(where, i18n("unknown keyword '{}'", word), i18n("use {}", listedNames(known)));
}

} // namespace hw
