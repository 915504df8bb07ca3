// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"

#include "core/foundation/model/fingerprint.h"
#include "simulation/batch/slurm_points.h"
#include "simulation/questions/result_store.h"
#include "simulation/questions/run_request.h"
#include "views/simulation/frame_results.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace hw::views {

using AnswerPtr = std::shared_ptr<const sim::ScenarioAnswer>;

/// How an answer stands to the open design. Names, labels and colors do not count: a rename changes no answer.
enum class AnswerState {
    Free,    ///< it asks about no design
    Current, ///< of the design as it is
    Earlier, ///< of an earlier state of the open design
    Other    ///< of another project
};

/// What the window simulates: runs requests on workers, holds the answer and one to compare it with, plays its time line (the loads of
/// the present frame go to all views through the bridge), and keeps answers beside the project. An answer belongs to the content that it
/// was asked about; loads are shown over that project only, and marked where it has changed. GUI thread; owned by the window.
class SimulationSession : public QObject {
    Q_OBJECT
public:
    explicit SimulationSession(DocumentBridge& bridge, QObject* parent = nullptr);

    [[nodiscard]] DocumentBridge& bridge() { return m_bridge; }
    /// With `slurm` the points of a sweep as a job array; canceling cancels that, and the same run goes on later.
    void run(sim::ScenarioRequest request, std::optional<sim::SlurmPoints> slurm = {});
    void cancel();
    [[nodiscard]] bool busy() const;
    void clear();

    [[nodiscard]] const AnswerPtr& answer() const { return m_answer; }
    [[nodiscard]] const AnswerPtr& pinned() const { return m_pinned; } ///< to compare with
    void pin();                                                        ///< the present answer becomes the one to compare with
    void unpin();
    [[nodiscard]] AnswerState standing() const { return m_standing; }
    [[nodiscard]] bool stale() const { return m_standing == AnswerState::Earlier || m_standing == AnswerState::Other; }
    [[nodiscard]] bool drawn() const;           ///< its loads belong to the open project, so the views show them
    [[nodiscard]] QString whose() const;        ///< the answer's design in words; empty for none
    [[nodiscard]] QString standingText() const; ///< a sentence where the answer is not of the design as it is; else empty

    /// Whether the failure scenario knows such a thing, and offering the scenario, filled in and not yet run, to the set-up form: false, with the
    /// reason reported, where there is none. Devices, their ports and cages, links and cables.
    [[nodiscard]] bool canAskWhatIfFails(EntityRef entity) const;
    bool askWhatIfFails(EntityRef entity);
    /// Offers a scenario that starts after the loss of what is named: `present`, where its kind can.
    void askAfterLoss(const std::vector<std::string>& failed, const sim::ScenarioRequest* present);

    [[nodiscard]] const sim::Playback* playback() const;
    [[nodiscard]] double position() const { return m_position; } ///< seconds on the time line
    void setPosition(double seconds);
    [[nodiscard]] bool atPeaks() const { return m_frame == kPeaks; } ///< shown is every link's most over the whole time line
    [[nodiscard]] bool playing() const { return m_timer.isActive(); }
    void play(bool on);
    /// How long the whole time line takes to play.
    void setSecondsForAll(double seconds) { m_secondsForAll = seconds; }
    [[nodiscard]] std::size_t frame() const; ///< the last one too while the peaks are shown

    void setProject(const QString& path); ///< empty: not in a file yet, nothing is kept
    [[nodiscard]] bool hasStore() const { return m_store.has_value(); }
    [[nodiscard]] const std::vector<sim::ResultStore::Entry>& kept() const { return m_kept; }
    [[nodiscard]] Result<sim::Json> keptAnswer(int number) const;
    void show(sim::Json document); ///< a kept answer: its numbers, without loads
    void removeKept(int number);

signals:
    void answerChanged();
    void positionChanged();
    void playingChanged();
    void keptChanged();
    void standingChanged();   ///< the answer is the same, and stands otherwise to the open design
    void loadsShown(bool on); ///< a run or Play has loads for all views; off when there are none any more
    void requestOffered(const hw::sim::ScenarioRequest& request);

private:
    static constexpr std::size_t kNoFrame = std::size_t(-1), kPeaks = std::size_t(-2);
    void adopt(sim::ScenarioAnswer answer, const SnapshotPtr& asked);
    void onTick();
    void showFrame(std::size_t frame);
    void bringLoads(std::size_t frame);
    void showPeaks();
    void reshow();
    void showLoads(const std::vector<float>& loads, const std::vector<std::uint32_t>& dead, const Text& title, bool withFlows, bool peak);
    void refreshKept();
    void onDocument(const ChangeEvent& event);
    void restand();
    [[nodiscard]] AnswerState standingNow() const;
    [[nodiscard]] FlowsMark mark(const std::string& label, bool peak) const;

    DocumentBridge& m_bridge;
    AnswerPtr m_answer, m_pinned;
    SnapshotPtr m_asked; ///< the open design when the answer was asked for
    QTimer m_timer;
    QElapsedTimer m_clock;
    double m_position = 0, m_secondsForAll = 12;
    std::size_t m_frame = kNoFrame, m_loadsFrame = kNoFrame;
    std::vector<float> m_loads; ///< of m_loadsFrame
    FrameResults m_frames;
    std::uint64_t m_content = 0; ///< the fingerprint of m_asked
    mutable FingerprintCache m_prints;
    AnswerState m_standing = AnswerState::Free;
    bool m_sameDocument = false; ///< as when the answer was asked for
    std::optional<sim::ResultStore> m_store;
    std::vector<sim::ResultStore::Entry> m_kept;
};

} // namespace hw::views
