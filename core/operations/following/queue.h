// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/channel.h"
#include "core/operations/monitoring/monitor.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace hw::following {

/// What reaches the follower's thread, in its one order. `atMs`: when it arrived.
struct Taken {
    std::int64_t atMs = 0;
    std::vector<bindings::Sample> samples;
};
struct Declared {
    bindings::ChannelNo number = 0;
    bindings::ChannelText text;
};
struct Gapped {
    std::int64_t atMs = 0;
    bindings::Gap gap;
};
struct Reached { ///< a moment: the clock of a replay, or of this machine while nothing comes
    std::int64_t atMs = 0;
};
struct Designed {
    FiguresPtr design;
};
struct Simulated {
    std::vector<float> gbps;
    impact::LoadsAfter after;
};
struct Answered {
    std::int64_t atMs = 0;
    monitoring::Answer answer;
};
using Item = std::variant<Taken, Declared, Gapped, Reached, Designed, Simulated, Answered>;

/// The bounded queue before the follower's thread: numbers channels, dates what arrives, never drops. Any thread puts, one pops.
class Queue {
public:
    explicit Queue(std::size_t mostSamples) : m_most(mostSamples) {}

    bindings::ChannelNo channel(const bindings::ChannelText& text);
    void take(std::span<const bindings::Sample> samples); ///< waits while it is full
    void gap(const bindings::Gap& gap);
    void clock(std::int64_t atMs);
    void design(FiguresPtr design);
    void simulated(std::vector<float> gbps, impact::LoadsAfter after);
    void answer(const monitoring::Answer& answer);
    void close(); ///< what comes later is not taken

    /// The next item. Live, and nothing there for a while: the moment reached, before everything that comes later.
    /// None: nothing yet (a replay), or closed and empty (`drained`).
    [[nodiscard]] std::optional<Item> pop();
    void done();                               ///< with the item popped last
    [[nodiscard]] bool drained() const;        ///< asked by the thread that pops
    [[nodiscard]] bool idle() const;           ///< nothing waits and nothing is being worked on
    [[nodiscard]] std::size_t waiting() const; ///< samples

private:
    struct Known {
        bindings::ChannelNo number = 0;
        std::uint64_t said = 0; ///< hash of labels and unit
    };
    std::int64_t stamp();
    void push(Item item);

    const std::size_t m_most;
    mutable std::mutex m_mutex;
    std::condition_variable m_filled, m_emptied;
    std::deque<Item> m_items;
    std::deque<Item> m_popped; ///< of the thread that pops: it takes several at once, so that it does not ask for the lock as often as sources do
    std::unordered_map<std::string, Known> m_channels;
    std::size_t m_samples = 0;
    std::int64_t m_atMs = 0;
    bool m_replay = false, m_closed = false, m_working = false;
};

} // namespace hw::following
