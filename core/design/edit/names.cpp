// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/edits.h"

#include "core/design/edit/lookup.h"
#include "core/design/edit/near_names.h"

#include <algorithm>

namespace hw::edit {

std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit)
{
    if (a.size() > b.size() + limit || b.size() > a.size() + limit) return limit + 1;
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        std::size_t least = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t keep = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({keep, row[j] + 1, row[j - 1] + 1});
            least = std::min(least, row[j]);
        }
        if (least > limit) return limit + 1;
    }
    return row[b.size()];
}

namespace {

std::vector<std::string> nearestNames(const Snapshot& s, std::string_view wanted)
{
    struct Near {
        std::size_t distance;
        std::string name;
    };
    std::vector<Near> found;
    const std::size_t limit = std::max<std::size_t>(2, wanted.size() / 3);
    s.eachTable([&](const auto& table) {
        if constexpr (requires {
                          table.name;
                          table.overridden;
                      })
            table.forEach([&](auto id) {
                const std::size_t d = editDistance(wanted, table.name[id], limit);
                if (d <= limit) found.push_back({d, table.name[id]});
            });
    });
    const auto count = std::min<std::size_t>(found.size(), 3);
    std::partial_sort(found.begin(), found.begin() + std::ptrdiff_t(count), found.end(),
                      [](const Near& a, const Near& b) { return std::tie(a.distance, a.name) < std::tie(b.distance, b.name); });
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) names.push_back(found[i].name);
    if (!names.empty()) return names;
    std::string parts(wanted); // nothing is spelled like it: what contains its words?
    std::replace(parts.begin(), parts.end(), '-', ' ');
    for (const EntityRef e : searchEntities(s, parts, 3)) names.push_back(entityName(s, ProjectParts(), e));
    return names;
}

/// The first ports of a device whose name stands before the colon, if there is such a device.
std::optional<Text> portsOf(const Snapshot& s, const ProjectParts& parts, std::string_view name)
{
    const auto colon = name.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto device = findEntity(s, parts, name.substr(0, colon));
    if (!device || device->kind != EntityKind::Device) return std::nullopt;
    std::vector<std::string> names;
    s.ports.forEach([&](PortId id) {
        if (s.ports.device[id] == DeviceId(device->id) && names.size() < 3) names.push_back(portName(s, parts, id));
    });
    return names.empty() ? i18n("the device has no ports") : i18n("available ports: {} …", listedNames(names));
}

} // namespace

Result<EntityRef> requireEntity(const Snapshot& snapshot, const ProjectParts& parts, std::string_view name, Lookup* lookup)
{
    if (const auto found = lookup ? lookup->find(parts, name) : findEntity(snapshot, parts, name)) return *found;
    if (const auto ports = portsOf(snapshot, parts, name)) return fail(ErrorCode::Refused, std::string(name), i18n("unknown port"), *ports);
    const auto near = nearestNames(snapshot, name.substr(0, name.find(':')));
    return fail(ErrorCode::Refused, std::string(name), i18n("name not found"),
                near.empty() ? i18n("see `report` or `cables` for names") : i18n("nearest: {}", listedNames(near)));
}

} // namespace hw::edit
