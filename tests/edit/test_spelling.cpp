// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/fields.h"
#include "core/design/edit/settings_check.h"
#include "core/foundation/base/json_document.h"
#include "core/foundation/base/spelling.h"
#include "core/foundation/model/setting_values.h"
#include "core/operations/bindings/rules.h"
#include "core/operations/overlays/overlays.h"
#include "importers/prices/price_columns.h"
#include "simulation/answers/key_labels.h"
#include "simulation/emulation/fault_action.h"
#include "tests/edit/desk.h"

#include <QTest>

using namespace hw;
using namespace hw::test;

/// Names in the spelling of versions until 0.3, and in that of today: files with either open, and scripts with either run.
class TestSpelling : public QObject {
    Q_OBJECT

    static constexpr std::pair<const char*, const char*> kOldSetting{"cost.utilisation_percent", "cost.utilization_percent"};
    static constexpr std::pair<const char*, const char*> kOldPrice{"per_metre", "per_meter"};
    static constexpr std::pair<const char*, const char*> kOldMeasure{"utilisation", "utilization"};
    static constexpr std::pair<const char*, const char*> kOldReading{"gpu-utilisation", "gpu-utilization"};
    static constexpr std::pair<const char*, const char*> kOldOverlay{"live-utilisation", "live-utilization"};
    static constexpr std::pair<const char*, const char*> kOldFibers{"fibres", "fibers"};
    static constexpr std::pair<const char*, const char*> kOldVolume{"litres", "liters"};
    static constexpr std::pair<const char*, const char*> kOldTemplate{"rail-optimised-2", "rail-optimized-2"};
    static constexpr const char* kBoth[] = {"old", "new"};

    static std::string in(const std::pair<const char*, const char*>& name, bool old) { return old ? name.first : name.second; }
    static std::string replaced(std::string text, const std::pair<const char*, const char*>& name, bool old)
    {
        const std::string from = in(name, !old), to = in(name, old);
        for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
        return text;
    }
    static void eitherSpelling()
    {
        QTest::addColumn<bool>("old");
        for (const bool old : {true, false}) QTest::newRow(kBoth[!old]) << old;
    }

private slots:
    void namesAreTheSame()
    {
        QVERIFY(sameName(kOldSetting.first, kOldSetting.second) && sameName("a", "a"));
        QVERIFY(!sameName(kOldPrice.first, kOldFibers.second) && !sameName("a", "") && !sameName("", "a"));
        QVERIFY(otherSpelling("project.name").empty() && otherSpelling("").empty());
        const auto length = [](std::string_view name) { return name == kOldPrice.first ? std::optional(name.size()) : std::nullopt; };
        QCOMPARE(inEitherSpelling(kOldPrice.second, length), std::optional(std::string_view(kOldPrice.first).size()));
        QVERIFY(!inEitherSpelling("each", length));
    }

    void aProjectOpens_data() { eitherSpelling(); }
    /// Settings and part types as an older file has them; the text form is read as a file is.
    void aProjectOpens()
    {
        QFETCH(bool, old);
        Desk made;
        VERIFY_DONE(made.run(json("{'do': 'add', 'what': 'part-type', 'type': 'mpo12-os2'}, {'do': 'add', 'what': 'part-type', 'type': 'cdu-1300kw'},"
                                  "{'do': 'set-setting', 'key': '" +
                                  in(kOldSetting, old) + "', 'value': '70'}")));
        Snapshot stored = made.now();
        stored.partTypes.forEach([&](PartTypeId id) {
            std::string text = stored.partTypes.definition[id];
            for (const auto& name : {std::pair(std::string("price_") + kOldPrice.first, std::string("price_") + kOldPrice.second),
                                     std::pair(std::string(kOldFibers.first), std::string(kOldFibers.second)),
                                     std::pair(std::string(kOldVolume.first), std::string(kOldVolume.second))})
                text = replaced(text, {name.first.c_str(), name.second.c_str()}, old);
            stored.partTypes.definition.set(id, text);
        });
        QTemporaryDir folder;
        const std::string file = folder.filePath("a.hall").toStdString();
        VERIFY_DONE(ProjectFile::create(file, std::make_shared<const Snapshot>(stored)).map([](auto&&) {}));
        const auto read = readProject(file);
        QVERIFY2(read, read ? "" : read.error().text().c_str());
        Desk desk(read->snapshot);
        QVERIFY(desk.now().partTypes.definition[*desk.now().partTypes.ids().begin()].find("price_" + in(kOldPrice, old)) != std::string::npos);
        const auto parts = desk.parts();
        for (const char* slug : {"mpo12-os2", "cdu-1300kw"}) QVERIFY(parts->find(slug));
        const auto& cord = parts->cable(*parts->find("mpo12-os2"));
        QVERIFY(cord.fibers == 8 && cord.pricePerMeter.value.count() > 0);
        QVERIFY(parts->device(*parts->find("cdu-1300kw")).cooling.liters.value > 0);
        for (const auto& key : {kOldSetting.first, kOldSetting.second}) {
            QCOMPARE(numberSetting(desk.now(), key), 70.0);
            QVERIFY(findSetting(key) && findSetting(key)->key == findSetting(kOldSetting.first)->key);
        }
        // Setting it in the other spelling changes the same row, and takes it back.
        VERIFY_DONE(desk.run(json("{'do': 'set-setting', 'key': '" + in(kOldSetting, !old) + "', 'value': '60'}")));
        QCOMPARE(numberSetting(desk.now(), in(kOldSetting, old)), 60.0);
        QCOMPARE(desk.now().settings.size(), read->snapshot->settings.size());
        VERIFY_DONE(desk.run(json("{'do': 'set-setting', 'key': '" + in(kOldSetting, !old) + "', 'value': null}")));
        QCOMPARE(numberSetting(desk.now(), in(kOldSetting, old)), 90.0);
    }

    void bothSpellingsOfAKeyAreOneTooMany()
    {
        const std::string text = catalog().find("mpo12-os2")->definition;
        const bool old = text.find(std::string("\n") + kOldFibers.first) != std::string::npos;
        const auto part = Catalog::parse(text + in(kOldFibers, !old) + ": 8\n", "a.yaml");
        QVERIFY(!part && words(part.error().what) == "duplicate key");
        std::vector<LintIssue> doubts;
        QVERIFY(Catalog::parse(replaced(text, kOldFibers, !old), "a.yaml", &doubts) && doubts.empty());
    }

    void scriptsRun_data() { eitherSpelling(); }
    void scriptsRun()
    {
        QFETCH(bool, old);
        Desk desk;
        VERIFY_DONE(desk.run(json("{'do': 'add', 'what': 'part-type', 'type': 'mpo12-os2'},"
                                  "{'do': 'price', 'part': 'mpo12-os2', '" +
                                  in(kOldPrice, old) +
                                  "': 7, 'source': 'offer'},"
                                  "{'do': 'add', 'what': 'binding-rule', 'name': 'r', 'channel': 'c{host}', 'entity': '{host}', 'measure': '" +
                                  in(kOldMeasure, old) + "', 'unit': '%'}")));
        const auto price = [&] { return desk.now().prices.perMeter[*desk.now().prices.ids().begin()]; };
        QCOMPARE(desk.now().prices.size(), 1u);
        QCOMPARE(price().count(), 70'000);
        const std::string offer = desk.now().prices.name[*desk.now().prices.ids().begin()];
        VERIFY_DONE(desk.run(json("{'do': 'set', 'entity': '" + offer + "', 'column': '" + in(kOldPrice, old) + "', 'value': 8}")));
        QCOMPARE(price().count(), 80'000);
        VERIFY_REFUSED(desk.run(json("{'do': 'price', 'part': 'mpo12-os2', '" + in(kOldPrice, true) + "': 7, '" + in(kOldPrice, false) +
                                     "': 8, 'source': 'offer'}")),
                       "unknown key for price");
    }

    void wordsAreKnown_data() { eitherSpelling(); }
    void wordsAreKnown()
    {
        QFETCH(bool, old);
        QVERIFY(bindings::readMeasure(in(kOldMeasure, old)).has_value());
        QVERIFY(findOverlay(in(kOldOverlay, old)) != nullptr);
        QCOMPARE(sim::writtenLabel(in(kOldMeasure, old)), std::string_view("utilization"));
        const auto deed = emulation::readScript(json("{'schema': 'hallwright.faults/1', 'actions': [{'at_s': 1, 'do': 'sensor-stuck', 'entity': 'h',"
                                                     "'reading': '" +
                                                     in(kOldReading, old) + "'}]}"),
                                                "f.json");
        QVERIFY2(deed, deed ? "" : deed.error().text().c_str());
        CsvTable table;
        table.header = {"Item", "Rate"};
        const auto columns = importers::PriceColumns::find(table, "l.csv", in(kOldPrice, old) + "=Rate");
        QVERIFY(columns && columns->at[std::size_t(importers::PriceField::PerMeter)] == std::optional<std::size_t>(1));
    }

    /// Keys of printed documents that were spelled the British way stand under both names, and the old ones are listed.
    void documentsHaveFormerKeys()
    {
        const nlohmann::ordered_json printed = nlohmann::ordered_json::parse(documentText(nlohmann::ordered_json{
            {"loops", {{{"liters", 3}, {"name", "a"}}, {{"liters", 4}}}}, {"flows", {{"utilization_max", 0.5}}}, {"minimized", {"cable_cost"}}}));
        QCOMPARE(printed["loops"][1]["litres"].get<int>(), 4);
        QCOMPARE(printed["loops"][0]["liters"].get<int>(), 3);
        QVERIFY(printed["flows"]["utilisation_max"] == printed["flows"]["utilization_max"]);
        QVERIFY(printed["minimised"] == printed["minimized"]);
        const nlohmann::ordered_json former = {{"litres", "liters"}, {"utilisation_max", "utilization_max"}, {"minimised", "minimized"}};
        QVERIFY(printed["deprecated"] == former);
        const nlohmann::ordered_json plain = {{"name", "utilization"}, {"values", {1, 2}}};
        QCOMPARE(documentText(plain, 1), plain.dump(1) + "\n");
        QVERIFY(formerName("litres").empty() && formerName("liters") == "litres");
    }

    /// The service loop at racks was a threshold of rule K8 before it became part of the cable lengths.
    void oneSettingHadAnotherName()
    {
        Desk desk;
        VERIFY_DONE(desk.run(json("{'do': 'set-setting', 'key': 'rule.k8.loop_mm', 'value': '700'}")));
        QCOMPARE(numberSetting(desk.now(), "cabling.service_loop_mm"), 700.0);
    }

    void templatesAreFound_data() { eitherSpelling(); }
    void templatesAreFound()
    {
        QFETCH(bool, old);
        const auto design = Template::parse("template: own\nextends: " + in(kOldTemplate, old) + "\n", "own.yaml");
        QVERIFY2(design, design ? "" : design.error().text().c_str());
        QVERIFY(design->parameters().size() > 3);
    }
};

QTEST_APPLESS_MAIN(TestSpelling)
#include "test_spelling.moc"
