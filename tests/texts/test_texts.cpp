// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "core/foundation/base/language.h"
#include "tests/texts/catalog.h"
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

/// A language of which every text is the English one in brackets, so that what did not go through the catalog stands out.
fs::path pseudoLanguage(const fs::path& folder, const char* name)
{
    std::ofstream(folder / "pseudo.po") << potOf(collectTexts(kRoot), bracketed);
    const int done = QProcess::execute("msgfmt", {"-o", QString::fromStdString((folder / (std::string(name) + ".mo")).string()),
                                                  QString::fromStdString((folder / "pseudo.po").string())});
    return done == 0 ? folder / (std::string(name) + ".mo") : fs::path();
}

/// Runs of English words that stand in no brackets: what somebody who reads another language cannot read.
QStringList untranslated(const QString& said)
{
    QString outside;
    int depth = 0;
    for (const QChar c : said) {
        if (c == QChar(0x27E6)) ++depth;
        if (depth == 0) outside += c;
        if (c == QChar(0x27E7)) --depth, outside += '|';
    }
    // A word of a key, an option or a path ("power_limit_mw", "--limit-racks", "hallwright-cli") is none of these.
    // Citations of sources, types of values and components of a fault table are for programs; a parameter's name beside its value is no sentence.
    static const QRegularExpression apart("\"(?:source|type|component)\": \"(?:[^\"\\\\]|\\\\.)*\"|networks all");
    outside.remove(apart);
    static const QRegularExpression run(R"((?<![\w./=-])[A-Za-z][a-z]+(?:[,.;:]? [a-z]{2,})+(?![\w/=-]))");
    QStringList found;
    for (auto it = run.globalMatch(outside); it.hasNext();) {
        const auto match = it.next();
        found << outside.mid(std::max<qsizetype>(0, match.capturedStart() - 40), 40) + ">>" + match.captured() + "<<";
    }
    found.removeDuplicates();
    return found;
}

/// What a command wrote: a table whole, of a document its headings (its cells name parts and cite
/// sources, its pictures draw letters apart).
QString written(const QStringList& arguments)
{
    const auto at = arguments.indexOf("-o");
    const QString path = at < 0 ? QString() : arguments.value(at + 1);
    if (!path.endsWith(".html") && !path.endsWith(".csv")) return {};
    std::ifstream file(path.toStdString());
    std::stringstream content;
    content << file.rdbuf();
    const QString text = QString::fromStdString(content.str());
    if (path.endsWith(".csv")) return text;
    static const QRegularExpression heading("<(h[1-3]|th)(?: (?:id|class)=\"[^\"]*\")?>(.*?)</\\1>");
    QStringList said;
    for (auto it = heading.globalMatch(text); it.hasNext();) said << it.next().captured(2);
    return said.join(" | ");
}

/// A phrase that engineers of the field would not write, and what they write.
struct Denied {
    QRegularExpression pattern;
    QString use;
};

std::vector<Denied> deniedPhrases()
{
    std::vector<Denied> out;
    std::ifstream in(kRoot / "tests/texts/deny_list.txt");
    for (std::string line; std::getline(in, line);) {
        const auto tab = line.find('\t');
        if (line.starts_with('#') || tab == std::string::npos) continue;
        out.push_back({QRegularExpression(QString::fromStdString(line.substr(0, tab)), QRegularExpression::CaseInsensitiveOption),
                       QString::fromStdString(line.substr(tab + 1))});
    }
    return out;
}

/// "PLACE: PHRASE; write USE" for each denied phrase in a text.
void findDenied(const std::vector<Denied>& denied, const QString& place, const QString& text, QStringList& found)
{
    for (const Denied& phrase : denied)
        if (const auto match = phrase.pattern.match(text); match.hasMatch())
            found << place + ": \"" + match.captured() + "\" in \"" + text.left(120) + "\"; write: " + phrase.use;
}

/// Lines of a document that people read: no code blocks, no code within lines, no addresses of links.
std::vector<std::pair<int, QString>> proseOf(const fs::path& file)
{
    static const QRegularExpression code("`[^`]*`|\\]\\([^)]*\\)");
    std::vector<std::pair<int, QString>> out;
    std::ifstream in(file);
    bool fenced = false;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (line.starts_with("```")) fenced = !fenced;
        if (fenced || line.starts_with("    ")) continue;
        out.emplace_back(number, QString::fromStdString(line).remove(code));
    }
    return out;
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
        std::ofstream(there / "broken.mo") << "no catalog";
        QVERIFY(!Language::load("broken", there));
    }

    /// Missing: a text of the sources that the catalog lacks. Unused: one of the catalog that nothing says.
    void catalogIsWhole()
    {
        const auto catalog = collectTexts(kRoot);
        QVERIFY(catalog.entries.size() > 1000);
        const fs::path file = kRoot / "resources/i18n/hallwright.pot";
        if (qEnvironmentVariable("HALLWRIGHT_TEXTS") == "write") std::ofstream(file) << potOf(catalog);
        std::ifstream in(file);
        std::stringstream there;
        there << in.rdbuf();
        if (there.str() == potOf(catalog)) return;
        std::set<std::string> wanted, known;
        for (const auto& e : catalog.entries) wanted.insert(e.many.empty() ? e.id : e.id + '\0' + e.many);
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
            int wrong = 0;
            for (const auto& [forms, translation] : translationsOf(entry.path())) {
                const auto places = placesOf(translation);
                if (!translation.empty() && std::ranges::any_of(forms, [&](const auto& form) { return placesOf(form) == places; })) continue;
                qWarning("%s: %s: %s", entry.path().filename().c_str(), forms.front().c_str(), translation.c_str());
                ++wrong;
            }
            QCOMPARE(wrong, 0);
        }
    }

    void placesOfATranslation()
    {
        QCOMPARE(placesOf("{} of {:L} %1"), placesOf("%1 {1:L}, {0}"));
        QVERIFY(placesOf("{} of {:L}") != placesOf("{:L} of {}"));
        QVERIFY(placesOf("{} of {:L}") != placesOf("{}"));
        QVERIFY(placesOf("{}") != placesOf("{} %n"));
        QCOMPARE(placesOf("{{a}}"), placesOf("b"));
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
        QVERIFY2(all == 0, "texts that no catalog can translate; see them with HALLWRIGHT_TEXTS=FOLDER test_texts nothingIsBuiltInPlace");
    }

    /// What the command line says in a language of which every text is the English one in brackets.
    void theCommandLineSpeaksIt_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QVERIFY(!pseudoLanguage(fs::path(m_folder.path().toStdString()), "xx").empty());
        const auto write = [this](const char* name, const char* text) {
            const QString path = m_folder.filePath(name);
            std::ofstream(path.toStdString()) << text;
            return path;
        };
        const QString hall = m_folder.filePath("small.hall"), other = m_folder.filePath("other.hall"), none = m_folder.filePath("none.hall");
        const auto row = [](const char* name, const QStringList& arguments) { QTest::newRow(name) << arguments; };
        row("every help", {"--help-all"});
        for (const char* command : {"new", "check", "size", "scenarios", "settings", "edit", "import", "export"})
            row(qPrintable(QString("help of %1").arg(command)), {command, "--help"});
        row("templates", {"templates"});
        row("templates for programs", {"templates", "--json"});
        row("new", {"new", "hpn", "-o", hall, "--name", "x", "--set", "segments=1"}); // the commands below read it
        row("new empty", {"new", "empty", "-o", m_folder.filePath("empty.hall")});
        row("check", {"check", hall});
        row("check for programs", {"check", hall, "--json"});
        row("report", {"report", hall});
        row("report for programs", {"report", hall, "--json"});
        row("report on paper", {"report", hall, "-o", m_folder.filePath("report.html")});
        row("bill of materials", {"bom", hall, "-o", m_folder.filePath("bom.csv")});
        row("cable schedule", {"cables", hall, "-o", m_folder.filePath("cables.csv"), "--reason"});
        row("sizes", {"size", "--accelerators", "2000"});
        row("failures", {"impact", hall});
        row("one failure", {"impact", hall, "pod1-seg01-tor1"});
        row("rules", {"rules"});
        row("cost", {"cost", hall});
        row("coolants", {"coolant"});
        row("hand-over", {"handover", hall, "--segment", "1", "-o", m_folder.filePath("handover.html")});
        row("constraint of a template", {"new", "rail-optimized-2", "-o", other, "--set", "switch=102t-64x1600g"});
        row("settings", {"settings", hall});
        row("settings for programs", {"settings", hall, "--json"});
        row("scenarios", {"scenarios"});
        row("scenarios for programs", {"scenarios", "--json"});
        row("import looked at", {"import", "netbox", write("part.yaml", "manufacturer: x\nmodel: y\nslug: z\nu_height: 1\n"), "--dry-run"});
        row("no command", {});
        row("unknown command", {"nonsense"});
        row("unknown option", {"check", hall, "--nonsense"});
        row("too many arguments", {"check", hall, hall});
        row("missing argument", {"check"});
        row("missing file", {"check", none});
        row("no project", {"check", write("text.hall", "no project")});
        row("unknown rule", {"check", hall, "--rules", "X99"});
        row("unknown template", {"new", "nonsense", "-o", other});
        row("unknown parameter", {"new", "hpn", "-o", other, "--set", "nonsense=1"});
        row("no number", {"new", "hpn", "-o", other, "--set", "segments=some"});
        row("out of range", {"new", "hpn", "-o", other, "--set", "segments=1000000"});
        row("no value", {"new", "hpn", "-o", other, "--set", "segments"});
        row("no folder", {"new", "hpn", "-o", m_folder.filePath("none/a.hall"), "--set", "segments=1"});
        row("unknown format", {"bom", hall, "-o", m_folder.filePath("a.doc")});
        row("unknown export", {"export", "nonsense", hall, "-o", other});
        row("unknown view", {"render", hall, "-o", m_folder.filePath("a.png"), "--view", "moon"});
        row("unknown overlay", {"render", hall, "-o", m_folder.filePath("a.png"), "--view", "plan", "--overlay", "moon"});
        row("unknown scenario", {"simulate", hall, "--scenario", "nonsense"});
        row("no number of an option", {"size", "--accelerators", "many"});
        row("number out of range", {"solve", none, "--repeat", "0"});
        row("nothing to size", {"size"});
        row("broken script", {"edit", hall, "--script", write("broken.json", "{\"edits\": [")});
        row("no edits", {"edit", hall, "--script", write("other.json", "{}")});
        const std::map<const char*, const char*> edits{
            {"unknown edit", R"({"do": "dance"})"},
            {"missing key", R"({"do": "move", "entity": "x"})"},
            {"unknown key", R"({"do": "undo", "x": 1})"},
            {"wrong kind of value", R"({"do": "rename", "entity": 1, "name": "x"})"},
            {"unknown name", R"({"do": "rename", "entity": "nonsense", "name": "x"})"},
            {"unknown setting", R"({"do": "set-setting", "key": "site.nonsense", "value": 1})"},
            {"setting out of range", R"({"do": "set-setting", "key": "site.pue", "value": 99})"},
            {"nothing to undo", R"({"do": "undo"})"},
            {"unknown part", R"({"do": "add", "what": "rack", "type": "nonsense", "in": "nonsense"})"},
            {"no room", R"({"do": "add", "what": "row"})"},
            {"unknown finding", R"({"do": "waive", "finding": "nonsense", "reason": "x"})"},
        };
        int number = 0;
        for (const auto& [name, edit] : edits)
            row(name, {"edit", hall, "--script",
                       write((std::to_string(++number) + ".json").c_str(), ("{\"edits\": [" + std::string(edit) + "]}").c_str())});
    }

    void theCommandLineSpeaksIt()
    {
        QFETCH(const QStringList, arguments);
        if (!arguments.isEmpty() && arguments.last().endsWith(".html") && !QFileInfo::exists(HW_BIN_DIR "/hallwright-render"))
            QSKIP("built without what draws paper");
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HALLWRIGHT_LANGUAGE", "xx");
        environment.insert("HALLWRIGHT_CATALOGS", m_folder.path());
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QStringLiteral(HW_BIN_DIR "/hallwright-cli"), arguments);
        QVERIFY(process.waitForFinished(120'000));
        QVERIFY(process.exitStatus() == QProcess::NormalExit && process.exitCode() != 1);
        const QString said = QString::fromUtf8(process.readAll()) + written(arguments);
        QVERIFY2(said.contains(QChar(0x27E6)), qPrintable(said));
        const QStringList found = untranslated(said);
        for (const auto& one : found) qWarning("%s", qPrintable(one));
        QVERIFY2(found.isEmpty(), qPrintable(QString("%1 runs of words in no catalog").arg(found.size())));
    }

    void foreignPhrasesStayOut()
    {
        const auto denied = deniedPhrases();
        QVERIFY(denied.size() > 200);
        for (const Denied& phrase : denied) QVERIFY2(phrase.pattern.isValid(), qPrintable(phrase.pattern.pattern()));
        QStringList found;
        static const QRegularExpression path("[\\w./-]*/[\\w./-]+|--[a-z-]+|[a-z]+[_.][a-z_.]+"); // files, options, keys
        for (const auto& entry : collectTexts(kRoot).entries)
            for (const std::string& text : {entry.id, entry.many})
                findDenied(denied, entry.files.empty() ? QString() : QString::fromStdString(entry.files.front()),
                           QString::fromStdString(text).remove(path), found);
        std::vector<fs::path> documents{kRoot / "README.md", kRoot / "CHANGELOG.md"};
        for (const char* folder : {"docs", "resources/help/en"})
            for (const auto& entry : fs::directory_iterator(kRoot / folder))
                if (entry.path().extension() == ".md") documents.push_back(entry.path());
        for (const fs::path& document : documents)
            for (const auto& [number, line] : proseOf(document))
                findDenied(denied, QString("%1:%2").arg(QString::fromStdString(fs::relative(document, kRoot).string())).arg(number), line, found);
        for (const QString& line : found) qWarning("%s", qPrintable(line));
        QVERIFY2(found.isEmpty(), qPrintable(QString("%1 foreign phrases").arg(found.size())));
    }

    void foreignPhrasesAreFound()
    {
        const auto denied = deniedPhrases();
        const auto count = [&](const char* text) {
            QStringList found;
            findDenied(denied, "x", text, found);
            return found.size();
        };
        QVERIFY(count("{} GPU hangs on it.") > 0);
        QVERIFY(count("its fibre goes dark") > 1);
        QCOMPARE(count("{} GPU depends on it; rack inlet air 27 °C, allowable 32 °C"), 0);
    }

    void untranslatedWordsStandOut()
    {
        const QString open(QChar(0x27E6)), close(QChar(0x27E7));
        QVERIFY(untranslated(open + "all of " + open + "it here" + close + " is said" + close + ": rack-1, 2 kW").isEmpty());
        QCOMPARE(untranslated(open + "some" + close + " of this is not " + open + "said" + close).size(), 1);
        QVERIFY(untranslated("hallwright-cli size --limit-racks \"power_limit\": row-1 a.b").isEmpty());
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

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestTexts)
#include "test_texts.moc"
