// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/build/device_sockets.h"
#include "core/design/template/template.h"
#include "core/foundation/base/file_kind.h"
#include "core/foundation/catalog/catalog.h"
#include "core/foundation/storage/text_form.h"
#include "importers/formats.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <set>

#include <nlohmann/json.hpp>

using namespace hw;
using namespace hw::exchange;

namespace {

constexpr const char* kSwitch = "manufacturer: Acme\n"
                                "model: Switch 4\n"
                                "slug: acme-switch-4\n"
                                "u_height: 1\n"
                                "is_full_depth: true\n"
                                "interfaces:\n"
                                "  - name: swp1\n"
                                "    type: 400gbase-x-qsfp112\n"
                                "  - name: swp2\n"
                                "    type: 400gbase-x-qsfp112\n";

SnapshotPtr design()
{
    static const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
    static const auto made = instantiate(*Template::load(HW_RESOURCES "/templates/hpn.yaml"), {{"segments", 1}, {"backup_hosts", 0}}, *catalog);
    if (!made) qFatal("%s", made.error().text().c_str());
    return *made;
}

} // namespace

class FormatsTest : public QObject {
    Q_OBJECT
    Formats m_formats;
    QTemporaryDir m_folder;

    ImportSource source(const char* name, const std::string& content)
    {
        const std::filesystem::path path = m_folder.filePath(name).toStdString();
        std::ofstream(path, std::ios::binary) << content;
        return *readSource(path);
    }
    Result<ImportPlan> plan(const char* format, const ImportSource& from, const SnapshotPtr& base = design())
    {
        return (*m_formats.importer(format))->plan(from, base, {});
    }

private slots:
    void initTestCase() { importers::registerFormats(m_formats); }

    void namesAndHelp()
    {
        std::set<std::string> names;
        for (const auto& importer : m_formats.importers()) {
            QVERIFY(names.insert(importer->info().name).second);
            QVERIFY(!importer->info().summary.empty());
            QVERIFY(m_formats.importHelp().find(importer->info().name + ": ") != std::string::npos);
            QCOMPARE(*m_formats.importer(importer->info().name), importer.get());
        }
        QVERIFY(names.contains("netbox") && names.contains("dxf") && names.contains("text") && names.contains("aicb") && names.contains("demand"));
        QCOMPARE(m_formats.importer("fax").error().code, ErrorCode::Usage);
        QVERIFY(words(m_formats.importer("fax").error().todo).find("netbox") != std::string::npos);
        QCOMPARE(m_formats.exporter("fax").error().code, ErrorCode::Usage);
        QVERIFY(m_formats.exporter("text").has_value());
        QCOMPARE(readSource("/nonexistent/a").error().code, ErrorCode::Unreadable);
        QCOMPARE(readSource(m_folder.path().toStdString()).error().code, ErrorCode::Unreadable);
    }

    /// Each file is taken by its own format and by no other.
    void probing()
    {
        const auto text = m_folder.filePath("a.txt").toStdString();
        QVERIFY(exportText(*design(), text));
        const std::pair<ImportSource, const char*> files[] = {
            {*readSource(text), "text"},
            {source("switch.yaml", kSwitch), "netbox"},
            {source("w.txt", "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1\n0\n"), "aicb"},
            {source("plan.dxf", "999\nby hand\n  0\nSECTION\n  2\nENTITIES\n  0\nENDSEC\n  0\nEOF\n"), "dxf"},
            {source("curve.csv", "date,accelerators\n2026-Q3,1024\n"), "demand"},
            {source("curve.json", "{\"points\": [{\"date\": \"2026-Q3\", \"accelerators\": 1024}]}"), "demand"}};
        for (const auto& [file, format] : files)
            for (const auto& importer : m_formats.importers())
                QVERIFY2(importer->probe(file) == (importer->info().name == format), (file.path.string() + " " + importer->info().name).c_str());
        QVERIFY(!m_formats.importerOf(source("x.bin", "nothing of the kind")));
    }

    /// A part type: one row in the plan, nothing before it is applied, one undo step, and nothing to do the second time.
    void partTypeIsOneUndoStep()
    {
        Document document(design());
        const auto file = source("switch.yaml", kSwitch);
        const auto first = plan("netbox", file);
        QVERIFY2(first.has_value(), first ? "" : first.error().text().c_str());
        const auto rows = plannedRows(*first);
        QCOMPARE(rows.size(), std::size_t(1));
        QCOMPARE(rows[0].added, std::size_t(1));
        QCOMPARE(rows[0].changed + rows[0].removed, std::size_t(0));
        QCOMPARE(rows[0].names.front(), std::string("+ acme-switch-4"));
        QVERIFY(sameContent(*document.snapshot(), *design()));
        {
            auto t = document.begin(words(first->name));
            QVERIFY(applyPlan(t, *first));
            QVERIFY(t.commit());
        }
        const auto parts = ProjectParts::of(document.snapshot()->partTypes);
        QVERIFY(parts.has_value() && (*parts)->find("acme-switch-4"));
        QCOMPARE((*parts)->device(*(*parts)->find("acme-switch-4")).interfaces.size(), std::size_t(2));

        const auto again = plan("netbox", file, document.snapshot());
        QVERIFY(plannedRows(*again).empty());
        const auto changed =
            plan("netbox", source("switch.yaml", std::string(kSwitch) + "  - name: swp3\n    type: 400gbase-x-qsfp112\n"), document.snapshot());
        QCOMPARE(plannedRows(*changed).front().changed, std::size_t(1));
        QCOMPARE(plannedRows(*changed).front().names.front(), std::string("~ acme-switch-4"));
        {
            auto t = document.begin("stale");
            QCOMPARE(applyPlan(t, *first).error().code, ErrorCode::Refused); // made for the design before
        }
        QVERIFY(document.undo());
        QVERIFY(sameContent(*document.snapshot(), *design()));
        QVERIFY(!document.canUndo());
    }

    /// Cabinets without a size get a usual one; a doubt says so.
    void racksWithoutASize()
    {
        const std::string rack =
            "manufacturer: Acme\nmodel: Cab 42\nslug: acme-cab-42\nform_factor: 4-post-cabinet\nwidth: 19\nu_height: 42\nstarting_unit: 1\n";
        const auto found = plan("netbox", source("cab.yaml", rack + "outer_height: 1991\nouter_unit: mm\nweight: 134.09\nweight_unit: kg\n"));
        QVERIFY2(found.has_value(), found ? "" : found.error().text().c_str());
        QCOMPARE(found->issues.size(), std::size_t(2));
        const auto parts = *ProjectParts::of(found->after->partTypes);
        const RackSpec& spec = parts->rack(*parts->find("acme-cab-42"));
        QCOMPARE(spec.width.value.count(), 600);
        QCOMPARE(spec.depth.value.count(), 1200);
        QCOMPARE(spec.height.value.count(), 1991);
        QVERIFY(spec.width.assumed() && !spec.width.source.empty());
    }

    /// Power as NetBox states it; interfaces without a socket are no ports; what a type cannot say is asked for, and read from a sidecar beside it.
    void powerAndPortsOfImportedTypes()
    {
        const std::string box =
            "manufacturer: Acme\nmodel: Box 48\nslug: acme-box-48\nu_height: 1\nis_full_depth: true\nairflow: front-to-rear\nweight: 10\n"
            "weight_unit: kg\npower-ports:\n"
            "  - {name: PSU1, type: iec-60320-c14, maximum_draw: 650, allocated_draw: 400}\n"
            "  - {name: PSU2, type: iec-60320-c14, maximum_draw: 650, allocated_draw: 400}\n"
            "interfaces:\n  - {name: bond0, type: lag}\n  - {name: eth0, type: 1000base-t, mgmt_only: true}\n"
            "  - {name: swp1, type: 400gbase-x-qsfp112}\n  - {name: br0, type: bridge}\n"
            "  - {name: swp2, type: 400gbase-x-qsfp112}\n  - {name: vlan10, type: virtual}\n";
        const auto found = plan("netbox", source("box.yaml", box));
        QVERIFY2(found.has_value(), found ? "" : found.error().text().c_str());
        const auto parts = *ProjectParts::of(found->after->partTypes);
        const DeviceSpec& spec = parts->device(*parts->find("acme-box-48"));
        QCOMPARE(toWatts(spec.typical.value), 800.0);
        QCOMPARE(toWatts(spec.design.value), 1300.0);
        QCOMPARE(toWatts(spec.nameplate.value), 1300.0);
        QVERIFY(spec.nameplate.assumed());
        std::vector<std::string> data;
        for (const auto& socket : socketsOf(spec, TierKind::Switch, {}))
            if (socket.medium == Medium::Data) data.push_back(socket.name + ":" + std::to_string(socket.cage));
        QCOMPARE(data, (std::vector<std::string>{"eth0:1", "swp1:2", "swp2:4"}));
        QVERIFY(found->read == 3 && found->left == 3);
        std::string told;
        for (const auto& issue : found->issues) told += words(issue.what) + "\n";
        QVERIFY2(told.find("typical 800 W") != std::string::npos && told.find("box.hw.yaml") != std::string::npos, told.c_str());
        (void)source("box.hw.yaml", "slug: acme-box-48\nkind: device\naccelerators: 2\ncages:\n  - {type: 400gbase-x-qsfp112, splits: [2, 4]}\n");
        const auto with = plan("netbox", source("box.yaml", box));
        QVERIFY2(with.has_value(), with ? "" : with.error().text().c_str());
        const auto known = *ProjectParts::of(with->after->partTypes);
        QCOMPARE(known->device(*known->find("acme-box-48")).accelerators, 2);
        QCOMPARE(known->device(*known->find("acme-box-48")).interfaces[2].splits, (std::vector<int>{2, 4}));
        QCOMPARE(with->issues.size(), found->issues.size() - 1); // a sidecar was there
        const auto none =
            plan("netbox", source("dark.yaml", "manufacturer: Acme\nmodel: Dark\nslug: acme-dark\nu_height: 1\nis_full_depth: true\npower-ports:\n"
                                               "  - {name: PSU1, type: iec-60320-c14}\n"));
        const auto dark = std::ranges::any_of(none->issues, [](const ImportIssue& one) { return words(one.what).find("0 W") != std::string::npos; });
        QVERIFY(dark);
    }

    /// Files of another kind are named, with the way out.
    void filesOfOtherKinds_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const QByteArray& content, const char* says) {
            QTest::newRow(name) << QString(name) << content << QString(says);
        };
        row("n.inp", "[TITLE]\nOwn network\n[JUNCTIONS]\nJ1 10 5\n[PIPES]\n", "EPANET");
        row("psu.yaml", "manufacturer: Acme\nmodel: PSU-3000\npart_number: PSU-3000\npower-ports:\n  - {name: PSU, type: iec-60320-c20}\n",
            "module type");
        row("b.ifc", "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC4'));\n", "IFC");
        row("b.stp", "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\n", "STEP");
        row("a.dwg", QByteArray("AC1032\0\0\0\0", 10), "DWG");
        row("a.igs", QByteArray(72, ' ') + "S      1\n" + QByteArray(72, ' ') + "G      1\n", "IGES");
        row("q.pdf", "%PDF-1.7\n", "PDF");
        row("q.xlsx", QByteArray("PK\x03\x04xl/workbook.xml", 20), "Excel");
        row("q.zip", QByteArray("PK\x03\x04readme", 10), "ZIP");
        row("q.csv", "<!DOCTYPE html>\n<html><body>Sign in</body></html>\n", "web page");
        row("q.png", "\x89PNG\r\n", "image");
        row("devices.csv", "name,role,device_type,rack,site\nx,y,z,a,b\n", "NetBox list of devices");
        row("l.pcap", QByteArray("\xD4\xC3\xB2\xA1\x02\x00", 6), "packet capture");
    }
    void filesOfOtherKinds()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(QString, says);
        const auto kind = fileKindOf(name.toStdString(), std::string_view(content.constData(), std::size_t(content.size())));
        QVERIFY(kind.has_value());
        QVERIFY2(words(kind->what).find(says.toStdString()) != std::string::npos, words(kind->what).c_str());
        QVERIFY(!kind->todo.empty());
        const std::filesystem::path path = m_folder.filePath(name).toStdString();
        std::ofstream(path, std::ios::binary) << std::string(content.constData(), std::size_t(content.size()));
        const Error named = explainedByFile({ErrorCode::Unreadable, path.string() + ":3 key", i18n("no"), {}});
        QVERIFY(named.what == kind->what && named.where == path.string());
    }

    /// Files of a kind that is asked for keep the errors of their readers; gzip is unpacked, UTF-16 becomes UTF-8.
    void filesAsTheyAreExpected()
    {
        const auto yaml = source("own.yaml", kSwitch);
        const Error own = explainedByFile({ErrorCode::Unreadable, yaml.path.string() + ":3 slug", i18n("no"), {}});
        QCOMPARE(words(own.what), std::string("no"));
        QVERIFY(!fileKindOf("x.csv", "part,price\na,1\n") && !fileKindOf("x.json", "{\"lldp\": {}}") && !fileKindOf("x.txt", ""));
        const auto drawing = source("room.dxf", "0\nSECTION\n2\nENTITIES\n0\nENDSEC\n0\nEOF\n");
        const Error given{ErrorCode::Unreadable, drawing.path.string(), i18n("no"), {}};
        QCOMPARE(words(explainedByFile(given, "dxf").what), std::string("no"));
        QVERIFY(words(explainedByFile(given).todo).find("import dxf") != std::string::npos);
        // gzip of "hello\n"
        const std::string packed("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\xe7\x02\x00\x20\x30\x3a\x36\x06\x00\x00\x00", 26);
        QCOMPARE(source("a.txt.gz", packed).content, std::string("hello\n"));
        std::ofstream(m_folder.filePath("bad.gz").toStdString(), std::ios::binary) << packed.substr(0, 15);
        QVERIFY(!readSource(m_folder.filePath("bad.gz").toStdString()).has_value());
        QCOMPARE(source("b.txt", "\xEF\xBB\xBFhi").content, std::string("hi"));
        QCOMPARE(source("w.txt", std::string("\xFF\xFEh\0i\0", 6)).content, std::string("hi"));
    }

    void doubtsAndErrorsHaveAPlace()
    {
        const auto odd = plan("netbox", source("odd.yaml", std::string(kSwitch) + "  - name: swp2\n    type: 400gbase-x-qsfp112\n"));
        QVERIFY(odd.has_value());
        QVERIFY(!odd->issues.empty());
        QVERIFY2(odd->issues.front().where.find("odd.yaml") != std::string::npos, odd->issues.front().where.c_str());
        const auto broken = plan("netbox", source("broken.yaml", "slug: [\n"));
        QCOMPARE(broken.error().code, ErrorCode::Unreadable);
        QVERIFY(broken.error().where.find("broken.yaml") != std::string::npos);
        const auto aicb = plan("aicb", source("w.txt", "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8\nmany\n"));
        QCOMPARE(aicb.error().code, ErrorCode::Unreadable);
        QVERIFY2(aicb.error().where.find("w.txt:") != std::string::npos, aicb.error().where.c_str());
        QVERIFY(!plan("demand", source("curve.csv", "date,accelerators\nsoon,many\n")).has_value());
        QVERIFY(!plan("text", source("t.txt", "hallwright text 99\n")).has_value());
    }

    /// What only a question reads can be looked at, and changes no design.
    void filesOfQuestions()
    {
        const auto curve = plan("demand", source("curve.csv", "date,accelerators\n2026-Q3,1024\n2027-Q1,4096\n"));
        QVERIFY2(curve.has_value(), curve ? "" : curve.error().text().c_str());
        QVERIFY(!curve->after);
        const std::string fact = words(curve->facts.front());
        QVERIFY2(fact.find("4096") != std::string::npos, fact.c_str());
        Document document(design());
        auto t = document.begin("demand");
        QCOMPARE(applyPlan(t, *curve).error().code, ErrorCode::Refused);
        QVERIFY(sameContent(*t, *design()));
        const auto json = nlohmann::json::parse(planJson(*curve));
        QCOMPARE(json["for_design"].get<bool>(), false);
        QCOMPARE(json["rows"].size(), std::size_t(0));
    }

    /// The text form into nothing: every row is added, and the plan says how many.
    void wholeProject()
    {
        const auto path = m_folder.filePath("whole.txt").toStdString();
        QVERIFY(exportText(*design(), path));
        const auto whole = plan("text", *readSource(path), std::make_shared<const Snapshot>());
        QVERIFY(whole.has_value());
        QVERIFY(sameContent(*whole->after, *design()));
        std::size_t added = 0, living = 0;
        for (const auto& rows : plannedRows(*whole)) added += rows.added;
        for (const auto* table : design()->tables()) living += table->size();
        QCOMPARE(added, living);
        QVERIFY(planText(*whole).find("and ") != std::string::npos); // more rows than are shown
    }
};

QTEST_APPLESS_MAIN(FormatsTest)
#include "test_formats.moc"
