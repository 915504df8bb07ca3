// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cabling/cable_index.h"
#include "core/derived/cabling/cable_reason.h"
#include "core/derived/cabling/channel.h"
#include "core/derived/rules/functions.h"
#include "core/foundation/base/language.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>

namespace hw::rules {

namespace {

/// Cables of one kind that lose about too much: the worst decides what is said.
struct Lossy {
    std::vector<EntityRef> cables;
    Channel worst;
    bool over = false;
};

Text decibels(std::int32_t mdb) { return verbatim(fmt::format("{:.2f} dB", double(mdb) / 1000)); }

Text lossText(const RuleInput& input, Maybe<LinkRuleId> rule, const Lossy& found)
{
    const Channel& c = found.worst;
    const Text parts = c.panels > 0 ? i18np(c.panels, "{1} over {2}, {3} in {0} panel", "{1} over {2}, {3} in {0} panels", decibels(c.fiberMdb),
                                            lengthText(c.lengthMm), decibels(c.jointsMdb))
                                    : i18n("{} over {}, {} in connectors", decibels(c.fiberMdb), lengthText(c.lengthMm), decibels(c.jointsMdb));
    return found.over ? i18np(found.cables.size(),
                              "{:L} cable {} has a loss of up to {} ({}), module loss budget {}; remove panels and connectors, or "
                              "use modules with a larger budget",
                              "{:L} cables {} have a loss of up to {} ({}), module loss budget {}; remove panels and connectors, "
                              "or use modules with a larger budget",
                              tiersJoined(input.snapshot(), rule), decibels(c.lossMdb()), parts, decibels(*c.budgetMdb))
                      : i18np(found.cables.size(), "{:L} cable {} has a loss of up to {} ({}) of {}: margin {}",
                              "{:L} cables {} have a loss of up to {} ({}) of {}: margin {}", tiersJoined(input.snapshot(), rule),
                              decibels(c.lossMdb()), parts, decibels(*c.budgetMdb), decibels(*c.marginMdb()));
}

/// Whether a cable without panels can lose too much: a length, the same for all of a class with the same cable and modules.
class SafeLengths {
public:
    SafeLengths(const RuleInput& input, const FiberLoss& loss, std::int32_t marginMdb) : m_input(input), m_loss(loss), m_marginMdb(marginMdb) {}
    [[nodiscard]] bool safe(const Cabling& cabling, CableId id)
    {
        const auto& cable = cabling[id];
        const std::uint32_t kind = cabling.classOf(id);
        if (kind >= m_known.size()) m_known.resize(kind + 1);
        Known& known = m_known[kind];
        if (!(known.type == cable.type && known.from == cable.moduleFrom && known.to == cable.moduleTo)) {
            known = {cable.type, cable.moduleFrom, cable.moduleTo, 0};
            const auto &a = m_input.parts().transceiver(*cable.moduleFrom), &b = m_input.parts().transceiver(*cable.moduleTo);
            const std::string& medium = m_input.parts().cable(*cable.type).medium;
            const std::int64_t each = m_loss.perKilometer(medium, a.signal);
            const auto budget = lossBudget(a, b, medium);
            const std::int64_t left = budget.value_or(0) - m_marginMdb - m_loss.atModules * m_loss.pair(a.connector);
            known.safeMm = !budget || each == 0 ? std::numeric_limits<std::int64_t>::max() : left > 0 ? (left - 1) * 1'000'000 / each : -1;
        }
        return cable.lengthMm <= known.safeMm;
    }

private:
    struct Known {
        Maybe<PartTypeId> type, from, to;
        std::int64_t safeMm = 0;
    };
    const RuleInput& m_input;
    const FiberLoss& m_loss;
    std::int32_t m_marginMdb;
    std::vector<Known> m_known; ///< by class, the last asked for
};

} // namespace

/// One finding per link rule, modules, cable type and number of panels.
std::vector<Finding> channelLoss(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const Cabling& cabling = *input.figures.cabling;
    const FiberLoss loss = FiberLoss::of(s);
    const auto least = std::int32_t(std::lround(1000 * input.threshold(kLossMargin)));
    const bool panels = !cabling.runs().empty();
    SafeLengths lengths(input, loss, least);
    using Kind = std::tuple<bool, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, int>;
    std::map<Kind, Lossy> kinds;
    s.cables.forEach([&](CableId id) {
        const auto& cable = cabling[id];
        if (!cable.moduleFrom || !cable.moduleTo || !cable.type || cable.links == 0) return;
        if ((!panels || cabling.runs().of(cabling.linksOf(id).front()).empty()) && lengths.safe(cabling, id)) return;
        const Channel c = channelOf(s, input.parts(), cabling, loss, id);
        const auto margin = c.marginMdb();
        if (!margin || *margin >= least) return;
        const bool over = *margin < 0;
        const auto rule = s.links.rule[cabling.linksOf(id).front()];
        auto& found =
            kinds[{!over, rule ? (*rule).value : 0xFFFFFFFFu, (*cable.moduleFrom).value, (*cable.moduleTo).value, (*cable.type).value, c.panels}];
        if (found.cables.empty() || *margin < *found.worst.marginMdb()) found.worst = c;
        found.over = over;
        found.cables.push_back(ref(id));
    });
    std::vector<Finding> out;
    for (auto& [kind, found] : kinds) {
        const auto rule = s.links.rule[cabling.linksOf(CableId(found.cables.front().id)).front()];
        Finding f{.severity = found.over ? Severity::Error : Severity::Warning, .message = lossText(input, rule, found)};
        f.id = findingId("N6", {rule ? s.linkRules.key[*rule] : std::string("by-hand"), input.parts()[PartTypeId(std::get<2>(kind))].slug,
                                found.over ? "over" : "margin"}) +
               cablesMark(input, found.cables);
        f.entities = std::move(found.cables);
        out.push_back(std::move(f));
    }
    return out;
}

namespace {

/// "mpo-12-apc" → "mpo-12": who fits whom; the rest is how its end is polished.
std::string_view shapeOf(std::string_view connector)
{
    for (const std::string_view polish : {"-apc", "-upc"})
        if (connector.ends_with(polish)) return connector.substr(0, connector.size() - polish.size());
    return connector;
}

/// Why two connectors do not meet; empty where they do.
Text unlike(const std::string& a, const std::string& b)
{
    if (a == b || a.empty() || b.empty()) return {};
    if (shapeOf(a) == shapeOf(b)) return i18n("{} is connected to {}: angled and flat end faces do not mate", a, b);
    return i18n("{} does not mate with {}", a, b);
}

/// Walks the runs of one cable's links from module to module.
class ChannelCheck {
public:
    ChannelCheck(const RuleInput& input, CableId first) : m_input(input), m_s(input.snapshot()), m_cabling(*input.figures.cabling), m_first(first)
    {
        const auto links = m_cabling.linksOf(first);
        m_runs = m_cabling.runs().of(links.front());
        for (const RunId run : m_runs) m_cables.push_back(m_s.runs.cable[run]);
        m_cables.insert(m_cables.begin(), first);
    }

    /// What is wrong, most telling first; empty: nothing.
    [[nodiscard]] Text fault() const
    {
        if (Text wrong = ends(); !wrong.empty()) return wrong;
        if (Text wrong = media(); !wrong.empty()) return wrong;
        return polarity();
    }

private:
    [[nodiscard]] const CableSpec* spec(CableId id) const
    {
        const auto type = m_cabling[id].type;
        return type ? &m_input.parts().cable(*type) : nullptr;
    }
    [[nodiscard]] const PanelSpec& panel(std::size_t i) const { return m_input.parts().device(m_s.devices.type[m_s.runs.panel[m_runs[i]]]).panel; }

    [[nodiscard]] Text ends() const
    {
        const auto& cable = m_cabling[m_first];
        const CableSpec *own = spec(m_first), *last = spec(m_cables.back());
        if (!own || !last || !cable.moduleFrom || !cable.moduleTo) return {};
        const bool plain = own->legs == 1 && own->connector.rfind("2x-", 0) != 0; // of other assemblies N3 knows more
        if (Text wrong = plain ? unlike(m_input.parts().transceiver(*cable.moduleFrom).connector, own->connector) : Text(); !wrong.empty())
            return wrong;
        for (std::size_t i = 0; i < m_runs.size(); ++i)
            for (const CableId side : {m_cables[i], m_cables[i + 1]})
                if (const CableSpec* cord = spec(side))
                    if (Text wrong = unlike(cord->connector, cord->positions > 1 ? panel(i).behind() : panel(i).connector); !wrong.empty())
                        return wrong;
        return plain ? unlike(m_input.parts().transceiver(*cable.moduleTo).connector, last->legConnector) : Text();
    }

    [[nodiscard]] Text media() const
    {
        const CableSpec* own = spec(m_first);
        const auto& cable = m_cabling[m_first];
        if (!own || m_runs.empty() || !cable.moduleFrom) return {};
        const int fibers = fibersOf(m_input.parts().transceiver(*cable.moduleFrom));
        for (std::size_t i = 0; i < m_cables.size(); ++i) {
            const CableSpec* run = spec(m_cables[i]);
            if (run && run->medium != own->medium) return i18n("{} continues as {}", own->medium, run->medium);
            const int each = run && run->positions > 1 ? panel(std::min(i, m_runs.size() - 1)).perRear : 1; // a cassette divides them
            if (run && run->legs == 1 && run->fibers > 0 && run->fibers / each < fibers)
                return i18n("{} has {} fibers per connector, but the modules use {}", m_input.parts()[*m_cabling[m_cables[i]].type].slug,
                            run->fibers / each, fibers);
        }
        return {};
    }

    [[nodiscard]] Text polarity() const
    {
        int crossings = 0;
        for (const CableId id : m_cables) {
            const CableSpec* run = spec(id);
            if (!run || !run->fits.empty() || run->fibers == 0) return {};
            crossings += run->crosses;
        }
        if (crossings % 2 == 1) return {};
        return i18np(crossings, "pairs are crossed {0} time over {1} cables: transmitter connected to transmitter",
                     "pairs are crossed {0} times over {1} cables: transmitter connected to transmitter", m_cables.size());
    }

    const RuleInput& m_input;
    const Snapshot& m_s;
    const Cabling& m_cabling;
    CableId m_first;
    std::span<const RunId> m_runs;
    std::vector<CableId> m_cables; ///< from the lower end up
};

/// Positions of panels: each for one way through, and no more than there are; trunks as well.
void positions(const RuleInput& input, std::vector<Finding>& out)
{
    const Snapshot& s = input.snapshot();
    const Cabling& cabling = *input.figures.cabling;
    using Through = std::tuple<CableId, CableId>; // of the first cable, of the run
    std::map<std::pair<DeviceId, std::int32_t>, Through> used;
    std::map<CableId, std::vector<CableId>> channels; // first cables, by cable behind
    const auto told = [&](Text message, std::vector<EntityRef> entities, std::string subject) {
        out.push_back(
            {.message = std::move(message), .entities = entities, .id = findingId("N7", {std::move(subject), input.subject(entities.front())})});
    };
    s.runs.forEach([&](RunId run) {
        const DeviceId panel = s.runs.panel[run];
        const std::int32_t position = s.runs.position[run];
        const PanelSpec& spec = input.parts().device(s.devices.type[panel]).panel;
        const auto first = s.links.cable[s.runs.link[run]];
        if (!first) return;
        if (position < 0 || position >= spec.positions)
            told(i18n("{} has {} positions, but a cable is at position {}", input.name(ref(panel)), spec.positions, position + 1),
                 {ref(panel), ref(*first)}, "no-position " + std::to_string(position));
        const Through through{*first, s.runs.cable[run]};
        const auto [at, fresh] = used.try_emplace({panel, position}, through);
        if (!fresh && at->second != through)
            told(i18n("position {} of {} is used by two channels; route one of them over another position", position + 1, input.name(ref(panel))),
                 {ref(panel), ref(*first), ref(std::get<0>(at->second))}, "position " + std::to_string(position));
        if (fresh) channels[s.runs.cable[run]].push_back(*first);
    });
    for (const auto& [cable, firsts] : channels) {
        const auto type = cabling[cable].type;
        const auto onCable = cabling.runs().on(cable);
        const int each = input.parts().device(s.devices.type[s.runs.panel[onCable.front()]]).panel.perRear;
        const int room = type ? input.parts().cable(*type).positions * (input.parts().cable(*type).positions > 1 ? each : 1) : 1;
        if (int(firsts.size()) > room)
            told(i18n("{} carries {} channels, but has connectors for {}", input.name(ref(cable)), firsts.size(), room), {ref(cable)}, "trunk");
        const bool legs = type && input.parts().cable(*type).legs > 1; // they may end at several devices
        for (const RunId run : onCable)
            if (s.runs.panel[run] != s.runs.panel[onCable.front()] ||
                (!legs && cabling.runs().endOf(s, run) != cabling.runs().endOf(s, onCable.front()))) {
                told(i18n("{} would have to terminate at several panels", input.name(ref(cable))), {ref(cable)}, "ends");
                break;
            }
    }
}

} // namespace

/// One finding per fault, with every cable of it.
std::vector<Finding> connectorsMeet(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const Cabling& cabling = *input.figures.cabling;
    std::vector<Finding> out;
    if (!s.runs.empty()) positions(input, out);
    std::map<std::string, std::pair<Text, std::vector<EntityRef>>> faults;
    s.cables.forEach([&](CableId id) {
        if (s.runs.empty() && !s.cables.type[id]) return;
        if (cabling.isRun(id) || cabling[id].links == 0 || s.cables.medium[id] != Medium::Data) return;
        if (!s.cables.type[id] && cabling.runs().of(cabling.linksOf(id).front()).empty()) return; // chosen to fit
        const Text wrong = ChannelCheck(input, id).fault();
        if (wrong.empty()) return;
        const auto rule = s.links.rule[cabling.linksOf(id).front()];
        auto& [text, cables] = faults[(rule ? s.linkRules.key[*rule] : std::string("by-hand")) + '|' + Language().words(wrong)];
        text = wrong;
        cables.push_back(ref(id));
    });
    for (auto& [subject, found] : faults) {
        auto& [text, cables] = found;
        Finding f{.message = i18np(cables.size(), "{1} ({0:L} cable)", "{1} ({0:L} cables)", text)};
        f.id = findingId("N7", {subject}) + cablesMark(input, cables);
        f.entities = std::move(cables);
        out.push_back(std::move(f));
    }
    return out;
}

} // namespace hw::rules
