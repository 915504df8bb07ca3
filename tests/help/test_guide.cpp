// SPDX-License-Identifier: GPL-3.0-or-later
// The users' guide: what its pages name exists, in both languages, and F1 opens the page for what has the focus.
#include "tests/views/window/window_test.h"

#include "app/window/dialogs/documentation.h"
#include "app/window/dialogs/guide.h"
#include "app/window/dialogs/size_dialog.h"
#include "core/foundation/base/language.h"
#include "views/plan/plan_view.h"

#include <QDir>
#include <QListWidget>
#include <QProcess>
#include <QRegularExpression>
#include <QTextBrowser>

#include <map>
#include <set>

using namespace hw;
using namespace hw::app;

namespace {

const QString kHelp = HW_RESOURCES "/help";

QString read(const QString& file)
{
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? QString::fromUtf8(in.readAll()) : QString();
}

QStringList captures(const QString& pattern, const QString& text)
{
    QStringList found;
    for (auto it = QRegularExpression(pattern, QRegularExpression::MultilineOption).globalMatch(text); it.hasNext();) found << it.next().captured(1);
    return found;
}

QStringList sorted(QStringList list)
{
    list.sort();
    return list;
}

/// What a page names, in whatever language it is written.
struct Named {
    QStringList labels, pictures, links, commands, sections;
    explicit Named(const QString& page)
        : labels(sorted(captures("\\[\\[([^\\]]+)\\]\\]", page))), pictures(captures("\\]\\(\\.\\./pictures/([a-z-]+\\.png)\\)", page)),
          links(sorted(captures("\\]\\(([a-z-]+\\.md)\\)", page))), commands(captures("^    (hallwright-cli .*)$", page)),
          sections(captures("^(#+) ", page))
    {
        commands += captures("`(hallwright-cli [^`]*)`", page);
        commands.sort();
    }
};

QStringList files(const QString& folder, const QString& ending) { return QDir(folder).entryList({"*." + ending}, QDir::Files, QDir::Name); }

} // namespace

class TestGuide : public test::WindowTest {
    Q_OBJECT
public:
    TestGuide() : WindowTest(1) {}

private:
    const Language m_chinese = Language::load("zh_CN", HW_RESOURCES "/i18n").value();

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(QGuiApplication::focusWindow(), key, modifiers); }
    void returned()
    {
        m_window->activateWindow();
        QTRY_VERIFY(QGuiApplication::focusWindow() == m_window->windowHandle());
    }
    DocumentationDialog* help()
    {
        DocumentationDialog* dialog = nullptr;
        (void)QTest::qWaitFor([&] { return (dialog = qobject_cast<DocumentationDialog*>(QApplication::activeWindow())) != nullptr; }, 10000);
        return dialog;
    }
    QString shown() { return help() ? help()->page()->source().fileName() : QString(); }

private slots:
    void initTestCase()
    {
        keepSettingsHere();
        openWindow({1400, 900}, Library::Loaded);
    }
    void cleanupTestCase() { closeWindow(); }

    void pagesAreListedInBothLanguages()
    {
        const auto english = guidePages(kHelp + "/en"), chinese = guidePages(kHelp + "/zh_CN");
        QVERIFY(english.size() >= 13);
        QCOMPARE(english.size(), chinese.size());
        QStringList listed;
        for (std::size_t i = 0; i < english.size(); ++i) {
            QCOMPARE(english[i].file, chinese[i].file);
            QVERIFY(!english[i].title.isEmpty() && chinese[i].title != english[i].title);
            listed << english[i].file;
        }
        for (const char* name : {"en", "zh_CN"}) QCOMPARE(files(kHelp + "/" + name, "md"), sorted(listed));
    }

    /// Both languages name the same labels, pictures, pages and commands, and all of them exist.
    void everythingNamedExists()
    {
        std::set<QString> pictures;
        for (const GuidePage& page : guidePages(kHelp + "/en")) {
            const Named english(read(kHelp + "/en/" + page.file)), chinese(read(kHelp + "/zh_CN/" + page.file));
            QCOMPARE(chinese.labels, english.labels);
            QCOMPARE(chinese.pictures, english.pictures);
            QCOMPARE(chinese.links, english.links);
            QCOMPARE(chinese.commands, english.commands);
            QCOMPARE(chinese.sections, english.sections);
            for (const QString& label : english.labels)
                QVERIFY2(m_chinese.find(label.toUtf8().constData()), qPrintable(page.file + ": no such text: " + label));
            for (const QString& link : english.links) QVERIFY2(QFile::exists(kHelp + "/en/" + link), qPrintable(page.file + ": " + link));
            for (const QString& picture : english.pictures) {
                QVERIFY2(QFile::exists(kHelp + "/pictures/" + picture), qPrintable(page.file + ": " + picture));
                pictures.insert(picture);
            }
            if (page.file != "index.md") QVERIFY2(!english.pictures.isEmpty() && !english.commands.isEmpty(), qPrintable(page.file));
        }
        const QStringList there = files(kHelp + "/pictures", "png");
        QCOMPARE(sorted(there), QStringList(pictures.begin(), pictures.end())); // none that no page shows
        QVERIFY(there.size() <= 25);
        for (const QString& picture : there) QVERIFY2(QFileInfo(kHelp + "/pictures/" + picture).size() <= 120'000, qPrintable(picture));
    }

    /// Labels are shown as the window shows them, and nothing of the marks is left.
    void labelsAreThoseOfTheWindow()
    {
        QVERIFY(guideText(kHelp + "/en/plan.md", Language()).contains("**Array** (Ctrl+Shift+R)"));
        QVERIFY(guideText(kHelp + "/zh_CN/plan.md", m_chinese).contains("**阵列**（Ctrl+Shift+R）"));
        for (const char* name : {"en", "zh_CN"})
            for (const GuidePage& page : guidePages(kHelp + "/" + name)) {
                QTextDocument document;
                document.setMarkdown(guideText(kHelp + "/" + name + "/" + page.file, QString(name) == "en" ? Language() : m_chinese));
                const QString text = document.toPlainText();
                for (const char* mark : {"**", "[[", "]]", "(&", "](", "`"}) QVERIFY2(!text.contains(mark), qPrintable(page.file + ": " + mark));
            }
    }

    /// Every command of the guide and every option that it is given.
    void commandsTakeTheirOptions()
    {
        std::map<QString, QString> helps;
        std::map<QString, std::set<QString>> wanted;
        for (const GuidePage& page : guidePages(kHelp + "/en"))
            for (const QString& line : Named(read(kHelp + "/en/" + page.file)).commands) {
                const QStringList words = QString(line).remove(QRegularExpression("\"[^\"]*\"")).split(' ', Qt::SkipEmptyParts);
                QVERIFY2(words.size() > 1, qPrintable(line));
                const bool format = (words[1] == "import" || words[1] == "export") && words.size() > 2;
                auto& options = wanted[words[1] + (format ? " " + words[2] : QString())];
                for (const QString& word : words)
                    if (word.startsWith('-')) options.insert(word);
            }
        QVERIFY(wanted.size() > 15);
        for (const auto& [command, options] : wanted) {
            QProcess cli;
            cli.setProcessChannelMode(QProcess::MergedChannels);
            cli.start(HW_BIN_DIR "/hallwright-cli", command.split(' ') + QStringList("--help"));
            QVERIFY(cli.waitForFinished(30000));
            const QString text = QString::fromUtf8(cli.readAll());
            QVERIFY2(cli.exitCode() == 0, qPrintable(command + ": " + text));
            for (const QString& option : options)
                QVERIFY2(QRegularExpression("(^|[\\s,])" + QRegularExpression::escape(option) + "(?![\\w-])").match(text).hasMatch(),
                         qPrintable(command + ": no option " + option));
        }
    }

    void everyPlaceHasItsPage()
    {
        for (const auto& [place, file] : guidePlaces()) {
            const QString name = QString::fromUtf8(place.data(), qsizetype(place.size()));
            QVERIFY2(QFile::exists(kHelp + "/en/" + guidePageOf(place)), qPrintable(name));
            if (!name.endsWith("Dialog") && name != "start") QVERIFY2(m_window->panel(name), qPrintable(name));
        }
        QCOMPARE(guidePageOf("no such panel"), QString("index.md"));
    }

    /// The key itself: in a pane, in panels and in a dialog.
    void f1OpensThePageForTheFocus()
    {
        const auto opens = [&](const char* page) {
            press(Qt::Key_F1);
            DocumentationDialog* dialog = help();
            QVERIFY(dialog);
            QCOMPARE(shown(), QString(page));
            press(Qt::Key_Escape);
            QTRY_VERIFY(!dialog->isVisible());
            returned();
        };
        returned();
        plan()->setFocus();
        opens("plan.md");
        for (const auto& [panel, page] :
             {std::pair("tables", "tables.md"), {"findings", "check.md"}, {"impact", "failures.md"}, {"bom", "money.md"}}) {
            m_window->raisePanel(panel);
            for (QWidget* child : m_window->panel(panel)->findChildren<QWidget*>())
                if (child->isVisible() && child->isEnabled() && (child->focusPolicy() & Qt::TabFocus)) child->setFocus();
            opens(page);
        }
        m_window->showStart(true);
        opens("first-hall.md");
        m_window->showStart(false);
        m_window->action("design.size")->trigger();
        QTRY_VERIFY(qobject_cast<SizeDialog*>(QApplication::activeWindow()));
        press(Qt::Key_F1);
        QTRY_COMPARE(shown(), QString("size.md")); // in front of the dialog, which would block that of the window
        press(Qt::Key_Escape);
        QTRY_VERIFY(qobject_cast<SizeDialog*>(QApplication::activeModalWidget()));
        QApplication::activeModalWidget()->close();
        QTRY_VERIFY(!QApplication::activeModalWidget());
        returned();
    }

    /// The search goes over all texts; arrows go through what it finds, Return to the text.
    void pagesAreSearched()
    {
        returned();
        plan()->setFocus();
        press(Qt::Key_F1);
        QTRY_COMPARE(shown(), QString("plan.md"));
        DocumentationDialog* dialog = help();
        const auto visible = [&] {
            QStringList pages;
            for (int row = 0; row < dialog->list()->count(); ++row)
                if (const auto* item = dialog->list()->item(row); !item->isHidden() && item->flags() != Qt::NoItemFlags) pages << item->text();
            return pages;
        };
        const auto all = visible().size();
        QVERIFY(all > 25); // the reference, too
        press(Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(dialog->search()->hasFocus());
        for (const char c : std::string("ride-through gpu")) QTest::keyClick(QGuiApplication::focusWindow(), c);
        QVERIFY(visible().size() < all && visible().contains("Failure impact"));
        QCOMPARE(visible().front(), dialog->list()->currentItem()->text());
        QVERIFY(!dialog->page()->extraSelections().isEmpty());
        const QString first = shown();
        press(Qt::Key_Down);
        QVERIFY(shown() != first);
        press(Qt::Key_Return);
        QVERIFY(dialog->page()->hasFocus());
        dialog->search()->setText("zzqx");
        QVERIFY(visible().isEmpty());
        dialog->search()->clear();
        QCOMPARE(visible().size(), all);
        dialog->showGuide("index.md");
        emit dialog->page()->anchorClicked(QUrl("size.md"));
        QCOMPARE(shown(), QString("size.md"));
        if (const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES"); !folder.isEmpty()) {
            dialog->grab().save(folder + "/help-dark.png");
            m_window->setTheme(views::ThemeKind::Light);
            dialog->showGuide("plan.md");
            dialog->grab().save(folder + "/help-light.png");
            m_window->setTheme(views::ThemeKind::Dark);
        }
        dialog->close();
        returned();
    }

    void htmlHasAllPages()
    {
        QTemporaryDir folder;
        const auto written = writeGuide(folder.path().toStdString());
        QVERIFY2(written, written ? "" : written.error().text().c_str());
        for (const char* name : {"en", "zh_CN"})
            for (const GuidePage& page : guidePages(kHelp + "/" + name)) {
                const QString html = read(folder.filePath(QString("%1/%2.html").arg(name, page.file.chopped(3))));
                QVERIFY2(html.contains("<title>" + page.title.toHtmlEscaped()) && html.contains("<h1"), qPrintable(page.file));
                QVERIFY(!html.contains("[[") && !html.contains("**") && !html.contains(".md\""));
                for (const QString& link : captures("(?:href|src)=\"([^\"]*)\"", html))
                    QVERIFY2(QFile::exists(folder.filePath(QString(name) + "/" + link)), qPrintable(page.file + ": " + link));
            }
        QVERIFY(read(folder.filePath("en/plan.html")).contains("<b>Array</b>"));
        QVERIFY(read(folder.filePath("zh_CN/plan.html")).contains("<b>阵列</b>"));
        QVERIFY(!writeGuide("/proc/none"));
    }

    /// In the language of the process; the last test, for it changes it.
    void theWindowShowsThePagesOfItsLanguage()
    {
        setLanguage(m_chinese);
        DocumentationDialog dialog(nullptr);
        dialog.showGuide("plan.md");
        QVERIFY(dialog.page()->source().path().endsWith("/zh_CN/plan.md"));
        QVERIFY2(dialog.page()->toPlainText().contains("阵列"), qPrintable(dialog.page()->toPlainText().left(400)));
        if (const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES"); !folder.isEmpty()) dialog.grab().save(folder + "/help-zh.png");
        setLanguage(Language());
    }
};

QTEST_MAIN(TestGuide)
#include "test_guide.moc"
