// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/playback.h"
#include "simulation/result.h"

#include <memory>
#include <span>

namespace hw::views {

/// Results that show the frames of a time line, one after the other. A frame differs from the one before by its loads
/// alone: the results that nobody looks at any more are used again, so that flows and capacities are copied once and
/// not for every frame. Used on the thread that shows them; the results may be read on others.
class FrameResults {
public:
    /// `flows` may be null; both are kept.
    void reset(std::shared_ptr<const sim::Playback> playback, std::shared_ptr<const sim::FlowResult> flows, std::uint64_t revision);
    struct Wanted {
        const std::vector<float>& loads; ///< by directed link, Gb/s
        std::span<const std::uint32_t> dead;
        const std::string& label;
        bool withFlows = false;
    };
    [[nodiscard]] std::shared_ptr<const sim::FlowResult> make(const Wanted& wanted);
    [[nodiscard]] std::size_t copies() const { return m_copies; } ///< how often flows and capacities were copied, for tests

private:
    struct Kept {
        std::shared_ptr<sim::FlowResult> result;
        bool withFlows = false, whole = true; ///< its flows; its capacities, without dead links
    };
    Kept& take(bool withFlows);

    std::shared_ptr<const sim::Playback> m_playback;
    std::shared_ptr<const sim::FlowResult> m_flows;
    std::vector<std::uint32_t> m_flowsOver; ///< by directed link
    std::vector<Kept> m_kept;
    std::uint64_t m_revision = 0;
    std::size_t m_copies = 0;
};

} // namespace hw::views
