// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/design/edit/edits.h"
#include "core/design/edit/script.h"
#include "core/foundation/files/csv_table.h"
#include "core/foundation/money/price_book.h"
#include "core/foundation/money/price_rows.h"
#include "core/output/exchange/bom_delta.h"
#include "importers/formats.h"
#include "importers/prices/price_columns.h"
#include "tests/edit/apply_script.h"
#include "tests/money/small_design.h"

#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <random>

using namespace hw;
using namespace hw::exchange;
using importers::Decimal;

namespace {

const SnapshotPtr& design()
{
    static const SnapshotPtr made = oneSegment();
    return made;
}

Result<ImportPlan> planOf(const std::string& content, std::map<std::string, std::string> options = {}, const SnapshotPtr& base = design())
{
    static const auto importer = importers::priceImporter();
    static const auto parsed = ProjectParts::of(design()->partTypes); // parts are parsed once while somebody has them
    const ImportSource source{"list.csv", content, std::move(options)};
    return importer->plan(source, base, {});
}

PartPrice priceOf(const Snapshot& s, const char* slug)
{
    const auto parts = *ProjectParts::of(s.partTypes);
    return PriceBook(s, *parts).of(*parts->find(slug));
}

} // namespace

class PricesTest : public QObject {
    Q_OBJECT
private slots:
    void csvTables_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("rows");
        QTest::addColumn<QByteArray>("last"); ///< cells of the last row, joined by |
        QTest::newRow("commas") << QByteArray("a,b\n1,2\n3,4\n") << 2 << QByteArray("3|4");
        QTest::newRow("semicolons, mark") << QByteArray("\xEF\xBB\xBF"
                                                        "a;b\r\n1,5;2\r\n")
                                          << 1 << QByteArray("1,5|2");
        QTest::newRow("tabs, no end") << QByteArray("a\tb\n1\t2") << 1 << QByteArray("1|2");
        QTest::newRow("quotes") << QByteArray("a,b\n\"x, \"\"y\"\"\",\"two\nlines\"\n") << 1 << QByteArray("x, \"y\"|two\nlines");
        QTest::newRow("sep") << QByteArray("sep=;\na;b\n1;2\n") << 1 << QByteArray("1|2");
        QTest::newRow("short rows, empty ones") << QByteArray("a,b\n\n1\n,,,\n") << 1 << QByteArray("1|");
        QTest::newRow("UTF-16") << QByteArray("\xFF\xFE"
                                              "a\0,\0b\0\n\0"
                                              "1\0,\0\xAC\x20\n\0",
                                              18)
                                << 1 << QByteArray("1|\xE2\x82\xAC");
        QTest::newRow("UTF-16 without a mark") << QByteArray("\0a\0,\0b\0\n\0"
                                                             "1\0,\0"
                                                             "2\0\n",
                                                             16)
                                               << 1 << QByteArray("1|2");
        QTest::newRow("Latin-1") << QByteArray("Gr\xF6\xDF"
                                               "e,b\n1,f\xFCr\n")
                                 << 1 << QByteArray("1|f\xC3\xBCr");
        QTest::newRow("GBK") << QByteArray("a,b\n1,\xC7\xBD\xCC\xE5\n") << 1 << QByteArray("1|\xE5\xA2\x99\xE4\xBD\x93");
        QTest::newRow("header in quotes") << QByteArray("\"a;b\",c\n1,2\n") << 1 << QByteArray("1|2");
    }
    void csvTables()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, rows);
        QFETCH(QByteArray, last);
        const auto table = readCsv(text.toStdString(), "t.csv");
        QVERIFY2(table.has_value(), table ? "" : table.error().text().c_str());
        QCOMPARE(int(table->rows.size()), rows);
        std::string joined;
        for (const auto& cell : table->rows.back().cells) joined += (&cell == &table->rows.back().cells.front() ? "" : "|") + cell;
        QCOMPARE(QByteArray::fromStdString(joined), last);
    }

    /// Of two prices for a part the plan says both, and which counts; equal ones need no word, a date to come does.
    void severalPricesAreTold()
    {
        const auto plan = planOf("part,price,supplier,date\nmpo12-om4,40,ACME,2026-01-01\nmpo12-om4,50,Other,2026-02-01\n"
                                 "400g-sr4,250,ACME,2026-01-01\n400g-sr4,250,Other,2026-02-01\n");
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        QCOMPARE(plan->issues.size(), std::size_t(1));
        const auto told = QString::fromStdString(words(plan->issues[0].what));
        QVERIFY2(told.contains("mpo12-om4 has 2 prices") && told.contains("40.00 USD from ACME") && told.contains("the price from Other is used"),
                 qPrintable(told));
        // Against a price that the project has
        const auto later = planOf("part,price,supplier,date\nmpo12-om4,60,Third,2025-01-01\n", {}, plan->after);
        QVERIFY(later && later->issues.size() == 1 && words(later->issues[0].what).find("has 3 prices") != std::string::npos);
        QCOMPARE(priceOf(*later->after, "mpo12-om4").each, Money(500'000));
        const auto future = planOf("part,price,date\nmpo12-om4,40,2999-01-01\n");
        QVERIFY(future && future->issues.size() == 1 &&
                words(future->issues[0].what).find("2999-01-01, which is in the future") != std::string::npos);
    }

    void brokenTables_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("where");
        QTest::newRow("nothing") << QByteArray() << QByteArray("t.csv:1");
        QTest::newRow("open quote") << QByteArray("a,b\n1,2\n\"3,4\n") << QByteArray("t.csv:3");
        QTest::newRow("text behind a quote") << QByteArray("a,b\n\"1\"x,2\n") << QByteArray("t.csv:2");
        QTest::newRow("too many cells") << QByteArray("a,b\n1,2\n1,250.00,3\n") << QByteArray("t.csv:3");
        QTest::newRow("line after a quoted one of two") << QByteArray("a,b\n\"x\ny\",2\n1,2,3\n") << QByteArray("t.csv:4");
        QTest::newRow("twice") << QByteArray("a,a\n1,2\n") << QByteArray("t.csv:1");
        QTest::newRow("no text") << QByteArray("a,b\n1,\x01\n") << QByteArray("t.csv:1");
    }
    void brokenTables()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, where);
        const auto table = readCsv(std::string(text.constData(), std::size_t(text.size())), "t.csv");
        QVERIFY(!table.has_value());
        QCOMPARE(table.error().code, ErrorCode::Unreadable);
        QCOMPARE(QByteArray::fromStdString(table.error().where), where);
        QVERIFY(!table.error().what.empty() && !table.error().todo.empty());
    }

    void sums_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("decimal");
        QTest::addColumn<double>("value"); ///< below 0: refused
        const int any = int(Decimal::Unknown), point = int(Decimal::Point), comma = int(Decimal::Comma);
        QTest::newRow("plain") << "1250" << any << 1250.0;
        QTest::newRow("point") << "1250.5" << any << 1250.5;
        QTest::newRow("comma") << "1250,5" << any << 1250.5;
        QTest::newRow("English") << "1,250,000.25" << any << 1250000.25;
        QTest::newRow("German") << "1.250.000,25" << any << 1250000.25;
        QTest::newRow("Swiss") << "1'250.00" << any << 1250.0;
        QTest::newRow("French") << QString::fromUtf8("1 250,00 €") << any << 1250.0;
        QTest::newRow("thin spaces") << QString::fromUtf8("1 250,00") << any << 1250.0;
        QTest::newRow("sign") << "$1,200.00" << any << 1200.0;
        QTest::newRow("code") << "USD 300" << any << 300.0;
        QTest::newRow("two readings") << "1.250" << any << -1.0;
        QTest::newRow("said comma") << "1.250" << comma << 1250.0;
        QTest::newRow("said point") << "1.250" << point << 1.25;
        QTest::newRow("many groups") << "1.250.000" << any << 1250000.0;
        QTest::newRow("odd groups") << "12,50,000.0" << any << -1.0;
        QTest::newRow("against what is said") << "1,250.5" << comma << -1.0;
        QTest::newRow("words") << "on request" << any << -1.0;
        QTest::newRow("nothing") << "" << any << -1.0;
        QTest::newRow("hex") << "0x10" << any << -1.0;
        QTest::newRow("power") << "1e5" << any << -1.0;
        QTest::newRow("two numbers") << "3-5" << any << -1.0;
    }
    void sums()
    {
        QFETCH(QString, text);
        QFETCH(int, decimal);
        QFETCH(double, value);
        const auto sum = importers::readSum(text.toStdString(), Decimal(decimal));
        QCOMPARE(sum.has_value(), value >= 0);
        if (sum) QCOMPARE(sum->value, value);
    }

    void importsWithAliases()
    {
        const auto plan = planOf("SKU;Preis;Währung;Lieferzeit;Angebot\nhpn-host-8gpu;\"250.000,50\";USD;60;Offer 7\nno-such-part;1,00;USD;;\n");
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        QCOMPARE(plan->issues.size(), std::size_t(1));
        QCOMPARE(plan->issues[0].where, std::string("list.csv:3"));
        const PartPrice price = priceOf(*plan->after, "hpn-host-8gpu");
        QCOMPARE(price.each.count(), std::int64_t(2500005000));
        QCOMPARE(price.trust, Trust::Quoted);
        QCOMPARE(price.source, std::string("Offer 7"));
        QCOMPARE(price.leadDays, 60);
        QVERIFY(!price.assumed());
        QCOMPARE(plan->after->prices.size(), 1u);
    }

    void mapsColumns()
    {
        const std::string list = "what,net a piece,weeks\nhpn-host-8gpu,1000,4\n";
        QVERIFY(!planOf(list).has_value());
        const auto plan = planOf(list, {{"map", "part=what\nprice=net a piece\nlead_weeks=weeks"}, {"trust", "published"}, {"date", "2026-01-31"}});
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        const PartPrice price = priceOf(*plan->after, "hpn-host-8gpu");
        QCOMPARE(price.each.count(), std::int64_t(10'000'000));
        QCOMPARE(price.trust, Trust::Published);
        QCOMPARE(price.leadDays, 28);
        QCOMPARE(price.date, std::string("2026-01-31"));
        QCOMPARE(planOf(list, {{"map", "part=nothing"}}).error().code, ErrorCode::Unreadable);
        QCOMPARE(planOf(list, {{"map", "color=what"}}).error().code, ErrorCode::Usage);
        QCOMPARE(planOf(list, {{"decimal", "dot"}}).error().code, ErrorCode::Refused);
    }

    /// Parts are found by slug, whatever its case, and by model where that is one part's alone.
    void findsParts()
    {
        const auto parts = *ProjectParts::of(design()->partTypes);
        const std::string model = (*parts)[*parts->find("hpn-host-8gpu")].model;
        for (const std::string& name : {std::string("HPN-Host-8GPU"), model}) {
            const auto plan = planOf("part,price\n\"" + name + "\",5\n");
            QVERIFY2(plan.has_value(), name.c_str());
            QCOMPARE(priceOf(*plan->after, "hpn-host-8gpu").each.count(), std::int64_t(50'000));
        }
        QVERIFY(!planOf("part,price\nnobody,5\n").has_value());
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("list");
        QTest::addColumn<QByteArray>("where");
        QTest::newRow("currency") << QByteArray("part,price,currency\nhpn-host-8gpu,5,EUR\n") << QByteArray("list.csv:2");
        QTest::newRow("no currency") << QByteArray("part,price,currency\nhpn-host-8gpu,5,Euro\n") << QByteArray("list.csv:2");
        QTest::newRow("two currencies") << QByteArray("part,price,currency\nhpn-host-8gpu,$5,EUR\n") << QByteArray("list.csv:2");
        QTest::newRow("below zero") << QByteArray("part,price\nhpn-host-8gpu,-5\n") << QByteArray("list.csv:2");
        QTest::newRow("two readings") << QByteArray("part;price\nhpn-host-8gpu;1.250\n") << QByteArray("list.csv:2");
        QTest::newRow("no number") << QByteArray("part,price\nhpn-host-8gpu,ask\n") << QByteArray("list.csv:2");
        QTest::newRow("no date") << QByteArray("part,price,date\nhpn-host-8gpu,5,2026-02-30\n") << QByteArray("list.csv:2");
        QTest::newRow("no trust") << QByteArray("part,price,trust\nhpn-host-8gpu,5,maybe\n") << QByteArray("list.csv:2");
        QTest::newRow("meters of a server") << QByteArray("part,price,per_meter\nhpn-host-8gpu,5,2\n") << QByteArray("list.csv:2");
        QTest::newRow("lead time") << QByteArray("part,price,lead_days\nhpn-host-8gpu,5,soon\n") << QByteArray("list.csv:2");
        QTest::newRow("no part column") << QByteArray("name,price\nhpn-host-8gpu,5\n") << QByteArray("list.csv:1");
        QTest::newRow("no price column") << QByteArray("part,name\nhpn-host-8gpu,x\n") << QByteArray("list.csv:1");
    }
    void refuses()
    {
        QFETCH(QByteArray, list);
        QFETCH(QByteArray, where);
        const auto plan = planOf(list.toStdString());
        QVERIFY(!plan.has_value());
        QVERIFY2(plan.error().where.starts_with(where.toStdString()), plan.error().text().c_str());
        QVERIFY(!plan.error().todo.empty());
    }

    /// What people write in lists: a currency in the header, packs, lines above the header, encodings of spreadsheets.
    void listsOfPeople_data()
    {
        QTest::addColumn<QByteArray>("list");
        QTest::addColumn<QByteArray>("part");
        QTest::addColumn<double>("each");
        QTest::addColumn<int>("left");
        const auto row = [](const char* name, const QByteArray& list, double each, const char* part = "mpo12-om4", int left = 0) {
            QTest::newRow(name) << list << QByteArray(part) << each << left;
        };
        row("pack", "Part Number,Description,UoM,Pack Qty,Price\nmpo12-om4,cord,PK,10,850.00\n", 85);
        row("pack of pieces", "Part Number,UoM,Pack Qty,Price\nmpo12-om4,EA,10,85.00\n", 85);
        row("unit with a number", "Part Number,UoM,Price\nmpo12-om4,Pack of 10,850.00\n", 85);
        row("price per pack", "Part Number,Units per pack,Price per pack\nmpo12-om4,10,850.00\n", 85);
        row("price unit", "Artikelnummer;Preis;Preiseinheit\nmpo12-om4;8500,00;100 St\n", 85);
        row("preamble", "Acme Reseller Inc.,,\nQuote,Q-1,\n,,\nPart Number,Qty,Unit Price\nmpo12-om4,128,85.00\n", 85);
        row("preamble of one cell", "Angebot 4711\n\nArtikelnummer;Stückpreis (€) netto\nmpo12-om4;85,00\n", 85);
        row("on request", "Part Number,Price\nmpo12-om4,85\nhpn-host-8gpu,POA\n400g-sr4,auf Anfrage\n", 85, "mpo12-om4", 2);
        row("broken rows", "Part Number,Price\nhpn-host-8gpu,1,2\n\"open,3\nmpo12-om4,85\n", 85, "mpo12-om4", 2);
        row("twice", "Part Number,Price\nmpo12-om4,85\nmpo12-om4,86\n", 85, "mpo12-om4", 1);
        row("GBK",
            QByteArray("\xD0"
                       "\xCD"
                       "\xBA"
                       "\xC5"
                       ",\xB5"
                       "\xA5"
                       "\xBC"
                       "\xDB"
                       "(USD),\xB9"
                       "\xA9"
                       "\xD3"
                       "\xA6"
                       "\xC9"
                       "\xCC"
                       "\nhpn-host-8gpu,1000.00,\xD0"
                       "\xC2"
                       "\xBB"
                       "\xAA"
                       "\xC8"
                       "\xFD"
                       "\n"),
            1000, "hpn-host-8gpu");
    }
    void listsOfPeople()
    {
        QFETCH(QByteArray, list);
        QFETCH(QByteArray, part);
        QFETCH(double, each);
        QFETCH(int, left);
        auto base = std::make_shared<Snapshot>(*design());
        for (const auto& [key, value] : {std::pair("rate", "1"), std::pair("date", "2026-11-23"), std::pair("source", "t")})
            base->putSetting(std::string("currency.EUR.") + key, value);
        const auto plan = planOf(list.toStdString(), {}, base);
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        QCOMPARE(toCurrency(priceOf(*plan->after, part.constData()).each), each);
        QCOMPARE(int(plan->left), left);
        QCOMPARE(int(plan->issues.size()), left); // each named
        QCOMPARE(plan->read, std::size_t(1));
    }

    /// A pack without a word of what the price is for is taken as the price of one piece, with a doubt; one that does not say how many is left out.
    void packsInDoubt()
    {
        const auto doubt = planOf("Part Number,Pack Qty,Price\nmpo12-om4,10,850.00\n");
        QVERIFY(doubt && doubt->issues.size() == 1);
        QCOMPARE(toCurrency(priceOf(*doubt->after, "mpo12-om4").each), 850.0);
        QVERIFY(planOf("Part Number,UoM,Price\nmpo12-om4,PK,850.00\n").error().where.ends_with("list.csv:2"));
    }

    /// The currency of a column's name is that of its sums; one without a rate is asked for, and taken with the list.
    void currencyInTheHeader()
    {
        for (const char* header : {"Price (EUR)", "Unit Price EUR", "Preis in €", "EUR price", "Net price [€]"}) {
            const std::string list = std::string("Part Number,") + header + "\nhpn-host-8gpu,189000.00\n";
            const auto asked = planOf(list);
            QVERIFY2(!asked && words(asked.error().what).find("EUR") != std::string::npos &&
                         words(asked.error().todo).find("--rate EUR=") != std::string::npos,
                     header);
            const auto plan = planOf(list, {{"rate", "EUR=1.1"}, {"date", "2026-11-23"}});
            QVERIFY2(plan.has_value(), plan ? header : plan.error().text().c_str());
            QCOMPARE(plan->after->prices.currency[plan->after->prices.ids()[0]], std::string("EUR"));
            QCOMPARE(toCurrency(priceOf(*plan->after, "hpn-host-8gpu").each), 207900.0);
            QCOMPARE(plan->after->setting("currency.EUR.date"), std::string("2026-11-23"));
        }
        QVERIFY(!planOf("part,price\nhpn-host-8gpu,1\n", {{"rate", "EUR=much"}}).has_value());
    }

    /// When the project changes its currency the rates go along; without one between the two it is asked for.
    void currencyOfTheProject()
    {
        Document document(design());
        const auto set = [&](const char* key, const char* value) {
            auto t = document.begin("currency");
            const auto done = edit::setSetting(t, key, value);
            if (done) t.commit();
            return done;
        };
        const auto asked = set("project.currency", "EUR");
        QVERIFY(!asked && words(asked.error().todo).find("currency.USD.rate") != std::string::npos);
        QVERIFY(set("currency.EUR.rate", "1.25") && set("currency.EUR.date", "2026-11-23") && set("currency.EUR.source", "t") &&
                set("currency.GBP.rate", "1.5"));
        const double before = toCurrency(makeBom(*figuresFor(document.snapshot())).total);
        QVERIFY(set("project.currency", "EUR"));
        const Snapshot& s = *document.snapshot();
        QCOMPARE(s.setting("currency.USD.rate"), std::string("0.8"));
        QCOMPARE(s.setting("currency.USD.date"), std::string("2026-11-23"));
        QCOMPARE(s.setting("currency.GBP.rate"), std::string("1.2"));
        QVERIFY(s.setting("currency.EUR.rate").empty());
        QVERIFY(std::abs(toCurrency(makeBom(*figuresFor(document.snapshot())).total) / (0.8 * before) - 1) < 1e-6);
    }

    /// The same part of two suppliers is no duplicate; the later offer counts.
    void suppliersAndRanks()
    {
        const auto plan = planOf("part,price,supplier,date,trust\nhpn-host-8gpu,5,A,2026-01-01,quoted\nhpn-host-8gpu,6,B,2026-02-01,quoted\n"
                                 "hpn-host-8gpu,1,C,2026-03-01,assumed\n");
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        QCOMPARE(plan->after->prices.size(), 3u);
        const PartPrice price = priceOf(*plan->after, "hpn-host-8gpu");
        QCOMPARE(price.supplier, std::string("B"));
        QCOMPARE(price.each.count(), std::int64_t(60'000));
        // A new offer of B takes the place of its old one.
        const auto again = planOf("part,price,supplier,date\nhpn-host-8gpu,7,B,2026-02-02\n", {}, plan->after);
        QVERIFY(again.has_value());
        QCOMPARE(again->after->prices.size(), 3u);
        QCOMPARE(priceOf(*again->after, "hpn-host-8gpu").each.count(), std::int64_t(70'000));
    }

    void exchangeRates()
    {
        auto with = std::make_shared<Snapshot>(*design());
        with->putSetting("currency.EUR.rate", "1.1");
        const std::string list = "part,price,currency\nhpn-host-8gpu,100,EUR\n";
        QVERIFY(!planOf(list, {}, with).has_value()); // says not from when it is
        with->putSetting("currency.EUR.date", "2026-11-20");
        with->putSetting("currency.EUR.source", "central bank");
        const auto plan = planOf(list, {}, with);
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        QCOMPARE(priceOf(*plan->after, "hpn-host-8gpu").each.count(), std::int64_t(1'100'000));
        // Without its rate the price does not count, and says so.
        auto without = std::make_shared<Snapshot>(*plan->after);
        without->putSetting("currency.EUR.rate", "0");
        const auto figures = figuresFor(without);
        QCOMPARE(makeBom(*figures).withoutRate, std::vector<std::string>{"hpn-host-8gpu"});
        QVERIFY(priceOf(*without, "hpn-host-8gpu").assumed());
    }

    /// One undo step takes all of it back; importing it again changes nothing.
    void undoAndAgain()
    {
        Document document(design());
        const auto before = document.snapshot();
        const std::string list = "part,price,date\nhpn-host-8gpu,5,2026-01-01\n200g-sr2,7,2026-01-01\ntray-600x100,30,2026-01-01\n";
        const auto plan = planOf(list, {}, before);
        QVERIFY(plan.has_value());
        auto transaction = document.begin("prices");
        QVERIFY(applyPlan(transaction, *plan).has_value());
        transaction.commit();
        QCOMPARE(document.snapshot()->prices.size(), 3u);
        QCOMPARE(priceOf(*document.snapshot(), "tray-600x100").perMeter.count(), std::int64_t(300'000)); // sold by the meter alone
        const auto again = planOf(list, {}, document.snapshot());
        QVERIFY(again.has_value());
        QVERIFY(plannedRows(*again).empty());
        document.undo();
        QVERIFY(sameContent(*document.snapshot(), *before));
        document.redo();
        QCOMPARE(document.snapshot()->prices.size(), 3u);
    }

    /// A list with any one byte changed, left out or doubled is read or refused, and what is read has sound prices.
    void mutations()
    {
        const std::string list = "part;price;currency;date;trust\r\nhpn-host-8gpu;\"250.000,50\";USD;2026-01-01;quoted\r\n200g-sr2;99,5;USD;;\r\n";
        std::mt19937 random(7);
        int read = 0, refused = 0;
        for (int n = 0; n < 400; ++n) {
            std::string text = list;
            const std::size_t at = random() % text.size();
            switch (random() % 3) {
            case 0: text[at] = char(random() % 256); break;
            case 1: text.erase(at, 1); break;
            default: text.insert(at, 1, text[at]);
            }
            const auto plan = planOf(text);
            if (!plan) {
                ++refused;
                QVERIFY(!plan.error().where.empty() && !plan.error().what.empty());
                continue;
            }
            ++read;
            const Prices& prices = plan->after->prices;
            prices.forEach([&](PriceId id) {
                QVERIFY(prices.each[id].count() >= 0 && prices.perMeter[id].count() >= 0);
                QVERIFY(prices.currency[id] == "USD" && isDate(prices.date[id]) && !prices.source[id].empty());
            });
        }
        QVERIFY(read > 40 && refused > 5);
    }

    void priceOverridesTheGuess()
    {
        const Bom guessed = makeBom(*figuresFor(design()));
        QVERIFY(guessed.assumedShare() > 0.5);
        auto s = std::make_shared<Snapshot>(*design());
        const auto parts = *ProjectParts::of(s->partTypes);
        QVERIFY(
            putPrice(*s, *parts, {.part = "hpn-host-8gpu", .each = Money(1'000'000), .currency = "USD", .source = "offer", .trust = Trust::Quoted}));
        const Bom bom = makeBom(*figuresFor(s));
        const auto line = std::ranges::find(bom.lines, "hpn-host-8gpu", &Bom::Line::part);
        QCOMPARE(line->unitPrice.count(), std::int64_t(1'000'000));
        QCOMPARE(bom.quoted() - guessed.quoted(), Money(1'000'000) * line->quantity);
        QCOMPARE(bom.total, bom.quoted() + bom.assumed);
        const auto old = std::ranges::find(guessed.lines, "hpn-host-8gpu", &Bom::Line::part);
        QCOMPARE(guessed.total - old->sum, bom.total - line->sum);
        // A price of nothing is a price; a part without any says so.
        QVERIFY(putPrice(*s, *parts, {.part = "hpn-host-8gpu", .currency = "USD", .source = "gift", .trust = Trust::Quoted}));
        const auto unpriced = makeBom(*figuresFor(s)).unpricedParts();
        QVERIFY(std::ranges::find(unpriced, "hpn-host-8gpu") == unpriced.end());
    }

    /// What the article saves by multimode optics is the difference of two priced designs, and moves with the prices.
    void opticsSaving()
    {
        const auto read = [](const char* name) {
            std::ifstream in(std::string(HW_RESOURCES "/../docs/examples/") + name);
            return std::string(std::istreambuf_iterator<char>(in), {});
        };
        Document single(design());
        const auto script = edit::parseScript(read("single-mode.json"), "single-mode.json");
        QVERIFY2(script.has_value(), script ? "" : script.error().text().c_str());
        const auto done = test::applyScript(single, *script, {}, "single-mode.json");
        QVERIFY2(done.has_value(), done ? "" : done.error().text().c_str());
        const auto savingAt = [&](const std::string& prices) {
            const auto with = [&](const SnapshotPtr& s) {
                const auto plan = planOf(prices, {}, s);
                if (!plan) qFatal("%s", plan.error().text().c_str());
                return makeBom(*figuresFor(plan->after));
            };
            const auto delta = bomDelta(with(single.snapshot()), with(design()), {}, {});
            double dear = 0, cheap = 0;
            for (const auto& line : delta->lines) {
                if (line.part == "400g-fr4") dear += toCurrency(line.sumBefore - line.sumAfter);
                if (line.part == "400g-sr4") cheap += toCurrency(line.sumAfter - line.sumBefore);
            }
            const auto exchanges = delta->exchanges(); // what 'compare --bom' prints
            const auto modules = std::ranges::find(exchanges, Bom::Group::Transceivers, &BomDelta::Exchange::group);
            if (modules == exchanges.end() || std::abs(modules->change() + 1 - cheap / dear) > 0.01) return 0.0;
            if (deltaText(*delta).find(fmt::format("{:+.1f} %", modules->change() * 100)) == std::string::npos) return 0.0;
            return dear > 0 ? 1 - cheap / dear : 0.0;
        };
        const std::string prices = read("optics-prices.csv");
        QVERIFY(std::abs(savingAt(prices) - 0.7) < 0.005); // 270 against 900, module for module
        std::string other = prices;
        other.replace(other.find("400g-sr4,270"), 12, "400g-sr4,450");
        QVERIFY(std::abs(savingAt(other) - 0.5) < 0.005);
    }

    void checks()
    {
        const auto parts = *ProjectParts::of(design()->partTypes);
        PriceEntry good{.part = "hpn-host-8gpu", .each = Money(1), .currency = "USD", .source = "offer"};
        QVERIFY(checkPrice(*design(), *parts, good).has_value());
        for (const auto& change : std::vector<std::function<void(PriceEntry&)>>{
                 [](PriceEntry& e) { e.part = "none"; }, [](PriceEntry& e) { e.each = Money(-1); }, [](PriceEntry& e) { e.perMeter = Money(1); },
                 [](PriceEntry& e) { e.currency = "usd"; }, [](PriceEntry& e) { e.currency = "CHF"; }, [](PriceEntry& e) { e.source.clear(); },
                 [](PriceEntry& e) { e.date = "tomorrow"; }, [](PriceEntry& e) { e.part = "tray-600x100"; }}) {
            PriceEntry bad = good;
            change(bad);
            QVERIFY(!checkPrice(*design(), *parts, bad).has_value());
        }
        for (const char* date : {"2026-02-28", "2024-02-29", "1999-12-31"}) QVERIFY(isDate(date));
        for (const char* date : {"2026-02-29", "2026-13-01", "2026-1-1", "20260101", "", "2026-00-10"}) QVERIFY(!isDate(date));
    }
};

QTEST_APPLESS_MAIN(PricesTest)
#include "test_prices.moc"
