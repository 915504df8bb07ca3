// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/documentation.h"

#include "core/foundation/base/resources.h"
#include "views/style/fit.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QListWidget>
#include <QRegularExpression>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>

#include <algorithm>

namespace hw::app {
namespace {

using views::space;

/// Pictures no wider than the page.
class Page final : public QTextBrowser {
    QVariant loadResource(int type, const QUrl& name) override
    {
        const QVariant found = QTextBrowser::loadResource(type, name);
        if (type != QTextDocument::ImageResource) return found;
        QImage image;
        const bool read =
            found.typeId() == QMetaType::QByteArray ? image.loadFromData(found.toByteArray()) : image.load(source().resolved(name).toLocalFile());
        if (!read) return found;
        const int room = std::max(100, viewport()->width() - space(8));
        return image.width() > room ? image.scaledToWidth(room, Qt::SmoothTransformation) : image;
    }
};

/// "## How it works" as "How it works", without its marks of code and links.
QString plainHeading(QString line)
{
    static const QRegularExpression link("\\[([^]]*)\\]\\([^)]*\\)");
    return line.replace(link, "\\1").remove('#').remove('`').remove('*').trimmed();
}

QString slugOf(const QString& heading)
{
    static const QRegularExpression odd("[^a-z0-9 _-]");
    return heading.toLower().remove(odd).replace(' ', '-');
}

std::vector<HelpTopic> topicsIn(const QString& folder)
{
    std::vector<HelpTopic> topics;
    if (folder.isEmpty()) return topics;
    for (const QString& name : QDir(folder).entryList({"*.md"}, QDir::Files, QDir::Name)) {
        QFile file(folder + "/" + name);
        if (name == "architecture.md" || !file.open(QIODevice::ReadOnly | QIODevice::Text)) continue; // that one is for developers
        QString page;
        bool code = false;
        for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
            if (line.startsWith("```")) code = !code;
            if (code) continue;
            if (page.isEmpty() && line.startsWith("# ")) topics.push_back({name, page = plainHeading(line), {}});
            if (!page.isEmpty() && line.startsWith("## ")) topics.push_back({name, page, plainHeading(line)});
        }
    }
    return topics;
}

} // namespace

QString documentationFolder()
{
    const QString resources = QString::fromStdString(resourceFolder().string());
    for (const QString& folder : {resources + "/docs", resources + "/../docs"})
        if (QFile::exists(folder + "/commands.md")) return QDir::cleanPath(folder);
    return {};
}

const std::vector<HelpTopic>& helpTopics()
{
    static const std::vector<HelpTopic> topics = topicsIn(documentationFolder());
    return topics;
}

DocumentationDialog::DocumentationDialog(QWidget* parent) : QDialog(parent), m_list(new QListWidget), m_page(new Page)
{
    setWindowTitle(tr("Documentation"));
    setModal(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* split = new QSplitter;
    split->addWidget(m_list);
    split->addWidget(m_page);
    split->setStretchFactor(1, 1);
    column->addWidget(split);
    m_list->setAccessibleName(tr("Pages"));
    m_list->setObjectName("helpPages");
    m_page->setAccessibleName(tr("Page"));
    m_page->setOpenLinks(false);
    m_page->document()->setDocumentMargin(space(4));
    for (const HelpTopic& topic : helpTopics())
        if (topic.section.isEmpty()) {
            auto* item = new QListWidgetItem(topic.page, m_list);
            item->setData(Qt::UserRole, topic.file);
        }
    m_list->setMinimumWidth(m_list->sizeHintForColumn(0) + space(6));
    connect(m_list, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item) m_page->setSource(QUrl::fromLocalFile(documentationFolder() + "/" + item->data(Qt::UserRole).toString()));
    });
    connect(m_page, &QTextBrowser::anchorClicked, this, &DocumentationDialog::follow);
    views::fitToScreen(*this, {fontMetrics().averageCharWidth() * 150, fontMetrics().height() * 48});
    if (m_list->count() > 0)
        m_list->setCurrentRow(0);
    else
        m_page->setPlainText(tr("No documentation is installed (%1/docs)").arg(QString::fromStdString(resourceFolder().string())));
}

void DocumentationDialog::showTopic(const HelpTopic& topic)
{
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->data(Qt::UserRole).toString() == topic.file) m_list->setCurrentRow(row);
    QTextCursor top(m_page->document());
    for (QTextBlock block = m_page->document()->begin(); !topic.section.isEmpty() && block.isValid(); block = block.next())
        if (block.blockFormat().headingLevel() == 2 && block.text() == topic.section) top = QTextCursor(block);
    m_page->moveCursor(QTextCursor::End); // so that the section comes to the top
    m_page->setTextCursor(top);
    m_page->ensureCursorVisible();
}

/// Other pages open here, the web in the browser; source files are not shown.
void DocumentationDialog::follow(const QUrl& link)
{
    if (link.scheme().startsWith("http")) {
        QDesktopServices::openUrl(link);
        return;
    }
    const QString file = link.path().isEmpty() ? m_page->source().fileName() : link.fileName();
    const auto matches = [&](const HelpTopic& topic) {
        return topic.file == file && (link.fragment().isEmpty() ? topic.section.isEmpty() : slugOf(topic.section) == link.fragment());
    };
    if (const auto found = std::ranges::find_if(helpTopics(), matches); found != helpTopics().end()) showTopic(*found);
}

} // namespace hw::app
