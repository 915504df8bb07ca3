// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli_process.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <csignal>

/// The built binary as a process: every command's good case and every exit code.
class CliTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_hall; ///< a design of one small segment pair, made once and never changed

    QString path(const QString& name) const { return m_folder.filePath(name); }

    QString write(const QString& name, const QByteArray& text) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) throw std::runtime_error("cannot write " + name.toStdString());
        return file.fileName();
    }

    static QByteArray read(const QString& name)
    {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QString copyOfHall(const QString& name) const
    {
        QFile::remove(path(name));
        QFile::copy(m_hall, path(name));
        return path(name);
    }

    CliRun edit(const QString& hall, const QByteArray& edits) const
    {
        return runCli({"edit", hall, "--script", write("edits.json", "{\"edits\": [" + edits + "]}")});
    }

    static QString flow(const QString& name) { return QStringLiteral(HW_TEST_DATA "/flows/") + name; }

    static void compareValues(const QString& got, const QString& expected, double tolerance)
    {
        const auto a = read(got).trimmed().split('\n'), b = read(expected).trimmed().split('\n');
        QCOMPARE(a.size(), b.size());
        for (int i = 0; i < a.size(); ++i) {
            const double x = a[i].toDouble(), y = b[i].toDouble();
            QVERIFY2(std::abs(x - y) <= tolerance * std::max(std::abs(x), std::abs(y)),
                     qPrintable(QString("flow %1: %2 for %3").arg(i).arg(x, 0, 'g', 17).arg(y, 0, 'g', 17)));
        }
    }

private slots:
    void initTestCase()
    {
        m_hall = path("small.hall");
        const CliRun made = runCli({"new", "hpn", "-o", m_hall, "--set", "segments=2", "--set", "tor_uplinks=60"});
        QVERIFY2(made.code == 0, made.error.constData());
    }

    void helpEverywhere_data()
    {
        QTest::addColumn<QString>("command");
        for (const char* name :
             {"", "templates", "new", "edit", "report", "check", "bom", "cables", "solve", "simulate", "render", "import", "export"})
            QTest::newRow(*name ? name : "none") << name;
    }

    void helpEverywhere()
    {
        QFETCH(QString, command);
        const CliRun run = runCli(command.isEmpty() ? QStringList{"--help"} : QStringList{command, "--help"});
        QCOMPARE(run.code, 0);
        QVERIFY(run.out.contains("Usage"));
        QVERIFY(run.error.isEmpty());
        if (command == "new") QVERIFY(run.out.contains("--output FILE.hall REQUIRED"));
    }

    /// Keys of `layout` with any template; the project keeps them.
    void layoutKeys()
    {
        const QString hall = path("single-feed.hall");
        const CliRun made = runCli({"new", "rail-optimized-2", "-o", hall, "--set", "segments=1", "--set", "layout.redundancy=n+1"});
        QVERIFY2(made.code == 0, made.error.constData());
        const QByteArray devices = runCli({"list", hall, "device"}).out;
        QVERIFY(devices.contains("ups1-1-2")); // one more than needed, on one side
        QVERIFY(!devices.contains("ups1-2"));
        QFile script(path("segments.json"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write(R"({"edits": [{"do": "set-parameter", "name": "segments", "value": 2}]})");
        script.close();
        QCOMPARE(runCli({"edit", hall, "--script", script.fileName()}).code, 0);
        QVERIFY(!runCli({"list", hall, "device"}).out.contains("ups1-2"));
    }

    /// Flows that have no path: the answer is no, and what is cut off is said.
    void cutOff()
    {
        const QString hall = path("rails.hall"), scenario = path("aicb.json");
        QCOMPARE(runCli({"new", "rail-optimized-2", "-o", hall, "--set", "networks=backend"}).code, 0);
        QFile file(path("all-reduce.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: 64 checkpoints: 0 "
                   "checkpoint_initiates: 0\n1\ngrad -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 1073741824 1\n");
        file.close();
        QFile asked(scenario);
        QVERIFY(asked.open(QIODevice::WriteOnly));
        asked.write(QString(R"({"workload": "aicb", "file": "%1", "failed": ["su01-leaf-rail1"]})").arg(file.fileName()).toUtf8());
        asked.close();
        const CliRun run = runCli({"simulate", hall, "--scenario", scenario});
        QCOMPARE(run.code, 3);
        QVERIFY2(run.error.contains("rail 1 of unit 1 is cut off"), run.error.constData());
        QVERIFY2(run.out.contains("rail 1 of unit 1 is cut off") && !run.out.contains("inf"), run.out.constData());
    }

    void templates()
    {
        const CliRun run = runCli({"templates", "--json"});
        QCOMPARE(run.code, 0);
        QStringList names;
        const auto json = run.json();
        for (const auto& t : json["templates"]) {
            names << QString::fromStdString(t["name"]);
            for (const auto& p : t["parameters"]) {
                if (p["default"].is_number())
                    QVERIFY(p["minimum"] <= p["default"] && p["default"] <= p["maximum"]);
                else
                    QVERIFY(std::find(p["choices"].begin(), p["choices"].end(), p["default"]) != p["choices"].end());
            }
        }
        QVERIFY(names.contains("hpn") && names.contains("dcn-plus"));
        QVERIFY(runCli({"templates"}).out.contains("tor_uplinks"));
    }

    /// Exit code and what standard error must name.
    void refusals_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("names");
        const QString out = path("never.hall");
        const auto row = [](const char* name, const QStringList& arguments, int code, const QString& names) {
            QTest::newRow(name) << arguments << code << names;
        };
        row("no command", {}, 2, "command");
        row("unknown command", {"frobnicate"}, 2, "frobnicate");
        row("unknown option", {"report", m_hall, "--frob"}, 2, "--frob");
        row("unknown option without a command", {"--nope"}, 2, "--nope");
        row("empty output", {"bom", m_hall, "-o", ""}, 2, "error: -o: ");
        row("empty output of a simulation", {"simulate", m_hall, "--scenario", "x", "-o", ""}, 2, "error: -o: ");
        row("missing option", {"new", "hpn"}, 2, "-o");
        row("unexpected argument", {"report", m_hall, "x"}, 2, "x");
        row("unknown template", {"new", "torus", "-o", out}, 2, "torus");
        row("unknown parameter", {"new", "hpn", "-o", out, "--set", "color=1"}, 2, "color");
        row("no value", {"new", "hpn", "-o", out, "--set", "pods"}, 2, "pods");
        row("no layout value", {"new", "hpn", "-o", out, "--set", "layout.redundancy={x: 1}"}, 2, "layout.redundancy");
        row("unknown layout key", {"new", "rail-optimized-2", "-o", out, "--set", "layout.shade=1"}, 4, "shade");
        row("unknown scheme", {"new", "rail-optimized-2", "-o", out, "--set", "layout.redundancy=4n"}, 4, "redundancy");
        row("unknown rule", {"check", m_hall, "--rules", "N8,Q1"}, 2, "Q1");
        row("unknown basis", {"check", m_hall, "--basis", "guess"}, 2, "guess");
        row("unknown import format", {"import", "fax", "a", "--into", out}, 2, "fax");
        row("unknown export format", {"export", "fax", m_hall, "-o", path("a")}, 2, "fax");
        row("unknown view", {"render", m_hall, "-o", path("a.png"), "--view", "smell"}, 2, "smell");
        row("bom without a kind", {"bom", m_hall, "-o", path("bom")}, 2, "bom");
        row("export of a network that is missing", {"export", "fabric-svg", m_hall, "-o", path("a.svg"), "--network", "nosuch"}, 2,
            "error: --network nosuch: ");
        row("chart without a sweep", {"simulate", m_hall, "--scenario", "s4-rail-locality", "--y", "completion_s"}, 2, "error: --y: ");
        row("threads without a sweep", {"simulate", m_hall, "--scenario", "s4-rail-locality", "--threads", "2"}, 2, "error: --threads: ");
        row("analysis of a file", {"simulate", m_hall, "--scenario", "fault-causes"}, 2,
            "error: FILE " + m_hall + ": scenario 'fault-causes' uses no design");
        row("size of a drawing of lines", {"render", m_hall, "-o", path("a.svg"), "--view", "plan", "--size", "100x100"}, 2, "error: --size: ");
        row("theme of a drawing of lines", {"render", m_hall, "-o", path("a.pdf"), "--view", "power", "--theme", "dark"}, 2, "error: --theme: ");
        row("results without one to write", {"results", m_hall, "-o", path("r.json")}, 2, "error: -o ");
        row("coolant without a name", {"coolant", "--at", "40"}, 2, "error: NAME: ");
        row("polls of nothing", {"emulate", m_hall, "-o", path("r.jsonl"), "--for", "1", "--series", "facility", "--poll", "5"}, 2,
            "error: --poll: ");
        row("repeat 0", {"solve", flow("s1_perm_1k.mmf"), "--repeat", "0"}, 2, "--repeat");
        row("9 pods", {"new", "hpn", "-o", out, "--set", "pods=9"}, 3, "pods");
        row("16 segments", {"new", "hpn", "-o", out, "--set", "segments=16"}, 3, "segments");
        row("61 uplinks", {"new", "hpn", "-o", out, "--set", "tor_uplinks=61"}, 3, "tor_uplinks");
        row("no number", {"new", "hpn", "-o", out, "--set", "pods=many"}, 3, "pods");
        row("half a pod", {"new", "hpn", "-o", out, "--set", "pods=1.5"}, 3, "pods");
        row("missing file", {"report", path("nowhere.hall")}, 4, "nowhere.hall");
        row("foreign file", {"report", write("foreign.hall", "not a project at all\n")}, 4, "foreign.hall");
        row("empty file", {"check", write("empty.hall", "")}, 4, "empty.hall");
        row("missing template file", {"new", path("none.yaml"), "-o", out}, 4, "none.yaml");
        row("malformed template file", {"new", write("bad.yaml", "template: [\n"), "-o", out}, 4, "bad.yaml");
        row("unwritable folder", {"new", "hpn", "-o", "/nonexistent/a.hall", "--set", "segments=1"}, 4, "/nonexistent/a.hall");
        row("unwritable bom", {"bom", m_hall, "-o", "/nonexistent/a.csv"}, 4, "/nonexistent/a.csv");
        row("unwritable cables", {"cables", m_hall, "-o", "/nonexistent/a.csv"}, 4, "/nonexistent/a.csv");
        row("unwritable export", {"export", "text", m_hall, "-o", "/nonexistent/a.txt"}, 4, "/nonexistent/a.txt");
        row("unwritable rates", {"solve", flow("s1_perm_1k.mmf"), "-o", "/nonexistent/a"}, 4, "/nonexistent/a");
        row("import into an existing file", {"import", "text", path("a.txt"), "--into", m_hall}, 4, "small.hall");
        row("import of nothing", {"import", "text", path("none.txt"), "--into", out}, 4, "none.txt");
        row("script missing", {"edit", m_hall, "--script", path("none.json")}, 4, "none.json");
        row("script malformed", {"edit", m_hall, "--script", write("bad.json", "{\"edits\": [")}, 4, "bad.json");
        row("script number too large",
            {"edit", m_hall, "--script", write("large.json", "{\"edits\": [{\"do\": \"move\", \"entity\": \"x\", \"dx_mm\": 1e400, \"dy_mm\": 0}]}")},
            4, "edit 1, key \"dx_mm\"");
        row("scenario number too large",
            {"simulate", m_hall, "--scenario", write("scenario-large.json", "{\"workload\": \"permutation\", \"bytes\": 1e400}")}, 4, "bytes");
        row("export over a project", {"export", "text", m_hall, "-o", m_hall}, 4, "is a Hallwright project file");
        row("rates over a project", {"solve", flow("s1_perm_1k.mmf"), "-o", m_hall}, 4, "is a Hallwright project file");
        const QString disguised = copyOfHall("disguised.csv");
        row("cables over a project", {"cables", m_hall, "-o", disguised}, 4, "is a Hallwright project file");
        row("bom over a project", {"bom", m_hall, "-o", disguised}, 4, "is a Hallwright project file");
        row("result over a project", {"simulate", m_hall, "--scenario", write("scenario-good.json", "{\"workload\": \"permutation\"}"), "-o", m_hall},
            4, "is a Hallwright project file");
        row("unknown setting",
            {"edit", m_hall, "--script", write("setting.json", "{\"edits\": [{\"do\": \"set-setting\", \"key\": \"site.peu\", \"value\": 1}]}")}, 2,
            "site.pue");
        row("bad setting",
            {"edit", m_hall, "--script", write("setting2.json", "{\"edits\": [{\"do\": \"set-setting\", \"key\": \"site.pue\", \"value\": 0}]}")}, 3,
            "site.pue");
        row("waiver of nothing",
            {"edit", m_hall, "--script", write("waiver.json", "{\"edits\": [{\"do\": \"waive\", \"finding\": \"N8-none\", \"reason\": \"x\"}]}")}, 3,
            "N8-none");
        row("problem missing", {"solve", path("none.mmf")}, 4, "none.mmf");
        row("problem malformed", {"solve", write("bad.mmf", "mmf 1\nlinks 2\n10 10\nflows 1\n5 1 7\n")}, 4, "bad.mmf:5");
        row("flow without links", {"solve", write("nolinks.mmf", "mmf 1\nlinks 1\n10\nflows 1\n5 0\n")}, 4, "nolinks.mmf:5");
        row("negative size", {"solve", write("size.mmf", "mmf 1\nlinks 1\n10\nflows 1\n-5 1 0\n")}, 4, "size.mmf:5");
        row("capacity 0", {"solve", write("capacity.mmf", "mmf 1\nlinks 1\n0\nflows 1\n5 1 0\n")}, 4, "capacity.mmf:3");
        row("scenario missing", {"simulate", m_hall, "--scenario", path("none.json")}, 4, "none.json");
        row("a kind for a scenario", {"simulate", m_hall, "--scenario", "ring-allreduce"}, 2, "{\"workload\": \"ring-allreduce\"}");
        row("scenario unknown", {"simulate", m_hall, "--scenario", "no-such-one"}, 2, "no-such-one");
        row("scenario malformed", {"simulate", m_hall, "--scenario", write("scenario-bad.json", "{")}, 4, "scenario-bad.json");
    }

    void refusals()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, names);
        const QByteArray before = read(m_hall);
        const CliRun run = runCli(arguments);
        QVERIFY2(run.code == code, qPrintable(QString("%1: %2").arg(run.code).arg(QString::fromUtf8(run.error))));
        QVERIFY2(run.errorLine().contains(names.toUtf8()), run.error.constData());
        QVERIFY2(run.errorLine().count(": ") >= 2, run.error.constData()); // error: WHERE: WHAT
        QVERIFY(run.out.isEmpty());
        QVERIFY(!QFile::exists(path("never.hall")));
        QCOMPARE(read(m_hall), before);
        QVERIFY(QDir(m_folder.path()).entryList({".*"}, QDir::Files | QDir::Hidden).isEmpty()); // nothing left behind
    }

    void reportText()
    {
        const CliRun run = runCli({"report", m_hall});
        QCOMPARE(run.code, 0);
        QVERIFY(run.out.size() > 500);
        QVERIFY(run.error.isEmpty());
    }

    void checkDefaults_data()
    {
        QTest::addColumn<QString>("design");
        QTest::newRow("hpn") << "hpn";
        QTest::newRow("dcn-plus") << "dcn-plus";
    }

    void checkDefaults()
    {
        QFETCH(QString, design);
        const QString file = path(design + "-default.hall");
        QCOMPARE(runCli({"new", design, "-o", file}).code, 0);
        const CliRun run = runCli({"check", file, "--json"});
        QVERIFY2(run.code == 0, run.out.left(4000).constData());
        const auto json = run.json();
        QCOMPARE(json["schema"].get<std::string>(), std::string("hallwright.check/1"));
        QCOMPARE(json["errors"].get<int>(), 0);
    }

    void waivedFindingNoLongerFails()
    {
        const QString file = copyOfHall("waive.hall");
        // The first server's NIC 1 is moved to the ToR of rail 2 by exchanging two cables.
        const CliRun cables = runCli({"cables", file, "-o", path("waive.csv")});
        QCOMPARE(cables.code, 0);
        const auto rows = read(path("waive.csv")).split('\n');
        QByteArrayList first, other;
        for (const QByteArray& line : rows.mid(1)) {
            const auto f = line.split(',');
            if (f.size() < 15 || f[3] != "nic1p1") {
                if (f.size() > 15 && first.size() && f[2] == first[2] && f[3] == "nic2p1") other = f;
                continue;
            }
            if (first.isEmpty()) first = f;
        }
        QVERIFY(first.size() > 15 && other.size() > 15);
        const auto connect = [&](const QByteArray& verb, const QByteArrayList& a, const QByteArrayList& b) {
            return "{\"do\": \"" + verb + "\", \"from\": \"" + a[2] + ':' + a[3] + "\", \"to\": \"" + b[8] + ':' + b[9] + "\"}";
        };
        const CliRun edited = edit(file, connect("disconnect", first, first) + ',' + connect("disconnect", other, other) + ',' +
                                             connect("connect", first, other) + ',' + connect("connect", other, first));
        QVERIFY2(edited.code == 0, edited.error.constData());
        QCOMPARE(edited.out.count("committed "), 4);
        const CliRun wrong = runCli({"check", file, "--json", "--rules", "N8"});
        QCOMPARE(wrong.code, 3);
        const auto json = wrong.json();
        QCOMPARE(json["errors"].get<int>(), 2);
        QByteArray waivers;
        for (const auto& f : json["findings"]) {
            QCOMPARE(f["rule"].get<std::string>(), std::string("N8"));
            QVERIFY(f["entities"].size() >= 2);
            waivers += (waivers.isEmpty() ? "" : ",") + QByteArray::fromStdString("{\"do\": \"waive\", \"finding\": \"" + f["id"].get<std::string>() +
                                                                                  "\", \"reason\": \"tried on purpose\"}");
        }
        QCOMPARE(edit(file, waivers).code, 0);
        const CliRun accepted = runCli({"check", file, "--json", "--rules", "N8"});
        QCOMPARE(accepted.code, 0);
        QVERIFY(accepted.json()["findings"][0]["waived"].get<bool>());
        QCOMPARE(accepted.json()["findings"][0]["reason"].get<std::string>(), std::string("tried on purpose"));
    }

    void editKeepsWhatWasCommittedBeforeAFailure()
    {
        const QString file = copyOfHall("partial.hall");
        const CliRun run = edit(file, R"({"do": "set-setting", "key": "project.name", "value": "kept"},
                                         {"do": "rename", "entity": "no such thing", "name": "x"},
                                         {"do": "set-setting", "key": "project.name", "value": "never"})");
        QCOMPARE(run.code, 3);
        QCOMPARE(run.out.count("committed "), 1);
        QVERIFY(run.errorLine().contains("no such thing: name not found"));
        QCOMPARE(runCli({"report", file, "--json"}).json()["design"]["name"].get<std::string>(), std::string("kept"));
    }

    void setParameterAndUndo()
    {
        const QString file = copyOfHall("parameter.hall");
        const CliRun run = edit(file, R"({"do": "set-parameter", "name": "segments", "value": 1}, {"do": "undo"}, {"do": "redo"})");
        QVERIFY2(run.code == 0, run.error.constData());
        QCOMPARE(run.out.count("committed "), 3);
        QCOMPARE(runCli({"report", file, "--json"}).json()["accelerators"]["active"].get<int>(), 1024);
        QCOMPARE(edit(file, R"({"do": "set-parameter", "name": "segments", "value": 16})").code, 3);
        QCOMPARE(edit(file, R"({"do": "set-parameter", "name": "color", "value": 1})").code, 2);
    }

    void bomAndCables()
    {
        for (const char* name : {"bom.csv", "bom.xlsx", "bom.json"}) {
            const CliRun run = runCli({"bom", m_hall, "-o", path(name)});
            QVERIFY2(run.code == 0, run.error.constData());
            QVERIFY(QFileInfo(path(name)).size() > 100);
        }
        const auto bom = nlohmann::json::parse(read(path("bom.json")).toStdString());
        QVERIFY(bom["lines"].size() > 5);
        for (const char* name : {"cables.csv", "cables.xlsx"}) QCOMPARE(runCli({"cables", m_hall, "-o", path(name)}).code, 0);
        const QByteArray csv = read(path("cables.csv"));
        QCOMPARE(csv.left(csv.indexOf('\n')).trimmed(),
                 QByteArray(
                     "id,network,from_device,from_port,from_hall,from_row,from_rack,from_u,to_device,to_port,to_hall,to_row,to_rack,to_u,rail,plane,"
                     "rate_gbps,medium,length_m,transceiver_from,transceiver_to,label,physical_cable"));
        const auto report = runCli({"report", m_hall, "--json"}).json();
        QCOMPARE(int(csv.trimmed().count('\n')), report["fibre"]["cables"].get<int>());
    }

    void failedOutputLeavesTheOldFile()
    {
        const QString bom = write("old.csv", "old\n");
        QCOMPARE(runCli({"bom", write("foreign2.hall", "no"), "-o", bom}).code, 4);
        QCOMPARE(read(bom), QByteArray("old\n"));
        const QString hall = copyOfHall("old.hall");
        const QByteArray before = read(hall);
        QCOMPARE(runCli({"new", "hpn", "-o", hall, "--set", "pods=9"}).code, 3);
        QCOMPARE(read(hall), before);
        QCOMPARE(runCli({"solve", flow("s1_perm_1k.mmf"), "-o", m_folder.path()}).code, 4); // a folder
        QCOMPARE(runCli({"new", "hpn", "-o", "/dev/full", "--set", "segments=1"}).code, 4);
        QVERIFY(QFileInfo("/dev/full").exists() && !QFileInfo("/dev/full").isFile());
    }

    void fullOutputIsAnError()
    {
        QProcess process;
        process.setStandardOutputFile("/dev/full");
        process.start(QStringLiteral(HW_BIN_DIR "/hallwright-cli"), {"templates", "--json"});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 4);
    }

    /// A choice by its name, from `new` to the report; an edit takes names too.
    void choices()
    {
        const QString file = path("choice.hall");
        QCOMPARE(runCli({"new", "hpn", "-o", file, "--set", "segments=1", "--set", "networks=backend"}).code, 0);
        const auto report = runCli({"report", file, "--json"}).json();
        QCOMPARE(report["design"]["parameters"]["networks"].get<std::string>(), std::string("backend"));
        const CliRun refused = runCli({"new", "hpn", "-o", path("no.hall"), "--set", "networks=few"});
        QVERIFY(refused.code == 3 && refused.errorLine().contains("all, backend") && !QFile::exists(path("no.hall")));
        const CliRun run = edit(file, R"({"do": "set-parameter", "name": "networks", "value": "all"})");
        QVERIFY2(run.code == 0, run.error.constData());
        std::map<std::string, std::string> kinds;
        const auto all = runCli({"report", file, "--json"}).json();
        for (const auto& n : all["networks"]) kinds[n["name"]] = n["kind"];
        QCOMPARE(kinds.at("frontend"), std::string("frontend"));
        QCOMPARE(kinds.at("oob"), std::string("management"));
        QCOMPARE(kinds.at("nvlink"), std::string("scale-up"));
        QCOMPARE(edit(file, R"({"do": "set-parameter", "name": "networks", "value": "few"})").code, 3);
    }

    void exportAddressing()
    {
        const QString folder = path("addresses");
        QCOMPARE(runCli({"export", "addressing", m_hall, "-o", folder}).code, 0);
        const QByteArray json = read(folder + "/addressing.json");
        QVERIFY(nlohmann::json::parse(json.toStdString())["switches"].size() > 10);
        QVERIFY(QFile::exists(folder + "/host_ports.csv") && !QDir(folder + "/breakout").isEmpty());
        QCOMPARE(runCli({"export", "addressing", m_hall, "-o", folder}).code, 0); // an older export is replaced
        QCOMPARE(runCli({"export", "addressing", m_hall, "-o", path("addresses.json")}).code, 0);
        QCOMPARE(read(path("addresses.json")), json);
        QCOMPARE(runCli({"export", "addressing", m_hall, "-o", path("addresses.csv")}).code, 0);
        QVERIFY(read(path("addresses.csv")).startsWith("kind,device,port,network,address4,address6,peer,peer_port\r\n"));
        QCOMPARE(runCli({"export", "addressing", m_hall, "-o", m_folder.path()}).code, 4); // holds other things
        const QString file = copyOfHall("pools.hall");
        QCOMPARE(edit(file, R"({"do": "set-setting", "key": "addressing.loopback4", "value": "10.248.0.0/30"})").code, 0);
        const CliRun small = runCli({"export", "addressing", file, "-o", path("small.json")});
        QVERIFY(small.code == 3 && small.errorLine().contains("addressing.loopback4: pool 10.248.0.0/30 is exhausted") &&
                !QFile::exists(path("small.json")));
        QCOMPARE(edit(file, R"({"do": "set-setting", "key": "addressing.loopback4", "value": "many"})").code, 3);
        QCOMPARE(edit(file, R"({"do": "set-setting", "key": "addressing.loopback", "value": "10.0.0.0/8"})").code, 2);
    }

    void textRoundTrip()
    {
        QCOMPARE(runCli({"export", "text", m_hall, "-o", path("one.txt")}).code, 0);
        const CliRun imported = runCli({"import", "text", path("one.txt"), "--into", path("back.hall")});
        QVERIFY2(imported.code == 0, imported.error.constData());
        QCOMPARE(runCli({"export", "text", path("back.hall"), "-o", path("two.txt")}).code, 0);
        QVERIFY(!read(path("one.txt")).isEmpty());
        QVERIFY(read(path("one.txt")) == read(path("two.txt")));
        QVERIFY(runCli({"report", m_hall, "--json"}).out == runCli({"report", path("back.hall"), "--json"}).out);
    }

    /// A plan changes nothing; an import is there afterward, and once only.
    void importPartType()
    {
        const QString file = copyOfHall("parts.hall"), part = write("switch.yaml", "manufacturer: Acme\nmodel: Switch 1\nslug: acme-switch-1\n"
                                                                                   "u_height: 1\nis_full_depth: true\ninterfaces:\n"
                                                                                   "  - name: swp1\n    type: 400gbase-x-qsfp112\n");
        const QByteArray before = read(file);
        const CliRun plan = runCli({"import", "netbox", part, "--into", file, "--dry-run", "--json"});
        QVERIFY2(plan.code == 0, plan.error.constData());
        QVERIFY(plan.out.contains("hallwright.import-plan/1") && plan.out.contains("+ acme-switch-1"));
        QVERIFY(read(file) == before);
        QCOMPARE(runCli({"import", "netbox", part, "--into", file}).code, 0);
        QVERIFY(runCli({"import", "netbox", part, "--into", file, "--dry-run"}).out.contains("no changes"));
        QCOMPARE(runCli({"import", "netbox", part}).code, 2);
        QCOMPARE(runCli({"import", "netbox", part, "--into", path("nowhere.hall")}).code, 4);
        const QString curve = write("curve.csv", "date,accelerators\n2026-Q3,1024\n");
        QVERIFY(runCli({"import", "demand", curve, "--dry-run"}).out.contains("1024"));
        QCOMPARE(runCli({"import", "demand", curve, "--into", file}).code, 3);
    }

    void settingsAreListed()
    {
        const CliRun all = runCli({"settings", m_hall, "--json"});
        QVERIFY2(all.code == 0, all.error.constData());
        for (const char* key : {"site.pue", "cabling.slack_percent", "network.backend.hash.tor", "network.backend.target_oversubscription.tor"})
            QVERIFY2(all.out.contains(key), key);
        const CliRun text = runCli({"settings", m_hall});
        QVERIFY(text.out.contains("USD (default)"));
    }

    void rulesAreListed()
    {
        const CliRun all = runCli({"rules", "--json"});
        QVERIFY2(all.code == 0, all.error.constData());
        const auto json = all.json();
        QCOMPARE(json["schema"].get<std::string>(), std::string("hallwright.rules/1"));
        bool found = false;
        for (const auto& rule : json["rules"]) {
            if (rule["id"] != "P2") continue;
            found = true;
            QCOMPARE(rule["severity"].get<std::string>(), std::string("error"));
            const auto& threshold = rule["thresholds"][0];
            QCOMPARE(threshold["setting"].get<std::string>(), std::string("rule.p2.continuous_percent"));
            QCOMPARE(threshold["value"].get<double>(), 80.0);
            QCOMPARE(threshold["unit"].get<std::string>(), std::string("%"));
            QVERIFY(threshold["source"].get<std::string>().find("NEC") != std::string::npos);
        }
        QVERIFY(found);
        QVERIFY(runCli({"rules"}).out.contains("rule.s4.front_aisle_mm"));
        QVERIFY(runCli({"settings", m_hall, "--json"}).out.count("\"rule.p2.continuous_percent\"") == 1); // though three rules share it
    }

    void solveSharedProblems_data()
    {
        QTest::addColumn<QString>("problem");
        for (const char* name : {"s1_perm_1k", "s2_ring_1k", "s4_incast_1k"}) QTest::newRow(name) << name;
    }

    void solveSharedProblems()
    {
        QFETCH(QString, problem);
        const QRegularExpression line("^flows=\\d+ links=\\d+ hops=\\d+ read_s=[0-9.e+-]+ build_s=[0-9.e+-]+ solve_s=[0-9.e+-]+ certificate=ok\n$");
        const CliRun rates = runCli({"solve", flow(problem + ".mmf"), "-o", path("rates"), "--repeat", "3"});
        QVERIFY2(rates.code == 0, rates.error.constData());
        QVERIFY2(line.match(rates.out).hasMatch(), rates.out.constData());
        compareValues(path("rates"), flow(problem + ".exact"), 1e-9);
        const CliRun finish = runCli({"solve", flow(problem + ".mmf"), "-o", path("times"), "--finish"});
        QVERIFY2(finish.code == 0, finish.error.constData());
        QVERIFY2(line.match(finish.out).hasMatch(), finish.out.constData());
        compareValues(path("times"), flow(problem + ".fct"), 4e-8); // they were made from sizes rounded to whole units
    }

    void pipesAsInput()
    {
        const auto shell = [](const QString& command) {
            QProcess process;
            process.start("bash", {"-c", command});
            process.waitForFinished(120'000);
            return CliRun{process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
        };
        const QString cli = QStringLiteral(HW_BIN_DIR "/hallwright-cli"), hall = copyOfHall("piped.hall");
        const CliRun solved = shell("cat " + flow("s1_perm_1k.mmf") + " | " + cli + " solve /dev/stdin -o " + path("piped.rates"));
        QVERIFY2(solved.code == 0, solved.error.constData());
        compareValues(path("piped.rates"), flow("s1_perm_1k.exact"), 1e-9);
        const CliRun edited =
            shell(cli + " edit " + hall + R"( --script <(echo '{"edits": [{"do": "set-setting", "key": "site.pue", "value": 1.3}]}'))");
        QVERIFY2(edited.code == 0, edited.error.constData());
        const CliRun simulated = shell(R"(echo '{"workload": "permutation"}' | )" + cli + " simulate " + hall + " --scenario /dev/stdin --json");
        QVERIFY2(simulated.code == 0, simulated.error.constData());
        QCOMPARE(runCli({"solve", m_folder.path()}).code, 4);
    }

    void editHelpListsTheEdits()
    {
        const QByteArray help = runCli({"edit", "--help"}).out;
        for (const char* line : {"  move entity dx_mm dy_mm\n", "  disconnect from [to]\n", "  set-setting key value\n", "  undo\n"})
            QVERIFY2(help.contains(line), help.constData());
    }

    void simulate()
    {
        const QString scenario = write("scenario.json", R"({"workload": "ring-allreduce", "segments": "all", "bytes": 1e9})");
        const CliRun run = runCli({"simulate", m_hall, "--scenario", scenario, "--json", "-o", path("result.json")});
        QVERIFY2(run.code == 0, run.error.constData());
        QVERIFY(run.json().is_object());
        QVERIFY(nlohmann::json::parse(read(path("result.json")).toStdString()).is_object());
        QVERIFY(!runCli({"simulate", m_hall, "--scenario", scenario}).out.isEmpty());
        // a job that needs more memory than there is: the answer is no
        const QString large = write("large.json", R"({"workload": "training", "tensor": 1, "pipeline": 1, "model": {"layers": 48}})");
        const CliRun no = runCli({"simulate", m_hall, "--scenario", large});
        QCOMPARE(no.code, 3);
        QVERIFY2(no.out.contains("The job does not run: memory: "), no.out.constData());
    }

    void noProgressInAPipe()
    {
        const CliRun run = runCli({"new", "hpn", "-o", path("quiet.hall"), "--set", "segments=1"});
        QCOMPARE(run.code, 0);
        QVERIFY2(run.error.isEmpty(), run.error.constData());
    }

    void interruptStopsWithinASecond_data()
    {
        QTest::addColumn<int>("after_ms");
        for (const int ms : {20, 80, 200, 400}) QTest::newRow(qPrintable(QString::number(ms))) << ms;
    }

    void interruptStopsWithinASecond()
    {
        QFETCH(int, after_ms);
        const QString folder = path("interrupt");
        QDir().mkpath(folder);
        QProcess process;
        process.start(QStringLiteral(HW_BIN_DIR "/hallwright-cli"), {"new", "hpn", "-o", folder + "/big.hall", "--set", "pods=8"});
        QVERIFY(process.waitForStarted());
        if (process.waitForFinished(after_ms)) QSKIP("done before it could be interrupted");
        QElapsedTimer timer;
        timer.start();
        ::kill(pid_t(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(20'000));
        QVERIFY2(timer.elapsed() < 1000 + 1000, qPrintable(QString::number(timer.elapsed()))); // a loaded test machine gets a second more
        // A fast machine may have put the file in place when the signal arrives: then it is whole and says so.
        const QStringList left = QDir(folder).entryList(QDir::Files | QDir::Hidden);
        if (after_ms > 100 && process.exitCode() == 0) {
            QCOMPARE(left, QStringList("big.hall"));
            QCOMPARE(runCli({"report", folder + "/big.hall", "--json"}).code, 0);
            QFile::remove(folder + "/big.hall");
            return;
        }
        // A loaded machine may not have come to our code yet: then the signal itself ends it, for a shell the same.
        const bool beforeMain = after_ms < 100 && process.exitStatus() == QProcess::CrashExit && process.exitCode() == SIGINT;
        if (!beforeMain) QCOMPARE(process.exitCode(), 130);
        QVERIFY(left.isEmpty());
    }

    /// A writer that died leaves a journal; readers include it, say so and change nothing.
    void journalOfADeadWriter()
    {
        const QString file = copyOfHall("dead.hall");
        // Edits are committed one by one; killing the process in between leaves the journal.
        QByteArray edits;
        for (int i = 0; i < 50'000; ++i)
            edits += (i ? "," : "") + QByteArray("{\"do\": \"set-setting\", \"key\": \"project.name\", \"value\": \"step ") + QByteArray::number(i) +
                     "\"}";
        QProcess process;
        process.start(QStringLiteral(HW_BIN_DIR "/hallwright-cli"), {"edit", file, "--script", write("many.json", "{\"edits\": [" + edits + "]}")});
        QByteArray committed;
        while (committed.count('\n') < 5 && process.waitForReadyRead(60'000)) committed += process.readAllStandardOutput();
        process.kill();
        QVERIFY(process.waitForFinished());
        committed += process.readAllStandardOutput();
        QVERIFY(committed.count('\n') >= 5);
        committed.truncate(committed.lastIndexOf('\n'));
        const std::uint64_t told = committed.mid(committed.lastIndexOf(' ') + 1).toULongLong();
        QMap<QString, QByteArray> before;
        for (const QString& name : QDir(m_folder.path()).entryList({"dead.hall*"}, QDir::Files | QDir::Hidden)) before[name] = read(path(name));
        const CliRun run = runCli({"report", file, "--json"});
        QVERIFY2(run.code == 0, run.error.constData());
        QVERIFY2(run.error.startsWith("note: "), run.error.constData());
        QVERIFY(QByteArray::fromStdString(run.json()["design"]["name"]).startsWith("step "));
        QVERIFY(run.json()["design"]["revision"].get<std::uint64_t>() >= told); // what was reported is there
        for (auto it = before.cbegin(); it != before.cend(); ++it) QVERIFY(read(path(it.key())) == it.value());
        QCOMPARE(QDir(m_folder.path()).entryList({"dead.hall*"}, QDir::Files | QDir::Hidden).size(), before.size());
    }
};

QTEST_GUILESS_MAIN(CliTest)
#include "cli_test.moc"
