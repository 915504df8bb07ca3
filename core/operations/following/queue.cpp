// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/following/queue.h"

#include "core/foundation/base/hash.h"

#include <algorithm>
#include <chrono>
#include <iterator>

namespace hw::following {

namespace {

constexpr auto kIdle = std::chrono::milliseconds(100);
constexpr std::size_t kMostTogether = 4096; ///< samples of one item
constexpr std::size_t kPopped = 64;         ///< items that are popped at once

std::uint64_t hashOf(const bindings::ChannelText& text)
{
    std::uint64_t hash = hash64(text.unit);
    for (const auto& [name, value] : text.labels) hash = hash64(value, hash64(name, hash));
    return hash;
}

} // namespace

std::int64_t Queue::stamp()
{
    if (m_replay) return m_atMs;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    m_atMs = std::max(m_atMs, std::int64_t(std::chrono::duration_cast<std::chrono::milliseconds>(now).count()));
    return m_atMs;
}

void Queue::push(Item item)
{
    if (m_closed) return;
    m_items.push_back(std::move(item));
    if (m_items.size() == 1) m_filled.notify_one();
}

bindings::ChannelNo Queue::channel(const bindings::ChannelText& text)
{
    const std::uint64_t said = hashOf(text);
    const std::lock_guard lock(m_mutex);
    const auto [known, isNew] = m_channels.try_emplace(text.name, Known{bindings::ChannelNo(m_channels.size()), said});
    if (isNew || known->second.said != said) push(Declared{known->second.number, text});
    known->second.said = said;
    return known->second.number;
}

void Queue::take(std::span<const bindings::Sample> samples)
{
    std::unique_lock lock(m_mutex);
    while (!samples.empty()) {
        m_emptied.wait(lock, [&] { return m_samples < m_most || m_closed; });
        if (m_closed) return;
        const std::int64_t at = stamp();
        auto* last = m_items.empty() ? nullptr : std::get_if<Taken>(&m_items.back());
        if (!last || last->atMs != at || last->samples.size() >= kMostTogether) {
            push(Taken{at, {}});
            last = &std::get<Taken>(m_items.back());
        }
        const std::size_t count = std::min({samples.size(), kMostTogether - last->samples.size(), m_most - m_samples});
        last->samples.insert(last->samples.end(), samples.begin(), samples.begin() + std::ptrdiff_t(count));
        m_samples += count;
        samples = samples.subspan(count);
    }
}

void Queue::gap(const bindings::Gap& gap)
{
    const std::lock_guard lock(m_mutex);
    push(Gapped{stamp(), gap});
}

void Queue::clock(std::int64_t atMs)
{
    const std::lock_guard lock(m_mutex);
    if (!m_replay) m_atMs = atMs;
    m_replay = true;
    m_atMs = std::max(m_atMs, atMs);
    push(Reached{m_atMs});
}

void Queue::design(FiguresPtr design)
{
    const std::lock_guard lock(m_mutex);
    push(Designed{std::move(design)});
}

void Queue::simulated(std::vector<float> gbps, impact::LoadsAfter after)
{
    const std::lock_guard lock(m_mutex);
    push(Simulated{std::move(gbps), std::move(after)});
}

void Queue::answer(const monitoring::Answer& answer)
{
    const std::lock_guard lock(m_mutex);
    push(Answered{stamp(), answer});
}

void Queue::close()
{
    const std::lock_guard lock(m_mutex);
    m_closed = true;
    m_filled.notify_all();
    m_emptied.notify_all();
}

std::optional<Item> Queue::pop()
{
    if (m_popped.empty()) {
        std::unique_lock lock(m_mutex);
        m_filled.wait_for(lock, kIdle, [&] { return !m_items.empty() || m_closed; });
        if (m_items.empty()) {
            if (m_replay || m_closed) return std::nullopt;
            return Reached{stamp()};
        }
        const auto end = m_items.begin() + std::ptrdiff_t(std::min(kPopped, m_items.size()));
        std::move(m_items.begin(), end, std::back_inserter(m_popped));
        m_items.erase(m_items.begin(), end);
        m_working = true;
        for (const Item& item : m_popped)
            if (const auto* taken = std::get_if<Taken>(&item)) m_samples -= taken->samples.size();
        m_emptied.notify_all();
    }
    Item item = std::move(m_popped.front());
    m_popped.pop_front();
    return item;
}

void Queue::done()
{
    if (!m_popped.empty()) return;
    const std::lock_guard lock(m_mutex);
    m_working = false;
}

bool Queue::drained() const
{
    if (!m_popped.empty()) return false;
    const std::lock_guard lock(m_mutex);
    return m_closed && m_items.empty();
}

bool Queue::idle() const
{
    const std::lock_guard lock(m_mutex);
    return m_items.empty() && !m_working;
}

std::size_t Queue::waiting() const
{
    const std::lock_guard lock(m_mutex);
    return m_samples;
}

} // namespace hw::following
