// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/iso_time.h"
#include "importers/telemetry/local_time.h"
#include "importers/telemetry/recording.h"
#include "importers/telemetry/time_zone.h"
#include "importers/telemetry/trend_values.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <fstream>
#include <map>

#include <fmt/format.h>

using namespace hw;
using namespace hw::telemetry;

namespace {

/// What a table says: values by channel as "TIME VALUE", a bad one with "!" behind, none as "-".
struct Said {
    std::map<std::string, std::vector<std::string>> values;
    std::map<std::string, bindings::ChannelText> channels;
    std::string notes, error;
    [[nodiscard]] std::string of(const std::string& channel) const
    {
        std::string out;
        if (const auto found = values.find(channel); found != values.end())
            for (const auto& one : found->second) out += (out.empty() ? "" : ", ") + one;
        return out;
    }
};

} // namespace

/// Tables of Grafana and of building management as recordings.
class TestTrends : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    Said read(const std::string& name, const std::string& text, const TableWays& ways = {})
    {
        const std::string path = m_folder.filePath(QString::fromStdString(name)).toStdString();
        std::ofstream(path, std::ios::binary) << text;
        Said out;
        auto reader = openReader(path, ways);
        if (!reader) return out.error = reader.error().text(), out;
        RecordingItem item;
        std::vector<std::string> names;
        std::int64_t last = std::numeric_limits<std::int64_t>::min();
        for (;;) {
            const auto more = (*reader)->next(item);
            if (!more) return out.error = more.error().text(), out;
            if (!*more) break;
            if (item.kind == RecordingItem::Kind::Channel) names.push_back(item.channel.name), out.channels[item.channel.name] = item.channel;
            if (item.kind != RecordingItem::Kind::Samples) continue;
            if (item.atMs < last) out.error = "time goes back";
            last = item.atMs;
            for (const auto& sample : item.samples)
                out.values[names.at(sample.channel)].push_back(
                    fmt::format("{} {}{}", sample.timeMs / 1000 - 1'795'600'000,
                                std::isnan(sample.value) ? std::string("-") : fmt::format("{:g}", sample.value), sample.good ? "" : "!"));
        }
        for (const auto& note : (*reader)->notes()) out.notes += words(note) + "\n";
        return out;
    }

private slots:
    /// 2026-11-25 15:06:40 UTC is 1,795,619,200; the tests count from 1,795,600,000.
    void epoch() { QCOMPARE(isoTime("2026-11-25T15:06:40Z").value(), std::int64_t(1'795'619'200'000)); }

    void grafanaSeriesAsColumns()
    {
        const auto said = read(
            "panel.csv",
            "sep=,\n\"Time\",\"rack-1 (kW)\",\"Inlet [°C]\",\"rPDU2DeviceStatusPower{instance=\"\"pdu-1\"\", job=\"\"snmp\"\"}\",\"Phase (A/B)\"\n"
            "2026-11-25 15:06:40,46.2,23.5,120,1\n2026-11-25 15:07:40,,\"23.6 °C\",121,2\n2026-11-25 15:08:40,abc,23.7,122,null\n");
        QCOMPARE(said.error, std::string());
        QCOMPARE(said.of("rack-1"), std::string("19200 46.2"));
        QCOMPARE(said.channels.at("rack-1").unit, std::string("kW"));
        QCOMPARE(said.of("Inlet"), std::string("19200 23.5, 19260 23.6, 19320 23.7"));
        QCOMPARE(said.channels.at("rPDU2DeviceStatusPower{instance=\"pdu-1\",job=\"snmp\"}").labels.size(), std::size_t(2));
        QCOMPARE(said.of("Phase (A/B)"), std::string("19200 1, 19260 2, 19320 -"));
        QVERIFY2(said.notes.find("1 row or cell skipped") != said.notes.npos && said.notes.find("panel.csv:5") != said.notes.npos,
                 said.notes.c_str());
        QVERIFY(said.notes.find("UTC") != said.notes.npos);
    }

    /// Grafana scales what it formats: 980 W, then 1.2 kW.
    void grafanaFormattedValues()
    {
        const auto said =
            read("a.csv", "\"Time\",\"power\"\n2026-11-25T15:06:40.000Z,980 W\n2026-11-25T15:07:40.000Z,1.2 kW\n2026-11-25T15:08:40.000Z,20 °C\n");
        QCOMPARE(said.of("power"), std::string("19200 980, 19260 1200"));
        QCOMPARE(said.channels.at("power").unit, std::string("W"));
        QVERIFY2(said.notes.find("unit °C in place of W") != said.notes.npos, said.notes.c_str());
    }

    void grafanaSeriesAsRows()
    {
        const auto rows = read("rows.csv", "\"Series\";\"Time\";\"Value\"\n\"a\";2026-11-25T15:06:40+00:00;1\n\"a\";2026-11-25T15:08:40+00:00;"
                                           "2\n\"b\";2026-11-25T15:07:40+00:00;null\n");
        QCOMPARE(rows.error, std::string());
        QCOMPARE(rows.of("a"), std::string("19200 1, 19320 2")); // sorted by time, not by series
        QCOMPARE(rows.of("b"), std::string("19260 -"));
        const auto labels = read("table.csv", "Time,__name__,instance,Value\n1795619200000,up,pdu-1,1\n1795619260000,up,pdu-2,0\n");
        QCOMPARE(labels.of("up{instance=\"pdu-2\"}"), std::string("19260 0"));
        QCOMPARE(labels.channels.at("up{instance=\"pdu-1\"}").labels.front().second, std::string("pdu-1"));
    }

    /// One history of a Niagara station: its name before the table, a status beside each value, local time.
    void niagaraHistory()
    {
        const auto said =
            read("x.csv",
                 "history:/Hall1/CDU3_SupplyTemp\n\nTimestamp,Trend Flags,Status,Value (\xC2\xBA\x43)\n25-Nov-26 4:06:40 PM CET,{ },{ok},31.5\n"
                 "25-Nov-26 4:07:40 PM CET,{ },{fault},0.0\n25-Nov-26 4:08:40 PM CET,{ },{null},0.0\n25-Nov-26 4:09:40 PM CET,{ },{ok},nonsense\n"
                 "soon,{ },{ok},1\n",
                 {"Europe/Berlin", ""});
        QCOMPARE(said.error, std::string());
        QCOMPARE(said.of("/Hall1/CDU3_SupplyTemp"), std::string("19200 31.5, 19260 0!, 19320 -"));
        QCOMPARE(said.channels.at("/Hall1/CDU3_SupplyTemp").unit, std::string("\xC2\xBA\x43"));
        QVERIFY2(said.notes.find("2 rows or cells skipped") != said.notes.npos && said.notes.find("x.csv:7") != said.notes.npos, said.notes.c_str());
        // Its zone is no unique one: it is asked for.
        const auto asked = read("x.csv", "Timestamp,Value\n25-Nov-26 4:06:40 PM CST,31.5\n");
        QVERIFY2(asked.error.find("CST") != asked.error.npos && asked.error.find("--zone") != asked.error.npos, asked.error.c_str());
    }

    /// Rows of many points with units and reliability, dates with slashes.
    void trendsOfManyPoints()
    {
        const std::string head = "Trend report of hall 1\nFrom,11/25/2026,To,11/26/2026\n\nDate,Time,Object Name,Value,Units,Reliability\n";
        const auto said = read("metasys.csv",
                               head + "11/25/2026,3:06:40 PM,CRAH-1.SAT,23.5,deg C,Reliable\n11/25/2026,3:07:40 PM,CRAH-1.SAT,23.6,deg C,Unreliable\n"
                                      "11/25/2026,3:06:40 PM,CRAH-1.FAN,\"1,234.5\",rpm,Reliable\n11/25/2026,3:07:40 PM,,7,rpm,Reliable\n");
        QCOMPARE(said.error, std::string());
        QCOMPARE(said.of("CRAH-1.SAT"), std::string("19200 23.5, 19260 23.6!"));
        QCOMPARE(said.of("CRAH-1.FAN"), std::string("19200 1234.5"));
        QVERIFY(said.notes.find("no channel given") != said.notes.npos);
        const auto unclear = read("b.csv", "Date,Time,Object Name,Value\n11/12/2026,15:06:40,a,1\n");
        QVERIFY2(unclear.error.find("--dates") != unclear.error.npos, unclear.error.c_str());
        QVERIFY(read("b.csv", "Date,Time,Object Name,Value\n11/12/2026,15:06:40,a,1\n", {"", "ymd"}).error.find("--dates ymd") != std::string::npos);
        QCOMPARE(read("b.csv", "Date,Time,Object Name,Value\n11/25/2026,15:06:40,a,1\n", {"", "dmy"}).error.find("b.csv:2") != std::string::npos,
                 true);
        QCOMPARE(read("b.csv", "Date,Time,Object Name,Value\n25/11/2026,15:06:40,a,1\n").of("a"), std::string("19200 1"));
    }

    void decimalCommas()
    {
        const auto said =
            read("de.csv", "Zeit;Rack A07 (kW);Vorlauf [°C]\n25.11.2026 16:06:40;46,2;23,55\n25.11.2026 16:07:40;1.046,5;---\n", {"+01:00", ""});
        QCOMPARE(said.error, std::string());
        QCOMPARE(said.of("Rack A07"), std::string("19200 46.2, 19260 1046.5"));
        QCOMPARE(said.of("Vorlauf"), std::string("19200 23.55, 19260 -"));
        QVERIFY(said.notes.empty());
        QVERIFY(hasDecimalComma("46,2") && hasDecimalComma("-0,125") && !hasDecimalComma("1,234") && !hasDecimalComma("a,b") &&
                !hasDecimalComma("1,2,3"));
        QVERIFY(!readTrendCell("1,234", false)); // a thousand or 1.234
        QCOMPARE(readTrendCell("1,234,567", false)->value, 1'234'567.);
    }

    /// An hour is there twice when summer time ends, and one is not there when it begins.
    void summerTime()
    {
        const auto zone = TimeZone::of("Europe/Berlin", "--zone").value();
        const auto local = [](const char* text) { return isoTime(text).value(); };
        QCOMPARE(zone.utcOf(local("2026-07-01T12:00:00Z")), std::vector{local("2026-07-01T10:00:00Z")});
        QCOMPARE(zone.utcOf(local("2026-10-25T02:30:00Z")), (std::vector{local("2026-10-25T00:30:00Z"), local("2026-10-25T01:30:00Z")}));
        QVERIFY(zone.utcOf(local("2026-03-29T02:30:00Z")).empty());
        QVERIFY(!TimeZone::of("Middle/Earth", "--zone") && !TimeZone::of("../../etc/passwd", "--zone") && !TimeZone::of("+99:00", "--zone"));
        QCOMPARE(TimeZone::of("-05:30", "x")->utcOf(0), std::vector<std::int64_t>{19'800'000});
        const auto said = read("z.csv",
                               "Timestamp,Value\n25.10.2026 01:45,1\n25.10.2026 02:15,2\n25.10.2026 02:45,3\n25.10.2026 02:15,4\n25.10.2026 "
                               "02:45,5\n25.10.2026 03:15,6\n",
                               {"Europe/Berlin", ""});
        QCOMPARE(said.values.at("z").size(), std::size_t(6));
        const auto seconds = [&](std::size_t i) { return std::stoll(said.values.at("z")[i]); };
        for (std::size_t i = 1; i < 6; ++i) QCOMPARE(seconds(i) - seconds(i - 1), 1800LL);
    }

    void localTimes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("iso");
        const auto row = [](const char* text, const char* iso) { QTest::newRow(text) << QByteArray(text) << QByteArray(iso); };
        row("2026/11/25 15:06", "2026-11-25T15:06:00Z");
        row("25.11.26 15:06:40,250", "2026-11-25T15:06:40.250Z");
        row("25-Nov-2026 12:06:40 AM", "2026-11-25T00:06:40Z");
        row("11/25/2026 12:06 PM", "2026-11-25T12:06:00Z");
        row("2026-11-25T15:06:40+02:00", "2026-11-25T15:06:40Z"); // offset apart
        for (const char* wrong :
             {"", "yesterday", "2026-11-25 25:00", "31.02.2026 10:00", "11/25/2026 13:00 PM", "25-Foo-26 10:00", "2026-11-25 10:00 AM UTC x"})
            row(wrong, "");
    }
    void localTimes()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, iso);
        const auto read = readLocalTime(text.toStdString(), DateOrder::Unknown);
        QCOMPARE(read.has_value(), !iso.isEmpty());
        if (read) QCOMPARE(read->ms, isoTime(iso.toStdString()).value());
    }

    void whatIsNoTrend()
    {
        QVERIFY(read("n.csv", "a,b\n1,2\n").error.find("header") != std::string::npos);
        const auto all = read("n.csv", "Time,x\nsoon,1\nlater,2\n");
        QVERIFY2(all.error.find("n.csv:2") != all.error.npos && all.error.find("soon") != all.error.npos, all.error.c_str());
        QVERIFY(read("own.csv", "time,a\n1795619200,x\n").error.find("own.csv:2") != std::string::npos); // the product's own form is exact
    }
};

QTEST_GUILESS_MAIN(TestTrends)
#include "test_trends.moc"
