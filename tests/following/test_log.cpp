// SPDX-License-Identifier: GPL-3.0-or-later
// The log: levels, identifiers, no secrets, a file that stays small, nothing written where it does not belong.
#include "core/foundation/base/fence.h"
#include "core/foundation/base/log.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <thread>

using namespace hw;
using logging::Id;

class TestLog : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    [[nodiscard]] std::filesystem::path path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    static QStringList linesOf(const std::filesystem::path& file)
    {
        QFile in(QString::fromStdString(file.string()));
        return in.open(QIODevice::ReadOnly) ? QString::fromUtf8(in.readAll()).split('\n', Qt::SkipEmptyParts) : QStringList();
    }

private slots:
    void cleanup() { logging::close(); }

    void linesAndLevels()
    {
        logging::error(Id::JobFaulted, "nobody reads this"); // no log is open
        QVERIFY(logging::open({path("a.log"), logging::Level::Info}));
        QVERIFY(logging::writes(logging::Level::Warning) && !logging::writes(logging::Level::Debug));
        logging::debug(Id::JobDone, "{}", 1);
        logging::info(Id::Bound, "{} channels", 7);
        logging::warn(Id::SourceLost, "a\nb");
        logging::error(Id::HistoryFault, "{}", i18n("{} times", 3));
        logging::close();
        logging::error(Id::JobFaulted, "closed");
        const QStringList lines = linesOf(path("a.log"));
        QCOMPARE(lines.size(), 3);
        const QRegularExpression form(R"(^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (\w+ \w\d+ \w+: .*)$)");
        QStringList said;
        for (const QString& line : lines) said << form.match(line).captured(1);
        QCOMPARE(said, QStringList({"info I501 hall: 7 channels", "warning W404 sources: a b", "error E603 history: 3 times"}));
        QVERIFY(logging::open({path("a.log"), logging::Level::Debug})); // goes on at its end
        logging::debug(Id::JobDone, "more");
        QCOMPARE(linesOf(path("a.log")).size(), 4);
    }

    void levelsByTheirWords()
    {
        QCOMPARE(int(*logging::levelOf("warning", "--log-level")), int(logging::Level::Warning));
        const auto none = logging::levelOf("loud", "--log-level");
        QVERIFY(!none && none.error().where == "--log-level" && QString::fromStdString(none.error().text()).contains("debug"));
    }

    /// A design, a list, a folder: none of them becomes a log.
    void nothingElseIsWrittenTo()
    {
        QFile other(QString::fromStdString(path("design.hall").string()));
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write("SQLite format 3 and more of it");
        other.close();
        QVERIFY(!logging::open({path("design.hall")}));
        QVERIFY(!logging::open({path(".")}));
        QVERIFY(!logging::open({"/proc/no/such/place.log"}));
        QVERIFY(!logging::writes(logging::Level::Error));
        QVERIFY(other.open(QIODevice::ReadOnly));
        QCOMPARE(other.readAll(), QByteArray("SQLite format 3 and more of it"));
    }

    void noSecrets_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("written");
        const auto row = [](const char* text, const char* written) { QTest::newRow(text) << text << written; };
        row("live a.hall --mqtt mqtt://bob:s3cret@bms:1883", "live a.hall --mqtt mqtt://bms:1883");
        row("https://u:s3/cret@h/x is lost", "https://h/x is lost");
        row("https://tok@h/?token=s3cret&a=1", "https://h/?token=***&a=1");
        row("http://h:9090/a@b", "http://h:9090/a@b");
        row("HALLWRIGHT_MQTT_PASSWORD=s3cret x", "HALLWRIGHT_MQTT_PASSWORD=*** x");
        row("password: s3cret", "password: ***");
        row(R"({"password": "s3 cret", "user": "bob"})", R"({"password": "***", "user": "bob"})");
        row("--token s3cret --json", "--token *** --json");
        row("Authorization: Bearer s3cret", "Authorization: Bearer ***");
        row("authorization: Basic czNjcmV0", "authorization: Basic ***");
        row("api_key=s3cret;secret='s3cret'", "api_key=***;secret=\"***'");
        row("user name or password rejected by the broker", "user name or password rejected by the broker");
        row("--password", "--password");
        row("a://", "a://");
        row("", "");
    }
    void noSecrets()
    {
        QFETCH(QString, text);
        QFETCH(QString, written);
        QCOMPARE(QString::fromStdString(logging::withoutSecrets(text.toStdString())), written);
        QVERIFY(logging::open({path("s.log"), logging::Level::Debug}));
        logging::debug(Id::JobDone, "{}", text.toStdString());
        QVERIFY(!linesOf(path("s.log")).join('\n').contains("s3"));
    }

    /// From several threads, and never more than its files hold.
    void rotates()
    {
        QVERIFY(logging::open({path("r.log"), logging::Level::Info, 20'000, 2}));
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([t] {
                for (int i = 0; i < 500; ++i) logging::info(Id::JobDone, "{} {}", t, std::string(100, 'x'));
            });
        for (auto& thread : threads) thread.join();
        logging::close();
        const QStringList files = QDir(m_folder.path()).entryList({"r*"}, QDir::Files, QDir::Name);
        QCOMPARE(files.size(), 3);
        for (const QString& file : files) QVERIFY(QFile(m_folder.filePath(file)).size() < 21'000);
    }

    void faults()
    {
        QVERIFY(!faultIn([] {}));
        QCOMPARE(*faultIn([] { throw std::runtime_error("why"); }), std::string("why"));
        QVERIFY(faultIn([] { throw 1; }));
    }
};

QTEST_GUILESS_MAIN(TestLog)
#include "test_log.moc"
