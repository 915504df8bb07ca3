// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/language.h"
#include "tests/texts/catalogue.h"
#include "tests/texts/literals.h"

#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace hw;

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = fs::path(HW_RESOURCES).parent_path();

std::string bracketed(const std::string& id) { return "⟦" + id + "⟧"; }

/// A language of which every text is the English one in brackets, so that what did not go through the catalogue stands out.
fs::path pseudoLanguage(const fs::path& folder, const char* name)
{
    std::ofstream(folder / "pseudo.po") << potOf(collectTexts(kRoot), bracketed);
    const int done = QProcess::execute("msgfmt", {"-o", QString::fromStdString((folder / (std::string(name) + ".mo")).string()),
                                                  QString::fromStdString((folder / "pseudo.po").string())});
    return done == 0 ? folder / (std::string(name) + ".mo") : fs::path();
}

} // namespace

class TestTexts : public QObject {
    Q_OBJECT
private slots:
    void wordsFollowTheirArguments()
    {
        QCOMPARE(words(i18n("{} of {}", 3, "rack-1")), "3 of rack-1");
        QCOMPARE(words(i18n("{:.1f} kW of {:L}", 12.34, 15360)), "12.3 kW of 15,360");
        QCOMPARE(words(i18np(1, "{} rack", "{} racks")), "1 rack");
        QCOMPARE(words(i18np(std::size_t(2), "{} rack of {}", "{} racks of {}", "row-1")), "2 racks of row-1");
        QCOMPARE(words(i18n("outer {}", i18n("inner {}", 1))), "outer inner 1");
        QCOMPARE(words(i18n("{:.{}f}", 1.25, 1)), "1.2");
        QCOMPARE(words(listedNames(std::vector<std::string>{"a", "b"})), "a, b");
        QCOMPARE(words(i18n("{} and more", listedNames(std::vector<std::string>{"a", "b"}))), "a, b and more");
        QCOMPARE(words(verbatim("{}")), "{}");
        QCOMPARE(words(i18n("{{\"edits\": [ … ]}}")), "{\"edits\": [ … ]}");
        QVERIFY(i18n("{}", 1) == i18n("{}", 1));
        QVERIFY(!(i18n("{}", 1) == i18n("{}", 2)));
        QVERIFY(Text().empty() && verbatim("").empty() && !i18n("a").empty());
    }

    void otherLanguages()
    {
        QTemporaryDir folder;
        const fs::path there = folder.path().toStdString();
        const auto write = [&](const char* name, const char* plural, const char* body) {
            std::ofstream(there / "one.po") << "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: " << plural << "\\n\"\n"
                                            << body;
            return QProcess::execute("msgfmt", {"-o", folder.filePath(QString("%1.mo").arg(name)), folder.filePath("one.po")});
        };
        QCOMPARE(write("zh_CN", "nplurals=1; plural=0;",
                       "msgid \"{} rack\"\nmsgid_plural \"{} racks\"\nmsgstr[0] \"{} 个机柜\"\n"
                       "msgid \"{0} holds {1:.1f} kW\"\nmsgstr \"{1:.1f} kW 在 {0}\"\nmsgid \", \"\nmsgstr \"、\"\n"),
                 0);
        QCOMPARE(write("de", "nplurals=2; plural=n != 1;", "msgid \"{:.1f} kW of {:L}\"\nmsgstr \"{:.1f} kW von {:L}\"\n"), 0);
        const auto chinese = Language::load("zh_CN", there), german = Language::load("de", there);
        QVERIFY(chinese && german);
        QCOMPARE(chinese->words(i18np(1, "{} rack", "{} racks")), "1 个机柜");
        QCOMPARE(chinese->words(i18np(7, "{} rack", "{} racks")), "7 个机柜");
        QCOMPARE(chinese->words(i18n("{0} holds {1:.1f} kW", "row-1", 2.5)), "2.5 kW 在 row-1"); // another order of words
        QCOMPARE(chinese->words(listedNames(std::vector<std::string>{"a", "b"})), "a、b");
        QCOMPARE(chinese->words(i18n("not translated {}", 1)), "not translated 1");
        QCOMPARE(german->words(i18n("{:.1f} kW of {:L}", 12.34, 15360)), "12,3 kW von 15.360");
        QVERIFY(!Language::load("xx", there));
        std::ofstream(there / "broken.mo") << "no catalogue";
        QVERIFY(!Language::load("broken", there));
    }

    /// Missing: a text of the sources that the catalogue lacks. Unused: one of the catalogue that nothing says.
    void catalogueIsWhole()
    {
        const auto catalogue = collectTexts(kRoot);
        QVERIFY(catalogue.entries.size() > 1000);
        const fs::path file = kRoot / "resources/i18n/hallwright.pot";
        if (qEnvironmentVariable("HALLWRIGHT_TEXTS") == "write") std::ofstream(file) << potOf(catalogue);
        std::ifstream in(file);
        std::stringstream there;
        there << in.rdbuf();
        if (there.str() == potOf(catalogue)) return;
        std::set<std::string> wanted, known;
        for (const auto& e : catalogue.entries) wanted.insert(e.many.empty() ? e.id : e.id + '\0' + e.many);
        for (const auto& id : idsOfPot(file)) known.insert(id);
        for (const auto& id : wanted)
            if (!known.contains(id)) qWarning("missing: %s", id.c_str());
        for (const auto& id : known)
            if (!wanted.contains(id)) qWarning("unused: %s", id.c_str());
        QFAIL("resources/i18n/hallwright.pot is not what the sources say; write it with HALLWRIGHT_TEXTS=write test_texts");
    }

    /// A language is whole, or not there.
    void languagesAreWhole()
    {
        const auto wanted = idsOfPot(kRoot / "resources/i18n/hallwright.pot");
        for (const auto& entry : fs::directory_iterator(kRoot / "resources/i18n")) {
            if (entry.path().extension() != ".po") continue;
            QCOMPARE(QProcess::execute("msgfmt", {"-c", "-o", "/dev/null", QString::fromStdString(entry.path().string())}), 0);
            auto ids = idsOfPot(entry.path());
            auto all = wanted;
            std::ranges::sort(ids);
            std::ranges::sort(all);
            QVERIFY2(ids == all, entry.path().c_str());
        }
    }

    void nothingIsBuiltInPlace()
    {
        std::map<std::string, int> rooms;
        int all = 0;
        const std::string shown = qEnvironmentVariable("HALLWRIGHT_TEXTS").toStdString(); // a folder: its places
        for (const auto& source : productSources(kRoot))
            for (const auto& place : builtInPlace(kRoot, source)) {
                ++all;
                const fs::path relative = fs::relative(source, kRoot).parent_path();
                ++rooms[relative.string()];
                if (!shown.empty() && place.starts_with(shown)) qWarning("%s", place.c_str());
            }
        for (const auto& [room, count] : rooms) qWarning("%5d %s", count, room.c_str());
        QVERIFY2(all == 0, "texts that no catalogue can translate; see them with HALLWRIGHT_TEXTS=FOLDER test_texts nothingIsBuiltInPlace");
    }

    void sourcesAreReadAsTheCompilerDoes()
    {
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "a.cpp";
        std::ofstream(file) << "// \"no\"\n#include \"no.h\"\nint a = 1'000'000; char c = '\"';\n"
                               "f(i18n(\"one {} \" // goes on\n \"two\\n\", x), g(1, \"three\"), TextId(\"four\"), R\"(five \"5\")\");\n";
        const auto found = literalsOf(file);
        QCOMPARE(found.size(), std::size_t(4));
        QCOMPARE(found[0].value, "one {} two\n");
        QCOMPARE(found[0].callee, "i18n");
        QCOMPARE(found[0].argument, 0);
        QCOMPARE(found[1].callee, "g");
        QCOMPARE(found[1].argument, 1);
        QCOMPARE(found[2].callee, "TextId");
        QCOMPARE(found[3].value, "five \"5\"");
        QCOMPARE(found[3].callee, "f");
        QCOMPARE(found[3].argument, 3);
    }
};

QTEST_GUILESS_MAIN(TestTexts)
#include "test_texts.moc"
