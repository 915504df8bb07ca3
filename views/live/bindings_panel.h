// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer> // before core's headers: moc cannot read <compare> as the very first one
#include <QWidget>

#include "views/live/live_session.h"
#include "views/models/cell_table_model.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace hw::views {

class ListView;

/// Which channel belongs to what, and why some belong to nothing; bound by hand to what is selected, set aside, or left to the rules again.
/// Every change is one undo step. The list is made by a worker while it can be seen.
class BindingsPanel : public QWidget {
    Q_OBJECT
public:
    BindingsPanel(DocumentBridge& bridge, LiveSession& session, QWidget* parent = nullptr);
    [[nodiscard]] ListView* list() const { return m_list; }
    [[nodiscard]] QString summary() const;

signals:
    /// The rules shall be changed, beginning with this channel; empty: with none.
    void rulesRequested(const QString& channel, const QString& unit);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Listed {
        std::vector<CellRow> rows;
        std::size_t matching = 0;
    };
    void refresh();
    void onCurrent();
    void bind();
    void setAside();
    void release();
    [[nodiscard]] std::string channel() const; ///< that is chosen; empty: none

    DocumentBridge& m_bridge;
    LiveSession& m_session;
    ListView* m_list;
    QLabel *m_summary, *m_target;
    QComboBox *m_show, *m_measure;
    QLineEdit *m_filter, *m_element, *m_unit;
    QPushButton *m_bind, *m_aside, *m_release, *m_rules;
    QTimer m_timer;
    std::size_t m_bound = 0; ///< channels, as last counted here
};

} // namespace hw::views
