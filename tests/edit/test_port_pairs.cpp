// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/lookup.h"
#include "core/design/edit/port_pairs.h"
#include "tests/edit/desk.h"

using namespace hw;
using namespace hw::test;

/// Many ports connected at once: by ranges, by pairs, by what is free.
class TestPortPairs : public QObject {
    Q_OBJECT
    /// Two hosts, two leaf switches, nothing connected.
    static void hosts(Desk& desk)
    {
        for (std::string edit : siteEdits()) {
            if (edit.find("'connect'") != std::string::npos || edit.find("'port'") != std::string::npos || edit.find("'remove'") != std::string::npos)
                continue;
            if (edit.find("leaf-1") != std::string::npos) edit.replace(edit.find("'u': 40"), 7, "'count': 2");
            std::ranges::replace(edit, '\'', '"');
            const auto done = desk.run(edit);
            QVERIFY2(done, (edit + " " + textOf(done)).c_str());
        }
    }

private slots:
    void rangesStandForAllTheirNumbers()
    {
        const auto pairs = edit::expandPairs("host[h=001-003]:nic[r=1-2]p1", "leaf-[r]:port[h]");
        QVERIFY(pairs);
        QCOMPARE(pairs->size(), std::size_t(6));
        QCOMPARE((*pairs)[0].from, std::string("host001:nic1p1"));
        QCOMPARE((*pairs)[0].to, std::string("leaf-1:port1"));
        QCOMPARE((*pairs)[1].from, std::string("host001:nic2p1"));
        QCOMPARE((*pairs)[1].to, std::string("leaf-2:port1"));
        QCOMPARE((*pairs)[5].from, std::string("host003:nic2p1"));
        QCOMPARE((*pairs)[5].to, std::string("leaf-2:port3"));
        const auto along = edit::expandPairs("a:p[1-3]", "b:q[11-13]");
        QCOMPARE((*along)[2].to, std::string("b:q13"));
        const auto one = edit::expandPairs("a:p1", "b:p2");
        QCOMPARE(one->size(), std::size_t(1));
        QCOMPARE(edit::expandPairs("a:p[9-11]", "b:p[09-11]")->at(1).to, std::string("b:p10"));
    }

    void wrongPatternsAreRefused_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("says");
        QTest::newRow("counts") << "a:p[1-3]"
                                << "b:p[1-4]"
                                << "3 ports on one side, 4 on the other";
        QTest::newRow("one for many") << "a:p[1-3]"
                                      << "b:p1"
                                      << "one port for 3 others";
        QTest::newRow("open") << "a:p[1-3"
                              << "b:p1"
                              << "not closed";
        QTest::newRow("backwards") << "a:p[3-1]"
                                   << "b:p[1-3]"
                                   << "'3-1' is not a range";
        QTest::newRow("letters") << "a:p[x-y]"
                                 << "b:p[1-3]"
                                 << "not a range";
        QTest::newRow("unknown name") << "a:p[r=1-3]"
                                      << "b:p[s]"
                                      << "no range is named 's'";
        QTest::newRow("empty") << "a:p[]"
                               << "b:p1"
                               << "empty";
        QTest::newRow("too many") << "a[1-1000]:p[1-1000]"
                                  << "b:p[1-2]"
                                  << "more than";
        QTest::newRow("overflow") << "a[1-9999999]:p[1-9999999]x[1-9999999]"
                                  << "b"
                                  << "more than";
    }
    void wrongPatternsAreRefused()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, says);
        const auto pairs = edit::expandPairs(from.toStdString(), to.toStdString());
        QVERIFY(!pairs);
        QVERIFY2(QString::fromStdString(pairs.error().text()).contains(says), pairs.error().text().c_str());
    }

    void aRuleConnectsEveryNicToItsLeaf()
    {
        Desk desk;
        hosts(desk);
        const auto revision = desk.now().revision;
        const auto done = desk.run(R"({"do": "connect", "from": "host-[h=1-2]:nic[r=1-2]p1", "to": "leaf-[r]:port[h]s1"})");
        if (!done) { // the sockets of these switches are whole
            const auto whole = desk.run(R"({"do": "connect", "from": "host-[h=1-2]:nic[r=1-2]p1", "to": "leaf-[r]:port[h]"})");
            QVERIFY2(!whole || desk.now().links.size() == 4, textOf(whole).c_str());
            if (!whole) QVERIFY2(textOf(whole).find("rates differ") != std::string::npos, textOf(whole).c_str());
            if (!whole) QCOMPARE(desk.now().links.size(), 0u); // all of them, or none
        }
        QVERIFY(desk.now().revision <= revision + 1);
    }

    void pairsThatCannotBeAreNamedAndTheRestConnected()
    {
        Desk desk;
        hosts(desk);
        auto transaction = desk.document.begin("pairs");
        const auto parts = desk.parts();
        edit::Lookup lookup(transaction.preview());
        std::vector<edit::PortPair> pairs{{.from = "pdu-1:1", .to = "host-1:PSU1"},
                                          {.from = "pdu-1:1", .to = "host-2:PSU1"},  // taken by the first
                                          {.from = "pdu-1:99", .to = "host-2:PSU1"}, // no such outlet
                                          {.from = "host-1:PSU2", .to = "host-2:PSU2"},
                                          {.from = "pdu-1:2", .to = "host-2:PSU1"}};
        QCOMPARE(edit::connectPairs(transaction, *parts, lookup, pairs), std::size_t(2));
        const auto says = [&](std::size_t i) { return QString::fromStdString(words(pairs[i].problem)); };
        QVERIFY(says(0).isEmpty() && says(4).isEmpty());
        QVERIFY2(says(1).contains("in use"), qPrintable(says(1)));
        QVERIFY2(says(2).contains("not found"), qPrintable(says(2)));
        QVERIFY2(!says(3).isEmpty(), "two inlets");
        transaction.commit();
        QCOMPARE(desk.now().links.size(), 2u);
        QCOMPARE(dangling(desk.now()), std::string());
        // what is free fits: every pair that is offered can be connected
        const auto device = [&](const char* name) { return DeviceId(desk.find(name).id); };
        const auto index = DesignIndex::compute(desk.now());
        auto free = edit::freePairs(desk.now(), *desk.parts(), *index, device("pdu-1"), device("host-2"));
        QVERIFY(!free.empty());
        auto second = desk.document.begin("free");
        edit::Lookup again(second.preview());
        QCOMPARE(edit::connectPairs(second, *desk.parts(), again, free), free.size());
    }
};

QTEST_GUILESS_MAIN(TestPortPairs)
#include "test_port_pairs.moc"
