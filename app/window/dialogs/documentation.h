// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>

#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace hw::app {

/// A page of the users' guide or of the reference, or a section of one.
struct HelpTopic {
    QString folder;
    QString file;    ///< "netbox.md"
    QString page;    ///< "NetBox"
    QString section; ///< empty: the page itself
    [[nodiscard]] QString path() const { return folder + "/" + file; }
};

/// Where the pages of the reference are: beside the resources, or in the source tree; empty where there are none.
[[nodiscard]] QString documentationFolder();
/// Pages of the guide in the language of this process, then pages of the reference with their sections; read once.
[[nodiscard]] const std::vector<HelpTopic>& helpTopics();

/// All pages with their list and a search over their texts, in a window beside the main one.
class DocumentationDialog : public QDialog {
    Q_OBJECT
public:
    explicit DocumentationDialog(QWidget* parent);
    void showTopic(const HelpTopic& topic);
    void showGuide(const QString& file); ///< a page of the guide; the first page of all where there is no such page
    [[nodiscard]] QTextBrowser* page() const { return m_page; }
    [[nodiscard]] QListWidget* list() const { return m_list; }
    [[nodiscard]] QLineEdit* search() const { return m_search; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void filter();
    void showFound();
    void follow(const QUrl& link);

    QLineEdit* m_search;
    QLabel* m_none;
    QListWidget* m_list;
    QTextBrowser* m_page;
};

} // namespace hw::app
