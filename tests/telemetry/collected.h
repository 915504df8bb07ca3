// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/channel.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

/// An intake that keeps what comes, in its order.
class Collected : public hw::bindings::Intake {
public:
    hw::bindings::ChannelNo channel(const hw::bindings::ChannelText& text) override
    {
        const std::lock_guard lock(m_mutex);
        const auto [known, fresh] = m_numbers.try_emplace(text.name, hw::bindings::ChannelNo(channels.size()));
        if (fresh)
            channels.push_back(text);
        else
            channels[known->second] = text;
        m_changed.notify_all();
        return known->second;
    }
    void take(std::span<const hw::bindings::Sample> batch) override
    {
        std::unique_lock lock(m_mutex);
        if (pauseMs > 0) { // a slow consumer
            lock.unlock();
            std::this_thread::sleep_for(std::chrono::milliseconds(pauseMs));
            lock.lock();
        }
        samples.insert(samples.end(), batch.begin(), batch.end());
        log.push_back("take " + std::to_string(batch.size()));
        m_changed.notify_all();
    }
    void gap(const hw::bindings::Gap& gap) override
    {
        const std::lock_guard lock(m_mutex);
        gaps.push_back(gap);
        log.push_back("gap");
        m_changed.notify_all();
    }
    void clock(std::int64_t atMs) override
    {
        const std::lock_guard lock(m_mutex);
        backwards |= atMs < clockMs;
        clockMs = atMs;
        ++clocks;
        m_changed.notify_all();
    }

    /// Waits until `reached` holds; false: not within the time.
    bool wait(const std::function<bool()>& reached, std::chrono::milliseconds time = std::chrono::seconds(15))
    {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, time, reached);
    }
    std::optional<hw::bindings::ChannelNo> find(const std::string& name)
    {
        const auto found = m_numbers.find(name);
        return found == m_numbers.end() ? std::nullopt : std::optional(found->second);
    }
    /// Of a channel, in the order of arrival. Without the lock: when nothing comes any more, or inside `wait`.
    std::vector<hw::bindings::Sample> of(const std::string& name)
    {
        std::vector<hw::bindings::Sample> out;
        if (const auto number = find(name))
            for (const auto& sample : samples)
                if (sample.channel == *number) out.push_back(sample);
        return out;
    }

    std::vector<hw::bindings::ChannelText> channels;
    std::vector<hw::bindings::Sample> samples;
    std::vector<hw::bindings::Gap> gaps;
    std::vector<std::string> log;
    std::int64_t clockMs = std::numeric_limits<std::int64_t>::min();
    std::size_t clocks = 0;
    bool backwards = false;
    std::atomic<int> pauseMs{0};

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::unordered_map<std::string, hw::bindings::ChannelNo> m_numbers;
};
