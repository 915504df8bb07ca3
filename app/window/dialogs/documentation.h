// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>

#include <vector>

class QListWidget;
class QTextBrowser;

namespace hw::app {

/// A page of the documentation, or a section of one.
struct HelpTopic {
    QString file;    ///< "netbox.md"
    QString page;    ///< "NetBox"
    QString section; ///< empty: the page itself
};

/// Where the pages are: beside the resources, or in the source tree; empty where there are none.
[[nodiscard]] QString documentationFolder();
/// Pages and their sections, as found in the folder; read once.
[[nodiscard]] const std::vector<HelpTopic>& helpTopics();

/// The pages of the documentation with their list, in a window beside the main one.
class DocumentationDialog : public QDialog {
    Q_OBJECT
public:
    explicit DocumentationDialog(QWidget* parent);
    void showTopic(const HelpTopic& topic);
    [[nodiscard]] QTextBrowser* page() const { return m_page; }

private:
    void follow(const QUrl& link);

    QListWidget* m_list;
    QTextBrowser* m_page;
};

} // namespace hw::app
