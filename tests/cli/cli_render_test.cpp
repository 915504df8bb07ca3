// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli_process.h"

#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QSet>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

/// Pictures from the command line, without a display of our own.
class CliRenderTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_hall;

    QString path(const QString& name) const { return m_folder.filePath(name); }

    /// More than a plain background.
    static int colorsOf(const QImage& image)
    {
        QSet<QRgb> colors;
        for (int y = 0; y < image.height(); y += 7)
            for (int x = 0; x < image.width(); x += 7) colors.insert(image.pixel(x, y));
        return int(colors.size());
    }

    /// Process ids of what we may start.
    static QSet<QString> helpers()
    {
        QSet<QString> found;
        for (const QString& pid : QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs)) {
            QFile file("/proc/" + pid + "/stat");
            if (!file.open(QIODevice::ReadOnly)) continue;
            const QByteArray stat = file.readAll();
            if ((stat.contains("(Xvfb)") || stat.contains("(hallwright-rend")) && !stat.contains(") Z ")) found.insert(pid);
        }
        return found;
    }

private slots:
    void initTestCase()
    {
        qunsetenv("DISPLAY");
        m_hall = path("small.hall");
        QCOMPARE(runCli({"new", "hpn", "-o", m_hall, "--set", "segments=2"}).code, 0);
    }

    void views_data()
    {
        QTest::addColumn<QString>("view");
        for (const char* view : {"plan", "rack:pod1-c01-r1-01", "fabric:backend", "power", "cooling", "trays", "twin"}) QTest::newRow(view) << view;
    }

    void views()
    {
        QFETCH(QString, view);
        const QString picture = path("picture.png");
        QFile::remove(picture);
        const CliRun run = runCli({"render", m_hall, "-o", picture, "--view", view, "--size", "800x600"});
        QVERIFY2(run.code == 0, run.error.constData());
        QVERIFY2(run.error.isEmpty(), run.error.constData());
        const QImage image(picture);
        QCOMPARE(image.size(), QSize(800, 600));
        QVERIFY(colorsOf(image) > 5);
    }

    void overlays_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("overlay");
        QTest::newRow("plan, heat") << "plan"
                                    << "heat";
        QTest::newRow("plan, load") << "plan"
                                    << "load";
        for (const char* name : {"power-worst", "power-headroom", "side", "spare-kw", "spare-u", "spare-ports", "weight", "floor-load",
                                 "heat-density", "clearance", "tray-fill"})
            QTest::newRow(name) << "plan" << name;
        for (const char* name : {"coolant-velocity", "coolant-rise", "coolant-pressure"}) QTest::newRow(name) << "twin" << name;
        QTest::newRow("rack, power") << "rack:pod1-c01-r1-01"
                                     << "power";
        QTest::newRow("fabric, kilowatts") << "fabric:backend"
                                           << "draw";
    }
    /// The same names color every view, and are other pictures than without them.
    void overlays()
    {
        QFETCH(QString, view);
        QFETCH(QString, overlay);
        const QString plain = path("plain.png"), colored = path("colored.png");
        QCOMPARE(runCli({"render", m_hall, "-o", plain, "--view", view, "--size", "640x480"}).code, 0);
        const CliRun run = runCli({"render", m_hall, "-o", colored, "--view", view, "--overlay", overlay, "--size", "640x480"});
        QVERIFY2(run.code == 0, run.error.constData());
        QVERIFY(!QImage(colored).isNull() && QImage(colored) != QImage(plain));
    }

    /// The same drawing by two commands, on A3.
    void fabricAsVectors()
    {
        const CliRun drawn =
            runCli({"render", m_hall, "-o", path("a.svg"), "--view", "fabric:backend", "--overlay", "rail", "--open", "pod1-seg02-tor-rail3-plane2"});
        QVERIFY2(drawn.code == 0 && drawn.error.isEmpty(), drawn.error.constData());
        QFile svg(path("a.svg"));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        const QByteArray text = svg.readAll();
        for (const char* word : {"Aggregation", "Segment 2", ">R3<", "Rail 8", "viewBox"}) QVERIFY2(text.contains(word), word);
        const CliRun exported = runCli({"export", "fabric-pdf", m_hall, "-o", path("a.pdf"), "--network", "backend"});
        QVERIFY2(exported.code == 0 && exported.error.isEmpty(), exported.error.constData());
        QFile pdf(path("a.pdf"));
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        QVERIFY(pdf.readAll().startsWith("%PDF-"));
        QCOMPARE(runCli({"export", "fabric-svg", m_hall, "-o", path("b.pdf")}).code, 2);
        QCOMPARE(runCli({"export", "text", m_hall, "-o", path("b.txt"), "--network", "backend"}).code, 2);
        QFile::remove(path("a.svg")), QFile::remove(path("a.pdf"));
    }

    /// The one-line diagram holds every level by name, and other views stay pictures.
    void powerAsVectors()
    {
        const CliRun drawn = runCli({"render", m_hall, "-o", path("p.svg"), "--view", "power"});
        QVERIFY2(drawn.code == 0 && drawn.error.isEmpty(), drawn.error.constData());
        QFile svg(path("p.svg"));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        const QByteArray text = svg.readAll();
        for (const char* word : {"Busway", "Rack PDU", "Racks", "feed A", "viewBox"}) QVERIFY2(text.contains(word), word);
        QCOMPARE(runCli({"render", m_hall, "-o", path("p.pdf"), "--view", "power"}).code, 0);
        QFile pdf(path("p.pdf"));
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        QVERIFY(pdf.readAll().startsWith("%PDF-"));
        // What is named stands on its own in the diagram, and what is not there is refused.
        const auto texts = [&](const QStringList& more) {
            const CliRun run = runCli(QStringList{"render", m_hall, "-o", path("o.svg"), "--view", "power"} + more);
            QFile file(path("o.svg"));
            return run.code == 0 && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray folded = texts({}), opened = texts({"--open", "pod1-c01-row1-busway1"});
        QVERIFY(!folded.isEmpty() && !opened.isEmpty() && folded != opened);
        QCOMPARE(runCli({"render", m_hall, "-o", path("o.png"), "--view", "power", "--open", "object not found"}).code, 3);
        QCOMPARE(runCli({"render", m_hall, "-o", path("o.png"), "--view", "power", "--open", "pod1-seg01-host001:nope"}).code, 3);
    }

    void vectors_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("ending");
        for (const char* view : {"plan", "rack:pod1-c01-r1-01", "fabric:backend", "power", "cooling", "trays"})
            for (const char* ending : {"svg", "pdf"}) QTest::addRow("%s.%s", view, ending) << view << ending;
    }
    /// Every drawing from above, from the front or of a chain is lines and real text, and says what print it is.
    void vectors()
    {
        QFETCH(QString, view);
        QFETCH(QString, ending);
        qputenv("SOURCE_DATE_EPOCH", "1700000000");
        const QString file = path("v." + ending);
        QFile::remove(file);
        const CliRun run = runCli({"render", m_hall, "-o", file, "--view", view});
        qunsetenv("SOURCE_DATE_EPOCH");
        QVERIFY2(run.code == 0 && run.error.isEmpty(), run.error.constData());
        QFile drawing(file);
        QVERIFY(drawing.open(QIODevice::ReadOnly));
        const QByteArray content = drawing.readAll();
        if (ending == "pdf") {
            QVERIFY(content.startsWith("%PDF-") && content.contains("/FontFile2") && !content.contains("/Subtype /Image"));
            return;
        }
        QVERIFY(content.count("<path") + content.count("<rect") + content.count("<polyline") > 20 && !content.contains("<image"));
        QVERIFY(content.contains("2023-11-14") && content.contains("revision"));
    }

    /// The plan of one hall says what stands in it; an overlay that knows nothing of racks has the legend of what it colors.
    void oneHall()
    {
        const auto drawn = [this](const char* view, const QStringList& more = {}) {
            const CliRun run = runCli(QStringList{"render", m_hall, "-o", path("h.svg"), "--view", view} + more);
            if (run.code != 0) return QByteArray::number(run.code);
            QFile file(path("h.svg"));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QVERIFY(drawn("plan:pod1-hall").contains("servers"));
        const QByteArray yard = drawn("plan:pod1-hall-yard");
        QVERIFY(!yard.contains(">servers") && yard.contains("power and cooling"));
        const QByteArray air = drawn("plan:pod1-hall", {"--overlay", "face-velocity"});
        QVERIFY(air.contains("Coil face velocity, m/s") && air.contains("mean"));
        QVERIFY(drawn("trays:pod1-hall").contains("Tray fill"));
        QCOMPARE(drawn("plan:nowhere"), QByteArray("2"));
        QFile::remove(path("h.svg"));
    }

    void reports_data()
    {
        QTest::addColumn<QString>("ending");
        QTest::newRow("pdf") << "pdf";
        QTest::newRow("html") << "html";
    }
    void reports()
    {
        QFETCH(QString, ending);
        const QString file = path("r." + ending), empty = path("nothing.hall");
        if (!QFile::exists(empty)) QCOMPARE(runCli({"new", "empty", "-o", empty}).code, 0);
        for (const QString& hall : {m_hall, empty}) {
            QFile::remove(file);
            const CliRun run = runCli({"report", hall, "-o", file});
            QVERIFY2(run.code == 0 && run.error.isEmpty() && run.out.isEmpty(), run.error.constData());
            QFile made(file);
            QVERIFY(made.open(QIODevice::ReadOnly));
            const QByteArray content = made.readAll();
            QVERIFY(ending == "pdf" ? content.startsWith("%PDF-") && content.contains("/Type /Outlines") : content.startsWith("<!DOCTYPE html>"));
            if (ending == "html") QCOMPARE(content.contains("data:image/png"), hall == m_hall); // the twin on its cover
        }
    }

    void reportRefusals_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::newRow("unknown ending") << QStringList{m_hall, "-o", path("a.doc")} << 2;
        QTest::newRow("a document as JSON") << QStringList{m_hall, "-o", path("a.pdf"), "--json"} << 2;
        QTest::newRow("paper of no document") << QStringList{m_hall, "--paper", "letter"} << 2;
        QTest::newRow("unknown paper") << QStringList{m_hall, "-o", path("a.pdf"), "--paper", "a3"} << 2;
        QTest::newRow("missing file") << QStringList{path("none.hall"), "-o", path("a.pdf")} << 4;
        QTest::newRow("unwritable") << QStringList{m_hall, "-o", "/nonexistent/a.pdf"} << 4;
        QTest::newRow("a folder") << QStringList{m_hall, "-o", "/proc/a.html"} << 4;
        QTest::newRow("over the project") << QStringList{m_hall, "-o", m_hall} << 2;
    }
    void reportRefusals()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        const CliRun run = runCli(QStringList{"report"} + arguments);
        QVERIFY2(run.code == code, qPrintable(QString("%1: %2").arg(run.code).arg(QString::fromUtf8(run.error))));
        QVERIFY2(!run.errorLine().isEmpty(), run.error.constData());
        QVERIFY(QDir(m_folder.path()).entryList({"a.*", ".*"}, QDir::Files | QDir::Hidden).isEmpty());
    }

    void refusals_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::newRow("unknown rack") << QStringList{m_hall, "-o", path("a.png"), "--view", "rack:nowhere"} << 2;
        QTest::newRow("unknown overlay") << QStringList{m_hall, "-o", path("a.png"), "--view", "plan", "--overlay", "smell"} << 2;
        QTest::newRow("unknown overlay of the twin") << QStringList{m_hall, "-o", path("a.png"), "--overlay", "smell"} << 2;
        QTest::newRow("overlay of a rack") << QStringList{m_hall, "-o", path("a.png"), "--view", "rack:pod1-c01-r1-01", "--overlay", "plane"} << 2;
        QTest::newRow("overlay of a fabric") << QStringList{m_hall, "-o", path("a.png"), "--view", "fabric:backend", "--overlay", "kind"} << 2;
        QTest::newRow("unknown network") << QStringList{m_hall, "-o", path("a.svg"), "--view", "fabric:nothing"} << 2;
        QTest::newRow("twin as a vector drawing") << QStringList{m_hall, "-o", path("a.svg")} << 2;
        QTest::newRow("overlay of trays") << QStringList{m_hall, "-o", path("a.svg"), "--view", "trays", "--overlay", "heat"} << 2;
        QTest::newRow("unknown device to open") << QStringList{m_hall, "-o", path("a.png"), "--view", "fabric:backend", "--open", "nobody"} << 2;
        QTest::newRow("nothing to open in a plan") << QStringList{m_hall, "-o", path("a.png"), "--view", "plan", "--open", "pod1-seg01-host001"} << 2;
        QTest::newRow("bad size") << QStringList{m_hall, "-o", path("a.png"), "--size", "huge"} << 2;
        QTest::newRow("size out of range") << QStringList{m_hall, "-o", path("a.png"), "--size", "1x1"} << 3;
        QTest::newRow("missing file") << QStringList{path("none.hall"), "-o", path("a.png"), "--view", "plan"} << 4;
        QTest::newRow("unwritable") << QStringList{m_hall, "-o", "/nonexistent/a.png", "--view", "plan"} << 4;
    }

    void refusals()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        const CliRun run = runCli(QStringList{"render"} + arguments);
        QVERIFY2(run.code == code, qPrintable(QString("%1: %2").arg(run.code).arg(QString::fromUtf8(run.error))));
        QVERIFY2(!run.errorLine().isEmpty(), run.error.constData());
        QVERIFY(QDir(m_folder.path()).entryList({"a.*", ".*"}, QDir::Files | QDir::Hidden).isEmpty());
    }

    /// The window answers what needs no window without a display, and says that one is missing instead of dying.
    void windowWithoutDisplay_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        QTest::newRow("help") << QStringList{"--help"} << 0 << "FILE.hall";
        QTest::newRow("version") << QStringList{"--version"} << 0 << "Hallwright ";
        QTest::newRow("unknown option") << QStringList{"--nope"} << 2 << "error: --nope: ";
        QTest::newRow("two files") << QStringList{"a.hall", "b.hall"} << 2 << "b.hall";
        QTest::newRow("two sources") << QStringList{"a.hall", "--live", "http://h:1", "--replay", "r"} << 2 << "--replay";
        QTest::newRow("window") << QStringList{} << 4 << "error: DISPLAY: ";
    }

    void windowWithoutDisplay()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, says);
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) environment.remove(variable);
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(HW_BIN_DIR "/hallwright"), arguments);
        QVERIFY(process.waitForFinished(60'000));
        const QByteArray out = process.readAllStandardOutput(), error = process.readAllStandardError();
        QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == code, error.constData());
        QVERIFY2((code == 0 ? out : error).contains(says.toUtf8()), (out + error).constData());
    }

    void interruptEndsTheServer()
    {
        for (const int after_ms : {100, 700, 1500}) {
            const QSet<QString> before = helpers();
            QProcess process;
            process.start(QStringLiteral(HW_BIN_DIR "/hallwright-cli"), {"render", m_hall, "-o", path("never.png"), "--size", "4000x3000"});
            QVERIFY(process.waitForStarted());
            if (process.waitForFinished(after_ms)) return; // this machine is too fast for the rest
            QElapsedTimer timer;
            timer.start();
            ::kill(pid_t(process.processId()), SIGINT);
            QVERIFY(process.waitForFinished(20'000));
            QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
            QCOMPARE(process.exitCode(), 130);
            QTRY_VERIFY_WITH_TIMEOUT((helpers() - before).isEmpty(), 5000);
            QVERIFY(QDir(m_folder.path()).entryList({"never.png", ".*"}, QDir::Files | QDir::Hidden).isEmpty());
        }
    }

    /// What fails as colors of the plan and of the power chain; layers; and where neither has a meaning it is refused.
    void failuresAndLayers()
    {
        const auto picture = [&](const QStringList& more) {
            const CliRun run = runCli(QStringList{"render", m_hall, "-o", path("f.png"), "--view", "plan", "--size", "900x700"} + more);
            return run.code == 0 ? QImage(path("f.png")) : QImage();
        };
        const QImage plain = picture({}), one = picture({"--fail", "pod1-c01-row1-busway1"}),
                     both = picture({"--overlay", "impact", "--fail", "pod1-c01-row1-busway1", "--fail", "pod1-c01-row1-busway2"});
        QVERIFY(!plain.isNull() && !one.isNull() && !both.isNull());
        QVERIFY(plain != one && one != both);
        const auto oneLine = [&](const QStringList& failed) {
            const CliRun run = runCli(QStringList{"render", m_hall, "-o", path("p.png"), "--view", "power", "--size", "900x700"} + failed);
            return run.code == 0 ? QImage(path("p.png")) : QImage();
        };
        const QImage whole = oneLine({}), failed = oneLine({"--fail", "pod1-c01-row1-busway1"});
        QVERIFY(!whole.isNull() && !failed.isNull() && whole != failed);
        const QImage heat = picture({"--layer", "heat"}), more = picture({"--layer", "heat", "--layer", "clearances", "--layer", "power"});
        QVERIFY(!heat.isNull() && heat != plain && more != heat);
        const auto code = [&](const QStringList& arguments) { return runCli(QStringList{"render", m_hall, "-o", path("f.png")} + arguments).code; };
        QCOMPARE(code({"--view", "plan", "--overlay", "impact"}), 2);
        QCOMPARE(code({"--view", "plan", "--overlay", "power", "--fail", "pod1-c01-row1-busway1"}), 2);
        QCOMPARE(code({"--view", "fabric:backend", "--fail", "pod1-c01-row1-busway1"}), 2);
        QCOMPARE(code({"--view", "power", "--layer", "heat"}), 2);
        QCOMPARE(code({"--view", "plan", "--layer", "smell"}), 2);
        QCOMPARE(code({"--view", "plan", "--fail", "object not found"}), 3);
    }
};

QTEST_GUILESS_MAIN(CliRenderTest)
#include "cli_render_test.moc"
