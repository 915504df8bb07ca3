// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog> // before core's headers: moc cannot read <compare> as the very first one

#include "app/formats/plan_files.h"
#include "app/window/dialogs/format_fields.h"
#include "app/window/session.h"

#include <QTimer>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace hw::views {
class WorkBar;
}

namespace hw::app {

class NetboxSource;

/// Files of a foreign format: which it is, what it can be told, and what it would change, worked out again whenever one of these changes.
/// Importing is one undo step; a format that makes a project writes a file of its own. Of NetBox, the source is stated in the dialog, and read when
/// that is asked for.
class ImportDialog : public QDialog {
    Q_OBJECT
public:
    /// `found.importer`: null where no format knows the files, and the user chooses one.
    ImportDialog(Session& session, FoundSources found, QWidget* parent);
    /// An installation of NetBox.
    ImportDialog(Session& session, QWidget* parent);
    ImportDialog(Session& session, const exchange::Importer& importer, std::vector<exchange::ImportSource> sources, QWidget* parent)
        : ImportDialog(session, FoundSources{std::move(sources), {}, &importer}, parent)
    {
    }
    /// As they are with what was reported.
    [[nodiscard]] std::vector<exchange::ImportSource> told() const;
    [[nodiscard]] const exchange::Importer* importer() const { return m_importer; }

signals:
    void compareRequested();               ///< what was observed shall be compared with the design, and not kept
    void projectMade(const QString& path); ///< a project was written, which may be opened

private:
    void build();
    void choose(const exchange::Importer* importer);
    void follow();
    void look();
    void showProgress();
    [[nodiscard]] QString sourcesName() const;
    void showPlan(Result<exchange::ImportPlan> plan);
    void apply();
    void makeProject(const exchange::ImportPlan& plan);

    Session& m_session;
    const exchange::Importer* m_importer = nullptr; ///< of the registry, which lives as long as the program
    FoundSources m_found;                           ///< several files are read together, or one after the other
    const exchange::Importer* m_ofFolder = nullptr; ///< that reads their folder itself
    NetboxSource* m_netbox = nullptr;               ///< where the source is stated here
    bool m_reading = false;                         ///< a plan is worked out
    QComboBox* m_formats;
    QLabel* m_hint; ///< where no format knows the files
    FormatFields* m_fields;
    QWidget* m_area; ///< of the fields; it scrolls
    QPlainTextEdit* m_plan;
    views::WorkBar* m_work;
    QPushButton *m_apply, *m_compare, *m_read, *m_stop;
    QTimer m_later;
    std::optional<exchange::ImportPlan> m_planned;
};

} // namespace hw::app
