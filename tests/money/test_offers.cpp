// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/foundation/files/workbook.h"
#include "core/foundation/files/workbook_reader.h"
#include "core/foundation/money/price_book.h"
#include "core/foundation/money/price_rows.h"
#include "core/output/exchange/bom.h"
#include "core/output/exchange/bom_sections.h"
#include "core/output/exchange/lead_times.h"
#include "importers/formats.h"
#include "importers/prices/price_columns.h"
#include "importers/procurement/procurement.h"
#include "tests/money/small_design.h"

#include <QTemporaryDir>
#include <fstream>
#include <iterator>
#include <random>

#include <fmt/format.h>

using namespace hw;
using namespace hw::exchange;

namespace {

const SnapshotPtr& design()
{
    static const SnapshotPtr made = oneSegment();
    return made;
}
const Bom& bill()
{
    static const FiguresPtr figures = figuresFor(design());
    return makeBom(*figures);
}

struct Folder {
    QTemporaryDir folder;
    [[nodiscard]] std::filesystem::path file(const char* name) const { return folder.filePath(name).toStdString(); }
};

std::string bytesOf(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
}

Result<ImportPlan> imported(const std::string& content, FormatChoices options = {}, const SnapshotPtr& base = design(),
                            const char* name = "offer.csv")
{
    static const auto importer = importers::priceImporter();
    static const auto parsed = ProjectParts::of(design()->partTypes); // parts are parsed once while somebody has them
    return importer->plan({name, content, std::move(options)}, base, {});
}

bool tells(const ImportPlan& plan, const std::string& part)
{
    return std::ranges::any_of(plan.issues, [&](const ImportIssue& issue) { return words(issue.what).find(part) != std::string::npos; });
}

const Bom::Line* lineOf(const Bom& bom, const std::string& part, std::int32_t lengthMm = -1)
{
    const auto found = std::ranges::find_if(
        bom.lines, [&](const Bom::Line& line) { return line.part == part && !line.spare() && (lengthMm < 0 || line.lengthMm == lengthMm); });
    return found == bom.lines.end() ? nullptr : &*found;
}

/// A cable of the design that is bought in several lengths.
std::string cableOfLengths()
{
    std::map<std::string, int> lengths;
    for (const auto& line : bill().lines)
        if (line.group == Bom::Group::Cables) ++lengths[line.part];
    const auto most = std::ranges::max_element(lengths, {}, [](const auto& one) { return one.second; });
    return most->second >= 3 ? most->first : std::string();
}

/// Sheets as a spreadsheet program saves them: texts in a table of their own, a cover, a hidden sheet.
void writeOffer(const std::filesystem::path& file)
{
    lxw_workbook* book = workbook_new(file.c_str());
    lxw_worksheet *cover = workbook_add_worksheet(book, "Cover"), *hidden = workbook_add_worksheet(book, "Costs"),
                  *list = workbook_add_worksheet(book, "Price list");
    worksheet_write_string(cover, 0, 0, "ACME Distribution", nullptr);
    worksheet_write_string(cover, 1, 0, "Quotation 4711", nullptr);
    worksheet_write_string(hidden, 0, 0, "Part", nullptr);
    worksheet_write_string(hidden, 0, 1, "Price", nullptr);
    worksheet_write_string(hidden, 1, 0, "hpn-host-8gpu", nullptr);
    worksheet_write_number(hidden, 1, 1, 1, nullptr);
    worksheet_hide(hidden);
    worksheet_write_string(list, 0, 0, "All prices net", nullptr);
    const char* titles[] = {"Part Number", "Description", "UoM",         "Pack Qty",         "1-9 (EUR)",
                            "10-99 (EUR)", "100+ (EUR)",  "Valid until", "Lead time (weeks)"};
    for (lxw_col_t c = 0; c < std::size(titles); ++c) worksheet_write_string(list, 3, c, titles[c], nullptr);
    worksheet_write_string(list, 4, 0, "hpn-host-8gpu", nullptr);
    worksheet_write_string(list, 4, 1, "server, \"tuned\"\nfor training", nullptr);
    worksheet_write_string(list, 4, 2, "EA", nullptr);
    worksheet_write_number(list, 4, 4, 210'000.5, nullptr);
    worksheet_write_number(list, 4, 5, 205'000, nullptr);
    worksheet_write_number(list, 4, 6, 199'999.125, nullptr);
    lxw_format* date = workbook_add_format(book);
    format_set_num_format(date, "yyyy-mm-dd");
    lxw_datetime day{2026, 12, 31, 0, 0, 0};
    worksheet_write_datetime(list, 4, 7, &day, date);
    worksheet_write_number(list, 4, 8, 12, nullptr);
    workbook_close(book);
}

} // namespace

class OffersTest : public QObject {
    Q_OBJECT
private slots:
    void headers_data()
    {
        QTest::addColumn<QByteArray>("header");
        QTest::addColumn<int>("from"); ///< 0: no tier
        for (const auto& [header, from] : std::vector<std::pair<const char*, int>>{{"1-9", 1},
                                                                                   {"10 – 49", 10},
                                                                                   {"50+", 50},
                                                                                   {"Qty 1-9", 1},
                                                                                   {"Price 100+", 100},
                                                                                   {"Unit price (USD) @ 1,000", 1000},
                                                                                   {"ab 50 Stk", 50},
                                                                                   {"≥ 25", 25},
                                                                                   {"from 10 pcs", 10},
                                                                                   {"EUR 100 to 249", 100},
                                                                                   {"1 - 9 (€)", 1},
                                                                                   {"2026", 0},
                                                                                   {"Price 2026", 0},
                                                                                   {"Q1-2026", 0},
                                                                                   {"Lead time 4-6 weeks", 0},
                                                                                   {"9-1", 0},
                                                                                   {"+", 0},
                                                                                   {"Price", 0},
                                                                                   {"99999999999999999999+", 0},
                                                                                   {"", 0}})
            QTest::newRow(header) << QByteArray(header) << from;
    }
    void headers()
    {
        QFETCH(QByteArray, header);
        QFETCH(int, from);
        QCOMPARE(int(importers::tierIn(header.toStdString()).value_or(0)), from);
    }

    void cells()
    {
        using importers::isoDateOf;
        using importers::readLength;
        QCOMPARE(readLength("3", "m").value_or(0), 3000);
        QCOMPARE(readLength("3,5 m", "mm").value_or(0), 3500);
        QCOMPARE(readLength("500", "mm").value_or(0), 500);
        QCOMPARE(readLength("10ft", "m").value_or(0), 3048);
        for (const char* bad : {"", "m", "3 x 4", "-2", "3 yd", "1e3", "999999 m", "3 m 2"}) QVERIFY2(!readLength(bad, "m"), bad);
        QCOMPARE(isoDateOf("2026-12-31"), std::string("2026-12-31"));
        QCOMPARE(isoDateOf("2026/1/5"), std::string("2026-01-05"));
        QCOMPARE(isoDateOf("31.12.2026"), std::string("2026-12-31"));
        QCOMPARE(isoDateOf("46387"), std::string("2026-12-31")); // as spreadsheets count days
        for (const char* kept : {"12/31/2026", "soon", "", "31.12.26", "99999"}) QCOMPARE(isoDateOf(kept), std::string(kept));
        const std::vector<PriceStep> steps{
            {3000, 1, false, Money(1'200'000)}, {3000, 100, false, Money(1'100'000)}, {5000, 1, false, Money(1'500'000)}};
        QCOMPARE(readSteps(stepsText(steps)), steps);
        QCOMPARE(readSteps("m:500=1.2;x;3:=1;:=;7=1;5:1=").size(), std::size_t(1));
        QCOMPARE(stepFor(steps, 2000, 99)->price, Money(1'200'000));
        QCOMPARE(stepFor(steps, 3000, 100)->price, Money(1'100'000));
        QCOMPARE(stepFor(steps, 3001, 100)->price, Money(1'500'000));
        QVERIFY(!stepFor(steps, 5001, 1));
        QVERIFY(!stepFor({}, 1, 1));
    }

    /// A workbook with a cover and a hidden sheet is read as it is shown.
    void workbooks()
    {
        Folder folder;
        writeOffer(folder.file("offer.xlsx"));
        const auto sheets = readWorkbook(bytesOf(folder.file("offer.xlsx")), "offer.xlsx");
        QVERIFY2(sheets.has_value(), sheets ? "" : sheets.error().text().c_str());
        QCOMPARE(sheets->size(), std::size_t(2));
        QCOMPARE((*sheets)[1].name, std::string("Price list"));
        const auto& rows = (*sheets)[1].rows;
        QCOMPARE(rows.size(), std::size_t(5));
        QVERIFY(rows[1].empty() && rows[2].empty());
        QCOMPARE(rows[4][4], std::string("210000.5"));
        QCOMPARE(rows[4][5], std::string("205000"));
        QCOMPARE(rows[4][6], std::string("199999.1250")); // three decimals are no thousands
        QCOMPARE(rows[4][7], std::string("46387"));
        QVERIFY((*sheets)[1].text().find("\"server, \"\"tuned\"\" for training\"") != std::string::npos);
        // Texts inside of the sheet, as the product's own writer has them.
        auto book = Workbook::create(folder.file("own.xlsx"));
        auto* sheet = book->addPlainSheet("Größen", {10, 10});
        worksheet_write_string(sheet, 2, 1, "机柜 <1> & \"2\"", nullptr);
        QVERIFY(book->commit().has_value());
        const auto own = readWorkbook(bytesOf(folder.file("own.xlsx")), "own.xlsx");
        QCOMPARE(own->front().name, std::string("Größen"));
        QCOMPARE(own->front().rows.at(2).at(1), std::string("机柜 <1> & \"2\""));
        const auto source = readSource(folder.file("own.xlsx"));
        QVERIFY(source.has_value() && isWorkbook(source->content));
        std::ofstream(folder.file("bad.xlsx")) << "PK\x03\x04 nothing";
        QVERIFY(!readSource(folder.file("bad.xlsx")).has_value());
    }

    /// Cut, with bytes changed, of other kinds: an error or sheets, never a crash.
    void brokenWorkbooks()
    {
        Folder folder;
        writeOffer(folder.file("offer.xlsx"));
        const std::string whole = bytesOf(folder.file("offer.xlsx"));
        for (int i = 0; i < 40; ++i) QVERIFY(!readWorkbook(whole.substr(0, whole.size() * std::size_t(i) / 40), "cut.xlsx").has_value());
        std::mt19937 random(7);
        for (int i = 0; i < 150; ++i) {
            std::string broken = whole;
            for (int k = 0; k < 3; ++k) broken[random() % broken.size()] = char(random());
            const auto read = readWorkbook(broken, "broken.xlsx");
            if (!read) QVERIFY(!read.error().what.empty() && read.error().where == "broken.xlsx");
            (void)imported(broken, {}, design(), "broken.xlsx");
        }
        for (const char* other : {"", "PK", "part,price\n", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"})
            QVERIFY(!readWorkbook(other, "other.xlsx").has_value());
    }

    /// Prices by quantity from a workbook: the bill takes the tier of what it buys, in the project's currency.
    void tiers()
    {
        Folder folder;
        writeOffer(folder.file("offer.xlsx"));
        const auto plan =
            imported(bytesOf(folder.file("offer.xlsx")), {{"rate", "EUR=1.1"}, {"date", "2026-11-01"}, {"supplier", "ACME"}}, design(), "offer.xlsx");
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        const auto figures = figuresFor(plan->after);
        const Bom& bom = makeBom(*figures);
        const auto* line = lineOf(bom, "hpn-host-8gpu");
        QVERIFY(line && line->quantity == 128);
        QCOMPARE(line->unitPrice, Money(2'199'990'375)); // 199,999.125 EUR
        QCOMPARE(line->leadDays, 84);
        QCOMPARE(line->supplier, std::string("ACME"));
        const auto parts = *ProjectParts::of(plan->after->partTypes);
        const PartPrice price = PriceBook(*plan->after, *parts).of("hpn-host-8gpu");
        QCOMPARE(price.of(0, 9), Money(2'310'005'500));
        QCOMPARE(price.of(0, 10), Money(2'255'000'000));
        QCOMPARE(price.of(0, 99), Money(2'255'000'000));
        QCOMPARE(price.each, price.of(0, 1));
        QCOMPARE(price.validUntil, std::string("2026-12-31"));
        // Again: nothing changes. One price of the same supplier later: tiers and validity are gone.
        const auto again = imported(bytesOf(folder.file("offer.xlsx")), {{"rate", "EUR=1.1"}, {"date", "2026-11-01"}, {"supplier", "ACME"}},
                                    plan->after, "offer.xlsx");
        QVERIFY(sameContent(*again->after, *plan->after));
        const auto single = imported("Part,Price\nhpn-host-8gpu,200000\n", {{"supplier", "ACME"}, {"date", "2026-11-02"}}, plan->after);
        const PartPrice now = PriceBook(*single->after, *parts).of("hpn-host-8gpu");
        QVERIFY(now.steps.empty() && now.validUntil.empty());
        QCOMPARE(now.of(0, 1000), Money(2'000'000'000));
        // Tiers as rows.
        const auto rows = imported("Part,From qty,Price\nhpn-host-8gpu,100,190000\nhpn-host-8gpu,10,195000\n", {});
        QVERIFY2(rows.has_value(), rows ? "" : rows.error().text().c_str());
        const PartPrice byRows = PriceBook(*rows->after, *parts).of("hpn-host-8gpu");
        QCOMPARE(byRows.of(0, 128), Money(1'900'000'000));
        QCOMPARE(byRows.of(0, 50), Money(1'950'000'000));
        QVERIFY(tells(*rows, "has a minimum quantity of 10 pieces"));
        const auto twice = imported("Part,From qty,Price\nhpn-host-8gpu,10,190000\nhpn-host-8gpu,10,195000\nhpn-host-8gpu,10,190000\n", {});
        QVERIFY(tells(*twice, "already has a price in line 2"));
        QCOMPARE(twice->left, std::size_t(1));
        QVERIFY(tells(*imported("Part,From qty,Price\nhpn-host-8gpu,10,1\nhpn-host-8gpu,few,2\n"), "is not a quantity"));
    }

    /// A cable whose lengths have a price each: the next longer one serves; beyond the longest there is no price.
    void lengths()
    {
        const std::string part = cableOfLengths();
        QVERIFY(!part.empty());
        std::vector<const Bom::Line*> lines;
        for (const auto& line : bill().lines)
            if (line.part == part && !line.spare()) lines.push_back(&line);
        std::string list = "SKU;Length (m);Unit price EUR\n";
        for (std::size_t i = 0; i + 1 < lines.size(); ++i) // but the longest
            list += fmt::format("{};{};{},50\n", part, lines[i]->lengthMm / 1000.0, 100 + i);
        const auto plan = imported(list, {{"rate", "EUR=2"}, {"trust", "quoted"}});
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        const auto figures = figuresFor(plan->after);
        const Bom& bom = makeBom(*figures);
        for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
            const auto* line = lineOf(bom, part, lines[i]->lengthMm);
            QVERIFY(line && line->priced);
            QCOMPARE(line->unitPrice, Money(std::int64_t(200 + 2 * i) * 10'000 + 10'000));
        }
        const auto* longest = lineOf(bom, part, lines.back()->lengthMm);
        QVERIFY(longest && !longest->priced);
        const auto unpriced = bom.unpricedParts();
        QVERIFY(std::ranges::find(unpriced, part) != unpriced.end());
        QVERIFY(tells(*imported("SKU,Length,Price\n" + part + ",3 m,5\n" + part + ",long,6\n"), "is not a length"));
    }

    void validity()
    {
        const auto old = imported("Part,Price,Valid until\nhpn-host-8gpu,200000,31.10.2025\n", {{"supplier", "ACME"}, {"date", "2025-10-01"}});
        QVERIFY2(old.has_value(), old ? "" : old.error().text().c_str());
        QVERIFY(tells(*old, "the quote for hpn-host-8gpu expired on 2025-10-31"));
        const auto parts = *ProjectParts::of(old->after->partTypes);
        QVERIFY(expiredOffers(*old->after, *parts, "2025-10-31").empty()); // its last day
        QCOMPARE(expiredOffers(*old->after, *parts, "2025-11-01"), (std::vector<ExpiredOffer>{{"hpn-host-8gpu", "ACME", "offer.csv", "2025-10-31"}}));
        const auto stated = imported("Part,Price\nhpn-host-8gpu,200000\n", {{"valid-until", "2099-01-31"}});
        QVERIFY(!tells(*stated, "expired"));
        QCOMPARE(PriceBook(*stated->after, *parts).of("hpn-host-8gpu").validUntil, std::string("2099-01-31"));
        QVERIFY(!imported("Part,Price\nhpn-host-8gpu,1\n", {{"valid-until", "tomorrow"}}).has_value());
        QVERIFY(!imported("Part,Price,Valid until\nhpn-host-8gpu,1,12/31/2026\n").has_value());
    }

    void sheets()
    {
        Folder folder;
        writeOffer(folder.file("offer.xlsx"));
        const std::string bytes = bytesOf(folder.file("offer.xlsx"));
        const FormatChoices rate{{"rate", "EUR=1.1"}};
        const auto with = [&](const char* sheet) {
            FormatChoices options = rate;
            options["sheet"] = sheet;
            return imported(bytes, options, design(), "offer.xlsx");
        };
        QVERIFY(with("Price list").has_value());
        QVERIFY(!with("Cover").has_value());
        QVERIFY(with("Nothing").error().text().find("choose from Cover, Price list") != std::string::npos);
        QVERIFY(imported("Part,Price\nhpn-host-8gpu,1\n", {{"sheet", "A"}}).error().text().find("has no sheets") != std::string::npos);
    }

    /// Orders: what the bill has, by supplier, each on the day that leaves its lead time before the phase.
    void orders()
    {
        auto phased = std::make_shared<Snapshot>(*design());
        const PhaseId phase = phased->phases.insert();
        phased->phases.name.set(phase, "pod"), phased->phases.number.set(phase, 1), phased->phases.date.set(phase, "2027-06-30");
        phased->putSetting("lead.install_days", "30");
        const auto priced = imported("Part,Price,Supplier,Lead days,Valid until\nhpn-host-8gpu,200000,Zeta AG,100,2027-01-31\n", {}, phased);
        QVERIFY2(priced.has_value(), priced ? "" : priced.error().text().c_str());
        const auto figures = figuresFor(priced->after);
        const Bom& bom = makeBom(*figures);
        const BomSections sections = phaseSections(*figures, bom);
        const auto orders = procurement::ordersOf(*figures, sections);
        QVERIFY(!orders.empty());
        QCOMPARE(orders.front().supplier, std::string("Zeta AG"));
        QCOMPARE(orders.front().line->part, std::string("hpn-host-8gpu"));
        QCOMPARE(orders.front().orderBy, std::string("2027-02-20")); // 130 days before
        QCOMPARE(orders.front().validUntil, std::string("2027-01-31"));
        std::map<std::string, std::int64_t> ordered, bought;
        for (const auto& order : orders) ordered[order.line->part] += order.quantity;
        for (const auto& line : bom.lines)
            if (line.group != Bom::Group::Charges && line.with.empty()) bought[line.part] += line.quantity;
        QCOMPARE(ordered, bought);

        Folder folder;
        const auto exporter = procurement::ordersExporter();
        ExportJob job{"p.hall", {}, [&] { return Result<FiguresPtr>(figures); }, folder.file("orders.xlsx"), {}, {}};
        QVERIFY(exporter->write(job, {}).has_value());
        const auto book = readWorkbook(bytesOf(job.output), "orders.xlsx");
        QVERIFY2(book.has_value(), book ? "" : book.error().text().c_str());
        QCOMPARE(book->size(), std::size_t(2));
        QCOMPARE((*book)[1].name, std::string("Zeta AG"));
        QCOMPARE((*book)[0].rows.size(), orders.size() + 1);
        QCOMPARE((*book)[1].rows.at(1).at(4), std::string("hpn-host-8gpu"));
        job.output = folder.file("orders.csv");
        QVERIFY(exporter->write(job, {}).has_value());
        QVERIFY(bytesOf(job.output).starts_with("supplier,order_by,phase,phase_date,part,"));
        job.output = folder.file("orders.pdf");
        QVERIFY(!exporter->write(job, {}).has_value());
    }

    /// The bill by room and phase has the quantities of the bill; a contractor fills in prices, and they come back.
    void tender()
    {
        const auto figures = figuresFor(design());
        const auto placed = placedLines(*figures, bill());
        std::map<std::size_t, std::int64_t> sums;
        for (const auto& one : placed) sums[one.line] += one.quantity;
        for (std::size_t i = 0; i < bill().lines.size(); ++i)
            if (bill().lines[i].group != Bom::Group::Charges) QCOMPARE(sums[i], bill().lines[i].quantity);
        std::int64_t hosts = 0;
        for (const auto& one : placed)
            if (bill().lines[one.line].part == "hpn-host-8gpu" && one.hall && design()->halls.name[*one.hall] == "pod1-hall") hosts += one.quantity;
        QCOMPARE(hosts, std::int64_t(128));

        Folder folder;
        const auto exporter = procurement::tenderExporter();
        ExportJob job{"p.hall", {}, [&] { return Result<FiguresPtr>(figures); }, folder.file("tender.xlsx"), {}, {}};
        QVERIFY(exporter->write(job, {}).has_value());
        auto book = *readWorkbook(bytesOf(job.output), "tender.xlsx");
        QCOMPARE(book.size(), std::size_t(2));
        auto& rows = book[0].rows;
        std::size_t positions = 0;
        for (std::size_t r = 1; r < rows.size(); ++r) positions += rows[r].size() > 4 && !rows[r][4].empty();
        QCOMPARE(positions, placed.size());
        for (auto& row : rows)
            if (row.size() > 4 && row[4] == "hpn-host-8gpu") row.resize(14), row[10] = "198000";
        const auto back = imported(book[0].text(), {{"supplier", "Contractor"}}, design(), "tender.tsv");
        QVERIFY2(back.has_value(), back ? "" : back.error().text().c_str());
        const auto after = figuresFor(back->after);
        QCOMPARE(lineOf(makeBom(*after), "hpn-host-8gpu")->unitPrice, Money(1'980'000'000));
        job.output = folder.file("tender.csv");
        QVERIFY(exporter->write(job, {}).has_value());
        QVERIFY(bytesOf(job.output).starts_with("item,room,phase,group,part,"));
    }
};

QTEST_APPLESS_MAIN(OffersTest)
#include "test_offers.moc"
