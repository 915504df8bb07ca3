// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/part_names.h"

#include "core/design/template/spec.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace hw::sizing {

namespace {

/// "HGX H100 " → "hgxh100": what people remember of a name.
std::string letters(const std::string& text)
{
    std::string result;
    for (const char c : text)
        if (std::isalnum(static_cast<unsigned char>(c))) result += char(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

bool isServerTier(const SetSpec& tier) { return tier.field("kind") && tier.field("kind")->text == "server"; }
bool isSwitchTier(const SetSpec& tier) { return !tier.field("kind") || tier.field("kind")->text == "switch"; }

/// Names of the devices that tiers of templates use: slug, model, and the choices that pick them.
std::multimap<std::string, std::string> namesOf(bool server, const std::vector<Template>& templates, const Catalog& catalog)
{
    std::multimap<std::string, std::string> names;
    const auto add = [&](const std::string& name, const std::string& slug) {
        const auto [first, last] = names.equal_range(letters(name));
        if (std::none_of(first, last, [&](const auto& entry) { return entry.second == slug; })) names.emplace(letters(name), slug);
    };
    for (const auto& design : templates)
        for (const auto& tier : design.spec().tiers) {
            if (server ? !isServerTier(tier) : !isSwitchTier(tier)) continue;
            for (std::size_t i = 0; i < tier.types.size(); ++i) {
                const auto& slug = tier.types[i].text;
                add(slug, slug);
                if (const Part* part = catalog.find(slug)) add(part->model, slug);
                for (const auto& p : design.parameters())
                    if (tier.field("type_index") && tier.field("type_index")->text == p.name && i < p.choices.size()) add(p.choices[i], slug);
            }
        }
    return names;
}

} // namespace

Result<std::string> deviceByName(const std::string& name, bool server, const std::vector<Template>& templates, const Catalog& catalog)
{
    if (const Part* part = catalog.find(name); part && std::holds_alternative<DeviceSpec>(part->spec)) return name;
    const auto names = namesOf(server, templates, catalog);
    const std::string wanted = letters(name);
    std::set<std::string> exact, within;
    for (const auto& [known, slug] : names) {
        if (known == wanted) exact.insert(slug);
        if (!wanted.empty() && known.find(wanted) != known.npos) within.insert(slug);
    }
    const auto& found = exact.empty() ? within : exact;
    if (found.size() == 1) return *found.begin();
    if (found.size() > 1)
        return fail(ErrorCode::Usage, name, i18n("several parts have this name: {}", listedNames(found)), i18n("specify one of them"));
    std::set<std::string> all;
    for (const auto& [known, slug] : names) all.insert(slug);
    return fail(ErrorCode::Usage, name, server ? i18n("no server in the templates has this name") : i18n("no switch in the templates has this name"),
                i18n("specify one of {}", listedNames(all)));
}

} // namespace hw::sizing
