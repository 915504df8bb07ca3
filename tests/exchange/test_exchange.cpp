// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/template.h"
#include "core/foundation/money/price_rows.h"
#include "core/output/exchange/bom.h"
#include "core/output/exchange/cable_schedule.h"
#include "core/output/exchange/lead_times.h"

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

using namespace hw;

/// Bill of materials and cable schedule of the sample pod: counts, sums, format, and files that are
/// whole or absent.
class TestExchange : public QObject {
    Q_OBJECT

    FiguresPtr m_pod;
    Bom m_bom;
    QTemporaryDir m_folder;

    std::filesystem::path path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    static std::string read(const std::filesystem::path& file)
    {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    static std::vector<std::string> cells(const std::string& line)
    {
        std::vector<std::string> result;
        std::stringstream stream(line);
        for (std::string cell; std::getline(stream, cell, ',');) result.push_back(cell);
        if (line.ends_with(',')) result.emplace_back();
        return result;
    }
    std::int64_t quantity(const char* part) const
    {
        std::int64_t sum = 0;
        for (const auto& line : m_bom.lines)
            if (line.part == part) sum += line.quantity;
        return sum;
    }
    /// Text of one member of an .xlsx, unpacked by Python.
    static std::string member(const std::filesystem::path& file, const char* name)
    {
        QProcess process;
        process.start("python3", {"-c", "import zipfile,sys;sys.stdout.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode())",
                                  QString::fromStdString(file.string()), name});
        process.waitForFinished(-1);
        return process.readAllStandardOutput().toStdString();
    }
    static std::size_t count(const std::string& text, std::string_view piece)
    {
        std::size_t n = 0;
        for (auto at = text.find(piece); at != text.npos; at = text.find(piece, at + piece.size())) ++n;
        return n;
    }

private slots:
    void initTestCase()
    {
        const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
        QVERIFY(catalog.has_value());
        const auto design = Template::load(HW_RESOURCES "/templates/hpn.yaml");
        QVERIFY2(design.has_value(), design ? "" : design.error().text().c_str());
        const auto snapshot = instantiate(*design, *design->complete(ParameterValues{}), *catalog);
        QVERIFY2(snapshot.has_value(), snapshot ? "" : snapshot.error().text().c_str());
        const auto figures = computeFigures(*snapshot);
        QVERIFY2(figures.has_value(), figures ? "" : figures.error().text().c_str());
        m_pod = *figures;
        m_bom = makeBom(*m_pod);
    }

    void bomCounts()
    {
        QCOMPARE(quantity("hpn-host-8gpu"), 2040);
        QCOMPARE(quantity("switch-51t-128x400g"), 240 + 120 + 64);
        QCOMPARE(quantity("200g-sr2"), 32640 + 4080 + 500 + 128);       // back end, front end, hot and cold storage
        QCOMPARE(quantity("mpo12-om4-y2"), 16320 + 2040 + 4 * 63 + 64); // a leaf of 125 hot nodes: 62 in full, one with a leg to spare
        QVERIFY(quantity("tray-600x100") > 0);
        std::int64_t total = 0, assumed = 0;
        for (const auto& line : m_bom.lines) {
            QVERIFY(line.quantity > 0);
            QCOMPARE(line.sum, line.unitPrice * line.quantity);
            total += line.sum.count();
            if (line.confidence == Confidence::Assumed) assumed += line.sum.count();
        }
        QCOMPARE(m_bom.total.count(), total);
        QCOMPARE(m_bom.assumed.count(), assumed);
        QVERIFY(std::ranges::is_sorted(m_bom.lines, {}, [](const Bom::Line& l) { return std::tuple(l.group, l.part, l.lengthMm); }));
    }

    void bomJsonAndCsv()
    {
        const auto json = bomJson(m_bom);
        QCOMPARE(json["currency"].get<std::string>(), std::string("USD"));
        QCOMPARE(json["lines"].size(), m_bom.lines.size());
        for (const char* key : {"part", "description", "quantity", "unit_price", "confidence", "sum"}) QVERIFY2(json["lines"][0].contains(key), key);
        QVERIFY(writeBom(m_bom, path("bom.json"), "pod").has_value());
        QVERIFY(nlohmann::ordered_json::parse(read(path("bom.json"))) == json);
        QVERIFY(writeBom(m_bom, path("bom.csv"), "pod").has_value());
        const auto csv = read(path("bom.csv"));
        QVERIFY(csv.starts_with("group,part,description,quantity,unit,unit_price,confidence,sum,currency\n"));
        QCOMPARE(count(csv, "\n"), m_bom.lines.size() + 2);
        QVERIFY(csv.find("devices,hpn-host-8gpu,") != csv.npos);
    }

    /// What takes longest comes first; with a price list that states lead times there is something to order.
    void ordersInTheFiles()
    {
        auto s = std::make_shared<Snapshot>(*m_pod->snapshot);
        const auto entry = [](const char* part, int days) {
            return PriceEntry{.part = part, .each = Money(1), .currency = "USD", .source = "offer", .trust = Trust::Quoted, .leadDays = days};
        };
        QVERIFY(putPrice(*s, *m_pod->parts, entry("hpn-host-8gpu", 90)) && putPrice(*s, *m_pod->parts, entry("rail-kit", 300)));
        const auto figures = *computeFigures(SnapshotPtr(s));
        const Bom& bom = makeBom(*figures);
        const auto orders = leadTimes(*s, phaseSections(*figures, bom));
        const auto json = bomJson(bom, {}, {nullptr, &orders})["orders"];
        QCOMPARE(json.size(), orders.size());
        const auto at = [&](const char* part) {
            return std::find_if(json.begin(), json.end(), [&](const auto& order) { return order["part"] == part; }) - json.begin();
        };
        QVERIFY(at("rail-kit") < at("hpn-host-8gpu") && at("hpn-host-8gpu") < std::ptrdiff_t(json.size()));
        QVERIFY(std::is_sorted(json.begin(), json.end(), [](const auto& a, const auto& b) { return a["lead_days"] > b["lead_days"]; }));
        QVERIFY(!bomJson(bom).contains("orders"));
        QVERIFY(writeBom(bom, path("orders.xlsx"), "pod", {}, {}, {nullptr, &orders}).has_value());
        QVERIFY(member(path("orders.xlsx"), "xl/workbook.xml").find("name=\"Orders\"") != std::string::npos);
        std::filesystem::remove(path("orders.xlsx"));
    }

    void bomWorkbook()
    {
        QVERIFY(writeBom(m_bom, path("bom.xlsx"), "pod").has_value());
        const auto summary = member(path("bom.xlsx"), "xl/worksheets/sheet1.xml"), parts = member(path("bom.xlsx"), "xl/worksheets/sheet2.xml");
        QVERIFY(summary.find("SUMIF('Parts'!A2:A") != summary.npos);
        QVERIFY(parts.find("<f>D2*F2</f>") != parts.npos);
        QCOMPARE(count(parts, "<f>"), m_bom.lines.size() + 1);
        QVERIFY(parts.find("<f>SUM(H2:H" + std::to_string(m_bom.lines.size() + 1) + ")</f>") != parts.npos);
    }

    void cableSchedule()
    {
        QElapsedTimer timer;
        timer.start();
        QVERIFY(writeCableSchedule(*m_pod, path("cables.csv")).has_value());
        qInfo("cables.csv of the pod: %lld ms", static_cast<long long>(timer.elapsed()));
        std::ifstream stream(path("cables.csv"));
        std::string line;
        std::getline(stream, line);
        QCOMPARE(line,
                 std::string(
                     "id,network,from_device,from_port,from_hall,from_row,from_rack,from_u,to_device,to_port,to_hall,to_row,to_rack,to_u,rail,plane,"
                     "rate_gbps,medium,length_m,transceiver_from,transceiver_to,label,physical_cable"));
        std::set<std::string> ids, physical;
        std::map<std::string, int> ofNetwork;
        std::size_t rows = 0;
        while (std::getline(stream, line)) {
            const auto c = cells(line);
            QCOMPARE(c.size(), std::size_t(23));
            ids.insert(c[0]);
            physical.insert(c[22]);
            ++rows;
            for (const int filled : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 17, 18, 21, 22})
                QVERIFY2(!c[std::size_t(filled)].empty(), line.c_str());
            ++ofNetwork[c[1]];
            QCOMPARE(c[19].empty(), c[17] == "cat6a"); // copper has no transceivers
            QCOMPARE(c[20].empty(), c[17] == "cat6a");
            QVERIFY(c[1] != "backend" || c[15] == "1" || c[15] == "2");
            QVERIFY(std::stod(c[18]) > 0);
        }
        QCOMPARE(ofNetwork, (std::map<std::string, int>{{"backend", 48000}, {"frontend", 8240}, {"storage", 948}, {"oob", 4538}}));
        QCOMPARE(rows, std::size_t(48000 + 8240 + 948 + 4538));
        QCOMPARE(ids.size(), rows);
        QVERIFY(ids.contains("1") && !ids.contains("0"));
        QCOMPARE(physical.size(), std::size_t(16320 + 14400 + 960 + 6200 + 636 + 4538));
    }

    /// NIC r port p stands in column rail r and plane p.
    void railsAndPlanes()
    {
        const CableSchedule schedule(*m_pod);
        CableRow row;
        schedule.read(schedule.links().front(), row);
        QCOMPARE(row.from.port, std::string("nic1p1"));
        QCOMPARE(row.rail, 1);
        QCOMPARE(row.plane, 1);
        QCOMPARE(row.rateGbps, 200);
        QCOMPARE(row.medium, std::string_view("mmf-om4"));
        QCOMPARE(row.from.transceiver, std::string_view("200g-sr2"));
        QCOMPARE(row.to.transceiver, std::string_view("400g-sr4"));
        QVERIFY(CableSchedule::label(row).find(":nic1p1 > ") != std::string::npos);
    }

    void cableWorkbook()
    {
        QVERIFY(writeCableSchedule(*m_pod, path("cables.xlsx")).has_value());
        const auto sheet = member(path("cables.xlsx"), "xl/worksheets/sheet1.xml");
        QCOMPARE(count(sheet, "<row "), std::size_t(48000 + 8240 + 948 + 4538 + 1));
    }

    void canceledLeavesTheOld()
    {
        for (const char* name : {"cables.csv", "cables.xlsx"}) {
            const auto before = read(path(name));
            std::stop_source source;
            Progress progress{source.get_token(), [&](double, std::string_view) { source.request_stop(); }};
            const auto done = writeCableSchedule(*m_pod, path(name), progress);
            QVERIFY(!done.has_value());
            QCOMPARE(done.error().code, ErrorCode::Canceled);
            QVERIFY(read(path(name)) == before);
        }
        QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 5);
    }

    void unknownEndings()
    {
        QCOMPARE(writeBom(m_bom, path("bom.pdf"), "pod").error().code, ErrorCode::Usage);
        QCOMPARE(writeCableSchedule(*m_pod, path("cables.json")).error().code, ErrorCode::Usage);
        QCOMPARE(writeBom(m_bom, path("none/bom.csv"), "pod").error().code, ErrorCode::Unreadable);
    }
};

QTEST_GUILESS_MAIN(TestExchange)
#include "test_exchange.moc"
