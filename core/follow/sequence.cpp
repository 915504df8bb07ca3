// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/follow/sequence.h"

#include "core/model/entity.h"

#include <cmath>

namespace hw::follow {

namespace {

constexpr std::int64_t kAhead = 60'000;          ///< a sample dated further ahead of its arrival does not make later ones late
constexpr std::int64_t kChannelsBound = 200'000; ///< in a second, at least: so often bindings are made anew at most

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

Sequence::Sequence(Parts parts, FiguresPtr design) : m_parts(std::move(parts)), m_design(std::move(design)) { bind(); }

void Sequence::work(Item&& item)
{
    std::visit([this](auto& one) { work(one); }, item);
}

void Sequence::work(Declared& declared)
{
    if (m_parts.recorder) m_parts.recorder->channel(declared.number, declared.text);
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
    if (m_parts.recorder) m_parts.recorder->gap(gapped.atMs, gapped.gap);
    m_parts.judge->gap(gapped.gap);
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
    if (auto* taker = dynamic_cast<watch::AnswerTaker*>(m_parts.recorder.get())) taker->answered(answered.atMs, answered.answer);
    m_parts.judge->answer(answered.answer, answered.atMs);
}

void Sequence::arrive(std::int64_t atMs)
{
    if (m_second == 0) m_second = atMs / 1000;
    reach(atMs);
    takeDeclared();
}

void Sequence::reach(std::int64_t atMs)
{
    while (m_second > 0 && m_second < atMs / 1000) {
        ++m_second;
        {
            const std::lock_guard lock(m_shared);
            m_counts.judgedMs = m_second * 1000;
        }
        if (m_changed && m_second >= m_bindFrom) bind();
        for (const auto& event : m_parts.judge->advance(m_second * 1000))
            if (m_parts.event) m_parts.event(event);
    }
}

void Sequence::bind()
{
    m_changed = false;
    m_bindFrom = m_second + 1 + std::int64_t(m_channels.size()) / kChannelsBound;
    const live::BoundPtr before = std::exchange(m_bound, m_parts.binder(m_design, m_channels, m_saidAnew));
    m_saidAnew.clear();
    m_parts.judge->design(m_design, m_bound);
    judgeWhatWasThere(before);
    if (m_parts.store) groupStore();
    {
        const std::lock_guard lock(m_shared);
        m_counts.bound = m_bound->bound;
        m_counts.unbound = m_bound->unbound;
        m_counts.ambiguous = m_bound->ambiguous;
        m_counts.conflicting = m_bound->conflicting;
        m_counts.setAside = m_bound->setAside;
    }
    if (m_parts.boundAgain) m_parts.boundAgain(m_channels.size());
}

/// Channels that have got a point, or another one: what they said last counts there. A value that comes once is not missed.
void Sequence::judgeWhatWasThere(const live::BoundPtr& before)
{
    m_points.clear();
    for (live::ChannelNo number = 0; number < m_channels.size(); ++number) {
        const auto& now = m_bound->channels[number];
        m_states[number].point = now.point;
        const bool same = before && number < before->channels.size() && before->channels[number].point != live::kNoPoint &&
                          now.point != live::kNoPoint && before->channels[number].conversion == now.conversion &&
                          before->points[before->channels[number].point] == m_bound->points[now.point];
        if (!same && m_states[number].any) toPoint(number);
    }
    if (!m_points.empty()) m_parts.judge->take(m_points);
}

void Sequence::groupStore()
{
    std::vector<std::uint32_t> ofPoint(m_bound->points.size(), 0), groups(m_channels.size(), 0);
    for (std::size_t i = 0; i < ofPoint.size(); ++i) // those of one entity follow each other
        ofPoint[i] = i > 0 && m_bound->points[i].entity == m_bound->points[i - 1].entity ? ofPoint[i - 1]
                                                                                         : groupOf(*m_design->snapshot, m_bound->points[i].entity);
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (m_bound->channels[i].point != live::kNoPoint) groups[i] = ofPoint[m_bound->channels[i].point];
    m_parts.store->together(groups);
}

/// Adds what the channel says now, in the unit of its point.
void Sequence::toPoint(live::ChannelNo number)
{
    const State& state = m_states[number];
    if (state.point == live::kNoPoint) return;
    const auto& conversion = m_bound->channels[number].conversion;
    if (conversion.counter && !state.rated) return;
    const double value = conversion.counter ? state.rate : state.value;
    m_points.push_back({state.point, state.timeMs, value * conversion.factor + conversion.offset, state.good});
}

/// Whether the sample is the newest of its channel, which it is from now on. A counter's rise follows from the sample before; one that
/// starts again at zero has none.
bool Sequence::fresh(const live::Sample& sample, std::int64_t atMs, Counts& counts)
{
    State& state = m_states[sample.channel];
    if (state.any && sample.timeMs <= state.timeMs && state.timeMs <= atMs + kAhead) {
        if (sample.timeMs < state.timeMs) ++counts.outOfOrder;
        return false;
    }
    if (std::isnan(sample.value))
        state.rated = false;
    else {
        state.rated = state.any && !std::isnan(state.value) && sample.value >= state.value && sample.timeMs > state.timeMs;
        if (state.rated) state.rate = (sample.value - state.value) * 1000 / double(sample.timeMs - state.timeMs);
    }
    state.any = true;
    state.timeMs = sample.timeMs;
    state.value = sample.value;
    state.good = sample.good;
    return true;
}

void Sequence::work(Taken& taken)
{
    arrive(taken.atMs);
    if (m_parts.recorder) m_parts.recorder->take(taken.atMs, taken.samples);
    m_kept.clear();
    m_points.clear();
    Counts counts;
    for (const auto& sample : taken.samples) {
        if (sample.channel >= m_states.size()) continue; // never declared: a fault of the source
        ++counts.received;
        if (std::isnan(sample.value)) ++counts.notNumbers;
        const State& state = m_states[sample.channel];
        if (state.any && sample.timeMs == state.timeMs) {
            ++counts.duplicate;
            continue;
        }
        if (fresh(sample, taken.atMs, counts)) toPoint(sample.channel);
        m_kept.push_back(sample);
    }
    if (!m_points.empty()) m_parts.judge->take(m_points);
    if (m_parts.store && !m_kept.empty()) m_parts.store->append(m_kept, m_channels);
    Text trouble = m_parts.recorder ? m_parts.recorder->trouble() : Text();
    const std::lock_guard lock(m_shared);
    m_trouble = std::move(trouble);
    m_counts.received += counts.received;
    m_counts.duplicate += counts.duplicate;
    m_counts.outOfOrder += counts.outOfOrder;
    m_counts.notNumbers += counts.notNumbers;
}

Result<void> Sequence::finish()
{
    takeDeclared();
    return m_parts.recorder ? m_parts.recorder->finish(m_second * 1000) : Result<void>();
}

Counts Sequence::counts() const
{
    const std::lock_guard lock(m_shared);
    return m_counts;
}

Text Sequence::trouble() const
{
    const std::lock_guard lock(m_shared);
    return m_trouble;
}

std::vector<live::ChannelText> Sequence::channels() const
{
    const std::lock_guard lock(m_shared);
    return m_channels;
}

} // namespace hw::follow
