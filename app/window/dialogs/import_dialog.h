// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/session.h"
#include "core/exchange/formats.h"

#include <QDialog>
#include <QTimer>
#include <set>

class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace hw::app {

/// A file of a foreign format: what its format can be told, and what it would change, worked out anew whenever something is told.
/// Importing is one undo step.
class ImportDialog : public QDialog {
    Q_OBJECT
public:
    ImportDialog(Session& session, const exchange::Importer& importer, exchange::ImportSource source, QWidget* parent);

private:
    void look();
    void showPlan(Result<exchange::ImportPlan> plan);
    void apply();

    Session& m_session;
    const exchange::Importer& m_importer; ///< of the registry, which lives as long as the program
    exchange::ImportSource m_source;
    std::map<std::string, QLineEdit*> m_options;
    std::set<std::string> m_repeating; ///< options whose values come as lines
    QPlainTextEdit* m_plan;
    QPushButton* m_apply;
    QTimer m_later;
    std::optional<exchange::ImportPlan> m_planned;
};

} // namespace hw::app
