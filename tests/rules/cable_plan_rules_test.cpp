// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/feeder_size.h"
#include "core/derived/rules/cable_plan_rules.h"
#include "core/derived/rules/check.h"
#include "small_design.h"

#include <QtTest>

#include <cmath>
#include <map>
#include <numbers>

using namespace hw;

namespace {

std::vector<Finding> found(const SmallDesign& d, const char* rule) { return check(*d.figures(), CheckOptions{{rule}, {}})->findings; }
std::string number(double value) { return QString::number(value, 'f', 6).toStdString(); }

} // namespace

class CablePlanRulesTest : public QObject {
    Q_OBJECT
private slots:
    /// Against lengths of the links and 4.9 ns a meter.
    void delays()
    {
        SmallDesign d;
        QVERIFY(found(d, "N14").empty());
        d.s.cables.length.set(*d.s.links.cable[d.access[0][0][0]], Millimeters(103'000));
        const auto figures = d.figures();
        double least = 1e18, most = 0;
        for (const auto& host : d.access)
            for (const auto& rail : host)
                for (const LinkId link : rail) {
                    const double ns = double(figures->cabling->channelMm(d.s, link)) / 1000 * 4.9;
                    least = std::min(least, ns), most = std::max(most, ns);
                }
        QVERIFY(most > least);
        d.s.putSetting("rule.n14.skew_ns", number((most - least) * 0.999));
        const auto findings = found(d, "N14");
        const auto ofHosts = std::ranges::find_if(
            findings, [&](const Finding& f) { return d.s.devices.tier[d.s.ports.device[d.s.links.from[LinkId(f.entities[0].id)]]] == d.serverTier; });
        QVERIFY(ofHosts != findings.end() && ofHosts->severity == Severity::Info);
        QVERIFY2(words(ofHosts->message).find(QString::number(most - least, 'f', 0).toStdString() + " ns") != std::string::npos,
                 words(ofHosts->message).c_str());
        d.s.putSetting("rule.n14.skew_ns", number(1e6));
        QVERIFY(found(d, "N14").empty());
    }

    /// Cross-sections π d²/4 of the cables that leave a rack over the openings.
    void entries()
    {
        SmallDesign d;
        QVERIFY(found(d, "K5").empty());
        const auto figures = d.figures();
        std::map<std::uint32_t, double> cm2;
        for (const CableId id : d.s.cables.ids()) {
            const auto& cable = (*figures->cabling)[id];
            const auto [a, b] = figures->cabling->endsOf(id);
            if (!cable.type || cable.partOf || d.s.devices.rack[a] == d.s.devices.rack[b]) continue;
            const double mm = double(figures->parts->cable(*cable.type).diameter.value.count());
            for (const DeviceId end : {a, b}) cm2[(*d.s.devices.rack[end]).value] += std::numbers::pi / 4 * mm * mm / 100;
        }
        double most = 0;
        std::uint32_t rack = 0;
        for (const auto& [id, area] : cm2)
            if (area > most) most = area, rack = id;
        QVERIFY(most > 0);
        d.s.putSetting("rule.k5.entry_cm2", number(most * 1.99)); // 50.3 % full
        const auto findings = found(d, "K5");
        QCOMPARE(findings.size(), std::size_t(1));
        QVERIFY(findings[0].entities[0].kind == EntityKind::Rack && findings[0].severity == Severity::Warning);
        QVERIFY2(words(findings[0].message).find("50 %") != std::string::npos, words(findings[0].message).c_str());
        Q_UNUSED(rack);
        d.s.putSetting("rule.k5.entry_cm2", number(most * 2.05));
        QVERIFY(found(d, "K5").empty());
        d.s.putSetting("rule.k5.entry_cm2", "0");
        QVERIFY(found(d, "K5").empty());
    }

    /// Loops are part of what is bought: (route + a loop for each end in a rack) · 1.05, at least; within a rack there are none.
    void loops()
    {
        SmallDesign d;
        QVERIFY(found(d, "K8").empty()); // none stated
        const auto before = d.figures();
        d.s.putSetting("cabling.service_loop_mm", "1500");
        const auto after = d.figures();
        std::size_t between = 0, longer = 0;
        for (const CableId id : d.s.cables.ids()) {
            const auto &old = (*before->cabling)[id], &cable = (*after->cabling)[id];
            if (!cable.type || cable.partOf) continue;
            const auto [a, b] = after->cabling->endsOf(id);
            const bool apart = d.s.devices.rack[a] != d.s.devices.rack[b];
            QCOMPARE(cable.routeMm, old.routeMm);
            QCOMPARE(cable.loopMm, apart ? 3000 : 0);
            QCOMPARE(old.loopMm, 0);
            QVERIFY(double(cable.lengthMm) >= (cable.routeMm + cable.loopMm) * 1.05 - 1);
            QCOMPARE(after->cabling->neededMm(cable), std::int32_t(std::ceil((cable.routeMm + cable.loopMm) * 1.05 - 1e-6)));
            if (!apart) QCOMPARE(cable.lengthMm, old.lengthMm);
            between += apart, longer += cable.lengthMm > old.lengthMm;
        }
        QVERIFY(between > 0 && longer > between / 2);
        QVERIFY(found(d, "K8").empty()); // all have them
        const CableId byHand = *d.s.links.cable[d.uplinks[0][0]];
        d.s.cables.length.set(byHand, Millimeters((*after->cabling)[byHand].routeMm + 2999));
        const auto findings = found(d, "K8");
        QCOMPARE(findings.size(), std::size_t(1));
        QVERIFY(findings[0].severity == Severity::Warning && findings[0].entities == std::vector<EntityRef>{ref(byHand)});
        d.s.cables.length.set(byHand, Millimeters((*after->cabling)[byHand].routeMm + 3000));
        QVERIFY(found(d, "K8").empty());
    }

    /// Figures that follow a change of the setting are those of the design made anew.
    void loopsFollowTheSetting()
    {
        SmallDesign d;
        const auto before = d.figures();
        (void)*before->cabling;
        auto after = std::make_shared<Snapshot>(d.s);
        after->putSetting("cabling.service_loop_mm", "700");
        const auto updated = updateFigures(before, after, difference(d.s, *after, "loop")).value();
        QVERIFY(*updated->cabling == *figuresOf(after).value()->cabling);
        QVERIFY(!(*updated->cabling == *before->cabling));
    }

    void patterns_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<bool>("fits");
        const auto row = [](const char* name, const char* pattern, bool fits) {
            QTest::newRow(qPrintable(QString("%1 in %2").arg(name, pattern))) << QString(name) << QString(pattern) << fits;
        };
        row("dc1-r07-u12", "dc#-r##-u##", true), row("dc1-r7-u12", "dc#-r##-u##", false), row("", "", true), row("", "*", true), row("a", "", false);
        row("rack-1", "@@@@-#", true), row("rack-1", "*-#", true), row("rack-1", "*", true), row("rack-a", "*-#", false);
        row("a-b-c-1", "*-#", true), row("a-b-c-1x", "*-#", false), row("aaab", "*a*b", true), row("ba", "*a*b", false), row("abc", "a*", true);
        row("x1", "#@", false), row("rack-1", "rack-1 ", false), row("a*b", "a*b", true);
    }
    void patterns()
    {
        QFETCH(QString, name);
        QFETCH(QString, pattern);
        QFETCH(bool, fits);
        QCOMPARE(rules::fitsPattern(name.toStdString(), pattern.toStdString()), fits);
    }

    /// Stars do not take exponential time.
    void manyStars() { QVERIFY(!rules::fitsPattern(std::string(2000, 'a'), "*a*a*a*a*a*a*a*a*a*a*b")); }

    void names()
    {
        SmallDesign d;
        QVERIFY(found(d, "D2").empty());
        d.s.putSetting("project.rack_names", "nothing-*");
        auto findings = found(d, "D2");
        QCOMPARE(findings.size(), std::size_t(1));
        QCOMPARE(findings[0].entities.size(), d.racks.size());
        d.s.putSetting("project.rack_names", "*");
        d.s.putSetting("project.device_names", "*#");
        d.s.devices.name.set(d.hosts[0], "host-x");
        findings = found(d, "D2");
        QVERIFY(!findings.empty());
        QVERIFY(std::ranges::find(findings[0].entities, ref(d.hosts[0])) != findings[0].entities.end());
    }
};

QTEST_APPLESS_MAIN(CablePlanRulesTest)
#include "cable_plan_rules_test.moc"
