// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/power/one_line_findings.h"

#include <algorithm>
#include <map>

namespace hw::views {

namespace {

std::pair<bool, Severity> gravity(const Finding& finding) { return {finding.waived, finding.severity}; }

} // namespace

const Finding* OneLineFindings::worst(const std::vector<std::uint32_t>& elements) const
{
    const Finding* found = nullptr;
    if (of.empty()) return found;
    for (const std::uint32_t element : elements)
        for (const std::uint32_t i : of[element])
            if (const Finding& one = check->findings[i]; !found || gravity(one) < gravity(*found)) found = &one;
    return found;
}

std::shared_ptr<const OneLineFindings> findingsOf(const OneLine& line, std::shared_ptr<const CheckResult> check)
{
    auto out = std::make_shared<OneLineFindings>();
    if (!check) return out;
    out->check = std::move(check);
    const Snapshot& s = *line.snapshot;
    std::map<EntityRef, std::uint32_t> places;
    for (std::uint32_t i = 0; i < line.elements.size(); ++i) places.emplace(line.elements[i].entity, i);
    const auto elementOf = [&](EntityRef entity) {
        auto at = places.find(entity);
        if (at == places.end() && entity.kind == EntityKind::Device && s.devices.contains(DeviceId(entity.id)))
            if (const auto rack = s.devices.rack[DeviceId(entity.id)]) at = places.find(ref(*rack));
        return at == places.end() ? OneLine::kNone : at->second;
    };
    const char letter = line.cooling() ? 'C' : 'P';
    for (std::uint32_t f = 0; f < out->check->findings.size(); ++f) {
        const Finding& finding = out->check->findings[f];
        if (finding.severity == Severity::Info || !finding.rule.starts_with(letter)) continue;
        bool shown = false;
        for (const EntityRef entity : finding.entities) {
            const std::uint32_t element = elementOf(entity);
            if (element == OneLine::kNone) continue;
            shown = true;
            if (out->of.empty()) out->of.resize(line.elements.size());
            if (auto& list = out->of[element]; list.empty() || list.back() != f) list.push_back(f);
        }
        if (!shown) out->elsewhere.push_back(f);
    }
    for (auto& list : out->of) std::ranges::stable_sort(list, {}, [&](std::uint32_t f) { return gravity(out->check->findings[f]); });
    return out;
}

} // namespace hw::views
