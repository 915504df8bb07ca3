// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/edits_binding.h"

#include "core/design/edit/edits.h"
#include "core/design/edit/near_names.h"
#include "core/foundation/base/spelling.h"
#include "core/operations/bindings/rules.h"
#include "core/operations/bindings/units.h"

#include <algorithm>

namespace hw::edit {

namespace {

constexpr std::size_t kLongestText = 1000;

Result<void> checkText(const char* key, const std::string& text, bool needed)
{
    if (needed && text.empty()) return fail(ErrorCode::Refused, key, i18n("empty"), i18n("specify a text"));
    const bool control = std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7F; });
    if (control || text.size() > kLongestText)
        return fail(ErrorCode::Refused, key, i18n("longer than {} bytes, or contains control characters", kLongestText), i18n("choose another text"));
    return {};
}

std::optional<BindingId> exceptionOf(const Snapshot& s, const std::string& channel)
{
    std::optional<BindingId> found;
    s.bindings.forEach([&](BindingId id) {
        if (s.bindings.channel[id] == channel) found = id;
    });
    return found;
}

/// A row for the channel, bound to nothing.
BindingId freshException(Transaction& t, const std::string& channel)
{
    if (const auto old = exceptionOf(*t, channel)) t->bindings.erase(*old);
    const BindingId id = t->bindings.insert();
    t->bindings.channel.set(id, channel);
    return id;
}

Result<void> checkUnit(const std::string& unit, bindings::Measure measure)
{
    using Kind = bindings::UnitReading::Kind;
    const Kind kind = unit.empty() ? Kind::Converted : bindings::readUnit(unit, measure).kind;
    const std::string own(bindings::infoOf(measure).unit);
    const Text todo = own.empty() ? i18n("omit it") : i18n("use a unit such as {}", own);
    if (kind == Kind::Unknown) return fail(ErrorCode::Refused, "unit", i18n("unknown unit '{}'", unit), todo);
    if (kind == Kind::Other) return fail(ErrorCode::Refused, "unit", i18n("'{}' cannot be converted to the unit of {}", unit, wordOf(measure)), todo);
    return {};
}

} // namespace

Result<bindings::Measure> measureOfWord(const std::string& word)
{
    if (const auto measure = inEitherSpelling(word, fromWord<bindings::Measure>)) return *measure;
    const std::size_t limit = std::max<std::size_t>(2, word.size() / 3);
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string_view known : kWords<bindings::Measure>)
        if (const auto d = editDistance(word, known, limit); d <= limit || (!word.empty() && known.find(word) != known.npos))
            near.emplace_back(d, known);
    std::ranges::sort(near);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min<std::size_t>(near.size(), 3); ++i) names.push_back(near[i].second);
    return fail(ErrorCode::Refused, "measure", i18n("unknown measure '{}'", word),
                names.empty() ? i18n("choose from {}", listedNames(kWords<bindings::Measure>)) : i18n("nearest: {}", listedNames(names)));
}

Result<void> bindChannel(Transaction& t, const std::string& channel, EntityRef entity, const std::string& measure, const std::string& element,
                         const std::string& unit)
{
    if (auto fine = checkText("channel", channel, true); !fine) return fine;
    if (auto fine = checkText("element", element, false); !fine) return fine;
    const auto what = measureOfWord(measure);
    if (!what) return tl::unexpected(what.error());
    if (auto fine = checkUnit(unit, *what); !fine) return fine;
    if (!living(*t, entity)) return fail(ErrorCode::Refused, "entity", i18n("object not found"), i18n("specify another"));
    const bool known = entity.kind == EntityKind::Device || entity.kind == EntityKind::Rack || entity.kind == EntityKind::Row ||
                       entity.kind == EntityKind::Hall || entity.kind == EntityKind::Port;
    if (!known) return fail(ErrorCode::Refused, "entity", i18n("not a device, rack, row, hall or port"), i18n("specify one"));
    const BindingId id = freshException(t, channel);
    Bindings& b = t->bindings;
    if (entity.kind == EntityKind::Device) b.device.set(id, DeviceId(entity.id));
    if (entity.kind == EntityKind::Rack) b.rack.set(id, RackId(entity.id));
    if (entity.kind == EntityKind::Row) b.row.set(id, RowId(entity.id));
    if (entity.kind == EntityKind::Hall) b.hall.set(id, HallId(entity.id));
    if (entity.kind == EntityKind::Port) b.port.set(id, PortId(entity.id));
    b.measure.set(id, measure);
    b.element.set(id, element);
    b.unit.set(id, unit);
    return {};
}

Result<void> setChannelAside(Transaction& t, const std::string& channel)
{
    if (auto fine = checkText("channel", channel, true); !fine) return fine;
    freshException(t, channel);
    return {};
}

Result<void> releaseChannel(Transaction& t, const std::string& channel)
{
    const auto id = exceptionOf(*t, channel);
    if (!id) return fail(ErrorCode::Refused, channel, i18n("not bound manually"), i18n("`bindings` lists the manual bindings"));
    t->bindings.erase(*id);
    return {};
}

std::vector<std::pair<std::string, std::string>> columnsOf(const bindings::RuleText& text)
{
    return {{"name", text.name},       {"channel", text.channel}, {"labels", text.labels}, {"entity", text.entity},
            {"element", text.element}, {"measure", text.measure}, {"unit", text.unit}};
}

Result<BindingRuleId> putBindingRule(Transaction& t, std::optional<BindingRuleId> rule, const bindings::RuleText& text)
{
    for (const auto& [column, value] : columnsOf(text))
        if (auto fine = checkText(column.c_str(), value, column == "name"); !fine) return tl::unexpected(fine.error());
    if (const auto read = bindings::readRule(text); !read) return tl::unexpected(read.error());
    BindingRules& rules = t->bindingRules;
    const bool fresh = !rule;
    if (fresh) {
        std::int32_t last = 0;
        rules.forEach([&](BindingRuleId id) { last = std::max(last, rules.number[id]); });
        rule = rules.insert();
        rules.number.set(*rule, last + 1);
    }
    if (rules.name[*rule] != text.name)
        if (const auto named = renameEntity(t, ref(*rule), text.name); !named) {
            if (fresh) rules.erase(*rule);
            return tl::unexpected(named.error());
        }
    rules.channel.set(*rule, text.channel);
    rules.labels.set(*rule, text.labels);
    rules.entity.set(*rule, text.entity);
    rules.element.set(*rule, text.element);
    rules.measure.set(*rule, text.measure);
    rules.unit.set(*rule, text.unit);
    return *rule;
}

Result<void> checkBindingRule(const Snapshot& s, BindingRuleId rule, std::string_view column, const std::string& value)
{
    if (auto fine = checkText("rule", value, false); !fine) return fine;
    if (column == "measure" && !value.empty() && value.find('{') == value.npos)
        if (const auto measure = measureOfWord(value); !measure) return tl::unexpected(measure.error());
    return bindings::checkRuleColumn(column, value, bindings::ruleText(s.bindingRules, rule));
}

Result<void> checkBindingRule(const Snapshot& s, BindingRuleId rule)
{
    if (const auto read = bindings::readRule(bindings::ruleText(s.bindingRules, rule)); !read) return tl::unexpected(read.error());
    return {};
}

} // namespace hw::edit
