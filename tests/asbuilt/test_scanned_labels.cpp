// SPDX-License-Identifier: GPL-3.0-or-later
// Labels as somebody scanned them, on either end, the other way round too.
#include "core/derived/cabling/cable_label.h"
#include "core/foundation/files/csv.h"
#include "core/output/exchange/cable_schedule.h"
#include "tests/asbuilt/captures.h"

#include <QDir>
#include <QSet>
#include <QTest>

#include <fmt/format.h>

using namespace captures;

class TestScannedLabels : public QObject {
    Q_OBJECT

private slots:
    /// The schedule's label is the same on both ends: where each of them was found is what counts, in any order, also when scanned twice.
    void schedulesLabelsOnBothEnds()
    {
        auto built = BuiltHall::of("hpn", kSmall);
        const auto label = [&](const BuiltHall::Plug& p) {
            return built.device(built.s().links.from[p.link]) + ":" + built.port(built.s().links.from[p.link]) + " > " +
                   built.device(built.s().links.to[p.link]) + ":" + built.port(built.s().links.to[p.link]);
        };
        const auto of = [&](PortId port) { return "," + built.device(port) + "," + built.port(port) + "\n"; };
        const DeviceId tor = built.s().ports.device[built.plugs[0].b];
        std::vector<const BuiltHall::Plug*> its;
        for (const auto& p : built.plugs)
            if (built.s().ports.device[p.a] == tor || built.s().ports.device[p.b] == tor) its.push_back(&p);
        const auto* third = its[2];
        const auto here = [&](const BuiltHall::Plug& p) { return built.s().ports.device[p.b] == tor ? p.b : p.a; };
        const auto there = [&](const BuiltHall::Plug& p) { return built.s().ports.device[p.b] == tor ? p.a : p.b; };
        QVERIFY(its.size() > 20 && built.s().ports.cage[its[0]->b] != built.s().ports.cage[third->b]);
        std::string right = "label,device,port\n", wrong = right, torOnly = right;
        for (const auto* p : its) {
            right += label(*p) + of(here(*p)) + label(*p) + of(there(*p)) + label(*p) + of(here(*p)); // twice at one end
            const PortId at = p == its[0] ? third->b : p == third ? its[0]->b : here(*p);
            wrong += label(*p) + of(there(*p)) + label(*p) + of(at);
            torOnly += label(*p) + of(at);
        }
        const auto fine = compareAfter(built, "labels", {{"x.csv", right, {}}});
        QVERIFY2(fine.clean(), shown(built, fine).c_str());
        for (const auto& scans : {wrong, torOnly}) {
            const auto found = compareAfter(built, "labels", {{"x.csv", scans, {}}});
            QVERIFY2(found.differences.size() == 1 && found.count(Kind::Swapped) == 1, shown(built, found).c_str());
            QVERIFY(found.notSeen.empty()); // hosts were passed by, so nobody looked for the other switches
        }
        const auto lost = compareAfter(built, "labels", {{"x.csv", right.substr(0, right.rfind(label(*its.back()) + of(there(*its.back())))), {}}});
        QVERIFY2(lost.clean(), shown(built, lost).c_str()); // its label was found at the switch
        std::string without = right;
        for (std::size_t at; (at = without.find(label(*third))) != without.npos;) without.erase(at, without.find('\n', at) + 1 - at);
        const auto missing = compareAfter(built, "labels", {{"x.csv", without, {}}});
        QVERIFY2(missing.differences.size() == 1 && missing.count(Kind::Missing) == 1, shown(built, missing).c_str());
        // one label alone says nothing of other cables
        const auto alone = compareAfter(built, "labels", {{"x.csv", "label,device,port\n" + label(*third) + of(third->b), {}}});
        QVERIFY2(alone.clean() && alone.notSeen.empty(), shown(built, alone).c_str());
        const auto moved = compareAfter(built, "labels", {{"x.csv", "label,device,port\n" + label(*third) + of(its[0]->b), {}}});
        QVERIFY2(moved.differences.size() == 2 && moved.count(Kind::WrongPort) == 1, shown(built, moved).c_str());
        QVERIFY2(moved.count(Kind::Missing) == 1, shown(built, moved).c_str()); // where it is, the planned one cannot be
        const auto two =
            importer("labels")
                .plan({"x.csv",
                       "label,device,port\n" + label(*third) + of(third->b) + label(*third) + of(third->a) + label(*third) + of(its[0]->b),
                       {}},
                      built.figures->snapshot, {})
                .value();
        QCOMPARE(two.issues.size(), std::size_t(1));
        QCOMPARE(two.issues[0].where, std::string("x.csv:4"));
    }

    void scannedLabelsAsTheyArePrinted()
    {
        const BuiltHall built = BuiltHall::of("hpn", kSmall);
        const Figures& f = *built.figures;
        std::string schedule = "label\n"; // of the schedule, one for each link
        const CableSchedule cables(f);
        CableRow row;
        for (const LinkId id : cables.links()) {
            cables.read(id, row);
            appendCsv(schedule, CableSchedule::label(row));
            schedule += "\n";
        }
        const Comparison whole = compareAfter(built, "labels", {{"x.csv", schedule, {}}});
        QVERIFY2(whole.differences.empty() && whole.contradictions.empty(), shown(built, whole).c_str());

        // Two ends of one tier exchanged: each label was found where the other belongs.
        const CablePlugs plugs(built.s(), *f.parts, *f.cabling);
        const CableLabels labels(built.s());
        std::vector<std::pair<CableId, CablePlugs::Ends>> single;
        built.s().cables.forEach([&](CableId id) {
            if (built.s().cables.medium[id] != Medium::Data || f.cabling->linksOf(id).size() != 1 || single.size() == 2) return;
            auto ends = plugs.of(id);
            if (ends.from.size() == 1 && ends.to.size() == 1 && (single.empty() || single[0].second.to[0].device != ends.to[0].device))
                single.emplace_back(id, ends);
        });
        QCOMPARE(single.size(), std::size_t(2));
        std::string found = "label,device,port\n";
        for (const std::size_t i : {0u, 1u}) {
            const auto& [id, ends] = single[i];
            const CablePlug &near = ends.from[0], &far = ends.to[0], &other = single[1 - i].second.to[0];
            found += fmt::format("{},{},{}\n", labels.of(id, near, far), built.s().devices.name[near.device], near.port);
            found += fmt::format("{},{},{}\n", labels.of(id, far, near), built.s().devices.name[other.device], other.port);
        }
        const auto plan = importer("labels").plan({"x.csv", found, {}}, built.figures->snapshot, {}).value();
        const Comparison c = compareStored(figuresOf(plan.after).value()).value();
        QCOMPARE(c.count(Kind::Swapped), std::int64_t(1));
    }

    /// Every label of a shipped design as it is printed, scanned where it belongs: nothing is missing, breakouts and shuffles among them. One that
    /// nobody can read is no missing cable.
    void printedAndScanned_data()
    {
        QTest::addColumn<QString>("design");
        const QSet<QString> alike = {"rail-optimized-2", "rail-optimized-3", "fat-tree-3", "nvl36"}; // in their cables
        for (const auto& file : QDir(HW_RESOURCES "/templates").entryInfoList({"*.yaml"}, QDir::Files, QDir::Name))
            if (!alike.contains(file.baseName()) && !file.baseName().startsWith("hpn-"))
                QTest::newRow(qPrintable(file.baseName())) << file.baseName();
    }
    void printedAndScanned()
    {
        QFETCH(QString, design);
        const BuiltHall built = BuiltHall::smallest(design.toUtf8());
        const Figures& f = *built.figures;
        const CablePlugs plugs(built.s(), *f.parts, *f.cabling);
        const CableLabels labels(built.s());
        std::vector<std::string> lines, besides;
        built.s().cables.forEach([&](CableId id) {
            std::vector<std::string>& to = built.s().cables.medium[id] == Medium::Data ? lines : besides;
            for (const auto& pair : plugs.pairs(id))
                for (const auto& [near, far] : {std::pair(pair.from, pair.to), std::pair(pair.to, pair.from)})
                    to.push_back(fmt::format("{},{},{}\n", labels.of(id, near, far), built.s().devices.name[near.device], near.port));
        });
        QVERIFY(lines.size() > 100);
        std::string all = "label,device,port\n";
        for (const auto& line : besides) all += line; // of power cables and pipes: printed, and not compared
        for (const auto& line : lines) all += line;
        const auto fine = compareAfter(built, "labels", {{"x.csv", all, {}}});
        if (!fine.clean()) QFAIL(shown(built, fine).c_str());
        const std::size_t at = lines.size() / 2 / 2 * 2; // both ends of one
        for (const std::size_t i : {at, at + 1}) lines[i] = "?#" + lines[i].substr(lines[i].find(','));
        all = "label,device,port\n";
        for (const auto& line : lines) all += line;
        const auto unread = compareAfter(built, "labels", {{"x.csv", all, {}}});
        if (!unread.differences.empty()) QFAIL(shown(built, unread).c_str());
        QCOMPARE(unread.unmatched.size(), std::size_t(2));
        for (const auto& issue : unread.unmatched) QVERIFY(words(issue.what).find("label not readable here") != std::string::npos);
    }

    /// Every cable pulled the wrong way round: the end with A's label is in B's port, and the other in A's. It joins what is planned.
    void labelsOfCablesTheOtherWayRound_data()
    {
        QTest::addColumn<QString>("design");
        QTest::addColumn<bool>("bothEnds");
        for (const char* design : {"hpn", "multi-plane", "nvl72"})
            for (const bool both : {true, false}) QTest::addRow("%s, %s", design, both ? "both ends" : "one end") << QString(design) << both;
    }
    void labelsOfCablesTheOtherWayRound()
    {
        QFETCH(QString, design);
        QFETCH(bool, bothEnds);
        const std::map<std::string, std::map<std::string, std::string>> values = {
            {"hpn", kSmall}, {"multi-plane", {}}, {"nvl72", {{"segments", "1"}}}};
        const BuiltHall built = BuiltHall::of(design.toUtf8(), values.at(design.toStdString()));
        const Figures& f = *built.figures;
        const CablePlugs plugs(built.s(), *f.parts, *f.cabling);
        const CableLabels labels(built.s());
        std::string turned = "label,device,port\n", moved = turned;
        std::int64_t links = 0;
        const auto line = [&](const std::string& label, const CablePlug& at) {
            return fmt::format("{},{},{}\n", label, built.s().devices.name[at.device], at.port);
        };
        std::vector<std::pair<CableId, CablePlugs::Ends>> some;
        built.s().cables.forEach([&](CableId id) {
            if (built.s().cables.medium[id] != Medium::Data || f.cabling->linksOf(id).size() != 1) return;
            const auto ends = plugs.of(id);
            if (ends.from.size() != 1 || ends.to.size() != 1) return;
            ++links;
            const CablePlug &a = ends.from[0], &b = ends.to[0];
            turned += line(labels.of(id, a, b), b);
            if (bothEnds) turned += line(labels.of(id, b, a), a);
            const bool apart =
                some.empty() || (built.s().links.rule[f.cabling->linksOf(id)[0]] == built.s().links.rule[f.cabling->linksOf(some[0].first)[0]] &&
                                 some[0].second.to[0].device != b.device && some[0].second.from[0].device != a.device);
            if (some.size() < 2 && apart) some.emplace_back(id, ends);
        });
        QVERIFY(links > 10 && some.size() == 2);
        const auto fine = compareAfter(built, "labels", {{"x.csv", turned, {}}});
        QVERIFY2(fine.unmatched.empty() && fine.contradictions.empty(), shown(built, fine).c_str());
        for (const Difference& d : fine.differences) // breakouts were not scanned
            QVERIFY2(d.kind == Kind::Missing && f.cabling->linksOf(*built.s().links.cable[d.links[0]]).size() > 1, words(d.message).c_str());
        std::int64_t seen = 0;
        for (const auto& network : fine.networks) seen += network.asDesigned;
        QCOMPARE(seen, links);
        if (!bothEnds) return;
        // Turned, and two of them exchanged besides: that is what is reported, and nothing else.
        for (const std::size_t i : {0u, 1u}) {
            const auto& [id, ends] = some[i];
            moved +=
                line(labels.of(id, ends.from[0], ends.to[0]), some[1 - i].second.to[0]) + line(labels.of(id, ends.to[0], ends.from[0]), ends.from[0]);
        }
        const auto found = compareAfter(built, "labels", {{"x.csv", moved, {}}});
        QVERIFY2(found.differences.size() == 1 && found.count(Kind::Swapped) == 1, shown(built, found).c_str());
    }
};

QTEST_APPLESS_MAIN(TestScannedLabels)
#include "test_scanned_labels.moc"
