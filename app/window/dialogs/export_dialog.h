// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/dialogs/format_fields.h"
#include "app/window/session.h"

#include <QDialog>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace hw::views {
class WorkBar;
}

namespace hw::app {

/// Every format that the command line exports, with its options, the phase and network where the format takes them, and where to write.
/// Writing happens on a worker; the dialog stays open for the next format.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    ExportDialog(Session& session, QWidget* parent);
    [[nodiscard]] bool choose(const QString& format); ///< false: there is none of this name
    [[nodiscard]] bool running() const { return m_running; }

signals:
    void exported(const QString& path); ///< empty: it went to a server
    void failed(const QString& text);

private:
    void fillFormats();
    void fillDesign();
    void search(const QString& words);
    void showFormat();
    void propose();
    void browse();
    void start();
    void enable();
    void finish(const QString& path, const Text& report, bool whole);
    void stop(const Error& error);
    void showProgress();
    void say(const QString& text, bool problem);
    [[nodiscard]] const exchange::Exporter* chosen() const;
    [[nodiscard]] exchange::ExportJob job() const;
    [[nodiscard]] bool mayReplace();
    [[nodiscard]] bool toServer() const;

    Session& m_session;
    QLineEdit *m_search, *m_output;
    QTreeWidget* m_list;
    QLabel *m_title, *m_summary, *m_message;
    QWidget* m_messageArea;
    FormatFields* m_fields;
    QComboBox *m_phase, *m_network;
    QFormLayout* m_form;
    views::WorkBar* m_work;
    QPushButton *m_browse, *m_export, *m_stop;
    QString m_confirmed; ///< path whose replacement was agreed to
    bool m_running = false;
};

/// What a format writes, by its summary: "" a folder, else the ending of the file; nothing where it does not tell.
[[nodiscard]] std::optional<QString> endingOf(const exchange::FormatInfo& info);

} // namespace hw::app
