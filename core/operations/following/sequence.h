// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/following/follower.h"
#include "core/operations/following/queue.h"

#include <mutex>

namespace hw::following {

/// What the follower does with one item after the other. All that judgment depends on goes through here, and no clock is read.
/// One thread works on it; `counts`, `channels` and `bound` may be asked by any.
class Sequence {
public:
    struct Parts {
        JudgeMaker judge;
        Binder binder;
        std::shared_ptr<history::Store> store;        ///< may be null
        std::unique_ptr<bindings::Recorder> recorder; ///< may be null
        std::function<void(const monitoring::Event&)> event;
        std::function<void(std::size_t)> boundAgain;
    };
    Sequence(Parts parts, FiguresPtr design);

    void work(Item&& item);
    Result<void> finish(); ///< closes the recording

    [[nodiscard]] monitoring::FramePtr frame(); ///< null: the judge has failed, and waits to be made again
    [[nodiscard]] Counts counts() const;        ///< of the store: nothing
    [[nodiscard]] std::vector<bindings::ChannelText> channels() const;
    [[nodiscard]] std::vector<Text> troubles() const; ///< of the recording, and faults of the program
    /// A part of the program failed and goes on: it is reported as an event, counted and logged.
    void failed(const std::string& place, const Text& what);
    [[nodiscard]] Result<void> sound() const; ///< fails where there was a fault of the program

private:
    struct State { ///< of a channel
        std::int64_t timeMs = 0;
        std::int64_t arrivedMs = 0, saidMs = 0; ///< by our clock; saidMs: the time under which it is judged, which never goes back
        std::int64_t lagMs = 0;                 ///< between its time and its arrival, while its clock is not off
        std::int64_t lateMs = 0, lateAtMs = -1; ///< of what came last out of order: how far behind, and when; -1: nothing since
        std::int64_t countMs = 0, countAtMs = 0;
        double value = 0, rate = 0, count = 0; ///< count: the last that was a number
        double lateValue = 0;                  ///< of what came last out of order
        bindings::PointNo point = bindings::kNoPoint;
        std::uint8_t lateRun = 0; ///< how often in a row it was as far behind
        bool any = false, good = true, rated = false, counted = false;
        bool shifted = false; ///< its clock jumped, and arrival counts
        bool lateGood = true; ///< of what came last out of order
        bool leak = false;    ///< it reports one and has no point
    };
    void work(Taken& taken);
    void work(Declared& declared);
    void work(Gapped& gapped);
    void work(Reached& reached) { reach(reached.atMs); }
    void work(Designed& designed);
    void work(Simulated& simulated);
    void work(Answered& answered);

    void arrive(std::int64_t atMs); ///< of something that a recording keeps
    void reach(std::int64_t atMs);  ///< judges every whole second up to it
    void takeDeclared();
    void bind();
    void judgeWhatWasThere(const bindings::BoundPtr& before);
    void groupStore();
    void takeLate(std::int64_t atMs);
    [[nodiscard]] bool fresh(const bindings::Sample& sample, std::int64_t atMs, Counts& counts);
    [[nodiscard]] bool wasSetBack(State& state, const bindings::Sample& sample, std::int64_t atMs);
    void noteClock(bindings::ChannelNo number, bool shifted, std::int64_t byMs);
    static void countUp(State& state, const bindings::Sample& sample, std::int64_t atMs, bool clockMoved);
    void toPoint(bindings::ChannelNo number);
    void tellLeak(bindings::ChannelNo number);

    template <class Work>
    void judge(Work&& work); ///< what it throws is reported, and it is made again
    template <class Work>
    void record(Work&& work);
    void judgeFailed(const std::string& fault);
    void restartJudge();
    void tell(const monitoring::Event& event);
    void tell(monitoring::Trouble trouble);
    void log(const monitoring::Event& event) const;
    [[nodiscard]] bindings::BoundPtr boundNow(); ///< null: the binder failed, and what was bound stays

    Parts m_parts;
    std::unique_ptr<Judge> m_judge; ///< null: it failed, and waits for `m_restartAt`
    std::int64_t m_restartAt = 0, m_restartedAt = 0, m_restartWaitS = 0;
    Simulated m_simulated;                 ///< the last, for a judge that is made again
    std::vector<bindings::Gap> m_open;     ///< gaps that go on, for the same
    std::size_t m_toldAgain = 0;           ///< of these, those that a new judge is about to tell again
    std::vector<monitoring::Event> m_held; ///< told before anything arrived, and so before there is a time
    std::int64_t m_bindWaitS = 0;
    bool m_recordingFailed = false;
    FiguresPtr m_design;
    FiguresPtr m_boundDesign; ///< that `m_bound` is of
    bindings::BoundPtr m_bound;
    std::vector<bindings::ChannelText> m_channels; ///< changed under m_shared
    std::vector<bindings::ChannelNo> m_saidAnew;   ///< since they were bound
    std::vector<State> m_states;
    std::vector<bindings::Sample> m_kept;
    std::vector<bindings::PointSample> m_points;
    monitoring::ClockShift m_shift; ///< of channels whose clock jumped
    std::int64_t m_setBackMs = 0;   ///< how far behind the last that was followed is; 0: none
    bool m_shiftChanged = false;
    std::int64_t m_second = 0;        ///< the last one judged, since 1970; 0: none
    std::int64_t m_bindFrom = 0;      ///< not before that second
    bool m_changed = false;           ///< bindings are out of date from the next second
    std::vector<Declared> m_declared; ///< since something arrived

    mutable std::mutex m_shared;
    Counts m_counts;
    Text m_trouble;        ///< of the recording
    Text m_fault;          ///< of the program: the last
    std::string m_faultAt; ///< in which part
};

} // namespace hw::following
