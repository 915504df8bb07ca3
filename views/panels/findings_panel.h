// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"

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

private:
    void refresh();
    void onCurrent();
    void waive();
    [[nodiscard]] const Finding* current() const;

    DocumentBridge& m_bridge;
    ListView* m_list;
    QLabel* m_summary;
    QComboBox* m_show;
    QLineEdit* m_search; ///< an id of a rule, or words of finding and object
    QLineEdit* m_reason;
    QPushButton* m_waive;
};

} // namespace hw::views
