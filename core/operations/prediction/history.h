// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/binder.h"
#include "core/operations/prediction/ranking.h"

#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace hw::prediction {

/// Takes telemetry and counts the signs of GPU hosts: their own channels, those of their ports, and those of the switch ports they are connected to.
/// A time series with gaps counts up to an hour after each sample. Any thread.
class History final : public bindings::Intake {
public:
    History(FiguresPtr design, const HazardModel& model);
    ~History() override;

    bindings::ChannelNo channel(const bindings::ChannelText& text) override;
    void take(std::span<const bindings::Sample> samples) override;
    void gap(const bindings::Gap& gap) override;
    void clock(std::int64_t atMs) override;

    struct Coverage {
        std::size_t channels = 0, ofSigns = 0; ///< bound or not; bound and of a sign
        std::int64_t fromMs = 0, toMs = 0;     ///< of samples of signs; 0: none
    };
    [[nodiscard]] Coverage coverage() const;
    /// Of all GPU hosts of the design.
    [[nodiscard]] std::vector<Likely> ranked() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace hw::prediction
