// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/following/sequence.h"

#include "core/foundation/base/fence.h"
#include "core/foundation/base/log.h"
#include "core/foundation/catalog/entity.h"
#include "core/operations/bindings/state_words.h"
#include "core/operations/monitoring/incident/event_output.h"

#include <algorithm>
#include <cmath>

namespace hw::following {

namespace {

constexpr std::int64_t kAhead = 5000;            ///< a sample dated further ahead of its arrival does not make later ones late
constexpr std::int64_t kShiftMs = 10'000;        ///< a clock that moved by less is late or early, and did not jump (assumed)
constexpr std::int64_t kSoonMs = 5000;           ///< of what speaks more often, three in a row show a jump, of others two
constexpr std::int64_t kSameClockMs = 2000;      ///< by which what clocks of one gateway are behind differs (assumed)
constexpr std::int64_t kLongestLateMs = 120'000; ///< nothing is read less often (assumed)
constexpr std::int64_t kEmptyS = 3600;           ///< of a time without any data that is judged second by second; nothing happens after it
constexpr std::int64_t kChannelsBound = 200'000; ///< in a second, at least: so often bindings are made again at most
/// A judge or binder that fails is tried again after a second, then after two, four, … by the time of what arrives; one that worked for a while
/// begins with a second again.
constexpr std::int64_t kLongestWaitS = 60, kSteadyS = 600;

/// What is looked at together: the rack, else the row, else the hall that the entity stands in; 0: none of them.
std::uint32_t groupOf(const Snapshot& snapshot, EntityRef entity)
{
    const auto around = ancestry(snapshot, entity);
    for (std::size_t i = around.size(); i-- > 0;) switch (around[i].kind) {
        case EntityKind::Rack: return 4 * around[i].id + 1;
        case EntityKind::Row: return 4 * around[i].id + 2;
        case EntityKind::Hall: return 4 * around[i].id + 3;
        default: break;
        }
    return 0;
}

} // namespace

Sequence::Sequence(Parts parts, FiguresPtr design) : m_parts(std::move(parts)), m_design(std::move(design))
{
    if (const auto fault = faultIn([this] { m_judge = m_parts.judge(); })) judgeFailed(*fault);
    bind();
}

template <class Work>
void Sequence::judge(Work&& work)
{
    if (!m_judge) return;
    if (const auto fault = faultIn([&] { work(*m_judge); })) judgeFailed(*fault);
}

template <class Work>
void Sequence::record(Work&& work)
{
    if (!m_parts.recorder || m_recordingFailed) return;
    const auto fault = faultIn([&] { work(*m_parts.recorder); });
    if (!fault) return;
    m_recordingFailed = true; // what follows a hole would be another recording
    logging::error(logging::Id::RecordingFault, "{}", *fault);
    failed("recording", i18n("{}; recording stopped", *fault));
}

void Sequence::judgeFailed(const std::string& fault)
{
    m_judge.reset();
    if (m_second - m_restartedAt > kSteadyS) m_restartWaitS = 0;
    m_restartWaitS = std::clamp<std::int64_t>(2 * m_restartWaitS, 1, kLongestWaitS);
    m_restartAt = m_second + m_restartWaitS;
    logging::error(logging::Id::JudgeFault, "the judge stopped at second {}: {}; another one follows in {} s", m_second, fault, m_restartWaitS);
    failed("judge", i18n("{}; evaluation is suspended for {} s", fault, m_restartWaitS));
}

/// Another judge, from the design, the bindings and what every channel said last.
void Sequence::restartJudge()
{
    std::unique_ptr<Judge> made;
    const auto fault = faultIn([&] {
        made = m_parts.judge();
        made->design(m_boundDesign, m_bound);
        if (!m_simulated.gbps.empty()) made->simulated(m_simulated.gbps, m_simulated.after);
        for (const auto& gap : m_open) made->gap(gap);
        m_points.clear();
        for (bindings::ChannelNo number = 0; number < m_states.size(); ++number)
            if (m_states[number].any) toPoint(number);
        if (!m_points.empty()) made->take(m_points);
    });
    m_restartedAt = m_second;
    if (fault) return judgeFailed(*fault);
    m_judge = std::move(made);
    m_toldAgain = m_open.size();
    logging::warn(logging::Id::JudgeRestarted, "judged again from second {}, with {} values", m_second, m_points.size());
    tell(
        monitoring::Trouble{"judge", i18n("re-evaluated with the latest values; alarms and deviations that persist are reported again"), true, true});
}

void Sequence::failed(const std::string& place, const Text& what)
{
    logging::error(logging::Id::FollowerFault, "{}: {}", place, what);
    {
        const std::lock_guard lock(m_shared);
        ++m_counts.faults;
        m_fault = what, m_faultAt = place;
    }
    tell(monitoring::Trouble{place, what, false, false});
}

void Sequence::tell(monitoring::Trouble trouble)
{
    monitoring::Event event;
    event.kind = monitoring::Event::Kind::Trouble, event.atMs = m_second * 1000, event.trouble = std::move(trouble);
    if (m_second == 0)
        m_held.push_back(std::move(event));
    else
        tell(event);
}

void Sequence::tell(const monitoring::Event& event)
{
    (void)faultIn([&] { log(event); });
    if (!m_parts.event) return;
    const auto fault = faultIn([&] { m_parts.event(event); });
    if (!fault) return; // whom it is told to has failed: that can but be counted
    logging::error(logging::Id::FollowerFault, "output: {}", *fault);
    const std::lock_guard lock(m_shared);
    ++m_counts.faults;
    m_fault = verbatim(*fault), m_faultAt = "output"; // no text: as in events
}

void Sequence::log(const monitoring::Event& event) const
{
    using Kind = monitoring::Event::Kind;
    using logging::Id;
    const Figures& design = m_boundDesign ? *m_boundDesign : *m_design; // that it was judged by
    const bool cause = event.alarm.kind == monitoring::AlarmKind::Cause;
    const auto evidence = [&] {
        std::string out = fmt::format("{} symptoms", event.alarm.symptoms.size()); // no text: of the log
        for (std::size_t i = 0; i < std::min<std::size_t>(3, event.alarm.compared.size()); ++i) {
            const auto& c = event.alarm.compared[i];
            const std::string name = entityName(*design.snapshot, *design.parts, c.entity);
            constexpr const char* kPattern = ", {} {} {:.6g} (planned {:.6g}, predicted {:.6g})"; // no text: of the log
            out += fmt::format(fmt::runtime(kPattern), name, wordOf(c.measure), c.measured, c.planned, c.predicted);
        }
        return out;
    };
    switch (event.kind) {
    case Kind::Alarm:
        if (!logging::writes(logging::Level::Info)) return;
        if (cause) return logging::info(Id::CauseFound, "{}: {}; {}", event.alarm.id, event.alarm.what, evidence());
        return logging::info(Id::AlarmRaised, "{}: {}", event.alarm.id, event.alarm.what);
    case Kind::AlarmChanges: return logging::debug(Id::CauseChanged, "{}: {}", event.alarm.id, event.alarm.what);
    case Kind::AlarmEnds: {
        const auto seconds = (event.atMs - event.alarm.sinceMs) / 1000;
        return logging::info(cause ? Id::CauseCleared : Id::AlarmCleared, "{} after {} s: {}", event.alarm.id, seconds, event.alarm.what);
    }
    case Kind::Deviation: return logging::debug(Id::DeviationFound, "{}", monitoring::eventText(event, design));
    case Kind::DeviationEnds: return logging::debug(Id::DeviationCleared, "{}", monitoring::eventText(event, design));
    case Kind::Gap:
        if (event.gap.toMs) return logging::info(Id::SourceBack, "{} after {} s", event.gap.source, (event.gap.toMs - event.gap.fromMs) / 1000);
        return logging::warn(Id::SourceLost, "{} since {}: {}", event.gap.source, monitoring::timeText(event.gap.fromMs), event.gap.why);
    case Kind::Trouble: return; // where it arose
    }
}

void Sequence::work(Simulated& simulated)
{
    m_simulated = {std::move(simulated.gbps), std::move(simulated.after)};
    judge([this](Judge& judge) { judge.simulated(m_simulated.gbps, m_simulated.after); });
}

void Sequence::work(Item&& item)
{
    std::visit([this](auto& one) { work(one); }, item);
}

void Sequence::work(Declared& declared)
{
    record([&](bindings::Recorder& to) { to.channel(declared.number, declared.text); });
    m_declared.push_back(std::move(declared));
}

/// What is said of channels holds from the next arrival on, as a recording knows no other time of it.
void Sequence::takeDeclared()
{
    if (m_declared.empty()) return;
    m_changed = true;
    const std::lock_guard lock(m_shared);
    for (auto& declared : m_declared) {
        if (declared.number >= m_channels.size()) {
            m_channels.resize(declared.number + 1);
            m_states.resize(declared.number + 1);
        } else
            m_saidAnew.push_back(declared.number);
        m_channels[declared.number] = std::move(declared.text);
    }
    m_declared.clear();
    m_counts.channels = m_channels.size();
}

void Sequence::work(Gapped& gapped)
{
    arrive(gapped.atMs);
    record([&](bindings::Recorder& to) { to.gap(gapped.atMs, gapped.gap); });
    const bindings::Gap& gap = gapped.gap;
    std::erase_if(m_open, [&](const bindings::Gap& one) { return one.source == gap.source; });
    if (gap.toMs == 0) m_open.push_back(gap);
    if (m_judge)
        judge([&](Judge& judge) { judge.gap(gap); });
    else { // nobody else tells it
        monitoring::Event event;
        event.kind = monitoring::Event::Kind::Gap, event.atMs = gap.toMs ? gap.toMs : gap.fromMs, event.gap = gap;
        tell(event);
    }
    const std::lock_guard lock(m_shared);
    if (gapped.gap.toMs == 0) ++m_counts.gaps; // told again when it ends
}

void Sequence::work(Designed& designed)
{
    m_design = std::move(designed.design);
    m_changed = true;
    if (m_second == 0) bind();
}

void Sequence::work(Answered& answered)
{
    reach(answered.atMs);
    record([&](bindings::Recorder& to) {
        if (auto* taker = dynamic_cast<monitoring::AlarmResponseSink*>(&to)) taker->answered(answered.atMs, answered.answer);
    });
    judge([&](Judge& judge) { judge.answer(answered.answer, answered.atMs); });
}

void Sequence::arrive(std::int64_t atMs)
{
    if (m_second == 0) {
        m_second = atMs / 1000;
        for (auto& event : std::exchange(m_held, {})) event.atMs = atMs, tell(event);
    }
    reach(atMs);
    takeDeclared();
}

void Sequence::reach(std::int64_t atMs)
{
    const std::int64_t from = m_second, last = atMs / 1000;
    while (m_second > 0 && m_second < last) {
        ++m_second;
        if (m_second - from > kEmptyS) m_second = last; // of a recording
        if (std::exchange(m_shiftChanged, false)) judge([this](Judge& judge) { judge.clock(m_shift); });
        {
            const std::lock_guard lock(m_shared);
            m_counts.judgedMs = m_second * 1000;
        }
        if (m_changed && m_second >= m_bindFrom) bind();
        if (!m_judge && m_second >= m_restartAt) restartJudge();
        std::vector<monitoring::Event> events;
        judge([&](Judge& judge) { events = judge.advance(m_second * 1000); });
        for (const auto& event : events) {
            if (m_toldAgain > 0 && event.kind == monitoring::Event::Kind::Gap && std::ranges::any_of(m_open, [&](const bindings::Gap& gap) {
                    return gap.source == event.gap.source && gap.fromMs == event.gap.fromMs && event.gap.toMs == 0;
                })) {
                --m_toldAgain;
                continue;
            }
            tell(event);
        }
        m_toldAgain = 0;
    }
}

bindings::BoundPtr Sequence::boundNow()
{
    bindings::BoundPtr found;
    const auto fault = faultIn([&] { found = m_parts.binder(m_design, m_channels, m_saidAnew); });
    if (!fault && found && found->channels.size() >= m_channels.size()) {
        m_bindWaitS = 0;
        return found;
    }
    const std::string what = fault ? *fault : std::string("not every channel was looked at"); // no text: as what() is
    m_bindWaitS = std::clamp<std::int64_t>(2 * m_bindWaitS, 1, kLongestWaitS);
    m_bindFrom = m_second + m_bindWaitS;
    m_changed = true;
    logging::error(logging::Id::BindingFault, "{} channels: {}; tried again in {} s", m_channels.size(), what, m_bindWaitS);
    failed("bindings", i18n("{}; new channels and edits are ignored for {} s", what, m_bindWaitS));
    return nullptr;
}

void Sequence::bind()
{
    m_changed = false;
    m_bindFrom = m_second + 1 + std::int64_t(m_channels.size()) / kChannelsBound;
    bindings::BoundPtr now = boundNow();
    if (!now && m_bound) return;
    if (now)
        m_saidAnew.clear();
    else { // the first of all: nothing is bound
        auto none = std::make_shared<bindings::Bound>();
        none->channels.resize(m_channels.size());
        none->unbound = m_channels.size();
        now = std::move(none);
    }
    const bindings::BoundPtr before = std::exchange(m_bound, std::move(now));
    m_boundDesign = m_design;
    judge([this](Judge& judge) { judge.design(m_boundDesign, m_bound); });
    judgeWhatWasThere(before);
    if (m_parts.store)
        if (const auto fault = faultIn([this] { groupStore(); })) failed("history", verbatim(*fault));
    logging::info(logging::Id::Bound, "{} channels: {} bound, {} unbound, {} ambiguous, {} with a unit in conflict, {} ignored", m_channels.size(),
                  m_bound->bound, m_bound->unbound, m_bound->ambiguous, m_bound->conflicting, m_bound->setAside);
    {
        const std::lock_guard lock(m_shared);
        m_counts.bound = m_bound->bound;
        m_counts.unbound = m_bound->unbound;
        m_counts.ambiguous = m_bound->ambiguous;
        m_counts.conflicting = m_bound->conflicting;
        m_counts.setAside = m_bound->setAside;
    }
    if (!m_parts.boundAgain) return;
    if (const auto fault = faultIn([this] { m_parts.boundAgain(m_channels.size()); })) failed("output", verbatim(*fault));
}

/// Channels that have got a point, or another one: what they said last counts there. A value that comes once is not missed.
void Sequence::judgeWhatWasThere(const bindings::BoundPtr& before)
{
    m_points.clear();
    for (bindings::ChannelNo number = 0; number < m_channels.size(); ++number) {
        const auto& now = m_bound->channels[number];
        m_states[number].point = now.point;
        const bool lost = now.point == bindings::kNoPoint && now.reason != bindings::Bound::Reason::SetAside;
        const bool leak = lost && bindings::reportsLeak(m_channels[number]);
        if (m_states[number].leak && !leak) judge([&](Judge& judge) { judge.unboundLeak(m_channels[number].name, false); });
        const bool fresh = leak && !m_states[number].leak && m_states[number].any;
        m_states[number].leak = leak;
        if (fresh) tellLeak(number);
        const bool same = before && number < before->channels.size() && before->channels[number].point != bindings::kNoPoint &&
                          now.point != bindings::kNoPoint && before->channels[number].conversion == now.conversion &&
                          before->points[before->channels[number].point] == m_bound->points[now.point];
        if (!same && m_states[number].any) toPoint(number);
    }
    if (!m_points.empty()) judge([this](Judge& judge) { judge.take(m_points); });
}

void Sequence::groupStore()
{
    std::vector<std::uint32_t> ofPoint(m_bound->points.size(), 0), groups(m_channels.size(), 0);
    for (std::size_t i = 0; i < ofPoint.size(); ++i) // those of one entity follow each other
        ofPoint[i] = i > 0 && m_bound->points[i].entity == m_bound->points[i - 1].entity ? ofPoint[i - 1]
                                                                                         : groupOf(*m_design->snapshot, m_bound->points[i].entity);
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (m_bound->channels[i].point != bindings::kNoPoint) groups[i] = ofPoint[m_bound->channels[i].point];
    m_parts.store->together(groups);
}

/// What reports a leak and belongs to no point is reported, too: nobody may miss it because of a name.
void Sequence::tellLeak(bindings::ChannelNo number)
{
    const State& state = m_states[number];
    if (!state.leak || std::isnan(state.value)) return;
    judge([&](Judge& judge) { judge.unboundLeak(m_channels[number].name, state.value >= 0.5); });
}

/// Adds what the channel says now, in the unit of its point.
void Sequence::toPoint(bindings::ChannelNo number)
{
    const State& state = m_states[number];
    if (state.point == bindings::kNoPoint) return;
    const auto& conversion = m_bound->channels[number].conversion;
    if (conversion.counter && !state.rated && !std::isnan(state.value)) return;
    const double value = conversion.counter && !std::isnan(state.value) ? state.rate : state.value;
    m_points.push_back({state.point, state.saidMs, std::isnan(value) ? value : conversion(value), state.good});
}

/// Whether the clock of a channel was set back: what it says is dated before what it said, and again as far behind its arrival. What is sent
/// again after a gap catches up meanwhile.
bool Sequence::wasSetBack(State& state, const bindings::Sample& sample, std::int64_t atMs)
{
    const std::int64_t behind = atMs - sample.timeMs;
    if (behind - state.lagMs < kShiftMs) return false;
    const auto same = [&](std::int64_t other, std::int64_t afterMs) { return std::abs(behind - other) <= std::max<std::int64_t>(500, afterMs / 5); };
    const std::int64_t after = state.lateAtMs < 0 ? 0 : atMs - state.lateAtMs;
    const bool again = state.lateAtMs >= 0 && after >= 900 && same(state.lateMs, after);
    if (state.lateAtMs < 0 || after >= 900) {
        state.lateRun = again ? std::uint8_t(std::min(state.lateRun + 1, 3)) : std::uint8_t(1);
        state.lateMs = behind, state.lateAtMs = atMs, state.lateValue = sample.value, state.lateGood = sample.good;
    }
    const bool known = m_setBackMs > 0 && std::abs(behind - m_setBackMs) <= kSameClockMs; // that of its gateway
    return known || (again && state.lateRun >= (after < kSoonMs ? 3 : 2));
}

void Sequence::noteClock(bindings::ChannelNo number, bool shifted, std::int64_t byMs)
{
    State& state = m_states[number];
    if (std::exchange(state.shifted, shifted) == shifted) return;
    m_shiftChanged = true;
    if (!shifted) {
        if (--m_shift.channels == 0) m_shift = {}, m_setBackMs = 0;
        return;
    }
    if (m_shift.channels++ == 0) m_shift.channel = m_channels[number].name, m_shift.byMs = byMs;
}

/// A counter's rise follows from the number before. One that starts again has risen by nobody knows how much: what it did before counts on.
void Sequence::countUp(State& state, const bindings::Sample& sample, std::int64_t atMs, bool clockMoved)
{
    if (std::isnan(sample.value)) return;
    const std::int64_t passed = clockMoved ? atMs - state.countAtMs : sample.timeMs - state.countMs;
    if (!state.counted || passed <= 0)
        state.rated = false;
    else if (sample.value >= state.count)
        state.rated = true, state.rate = (sample.value - state.count) * 1000 / double(passed);
    state.counted = true, state.count = sample.value, state.countMs = sample.timeMs, state.countAtMs = atMs;
}

/// Whether the sample is the newest of its channel, which it is from now on. Where a clock jumps, what arrives last is the newest.
bool Sequence::fresh(const bindings::Sample& sample, std::int64_t atMs, Counts& counts)
{
    State& state = m_states[sample.channel];
    const bool wasAhead = state.any && state.timeMs > atMs + kAhead;
    bool setBack = false;
    if (state.any && sample.timeMs <= state.timeMs && !wasAhead) {
        if (sample.timeMs < state.timeMs) ++counts.outOfOrder;
        setBack = wasSetBack(state, sample, atMs);
        if (!setBack) return false;
        m_setBackMs = atMs - sample.timeMs;
    }
    state.lateAtMs = -1, state.lateRun = 0;
    const std::int64_t lag = atMs - sample.timeMs;
    const bool jumpsAhead = state.any && lag < -kAhead && state.lagMs - lag > kShiftMs;
    const bool stays = state.shifted && std::abs(lag - state.lagMs) > kShiftMs;
    const bool shifted = setBack || jumpsAhead || stays;
    countUp(state, sample, atMs, setBack || jumpsAhead || wasAhead || state.shifted != shifted);
    noteClock(sample.channel, shifted, -lag);
    if (!shifted) state.lagMs = lag;
    state.saidMs = std::max(state.saidMs, shifted || lag < -kAhead ? atMs : sample.timeMs);
    state.any = true;
    state.arrivedMs = atMs;
    state.timeMs = sample.timeMs;
    state.value = sample.value;
    state.good = sample.good;
    return true;
}

/// It is clear by now that clocks were set back: what came shortly before, and seemed out of order, was the newest of its channel.
void Sequence::takeLate(std::int64_t atMs)
{
    Counts counted; // when it came
    for (bindings::ChannelNo number = 0; number < m_states.size(); ++number) {
        const State& state = m_states[number];
        if (state.lateAtMs < 0 || atMs - state.lateAtMs > kLongestLateMs || std::abs(state.lateMs - m_setBackMs) > kSameClockMs) continue;
        const bindings::Sample late{number, state.lateAtMs - state.lateMs, state.lateValue, state.lateGood};
        if (fresh(late, state.lateAtMs, counted)) toPoint(number), tellLeak(number);
    }
}

void Sequence::work(Taken& taken)
{
    arrive(taken.atMs);
    record([&](bindings::Recorder& to) { to.take(taken.atMs, taken.samples); });
    m_kept.clear();
    m_points.clear();
    Counts counts;
    const std::int64_t setBackMs = m_setBackMs;
    for (const auto& sample : taken.samples) {
        if (sample.channel >= m_states.size()) continue; // never declared: a fault of the source
        ++counts.received;
        if (std::isnan(sample.value)) ++counts.notNumbers;
        const State& state = m_states[sample.channel];
        if (state.any && sample.timeMs == state.timeMs) {
            ++counts.duplicate;
            continue;
        }
        if (fresh(sample, taken.atMs, counts)) toPoint(sample.channel), tellLeak(sample.channel);
        m_kept.push_back(sample);
    }
    if (setBackMs == 0 && m_setBackMs > 0) takeLate(taken.atMs);
    if (!m_points.empty()) judge([this](Judge& judge) { judge.take(m_points); });
    if (m_parts.store && !m_kept.empty())
        if (const auto fault = faultIn([this] { m_parts.store->append(m_kept, m_channels); })) {
            counts.lost += m_kept.size();
            failed("history", i18np(m_kept.size(), "{1}; {0:L} sample is not stored", "{1}; {0:L} samples are not stored", *fault));
        }
    Text trouble = m_parts.recorder ? m_parts.recorder->trouble() : Text();
    const std::lock_guard lock(m_shared);
    m_trouble = std::move(trouble);
    m_counts.received += counts.received;
    m_counts.duplicate += counts.duplicate;
    m_counts.outOfOrder += counts.outOfOrder;
    m_counts.notNumbers += counts.notNumbers;
    m_counts.lost += counts.lost;
}

Result<void> Sequence::finish()
{
    takeDeclared();
    for (const auto& event : std::exchange(m_held, {})) tell(event); // nothing has ever arrived
    if (m_changed) bind();                                           // channels that came last are counted, too
    Result<void> finished;
    record([&](bindings::Recorder& to) { finished = to.finish(m_second * 1000); });
    if (m_recordingFailed && finished)
        return fail(ErrorCode::Fault, "--record", i18n("the recording is incomplete: {}", m_fault),
                    i18n("use it up to this point, and report the error"));
    return finished;
}

monitoring::FramePtr Sequence::frame()
{
    monitoring::FramePtr frame;
    judge([&](Judge& judge) { frame = judge.frame(); });
    return frame;
}

Result<void> Sequence::sound() const
{
    const std::lock_guard lock(m_shared);
    if (m_counts.faults == 0) return {};
    return fail(ErrorCode::Fault, m_faultAt, i18np(m_counts.faults, "{:L} internal error: {}", "{:L} internal errors, the last: {}", m_fault),
                i18n("monitoring continued after each; please report it with the log (--log)"));
}

Counts Sequence::counts() const
{
    const std::lock_guard lock(m_shared);
    return m_counts;
}

std::vector<Text> Sequence::troubles() const
{
    const std::lock_guard lock(m_shared);
    std::vector<Text> troubles;
    if (!m_trouble.empty()) troubles.push_back(m_trouble);
    if (m_counts.faults > 0)
        troubles.push_back(i18np(m_counts.faults, "{:L} internal error, {}: {}", "{:L} internal errors, the last in {}: {}", m_faultAt, m_fault));
    return troubles;
}

std::vector<bindings::ChannelText> Sequence::channels() const
{
    const std::lock_guard lock(m_shared);
    return m_channels;
}

} // namespace hw::following
