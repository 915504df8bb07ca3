// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/generator.h"
#include "core/template/layout_plan.h"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

namespace hw::layout {

Parts::Parts(Snapshot& design, const Catalogue& catalogue, std::string where) : m_design(design), m_catalogue(catalogue), m_where(std::move(where)) {}

const Part& Parts::find(const std::string& slug) const
{
    if (const Part* part = m_catalogue.find(slug)) return *part;
    throw mistake(m_where, fmt::format("the catalogue has no part '{}'", slug), "add it to resources/catalogue or name another part");
}

namespace {

template <class Spec>
const Spec& as(const Part& part, const char* kind, const std::string& where)
{
    if (const auto* spec = std::get_if<Spec>(&part.spec)) return *spec;
    throw mistake(where, fmt::format("'{}' is not a {}", part.slug, kind), fmt::format("name a {} of the catalogue", kind));
}

double circle(Millimetres diameter) { return std::numbers::pi / 4 * double(diameter.count()) * double(diameter.count()); }

} // namespace

const DeviceSpec& Parts::device(PartTypeId type) const
{
    m_devices.resize(std::max<std::size_t>(m_devices.size(), m_design.partTypes.nextId()));
    auto& known = m_devices[type.value];
    if (!known) known = &device(m_design.partTypes.slug[type]);
    return *known;
}

const DeviceSpec& Parts::device(const std::string& slug) const { return as<DeviceSpec>(find(slug), "device", m_where); }
const RackSpec& Parts::rack(const std::string& slug) const { return as<RackSpec>(find(slug), "rack", m_where); }
const TraySpec& Parts::tray(const std::string& slug) const { return as<TraySpec>(find(slug), "tray", m_where); }

PartTypeId Parts::use(const std::string& slug)
{
    auto& table = m_design.partTypes;
    Maybe<PartTypeId> found;
    table.forEach([&](PartTypeId id) { if (table.slug[id] == slug) found = id; });
    if (found) return *found;
    const Part& part = find(slug);
    const PartTypeId id = table.insert();
    table.slug.set(id, part.slug);
    table.kind.set(id, kindOf(part));
    table.definition.set(id, part.definition);
    return id;
}

void Parts::offerModulesAndCables()
{
    bool stated = false;
    std::set<std::string> cages, connectors;
    m_design.partTypes.forEach([&](PartTypeId id) {
        const PartKind kind = m_design.partTypes.kind[id];
        stated = stated || kind == PartKind::Transceiver || kind == PartKind::Cable;
        if (kind != PartKind::Device) return;
        for (const auto& interface : device(id).interfaces)
            if (!interface.management) cages.insert(interface.slug);
    });
    if (stated) return;
    for (const auto& [slug, part] : m_catalogue.parts()) {
        const auto* module = std::get_if<TransceiverSpec>(&part->spec);
        if (!module || std::ranges::none_of(module->fits, [&](const auto& fit) { return cages.contains(fit); })) continue;
        (void)use(slug);
        connectors.insert(module->connector);
    }
    for (const auto& [slug, part] : m_catalogue.parts())
        if (const auto* cable = std::get_if<CableSpec>(&part->spec); cable && connectors.contains(cable->connector)) (void)use(slug);
}

void Parts::learnModules() const
{
    m_learnt = true;
    m_design.partTypes.forEach([&](PartTypeId id) {
        if (m_design.partTypes.kind[id] == PartKind::Transceiver) {
            const auto& module = as<TransceiverSpec>(find(m_design.partTypes.slug[id]), "transceiver", m_where);
            for (const auto& slug : module.fits) {
                auto& worst = m_modules[{slug, module.rate.count()}];
                worst.typicalMw = std::max(worst.typicalMw, module.typical.value.count());
                worst.maximumMw = std::max(worst.maximumMw, module.maximum.value.count());
            }
        } else if (m_design.partTypes.kind[id] == PartKind::Cable) {
            const auto& cable = as<CableSpec>(find(m_design.partTypes.slug[id]), "cable", m_where);
            if (cable.medium != "power") m_cables.emplace_back(cable.stocked.empty() ? 0 : cable.stocked.back().count(), circle(cable.diameter.value));
        }
    });
    m_optics.resize(m_design.partTypes.nextId());
}

Parts::Optics Parts::opticsOf(PartTypeId type, std::uint16_t cage) const
{
    if (!m_learnt) learnModules();
    auto& cages = m_optics[type.value];
    if (cages.empty())
        for (const auto& interface : device(type).interfaces) {
            const auto found = m_modules.find({interface.slug, interface.rate.count()});
            cages.push_back(found == m_modules.end() ? Optics{} : found->second);
        }
    return cage < cages.size() ? cages[cage] : Optics{};
}

double Parts::cableArea(std::int32_t lengthMm) const
{
    constexpr double kPatchCord = 7.07; // mm², 3.0 mm
    if (!m_learnt) learnModules();
    double thickest = 0;
    for (const auto& [longest, area] : m_cables)
        if (longest >= lengthMm) thickest = std::max(thickest, area);
    return thickest > 0 ? thickest : kPatchCord;
}

} // namespace hw::layout
