// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_process.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QtTest>

/// What was built against the design, acceptance and hand-over from the command line.
class CliAsBuiltTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_file;
    struct Cable {
        QByteArray fromDevice, fromPort, toDevice, toPort;
    };
    std::vector<Cable> m_cables; ///< of the backend

    QString path(const char* name) const { return m_folder.filePath(name); }
    QString write(const QString& file, const QByteArray& text) const
    {
        QFile out(file);
        if (!out.open(QIODevice::WriteOnly)) qFatal("cannot write");
        out.write(text);
        return file;
    }
    static QByteArray hash(const QString& file)
    {
        QFile in(file);
        (void)in.open(QIODevice::ReadOnly);
        return QCryptographicHash::hash(in.readAll(), QCryptographicHash::Sha256);
    }
    /// LLDP files of every device, from what the cable schedule says.
    QString captures(const char* folder, const std::vector<Cable>& cables) const
    {
        QDir(m_folder.path()).mkpath(folder);
        std::map<QByteArray, QByteArray> interfaces;
        for (const Cable& c : cables)
            for (const bool up : {false, true}) {
                const auto& [device, port, far, farPort] = up ? Cable{c.toDevice, c.toPort, c.fromDevice, c.fromPort} : c;
                QByteArray& list = interfaces[device];
                list += (list.isEmpty() ? "" : ",");
                list += "{\"name\":\"" + port + "\",\"chassis\":[{\"name\":[{\"value\":\"" + far +
                        "\"}]}],\"port\":[{\"id\":[{\"type\":\"ifname\",\"value\":\"" + farPort + "\"}]}]}";
            }
        for (const auto& [device, list] : interfaces)
            write(path(folder) + "/" + QString::fromUtf8(device) + ".json", "{\"lldp\":[{\"interface\":[" + list + "]}]}");
        return path(folder);
    }

private slots:
    void initTestCase()
    {
        m_file = path("one.hall");
        QCOMPARE(runCli({"new", "hpn", "-o", m_file, "--set", "segments=1", "--set", "tor_uplinks=4", "--set", "backup_hosts=0"}).code, 0);
        const QString csv = path("cables.csv");
        QCOMPARE(runCli({"cables", m_file, "-o", csv}).code, 0);
        QFile in(csv);
        QVERIFY(in.open(QIODevice::ReadOnly));
        for (const QByteArray& line : in.readAll().split('\n')) {
            const auto cells = line.split(',');
            if (cells.size() > 13 && cells[1] == "backend") m_cables.push_back({cells[2], cells[3], cells[8], cells[9]});
        }
        QVERIFY(m_cables.size() > 2000);
    }

    void comparesWithoutTouchingTheFile()
    {
        const QByteArray before = hash(m_file);
        const CliRun clean = runCli({"import", "lldp", captures("clean", m_cables), "--compare", m_file, "--json"});
        QVERIFY2(clean.code == 0, clean.error + clean.out.left(2000));
        QCOMPARE(clean.json()["as_designed"].get<bool>(), true);
        auto broken = m_cables;
        std::swap(broken[0].toPort, broken[40].toPort), std::swap(broken[0].toDevice, broken[40].toDevice);
        broken.erase(broken.begin() + 100);
        const CliRun found = runCli({"import", "lldp", captures("broken", broken), "--compare", m_file, "--json"});
        QCOMPARE(found.code, 3);
        QCOMPARE(found.json()["counts"]["swapped"].get<int>(), 1);
        QCOMPARE(found.json()["counts"]["missing"].get<int>(), 1);
        QCOMPARE(found.json()["differences"].size(), std::size_t(2));
        QCOMPARE(hash(m_file), before);
        QCOMPARE(QDir(m_folder.path()).entryList({"one.hall*"}, QDir::Files).size(), 1);
    }

    void keepsWhatWasSeen()
    {
        const QString file = path("kept.hall");
        QFile::copy(m_file, file);
        auto broken = m_cables;
        broken.erase(broken.begin() + 7);
        const QString folder = captures("kept", broken);
        const QByteArray before = hash(file);
        QCOMPARE(runCli({"import", "lldp", folder, "--into", file, "--dry-run"}).code, 0);
        QCOMPARE(hash(file), before);
        QCOMPARE(runCli({"import", "lldp", folder, "--into", file}).code, 0);
        const CliRun shown = runCli({"asbuilt", file, "--json", "-o", path("work.csv")});
        QCOMPARE(shown.code, 3);
        QCOMPARE(shown.json()["counts"]["missing"].get<int>(), 1);
        QFile work(path("work.csv"));
        QVERIFY(work.open(QIODevice::ReadOnly));
        const QByteArray text = work.readAll();
        QVERIFY(text.startsWith("hall,row,rack,u,device,port,do,"));
        QCOMPARE(text.count('\n'), 3);
        QVERIFY(text.contains(m_cables[7].fromDevice));
        QCOMPARE(runCli({"asbuilt", file, "-o", path("work.txt")}).code, 3);

        // The plan changes; what is there today is not touched by it.
        const QString script = write(path("e.json"), R"({"edits": [{"do": "set-parameter", "name": "segments", "value": 2}]})");
        QCOMPARE(runCli({"edit", file, "--script", script}).code, 0);
        const auto later = runCli({"asbuilt", file, "--json"}).json();
        QCOMPARE(later["counts"]["missing"].get<int>(), 1);
        QCOMPARE(later["sightings"].get<std::int64_t>(), std::int64_t(2 * broken.size()));
        bool pending = false;
        for (const auto& n : later["networks"]) pending = pending || n["not_built"].get<int>() > 0 || n["unseen"].get<int>() > 0;
        QVERIFY(pending);
        const QString undo = write(path("u.json"), R"({"edits": [{"do": "set-parameter", "name": "segments", "value": 1}]})");
        QCOMPARE(runCli({"edit", file, "--script", undo}).code, 0);
        // A second capture replaces the first.
        QCOMPARE(runCli({"import", "lldp", captures("kept2", m_cables), "--into", file}).code, 0);
        QCOMPARE(runCli({"asbuilt", file}).code, 0);
    }

    void refusesWhatItCannotRead()
    {
        const QString bad = write(path("bad.json"), "{\n\"lldp\": [}\n");
        const CliRun broken = runCli({"import", "lldp", bad, "--compare", m_file});
        QCOMPARE(broken.code, 4);
        QVERIFY(broken.errorLine().contains("bad.json:2"));
        QCOMPARE(runCli({"import", "lldp", path("none.json"), "--compare", m_file}).code, 4);
        QCOMPARE(runCli({"import", "prices", bad, "--compare", m_file}).code, 2);
        QCOMPARE(runCli({"import", "lldp", bad, "--compare", m_file, "--into", m_file}).code, 2);
        QCOMPARE(runCli({"import", "lldp", bad, "--compare", m_file, "--port", "x"}).code, 3);
        QCOMPARE(runCli({"asbuilt", m_file, "-o", path("work.pdf")}).code, 2);
        QCOMPARE(runCli({"acceptance", m_file, "--segment", "7"}).code, 3);
        QCOMPARE(runCli({"acceptance", m_file, "--audit", bad}).code, 2);
        QCOMPARE(runCli({"handover", m_file, "--segment", "7", "-o", path("p.pdf")}).code, 3);
        QCOMPARE(runCli({"handover", m_file, "--segment", "1", "-o", path("p.doc")}).code, 2);
    }

    void acceptsASegment()
    {
        const QString file = path("accept.hall");
        QFile::copy(m_file, file);
        const auto open = runCli({"acceptance", file, "--json"});
        QCOMPARE(open.code, 0);
        QCOMPARE(open.json()["segments"][0]["gates"].size(), std::size_t(4));
        QDir(m_folder.path()).mkpath("perf");
        for (const Cable& c : m_cables) {
            if (!c.fromPort.startsWith("nic")) continue;
            const int card = c.fromPort.mid(3, 1).toInt(), port = c.fromPort.right(1).toInt(), hca = 2 * (card - 1) + port - 1;
            const bool slow = c.fromDevice.endsWith("host003") && hca == 4;
            const QByteArray device = "mlx5_" + QByteArray::number(hca);
            write(path("perf") + "/" + c.fromDevice + "." + device + ".txt", " Dual-port       : OFF\t\tDevice         : " + device +
                                                                                 "\n #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec] "
                                                                                 "  MsgRate[Mpps]\n 65536      5000             200.00             " +
                                                                                 (slow ? "50.12" : "196.40") + "   0.37\n");
        }
        const CliRun cards = runCli({"acceptance", file, "--segment", "1", "--perftest", path("perf"), "--json"});
        QVERIFY2(cards.code == 3, cards.error);
        const auto judged = cards.json()["judged"];
        QCOMPARE(judged.size(), std::size_t(1));
        QCOMPARE(judged[0]["faults"].size(), std::size_t(1));
        QVERIFY(QString::fromStdString(judged[0]["faults"][0].get<std::string>()).contains("PCIe"));
        QCOMPARE(runCli({"acceptance", file, "--segment", "1", "--perftest", path("perf"), "--record"}).code, 3);
        QCOMPARE(runCli({"acceptance", file, "--json"}).json()["segments"][0]["gates"][1]["result"].get<std::string>(), std::string("failed"));
        const QString model = HW_TEST_DATA "/asbuilt/model.json";
        QCOMPARE(runCli({"acceptance", file, "--segment", "1", "--model", model}).code, 0);
        const CliRun early = runCli({"acceptance", file, "--segment", "1", "--model", model, "--record"}); // behind a gate that failed
        QCOMPARE(early.code, 3);
        QVERIFY(early.errorLine().contains("gate 4"));
        // All evidence at once: what can be recorded is, and what waits for the gate that failed says so.
        const CliRun whole = runCli({"acceptance", file, "--segment", "1", "--perftest", path("perf"), "--model", model, "--record", "--json"});
        QCOMPARE(whole.code, 3);
        const auto both = whole.json()["judged"];
        QVERIFY(both.size() == 2 && both[1]["passes"].get<bool>() && both[1]["facts"].dump().find("gate 2") != std::string::npos);
        QCOMPARE(whole.json()["segments"][0]["gates"][3]["result"].get<std::string>(), std::string("open"));
        // Waived with a reason, the gate is no longer in the way.
        QCOMPARE(runCli({"acceptance", file, "--segment", "1", "--waive", "2"}).code, 2); // no reason
        QCOMPARE(runCli({"acceptance", file, "--segment", "1", "--waive", "2", "--reason", " "}).code, 3);
        QCOMPARE(runCli({"acceptance", file, "--waive", "2", "--reason", "x"}).code, 2);
        QCOMPARE(runCli({"acceptance", file, "--segment", "1", "--waive", "2", "--reason", "x", "--model", model}).code, 2);
        for (const char* gate : {"1", "2", "3"})
            QCOMPARE(runCli({"acceptance", file, "--segment", "1", "--waive", gate, "--reason", "NIC on order"}).code, 0);
        const auto waived = runCli({"acceptance", file, "--segment", "1", "--model", model, "--record", "--json"});
        QCOMPARE(waived.code, 0);
        QCOMPARE(waived.json()["segments"][0]["gates"][1]["evidence"].get<std::string>(), std::string("NIC on order"));
        QCOMPARE(waived.json()["segments"][0]["gates"][3]["result"].get<std::string>(), std::string("passed"));
        QCOMPARE(runCli({"acceptance", file, "--segment", "1", "--injected", model}).code, 2); // without a recording
        // A collective against the simulation: one host is not the segment.
        const CliRun collective = runCli({"acceptance", file, "--segment", "1", "--nccl", HW_TEST_DATA "/asbuilt/all_reduce_perf.txt", "--json"});
        QVERIFY2(collective.code == 3, collective.error);
    }

    void handsOver()
    {
        if (!QFileInfo::exists(HW_BIN_DIR "/hallwright-render")) QSKIP("built without what draws paper");
        const QString pdf = path("pack.pdf"), html = path("pack.html");
        const CliRun made = runCli({"handover", m_file, "--segment", "1", "-o", html});
        QVERIFY2(made.code == 0, made.error);
        QFile in(html);
        QVERIFY(in.open(QIODevice::ReadOnly));
        const QByteArray text = in.readAll();
        for (const char* part : {"Load bank", "Failover scripts", "Punch list", "Sign-off", "Network verification"})
            QVERIFY2(text.contains(part), part);
        QCOMPARE(runCli({"handover", m_file, "--segment", "1", "-o", pdf}).code, 0);
        QFile paper(pdf);
        QVERIFY(paper.open(QIODevice::ReadOnly));
        QVERIFY(paper.readAll().startsWith("%PDF"));
    }
};

QTEST_GUILESS_MAIN(CliAsBuiltTest)
#include "cli_asbuilt_test.moc"
