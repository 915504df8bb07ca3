// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bindings/binder.h"

#include "core/foundation/base/spelling.h"
#include "core/operations/bindings/exceptions.h"
#include "core/operations/bindings/names.h"
#include "core/operations/bindings/rule_index.h"
#include "core/operations/bindings/state_words.h"
#include "core/operations/bindings/units.h"

#include <algorithm>
#include <tuple>

namespace hw::bindings {

namespace {

using Reason = Bound::Reason;

/// Texts by number, each once.
class TextPool {
public:
    std::uint32_t of(std::string_view text)
    {
        if (const auto known = m_numbers.find(text); known != m_numbers.end()) return known->second;
        m_texts.emplace_back(text);
        return m_numbers.emplace(text, std::uint32_t(m_texts.size() - 1)).first->second;
    }
    [[nodiscard]] const std::vector<std::string>& texts() const { return m_texts; }

private:
    std::vector<std::string> m_texts;
    std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> m_numbers;
};

/// What is known of a channel before it is compared with others.
struct Match {
    Reason reason = Reason::Unbound;
    Cause cause = Cause::NoRule;
    bool byHand = false;
    Measure measure = Measure::ActivePower;
    EntityRef entity;
    std::uint32_t element = 0; ///< among the elements
    std::uint32_t doubled = 0; ///< its element where another rule's channel says the same; 0: it has none
    std::uint32_t rule = 0;    ///< among the shipped ones; of the project's own: 0
    Conversion conversion;
    std::array<std::uint32_t, 2> details{};
};

std::string_view labelOf(const ChannelText& channel, std::string_view name)
{
    const auto at = std::ranges::find(channel.labels, name, [](const auto& label) { return std::string_view(label.first); });
    return at == channel.labels.end() ? std::string_view() : std::string_view(at->second);
}

/// The name of a metric without its labels; other names as they are.
std::string_view headOf(std::string_view name)
{
    const auto brace = name.find('{');
    return brace != name.npos && name.back() == '}' ? name.substr(0, brace) : name;
}

bool labelsFit(const Rule& rule, const ChannelText& channel, Captures& captures)
{
    return std::ranges::all_of(rule.labels, [&](const auto& label) {
        const std::string_view value = labelOf(channel, label.first);
        return label.second.empty() ? value.empty() : !value.empty() && label.second.matches(value, captures, true);
    });
}

/// Rules whose channel pattern fits a name, ascending, with what the pattern captures of it.
struct HeadRules {
    std::vector<std::pair<std::uint32_t, Captures>> rules;
};

/// The rules of an index by the name of a metric: a hall has few of these and a million channels. Names without labels are not kept, each is one
/// channel.
class RulesByHead {
public:
    RulesByHead() = default;
    explicit RulesByHead(RuleIndex index) : m_index(std::move(index)) {}
    [[nodiscard]] const RuleIndex& index() const { return m_index; }
    /// Valid until the next call.
    const HeadRules& of(std::string_view head, bool metric)
    {
        if (!metric || m_known.size() >= kMostHeads) {
            find(head, m_one);
            return m_one;
        }
        if (const auto at = m_known.find(head); at != m_known.end()) return at->second;
        const auto at = m_known.try_emplace(std::string(head)).first;
        find(at->first, at->second); // what it captures lies in the key
        return at->second;
    }

private:
    static constexpr std::size_t kMostHeads = 10'000;
    void find(std::string_view head, HeadRules& out)
    {
        out.rules.clear();
        m_index.candidates(head, m_hits);
        for (const std::uint32_t number : m_hits) {
            m_captures.clear();
            if (m_index.rules()[number].channel.matches(head, m_captures, false)) out.rules.emplace_back(number, m_captures);
        }
    }
    RuleIndex m_index;
    std::unordered_map<std::string, HeadRules, TextHash, std::equal_to<>> m_known;
    HeadRules m_one;
    std::vector<std::uint32_t> m_hits;
    Captures m_captures;
};

} // namespace

struct Binder::State {
    FiguresPtr figures;
    std::unique_ptr<Names> names;
    RulesByHead own, shipped;
    Exceptions exceptions;
    std::vector<Text> troubles;
    std::vector<Match> matches;
    std::vector<ChannelNo> sorted;                       ///< matches with a point, by it
    std::unordered_map<ChannelNo, std::uint32_t> parted; ///< elements of those that say the same as others
    std::vector<ChannelNo> apart;                        ///< `sorted` with these, where there are any
    bool all = true;                                     ///< what was found no longer holds
    TextPool elements, details;
    std::unordered_map<std::string, UnitReading> units;
    Captures captures;
    std::string buffer, unitKey;

    explicit State(FiguresPtr design) : figures(std::move(design))
    {
        elements.of("");
        details.of("");
        names = std::make_unique<Names>(figures);
        readRules();
    }

    void readRules()
    {
        const Snapshot& s = *figures->snapshot;
        RuleIndex ownRules, shippedRules;
        troubles.clear();
        std::vector<BindingRuleId> ids = s.bindingRules.ids();
        std::ranges::stable_sort(ids, {}, [&](BindingRuleId id) { return s.bindingRules.number[id]; });
        for (const BindingRuleId id : ids)
            if (auto rule = readRule(ruleText(s.bindingRules, id)))
                ownRules.add(std::move(*rule));
            else
                troubles.push_back(i18n("{}: {}: {}; {}", s.bindingRules.name[id], rule.error().where, rule.error().what, rule.error().todo));
        if (const auto sets = ruleSetsOf(s))
            for (const RuleSet* set : *sets)
                for (const RuleText& text : set->rules)
                    if (auto rule = readRule(text)) shippedRules.add(std::move(*rule));
        if (const auto sets = ruleSetsOf(s); !sets) troubles.push_back(verbatim(sets.error().text()));
        own = RulesByHead(std::move(ownRules)), shipped = RulesByHead(std::move(shippedRules));
        exceptions = Exceptions(s);
    }

    void failed(Match& m, Reason reason, Cause cause, std::string_view first = {}, std::string_view second = {})
    {
        m.reason = reason, m.cause = cause, m.details = {details.of(first), details.of(second)};
    }

    /// The conversion of a channel whose point is known.
    void convert(Match& m, const ChannelText& channel, const std::string& byHand, const std::string& byRule)
    {
        const MeasureInfo& info = infoOf(m.measure);
        std::string_view unit = byHand.empty() ? std::string_view(channel.unit) : std::string_view(byHand);
        if (unit.empty()) unit = labelOf(channel, "engUnit");
        std::string word;
        if (const auto states = labelOf(channel, "stateText"); unit.empty() && !states.empty()) {
            word = stateUnit(states);
            if (word.empty() || !readStateUnit(word, m.measure))
                if (const auto read = readStateText(states, m.measure)) return void(m.conversion = read->conversion);
            if (word.empty()) return failed(m, Reason::UnitConflict, Cause::UnknownUnit, states, info.unit);
            unit = word;
        }
        if (unit.empty()) unit = byRule;
        if (unit.empty()) {
            if (info.unit.empty()) return;
            return failed(m, Reason::UnitConflict, Cause::NoUnit, {}, info.unit);
        }
        unitKey.assign(1, char(m.measure)).append(unit);
        auto known = units.find(unitKey);
        if (known == units.end()) known = units.emplace(unitKey, readUnit(unit, m.measure)).first;
        if (known->second.kind == UnitReading::Kind::Converted)
            m.conversion = known->second.conversion;
        else
            failed(m, Reason::UnitConflict, known->second.kind == UnitReading::Kind::Other ? Cause::OtherUnit : Cause::UnknownUnit, unit, info.unit);
    }

    Match excepted(const ChannelText& channel, const Exceptions::Row& row)
    {
        Match m;
        m.byHand = true;
        if (!row.entity) {
            failed(m, Reason::SetAside, Cause::SetAside);
            return m;
        }
        const auto measure = inEitherSpelling(row.measure, fromWord<Measure>);
        if (!measure) {
            failed(m, Reason::Unbound, Cause::NoMeasure, row.measure);
            return m;
        }
        m.reason = Reason::Bound, m.cause = Cause::None, m.entity = row.entity, m.measure = *measure, m.element = elements.of(row.element);
        convert(m, channel, row.unit, {});
        return m;
    }

    /// What one rule that fits makes of a channel; `captures` are its own.
    Match byRule(const ChannelText& channel, const Rule& rule)
    {
        Match m;
        if (rule.aside) {
            failed(m, Reason::SetAside, Cause::SetAsideByRule, rule.name);
            return m;
        }
        rule.entity.fill(captures, buffer);
        const Names::Found found = names->find(buffer);
        using Kind = Names::Found::Kind;
        if (found.kind != Kind::One) {
            const bool several = found.kind == Kind::Several;
            failed(m, several ? Reason::Ambiguous : Reason::Unbound,
                   several                     ? Cause::SeveralNames
                   : found.kind == Kind::Other ? Cause::OtherKind
                                               : Cause::UnknownName,
                   buffer);
            return m;
        }
        m.entity = found.entity;
        if (rule.fixed) {
            m.measure = *rule.fixed;
        } else {
            rule.measure.fill(captures, buffer);
            const auto measure = inEitherSpelling(buffer, fromWord<Measure>);
            if (!measure) {
                failed(m, Reason::Unbound, Cause::NoMeasure, buffer);
                return m;
            }
            m.measure = *measure;
        }
        rule.element.fill(captures, buffer);
        if (const auto setpoint = labelOf(channel, "isSetpoint"); setpoint == "true" || setpoint == "1")
            buffer += buffer.empty() ? "setpoint" : " setpoint";
        m.element = elements.of(buffer);
        if (!rule.ifDoubled.empty()) rule.ifDoubled.fill(captures, buffer), m.doubled = elements.of(buffer);
        m.reason = Reason::Bound, m.cause = Cause::None;
        convert(m, channel, {}, rule.unit);
        if (rule.least) m.conversion.least = *rule.least;
        return m;
    }

    /// What the rules of an index make of a channel; nothing when none fits.
    std::optional<Match> byRules(const ChannelText& channel, RulesByHead& rules)
    {
        if (rules.index().rules().empty()) return {};
        const std::string_view head = headOf(channel.name);
        const HeadRules& fitting = rules.of(head, head.size() != channel.name.size());
        if (auto m = byRules(channel, rules.index(), fitting, false)) return m;
        return byRules(channel, rules.index(), fitting, true);
    }
    std::optional<Match> byRules(const ChannelText& channel, const RuleIndex& index, const HeadRules& fitting, bool fallback)
    {
        std::optional<Match> first, failure;
        const Rule *firstRule = nullptr, *aside = nullptr;
        for (const auto& [number, captured] : fitting.rules) {
            const Rule& rule = index.rules()[number];
            if (rule.fallback != fallback) continue;
            captures = captured;
            if (!labelsFit(rule, channel, captures)) continue;
            Match m = byRule(channel, rule);
            m.rule = number + 1;
            if (m.cause == Cause::SetAsideByRule) {
                aside = aside ? aside : &rule;
                continue;
            }
            if (!m.entity || m.cause == Cause::NoMeasure) {
                if (!failure || (m.reason == Reason::Ambiguous && failure->reason != m.reason)) failure = m;
                continue;
            }
            if (!first) {
                first = m, firstRule = &rule;
            } else if (fallback && first->entity == m.entity) {
                continue; // the first of them
            } else if (std::tie(first->entity, first->measure, first->element) != std::tie(m.entity, m.measure, m.element)) {
                Match both;
                failed(both, Reason::Ambiguous, Cause::RulesDisagree, firstRule->name, rule.name);
                return both;
            }
        }
        if (failure && failure->reason == Reason::Ambiguous) return failure;
        if (!aside) return first ? first : failure;
        Match m;
        if (first)
            failed(m, Reason::Ambiguous, Cause::RulesDisagree, firstRule->name, aside->name);
        else
            failed(m, Reason::SetAside, Cause::SetAsideByRule, aside->name);
        return m;
    }

    Match matched(const ChannelText& channel)
    {
        if (const auto* row = exceptions.find(channel.name)) return excepted(channel, *row);
        if (auto m = byRules(channel, own)) return m->rule = 0, *m;
        if (auto m = byRules(channel, shipped)) return *m;
        return {};
    }

    /// Its element; `beside`: as it is parted from others that say the same.
    [[nodiscard]] std::uint32_t elementOf(ChannelNo channel, bool beside) const
    {
        if (beside)
            if (const auto at = parted.find(channel); at != parted.end()) return at->second;
        return matches[channel].element;
    }
    [[nodiscard]] bool less(ChannelNo a, ChannelNo b, bool beside = false) const
    {
        const Match &x = matches[a], &y = matches[b];
        if (x.entity != y.entity) return x.entity < y.entity;
        if (x.measure != y.measure) return x.measure < y.measure;
        const std::uint32_t own = elementOf(a, beside), other = elementOf(b, beside);
        if (own != other) return elements.texts()[own] < elements.texts()[other];
        return a < b;
    }
    [[nodiscard]] bool same(ChannelNo a, ChannelNo b, bool beside = false) const
    {
        const Match &x = matches[a], &y = matches[b];
        return x.entity == y.entity && x.measure == y.measure && elementOf(a, beside) == elementOf(b, beside);
    }

    /// Looks at what is new, and keeps `sorted` in order.
    void match(std::span<const ChannelText> channels, std::span<const ChannelNo> changed)
    {
        if (all || matches.size() > channels.size()) matches.clear(), sorted.clear();
        all = false;
        const std::size_t before = matches.size();
        bool again = false;
        for (const ChannelNo number : changed)
            if (number < before) matches[number] = matched(channels[number]), again = true;
        matches.reserve(channels.size());
        for (std::size_t i = before; i < channels.size(); ++i) matches.push_back(matched(channels[i]));
        if (again) sorted.clear();
        const auto old = std::ptrdiff_t(sorted.size());
        for (std::size_t i = again ? 0 : before; i < matches.size(); ++i)
            if (matches[i].reason == Reason::Bound) sorted.push_back(ChannelNo(i));
        const auto order = [this](ChannelNo a, ChannelNo b) { return less(a, b); };
        sortFrom(old);
        std::inplace_merge(sorted.begin(), sorted.begin() + old, sorted.end(), order);
    }

    /// The same order, by what stands together in memory: most differ by their entity.
    void sortFrom(std::ptrdiff_t first)
    {
        struct Key {
            std::uint64_t place;
            ChannelNo channel;
        };
        std::vector<Key> keys;
        keys.reserve(sorted.size() - std::size_t(first));
        for (auto at = sorted.begin() + first; at != sorted.end(); ++at) {
            const Match& m = matches[*at];
            keys.push_back({std::uint64_t(m.entity.kind) << 48 | std::uint64_t(m.entity.id) << 8 | std::uint64_t(m.measure), *at});
        }
        std::ranges::sort(keys, [this](const Key& a, const Key& b) { return a.place != b.place ? a.place < b.place : less(a.channel, b.channel); });
        std::ranges::transform(keys, sorted.begin() + first, &Key::channel);
    }

    [[nodiscard]] std::string pointText(const Match& m, std::uint32_t number) const
    {
        std::string text = entityName(*figures->snapshot, *figures->parts, m.entity) + " " + std::string(wordOf(m.measure));
        const auto& element = elements.texts()[number];
        return element.empty() ? text : text + " " + element;
    }

    /// Elements of channels that say the same as another and can say it beside it: of rules that name an element for this, where a rule without one
    /// or an earlier one says it, too; and of leak detectors all, as none of them may be missed.
    void partDoubles()
    {
        parted.clear();
        for (std::size_t first = 0, last = 0; first < sorted.size(); first = last) {
            for (last = first + 1; last < sorted.size() && same(sorted[first], sorted[last]);) ++last;
            if (last - first > 1) partDoubles(std::span(sorted).subspan(first, last - first));
        }
        if (parted.empty()) return;
        apart = sorted;
        std::ranges::sort(apart, [this](ChannelNo a, ChannelNo b) { return less(a, b, true); });
    }
    void partDoubles(std::span<const ChannelNo> channels)
    {
        const auto holds = [&](ChannelNo c) { return matches[c].byHand || matches[c].doubled == 0; };
        std::uint32_t holder = 0xFFFFFFFFu; // the first rule, where none holds the point
        if (std::ranges::none_of(channels, holds))
            for (const ChannelNo c : channels) holder = std::min(holder, matches[c].rule);
        for (const ChannelNo c : channels)
            if (!holds(c) && matches[c].rule != holder) parted[c] = matches[c].doubled;
        if (matches[channels.front()].measure != Measure::Leak) return;
        std::size_t number = 0;
        for (const ChannelNo c : channels)
            if (++number > 1 && !parted.contains(c) && !matches[c].byHand)
                parted[c] = elements.of(elements.texts()[matches[c].element] + (matches[c].element ? " " : "") + "(" + std::to_string(number) + ")");
    }

    /// Channels [first, last) of `order` say one point.
    void settle(Bound& out, std::span<const ChannelText> channels, std::span<const ChannelNo> order, std::size_t first, std::size_t last)
    {
        std::size_t holder = last, byHand = 0;
        for (std::size_t i = first; i < last; ++i)
            if (matches[order[i]].byHand) holder = i, ++byHand;
        if (last - first == 1) holder = first;
        if (last - first > 1 && byHand != 1) holder = last;
        const Match& m = matches[order[first]];
        const std::uint32_t element = elementOf(order[first], true);
        if (holder != last) {
            out.channels[order[holder]].point = PointNo(out.points.size());
            out.points.push_back({m.entity, m.measure, elements.texts()[element]});
        }
        if (last - first == 1) return;
        const std::uint32_t point = details.of(pointText(m, element));
        for (std::size_t i = first; i < last; ++i) {
            if (i == holder) continue;
            auto& channel = out.channels[order[i]];
            const std::size_t other = holder != last ? holder : i == first ? first + 1 : first;
            channel.reason = Reason::Ambiguous, channel.cause = holder != last ? Cause::HeldByHand : Cause::Doubled, channel.conversion = {};
            channel.details = {details.of(channels[order[other]].name), point};
        }
    }

    BoundPtr assembled(std::span<const ChannelText> channels)
    {
        auto out = std::make_shared<Bound>();
        out->channels.resize(matches.size());
        for (std::size_t i = 0; i < matches.size(); ++i) {
            const Match& m = matches[i];
            out->channels[i] = {m.reason, m.cause, kNoPoint, m.conversion, m.details};
        }
        partDoubles();
        const std::vector<ChannelNo>& order = parted.empty() ? sorted : apart;
        out->points.reserve(order.size());
        for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
            for (last = first + 1; last < order.size() && same(order[first], order[last], true);) ++last;
            settle(*out, channels, order, first, last);
        }
        for (const auto& channel : out->channels) ++countOf(*out, channel.reason);
        out->details = details.texts();
        return out;
    }

    static std::size_t& countOf(Bound& bound, Reason reason)
    {
        switch (reason) {
        case Reason::Bound: return bound.bound;
        case Reason::Ambiguous: return bound.ambiguous;
        case Reason::UnitConflict: return bound.conflicting;
        case Reason::SetAside: return bound.setAside;
        case Reason::Unbound: break;
        }
        return bound.unbound;
    }
};

Binder::Binder(FiguresPtr design) : m_state(std::make_unique<State>(std::move(design))) {}
Binder::~Binder() = default;
Binder::Binder(Binder&&) noexcept = default;
Binder& Binder::operator=(Binder&&) noexcept = default;

void Binder::design(FiguresPtr design)
{
    State& s = *m_state;
    const Snapshot& now = *design->snapshot;
    const bool rules = sameRules(*s.figures->snapshot, now), names = s.names->holdsFor(now);
    s.figures = std::move(design);
    if (rules && names) return;
    if (!names) s.names = std::make_unique<Names>(s.figures);
    if (!rules) s.readRules();
    s.all = true;
}

BoundPtr Binder::bind(std::span<const ChannelText> channels, std::span<const ChannelNo> changed)
{
    m_state->match(channels, changed);
    return m_state->assembled(channels);
}

const std::vector<Text>& Binder::troubles() const { return m_state->troubles; }

BoundPtr bind(FiguresPtr design, std::span<const ChannelText> channels) { return Binder(std::move(design)).bind(channels); }

} // namespace hw::bindings
