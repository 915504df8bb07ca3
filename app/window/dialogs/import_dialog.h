// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/dialogs/format_fields.h"
#include "app/window/session.h"

#include <QDialog>
#include <QTimer>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace hw::app {

/// Files of a foreign format: which it is, what it can be told, and what it would change, worked out again whenever one of these changes.
/// Importing is one undo step; a format that makes a project writes a file of its own.
class ImportDialog : public QDialog {
    Q_OBJECT
public:
    /// `importer`: null where no format knows the files, and the user chooses one.
    ImportDialog(Session& session, const exchange::Importer* importer, std::vector<exchange::ImportSource> sources, QWidget* parent);
    ImportDialog(Session& session, const exchange::Importer& importer, std::vector<exchange::ImportSource> sources, QWidget* parent)
        : ImportDialog(session, &importer, std::move(sources), parent)
    {
    }
    /// As they are with what was reported.
    [[nodiscard]] std::vector<exchange::ImportSource> told() const;
    [[nodiscard]] const exchange::Importer* importer() const { return m_importer; }

signals:
    void compareRequested();               ///< what was observed shall be compared with the design, and not kept
    void projectMade(const QString& path); ///< a project was written, which may be opened

private:
    void choose(const exchange::Importer* importer);
    void look();
    [[nodiscard]] QString sourcesName() const;
    void showPlan(Result<exchange::ImportPlan> plan);
    void apply();
    void makeProject(const exchange::ImportPlan& plan);

    Session& m_session;
    const exchange::Importer* m_importer;          ///< of the registry, which lives as long as the program
    std::vector<exchange::ImportSource> m_sources; ///< several are read together, or one after the other
    QComboBox* m_formats;
    QLabel* m_hint; ///< where no format knows the files
    FormatFields* m_fields;
    QWidget* m_area; ///< of the fields; it scrolls
    QPlainTextEdit* m_plan;
    QPushButton *m_apply, *m_compare;
    QTimer m_later;
    std::optional<exchange::ImportPlan> m_planned;
};

} // namespace hw::app
