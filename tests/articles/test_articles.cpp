// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QHash>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <iterator>

namespace {

/// A row of docs/articles.md.
struct ArticleRow {
    int section = 0; ///< from 1
    QString topic, command, state;
    QString picture;     ///< a command that makes it, a link, or empty
    QStringList figures; ///< pieces of the command's output
};

/// The systems of the articles in their order, and the sections whose rows show them.
struct System {
    const char* id;
    int section;
    const char* topic;
};
constexpr System kSystems[] = {
    {"A1", 1, "Hopfield network"},
    {"A2", 1, "scaling law"},
    {"A3", 1, "levels from chip to campus"},
    {"A4", 1, "public cloud"},
    {"A5", 1, "separate frontend, hot and cold storage"},
    {"A6", 1, "non-blocking compute fabric"},
    {"A7", 1, "checkpoint"},
    {"A8", 1, "Panjiu server"},
    {"A9", 1, "fault prediction"},
    {"A10", 1, "HPN 7.0"},
    {"A11", 1, "tiers"},
    {"A11, one tier", 1, "one tier"},
    {"A12", 1, "16 ToRs per host"},
    {"A13", 1, "Solar RDMA, HPCC"},
    {"A14", 1, "fault rate"},
    {"A15", 1, "effective training time"},
    {"A16", 1, "scale-up and scale-out"},
    {"A17", 1, "NVL36 and NVL72"},
    {"A18", 1, "parallelism by tier"},
    {"A19", 1, "best scale-up domain"},
    {"A20", 1, "global scheduling"},
    {"B1", 2, "DCN+ host"},
    {"B2", 2, "DCN+ segment"},
    {"B3", 2, "DCN+ pod"},
    {"B4", 2, "DCN+ core"},
    {"B5", 2, "DCN+ scale"},
    {"B6", 2, "HPN segment"},
    {"B7", 2, "HPN pod"},
    {"B8", 2, "HPN core"},
    {"B9", 2, "oversubscription end to end"},
    {"B10", 2, "backup ports"},
    {"B11", 2, "path selection"},
    {"B12", 2, "dual ToR, dual plane"},
    {"B13", 2, "black hole after a port failure"},
    {"B14", 2, "PP across pods"},
    {"B15", 2, "checkpoint overhead"},
    {"B16", 2, "job sizes"},
    {"B17", 2, "cluster size"},
    {"B18", 2, "fault window"},
    {"B19", 2, "power"},
    {"B20", 2, "optics"},
    {"B21", 2, "102.4T switches"},
    {"B22", 2, "rail-only second tier"},
    {"B23", 2, "hash by source port at the core"},
    {"B24", 2, "frontend"},
    {"C1", 3, "compute of GPT-3.5"},
    {"C2", 3, "Xingmai 1.0 host"},
    {"C3", 3, "scale"},
    {"C4", 3, "1.6T against 100G hosts"},
    {"C5", 3, "GPT-3 on 64 GPUs"},
    {"C6", 3, "T5-MoE on 64 GPUs"},
    {"C7", 3, "headline"},
    {"C8", 3, "aggregation of rails"},
    {"C9", 3, "forwarding in the host (PXN)"},
    {"C10", 3, "TCCL"},
    {"C11", 3, "two uplinks per NIC"},
    {"C12", 3, "automatic deployment"},
    {"C13", 3, "hash dodging"},
    {"C14", 3, "gradient volume"},
    {"C15", 3, "slow PCIe slot"},
    {"D1", 4, "Meta"},
    {"D2", 4, "Google"},
    {"D3", 4, "OpenAI"},
    {"D4", 4, "ByteDance"},
    {"D5", 4, "limits of Kubernetes"},
    {"D6", 4, "checkpoint"},
    {"D7", 4, "process groups"},
    {"D8", 4, "order of ranks, hashes"},
    {"E1", 5, "spot instances"},
    {"E2", 5, "HPN"},
    {"E3", 5, "Crux"},
    {"E4", 5, "three challenges"},
    {"X1", 6, "configuration templates (Xingmai)"},
    {"X2", 6, "acceptance (Xingmai)"},
    {"X3", 6, "duration (Xingmai)"},
    {"X4", 6, "fault location (Xingmai)"},
    {"X5", 6, "hash dodging (Xingmai)"},
    {"X5, HARP", 6, "HARP (Xingmai)"},
    {"X4, silent", 6, "silent loss (Xingmai)"},
    {"X6", 6, "job telemetry (Xingmai, Lingjun)"},
    {"X7", 6, "node isolation (Lingjun)"},
    {"X8", 6, "idle hosts (Lingjun)"},
    {"X9", 6, "hot and cold data (Lingjun)"},
    {"X10", 6, "inference (Lingjun, HPN)"},
    {"X11", 6, "bursts and one-way faults (HPN)"},
    {"X12", 6, "loading and saving (overview)"},
    {"X13", 6, "spot prices (abstracts)"},
};

QStringList codeSpans(const QString& cell)
{
    static const QRegularExpression span("`([^`]*)`");
    QStringList out;
    for (auto found = span.globalMatch(cell); found.hasNext();) out << found.next().captured(1);
    return out;
}

/// The commands that a shell runs one after the other, and whether each runs only if those before it succeeded.
QList<std::pair<QString, bool>> partsOf(const QString& command)
{
    QList<std::pair<QString, bool>> out;
    QChar quote;
    bool after = false;
    qsizetype start = 0;
    for (qsizetype i = 0; i < command.size(); ++i) {
        const QChar c = command[i];
        if (!quote.isNull() || c == '\'' || c == '"') {
            quote = quote.isNull() ? c : c == quote ? QChar() : quote;
            continue;
        }
        const bool both = command.mid(i, 2) == "&&";
        if (!both && c != ';') continue;
        out.emplace_back(command.mid(start, i - start).trimmed(), after);
        after = both, start = i + (both ? 2 : 1);
        i = start - 1;
    }
    out.emplace_back(command.mid(start).trimmed(), after);
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

    /// As a shell does it, but what several rows run in the same way runs once.
    Run runOnce(const QString& command)
    {
        Run all{0, {}, {}};
        for (const auto& [part, after] : partsOf(command)) {
            if (after && all.code != 0) continue;
            if (!m_runs.contains(part)) m_runs.insert(part, run(part));
            const Run& one = m_runs[part];
            all.code = one.code, all.out += one.out, all.error += one.error;
        }
        return all;
    }

    void read(const QString& page)
    {
        int section = 0;
        for (const QString& line : page.split('\n')) {
            if (line.startsWith("## ")) section = line.at(3).isDigit() ? line.mid(3, 1).toInt() : 0;
            if (line.startsWith("    ")) m_setup << line.mid(4);
            if (section == 0 || !line.startsWith("| ")) continue;
            const QStringList cells = line.mid(1, line.size() - 2).split('|');
            QCOMPARE(cells.size(), 6);
            if (cells[0].trimmed() == "topic") continue;
            const QStringList commands = codeSpans(cells[2]);
            QVERIFY2(commands.size() <= 1, qPrintable(line));
            m_rows << ArticleRow{section, cells[0].trimmed(), commands.value(0), cells[5].trimmed(), cells[4].trimmed(), codeSpans(cells[3])};
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
        static const QRegularExpression number("\\d");
        for (const ArticleRow& row : m_rows) {
            const bool runs = row.state == "shown" || row.state.startsWith("in part: ");
            QVERIFY2(runs || row.state == "context", qPrintable(row.topic + ": " + row.state));
            QVERIFY2(row.command.isEmpty() != runs, qPrintable(row.topic));
            QVERIFY2(row.figures.isEmpty() != runs, qPrintable(row.topic));
            for (const QString& figure : row.figures) QVERIFY2(figure.contains(number) || row.figures.size() > 1, qPrintable(row.topic));
        }
        for (const System& system : kSystems) {
            const auto shows = [&](const ArticleRow& row) { return row.section == system.section && row.topic == system.topic; };
            QVERIFY2(std::ranges::count_if(m_rows, shows) == 1, system.id);
        }
        QCOMPARE(m_rows.size(), qsizetype(std::size(kSystems)));
        const auto inPart = std::ranges::count_if(m_rows, [](const ArticleRow& row) { return row.state.startsWith("in part"); });
        QVERIFY2(inPart <= 1, qPrintable(QString::number(inPart)));
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
        const Run made = runOnce(command);
        QVERIFY2(made.code == 0 || made.code == 3, qPrintable(made.error)); // 3: a request that cannot be met
        for (const QString& figure : figures) QVERIFY2(quotes(made.out, figure), qPrintable("not in the output: " + figure + "\n" + made.out));
    }

    void pictures_data()
    {
        QTest::addColumn<QString>("picture");
        for (const ArticleRow& row : m_rows)
            if (!row.picture.isEmpty()) QTest::addRow("%d %s", row.section, qPrintable(row.topic)) << row.picture;
    }

    /// A link to a picture of the gallery, or a command that makes one.
    void pictures()
    {
        QFETCH(QString, picture);
        QStringList files;
        if (const QStringList commands = codeSpans(picture); !commands.isEmpty()) {
            static const QRegularExpression output("(?:-o|--plot) (\\S+)");
            for (const QString& command : commands) {
                const Run made = runOnce(command);
                QVERIFY2(made.code == 0, qPrintable(made.error));
                files << m_folder.filePath(output.match(command).captured(1));
            }
        } else {
            static const QRegularExpression link("\\]\\(([^)]+)\\)");
            for (auto found = link.globalMatch(picture); found.hasNext();) files << HW_EXAMPLES "/../" + found.next().captured(1);
        }
        QVERIFY2(!files.isEmpty(), qPrintable(picture));
        for (const QString& name : files) {
            QFile file(name);
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(name));
            const QByteArray content = file.readAll();
            QVERIFY2(content.size() > 1000 && (content.startsWith("\x89PNG") || content.contains("<svg")), qPrintable(name));
        }
    }

    void partsOfCommands()
    {
        const auto parts = partsOf("a -x 1 && echo '&& ;' > f; c");
        QCOMPARE(parts.size(), 3);
        QCOMPARE(parts[1].first, QString("echo '&& ;' > f"));
        QVERIFY(!parts[0].second && parts[1].second && !parts[2].second);
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
