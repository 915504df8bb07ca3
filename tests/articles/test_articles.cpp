// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QHash>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

namespace {

/// A row of docs/articles.md.
struct ArticleRow {
    int section = 0; ///< from 1
    QString topic, command, state;
    QStringList figures; ///< pieces of the command's output
};

QStringList codeSpans(const QString& cell)
{
    static const QRegularExpression span("`([^`]*)`");
    QStringList out;
    for (auto found = span.globalMatch(cell); found.hasNext();) out << found.next().captured(1);
    return out;
}

/// Whether `figure` is in `output`, and no longer number begins or ends there: 1,920 is not in 11,920, nor 3.09 in 3.091.
bool quotes(const QString& output, const QString& figure)
{
    static const QRegularExpression space("\\s+");
    const QString in = QString(output).replace(space, " ");
    const auto digit = [&](qsizetype at) { return at >= 0 && at < in.size() && in[at].isDigit(); };
    for (qsizetype at = in.indexOf(figure); at >= 0; at = in.indexOf(figure, at + 1)) {
        const qsizetype end = at + figure.size();
        const bool separated = end < in.size() && QString(".,").contains(in[end]);
        if (figure.front().isDigit() && (digit(at - 1) || (at > 0 && QString(".,").contains(in[at - 1]) && digit(at - 2)))) continue;
        if (figure.back().isDigit() && (digit(end) || (separated && digit(end + 1)))) continue;
        return true;
    }
    return false;
}

} // namespace

/// docs/articles.md: every command runs in the order of the page and gives the figures of its row.
class ArticlesTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QStringList m_setup;
    QList<ArticleRow> m_rows;
    struct Run {
        int code = -1;
        QString out, error;
    };
    QHash<QString, Run> m_runs;

    Run run(const QString& command)
    {
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", QString(HW_BIN_DIR ":") + environment.value("PATH"));
        environment.insert("LC_ALL", "C.UTF-8");
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(m_folder.path());
        process.start("bash", {"-c", command});
        if (!process.waitForFinished(240'000)) {
            process.kill();
            process.waitForFinished();
            return {-1, {}, "timed out"};
        }
        const int code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
        return {code, QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
    }

    void read(const QString& page)
    {
        int section = 0;
        for (const QString& line : page.split('\n')) {
            if (line.startsWith("## ")) section = line.at(3).isDigit() ? line.mid(3, 1).toInt() : 0;
            if (line.startsWith("    ")) m_setup << line.mid(4);
            if (section == 0 || !line.startsWith("| ")) continue;
            const QStringList cells = line.mid(1, line.size() - 2).split('|');
            QCOMPARE(cells.size(), 5);
            if (cells[0].trimmed() == "topic") continue;
            const QStringList commands = codeSpans(cells[2]);
            QVERIFY2(commands.size() <= 1, qPrintable(line));
            m_rows << ArticleRow{section, cells[0].trimmed(), commands.value(0), cells[4].trimmed(), codeSpans(cells[3])};
        }
    }

private slots:
    void initTestCase()
    {
        QFile file(HW_EXAMPLES "/../articles.md");
        QVERIFY(file.open(QIODevice::ReadOnly));
        read(QString::fromUtf8(file.readAll()));
        QVERIFY(m_setup.size() > 20);
        const Run made = run("set -e\n" + m_setup.join('\n'));
        QVERIFY2(made.code == 0, qPrintable(made.error));
    }

    void everyRowHasAState()
    {
        QHash<int, int> rows;
        static const QRegularExpression number("\\d");
        for (const ArticleRow& row : m_rows) {
            ++rows[row.section];
            const bool runs = row.state == "shown" || row.state.startsWith("in part: ");
            QVERIFY2(runs || row.state == "not yet" || row.state == "context", qPrintable(row.topic + ": " + row.state));
            QVERIFY2(row.command.isEmpty() != runs, qPrintable(row.topic));
            QVERIFY2(row.figures.isEmpty() != runs, qPrintable(row.topic));
            for (const QString& figure : row.figures) QVERIFY2(figure.contains(number) || row.figures.size() > 1, qPrintable(row.topic));
        }
        const QList<int> systems = {21, 24, 15, 8, 4, 15}; // of the articles
        for (int section = 1; section <= systems.size(); ++section) QCOMPARE(rows.value(section), systems[section - 1]);
    }

    void figures_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QStringList>("figures");
        for (const ArticleRow& row : m_rows)
            if (!row.command.isEmpty()) QTest::addRow("%d %s", row.section, qPrintable(row.topic)) << row.command << row.figures;
    }

    void figures()
    {
        QFETCH(QString, command);
        QFETCH(QStringList, figures);
        if (!m_runs.contains(command)) m_runs.insert(command, run(command));
        const Run& made = m_runs[command];
        QVERIFY2(made.code == 0 || made.code == 3, qPrintable(made.error)); // 3: a request that cannot be met
        for (const QString& figure : figures) QVERIFY2(quotes(made.out, figure), qPrintable("not in the output: " + figure + "\n" + made.out));
    }

    void aChangedFigureIsFound()
    {
        QVERIFY(quotes("  links   server - tor: 30,720 at 200G", "server - tor: 30,720 at 200G"));
        QVERIFY(quotes("is 3.09 h.", "3.09 h"));
        QVERIFY(quotes("32 10.3624.", "10.3624"));
        QVERIFY(!quotes("server - tor: 130,720 at 200G", "30,720 at 200G"));
        QVERIFY(!quotes("server - tor: 30,721 at 200G", "30,720 at 200G"));
        QVERIFY(!quotes("mtbf 1824.371", "1824.37"));
        QVERIFY(!quotes("tor 240,000", "tor 240"));
        QVERIFY(!quotes("21.067", "1.067"));
    }
};

QTEST_GUILESS_MAIN(ArticlesTest)
#include "test_articles.moc"
