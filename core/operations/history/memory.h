// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/history/columns.h"

#include <algorithm>

namespace hw::history {

/// The newest samples by channel, each ascending by time. Keeps its room when it is cleared.
class Memory {
public:
    [[nodiscard]] std::span<const Held> of(ChannelId channel) const
    {
        return channel < m_columns.size() ? std::span<const Held>(m_columns[channel]) : std::span<const Held>();
    }
    [[nodiscard]] bool has(ChannelId channel, std::int64_t timeMs) const
    {
        const auto held = of(channel);
        const auto at = std::ranges::lower_bound(held, timeMs, {}, &Held::timeMs);
        return at != held.end() && at->timeMs() == timeMs;
    }
    /// One that is not there yet.
    void add(ChannelId channel, const Held& held)
    {
        if (channel >= m_columns.size()) m_columns.resize(channel + channel / 4 + 64);
        auto& column = m_columns[channel];
        if (column.empty()) m_channels.push_back(channel);
        if (column.empty() || column.back().key < held.key)
            column.push_back(held);
        else
            column.insert(std::ranges::upper_bound(column, held.key, {}, &Held::key), held);
        ++m_samples;
    }
    void clear()
    {
        for (const auto channel : m_channels) m_columns[channel].clear();
        m_channels.clear();
        m_samples = 0;
    }
    [[nodiscard]] std::size_t samples() const { return m_samples; }
    [[nodiscard]] const std::vector<ChannelId>& channels() const { return m_channels; } ///< with samples

private:
    std::vector<std::vector<Held>> m_columns; ///< by channel
    std::vector<ChannelId> m_channels;
    std::size_t m_samples = 0;
};

} // namespace hw::history
