// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/following_view.h"
#include "views/models/cell_table_model.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace hw::views {

class ListView;

/// What the rules have to say, live. A click selects what a finding is about, a double click zooms
/// there; a finding can be accepted with a reason, which is stored in the project, or taken up again.
class FindingsPanel : public QWidget {
    Q_OBJECT
public:
    explicit FindingsPanel(DocumentBridge& bridge, QWidget* parent = nullptr);
    [[nodiscard]] ListView* list() const { return m_list; }
    [[nodiscard]] QLineEdit* search() const { return m_search; }
    void showRule(const QString& id); ///< its findings alone, waived ones as well
    void showTier(int tier);          ///< 3 or 4: every outage that breaks a statement, instead of the findings
    [[nodiscard]] QString summary() const;

private:
    /// The tier check of the design that is shown.
    struct Tier {
        int tier = 0;
        std::vector<CellRow> rows;
        Text verdict;
        QString problem; ///< why there is none
    };
    void refresh();
    void checkTier();
    void showTierRows();
    [[nodiscard]] int tier() const; ///< that is chosen; 0: findings
    void onCurrent();
    void waive();
    [[nodiscard]] const Finding* current() const;

    DocumentBridge& m_bridge;
    FollowingView m_following;
    std::optional<Tier> m_tier;
    ListView* m_list;
    QLabel* m_summary;
    QComboBox* m_show;
    QLineEdit* m_search; ///< an id of a rule, or words of finding and object
    QLineEdit* m_reason;
    QPushButton* m_waive;
};

} // namespace hw::views
