// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_process.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <netinet/in.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

/// Sweeps whose points other machines run: parts by hand, a made-up Slurm that loses a task, and a real one of one node.
class CliSlurmTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QByteArray m_path = qgetenv("PATH");

    QString at(const QString& name) const { return m_folder.filePath(name); }
    static int freePort()
    {
        const int handle = socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        const bool bound =
            bind(handle, reinterpret_cast<sockaddr*>(&address), size) == 0 && getsockname(handle, reinterpret_cast<sockaddr*>(&address), &size) == 0;
        close(handle);
        return bound ? ntohs(address.sin_port) : 0;
    }
    static QByteArray content(const QString& file)
    {
        QFile f(file);
        return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
    }
    void write(const QString& name, const QByteArray& text, bool program = false)
    {
        QFile f(at(name));
        QVERIFY(f.open(QIODevice::WriteOnly));
        f.write(text);
        f.close();
        if (program) QVERIFY(f.setPermissions(f.permissions() | QFile::ExeOwner));
    }
    QStringList sweep(const QString& output, const QStringList& more = {}) const
    {
        return QStringList{"simulate", "--scenario", at("s.json"), "--sweep", "expert_parallel=64:384:64", "-o", at(output)} + more;
    }

private slots:
    void initTestCase()
    {
        write("s.json", R"({"schema": "hallwright.scenario/1", "name": "expert parallel", "analysis": "xlink", "domains": [64, 1024]})");
        QCOMPARE(runCli(sweep("local.json")).code, 0);
        QVERIFY(content(at("local.json")).contains("\"sweep\""));
    }
    void cleanup() { qputenv("PATH", m_path); }

    /// Points by hand, in two runs into one file; the rest is run by the sweep that goes on from it, which is none here.
    void partsMakeTheWhole()
    {
        QCOMPARE(runCli(sweep("parts.json.partial", {"--points", "2-3,6"})).code, 0);
        QCOMPARE(content(at("parts.json.partial")).count('\n'), 4);
        QCOMPARE(runCli(sweep("parts.json.partial", {"--points", "1-5"})).code, 0);
        QCOMPARE(content(at("parts.json.partial")).count('\n'), 7);
        QCOMPARE(runCli(sweep("parts.json")).code, 0);
        QCOMPARE(content(at("parts.json")), content(at("local.json")));
        for (const char* wrong : {"0", "7", "3-2", "a", "1-", ""}) QCOMPARE(runCli(sweep("x.json", {QString("--points=") + wrong})).code, 2);
    }

    void optionsWithoutEffectAreRefused()
    {
        QCOMPARE(runCli(sweep("x.json", {"--array", "4"})).code, 2);
        QCOMPARE(runCli(sweep("x.json", {"--mem", "1G"})).code, 2);
        QCOMPARE(runCli(sweep("x.json", {"--slurm", "--threads", "2"})).code, 2);
        QCOMPARE(runCli(sweep("x.json", {"--slurm", "--points", "1"})).code, 2);
        QCOMPARE(runCli(sweep("x.json", {"--points", "1", "--json"})).code, 2);
        QCOMPARE(runCli({"simulate", "--scenario", at("s.json"), "-o", at("x.json"), "--slurm"}).code, 2);
        QCOMPARE(runCli({"simulate", "--scenario", at("s.json"), "--sweep", "expert_parallel=64,128", "--slurm"}).code, 2);
        qputenv("PATH", QFile::encodeName(at("nowhere")) + ":/bin:/nonexistent");
        if (QStandardPaths::findExecutable("sbatch").isEmpty()) {
            const CliRun none = runCli(sweep("x.json", {"--slurm"}));
            QCOMPARE(none.code, 4);
            QVERIFY2(none.errorLine().contains("Slurm login node"), none.error.constData());
        }
        QVERIFY(!QFile::exists(at("x.json")));
    }

    /// A cluster that runs tasks at once and loses the first of the first job: it is submitted again, alone. One that loses everything is reported.
    void lostTasksRunAgain()
    {
        QDir(m_folder.path()).mkdir("fake");
        write("fake/squeue", "#!/bin/sh\nexit 0\n", true);
        write("fake/scancel", "#!/bin/sh\nexit 0\n", true);
        const QByteArray sbatch =
            "#!/bin/sh\necho \"$@\" >> '" + QFile::encodeName(at("calls")) +
            "'\n"
            "for a in \"$@\"; do case $a in --array=0-*) last=${a#--array=0-} ;; --output=*) log=${a#--output=} ;; esac; script=$a; done\n"
            "first=$(grep -c . '" +
            QFile::encodeName(at("calls")) +
            "')\n"
            "for t in $(seq 0 $last); do\n"
            "  LOSE\n"
            "  SLURM_ARRAY_TASK_ID=$t sh \"$script\" > \"$(echo $log | sed s/%a/$t/)\" 2>&1\n"
            "done\necho 7\n";
        write("fake/sbatch", QByteArray(sbatch).replace("LOSE", "[ $first = 1 ] && [ $t = 0 ] && continue"), true);
        qputenv("PATH", QFile::encodeName(at("fake")) + ":" + m_path);
        const CliRun run = runCli(sweep("fake.json", {"--slurm", "gpu part", "--array", "3", "--time", "10:00"}));
        QVERIFY2(run.code == 0, run.error.constData());
        QCOMPARE(content(at("fake.json")), content(at("local.json")));
        const QList<QByteArray> calls = content(at("calls")).trimmed().split('\n');
        QCOMPARE(calls.size(), 2);
        QVERIFY(calls[0].contains("--array=0-2") && calls[0].contains("--partition=gpu part") && calls[0].contains("--time=10:00"));
        QVERIFY(calls[1].contains("--array=0-1")); // two points were in the lost task
        QVERIFY(!QFile::exists(at("fake.json.slurm")));

        QFile::remove(at("calls"));
        write("fake/sbatch", QByteArray(sbatch).replace("LOSE", "[ $t = 1 ] && continue"), true);
        const CliRun lost = runCli(sweep("lost.json", {"--slurm", "--array", "2"}));
        QCOMPARE(lost.code, 4);
        QVERIFY2(lost.errorLine().contains("did not finish in 3 submissions: 6"), lost.error.constData());
        QCOMPARE(content(at("calls")).count('\n'), 3);
        QVERIFY(!QFile::exists(at("lost.json")));
        write("fake/sbatch", QByteArray(sbatch).replace("LOSE", ""), true); // mended: only what is missing runs
        QFile::remove(at("calls"));
        QCOMPARE(runCli(sweep("lost.json", {"--slurm", "--array", "2"})).code, 0);
        QVERIFY(content(at("calls")).contains("--array=0-0"));
        QCOMPARE(content(at("lost.json")), content(at("local.json")));
    }

    /// Failures of air units, each and in pairs: by hand, by tasks of a job array and at once the same bytes; each case is that of the command alone.
    void airCasesAreTheSameEverywhere()
    {
        qputenv("PATH", QFile::encodeName(at("fake")) + ":" + m_path);
        QCOMPARE(runCli({"new", "fat-tree-2", "-o", at("air.hall"), "--set", "segments=1"}).code, 0);
        const QStringList asked{"air", at("air.hall"), "--cells", "2000", "--each-failure", "--pairs", "-o"};
        const CliRun local = runCli(asked + QStringList{at("air.json")});
        QVERIFY2(local.code == 0, local.error.constData());
        const CliRun there = runCli(asked + QStringList{at("air-slurm.json"), "--slurm", "--array", "2"});
        QVERIFY2(there.code == 0, there.error.constData());
        QCOMPARE(content(at("air-slurm.json")), content(at("air.json")));
        const auto document = nlohmann::json::parse(content(at("air.json")).toStdString());
        const auto& points = document["sweep"]["points"];
        QVERIFY(points.size() >= 4); // whole, each of two units or more, pairs
        QCOMPARE(points[0]["values"][0].get<std::string>(), std::string());
        QVERIFY(points[0]["results"]["settled"].get<bool>());
        QVERIFY(points.back()["values"][0].get<std::string>().find('+') != std::string::npos);
        const CliRun alone = runCli({"air", at("air.hall"), "--cells", "2000", "--json"});
        const auto whole = nlohmann::json::parse(alone.out.toStdString());
        QCOMPARE(points[0]["results"]["return_c"].get<double>(), whole["return_c"].get<double>());
        QCOMPARE(points[0]["results"]["racks"][0]["inlet_max_c"].get<double>(), whole["racks"][0]["inlet_max_c"].get<double>());
        for (const QStringList& wrong : QList<QStringList>{{"--pairs"},
                                                           {"--slurm"},
                                                           {"--array", "2"},
                                                           {"--points", "1"},
                                                           {"--threads", "2"},
                                                           {"--each-failure", "--np", "2"},
                                                           {"--engine", "openfoam", "--slurm"}})
            QCOMPARE(runCli(QStringList{"air", at("air.hall"), "-o", at("x.json")} + wrong).code, 2);
    }

    /// Failure pairs: here, in parts by hand, by tasks of a job array.
    void failurePairsAreTheSameEverywhere()
    {
        qputenv("PATH", QFile::encodeName(at("fake")) + ":" + m_path);
        QCOMPARE(runCli({"new", "fat-tree-2", "-o", at("pairs.hall"), "--set", "segments=1"}).code, 0);
        const QStringList asked{"impact", at("pairs.hall"), "--pairs"};
        const CliRun plain = runCli(asked + QStringList{"--json"});
        QVERIFY2(plain.code == 0, plain.error.constData());
        QVERIFY(nlohmann::json::parse(plain.out.toStdString())["pairs_tried"].get<int>() > 0);
        const CliRun there = runCli(asked + QStringList{"-o", at("pairs-slurm.json"), "--slurm", "--array", "2", "--json"});
        QVERIFY2(there.code == 0, there.error.constData());
        QCOMPARE(there.out, plain.out);
        QCOMPARE(content(at("pairs-slurm.json")), plain.out);
        QVERIFY(!QFile::exists(at("pairs-slurm.json.slurm")));
        QCOMPARE(runCli(asked + QStringList{"-o", at("pairs.json.partial"), "--points", "1"}).code, 0);
        QCOMPARE(runCli(asked + QStringList{"-o", at("pairs.json")}).code, 0);
        QCOMPARE(content(at("pairs.json")), plain.out);
        QVERIFY(!QFile::exists(at("pairs.json.partial")));
        for (const QStringList& wrong : QList<QStringList>{{"--slurm"},
                                                           {"-o", at("x.csv")},
                                                           {"-o", at("x.json"), "--array", "2"},
                                                           {"-o", at("x.json"), "--points", "0"},
                                                           {"-o", at("x.json"), "--points", "1", "--json"}})
            QCOMPARE(runCli(asked + wrong).code, 2);
        QCOMPARE(runCli({"impact", at("pairs.hall"), "-o", at("x.json")}).code, 2);
    }

    /// What the scenario refuses is reported once, as it is without Slurm.
    void refusedPointsAreNotRepeated()
    {
        write("bad.json", R"({"schema": "hallwright.scenario/1", "analysis": "aicb", "file": "none.txt"})");
        qputenv("PATH", QFile::encodeName(at("fake")) + ":" + m_path);
        QFile::remove(at("calls"));
        QCOMPARE(runCli({"new", "fat-tree-2", "-o", at("d.hall"), "--set", "segments=1"}).code, 0);
        const QStringList asked{"simulate", at("d.hall"),      "--scenario", "s2-port-down", "--sweep", "design.segments=1,100000000",
                                "-o",       at("bad.out.json")};
        const CliRun local = runCli(asked), there = runCli(asked + QStringList{"--slurm"});
        QVERIFY(local.code != 0);
        QVERIFY2(there.code != 0, there.out.constData());
        QCOMPARE(there.errorLine(), local.errorLine());
        QCOMPARE(content(at("calls")).count('\n'), 1);
    }

    /// A cluster of one node on loopback: the same bytes as on local cores.
    void realCluster()
    {
        qputenv("PATH", m_path + ":/usr/sbin");
        for (const char* program : {"slurmctld", "slurmd", "sbatch"})
            if (QStandardPaths::findExecutable(program).isEmpty()) QSKIP("Slurm is not installed: run installer/install-packages");
        const QByteArray ports = "SlurmctldPort=" + QByteArray::number(freePort()) + "\nSlurmdPort=" + QByteArray::number(freePort());
        QDir(m_folder.path()).mkdir("state");
        QDir(m_folder.path()).mkdir("spool");
        const passwd* me = getpwuid(getuid());
        const QByteArray user = me ? me->pw_name : "root", here = QFile::encodeName(m_folder.path());
        write("slurm.conf", "ClusterName=test\nSlurmctldHost=localhost(127.0.0.1)\n" + ports + "\nSlurmUser=" + user + "\nSlurmdUser=" + user +
                                "\nAuthType=auth/none\nCredType=cred/none\nStateSaveLocation=" + here + "/state\nSlurmdSpoolDir=" + here +
                                "/spool\nSlurmctldPidFile=" + here + "/c.pid\nSlurmdPidFile=" + here + "/d.pid\nSlurmctldLogFile=" + here +
                                "/c.log\nSlurmdLogFile=" + here +
                                "/d.log\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSelectType=select/cons_tres\n"
                                "SelectTypeParameters=CR_Core\nMpiDefault=none\nReturnToService=2\nSlurmdParameters=config_overrides\n"
                                "SchedulerParameters=sched_interval=1\nNodeName=localhost CPUs=4 RealMemory=500 State=UNKNOWN\n"
                                "PartitionName=main Nodes=ALL Default=YES State=UP MaxTime=INFINITE\n");
        qputenv("SLURM_CONF", QFile::encodeName(at("slurm.conf")));
        QProcess controller, node;
        const auto stop = qScopeGuard([&] {
            for (QProcess* p : {&node, &controller}) {
                p->terminate();
                if (!p->waitForFinished(10'000)) p->kill(), p->waitForFinished(5'000);
            }
            qunsetenv("SLURM_CONF");
        });
        controller.start(QStandardPaths::findExecutable("slurmctld"), {"-D"});
        node.start(QStandardPaths::findExecutable("slurmd"), {"-D", "-N", "localhost"});
        const auto idle = [] {
            QProcess sinfo;
            sinfo.start("sinfo", {"-h", "-o", "%T"});
            return sinfo.waitForFinished(10'000) && sinfo.readAllStandardOutput().trimmed() == "idle";
        };
        bool ready = false;
        for (int i = 0; i < 150 && !(ready = idle()); ++i) QThread::msleep(200);
        if (!ready) {
            qInfo().noquote() << content(at("c.log")) + content(at("d.log")) + node.readAllStandardError();
            QSKIP("slurmd does not start on this machine (containers without root)");
        }

        const CliRun run = runCli(sweep("slurm.json", {"--slurm", "main", "--array", "4", "--mem", "50M"}));
        QVERIFY2(run.code == 0, (run.error + content(at("c.log"))).constData());
        QCOMPARE(content(at("slurm.json")), content(at("local.json")));
        // Designs likewise.
        write("explore.json", R"({"schema": "hallwright.explore/1", "name": "two tiers", "goodput": {"failures": 2000}, "designs": [
            {"template": "fat-tree-2", "vary": {"segments": [1, 2, 0, -1]}}]})");
        const QStringList explore{"explore", at("explore.json"), "-o"};
        QCOMPARE(runCli(explore + QStringList{at("designs.json")}).code, 0);
        const CliRun there = runCli(explore + QStringList{at("designs-slurm.json"), "--slurm", "--array", "2"});
        QVERIFY2(there.code == 0, there.error.constData());
        QCOMPARE(content(at("designs-slurm.json")), content(at("designs.json")));
        const auto found = nlohmann::json::parse(content(at("designs.json")).toStdString());
        QVERIFY(found["designs"] == 4 && found["failed"].size() == 2 && found["points"].size() == 2 && !found["front"].empty());

        if (!QStandardPaths::findExecutable("buoyantBoussinesqSimpleFoam").isEmpty()) { // two MPI processes in one job
            const CliRun foam = runCli({"air", at("air.hall"), "--cells", "2000", "--engine", "openfoam", "--np", "2", "--iterations", "5",
                                        "--folder", at("case"), "--slurm", "main", "-o", at("foam.json")});
            QVERIFY2(foam.code == 0, (foam.error + content(at("case/log"))).constData());
            const auto answer = nlohmann::json::parse(content(at("foam.json")).toStdString());
            QVERIFY(answer["openfoam"]["version"].get<std::string>() >= "1912" && answer["openfoam"]["iterations"] == 5 &&
                    !answer["openfoam"]["racks"].empty());
        } else {
            qInfo("OpenFOAM is not installed: run installer/install-packages");
        }

        const CliRun wrong = runCli(sweep("wrong.json", {"--slurm", "nosuch"}));
        QCOMPARE(wrong.code, 4);
        QVERIFY2(wrong.errorLine().contains("partition"), wrong.error.constData());
    }
};

QTEST_GUILESS_MAIN(CliSlurmTest)
#include "cli_slurm_test.moc"
