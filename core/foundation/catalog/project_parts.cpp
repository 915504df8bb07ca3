// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/catalog.h"

#include <array>
#include <mutex>
#include <unordered_map>

namespace hw {
namespace {

constexpr std::size_t kLatelyParsed = 256; ///< parts that a large project has; some hundred KB

/// Definitions that are in use somewhere in the process, so that a project's parts are parsed once
/// however often figures are made again. Any thread; entries die with their last user, unless they were parsed lately: layouts that are tried one
/// after the other have the same parts.
Result<std::shared_ptr<const Part>> parsedOnce(const std::string& definition, const std::string& where)
{
    static std::mutex mutex;
    static std::unordered_map<std::string, std::weak_ptr<const Part>> parsed;
    static std::array<std::shared_ptr<const Part>, kLatelyParsed> lately;
    static std::size_t next = 0;
    {
        const std::scoped_lock lock(mutex);
        if (const auto it = parsed.find(definition); it != parsed.end())
            if (auto part = it->second.lock()) return part;
    }
    auto part = Catalog::parse(definition, where);
    if (!part) return tl::unexpected(part.error());
    auto shared = std::make_shared<const Part>(std::move(*part));
    const std::scoped_lock lock(mutex);
    std::erase_if(parsed, [](const auto& entry) { return entry.second.expired(); });
    parsed[definition] = shared;
    lately[next++ % kLatelyParsed] = shared;
    return shared;
}

} // namespace

Result<std::shared_ptr<const ProjectParts>> ProjectParts::of(const PartTypes& table)
{
    auto result = std::make_shared<ProjectParts>();
    result->m_parts.resize(table.nextId());
    for (const auto id : table.ids()) {
        const auto where = words(i18n("part type {}", table.slug[id]));
        auto part = parsedOnce(table.definition[id], where);
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
