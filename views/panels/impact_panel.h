// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer> // before core's headers: moc cannot read <compare> as the very first one
#include <QWidget>

#include "core/impact/ranking.h"
#include "views/bridge/document_bridge.h"

class QLabel;
class QTextBrowser;

namespace hw::views {

class ListView;

/// The worst single failures of the design, and what is lost when a chosen one, or what somebody selected, fails: as lists here, as colours in
/// all views. Worked out by workers while the panel can be seen; after an edit anew.
class ImpactPanel : public QWidget {
    Q_OBJECT
public:
    explicit ImpactPanel(DocumentBridge& bridge, QWidget* parent = nullptr);
    /// What is lost when these fail together.
    void ask(const std::vector<EntityRef>& entities);
    [[nodiscard]] ListView* list() const { return m_list; }
    [[nodiscard]] QTextBrowser* answer() const { return m_answer; }
    [[nodiscard]] std::uint64_t rankedRevision() const { return m_revision; } ///< 0: nothing yet

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Ranking;
    struct Answer;
    void rank();
    void take(const Ranking& ranking, std::uint64_t revision);
    void onCurrent();

    DocumentBridge& m_bridge;
    ListView* m_list;
    QTextBrowser* m_answer;
    QLabel* m_summary;
    QTimer m_timer;
    std::uint64_t m_revision = 0;
    impact::ModelPtr m_model; ///< of that revision
    bool m_filling = false;
};

} // namespace hw::views
