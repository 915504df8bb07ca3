// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest> // first: moc reads the others on its own

// What the report says as a document, held against the design that it is of.
#include "core/design/template/template.h"
#include "core/foundation/catalog/facts.h"
#include "core/output/document/parts.h"
#include "core/output/document/report_document.h"

#include <map>
#include <set>

using namespace hw;

class TestDocument : public QObject {
    Q_OBJECT

    Catalog m_catalog;
    FiguresPtr m_hpn, m_empty;

    FiguresPtr make(const std::string& name, const std::map<std::string, std::string>& given, const std::string& more = {}) const
    {
        const auto design = Template::parse("template: t\nextends: " + name + "\n" + more, "t.yaml", HW_RESOURCES "/templates");
        if (!design) qFatal("%s", design.error().text().c_str());
        const auto values = design->complete(given);
        const auto snapshot = instantiate(*design, *values, m_catalog);
        if (!snapshot) qFatal("%s", snapshot.error().text().c_str());
        return *computeFigures(*snapshot);
    }

    static const document::Section& section(const document::ReportDocument& d, const std::string& anchor)
    {
        const auto at = std::ranges::find(d.sections, anchor, &document::Section::anchor);
        if (at == d.sections.end()) qFatal("no section %s", anchor.c_str());
        return *at;
    }

private slots:
    void initTestCase()
    {
        m_catalog = *Catalog::load(HW_RESOURCES "/catalog");
        m_hpn = make("hpn", {{"segments", "1"}});
        m_empty = *computeFigures(std::make_shared<const Snapshot>());
    }

    /// Every section has a place of its own, and a part follows a section.
    void sectionsHaveAnchors()
    {
        for (const FiguresPtr& figures : {m_hpn, m_empty}) {
            const auto d = document::makeReportDocument(figures, {"a project", 7, "2023-11-14"});
            QVERIFY(d.has_value());
            std::set<std::string> anchors;
            QCOMPARE(d->sections.front().level, 1);
            for (const auto& s : d->sections) {
                QVERIFY2(anchors.insert(s.anchor).second, s.anchor.c_str());
                QVERIFY(!words(s.title).empty());
            }
            for (const char* wanted : {"summary", "budgets", "networks", "one-line", "cooling", "plans", "elevations", "findings", "bill", "trust"})
                QVERIFY2(anchors.contains(wanted), wanted);
        }
    }

    /// A design with its plant has a year of energy; one without says so.
    void yearOfEnergy()
    {
        const auto d = document::makeReportDocument(m_hpn, {"a project", 7, "2023-11-14"});
        const document::Table* months = nullptr;
        for (const auto& block : section(*d, "budgets.year").blocks)
            if (const auto* table = std::get_if<document::Table>(&block); table && words(table->caption) == "Months") months = table;
        QVERIFY(months && months->rows.size() == 13);
        const auto empty = document::makeReportDocument(m_empty, {"a project", 7, "2023-11-14"});
        QVERIFY(std::holds_alternative<document::Paragraph>(section(*empty, "budgets.year").blocks.front()));
    }

    /// The bill begins with what takes longest to come; who says so stands beside it.
    void billSaysWhatToOrderFirst()
    {
        const auto d = document::makeReportDocument(m_hpn, {"a project", 7, "2023-11-14"});
        const auto bill = std::ranges::find(d->sections, std::string("bill"), &document::Section::anchor);
        QVERIFY(bill != d->sections.end());
        const document::Table* orders = nullptr;
        for (const auto& block : bill->blocks)
            if (const auto* table = std::get_if<document::Table>(&block); table && words(table->caption).starts_with("Longest lead times"))
                orders = table;
        QVERIFY(orders);
        QCOMPARE(orders->rows.size(), std::size_t(15));
        QVERIFY2(words(orders->rows.front().cells[0].text).starts_with("generator-mv-"),
                 words(orders->rows.front().cells[0].text).c_str()); // sets below 2 MW: assumed
        QCOMPARE(words(orders->rows.front().cells[2].text), std::string("60"));
        QCOMPARE(words(orders->rows.front().cells[3].text), std::string("C"));
        double before = 1e9;
        for (const auto& row : orders->rows) {
            const double weeks = std::stod(words(row.cells[2].text));
            QVERIFY(weeks <= before);
            before = weeks;
        }
    }

    /// A header that all facility water passes is reported among the risks; row headers, of which there are several, are not, and neither is one of
    /// two.
    void singleHeadersAreRisks()
    {
        for (const auto& [name, loops] :
             {std::pair("nvl72", 2), std::pair("hpn", 2), std::pair("", 0)}) { // a warm loop beside the cool one; a core building
            const auto figures = loops > 0 ? make(name, {{"segments", "4"}}, "layout: {headers: single}") : m_hpn;
            const auto d = document::makeReportDocument(figures, {"a project", 7, "2023-11-14"});
            QStringList told;
            for (const auto& s : d->sections)
                for (const auto& block : s.blocks)
                    if (const auto* points = std::get_if<document::Points>(&block))
                        for (const auto& point : points->points)
                            if (const auto said = QString::fromStdString(words(point.text)); said.contains("closing any one of them stops the loop"))
                                told << said;
            QCOMPARE(told.size(), loops);
            for (const QString& said : told)
                QVERIFY2(said.contains("facility_header") && said.contains("plant_header") && !said.contains("row1-header"), qPrintable(said));
        }
    }

    /// Losses on paper are those of the report: cooling at the heat of the design, not with every unit at full draw.
    void lossesAreThoseOfTheReport()
    {
        const auto d = document::makeReportDocument(m_hpn, {"a project", 7, "2023-11-14"});
        QString losses;
        for (const auto& block : section(*d, "budgets.power").blocks)
            if (const auto* facts = std::get_if<document::Facts>(&block))
                for (const auto& line : facts->lines)
                    if (words(line.label) == "Overhead") losses = QString::fromStdString(words(line.value));
        QVERIFY2(losses.contains("for cooling equipment at the design heat load (") && losses.contains("PUE 1."), qPrintable(losses));
    }

    /// Cells are as many as columns, or one of a group.
    void tablesAreRegular()
    {
        const auto d = document::makeReportDocument(m_hpn, {"a project", 7, "2023-11-14"});
        int tables = 0;
        for (const auto& s : d->sections)
            for (const auto& block : s.blocks) {
                const auto* table = std::get_if<document::Table>(&block);
                if (!table) continue;
                ++tables;
                for (const auto& row : table->rows)
                    QVERIFY2(row.cells.size() == (row.kind == document::RowKind::Group ? 1 : table->columns.size()), s.anchor.c_str());
            }
        QVERIFY(tables > 8);
    }

    /// Distinct racks share out all racks, and two of one type hold the same; by brute force.
    void distinctRacksAreDistinct()
    {
        const Snapshot& s = *m_hpn->snapshot;
        const auto types = document::distinctRacks(*m_hpn);
        using Content = std::multiset<std::tuple<std::uint32_t, int, int>>;
        const auto content = [&](RackId rack) {
            Content held;
            s.devices.forEach([&](DeviceId id) {
                if (s.devices.rack[id] == Maybe<RackId>(rack)) held.emplace(s.devices.type[id].value, s.devices.u[id], int(s.devices.face[id]));
            });
            return held;
        };
        std::int64_t total = 0;
        std::set<std::uint32_t> seen;
        for (const auto& type : types) {
            total += type.count;
            QCOMPARE(type.like.front(), type.first);
            const Content first = content(type.first);
            for (const RackId rack : type.like) {
                QVERIFY(seen.insert(rack.value).second);
                QCOMPARE(s.racks.type[rack], s.racks.type[type.first]);
                QVERIFY(content(rack) == first);
            }
        }
        QCOMPARE(total, std::int64_t(s.racks.size()));
        QVERIFY(types.size() > 1 && types.size() < s.racks.size());
        QVERIFY(std::ranges::is_sorted(types, std::greater(), &document::RackType::count));
    }

    /// Every part of the bill is named, parts of few lengths length by length.
    void billIsWhole()
    {
        const auto d = document::makeReportDocument(m_hpn, {"a project", 7, "2023-11-14"});
        const Bom& bom = makeBom(*m_hpn);
        std::map<std::string, std::size_t> wanted, named;
        for (const auto& line : bom.lines) ++wanted[line.part];
        for (const auto& block : section(*d, "bill").blocks)
            if (const auto* table = std::get_if<document::Table>(&block); table && table->columns.size() == 7)
                for (const auto& row : table->rows)
                    if (row.kind == document::RowKind::Plain) ++named[words(row.cells.front().text)];
        QCOMPARE(named.size(), wanted.size());
        for (const auto& [part, lines] : wanted) QVERIFY2(named[part] >= 1 && (lines > 3 || named[part] == lines), part.c_str());
    }

    void drawingsAreOfWhatIsThere()
    {
        const auto d = document::makeReportDocument(m_hpn, {"a project", 7, "2023-11-14"});
        std::map<document::Drawing, int> drawn;
        for (const auto& s : d->sections)
            for (const auto& block : s.blocks) {
                if (const auto* figure = std::get_if<document::Figure>(&block)) ++drawn[figure->drawing];
                if (const auto* gallery = std::get_if<document::Gallery>(&block)) drawn[document::Drawing::Rack] += int(gallery->figures.size());
            }
        QCOMPARE(drawn[document::Drawing::Rack], int(document::distinctRacks(*m_hpn).size()));
        QCOMPARE(drawn[document::Drawing::OneLine], 1);
        QCOMPARE(drawn[document::Drawing::Site], 1);
        QVERIFY(drawn[document::Drawing::Hall] >= 1);
        QCOMPARE(drawn[document::Drawing::Trays], 1);
        QVERIFY(drawn[document::Drawing::HallTrays] >= 1 && drawn[document::Drawing::HallTrays] < drawn[document::Drawing::Hall]); // rooms with racks
        const auto none = document::makeReportDocument(m_empty, {});
        for (const auto& s : none->sections)
            for (const auto& block : s.blocks) QVERIFY(!std::holds_alternative<document::Gallery>(block));
    }

    void stopped()
    {
        std::stop_source source;
        source.request_stop();
        const auto fresh = *computeFigures(m_hpn->snapshot);
        const auto d = document::makeReportDocument(fresh, {}, {source.get_token(), {}});
        QVERIFY(!d.has_value());
        QCOMPARE(d.error().code, ErrorCode::Canceled);
    }

    /// Known answers: a number of the main document, one of the sidecar, one in a list; what cannot be read has none.
    void factsOfADefinition()
    {
        Part part;
        part.definition = "outer_width: 600\nouter_unit: mm\n---\ntrust:\n  outer_width: {source: \"EIA\", confidence: B}\n"
                          "price: {value: 12.5, unit: USD, source: assumed, confidence: C}\n"
                          "power:\n  curve: {points: [1/2], source: maker, confidence: A}\n";
        const auto facts = statedFacts(part);
        QCOMPARE(facts.size(), std::size_t(3));
        QCOMPARE(facts[0].key, std::string("outer_width"));
        QCOMPARE(facts[0].value, std::string("600"));
        QCOMPARE(facts[0].confidence, Confidence::B);
        QCOMPARE(facts[1].value, std::string("12.5 USD"));
        QCOMPARE(facts[1].confidence, Confidence::Assumed);
        QCOMPARE(facts[2].key, std::string("power.curve"));
        QCOMPARE(facts[2].source, std::string("maker"));
        part.definition = "a: [1, 2";
        QVERIFY(statedFacts(part).empty());
    }
};

QTEST_GUILESS_MAIN(TestDocument)
#include "test_document.moc"
