// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"

#include "simulation/scenario/result_store.h"
#include "simulation/scenario/run_request.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace hw::views {

using AnswerPtr = std::shared_ptr<const sim::ScenarioAnswer>;

/// What the window simulates: runs requests on workers, holds the answer and one to compare it with, plays its time line (the loads of
/// the present frame go to all views through the bridge), and keeps answers beside the project. GUI thread; owned by the window.
class SimulationSession : public QObject {
    Q_OBJECT
public:
    explicit SimulationSession(DocumentBridge& bridge, QObject* parent = nullptr);

    [[nodiscard]] DocumentBridge& bridge() { return m_bridge; }
    void run(sim::ScenarioRequest request);
    void cancel();
    [[nodiscard]] bool busy() const;
    void clear();

    [[nodiscard]] const AnswerPtr& answer() const { return m_answer; }
    [[nodiscard]] const AnswerPtr& pinned() const { return m_pinned; } ///< to compare with
    void pin();                                                        ///< the present answer becomes the one to compare with
    void unpin();
    [[nodiscard]] bool stale() const;       ///< the design has changed since
    [[nodiscard]] bool drawn() const;       ///< its loads belong to the open design, so the views show them

    [[nodiscard]] const sim::Playback* playback() const;
    [[nodiscard]] double position() const { return m_position; } ///< seconds on the time line
    void setPosition(double seconds);
    [[nodiscard]] bool playing() const { return m_timer.isActive(); }
    void play(bool on);
    /// How long the whole time line takes to play.
    void setSecondsForAll(double seconds) { m_secondsForAll = seconds; }
    [[nodiscard]] std::size_t frame() const { return m_frame; }

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

private:
    void adopt(sim::ScenarioAnswer answer, const SnapshotPtr& asked);
    void onTick();
    void showFrame(std::size_t frame);
    void refreshKept();

    DocumentBridge& m_bridge;
    AnswerPtr m_answer, m_pinned;
    SnapshotPtr m_asked; ///< the open design when the answer was asked for
    QTimer m_timer;
    QElapsedTimer m_clock;
    double m_position = 0, m_secondsForAll = 12;
    std::size_t m_frame = 0;
    std::vector<float> m_loads;
    std::optional<sim::ResultStore> m_store;
    std::vector<sim::ResultStore::Entry> m_kept;
};

/// The most used links of a set of loads, for lists and pictures.
void rankHottest(sim::FlowResult& result, std::size_t most);

} // namespace hw::views
