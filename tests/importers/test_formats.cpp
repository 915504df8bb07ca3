// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/catalogue.h"
#include "core/storage/text_form.h"
#include "core/template/template.h"
#include "importers/formats.h"

#include <QTemporaryDir>
#include <QTest>

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
    static const auto catalogue = Catalogue::load(HW_RESOURCES "/catalogue");
    static const auto made = instantiate(*Template::load(HW_RESOURCES "/templates/hpn.yaml"), {{"segments", 1}, {"backup_hosts", 0}}, *catalogue);
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
