// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/causes/active_causes.h"

#include "core/foundation/catalog/entity.h"
#include "core/operations/monitoring/incident/alarm_texts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace hw::monitoring {

using bindings::PointNo;

namespace {

constexpr std::int64_t kFreshMs = 30'000; ///< after the last change, slow channels still bring something
constexpr std::int64_t kAgainMs = 2000;
constexpr std::int64_t kReadAgainMs = 120'000; ///< in which ports are read (assumed)
constexpr std::int64_t kSupersedesMs = 12'000; ///< so much longer it takes to put a cause in the place of one that was reported
constexpr std::int64_t kOpenMs = 30'000;       ///< so much longer while something larger may be behind it
constexpr std::int64_t kSettledMs = 8000;      ///< after which what took over is compared once more
constexpr float kRiseK = 2;                    ///< of coolant, from which it says something (assumed)
constexpr float kFalls = 0.5f, kRises = 1.5f;  ///< of that rise, where nothing flows: at once, and before long (assumed)
constexpr std::size_t kMostCompared = 16;
constexpr std::size_t kMostRivals = 6;       ///< that are listed beside a cause; with more it waits until meters are read that decide
constexpr std::size_t kMostWeighed = 8;      ///< causes of which it is worked out who costs what with whom; of more, all
constexpr std::size_t kTriesPerSecond = 400; ///< so many sets are tried in a second on average; a long look is followed by a rest

bool isGone(State state) { return state == State::Zero || state == State::Silent; }

} // namespace

ActiveCauses::ActiveCauses(FiguresPtr figures, bindings::BoundPtr bound, const Plans& plans)
    : m_figures(std::move(figures)), m_bound(std::move(bound)), m_plans(&plans)
{
}

Causes& ActiveCauses::causes()
{
    if (!m_causes) {
        if (!m_model) {
            auto made = impact::Model::of(m_figures);
            if (!made) throw std::runtime_error(made.error().text()); // nothing stops it; where it fails all the same, the follower goes on
            m_model = std::move(*made);
        }
        m_causes = std::make_unique<Causes>(std::make_unique<Predictor>(m_model, *m_plans, *m_bound), *m_plans);
    }
    return *m_causes;
}

std::string ActiveCauses::nameOf(const Suspect& suspect) const
{
    const std::string name = impact::nameOf(*m_model, suspect.element);
    return suspect.gpu < 0 ? name : name + ":gpu" + std::to_string(suspect.gpu); // no text: a name
}

Text ActiveCauses::describedAs(const Suspect& other, const Suspect& named) const
{
    const std::string name = nameOf(other);
    const Snapshot& s = *m_figures->snapshot;
    const EntityRef entity = other.element.entity;
    const Maybe<LinkId> way = entity.kind == EntityKind::Link   ? Maybe<LinkId>(LinkId(entity.id))
                              : entity.kind == EntityKind::Port ? m_model->index->linkOf(PortId(entity.id))
                                                                : Maybe<LinkId>();
    if (!way) return verbatim(name);
    const LinkId link = *way;
    const PortId from = s.links.from[link], to = s.links.to[link];
    if (s.ports.medium[from] != Medium::Power) return verbatim(name);
    const bool fromFeeds = s.ports.role[from] == PortRole::Down;
    const std::string breaker = entityName(s, *m_figures->parts, ref(fromFeeds ? from : to));
    const DeviceId fed = s.ports.device[fromFeeds ? to : from];
    return ref(fed) == named.element.entity ? i18n("its feeder breaker ({})", breaker)
                                            : i18n("the feeder breaker of {} ({})", s.devices.name[fed], breaker);
}

std::string ActiveCauses::aboutOf(const Suspect& suspect) const { return "cause:" + nameOf(suspect); } // no text: a key

std::vector<Suspect> ActiveCauses::named() const
{
    std::vector<Suspect> out;
    for (const auto& [suspect, one] : m_active)
        if (one.named) out.push_back(suspect);
    return out;
}

std::vector<Suspect> ActiveCauses::alikeOfNamed() const
{
    std::vector<Suspect> out;
    for (const auto& [suspect, one] : m_active)
        if (one.named)
            for (const auto* list : {&one.found.alike, &one.found.rivals}) out.insert(out.end(), list->begin(), list->end());
    return out;
}

bool ActiveCauses::explains(PointNo p, bool named) const
{
    const auto counts = [&](const ActiveCause& one) { return !one.lone && (!named || one.named); };
    const bool any = std::ranges::any_of(m_active, [&](const auto& entry) { return counts(entry.second); });
    return (any && std::ranges::binary_search(m_together, p)) || std::ranges::any_of(m_active, [&](const auto& entry) {
               return counts(entry.second) && std::ranges::binary_search(entry.second.covers, p);
           });
}

bool ActiveCauses::stops(PointNo p) const
{
    return std::ranges::any_of(m_active, [&](const auto& entry) { return !entry.second.lone && std::ranges::binary_search(entry.second.stops, p); });
}

void ActiveCauses::addLinksDown(std::set<std::uint32_t>& links) const
{
    for (const auto& [suspect, one] : m_active)
        if (!one.lone) links.insert(one.links.begin(), one.links.end());
}

bool ActiveCauses::names(EntityRef entity) const
{
    return std::ranges::any_of(m_active, [&](const auto& entry) { return !entry.second.lone && entry.first.element.entity == entity; });
}

bool ActiveCauses::explained(PointNo p, std::int64_t heardMs) const
{
    return std::ranges::any_of(m_ended, [&](const Ended& one) { return heardMs <= one.atMs && std::ranges::binary_search(one.covers, p); });
}

bool ActiveCauses::left(PointNo p, std::int64_t sinceMs) const
{
    return std::ranges::any_of(
        m_ended, [&](const Ended& one) { return one.mendedMs >= 0 && sinceMs <= one.atMs && std::ranges::binary_search(one.covers, p); });
}

/// When half of what a cause explains had shown: single points may have stood so from before, for reasons of their own.
std::int64_t ActiveCauses::onset(const Causes::Found& found, const Evidence& evidence)
{
    std::vector<std::int64_t> began;
    for (const PointNo p : found.explains)
        if (const auto sight = evidence.sights().find(p); sight != evidence.sights().end()) began.push_back(sight->second.sinceMs);
    if (began.empty()) return std::numeric_limits<std::int64_t>::max();
    const auto middle = began.begin() + std::ptrdiff_t(began.size() / 2);
    std::ranges::nth_element(began, middle);
    return *middle;
}

bool ActiveCauses::isHeader(EntityRef entity) const
{
    const CoolingUnit* unit = entity.kind == EntityKind::Device ? m_model->coolant.chain->unit(DeviceId(entity.id)) : nullptr;
    return unit && unit->element == CoolingElement::Header;
}

/// Whether nothing speaks of it but one flow meter that says nothing flows (and loads that fell, as they do with jobs), while the coolant beside it
/// is as warm as its load makes it: the meter may be wrong. Where the flow does stop, what returns falls at once or warms up within seconds.
bool ActiveCauses::isLone(const Causes::Found& found, const Evidence& evidence, std::int64_t atMs) const
{
    PointNo meter = bindings::kNoPoint;
    for (const PointNo p : found.explains) {
        const State state = evidence.stateOf(p);
        const Signal signal = m_plans->points[p].signal;
        if (state == State::Up && signal == Signal::Flow) return false; // another carries its part
        if (state == State::Down || (state == State::Up && signal != Signal::Temperature)) continue;
        if (meter != bindings::kNoPoint || signal != Signal::Flow) return false;
        meter = p;
    }
    if (meter == bindings::kNoPoint) return false;
    const bindings::Point& at = m_bound->points[meter];
    const PointNo supply = m_bound->find({at.entity, bindings::Measure::SupplyTemperature, at.element}),
                  back = m_bound->find({at.entity, bindings::Measure::ReturnTemperature, at.element});
    if (supply == bindings::kNoPoint || back == bindings::kNoPoint) {
        return !(isHeader(at.entity) && atMs - evidence.sights().at(meter).sinceMs >= kOpenMs); // all flows on without it
    }
    const PointNo power = m_bound->find({at.entity, bindings::Measure::ActivePower, {}});
    const float before = evidence.before(back) - evidence.before(supply), now = evidence.last(back) - evidence.last(supply);
    const float load = power == bindings::kNoPoint ? 1 : evidence.last(power) / evidence.usual(power), due = before * load;
    const bool fell = now < kFalls * before && now<kFalls * due, rose = now> kRises * before && now > kRises * due;
    return !(before > kRiseK && (fell || rose));
}

/// Whether all that speaks of it are links that come and go.
bool ActiveCauses::flaps(const ActiveCause& one, const std::set<std::uint32_t>& flapping) const
{
    return !flapping.empty() && std::ranges::all_of(one.found.explains, [&](PointNo p) {
        return m_plans->points[p].signal == Signal::Link && flapping.contains(m_plans->points[p].target);
    });
}

/// Whether most of what a cause brought to nothing is there again: it is mended. Ports are read seldom, so that the others count, where there are
/// any.
bool ActiveCauses::isBack(const ActiveCause& one, const Evidence& evidence) const
{
    const auto isReserve = [&](PointNo p) { // it carries the load still: supply is not back
        return m_plans->points[p].signal == Signal::Power && !(m_plans->points[p].planned > 0) && evidence.stateOf(p) == State::Up;
    };
    if (std::ranges::any_of(one.found.explains, isReserve)) return false;
    std::array<std::size_t, 2> all{}, back{}; // others, ports
    for (const PointNo p : one.most) {
        const bool port = m_plans->points[p].signal == Signal::Link;
        ++all[port], back[port] += !isGone(evidence.stateOf(p));
    }
    const bool ports = all[0] == 0;
    return all[ports] > 0 && back[ports] * 2 > all[ports];
}

/// What a cause and those beside it tell of, without what is of others that stand: they go on.
std::vector<PointNo> ActiveCauses::leftBy(const ActiveCause& one) const
{
    std::vector<PointNo> out = one.covers;
    out.insert(out.end(), m_together.begin(), m_together.end());
    std::erase_if(out, [&](PointNo p) {
        return std::ranges::any_of(m_active, [&](const auto& entry) {
            const ActiveCause& other = entry.second;
            return &other != &one && other.named && other.mendedMs < 0 && std::ranges::binary_search(other.covers, p);
        });
    });
    std::ranges::sort(out);
    return out;
}

/// What is mended leaves points behind that were not read since.
void ActiveCauses::tellMended(std::int64_t atMs, const Evidence& evidence)
{
    for (auto& [suspect, one] : m_active) {
        const bool back = one.named && isBack(one, evidence);
        if (!back || one.mendedMs >= 0) {
            if (!back) one.mendedMs = -1, one.leaves.clear();
            continue;
        }
        one.mendedMs = atMs;
        one.leaves = leftBy(one);
    }
}

/// Points that were last read before a cause was mended that tells of them: they say what was so then.
std::vector<PointNo> ActiveCauses::stale(const Evidence& evidence, const Silence& silence, const std::function<bool(PointNo)>& hot) const
{
    std::vector<PointNo> out;
    for (const auto& [p, sight] : evidence.sights()) {
        const std::int64_t heard = silence.lastMs(p);
        const auto leaves = [&](const ActiveCause& one) { return one.mendedMs >= heard && std::ranges::binary_search(one.leaves, p); };
        const bool left = std::ranges::any_of(m_active, [&](const auto& entry) { return leaves(entry.second); });
        if (left || hot(p) ||
            std::ranges::any_of(m_ended, [&](const Ended& one) { return one.mendedMs >= heard && std::ranges::binary_search(one.covers, p); }))
            out.push_back(p);
    }
    return out;
}

/// Whether one cause stops most of what another stops.
bool ActiveCauses::coversMost(const ActiveCause& one, const ActiveCause& other)
{
    std::size_t both = 0;
    for (const PointNo p : other.stops) both += std::ranges::binary_search(one.stops, p);
    return &one != &other && !other.stops.empty() && 2 * both > other.stops.size();
}

/// Holds what is found against what stands.
void ActiveCauses::look(std::int64_t atMs, const Evidence& evidence, const Silence& silence, const std::function<bool(PointNo)>& hot)
{
    tellMended(atMs, evidence);
    const auto found = evidence.sights().empty() ? std::vector<Causes::Found>()
                                                 : causes().explain(atMs, evidence, silence, named(), alikeOfNamed(), stale(evidence, silence, hot));
    for (auto& [suspect, one] : m_active) {
        const bool still = std::ranges::any_of(found, [&](const Causes::Found& f) { return f.suspect == suspect; });
        if (still)
            one.goneMs = -1;
        else if (one.goneMs < 0)
            one.goneMs = atMs;
    }
    std::erase_if(m_active, [](const auto& entry) { return !entry.second.named && entry.second.goneMs >= 0; });
    for (const Causes::Found& f : found) {
        auto [at, isNew] = m_active.try_emplace(f.suspect);
        ActiveCause& one = at->second;
        if (isNew) one.sinceMs = one.foundMs = atMs;
        const auto isListed = [&](const Causes::Found& by) {
            return std::ranges::find(by.alike, f.suspect) != by.alike.end() || std::ranges::find(by.rivals, f.suspect) != by.rivals.end();
        };
        for (const auto& [other, told] : m_active) // it was listed as indistinguishable: known for as long
            if (isNew && told.named && isListed(told.found)) one.sinceMs = told.sinceMs, one.foundMs = told.foundMs, one.follows = true;
        one.found = f, one.lone = !one.named && (isNew || one.lone) && isLone(f, evidence, atMs);
        if (!one.named) one.sinceMs = std::min(one.sinceMs, onset(f, evidence));
        one.covers.clear(), one.stops.clear();
        for (const Forecast& forecast : causes().predictor().of({&f.suspect, 1}, 0)) {
            one.covers.push_back(forecast.point);
            if (forecast.what == Predicted::Dead || forecast.what == Predicted::Empties || forecast.what == Predicted::MayDie)
                one.stops.push_back(forecast.point);
        }
        std::vector<PointNo> gone = f.explains;
        std::erase_if(gone, [&](PointNo p) { return !isGone(evidence.stateOf(p)); });
        // What stops until generators have started comes back without a repair: it does not count beside what is gone for good.
        const auto forGood = [&](PointNo p) { return std::ranges::binary_search(one.stops, p); };
        if (std::ranges::any_of(gone, forGood)) std::erase_if(gone, [&](PointNo p) { return !forGood(p); });
        if (gone.size() > one.most.size()) one.most = std::move(gone);
        one.links.clear();
        for (const LinkId link : causes().predictor().effect({&f.suspect, 1}).links) one.links.push_back(link.value);
        one.supersedes = !one.follows && std::ranges::any_of(m_active, [&](const auto& entry) {
            return entry.second.named && !causes().saidThatItWorks().contains(entry.first) && coversMost(one, entry.second);
        });
    }
    m_together.clear();
    std::vector<Suspect> all;
    for (const auto& [suspect, one] : m_active) all.push_back(suspect);
    if (all.size() > 1)
        for (const Forecast& forecast : causes().predictor().of(all, 0)) m_together.push_back(forecast.point);
    std::ranges::sort(m_together);
}

/// What this cause changes by itself, beside what all that stand together foretell; most changed first.
std::vector<Compared> ActiveCauses::compare(const ActiveCause& one, const Readings& readings)
{
    struct Candidate {
        bool itself = false; ///< of the cause
        double change = 0;   ///< of what it is with nothing lost, in twentieths
        Compared said;
    };
    std::vector<Candidate> all;
    const std::vector<Suspect> set = [&] {
        auto those = named();
        if (std::ranges::find(those, one.found.suspect) == those.end()) those.push_back(one.found.suspect);
        return those;
    }();
    std::set<PointNo> own;
    for (const Forecast& f : causes().predictor().of({&one.found.suspect, 1}, 3'600'000)) own.insert(f.point);
    for (const Forecast& f : causes().predictor().of(set, 3'600'000)) {
        const Plan& plan = m_plans->points[f.point];
        const bool load =
            plan.signal == Signal::Power || plan.signal == Signal::RackPower || plan.signal == Signal::Flow || plan.signal == Signal::Heat;
        if (!load || !own.contains(f.point) || !(plan.planned > 0) || std::isnan(readings.values[f.point])) continue;
        const bindings::Point& point = m_bound->points[f.point];
        const bool power = plan.signal == Signal::Power && point.measure != bindings::Measure::ActivePower;
        if (power && m_bound->find({point.entity, bindings::Measure::ActivePower, {}}) != bindings::kNoPoint)
            continue; // says the same in other units
        const double predicted = f.what == Predicted::Dead ? 0 : plan.planned * (f.ratio > 0 ? f.ratio : 1);
        all.push_back({point.entity == one.found.suspect.element.entity,
                       std::round(20 * std::abs(predicted / plan.planned - 1)),
                       {point.entity, point.measure, point.element, readings.values[f.point], plan.planned, predicted}});
    }
    std::ranges::stable_sort(all, std::greater(), [](const Candidate& c) { return std::tuple(c.itself, c.change, c.said.planned); });
    std::vector<Compared> out;
    for (std::size_t i = 0; i < std::min(all.size(), kMostCompared); ++i) out.push_back(std::move(all[i].said));
    return out;
}

/// Of the causes that are named those with which this one costs what it costs, itself first: all four pumps of a loop that stand. What is lost
/// without it just the same is reported by the others.
std::vector<Suspect> ActiveCauses::partnersOf(const Suspect& suspect)
{
    std::vector<Suspect> those{suspect};
    for (const Suspect& other : named())
        if (other != suspect) those.push_back(other);
    if (those.size() == 1 || those.size() > kMostWeighed) return those;
    const auto costOf = [&](const std::vector<Suspect>& set) {
        const impact::Effect& effect = causes().predictor().effect(set);
        const impact::Loss& loss = effect.loss;
        return std::tuple(loss.gpusLost, loss.gpusDegraded, loss.hostsLost, effect.rideThroughMs());
    };
    const auto without = [&](std::size_t place) {
        std::vector<Suspect> rest = those;
        rest.erase(rest.begin() + std::ptrdiff_t(place));
        return rest;
    };
    const auto all = costOf(those);
    for (std::size_t i = those.size(); --i > 0;)
        if (costOf(without(i)) == all) those = without(i);
    if (those.size() > 1 && costOf(without(0)) == all) return {suspect};
    return those;
}

/// What failed first has been warming up longest: each of them, with those before it, counts from its own time, and the first to be at its end
/// ends it. So what fails elsewhere later does not put it off, even where it rides through for just as long.
std::optional<std::int64_t> ActiveCauses::rideThroughEndsMs(const ActiveCause& one, const std::vector<Suspect>& together)
{
    Onsets onsets;
    for (const Suspect& suspect : together) {
        const auto found = m_active.find(suspect);
        onsets.emplace_back(found == m_active.end() ? one.sinceMs : found->second.sinceMs, suspect);
    }
    std::ranges::sort(onsets);
    if (m_rideThrough.first == onsets) return m_rideThrough.second;
    std::optional<std::int64_t> ends;
    std::vector<Suspect> soFar;
    for (std::size_t i = 0; i < onsets.size(); ++i) {
        const auto& [sinceMs, suspect] = onsets[i];
        soFar.push_back(suspect);
        if (i + 1 < onsets.size() && onsets[i + 1].first == sinceMs) continue;
        if (const auto ms = causes().predictor().effect(soFar).rideThroughMs()) ends = std::min(ends.value_or(sinceMs + *ms), sinceMs + *ms);
    }
    m_rideThrough = {std::move(onsets), ends};
    return ends;
}

Alarm ActiveCauses::alarmOf(const ActiveCause& one, const Evidence& evidence, const Readings& readings)
{
    Alarm alarm;
    alarm.kind = AlarmKind::Cause, alarm.sinceMs = one.sinceMs;
    const Suspect& suspect = one.found.suspect;
    alarm.cause = suspect.element.entity;
    const std::string name = nameOf(suspect);
    if (const auto colon = name.rfind(':'); (suspect.gpu >= 0 || !suspect.element.whole()) && colon != std::string::npos)
        alarm.element = name.substr(colon + 1);
    std::set<EntityRef> symptoms;
    std::set<std::uint32_t> racks;
    CauseText said;
    said.name = name;
    const Snapshot& s = *m_figures->snapshot;
    for (const PointNo p : one.found.explains) {
        symptoms.insert(m_bound->points[p].entity);
        const Plan& plan = m_plans->points[p];
        if (plan.signal != Signal::Power || evidence.stateOf(p) != State::Up) continue;
        if (const auto rack = s.devices.rack[DeviceId(plan.target)]) racks.insert((*rack).value);
        const bool watts = m_bound->points[p].measure == bindings::Measure::ActivePower && m_bound->points[p].element.empty();
        if (const double share = double(readings.values[p] / plan.limit); watts && plan.limit > 0 && share > said.fullest)
            said.fullest = share, said.fullestName = s.devices.name[DeviceId(plan.target)],
            said.fullestElement = m_figures->parts->device(s.devices.type[DeviceId(plan.target)]).power.element;
    }
    alarm.symptoms.assign(symptoms.begin(), symptoms.end());
    said.racksOnOneSide = racks.size();
    std::vector<Suspect> alike = one.found.alike;
    for (const Suspect& rival : one.found.rivals)
        if (alike.size() < kMostRivals && std::ranges::find(alike, rival) == alike.end()) alike.push_back(rival);
    for (const Suspect& other : alike) {
        alarm.alike.push_back(nameOf(other));
        said.alike.push_back(describedAs(other, suspect));
    }
    if (one.found.explains.size() == 1 && isHeader(suspect.element.entity)) said.alike.push_back(i18n("a faulty flow meter"));
    const std::vector<Suspect> partners = partnersOf(suspect);
    if (partners.size() > 1) {
        for (const Suspect& partner : partners) alarm.together.push_back(partner.element.entity);
        for (const Suspect& partner : std::span(partners).subspan(1)) said.with.push_back(nameOf(partner));
    }
    const auto endsMs = rideThroughEndsMs(one, partners);
    const impact::Effect& effect = causes().predictor().effect(partners);
    const auto gpus = [](const impact::Count& count) { return std::uint32_t(count.active + count.backup); };
    alarm.gpusLost = gpus(effect.loss.gpusLost) + (suspect.gpu >= 0 ? 1 : 0);
    alarm.gpusDegraded = gpus(effect.loss.gpusDegraded);
    alarm.redundancyLost = std::uint32_t(effect.loss.redundancyLost);
    if (const auto ms = effect.rideThroughMs()) alarm.rideThroughS = double(*ms) / 1000, alarm.rideThroughEndsMs = endsMs.value_or(one.sinceMs + *ms);
    alarm.what = causeText(said, effect);
    alarm.compared = compare(one, readings);
    return alarm;
}

void ActiveCauses::tell(ActiveCause& one, std::int64_t atMs, const Evidence& evidence, const Readings& readings, AlarmBook& alarms,
                        std::vector<Event>& events)
{
    alarms.raise(aboutOf(one.found.suspect), alarmOf(one, evidence, readings), atMs, events);
    for (auto& [suspect, other] : m_active) // together they cost more
        if (other.named && other.toldMs != atMs)
            alarms.change(aboutOf(suspect), alarmOf(other, evidence, readings), atMs, events), other.toldMs = atMs;
}

void ActiveCauses::renumber(const std::vector<PointNo>& now, FiguresPtr figures, bindings::BoundPtr bound, const Plans& plans)
{
    if (figures != m_figures) m_model = nullptr, m_rideThrough = {};
    m_figures = std::move(figures), m_bound = std::move(bound), m_plans = &plans;
    m_causes = nullptr;
    const auto moved = [&](std::vector<PointNo>& points) {
        for (PointNo& p : points) p = now[p];
        std::erase(points, bindings::kNoPoint);
        std::ranges::sort(points);
    };
    for (auto& [suspect, one] : m_active) {
        moved(one.found.explains), moved(one.covers), moved(one.stops), moved(one.leaves), moved(one.most);
        if (!living(*m_figures->snapshot, suspect.element.entity)) one.goneMs = 0;
    }
    moved(m_together);
    for (Ended& one : m_ended) moved(one.covers); // sensors that are back with what was mended bring other numbers
    m_lookedMs = -1;
}

void ActiveCauses::second(std::int64_t atMs, const Evidence& evidence, const Silence& silence, const Readings& readings, const Limits& limits,
                          const std::set<std::uint32_t>& flapping, const std::function<bool(PointNo)>& hot, AlarmBook& alarms,
                          std::vector<Event>& events)
{
    if (evidence.changed()) m_freshMs = atMs;
    for (Ended& one : m_ended)
        if (atMs - one.atMs >= kReadAgainMs) one.covers.clear();
    std::erase_if(m_ended, [&](const Ended& one) { return atMs - one.atMs >= kReadAgainMs + kAgainMs; }); // what it excused was looked at again
    if (evidence.sights().empty() && m_active.empty()) return;
    const bool rivals = std::ranges::any_of(m_active, [](const auto& entry) { return !entry.second.named && !entry.second.found.rivals.empty(); });
    const bool waits = (rivals || (m_freshMs >= 0 && atMs - m_freshMs <= kFreshMs)) && atMs - m_lookedMs >= kAgainMs;
    const auto holdOf = [&](const ActiveCause& one) {
        const std::int64_t least = limits.causeHoldMs + (one.found.open ? kOpenMs : one.supersedes ? kSupersedesMs : 0);
        if (one.found.rivals.empty()) return least;
        const std::int64_t untilMs = one.found.rivalsUntilMs - one.foundMs;
        const bool few = one.found.rivals.size() + one.found.alike.size() <= kMostRivals;
        return std::max(least, few ? std::min(untilMs, limits.causeHoldMs + kOpenMs) : untilMs);
    };
    const bool due =
        std::ranges::any_of(m_active, [&](const auto& entry) { return !entry.second.named && atMs - entry.second.foundMs >= holdOf(entry.second); });
    if ((evidence.changed() || waits || due) && atMs >= m_restsMs) {
        look(atMs, evidence, silence, hot);
        m_lookedMs = atMs;
        m_restsMs = atMs + std::int64_t(causes().tried() * 1000 / kTriesPerSecond);
    }
    const bool disputed = std::ranges::any_of(m_active, [](const auto& entry) { return !entry.second.named && entry.second.supersedes; });
    std::vector<ActiveCause*> begins;
    std::vector<Suspect> ends;
    for (auto& [suspect, one] : m_active) {
        const bool stands = m_lookedMs == atMs && atMs - one.foundMs >= holdOf(one);
        if (!one.named && !one.lone && stands && !flaps(one, flapping)) one.named = true, one.toldMs = atMs, begins.push_back(&one);
        if (one.named && !disputed && one.goneMs >= 0 && atMs - one.goneMs >= limits.holdMs) ends.push_back(suspect);
    }
    for (ActiveCause* one : begins) tell(*one, atMs, evidence, readings, alarms, events); // each with what all of them cost
    for (const Suspect& suspect : ends) {
        alarms.end(aboutOf(suspect), atMs, events);
        const auto at = m_active.find(suspect);
        if (at == m_active.end()) continue;
        ActiveCause& one = at->second;
        if (one.leaves.empty()) one.leaves = leftBy(one); // another took its place
        m_ended.push_back({atMs, one.mendedMs, std::move(one.leaves)});
        m_active.erase(at);
    }
    for (auto& [suspect, one] : m_active)
        if (one.named && one.toldMs >= 0 && atMs - one.toldMs >= kSettledMs) {
            alarms.change(aboutOf(suspect), alarmOf(one, evidence, readings), atMs, events);
            one.toldMs = -1;
        }
}

} // namespace hw::monitoring
