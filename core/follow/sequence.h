// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/follow/follower.h"
#include "core/follow/queue.h"

#include <mutex>

namespace hw::follow {

/// What the follower does with one item after the other. All that judgement depends on goes through here, and no clock is read.
/// One thread works on it; `counts`, `channels` and `bound` may be asked by any.
class Sequence {
public:
    struct Parts {
        std::unique_ptr<Judge> judge;
        Binder binder;
        std::shared_ptr<history::Store> store;    ///< may be null
        std::unique_ptr<live::Recorder> recorder; ///< may be null
        std::function<void(const watch::Event&)> event;
        std::function<void(std::size_t)> boundAgain;
    };
    Sequence(Parts parts, FiguresPtr design);

    void work(Item&& item);
    Result<void> finish(); ///< closes the recording

    [[nodiscard]] watch::FramePtr frame() const { return m_parts.judge->frame(); }
    [[nodiscard]] Counts counts() const; ///< of the store: nothing
    [[nodiscard]] std::vector<live::ChannelText> channels() const;
    [[nodiscard]] Text trouble() const; ///< of the recording

private:
    struct State { ///< of a channel
        std::int64_t timeMs = 0, rateTimeMs = 0;
        double value = 0, rate = 0;
        live::PointNo point = live::kNoPoint;
        bool any = false, good = true, rated = false;
    };
    void work(Taken& taken);
    void work(Declared& declared);
    void work(Gapped& gapped);
    void work(Reached& reached) { reach(reached.atMs); }
    void work(Designed& designed);
    void work(Simulated& simulated) { m_parts.judge->simulated(simulated.gbps, std::move(simulated.after)); }
    void work(Answered& answered);

    void arrive(std::int64_t atMs); ///< of something that a recording keeps
    void reach(std::int64_t atMs);  ///< judges every whole second up to it
    void takeDeclared();
    void bind();
    void judgeWhatWasThere(const live::BoundPtr& before);
    void groupStore();
    [[nodiscard]] bool fresh(const live::Sample& sample, std::int64_t atMs, Counts& counts);
    void toPoint(live::ChannelNo number);

    Parts m_parts;
    FiguresPtr m_design;
    live::BoundPtr m_bound;
    std::vector<live::ChannelText> m_channels; ///< changed under m_shared
    std::vector<live::ChannelNo> m_saidAnew;   ///< since they were bound
    std::vector<State> m_states;
    std::vector<live::Sample> m_kept;
    std::vector<live::PointSample> m_points;
    std::int64_t m_second = 0;        ///< the last one judged, since 1970; 0: none
    std::int64_t m_bindFrom = 0;      ///< not before that second
    bool m_changed = false;           ///< bindings are out of date from the next second
    std::vector<Declared> m_declared; ///< since something arrived

    mutable std::mutex m_shared;
    Counts m_counts;
    Text m_trouble; ///< of the recording
};

} // namespace hw::follow
