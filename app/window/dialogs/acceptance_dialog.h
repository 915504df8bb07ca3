// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog> // before core's headers: moc cannot read <compare> as the very first one

#include "app/acceptance/acceptance.h"
#include "views/bridge/document_bridge.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;
class QPushButton;
class QTextBrowser;

namespace hw::app {

/// Test results of a segment against the four gates of acceptance; what was evaluated is recorded in the project as one undo step.
class AcceptanceDialog : public QDialog {
    Q_OBJECT
public:
    explicit AcceptanceDialog(views::DocumentBridge& bridge, QWidget* parent = nullptr);

private:
    struct Field {
        const char* name;
        QLineEdit* line;
        bool many; ///< files and folders, separated by ;
    };
    void addField(const char* name, const QString& label, const QString& hint, bool many);
    void browse(const Field& field, bool folder);
    [[nodiscard]] std::optional<asbuilt::SegmentKey> key() const;
    [[nodiscard]] std::vector<std::string> paths(const char* name) const;
    void evaluate();
    void record();
    void waive();
    void forget(); ///< results that are of other files or another segment
    void showResults();
    void enable();

    views::DocumentBridge& m_bridge;
    std::vector<asbuilt::SegmentKey> m_keys;
    std::vector<Field> m_fields;
    std::optional<GateResults> m_results;
    QString m_problem;
    QFormLayout* m_form;
    QComboBox* m_segment;
    QCheckBox* m_preCheck;
    QTextBrowser* m_text;
    QPushButton *m_evaluate, *m_record, *m_waive;
    QComboBox* m_waivedGate;
    QLineEdit* m_reason;
};

} // namespace hw::app
