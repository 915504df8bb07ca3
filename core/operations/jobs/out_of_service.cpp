// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/jobs/out_of_service.h"

#include "core/derived/topology/design_index.h"
#include "core/operations/asbuilt/names.h"

#include <set>

namespace hw::jobs {

Result<impact::NetworkLoss> OutOfService::of(const monitoring::Frame* frame, const std::vector<std::string>& failed,
                                             const std::vector<isolation::Cordoned>& cordoned, const Progress& progress)
{
    const Snapshot& s = *m_figures->snapshot;
    std::set<DeviceId> hosts;
    std::set<LinkId> links;
    std::vector<EntityRef> elements;
    if (frame)
        for (const auto& alarm : frame->alarms) {
            if (alarm.kind != monitoring::AlarmKind::Cause || alarm.clearedMs > 0 || !alarm.element.empty()) continue;
            for (const EntityRef entity : alarm.together.empty() ? std::vector{alarm.cause} : alarm.together)
                if (impact::canFail(entity.kind)) elements.push_back(entity);
        }
    if (!elements.empty() || !failed.empty()) {
        if (!m_model) {
            const auto model = impact::Model::of(m_figures, progress);
            if (!model) return tl::unexpected(model.error());
            m_model = *model;
        }
        std::vector<impact::Failing> failing;
        for (const EntityRef entity : elements) failing.push_back({entity});
        for (const auto& name : failed) {
            const auto found = impact::findFailing(*m_model, name);
            if (!found) return fail(ErrorCode::Refused, name, found.error().what, found.error().todo);
            failing.push_back(*found);
        }
        impact::Study study(m_model);
        const impact::Effect& effect = study.lose(failing);
        for (const auto* list : {&effect.failed.devices, &effect.dark, &effect.hot, &effect.hosts})
            for (const DeviceId id : *list)
                if (m_model->host[id.value]) hosts.insert(id);
        links.insert(effect.links.begin(), effect.links.end());
    }
    if (frame)
        for (const auto& one : frame->deviations) { // links that are down without a failed device
            if (one.kind != monitoring::DeviationKind::NoConnection) continue;
            if (one.entity.kind == EntityKind::Link && s.links.contains(LinkId(one.entity.id))) links.insert(LinkId(one.entity.id));
            if (one.entity.kind == EntityKind::Port && s.ports.contains(PortId(one.entity.id)))
                if (const auto link = m_figures->get<IndexNode>().linkOf(PortId(one.entity.id))) links.insert(*link);
        }
    const auto rules = asbuilt::NameRules::of(s);
    const asbuilt::DeviceNames names(s, rules ? rules->devices : std::vector<asbuilt::NameRule>());
    for (const auto& one : cordoned)
        if (const auto id = names.find(one.node)) hosts.insert(*id);
    impact::NetworkLoss out;
    out.hosts.assign(hosts.begin(), hosts.end());
    for (const LinkId link : links)
        if (s.ports.medium[s.links.from[link]] == Medium::Data) out.links.push_back(link);
    return out;
}

} // namespace hw::jobs
