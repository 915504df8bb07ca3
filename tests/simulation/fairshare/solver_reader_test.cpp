// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <limits>

#include "simulation/fairshare/problem.h"

using namespace hw::sim;

class SolverReaderTest : public QObject {
    Q_OBJECT

private slots:
    void reads();
    void refuses_data();
    void refuses();
    void missingFiles();
    void valuesRoundTrip();
    void everyTruncationIsRefused();
};

/// Comments, blank lines and Windows line ends are allowed anywhere between numbers.
void SolverReaderTest::reads()
{
    const auto p = parseProblem("mmf 1 # header\r\n# made by hand\r\nlinks 3\n10\n2.5e1 # fast\n\n1\nflows 2\n8e9 2 0 2\n0 1\n1\n# end");
    QVERIFY(p);
    QCOMPARE(p->capacity, (std::vector<double>{10, 25, 1}));
    QCOMPARE(p->size, (std::vector<double>{8e9, 0}));
    QCOMPARE(p->offset, (std::vector<uint32_t>{0, 2, 3}));
    QCOMPARE(p->link, (std::vector<uint32_t>{0, 2, 1}));
    QVERIFY(p->weight.empty());
    QVERIFY(parseProblem("mmf 1 links 0 flows 0"));
}

void SolverReaderTest::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("what");
    const auto row = [](const char* name, const char* text, int line, const char* what) {
        QTest::newRow(name) << QByteArray(text) << line << QString(what);
    };
    row("empty", "", 1, "header");
    row("another file", "PK\x03\x04", 1, "instead of 'mmf 1'");
    row("version not a number", "mmf one", 1, "version");
    row("newer version", "mmf 2\nlinks 1\n", 1, "version 2 is not supported");
    row("no links", "mmf 1\n# x\nlink 1\n1\n", 3, "links: 'link'");
    row("link count", "mmf 1\nlinks -1\n", 2, "links: '-1' is not a count");
    row("absurd link count", "mmf 1\nlinks 4000000000\n1\n", 2, "do not fit");
    row("link count too long", "mmf 1\nlinks 99999999999999\n1\n", 2, "not a count");
    row("capacity missing", "mmf 1\nlinks 2\n1\nflows 1\n1 1 0\n", 4, "capacity of link 1: 'flows' is not a number");
    row("capacity zero", "mmf 1\nlinks 2\n1\n0\nflows 0\n", 4, "capacity of link 1");
    row("capacity negative", "mmf 1\nlinks 1\n-3\nflows 0\n", 3, "capacity of link 0");
    row("capacity infinite", "mmf 1\nlinks 1\ninf\nflows 0\n", 3, "capacity of link 0");
    row("capacity not a number", "mmf 1\nlinks 1\nnan\nflows 0\n", 3, "capacity of link 0");
    row("capacity with a tail", "mmf 1\nlinks 1\n3Gb\nflows 0\n", 3, "'3Gb' is not a number");
    row("capacities truncated", "mmf 1\nlinks 3\n10\n10\n", 5, "unexpected end of file");
    row("no flows", "mmf 1\nlinks 1\n10\n", 4, "flows: unexpected end of file");
    row("absurd flow count", "mmf 1\nlinks 1\n10\nflows 4294967295\n1 1 0\n", 4, "do not fit");
    row("size negative", "mmf 1\nlinks 1\n10\nflows 1\n-1 1 0\n", 5, "size of flow 0");
    row("size not finite", "mmf 1\nlinks 1\n10\nflows 1\ninf 1 0\n", 5, "size of flow 0");
    row("size too large", "mmf 1\nlinks 1\n10\nflows 1\n1e999 1 0\n", 5, "size of flow 0");
    row("flow without links", "mmf 1\nlinks 1\n10\nflows 2\n1 1 0\n1 0 0\n", 6, "flow 1 has no links");
    row("absurd hop count", "mmf 1\nlinks 1\n10\nflows 1\n1 400000000 0\n", 5, "do not fit");
    row("link out of range", "mmf 1\nlinks 2\n10\n10\nflows 1\n1 2 0 2\n", 6, "link 2 does not exist");
    row("link negative", "mmf 1\nlinks 2\n10\n10\nflows 1\n1 2 0 -1\n", 6, "'-1' is not a link number");
    row("link twice", "mmf 1\nlinks 2\n10\n10\nflows 2\n1 2 0 1\n1 2 1 1\n", 7, "link 1 is listed twice");
    row("flow truncated", "mmf 1\nlinks 2\n10\n10\nflows 2\n1 2 0 1\n1 2 1", 7, "link count of flow 1");
    row("flow truncated in its links", "mmf 1\nlinks 2\n10\n10\nflows 1\n1 2 0   \n", 7, "links of flow 0: unexpected end of file");
    row("trailing text", "mmf 1\nlinks 1\n10\nflows 1\n1 1 0\n1 1 0\n", 6, "trailing text");
    row("binary", "mmf 1\nlinks 1\n\xff\xfe\n", 3, "not a number");
}

void SolverReaderTest::refuses()
{
    QFETCH(QByteArray, text);
    QFETCH(int, line);
    QFETCH(QString, what);
    const auto p = parseProblem({text.constData(), static_cast<size_t>(text.size())});
    QVERIFY(!p);
    const QString message = QString::fromStdString(p.error().text("x.mmf"));
    QVERIFY2(message.contains(what), qPrintable(message));
    QVERIFY2(p.error().line == line, qPrintable(message));
    QVERIFY(!p.error().todo.empty());
}

void SolverReaderTest::missingFiles()
{
    const auto missing = readProblem("/nonexistent/x.mmf");
    QVERIFY(!missing);
    QCOMPARE(missing.error().line, 0);
    QVERIFY(!readProblem("/tmp"));
    QVERIFY(!writeValues("/nonexistent/x", std::vector<double>{1}));
}

void SolverReaderTest::valuesRoundTrip()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("rates").toStdString();
    const std::vector<double> values{0, 1, 1.0 / 3, 1e-300, 12345678901234567.0, std::numeric_limits<double>::infinity()};
    QVERIFY(writeValues(path, values));
    QCOMPARE(readValues(path).value(), values);
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().split('\n').at(2), QByteArray("0.33333333333333331"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
}

/// Whatever a cut-off download leaves is refused, unless only the last digits of the last number are gone.
void SolverReaderTest::everyTruncationIsRefused()
{
    const std::string whole = "mmf 1\nlinks 2\n10\n20\nflows 2\n5 2 0 1\n7 1 1\n";
    QVERIFY(parseProblem(whole));
    for (size_t length = 0; length + 2 < whole.size(); ++length) QVERIFY(!parseProblem(std::string_view(whole).substr(0, length)));
}

QTEST_APPLESS_MAIN(SolverReaderTest)
#include "solver_reader_test.moc"
