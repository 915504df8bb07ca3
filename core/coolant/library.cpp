// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/coolant/library.h"

#include "core/base/resources.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace hw::coolant {

namespace {

struct Failure {
    Error error;
};

/// One map of the file; every key must be asked for.
class Keys {
public:
    Keys(std::string file, std::string path, YAML::Node node) : m_file(std::move(file)), m_path(std::move(path)), m_node(std::move(node))
    {
        if (!m_node.IsMap()) refuse("", i18n("must be a map"));
    }

    [[noreturn]] void refuse(const std::string& key, const Text& what) const
    {
        const YAML::Node at = !key.empty() && m_node.IsMap() && m_node[key].IsDefined() ? m_node[key] : m_node;
        const std::string path = m_path.empty() ? key : key.empty() ? m_path : m_path + "." + key;
        throw Failure{{ErrorCode::Unreadable, fmt::format("{}:{}: {}", m_file, at.Mark().line + 1, path), what, i18n("correct the file")}};
    }

    bool has(const std::string& key) { return m_asked.push_back(key), m_node[key].IsDefined(); }

    std::string text(const std::string& key)
    {
        if (!has(key) || !m_node[key].IsScalar() || m_node[key].Scalar().empty()) refuse(key, i18n("must be a text"));
        return m_node[key].Scalar();
    }
    double number(const std::string& key) { return has(key) ? number(key, m_node[key]) : (refuse(key, i18n("is missing")), 0); }
    double number(const std::string& key, double fallback) { return has(key) ? number(key, m_node[key]) : fallback; }
    std::vector<double> numbers(const std::string& key)
    {
        if (!has(key)) refuse(key, i18n("is missing"));
        return numbers(key, m_node[key]);
    }
    std::pair<double, double> range(const std::string& key)
    {
        const auto both = numbers(key);
        if (both.size() != 2 || !(both[0] < both[1])) refuse(key, i18n("must be two numbers, the smaller first"));
        return {both[0], both[1]};
    }
    std::vector<std::vector<double>> rows(const std::string& key)
    {
        if (!has(key) || !m_node[key].IsSequence() || m_node[key].size() == 0) refuse(key, i18n("must be a list of rows"));
        std::vector<std::vector<double>> out;
        for (const auto& row : m_node[key]) out.push_back(numbers(key, row));
        return out;
    }
    bool flag(const std::string& key)
    {
        bool value = false;
        if (has(key) && !YAML::convert<bool>::decode(m_node[key], value)) refuse(key, i18n("must be true or false"));
        return value;
    }
    char confidence()
    {
        const std::string said = text("confidence");
        if (said.size() != 1 || said[0] < 'A' || said[0] > 'D') refuse("confidence", i18n("must be A, B, C or D"));
        return said[0];
    }

    /// Every entry of the map under `key`: its name and its own keys.
    template <class Each>
    void entries(const std::string& key, const Each& each)
    {
        if (!has(key)) return;
        Keys all = under(key);
        for (const auto& entry : all.m_node) {
            const auto slug = entry.first.as<std::string>();
            Keys one = all.under(slug);
            each(slug, one);
            one.finish();
        }
    }
    [[nodiscard]] Keys under(const std::string& key) const { return {m_file, m_path.empty() ? key : m_path + "." + key, m_node[key]}; }
    void finish() const
    {
        for (const auto& entry : m_node)
            if (const auto key = entry.first.as<std::string>(); std::ranges::find(m_asked, key) == m_asked.end()) refuse(key, i18n("is no key here"));
    }

private:
    double number(const std::string& key, const YAML::Node& node) const
    {
        double value = 0;
        if (!YAML::convert<double>::decode(node, value) || !std::isfinite(value)) refuse(key, i18n("must be a number"));
        return value;
    }
    std::vector<double> numbers(const std::string& key, const YAML::Node& node) const
    {
        if (!node.IsSequence() || node.size() == 0) refuse(key, i18n("must be a list of numbers"));
        std::vector<double> out;
        for (const auto& entry : node) out.push_back(number(key, entry));
        return out;
    }

    std::string m_file, m_path;
    YAML::Node m_node;
    std::vector<std::string> m_asked;
};

Polynomial polynomial(Keys& fluid, const std::string& key, const std::string& unit)
{
    Polynomial out;
    if (!fluid.has(key)) return out;
    Keys keys = fluid.under(key);
    if (keys.text("unit") != unit) keys.refuse("unit", i18n("must be \"{}\"", unit));
    out.source = keys.text("source");
    out.confidence = keys.confidence();
    out.logarithm = keys.flag("logarithm");
    out.rows = keys.rows("rows");
    keys.finish();
    return out;
}

Fluid readFluid(const std::string& slug, Keys& keys)
{
    Fluid f;
    f.slug = slug, f.title = keys.text("title");
    std::tie(f.leastC, f.mostC) = keys.range("temperature_c");
    if (keys.has("fraction")) std::tie(f.leastFraction, f.mostFraction) = keys.range("fraction");
    f.referenceK = keys.number("reference_k");
    f.referenceFraction = keys.number("reference_fraction", 0);
    f.density = polynomial(keys, "density", "kg/m3");
    f.specificHeat = polynomial(keys, "specific_heat", "J/(kg K)");
    f.conductivity = polynomial(keys, "conductivity", "W/(m K)");
    f.viscosity = polynomial(keys, "viscosity", "Pa s");
    if (!f.density.stated()) keys.refuse("density", i18n("is missing"));
    if (!f.specificHeat.stated()) keys.refuse("specific_heat", i18n("is missing"));
    return f;
}

ColdPlate readPlate(const std::string& slug, Keys& keys)
{
    ColdPlate p;
    p.slug = slug, p.title = keys.text("title"), p.source = keys.text("source"), p.confidence = keys.confidence();
    p.flowLpm = keys.numbers("flow_lpm");
    p.kelvinPerWatt = keys.numbers("kelvin_per_watt");
    if (p.flowLpm.size() != p.kelvinPerWatt.size()) keys.refuse("kelvin_per_watt", i18n("must have as many numbers as flow_lpm"));
    if (p.flowLpm.front() <= 0 || !std::ranges::is_sorted(p.flowLpm, std::less_equal<>())) keys.refuse("flow_lpm", i18n("must rise from above 0"));
    if (std::ranges::any_of(p.kelvinPerWatt, [](double r) { return r <= 0; })) keys.refuse("kelvin_per_watt", i18n("must be above 0"));
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

Result<void> Library::add(const std::string& yaml, const std::string& file)
{
    Library next = *this;
    try {
        Keys all(file, "", YAML::Load(yaml));
        all.entries("fluids", [&](const std::string& slug, Keys& keys) { put(next.m_fluids, readFluid(slug, keys)); });
        all.entries("coolants", [&](const std::string& slug, Keys& keys) {
            Named named{slug, keys.text("title"), keys.text("fluid"), keys.number("fraction", 0)};
            if (const auto made = next.mixture(named.fluid, named.fraction); !made) keys.refuse("fluid", made.error().what);
            put(next.m_coolants, std::move(named));
        });
        all.entries("cold_plates", [&](const std::string& slug, Keys& keys) { put(next.m_plates, readPlate(slug, keys)); });
        all.finish();
    } catch (const Failure& failure) {
        return tl::unexpected(failure.error);
    } catch (const YAML::Exception& e) {
        return fail(ErrorCode::Unreadable, fmt::format("{}:{}", file, e.mark.line + 1), i18n("is no YAML: {}", e.msg),
                    i18n("correct the syntax there"));
    }
    *this = std::move(next);
    return {};
}

Result<void> Library::addFile(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    if (in) text << in.rdbuf();
    if (!in) return fail(ErrorCode::Unreadable, file.string(), i18n("cannot be opened"), i18n("name a file with coolants"));
    return add(text.str(), file.string());
}

Result<Coolant> Library::coolant(std::string_view slug) const
{
    const Named* named = found(m_coolants, slug);
    if (!named) return fail(ErrorCode::Refused, std::string(slug), i18n("is no coolant"), i18n("use one of {}", names(m_coolants)));
    return mixture(named->fluid, named->fraction);
}

Result<Coolant> Library::mixture(std::string_view slug, double fraction) const
{
    const Fluid* f = fluid(slug);
    if (!f) return fail(ErrorCode::Refused, std::string(slug), i18n("is no fluid"), i18n("use one of {}", names(m_fluids)));
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
