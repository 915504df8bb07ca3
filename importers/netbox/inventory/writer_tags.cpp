// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/model/tags.h"
#include "importers/netbox/inventory/design_writer.h"
#include "importers/netbox/inventory/values.h"

namespace hw::importers::netbox_in {

namespace {

constexpr const char* kExportTag = "hallwright"; ///< that an export puts on everything; importers/netbox_export

} // namespace

void DesignWriter::addTags()
{
    std::map<std::string, ObjectTag> all; // by slug
    for (ObjectTag& tag : objectTags(m_s)) all.emplace(tag.slug, std::move(tag));
    const auto known = [&](const TagName& tag) { // names of lists are not their slugs
        TagName whole = tag;
        for (const TagName& one : m.tags)
            if (lower(one.slug) == lower(tag.slug.empty() ? tag.name : tag.slug) || (tag.slug.empty() && lower(one.name) == lower(tag.name))) {
                whole = one;
                break;
            }
        if (whole.slug.empty()) whole.slug = slugOf(whole.name);
        if (whole.name.empty()) whole.name = whole.slug;
        return whole;
    };
    std::set<std::string> slugs;
    std::size_t on = 0, lost = 0;
    const auto put = [&](EntityRef entity, const Tagged& object) {
        if (entity && entity.id < m_before[entity.kind]) return;
        std::size_t own = 0;
        for (const TagName& given : object.tags) {
            const TagName tag = known(given);
            if (tag.slug == kExportTag) continue; // says that an export made it, and not what it is
            ++own;
            if (!entity) continue;
            ObjectTag& to = all[tag.slug];
            if (to.slug.empty()) to = {tag.slug, tag.name, tag.color, {}};
            to.on.insert(entity), slugs.insert(tag.slug);
        }
        if (own > 0) ++(entity ? on : lost);
    };
    const auto deviceRef = [&](std::optional<DeviceId> id) { return id ? ref(*id) : EntityRef(); };
    std::map<std::string, DeviceId> devices = m_known;
    for (std::size_t i = 0; i < m.devices.size(); ++i)
        if (m_written[i].id) devices.emplace(m_names[i], *m_written[i].id);
    const auto named = [&](const std::string& name) {
        const auto found = devices.find(name);
        return deviceRef(found == devices.end() ? std::nullopt : std::optional(found->second));
    };
    for (std::size_t i = 0; i < m.sites.size(); ++i) put(m_places.siteEntity(i), m.sites[i]);
    for (std::size_t i = 0; i < m.locations.size(); ++i) put(m_places.locationEntity(i), m.locations[i]);
    for (std::size_t i = 0; i < m.racks.size(); ++i) put(m_places.rack(i) ? ref(*m_places.rack(i)) : EntityRef(), m.racks[i]);
    for (std::size_t i = 0; i < m.devices.size(); ++i) put(deviceRef(m_written[i].id), m.devices[i]);
    for (const PowerPanel& panel : m.panels) put(named(panel.name), panel);
    for (std::size_t i = 0; i < m.feeds.size(); ++i) put(feedEntity(i), m.feeds[i]);
    for (const CoolingSource& source : m.coolingSources) put(named(source.name), source);
    for (std::size_t i = 0; i < m.cables.size(); ++i) {
        const auto cable = m_cables.find(i);
        put(cable == m_cables.end() ? EntityRef() : ref(cable->second), m.cables[i]);
    }
    for (const auto& slug : slugs) putObjectTag(m_s, all[slug]);
    if (on > 0) m.facts.push_back(i18np(on, "tags of {:L} object", "tags of {:L} objects"));
    if (lost > 0)
        m.facts.push_back(
            i18np(lost, "tags of {:L} object that is not in the design: not kept", "tags of {:L} objects that are not in the design: not kept"));
}

EntityRef DesignWriter::feedEntity(std::size_t i)
{
    if (!m_feeds[i]) return {};
    if (m_s.devices.name[m_feeds[i]->id] != m.panels[m.feeds[i].ofPanel].name) return ref(m_feeds[i]->id);
    const auto port = portAt(m_feeds[i]->id, m_feeds[i]->cage, 0);
    if (!port || !isUsed(*port)) return {};
    return ref(m_used[*port]);
}

} // namespace hw::importers::netbox_in
