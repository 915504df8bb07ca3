// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bindings/preview.h"

#include "core/foundation/catalog/entity.h"
#include "core/operations/bindings/binder.h"
#include "core/operations/bindings/exceptions.h"
#include "core/operations/bindings/rules.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::bindings {

namespace {

using Json = nlohmann::ordered_json;
using Reason = Bound::Reason;

constexpr std::array kOrder{Reason::Ambiguous, Reason::UnitConflict, Reason::Unbound, Reason::Bound, Reason::SetAside};

std::size_t countOf(const Bound& bound, Reason reason)
{
    switch (reason) {
    case Reason::Bound: return bound.bound;
    case Reason::Unbound: return bound.unbound;
    case Reason::Ambiguous: return bound.ambiguous;
    case Reason::UnitConflict: return bound.conflicting;
    case Reason::SetAside: return bound.setAside;
    }
    return 0;
}

Json rowJson(const PreviewRow& row)
{
    Json json{{"channel", row.channel}, {"state", wordOf(row.state)}};
    if (row.state == Reason::Bound) {
        json["entity"] = row.entity, json["measure"] = row.measure;
        if (!row.element.empty()) json["element"] = row.element;
        json["unit"] = row.unit, json["kept_in"] = row.keptIn;
        json["factor"] = row.conversion.factor, json["offset"] = row.conversion.offset, json["counter"] = row.conversion.counter;
    } else {
        json["why"] = words(row.why);
    }
    return json;
}

Json exceptionJson(const BindingsReport& report, BindingId id)
{
    const Snapshot& s = *report.design->snapshot;
    const EntityRef entity = boundEntity(s.bindings, id);
    Json json{{"channel", s.bindings.channel[id]}};
    if (!entity) {
        json["set_aside"] = true;
        return json;
    }
    json["entity"] = entityName(s, *report.design->parts, entity), json["measure"] = s.bindings.measure[id];
    if (!s.bindings.element[id].empty()) json["element"] = s.bindings.element[id];
    if (!s.bindings.unit[id].empty()) json["unit"] = s.bindings.unit[id];
    return json;
}

std::vector<BindingRuleId> rulesInOrder(const Snapshot& s)
{
    auto ids = s.bindingRules.ids();
    std::ranges::stable_sort(ids, {}, [&](BindingRuleId id) { return s.bindingRules.number[id]; });
    return ids;
}

std::string line(const Text& text) { return words(text) + '\n'; }

/// What there is to bind by.
std::string rulesText(const BindingsReport& report)
{
    const Snapshot& s = *report.design->snapshot;
    std::string out = line(i18np(s.bindingRules.size(), "{:L} project rule", "{:L} project rules"));
    for (const BindingRuleId id : rulesInOrder(s)) {
        const RuleText r = ruleText(s.bindingRules, id);
        out += fmt::format("  {}: {}{} → {}{} {} {}\n", r.name, r.channel, r.labels.empty() ? "" : " [" + r.labels + "]", r.entity,
                           r.element.empty() ? "" : " " + r.element, r.measure, r.unit);
    }
    if (const auto sets = ruleSetsOf(s))
        for (const RuleSet* set : *sets) out += line(i18n("rule set {}: {}, {:L} rules", set->name, set->title, set->rules.size()));
    out += line(i18np(s.bindings.size(), "{:L} manually bound channel", "{:L} manually bound channels"));
    s.bindings.forEach([&](BindingId id) {
        const EntityRef entity = boundEntity(s.bindings, id);
        const Text to = entity ? verbatim(fmt::format("{} {}{}", entityName(s, *report.design->parts, entity), s.bindings.measure[id],
                                                      s.bindings.element[id].empty() ? "" : " " + s.bindings.element[id]))
                               : i18n("ignored");
        out += fmt::format("  {} → {}\n", s.bindings.channel[id], words(to));
    });
    return out;
}

Text heading(Reason reason, std::size_t count)
{
    switch (reason) {
    case Reason::Bound: return i18n("{:L} bound", count);
    case Reason::Unbound: return i18n("{:L} unbound", count);
    case Reason::Ambiguous: return i18n("{:L} ambiguous", count);
    case Reason::UnitConflict: return i18n("{:L} with a conflicting unit", count);
    case Reason::SetAside: return i18n("{:L} ignored", count);
    }
    return {};
}

} // namespace

PreviewRow previewRow(const Figures& design, const Bound& bound, std::span<const ChannelText> channels, ChannelNo number)
{
    PreviewRow row;
    const auto& channel = bound.channels[number];
    row.channel = channels[number].name, row.unit = channels[number].unit, row.state = channel.reason, row.conversion = channel.conversion;
    row.why = bound.why(number);
    if (channel.point == kNoPoint) return row;
    const Point& point = bound.points[channel.point];
    row.entity = entityName(*design.snapshot, *design.parts, point.entity);
    row.measure = wordOf(point.measure), row.element = point.element, row.keptIn = infoOf(point.measure).unit;
    return row;
}

std::vector<ChannelNo> previewOrder(const Bound& bound, std::span<const ChannelText> channels)
{
    std::vector<ChannelNo> order;
    order.reserve(bound.channels.size());
    struct Named {
        std::string_view name;
        ChannelNo number;
    };
    const auto byName = [](const Named& a, const Named& b) {
        const int names = a.name.compare(b.name);
        return names != 0 ? names < 0 : a.number < b.number;
    };
    std::array<std::vector<Named>, kOrder.size()> all; // by reason
    for (ChannelNo number = 0; number < bound.channels.size(); ++number)
        all[std::size_t(bound.channels[number].reason)].push_back({channels[number].name, number});
    for (const Reason reason : kOrder) {
        auto& some = all[std::size_t(reason)];
        if (!std::ranges::is_sorted(some, byName)) std::ranges::sort(some, byName); // lists often are already
        for (const Named& one : some) order.push_back(one.number);
    }
    return order;
}

std::vector<ChannelNo> changedChannels(const Bound& before, const Bound& after, std::span<const ChannelText> channels)
{
    const auto same = [&](ChannelNo number) {
        if (number >= before.channels.size()) return false;
        const auto &a = before.channels[number], &b = after.channels[number];
        if (a.reason != b.reason || a.cause != b.cause || !(a.conversion == b.conversion) || (a.point == kNoPoint) != (b.point == kNoPoint))
            return false;
        return a.point == kNoPoint || before.points[a.point] == after.points[b.point];
    };
    auto order = previewOrder(after, channels);
    std::erase_if(order, same);
    return order;
}

BindingsReport bindingsReport(FiguresPtr design, std::vector<ChannelText> channels)
{
    Binder binder(design);
    BindingsReport report{std::move(design), std::move(channels), nullptr, binder.troubles()};
    report.bound = binder.bind(report.channels);
    return report;
}

Json bindingsJson(const BindingsReport& report)
{
    const Snapshot& s = *report.design->snapshot;
    const Bound& bound = *report.bound;
    Json json{{"schema", "hallwright.bindings/1"}, {"channels", bound.channels.size()}, {"bound", bound.bound},
              {"unbound", bound.unbound},          {"ambiguous", bound.ambiguous},      {"unit_conflict", bound.conflicting},
              {"set_aside", bound.setAside},       {"troubles", Json::array()},         {"rules", Json::array()},
              {"rule_sets", Json::array()},        {"exceptions", Json::array()},       {"rows", Json::array()}};
    for (const Text& trouble : report.troubles) json["troubles"].push_back(words(trouble));
    for (const BindingRuleId id : rulesInOrder(s)) {
        const RuleText r = ruleText(s.bindingRules, id);
        json["rules"].push_back({{"name", r.name},
                                 {"channel", r.channel},
                                 {"labels", r.labels},
                                 {"entity", r.entity},
                                 {"element", r.element},
                                 {"measure", r.measure},
                                 {"unit", r.unit}});
    }
    if (const auto sets = ruleSetsOf(s))
        for (const RuleSet* set : *sets)
            json["rule_sets"].push_back({{"name", set->name}, {"title", set->title}, {"source", set->source}, {"rules", set->rules.size()}});
    s.bindings.forEach([&](BindingId id) { json["exceptions"].push_back(exceptionJson(report, id)); });
    for (const ChannelNo number : previewOrder(bound, report.channels))
        json["rows"].push_back(rowJson(previewRow(*report.design, bound, report.channels, number)));
    return json;
}

std::string bindingsText(const BindingsReport& report)
{
    std::string out;
    for (const Text& trouble : report.troubles) out += line(i18n("invalid rule: {}", trouble));
    if (report.channels.empty()) return out + rulesText(report);
    const auto order = previewOrder(*report.bound, report.channels);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const PreviewRow row = previewRow(*report.design, *report.bound, report.channels, order[i]);
        const bool first = i == 0 || report.bound->channels[order[i - 1]].reason != row.state;
        if (first) out += line(heading(row.state, countOf(*report.bound, row.state)));
        if (row.state == Reason::Bound)
            fmt::format_to(std::back_inserter(out), "  {} → {} {}{}{}\n", row.channel, row.entity, row.measure,
                           row.element.empty() ? "" : " " + row.element,
                           row.unit == row.keptIn || row.unit.empty() ? "" : fmt::format(" ({} → {})", row.unit, row.keptIn));
        else
            fmt::format_to(std::back_inserter(out), "  {}: {}\n", row.channel, words(row.why));
    }
    return out;
}

} // namespace hw::bindings
