// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/growth.h"

#include "core/design/template/spec.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace hw::sizing {

namespace {

constexpr std::size_t kMostVariants = 256;
constexpr std::int64_t kNextTried = 64; ///< steps tried after one that is refused

const Parameter* find(const Template& design, const std::string& name)
{
    for (const auto& p : design.parameters())
        if (p.name == name) return &p;
    return nullptr;
}

/// Values of a parameter that pick a wanted type for some tier of servers or switches.
std::vector<std::int64_t> askedChoices(const Template& design, const Parameter& p, const std::string& server,
                                       const std::vector<std::string>& switches)
{
    std::set<std::int64_t> values;
    for (const auto& tier : design.spec().tiers) {
        const auto* index = tier.field("type_index");
        if (!index || index->text != p.name) continue;
        const auto* kind = tier.field("kind");
        const bool servers = kind && kind->text == "server", any = !kind || kind->text == "switch";
        for (std::size_t i = 0; i < tier.types.size(); ++i) {
            const auto value = std::int64_t(i);
            const bool wanted = (servers && tier.types[i].text == server) ||
                                (any && std::find(switches.begin(), switches.end(), tier.types[i].text) != switches.end());
            if (wanted && value >= p.minimum && value <= p.maximum) values.insert(value);
        }
    }
    return {values.begin(), values.end()};
}

/// The value of a parameter that planes or break-outs ask for, where it is in its range.
std::vector<std::int64_t> askedNumber(const Template& design, const Parameter& p, const Asked& asked)
{
    std::vector<std::int64_t> values;
    const auto ask = [&](std::int64_t value) {
        if (value >= p.minimum && value <= p.maximum) values = {value};
    };
    if (asked.planes && planesParameter(design) == &p) ask(*asked.planes);
    for (const auto& [tier, parameter] : design.spec().sizing.split) {
        if (parameter != p.name) continue;
        if (const auto all = asked.split.find(""); all != asked.split.end()) ask(all->second);
        if (const auto own = asked.split.find(tier); own != asked.split.end()) ask(own->second);
    }
    return values;
}

void multiply(std::vector<Variant>& variants, const std::string& parameter, const std::vector<std::int64_t>& values)
{
    std::vector<Variant> result;
    for (const auto& variant : variants)
        for (const auto value : values) {
            if (result.size() == kMostVariants) break;
            result.push_back(variant);
            result.back().fixed[parameter] = value;
        }
    variants = std::move(result);
}

/// The last value of a parameter that the constraints allow, and why the next one is refused. Values that are
/// refused on the way, say because a tier does not divide, are no end.
std::int64_t lastAllowed(TemplateCounter& counter, ParameterValues values, const Parameter& p, Text& refused)
{
    refused = {};
    const auto allowed = [&](std::int64_t value) {
        values[p.name] = value;
        const auto counted = counter.accelerators(values);
        if (!counted) refused = reasonOf(counted.error());
        return counted.has_value();
    };
    if (allowed(p.maximum)) return p.maximum;
    std::int64_t low = p.minimum, high = p.maximum;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (allowed(middle) ? low : high) = middle;
    }
    for (std::int64_t next = high + 1; next <= std::min(high + kNextTried, p.maximum); ++next)
        if (allowed(next)) low = next;
    (void)allowed(low + 1);
    return low;
}

} // namespace

Text reasonOf(const Error& error)
{
    if (error.what.id().find(" (constraint: ") == std::string_view::npos) return error.what;
    const auto& message = error.what.arguments().front();
    if (const auto* text = std::get_if<std::vector<Text>>(&message)) return text->front();
    return verbatim(std::get<std::string>(message));
}

const Parameter* planesParameter(const Template& design)
{
    for (const auto& network : design.spec().networks)
        if (const auto* planes = network.field("planes"))
            if (const Parameter* p = find(design, planes->text)) return p;
    return nullptr;
}

std::vector<Variant> variantsOf(const Template& design, const Asked& asked)
{
    std::vector<Variant> variants(1);
    std::set<std::string> done;
    for (const auto& p : design.parameters())
        for (const auto& values : {askedChoices(design, p, asked.server, asked.switches), askedNumber(design, p, asked)})
            if (!values.empty()) {
                multiply(variants, p.name, values);
                done.insert(p.name);
            }
    for (const auto& vary : design.spec().sizing.vary)
        if (!done.contains(vary.parameter) && !vary.values.empty()) multiply(variants, vary.parameter, vary.values);
    return variants;
}

Variant variantOf(const Template& design, const ParameterValues& values)
{
    const auto& sizing = design.spec().sizing;
    const auto last = sizing.fields.find("last");
    Variant variant;
    for (const auto& [name, value] : values)
        if (std::find(sizing.grow.begin(), sizing.grow.end(), name) == sizing.grow.end() &&
            (last == sizing.fields.end() || last->second.text != name))
            variant.fixed[name] = value;
    return variant;
}

GrowthPath::GrowthPath(const Template& design, const Variant& variant, TemplateCounter& counter) : m_design(design)
{
    for (const auto& p : design.parameters()) m_base[p.name] = p.defaultValue;
    for (const auto& [name, value] : variant.fixed) m_base[name] = value;
    const auto& sizing = design.spec().sizing;
    for (const auto& name : sizing.grow)
        if (const Parameter* p = find(design, name); p && !variant.fixed.contains(name)) {
            m_growing.push_back({p, p->maximum});
            m_base[name] = p->minimum;
        }
    if (const auto last = sizing.fields.find("last");
        last != sizing.fields.end() && m_growing.size() > 1 && !variant.fixed.contains(last->second.text)) {
        m_lastUnit = find(design, last->second.text);
        if (m_lastUnit) m_base[m_lastUnit->name] = 0;
    }
    ParameterValues values = m_base;
    for (auto& [p, last] : m_growing) {
        Text refused;
        last = values[p->name] = lastAllowed(counter, values, *p, refused);
        m_steps += last - p->minimum;
        const auto limit = design.spec().limits.find(p->name);
        m_end = !refused.empty() ? refused : limit != design.spec().limits.end() ? resourceText(limit->second) : Text();
    }
    for (const auto& p : design.parameters())
        if (variant.fixed.contains(p.name) || std::find(sizing.grow.begin(), sizing.grow.end(), p.name) != sizing.grow.end())
            m_named.push_back(p.name);
}

ParameterValues GrowthPath::at(std::int64_t step) const
{
    ParameterValues values = m_base;
    for (const auto& [p, last] : m_growing) {
        const std::int64_t taken = std::min(step, last - p->minimum);
        values[p->name] = p->minimum + taken;
        step -= taken;
    }
    return values;
}

std::string GrowthPath::text(const ParameterValues& values) const
{
    std::string result;
    for (const auto& name : m_named)
        result += fmt::format("{}{} {}", result.empty() ? "" : ", ", name, find(m_design, name)->textOf(values.at(name)));
    if (m_lastUnit && values.at(m_lastUnit->name) != 0)
        result += fmt::format("{}{} {}", result.empty() ? "" : ", ", m_lastUnit->name, values.at(m_lastUnit->name));
    return result;
}

GrowthStep firstReaching(TemplateCounter& counter, const GrowthPath& path, std::int64_t accelerators)
{
    GrowthStep result;
    std::int64_t low = 0, high = path.steps(); // the first step that is large enough is in [low, high]
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        const auto reached = counter.acceleratorsUnchecked(path.at(middle));
        if (reached && *reached < accelerators)
            low = middle + 1;
        else
            high = middle; // what cannot be counted is too large
    }
    for (std::int64_t step = low; step < std::min(low + kNextTried, path.steps()); ++step) {
        const auto counted = counter.count(path.at(step));
        if (counted && counted->activeAccelerators >= accelerators) return {step, counted->activeAccelerators, {}};
        if (!counted && result.reason.empty()) result.reason = reasonOf(counted.error());
    }
    if (result.reason.empty()) result.reason = path.end();
    return result;
}

GrowthStep furthest(TemplateCounter& counter, const GrowthPath& path)
{
    Text reason = path.end();
    const auto feasible = [&](std::int64_t step, bool whole) {
        const auto fits = counter.accelerators(path.at(step));
        if (!fits) reason = reasonOf(fits.error());
        if (!fits || !whole) return fits.has_value();
        const auto counted = counter.count(path.at(step));
        if (!counted) reason = reasonOf(counted.error());
        return counted.has_value();
    };
    std::int64_t last = path.steps() - 1;
    if (!feasible(last, false)) {
        std::int64_t low = 0, high = last; // low may be feasible, high is not
        while (high - low > 1) {
            const std::int64_t middle = low + (high - low) / 2;
            (feasible(middle, false) ? low : high) = middle;
        }
        (void)feasible(high, false); // its reason
        last = low;
        for (std::int64_t next = high + 1; next < std::min(high + kNextTried, path.steps()); ++next) // gaps are no end
            if (const Text before = reason; feasible(next, false))
                last = next;
            else
                reason = before;
    }
    Text refused = reason;
    for (std::int64_t step = last; step >= std::max<std::int64_t>(last - kNextTried, 0); --step) {
        reason = refused;
        if (feasible(step, true)) return {step, *counter.accelerators(path.at(step)), refused};
        refused = reason;
    }
    return {std::nullopt, 0, refused};
}

} // namespace hw::sizing
