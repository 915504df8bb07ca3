// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/yaml_reader.h"

namespace hw {

Result<std::shared_ptr<const ProjectParts>> ProjectParts::of(const PartTypes& table)
{
    auto result = std::make_shared<ProjectParts>();
    result->m_parts.resize(table.nextId());
    for (const auto id : table.ids()) {
        const auto where = words(i18n("part type {}", table.slug[id]));
        auto part = catalog::parsedOnce(table.definition[id], catalog::Source{where, {}, -1, nullptr});
        if (!part) return tl::unexpected(part.error());
        if ((*part)->slug != table.slug[id] || kindOf(**part) != table.kind[id])
            return fail(ErrorCode::Unreadable, where, i18n("definition belongs to another part"), i18n("the file is damaged"));
        result->m_parts[id.value] = std::move(*part);
    }
    return std::shared_ptr<const ProjectParts>(std::move(result));
}

std::optional<PartTypeId> ProjectParts::find(const std::string& slug) const
{
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        if (m_parts[i] && m_parts[i]->slug == slug) return PartTypeId(std::uint32_t(i));
    return std::nullopt;
}

} // namespace hw
