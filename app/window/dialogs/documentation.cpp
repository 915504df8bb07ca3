// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/documentation.h"

#include "app/window/dialogs/guide.h"
#include "core/foundation/base/language.h"
#include "core/foundation/base/resources.h"
#include "views/style/fit.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QShortcut>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>

#include <algorithm>
#include <map>

namespace hw::app {
namespace {

using views::space;

constexpr int kPathRole = Qt::UserRole, kWordsRole = Qt::UserRole + 1;

/// The Markdown of a page as it is shown.
QString helpTextOf(const QString& path)
{
    if (QFileInfo(path).path() == guideFolder(language())) return guideText(path, language());
    QFile file(path);
    return file.open(QIODevice::ReadOnly | QIODevice::Text) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Pictures no wider than the page.
class Page final : public QTextBrowser {
    QVariant loadResource(int type, const QUrl& name) override
    {
        if (type == QTextDocument::MarkdownResource) return helpTextOf(source().resolved(name).toLocalFile());
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

void addReference(const QString& folder, std::vector<HelpTopic>& topics)
{
    if (folder.isEmpty()) return;
    for (const QString& name : QDir(folder).entryList({"*.md"}, QDir::Files, QDir::Name)) {
        QFile file(folder + "/" + name);
        if (name == "architecture.md" || !file.open(QIODevice::ReadOnly | QIODevice::Text)) continue; // that one is for developers
        QString page;
        bool code = false;
        for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
            if (line.startsWith("```")) code = !code;
            if (code) continue;
            if (page.isEmpty() && line.startsWith("# ")) topics.push_back({folder, name, page = plainHeading(line), {}});
            if (!page.isEmpty() && line.startsWith("## ")) topics.push_back({folder, name, page, plainHeading(line)});
        }
    }
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
    static std::map<std::string, std::vector<HelpTopic>> byLanguage;
    const auto [found, isNew] = byLanguage.try_emplace(language().name());
    if (isNew) {
        const QString guide = guideFolder(language());
        for (const GuidePage& page : guidePages(guide)) found->second.push_back({guide, page.file, page.title, {}});
        addReference(documentationFolder(), found->second);
    }
    return found->second;
}

DocumentationDialog::DocumentationDialog(QWidget* parent)
    : QDialog(parent), m_search(new QLineEdit), m_none(new QLabel(tr("No match"))), m_list(new QListWidget), m_page(new Page)
{
    setWindowTitle(tr("Help"));
    setModal(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* split = new QSplitter;
    auto* side = new QWidget;
    auto* sideColumn = new QVBoxLayout(side);
    sideColumn->setContentsMargins(space(2), space(2), 0, 0);
    sideColumn->setSpacing(space(2));
    sideColumn->addWidget(m_search);
    sideColumn->addWidget(m_none);
    sideColumn->addWidget(m_list, 1);
    m_none->hide();
    split->addWidget(side);
    split->addWidget(m_page);
    split->setStretchFactor(1, 1);
    column->addWidget(split);
    m_search->setPlaceholderText(tr("Search"));
    m_search->setAccessibleName(tr("Search"));
    m_search->setObjectName("helpSearch");
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    m_list->setAccessibleName(tr("Pages"));
    m_list->setObjectName("helpPages");
    m_page->setAccessibleName(tr("Page"));
    m_page->setOpenLinks(false);
    m_page->document()->setDocumentMargin(space(4));
    fill();
    m_list->setMinimumWidth(m_list->sizeHintForColumn(0) + space(6));
    connect(m_list, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (!item) return;
        m_page->setSource(QUrl::fromLocalFile(item->data(kPathRole).toString()));
        showFound();
    });
    connect(m_search, &QLineEdit::textChanged, this, &DocumentationDialog::filter);
    connect(m_page, &QTextBrowser::anchorClicked, this, &DocumentationDialog::follow);
    connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, m_search, [this] {
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    });
    views::fitToScreen(*this, {fontMetrics().averageCharWidth() * 150, fontMetrics().height() * 48});
    m_page->setFocus();
    if (!helpTopics().empty())
        showTopic(helpTopics().front());
    else
        m_page->setPlainText(tr("No documentation is installed (%1/docs)").arg(QString::fromStdString(resourceFolder().string())));
}

void DocumentationDialog::fill()
{
    const QString guide = guideFolder(language());
    QString folder;
    for (const HelpTopic& topic : helpTopics()) {
        if (!topic.section.isEmpty()) continue;
        if (folder != topic.folder) {
            auto* title = new QListWidgetItem(topic.folder == guide ? tr("Users’ guide") : tr("Reference"), m_list);
            title->setFlags(Qt::NoItemFlags);
            folder = topic.folder;
        }
        auto* item = new QListWidgetItem(topic.page, m_list);
        item->setData(kPathRole, topic.path());
        item->setData(kWordsRole, helpTextOf(topic.path()).remove('*').remove('`').toLower());
    }
}

/// Shows the pages with all words that are searched for, and the first of them.
void DocumentationDialog::filter()
{
    const QStringList words = m_search->text().toLower().split(' ', Qt::SkipEmptyParts);
    QListWidgetItem *first = nullptr, *title = nullptr;
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem* item = m_list->item(row);
        if (item->flags() == Qt::NoItemFlags) {
            item->setHidden(true); // until a page below it is shown
            title = item;
            continue;
        }
        const QString text = item->data(kWordsRole).toString();
        const bool found = std::ranges::all_of(words, [&](const QString& word) { return text.contains(word); });
        item->setHidden(!found);
        if (!found) continue;
        title->setHidden(false);
        if (!first) first = item;
    }
    if (first && m_list->currentItem() && !m_list->currentItem()->isHidden()) first = m_list->currentItem();
    m_list->setCurrentItem(first);
    m_none->setVisible(!first);
    showFound();
}

/// Marks the words that are searched for, from the top of the page.
void DocumentationDialog::showFound()
{
    QList<QTextEdit::ExtraSelection> marks;
    for (const QString& word : m_search->text().split(' ', Qt::SkipEmptyParts))
        for (QTextCursor at = m_page->document()->find(word); !at.isNull(); at = m_page->document()->find(word, at)) {
            QTextEdit::ExtraSelection mark;
            mark.cursor = at;
            mark.format.setBackground(views::theme().accentSoft);
            mark.format.setForeground(views::theme().text);
            marks.push_back(mark);
        }
    m_page->setExtraSelections(marks);
    if (marks.isEmpty()) return;
    QTextCursor top = std::ranges::min_element(marks, {}, [](const auto& mark) { return mark.cursor.position(); })->cursor;
    top.clearSelection();
    m_page->setTextCursor(top);
    m_page->ensureCursorVisible();
}

/// From the search field, arrows go through the pages and Return goes to the text.
bool DocumentationDialog::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        switch (key->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown: QCoreApplication::sendEvent(m_list, event); return true;
        case Qt::Key_Return:
        case Qt::Key_Enter: m_page->setFocus(); return true;
        default: break;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void DocumentationDialog::showTopic(const HelpTopic& topic)
{
    m_search->clear();
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->data(kPathRole).toString() == topic.path()) m_list->setCurrentRow(row);
    QTextCursor top(m_page->document());
    for (QTextBlock block = m_page->document()->begin(); !topic.section.isEmpty() && block.isValid(); block = block.next())
        if (block.blockFormat().headingLevel() == 2 && block.text() == topic.section) top = QTextCursor(block);
    m_page->moveCursor(QTextCursor::End); // so that the section comes to the top
    m_page->setTextCursor(top);
    m_page->ensureCursorVisible();
}

void DocumentationDialog::showGuide(const QString& file)
{
    const QString guide = guideFolder(language());
    const auto& topics = helpTopics();
    auto found = std::ranges::find_if(topics, [&](const HelpTopic& topic) { return topic.folder == guide && topic.file == file; });
    if (found == topics.end()) found = topics.begin();
    if (found != topics.end()) showTopic(*found);
}

/// Other pages open here, the web in the browser; source files are not shown.
void DocumentationDialog::follow(const QUrl& link)
{
    if (link.scheme().startsWith("http")) {
        QDesktopServices::openUrl(link);
        return;
    }
    const QString from = m_page->source().toLocalFile();
    const QString file = QDir::cleanPath(link.path().isEmpty() ? from : QFileInfo(from).path() + "/" + link.path());
    const auto matches = [&](const HelpTopic& topic) {
        return topic.path() == file && (link.fragment().isEmpty() ? topic.section.isEmpty() : slugOf(topic.section) == link.fragment());
    };
    if (const auto found = std::ranges::find_if(helpTopics(), matches); found != helpTopics().end()) showTopic(*found);
}

} // namespace hw::app
