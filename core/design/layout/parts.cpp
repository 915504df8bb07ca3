// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/plan.h"
#include "core/physics/power/battery.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <regex>

#include <fmt/format.h>

namespace hw::layout {

Parts::Parts(DesignBuilder& builder, const Catalog& catalog, std::string where)
    : m_builder(builder), m_design(builder.design()), m_catalog(catalog), m_where(std::move(where))
{
}

const Part& Parts::find(const std::string& slug) const
{
    if (const Part* part = m_catalog.find(slug)) return *part;
    if (const auto own = m_own.find(slug); own != m_own.end()) return own->second;
    if (const auto held = m_builder.findPartType(slug))
        if (auto part = Catalog::parse(m_design.partTypes.definition[*held], slug)) return m_own.emplace(slug, std::move(*part)).first->second;
    throw mistake(m_where, i18n("part '{}' is not in the catalog", slug), i18n("add it to resources/catalog or specify another part"));
}

namespace {

template <class Spec>
const Spec& as(const Part& part, TextId kind, const std::string& where)
{
    if (const auto* spec = std::get_if<Spec>(&part.spec)) return *spec;
    throw mistake(where, i18n("'{}' is not a {}", part.slug, kind), i18n("specify a {} from the catalog", kind));
}

constexpr const char* kBatteryCabinet = "battery-cabinet-34kwh";

double circle(Millimeters diameter) { return std::numbers::pi / 4 * double(diameter.count()) * double(diameter.count()); }

} // namespace

const DeviceSpec& Parts::device(PartTypeId type) const
{
    m_devices.resize(std::max<std::size_t>(m_devices.size(), m_design.partTypes.nextId()));
    auto& known = m_devices[type.value];
    if (!known) known = &device(m_design.partTypes.slug[type]);
    return *known;
}

const DeviceSpec& Parts::device(const std::string& slug) const { return as<DeviceSpec>(find(slug), TextId("device"), m_where); }
const RackSpec& Parts::rack(const std::string& slug) const { return as<RackSpec>(find(slug), TextId("rack"), m_where); }
const CableSpec& Parts::cable(const std::string& slug) const { return as<CableSpec>(find(slug), TextId("cable"), m_where); }
const TraySpec& Parts::tray(const std::string& slug) const { return as<TraySpec>(find(slug), TextId("tray"), m_where); }

std::int16_t Parts::traysFor(double area, const std::string& slug) const
{
    constexpr double kPlannedFill = 0.25;
    const TraySpec& spec = tray(slug);
    const double one = kPlannedFill * double(spec.width.value.count()) * double(spec.height.value.count());
    return std::int16_t(std::clamp(std::ceil(area / one), 1.0, 30'000.0));
}

PartTypeId Parts::use(const std::string& slug)
{
    const auto known = m_builder.findPartType(slug);
    return known ? *known : m_builder.partType(find(slug));
}

std::string Parts::withBatteries(const std::string& ups, std::int64_t cabinets)
{
    const std::string slug = fmt::format("{}-{}-cabinets", ups, cabinets);
    if (m_own.contains(slug) || m_builder.findPartType(slug)) return slug;
    const Part& base = find(ups);
    const DeviceSpec &spec = device(ups), &cabinet = device(kBatteryCabinet);
    const std::int64_t more = cabinets - power::batteryCabinets(spec.power.battery.value);
    std::string text = base.definition;
    const auto put = [&](const std::string& pattern, const std::string& value) {
        const std::regex line("(^|\n)(" + pattern + ")[^\n]*");
        std::string out;
        std::smatch match;
        for (auto from = text.cbegin();; from = match[0].second) {
            if (!std::regex_search(from, text.cend(), match, line)) {
                out.append(from, text.cend());
                break;
            }
            out.append(from, match[0].first), out += match[1].str() + match[2].str() + value;
        }
        text = std::move(out);
    };
    const auto fact = [&](const char* key, double value, const char* unit) {
        put(std::string(key) + ": *",
            fmt::format("{{value: {:.10g}, unit: {}, source: \"{} battery cabinets of {:.1f} kWh\", confidence: C}}", value, // no text
                        unit, cabinets, double(power::kBatteryCabinet.count()) / 1e6));
    };
    put("slug: *", slug);
    put("model: *", fmt::format("\"{} with {} battery cabinets\"", base.model, cabinets)); // no text
    put("description: *",
        fmt::format("\"{} with {} battery cabinets of {:.1f} kWh\"", base.model, cabinets, double(power::kBatteryCabinet.count()) / 1e6)); // no text
    put("weight: *(?=[0-9])", fmt::format("{:.10g}", double((spec.weight.value + cabinet.weight.value * more).count()) / 1000));
    fact("width", double(spec.width.value.count() + more * cabinet.width.value.count()), "mm");
    fact("price", toCurrency(spec.price.value + cabinet.price.value * more), "USD");
    fact("  battery", double(cabinets) * double(power::kBatteryCabinet.count()) / 1e6, "kWh");
    auto part = Catalog::parse(text, slug);
    const auto* made = part ? std::get_if<DeviceSpec>(&part->spec) : nullptr;
    if (!made || made->power.battery.value.count() != cabinets * power::kBatteryCabinet.count())
        throw refusal(m_where, i18n("battery_minutes requires {} battery cabinets for '{}', whose part definition cannot be extended", cabinets, ups),
                      i18n("specify a UPS from the catalog, or one with more battery energy"));
    m_own.emplace(slug, std::move(*part));
    return slug;
}

void Parts::learnModules() const
{
    m_learned = true;
    m_design.partTypes.forEach([&](PartTypeId id) {
        if (m_design.partTypes.kind[id] == PartKind::Transceiver) {
            const auto& module = as<TransceiverSpec>(find(m_design.partTypes.slug[id]), TextId("transceiver"), m_where);
            for (const auto& slug : module.fits) {
                auto& worst = m_modules[{slug, module.rate.count()}];
                worst.typicalMw = std::max(worst.typicalMw, module.typical.value.count());
                worst.maximumMw = std::max(worst.maximumMw, module.maximum.value.count());
            }
        } else if (m_design.partTypes.kind[id] == PartKind::Cable) {
            const auto& cable = as<CableSpec>(find(m_design.partTypes.slug[id]), TextId("cable"), m_where);
            if (cable.medium != "power" && cable.medium != "coolant")
                m_cables.emplace_back(cable.stocked.empty() ? 0 : cable.stocked.back().count(), circle(cable.diameter.value));
        }
    });
    m_optics.resize(m_design.partTypes.nextId());
}

Parts::Optics Parts::opticsOf(PartTypeId type, std::uint16_t cage) const
{
    if (!m_learned) learnModules();
    auto& cages = m_optics[type.value];
    if (cages.empty())
        for (const auto& interface : device(type).interfaces) {
            const int shared = interface.perSocket(); // a twin-port module draws half for each of its interfaces
            const auto found = m_modules.find({interface.socketSlug(), interface.rate.count() * shared});
            cages.push_back(found == m_modules.end() ? Optics{} : Optics{found->second.typicalMw / shared, found->second.maximumMw / shared});
        }
    return cage < cages.size() ? cages[cage] : Optics{};
}

double Parts::cableArea(std::int32_t lengthMm) const
{
    constexpr double kPatchCord = 7.07; // mm², 3.0 mm
    if (!m_learned) learnModules();
    double thickest = 0;
    for (const auto& [longest, area] : m_cables)
        if (longest >= lengthMm) thickest = std::max(thickest, area);
    return thickest > 0 ? thickest : kPatchCord;
}

} // namespace hw::layout
