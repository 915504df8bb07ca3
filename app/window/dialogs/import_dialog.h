// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/session.h"
#include "core/output/exchange/formats.h"

#include <QDialog>
#include <QTimer>
#include <set>

class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace hw::app {

/// Files of a foreign format: what its format can be told, and what it would change, worked out again whenever something is reported.
/// Importing is one undo step.
class ImportDialog : public QDialog {
    Q_OBJECT
public:
    ImportDialog(Session& session, const exchange::Importer& importer, std::vector<exchange::ImportSource> sources, QWidget* parent);
    /// As they are with what was reported.
    [[nodiscard]] std::vector<exchange::ImportSource> told() const;

signals:
    void compareRequested(); ///< what was observed shall be compared with the design, and not kept

private:
    void look();
    [[nodiscard]] QString sourcesName() const;
    void showPlan(Result<exchange::ImportPlan> plan);
    void apply();

    Session& m_session;
    const exchange::Importer& m_importer;          ///< of the registry, which lives as long as the program
    std::vector<exchange::ImportSource> m_sources; ///< several only of a format that observes
    std::map<std::string, QLineEdit*> m_options;
    std::set<std::string> m_repeating; ///< options whose values come as lines
    QPlainTextEdit* m_plan;
    QPushButton* m_apply;
    QTimer m_later;
    std::optional<exchange::ImportPlan> m_planned;
};

} // namespace hw::app
