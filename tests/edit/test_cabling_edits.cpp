// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/check.h"
#include "core/derived/topology/cable_runs.h"
#include "core/design/edit/script.h"
#include "core/foundation/storage/text_form.h"
#include "core/foundation/storage/validate.h"
#include "tests/edit/apply_script.h"
#include "tests/figures/panel_hall.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <set>

using namespace hw;
using test::PanelHall;

namespace {

/// A design that scripts change.
struct Edited {
    Document document;
    edit::EditContext context;
    Catalog catalog = Catalog::load(HW_RESOURCES "/catalog").value();
    std::string note;

    explicit Edited(const Snapshot& s) : document(std::make_shared<const Snapshot>(s))
    {
        context.catalog = [this](const std::string& slug) { return catalog.find(slug); };
        context.note = [this](const Text& text) { note = words(text); };
    }
    QString run(const std::string& edits)
    {
        const auto script = edit::parseScript("{\"edits\": [" + edits + "]}", "script");
        if (!script) return QString::fromStdString(words(script.error().what));
        const auto done = test::applyScript(document, *script, context, "script");
        return done ? QString() : QString::fromStdString(words(done.error().what));
    }
    [[nodiscard]] const Snapshot& s() const { return *document.snapshot(); }
    [[nodiscard]] std::size_t faults(const char* rule) const
    {
        return check(*figuresOf(document.snapshot()).value(), {{rule}, {}}).value().findings.size();
    }
};

const char* const kLead = R"({"do": "panel", "panel": "panel-mpo12-24", "trunk": "trunk-mpo12-os2-24", "from": "rack-a", "to": "rack-b"})";

/// Every link of the design is whole: on a cable that is there, its runs numbered from 1 on panels and cables that are there; no cable is
/// without a link.
bool whole(const Snapshot& s)
{
    const CableRuns runs(s);
    std::set<CableId> used;
    bool sound = true;
    s.links.forEach([&](LinkId link) {
        if (const auto first = s.links.cable[link]) sound = sound && s.cables.contains(*first);
        std::int32_t number = 0;
        for (const RunId run : runs.of(link))
            sound = sound && s.runs.number[run] == ++number && s.devices.contains(s.runs.panel[run]) && s.cables.contains(s.runs.cable[run]);
        runs.eachCable(s, link, [&](CableId cable) { used.insert(cable); });
    });
    s.runs.forEach([&](RunId run) { sound = sound && s.links.contains(s.runs.link[run]); });
    s.waypoints.forEach(
        [&](WaypointId point) { sound = sound && s.cables.contains(s.waypoints.cable[point]) && s.trays.contains(s.waypoints.tray[point]); });
    return sound && used.size() == s.cables.size() && !findInconsistency(s);
}

} // namespace

class TestCablingEdits : public QObject {
    Q_OBJECT

private slots:
    void panelsAndBack();
    void wholeRuleAndBack();
    void refusals_data();
    void refusals();
    void removingAPanelLeavesLinksWhole();
    void panelsInUseStayPanels();
    void removingATrunk();
    void disconnecting();
    void copiesKeepTheirPanels();
    void typesOfTheCatalog();
    void leadAndRelease();
    void textRoundTrip();
    void randomDesigns();
};

void TestCablingEdits::panelsAndBack()
{
    PanelHall h(3);
    Edited e(h.s);
    QCOMPARE(e.run(kLead), QString());
    QCOMPARE(e.s().runs.size(), std::uint32_t(6));
    QCOMPARE(e.s().cables.size(), std::uint32_t(3 + 2 + 3));
    QVERIFY(whole(e.s()));
    QCOMPARE(e.faults("N7"), std::size_t(0));
    QVERIFY2(e.note.find("3 links over 2 panels and 2 trunks; 1 spare trunk connectors") != std::string::npos, e.note.c_str());
    QVERIFY(e.run(kLead).contains("none of the 3 links"));
    e.document.undo();
    QVERIFY(sameContent(e.s(), h.s));
    e.document.redo();
    QCOMPARE(e.s().runs.size(), std::uint32_t(6));
    QCOMPARE(e.run(R"({"do": "unpanel", "from": "tor:port1"})"), QString());
    QCOMPARE(e.s().runs.size(), std::uint32_t(4));
    QVERIFY(whole(e.s()));
}

/// A link rule is led over panels and back in one edit each; links of no rule keep theirs.
void TestCablingEdits::wholeRuleAndBack()
{
    PanelHall h(3);
    const LinkRuleId rule = h.s.linkRules.insert();
    h.s.linkRules.key.set(rule, "uplinks");
    std::vector<LinkId> links = h.s.links.ids();
    for (std::size_t i = 0; i + 1 < links.size(); ++i) h.s.links.rule.set(links[i], rule);
    Edited e(h.s);
    QCOMPARE(e.run(kLead), QString());
    const auto runs = e.s().runs.size();
    QCOMPARE(e.run(R"({"do": "unpanel", "rule": "uplinks"})"), QString());
    QVERIFY2(e.note.find("2 links connected directly") != std::string::npos, e.note.c_str());
    QCOMPARE(e.s().runs.size(), runs / 3);
    QVERIFY(whole(e.s()));
    QVERIFY(e.run(R"({"do": "unpanel", "rule": "uplinks"})").contains("not routed over a panel"));
    e.document.undo();
    QCOMPARE(e.s().runs.size(), runs);
}

void TestCablingEdits::refusals_data()
{
    QTest::addColumn<QString>("edit");
    QTest::addColumn<QString>("says");
    QTest::newRow("no panel") << R"({"do": "panel", "panel": "gateway-2u"})"
                              << "not a patch panel";
    QTest::newRow("no trunk") << R"({"do": "panel", "panel": "panel-mpo12-24", "trunk": "mpo12-os2"})"
                              << "not a trunk";
    QTest::newRow("other connector") << R"({"do": "panel", "panel": "panel-mpo12-24", "trunk": "trunk-mpo16-os2-64"})"
                                     << "takes mpo-12-apc";
    QTest::newRow("unknown rule") << R"({"do": "panel", "panel": "panel-mpo12-24", "rule": "uplinks"})"
                                  << "not a link rule of the design";
    QTest::newRow("no such links") << R"({"do": "panel", "panel": "panel-mpo12-24", "from": "rack-b"})"
                                   << "link not found";
    QTest::newRow("no place") << R"({"do": "panel", "panel": "panel-mpo12-24", "from": "tor"})"
                              << "neither a rack nor a row";
    QTest::newRow("by") << R"({"do": "panel", "panel": "panel-mpo12-24", "by": "hall"})"
                        << "is neither row nor rack";
    QTest::newRow("without panel") << R"({"do": "unpanel", "from": "tor:port1"})"
                                   << "not routed over a panel";
    QTest::newRow("unknown rule to unpanel") << R"({"do": "unpanel", "rule": "downlinks"})"
                                             << "not a link rule of the design";
    QTest::newRow("both") << R"({"do": "unpanel", "from": "tor:port1", "rule": "uplinks"})"
                          << "specify the links with either from or rule";
    QTest::newRow("no tray") << R"({"do": "lead", "from": "tor:port1", "trays": ["rack-a"]})"
                             << "not a tray";
    QTest::newRow("no list") << R"({"do": "lead", "from": "tor:port1", "trays": "tray"})"
                             << "is not a list of strings";
    QTest::newRow("label") << R"({"do": "set-setting", "key": "cabling.label", "value": "{where}"})"
                           << "' is not a label placeholder";
}

void TestCablingEdits::refusals()
{
    QFETCH(QString, edit);
    QFETCH(QString, says);
    PanelHall h(2);
    Edited e(h.s);
    const QString answer = e.run(edit.toStdString());
    QVERIFY2(answer.contains(says), qPrintable(answer));
    QVERIFY(sameContent(e.s(), h.s));
}

void TestCablingEdits::removingAPanelLeavesLinksWhole()
{
    for (const char* end : {"panel-rack-a-u48", "panel-rack-b-u48"}) {
        PanelHall h(3);
        Edited e(h.s);
        QCOMPARE(e.run(kLead), QString());
        QCOMPARE(e.run(std::string(R"({"do": "remove", "entity": ")") + end + "\"}"), QString());
        QCOMPARE(e.s().runs.size(), std::uint32_t(0));
        QCOMPARE(e.s().links.size(), std::uint32_t(3));
        QCOMPARE(e.s().cables.size(), std::uint32_t(3));
        QVERIFY(whole(e.s()));
        e.document.undo();
        QCOMPARE(e.s().runs.size(), std::uint32_t(6));
        QVERIFY(whole(e.s()));
    }
}

/// A panel that links run over keeps their positions and connectors, whatever it is made.
void TestCablingEdits::panelsInUseStayPanels()
{
    PanelHall h(6);
    Edited e(h.s);
    QCOMPARE(e.run(kLead), QString());
    const auto retype = [&](const char* type) {
        return e.run(std::string(R"({"do": "retype", "entity": "panel-rack-a-u48", "force": true, "type": ")") + type + "\"}");
    };
    for (const char* type : {"rack-pdu-63a", "panel-cassette-lc-72"}) QVERIFY2(retype(type).contains("position"), qPrintable(retype(type)));
    QVERIFY(whole(e.s()) && !e.s().runs.empty());
    for (int port = 1; port <= 6; ++port) {
        const auto direct = e.run(R"({"do": "unpanel", "from": "tor:port)" + std::to_string(port) + "\"}");
        QCOMPARE(direct, QString());
    }
    QVERIFY(e.s().runs.empty());
    QCOMPARE(retype("rack-pdu-63a"), QString());
}

void TestCablingEdits::removingATrunk()
{
    PanelHall h(3);
    Edited e(h.s);
    QCOMPARE(e.run(kLead), QString());
    const CableId trunk = e.s().runs.cable[e.s().runs.ids().front()];
    char name[32];
    std::snprintf(name, sizeof name, "cable-%06u", trunk.value + 1);
    QCOMPARE(e.run(std::string(R"({"do": "remove", "entity": ")") + name + "\"}"), QString());
    QCOMPARE(e.s().links.size(), std::uint32_t(3)); // two of them direct again
    QCOMPARE(e.s().runs.size(), std::uint32_t(2));
    QVERIFY(whole(e.s()));
}

void TestCablingEdits::disconnecting()
{
    PanelHall h(3);
    Edited e(h.s);
    QCOMPARE(e.run(kLead), QString());
    QCOMPARE(e.run(R"({"do": "disconnect", "from": "tor:port1"})"), QString());
    QCOMPARE(e.s().links.size(), std::uint32_t(2));
    QCOMPARE(e.s().runs.size(), std::uint32_t(4));
    QVERIFY(whole(e.s()));
    QCOMPARE(e.run(R"({"do": "remove", "entity": "tor"})"), QString());
    QCOMPARE(e.s().runs.size(), std::uint32_t(0));
    QCOMPARE(e.s().cables.size(), std::uint32_t(0));
    QVERIFY(whole(e.s()));
}

void TestCablingEdits::copiesKeepTheirPanels()
{
    PanelHall h(2);
    Edited e(h.s);
    QCOMPARE(e.run(kLead), QString());
    QCOMPARE(e.run(R"({"do": "copy", "entity": "row", "dy_mm": 6000})"), QString());
    QCOMPARE(e.s().links.size(), std::uint32_t(4));
    QCOMPARE(e.s().runs.size(), std::uint32_t(8));
    QVERIFY(whole(e.s()));
    QCOMPARE(e.faults("N7"), std::size_t(0)); // on panels of its own
}

/// A cable is set to a type of the catalog that the project has not used so far; its polarity is then wrong, and its parts go with undo.
void TestCablingEdits::typesOfTheCatalog()
{
    PanelHall h(2);
    Edited e(h.s);
    const auto parts = e.s().partTypes.size();
    QVERIFY(
        e.run(R"({"do": "set-cable-type", "from": "tor:port1", "type": "no-such-cord"})").contains("not a part type of the project or the catalog"));
    QVERIFY(e.run(R"({"do": "set-cable-type", "from": "tor:port1", "type": "400g-sr4"})").contains("not a cable type"));
    QCOMPARE(e.faults("N7"), std::size_t(0));
    QCOMPARE(e.run(R"({"do": "set-cable-type", "from": "tor:port1", "type": "mpo12-om4-a"})"), QString());
    QCOMPARE(e.faults("N7"), std::size_t(1));
    QCOMPARE(e.s().partTypes.size(), parts + 1);
    e.document.undo();
    QCOMPARE(e.s().partTypes.size(), parts);
}

void TestCablingEdits::leadAndRelease()
{
    PanelHall h(3);
    Edited e(h.s);
    QCOMPARE(e.run(R"({"do": "lead", "from": "tor:port1", "trays": ["tray"], "together": true})"), QString());
    QCOMPARE(e.s().waypoints.size(), std::uint32_t(3));
    QCOMPARE(e.note, std::string("3 cables routed"));
    QCOMPARE(e.faults("K6"), std::size_t(0));
    QCOMPARE(e.run(R"({"do": "lead", "from": "tor:port1", "trays": []})"), QString());
    QCOMPARE(e.s().waypoints.size(), std::uint32_t(2));
    QCOMPARE(e.run(R"({"do": "disconnect", "from": "tor:port2"}, {"do": "remove", "entity": "tray"})"), QString());
    QCOMPARE(e.s().waypoints.size(), std::uint32_t(0));
    QVERIFY(whole(e.s()));
}

void TestCablingEdits::textRoundTrip()
{
    PanelHall h(3);
    Edited e(h.s);
    QCOMPARE(e.run(kLead), QString());
    QTemporaryDir folder;
    const auto path = [&](const char* name) { return std::filesystem::path(folder.filePath(name).toStdString()); };
    QVERIFY(exportText(e.s(), path("a.txt")));
    const auto bytes = [](const std::filesystem::path& file) {
        std::ifstream in(file, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    const auto read = importText(path("a.txt"));
    QVERIFY(read.has_value());
    QVERIFY(sameContent(**read, e.s()));
    QVERIFY(exportText(**read, path("b.txt")));
    QCOMPARE(bytes(path("a.txt")), bytes(path("b.txt")));
}

void TestCablingEdits::randomDesigns()
{
    for (unsigned seed = 1; seed <= 12; ++seed) {
        test::SmallHall h = test::randomHall(seed);
        unsigned state = seed;
        Edited e(h.s);
        std::set<std::pair<DeviceId, std::int32_t>> used;
        for (int step = 0; step < 6; ++step) {
            std::vector<std::string> names;
            e.s().devices.forEach([&](DeviceId id) {
                if (!e.s().devices.name[id].empty()) names.push_back(e.s().devices.name[id]);
            });
            const std::string name = names.empty() ? std::string() : names[test::nextRandom(state) % names.size()];
            switch (step) {
            case 0: (void)e.run(R"({"do": "panel", "panel": "panel-mpo12-24", "trunk": "trunk-mpo12-os2-48", "by": "rack"})"); break;
            case 3: (void)e.run(R"({"do": "panel", "panel": "panel-mpo12-36", "trunk": "trunk-mpo12-om4-24"})"); break;
            case 4: e.document.undo(); break;
            default:
                if (!name.empty()) (void)e.run(R"({"do": "remove", "entity": ")" + name + "\"}");
            }
            QVERIFY2(whole(e.s()), qPrintable(QString("seed %1, step %2").arg(seed).arg(step)));
            used.clear();
            std::set<std::tuple<DeviceId, std::int32_t, CableId, CableId>> ways;
            const auto& s = e.s();
            s.runs.forEach([&](RunId run) {
                used.emplace(s.runs.panel[run], s.runs.position[run]);
                ways.emplace(s.runs.panel[run], s.runs.position[run], *s.links.cable[s.runs.link[run]], s.runs.cable[run]);
            });
            QCOMPARE(ways.size(), used.size()); // one way through every position
        }
    }
}

QTEST_APPLESS_MAIN(TestCablingEdits)
#include "test_cabling_edits.moc"
