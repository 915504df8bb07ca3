// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/impact/cascade_timeline.h"

#include "core/derived/figures/feeder_size.h"
#include "core/derived/figures/power_feeds.h"
#include "core/foundation/model/setting_values.h"
#include "core/physics/power/battery.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace hw::impact {

namespace {

using power::Index;

constexpr std::int64_t kMostSteps = 10'000; ///< of one failure

/// Where no stored energy or static switch bridges the moment in which another way is taken.
bool changesOverWithGap(PowerElement element)
{
    using enum PowerElement;
    return element == None || element == Transformer || element == Switchgear || element == Switchboard || element == Busway;
}

/// True for what a circuit breaker protects; engines and rectifiers limit what they give themselves, a UPS goes over to its bypass.
bool hasBreaker(PowerElement element)
{
    using enum PowerElement;
    return element == Switchgear || element == Switchboard || element == StaticSwitch || element == Busway || element == Pdu ||
           element == Transformer;
}

/// What the protection of an element is rated for: its rating in kVA at the power factor; where it states none, the rating of which its capacity is
/// the share for continuous load. An engine's or a rectifier's own kW.
Milliwatts protectedAt(const PowerSpec& power, Milliwatts capacity, double powerFactor, double continuous)
{
    using enum PowerElement;
    if (power.element == None || power.element == Utility || power.element == Ups) return {};
    if (power.element == Generator) return capacity;
    if (power.apparent.value.count() > 0) return Milliwatts(std::llround(double(power.apparent.value.count()) * powerFactor));
    const bool shared = hasBreaker(power.element) && power.element != Transformer;
    return shared ? Milliwatts(std::llround(double(capacity.count()) / continuous)) : capacity;
}

/// Breakers and fuses look at each phase for itself; an engine, at all it gives.
bool tripsByPhase(PowerElement element)
{
    using enum PowerElement;
    return element != None && element != Utility && element != Ups && element != Generator && element != Transformer;
}

bool onOnePhase(std::span<const power::Feed> feeds)
{
    return !feeds.empty() && std::ranges::all_of(feeds, [](const power::Feed& feed) { return feed.phase != 0; });
}

/// The most loaded phase of what is above a limit now and was not before, 1 to 3; 0: none.
std::uint8_t fullPhase(const power::Phases& now, const power::Phases& before, std::int64_t most)
{
    std::uint8_t full = 0;
    for (std::uint8_t p = 0; p < 3 && most > 0; ++p)
        if (now.mw[p] > most && before.mw[p] <= most && (full == 0 || now.mw[p] > now.mw[full - 1])) full = std::uint8_t(p + 1);
    return full;
}

bool contains(const std::vector<Index>& sorted, Index i) { return std::ranges::binary_search(sorted, i); }

/// The bands of a design's breakers: miniature ones up to the scope of IEC 60898-1, electronic releases above it and at medium voltage.
struct BreakerCurves {
    static constexpr double kMostMiniatureAmps = 125;

    explicit BreakerCurves(const Snapshot& s)
        : volts(numberSetting(s, "rule.p2.phase_v", 230)), type(char(std::toupper(settingOf(s, "impact.breaker_curve")[0]))),
          bound(settingOf(s, "impact.trip_bound") == "latest" ? power::TripBound::Latest : power::TripBound::Earliest),
          release{numberSetting(s, "impact.long_time_s"), numberSetting(s, "impact.short_time"), numberSetting(s, "impact.short_time_s"),
                  numberSetting(s, "impact.instantaneous")}
    {
    }

    /// `va`: of all its phases.
    std::uint8_t of(PowerElement element, double va, bool onePhase, bool direct)
    {
        const double amps = direct ? va / kDirectVolts : va / volts / (onePhase ? 1 : 3);
        const bool low = element != PowerElement::Switchgear && element != PowerElement::Transformer && !direct;
        const auto curve = low && amps <= kMostMiniatureAmps ? power::TripCurve::miniature(type, amps) : power::TripCurve::electronic(release, amps);
        const auto known = std::ranges::find(all, curve);
        if (known == all.end()) all.push_back(curve);
        return std::uint8_t(std::ranges::find(all, curve) - all.begin());
    }

    double volts;
    char type;
    power::TripBound bound;
    power::ReleaseSettings release;
    std::vector<power::TripCurve> all; ///< a handful: kinds of breaker times conventional times
};

} // namespace

Plant Plant::of(const Snapshot& s, const ProjectParts& parts, const PowerChain& chain)
{
    const power::Network& given = chain.network;
    const auto n = Index(given.size());
    const double depth = std::min(1.0, numberSetting(s, "rule.p8.depth_percent", 95) / 100), share = numberSetting(s, "impact.trip_percent") / 100,
                 powerFactor = powerFactorOf(s), continuous = std::clamp(numberSetting(s, "rule.p2.continuous_percent", 80) / 100, 0.01, 1.0);
    BreakerCurves curves(s);
    std::vector<power::Element> elements;
    std::vector<std::vector<power::Feed>> feeds(n);
    std::vector<Index> batteryOf(n, kNoBattery), upsOf;
    std::vector<std::int64_t> energy, rated(n, 0), trip(n, 0), pole(n, 0), most;
    std::vector<std::uint8_t> curveOf(n, kNoCurve);
    const double batteryRate = numberSetting(s, "power.battery_kw_per_kwh");
    std::vector<char> generator(n, 0), slow(n, 0);
    for (Index i = 0; i < n; ++i) {
        elements.push_back(given[i]);
        feeds[i].assign(given.feeds(i).begin(), given.feeds(i).end());
    }
    s.devices.forEach([&](DeviceId id) {
        if (s.tiers.kind[s.devices.tier[id]] != TierKind::Power) return;
        const Index i = id.value;
        const DeviceSpec& spec = parts.device(s.devices.type[id]);
        const PowerElement element = spec.power.element;
        generator[i] = element == PowerElement::Generator;
        slow[i] = changesOverWithGap(element) && given[i].intake == power::Intake::Transfer && feeds[i].size() > 1;
        const double own = spec.power.continuousPermille.value > 0 ? double(spec.power.continuousPermille.value) / 1000 : continuous;
        rated[i] = trip[i] = std::llround(share * double(protectedAt(spec.power, spec.capacity.value, powerFactor, own).count()));
        if (rated[i] > 0 && hasBreaker(element)) {
            curveOf[i] = curves.of(element, double(rated[i]) / 1000 / powerFactor, onOnePhase(feeds[i]), takesDirectCurrent(spec));
            trip[i] = std::int64_t(double(rated[i]) * curves.all[curveOf[i]].carries(curves.bound));
        }
        if (tripsByPhase(element) && !takesDirectCurrent(spec) && !onOnePhase(feeds[i])) pole[i] = (trip[i] + 2) / 3;
        const bool stores = element == PowerElement::Ups && spec.power.battery.value.count() > 0;
        if (!stores || !chain.flow.live[i] || given[i].intake != power::Intake::Transfer) return;
        batteryOf[i] = Index(elements.size());
        feeds[i].push_back({batteryOf[i], 0, {}});
        elements.push_back({.source = true});
        feeds.emplace_back();
        upsOf.push_back(i);
        most.push_back(std::llround(double(spec.power.battery.value.count()) * batteryRate));
        const auto health = spec.power.endOfLifePermille.value > 0 ? spec.power.endOfLifePermille.value : 800;
        const double factor = given[i].loss.curve.empty() ? power::kInverterEfficiency : 1; // else the way from the battery carries the loss
        energy.push_back(std::llround(double(power::usableEnergy(spec.power.battery.value, {double(health) / 1000, depth})) * factor));
    });
    const auto ms = [&](const char* key) { return std::llround(1000 * numberSetting(s, key)); };
    std::optional<std::int64_t> tripMs;
    if (settingOf(s, "impact.trips") != "off") tripMs = ms("impact.trip_s");
    return {power::Network(std::move(elements), feeds),
            n,
            std::move(batteryOf),
            std::move(upsOf),
            std::move(energy),
            std::move(generator),
            std::move(slow),
            std::move(rated),
            std::move(trip),
            std::move(pole),
            std::move(curveOf),
            std::move(most),
            ms("impact.generator_start_s"),
            ms("impact.change_over_s"),
            tripMs,
            std::move(curves.all),
            curves.bound};
}

std::optional<std::int64_t> Plant::opensMs(Index device, const power::Phases& load) const
{
    if (!tripMs || rated[device] <= 0) return std::nullopt;
    const bool over = load.total().count() > trip[device],
               overPole = pole[device] > 0 && std::ranges::any_of(load.mw, [&](std::int64_t mw) { return mw > pole[device]; });
    if (!over && !overPole) return std::nullopt;
    if (curveOf[device] == kNoCurve) return tripMs;
    double multiple = double(load.total().count()) / double(rated[device]);
    if (pole[device] > 0) multiple = std::max(multiple, 3 * double(std::ranges::max(load.mw)) / double(rated[device]));
    return curves[curveOf[device]].opensMs(multiple, bound);
}

Clock::Clock(const Plant& plant) : m_plant(plant), m_survey(plant.network)
{
    m_anySlow = std::ranges::any_of(plant.slow, [](char slow) { return slow != 0; });
}

/// A generator that stood still and now has something to carry.
bool Clock::startsNow(const power::Impact::Change& change) const
{
    return change.element < m_plant.devices && m_plant.generator[change.element] && change.through.total().count() > 0 &&
           m_survey.base().through[change.element].total().count() == 0;
}

/// Left above its rating by the failure. What was above it before holds, whatever the reason.
bool Clock::overloads(const power::Impact::Change& change) const
{
    if (!m_plant.tripMs) return false;
    if (change.element >= m_plant.devices) {
        const std::int64_t most = m_plant.most[change.element - m_plant.devices];
        return most > 0 && change.through.total().count() > most;
    }
    const power::Phases& before = m_survey.base().through[change.element];
    const std::int64_t most = m_plant.trip[change.element];
    if (most > 0 && change.through.total().count() > most && before.total().count() <= most) return true;
    return fullPhase(change.through, before, m_plant.pole[change.element]) != 0;
}

bool Clock::holds(Index element, const power::Impact& state) const
{
    return m_survey.base().live[element] && !contains(m_gone, element) && !contains(state.dark, element);
}

std::uint32_t Clock::usualWayOf(Index element) const
{
    const auto feeds = m_plant.network.feeds(element);
    return std::uint32_t(std::ranges::find_if(feeds, [&](const power::Feed& feed) { return m_survey.base().live[feed.from] != 0; }) - feeds.begin());
}

/// The way that something live uses.
std::uint32_t Clock::wayOf(Index element, const power::Impact& state) const
{
    const auto feeds = m_plant.network.feeds(element);
    std::uint32_t way = 0;
    for (; way < feeds.size(); ++way)
        if (holds(feeds[way].from, state) && std::ranges::find(m_cut, power::Network::Use{element, way}) == m_cut.end()) break;
    return way;
}

bool Clock::happensAtOnce(const power::Impact& settled)
{
    if (std::ranges::any_of(settled.dark, [&](Index i) { return m_plant.batteryOf[i] != Plant::kNoBattery; })) return false;
    if (std::ranges::any_of(settled.changed, [&](const auto& change) { return startsNow(change) || overloads(change); })) return false;
    if (!m_anySlow) return true;
    return std::ranges::none_of(settled.weakened, [&](Index i) { return m_plant.slow[i] && wayOf(i, settled) != usualWayOf(i); });
}

const CascadeTimeline& Clock::run(std::span<const Index> lost, std::span<const power::Network::Use> cut, const power::Impact& settled)
{
    m_course.happenings.clear(), m_course.tripped.clear(), m_course.gaps.clear(), m_course.darkSinceMs.clear(), m_course.peaks.clear(),
        m_course.overloaded.clear();
    m_course.endMs = 0, m_course.rideThroughMs.reset();
    m_lost.assign(lost.begin(), lost.end()), m_cut.assign(cut.begin(), cut.end());
    m_gone = m_lost;
    std::ranges::sort(m_gone);
    if (happensAtOnce(settled)) return m_course;
    for (auto* times : {&m_wanted, &m_moving, &m_left}) times->clear();
    m_over.clear();
    m_running.clear(), m_empty.clear(), m_way.clear(), m_target.clear(), m_drain.clear(), m_dark.clear(), m_unloaded.clear();
    m_now = 0;
    for (std::int64_t step = 0; step < kMostSteps; ++step) {
        settle();
        const auto next = soonest();
        if (!next) break;
        passTo(*next);
        happen();
    }
    m_course.endMs = m_now;
    m_course.darkSinceMs = m_dark;
    return m_course;
}

power::Impact Clock::stateNow()
{
    m_gone = m_lost;
    m_gone.insert(m_gone.end(), m_course.tripped.begin(), m_course.tripped.end());
    m_gone.insert(m_gone.end(), m_empty.begin(), m_empty.end());
    for (const auto* times : {&m_wanted, &m_moving})
        for (const auto& [i, ms] : *times) m_gone.push_back(i);
    std::ranges::sort(m_gone);
    m_gone.erase(std::unique(m_gone.begin(), m_gone.end()), m_gone.end());
    return m_survey.lose(m_gone, m_cut);
}

/// Generators that would carry something but do not run yet, and what has to change over before it carries anything again.
bool Clock::wantsMore(const power::Impact& state, const Times& wantedBefore)
{
    bool more = false;
    for (const auto& change : state.changed) {
        if (!startsNow(change) || std::ranges::find(m_running, change.element) != m_running.end()) continue;
        const auto before = wantedBefore.find(change.element);
        m_wanted[change.element] = before == wantedBefore.end() ? m_now : before->second;
        more = true;
    }
    if (more || !m_anySlow) return more;
    for (const Index i : state.weakened) {
        if (!m_plant.slow[i]) continue;
        const std::uint32_t way = wayOf(i, state);
        const auto used = m_way.find(i);
        if (way == (used == m_way.end() ? usualWayOf(i) : used->second)) continue;
        if (const Index from = m_plant.network.feeds(i)[way].from; from < m_plant.devices && m_plant.generator[from]) continue; // within its start
        m_moving[i] = m_now + m_plant.overMs;
        m_target[i] = way;
        more = true;
    }
    return more;
}

void Clock::settle()
{
    Times before;
    before.swap(m_wanted);
    power::Impact state = stateNow();
    while (wantsMore(state, before)) state = stateNow();
    for (const Index i : state.weakened)
        if (m_plant.slow[i]) m_way[i] = wayOf(i, state);
    std::erase_if(m_way, [&](const auto& used) { // all ways back
        return !contains(state.weakened, used.first) && !contains(state.dark, used.first) && !contains(m_gone, used.first);
    });
    m_changed = state.changed;
    for (const std::size_t at : m_unloaded) m_course.happenings[at].load = carried(m_course.happenings[at].device);
    m_unloaded.clear();
    std::map<Index, double> over;
    for (const auto& change : state.changed) {
        if (change.element < m_plant.devices && m_plant.trip[change.element] > 0 &&
            change.through.total() > m_survey.base().through[change.element].total()) {
            Milliwatts& peak = m_course.peaks[change.element];
            peak = std::max(peak, change.through.total());
        }
        if (!overloads(change)) continue;
        const auto at = std::ranges::lower_bound(m_course.overloaded, change.element);
        if (change.element < m_plant.devices && (at == m_course.overloaded.end() || *at != change.element))
            m_course.overloaded.insert(at, change.element);
        const auto used = m_over.find(change.element);
        over[change.element] = used == m_over.end() ? 0 : used->second;
    }
    m_over = std::move(over);
    readBatteries(state);
    readDark(state);
}

void Clock::readDark(const power::Impact& state)
{
    std::vector<Index> now = state.dark;
    for (const auto& [i, until] : m_moving) now.push_back(i);
    std::ranges::sort(now);
    std::vector<std::pair<Index, std::int64_t>> dark;
    auto was = m_dark.begin();
    const auto ended = [&] {
        if (was->second < m_now && !contains(m_gone, was->first)) m_course.gaps.push_back({was->first, was->second, m_now});
        ++was;
    };
    for (const Index i : now) {
        while (was != m_dark.end() && was->first < i) ended();
        const bool already = was != m_dark.end() && was->first == i;
        dark.emplace_back(i, already ? was->second : m_now);
        if (already) ++was;
    }
    while (was != m_dark.end()) ended();
    m_dark = std::move(dark);
}

void Clock::readBatteries(const power::Impact& state)
{
    m_drain.clear();
    for (const auto& change : state.changed) {
        if (change.element < m_plant.devices) continue;
        const Index battery = change.element - m_plant.devices, ups = m_plant.upsOf[battery];
        const Milliwatts drain = change.through.total();
        if (drain.count() <= 0) continue;
        m_drain[battery] = drain;
        const auto [left, fresh] = m_left.try_emplace(battery, m_plant.energy[battery]);
        if (!fresh) continue;
        const std::int64_t lasts = left->second / drain.count();
        m_course.rideThroughMs = std::min(lasts, m_course.rideThroughMs.value_or(lasts));
        note(CascadeEvent::What::OnBattery, ups, carried(ups), {}, lasts);
    }
}

/// Time until the protection of something overloaded acts, at what it carries now: the rest of its time that is not used up.
std::optional<std::int64_t> Clock::opensIn(Index i) const
{
    const auto whole = i < m_plant.devices ? m_plant.opensMs(i, phasesOf(i)) : m_plant.tripMs;
    if (!whole) return std::nullopt;
    return std::int64_t(std::ceil(double(*whole) * std::max(0.0, 1 - m_over.at(i)) - 1e-6));
}

std::optional<std::int64_t> Clock::soonest() const
{
    std::optional<std::int64_t> next;
    const auto at = [&](std::int64_t ms) { next = std::max(m_now, std::min(ms, next.value_or(ms))); };
    for (const auto& [i, since] : m_wanted) at(since + m_plant.startMs);
    for (const auto& [i, until] : m_moving) at(until);
    for (const auto& [i, used] : m_over)
        if (const auto left = opensIn(i)) at(m_now + *left);
    for (const auto& [battery, drain] : m_drain) {
        const std::int64_t left = m_left.at(battery);
        at(m_now + left / drain.count() + (left % drain.count() != 0));
    }
    return next;
}

void Clock::passTo(std::int64_t ms)
{
    for (const auto& [battery, drain] : m_drain) {
        std::int64_t& left = m_left.at(battery);
        left = std::max<std::int64_t>(0, left - drain.count() * (ms - m_now));
    }
    for (auto& [i, used] : m_over) {
        const auto whole = i < m_plant.devices ? m_plant.opensMs(i, phasesOf(i)) : m_plant.tripMs;
        if (whole) used = *whole > 0 ? used + double(ms - m_now) / double(*whole) : 1;
    }
    m_now = ms;
}

void Clock::happen()
{
    for (const auto& [battery, drain] : m_drain)
        if (m_left.at(battery) == 0) {
            m_empty.push_back(m_plant.devices + battery);
            m_over.erase(m_plant.devices + battery);
            note(CascadeEvent::What::BatteryEmpty, m_plant.upsOf[battery]);
        }
    tripDue();
    std::erase_if(m_wanted, [&](const auto& wanted) {
        if (wanted.second + m_plant.startMs > m_now) return false;
        m_running.push_back(wanted.first);
        m_unloaded.push_back(m_course.happenings.size());
        note(CascadeEvent::What::Started, wanted.first);
        return true;
    });
    std::erase_if(m_moving, [&](const auto& moving) {
        if (moving.second > m_now) return false;
        m_way[moving.first] = m_target.at(moving.first);
        m_unloaded.push_back(m_course.happenings.size());
        note(CascadeEvent::What::ChangedOver, moving.first);
        return true;
    });
}

/// Of overloaded elements in line, the ones nearest to the loads: that may relieve those above.
void Clock::tripDue()
{
    std::vector<Index> due, above;
    for (const auto& [i, used] : m_over)
        if (opensIn(i) == std::int64_t(0)) due.push_back(i);
    if (due.empty()) return;
    const auto add = [&](Index of) {
        for (const auto& feed : m_plant.network.feeds(of))
            if (std::ranges::find(above, feed.from) == above.end()) above.push_back(feed.from);
    };
    for (const Index i : due) add(i);
    for (std::size_t at = 0; at < above.size(); ++at) add(above[at]);
    for (const Index i : due) {
        if (std::ranges::find(above, i) != above.end()) continue;
        trip(i);
        m_over.erase(i);
    }
}

void Clock::trip(Index i)
{
    if (i >= m_plant.devices) {
        const Index battery = i - m_plant.devices;
        m_empty.push_back(i);
        return note(CascadeEvent::What::BatteryTripped, m_plant.upsOf[battery], carried(i), Milliwatts(m_plant.most[battery]));
    }
    const Milliwatts load = carried(i);
    m_course.tripped.push_back(i);
    if (load.count() > m_plant.trip[i]) return note(CascadeEvent::What::Tripped, i, load, Milliwatts(m_plant.rated[i]));
    const power::Phases& now = phasesOf(i);
    const std::uint8_t phase = fullPhase(now, m_survey.base().through[i], m_plant.pole[i]);
    note(CascadeEvent::What::PhaseTripped, i, Milliwatts(now.mw[phase - 1]), Milliwatts(m_plant.rated[i] / 3));
    m_course.happenings.back().phase = phase;
}

/// What an element carries in the last state.
Milliwatts Clock::carried(Index element) const { return phasesOf(element).total(); }

const power::Phases& Clock::phasesOf(Index element) const
{
    const auto found = std::ranges::lower_bound(m_changed, element, {}, &power::Impact::Change::element);
    return found != m_changed.end() && found->element == element ? found->through : m_survey.base().through[element];
}

void Clock::note(CascadeEvent::What what, Index device, Milliwatts load, Milliwatts rating, std::int64_t lasts)
{
    m_course.happenings.push_back({what, m_now, device, load, rating, lasts, 0});
}

} // namespace hw::impact
