// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/workspace.h"

#include <QDialog>

class QComboBox;
class QFormLayout;
class QLineEdit;

namespace hw::app {

/// What a person prefers in every project: it takes effect at once and is kept for the next start.
class PreferencesDialog : public QDialog {
    Q_OBJECT
public:
    explicit PreferencesDialog(Workspace& workspace);
    [[nodiscard]] QLineEdit* search() const { return m_search; }
    [[nodiscard]] QComboBox* choice(const QString& key) const; ///< "theme", "length", "temperature", "heat"; null for others

private:
    struct Row {
        QString key, words; ///< that the search looks through
        QComboBox* box;
    };
    void add(const QString& key, const QString& label, const QStringList& choices, int current, const QString& help);
    void filter(const QString& words);
    void apply();

    Workspace& m_workspace;
    QStringList m_currencies; ///< by choice; empty: as in the project
    QLineEdit* m_search;
    QFormLayout* m_form;
    std::vector<Row> m_rows;
};

} // namespace hw::app
