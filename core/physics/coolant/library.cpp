// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/coolant/library.h"

#include "core/foundation/base/resources.h"
#include "core/foundation/base/yaml_keys.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::coolant {

namespace {

Polynomial polynomial(YamlKeys& fluid, const std::string& key, const std::string& unit)
{
    Polynomial out;
    if (!fluid.has(key)) return out;
    YamlKeys keys = fluid.under(key);
    if (keys.text("unit") != unit) keys.refuse("unit", i18n("must be \"{}\"", unit));
    out.source = keys.text("source");
    out.confidence = keys.confidence();
    out.logarithm = keys.flag("logarithm", false);
    out.rows = keys.rows("rows");
    keys.finish();
    return out;
}

Fluid readFluid(const std::string& slug, YamlKeys& keys)
{
    Fluid f;
    f.slug = slug, f.title = keys.text("title");
    std::tie(f.leastC, f.mostC) = keys.range("temperature_c");
    if (keys.has("fraction")) std::tie(f.leastFraction, f.mostFraction) = keys.range("fraction");
    f.referenceK = keys.number("reference_k");
    f.referenceFraction = keys.numberOr("reference_fraction", 0);
    f.density = polynomial(keys, "density", "kg/m3");
    f.specificHeat = polynomial(keys, "specific_heat", "J/(kg K)");
    f.conductivity = polynomial(keys, "conductivity", "W/(m K)");
    f.viscosity = polynomial(keys, "viscosity", "Pa s");
    if (!f.density.stated()) keys.refuse("density", i18n("missing"));
    if (!f.specificHeat.stated()) keys.refuse("specific_heat", i18n("missing"));
    return f;
}

ColdPlate readPlate(const std::string& slug, YamlKeys& keys)
{
    ColdPlate p;
    p.slug = slug, p.title = keys.text("title"), p.source = keys.text("source"), p.confidence = keys.confidence();
    p.flowLpm = keys.numbers("flow_lpm");
    p.kelvinPerWatt = keys.numbers("kelvin_per_watt");
    if (p.flowLpm.size() != p.kelvinPerWatt.size()) keys.refuse("kelvin_per_watt", i18n("must have as many numbers as flow_lpm"));
    if (p.flowLpm.front() <= 0 || !std::ranges::is_sorted(p.flowLpm, std::less_equal<>()))
        keys.refuse("flow_lpm", i18n("must be greater than 0 and in ascending order"));
    if (std::ranges::any_of(p.kelvinPerWatt, [](double r) { return r <= 0; })) keys.refuse("kelvin_per_watt", i18n("must be greater than 0"));
    return p;
}

template <class List>
auto* found(List& list, std::string_view slug)
{
    const auto at = std::ranges::find_if(list, [&](const auto& entry) { return entry.slug == slug; });
    return at == list.end() ? nullptr : &*at;
}

template <class Entry>
void put(std::vector<Entry>& list, Entry entry)
{
    if (auto* earlier = found(list, entry.slug))
        *earlier = std::move(entry);
    else
        list.push_back(std::move(entry));
}

template <class List>
Text names(const List& list)
{
    std::vector<std::string> out;
    for (const auto& entry : list) out.push_back(entry.slug);
    return listedNames(out);
}

} // namespace

const Fluid* Library::fluid(std::string_view slug) const { return found(m_fluids, slug); }
const ColdPlate* Library::coldPlate(std::string_view slug) const { return found(m_plates, slug); }

void Library::read(YamlKeys& all)
{
    all.entries("fluids", [&](const std::string& slug, YamlKeys& keys) { put(m_fluids, readFluid(slug, keys)); });
    all.entries("coolants", [&](const std::string& slug, YamlKeys& keys) {
        Named named{slug, keys.text("title"), keys.text("fluid"), keys.numberOr("fraction", 0)};
        if (const auto made = mixture(named.fluid, named.fraction); !made) keys.refuse("fluid", made.error().what);
        put(m_coolants, std::move(named));
    });
    all.entries("cold_plates", [&](const std::string& slug, YamlKeys& keys) { put(m_plates, readPlate(slug, keys)); });
}

Result<void> Library::add(const std::string& yaml, const std::string& file)
{
    Library next = *this;
    if (auto done = readYaml(yaml, file, [&](YamlKeys& all) { next.read(all); }); !done) return done;
    *this = std::move(next);
    return {};
}

Result<void> Library::addFile(const std::filesystem::path& file)
{
    Library next = *this;
    if (auto done = readYamlFile(file, i18n("specify a coolant file"), [&](YamlKeys& all) { next.read(all); }); !done) return done;
    *this = std::move(next);
    return {};
}

Result<Coolant> Library::coolant(std::string_view slug) const
{
    const Named* named = found(m_coolants, slug);
    if (!named) return fail(ErrorCode::Refused, std::string(slug), i18n("unknown coolant"), i18n("use one of {}", names(m_coolants)));
    return mixture(named->fluid, named->fraction);
}

Result<Coolant> Library::mixture(std::string_view slug, double fraction) const
{
    const Fluid* f = fluid(slug);
    if (!f) return fail(ErrorCode::Refused, std::string(slug), i18n("unknown fluid"), i18n("use one of {}", names(m_fluids)));
    return Coolant::of(*f, fraction);
}

const Result<Library>& shippedLibrary()
{
    static const Result<Library> library = []() -> Result<Library> {
        Library out;
        if (const auto read = out.addFile(resourceFolder() / "coolants" / "coolants.yaml"); !read) return tl::unexpected(read.error());
        return out;
    }();
    return library;
}

Result<Properties> shippedProperties(std::string_view slug, double celsius)
{
    const auto& library = shippedLibrary();
    if (!library) return tl::unexpected(library.error());
    const auto found = library->coolant(slug);
    if (!found) return tl::unexpected(found.error());
    return found->at(celsius);
}

} // namespace hw::coolant
