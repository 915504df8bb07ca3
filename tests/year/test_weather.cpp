// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/resources.h"
#include "core/physics/weather/climates.h"
#include "core/physics/weather/epw.h"
#include "core/physics/weather/psychrometrics.h"

#include <QtTest>

#include <cmath>

using namespace hw;
using namespace hw::weather;

namespace {

bool close(double a, double b, double by) { return std::abs(a - b) <= by; }

/// A weather file as EnergyPlus writes it, of a shipped climate.
std::string epwText(const WeatherYear& year)
{
    std::string out = "LOCATION,Test City,VA,USA,TMYx,724030,39.08,-77.57,-5.0,119.0\n"
                      "DESIGN CONDITIONS,1,Climate Design Data,,Heating,1,-10.1,-7.7,-15,1,2,-12,1,3,9,2,8,1,3,300,Cooling,7,11,35.0,24.8,33.0,24.0,"
                      "31.5,23,26.3,32,Extremes,9,8,7,28.5,-14,36\n"
                      "TYPICAL/EXTREME PERIODS,0\nGROUND TEMPERATURES,0\nHOLIDAYS/DAYLIGHT SAVINGS,No,0,0,0\nCOMMENTS 1,test\nCOMMENTS 2,\n"
                      "DATA PERIODS,1,1,Data,Sunday, 1/ 1,12/31\n";
    for (std::size_t h = 0; h < year.hours.size(); ++h) {
        const Moment now = momentOf(h);
        const Air& air = year.hours[h];
        out += fmt::format("2020,{},{},{},0,?9?9?9,{:.6f},{:.6f},80,{:.1f}", now.month, now.day, now.hour + 1, air.dryBulbC, air.dewPointC,
                           air.pressure);
        for (int i = 0; i < 25; ++i) out += ",0";
        out += '\n';
        if (now.month == 2 && now.day == 28 && now.hour == 23)
            for (int hour = 1; hour <= 24; ++hour) out += fmt::format("2020,2,29,{},0,x,9.0,5.0,80,100000\n", hour);
    }
    return out;
}

/// The text with one line changed; lines from 1.
std::string withLine(const std::string& text, int line, const std::function<std::string(std::string)>& change)
{
    std::istringstream in(text);
    std::string out;
    int at = 0;
    for (std::string one; std::getline(in, one);) out += (++at == line ? change(one) : one) + '\n';
    return out;
}
std::string replaced(std::string line, int column, const std::string& by)
{
    std::size_t begin = 0;
    for (int i = 1; i < column; ++i) begin = line.find(',', begin) + 1;
    return line.replace(begin, line.find(',', begin) - begin, by);
}

} // namespace

class WeatherTest : public QObject {
    Q_OBJECT
    const WeatherYear m_ashburn = synthesize(*shippedClimate("ashburn"));
    const std::string m_epw = epwText(m_ashburn);

private slots:
    /// ASHRAE Fundamentals: saturation 2,339 Pa at 20 °C, 611.2 Pa at 0.01 °C, 259.9 Pa at −10 °C; 30 °C at 50 % has a wet bulb of 22.0 and a dew
    /// point of 18.4 °C; 1,609 m has 83.4 kPa.
    void moistAir()
    {
        QVERIFY(close(saturationPressure(20), 2339, 2) && close(saturationPressure(0.01), 611.7, 1) && close(saturationPressure(-10), 259.9, 0.5));
        const double dew = dewPoint(30, 0.5);
        QVERIFY(close(dew, 18.45, 0.1));
        QVERIFY2(close(wetBulb(30, dew, 101'325), 22.0, 0.1), std::to_string(wetBulb(30, dew, 101'325)).c_str());
        QVERIFY(close(wetBulb(35, dewPoint(35, 0.2), 101'325), 18.9, 0.2));
        QCOMPARE(wetBulb(10, 10, 101'325), 10.0);
        QVERIFY(close(humidityRatio(dew, 101'325), 0.0133, 1e-4));
        QVERIFY(close(standardPressure(1609), 83'400, 200) && close(standardPressure(0), 101'325, 1e-6));
    }

    void calendar()
    {
        QCOMPARE(momentOf(0), (Moment{1, 1, 0, 0}));
        QCOMPARE(momentOf(kHours - 1, 6), (Moment{12, 31, 23, 6}));
        QCOMPARE(hourOf(3, 1), std::size_t(59 * 24));
        QCOMPARE(momentOf(hourOf(7, 14) + 15).text(), std::string("07-14 15:00"));
    }

    /// Every shipped place: 8,760 hours, monthly means and ranges as stated, dew point never above the dry bulb, wet bulb between them.
    void synthesis()
    {
        const auto& all = shippedClimates();
        QVERIFY2(all.has_value(), all ? "" : all.error().text().c_str());
        QVERIFY(all->size() >= 16);
        for (const Climate& climate : *all) {
            const WeatherYear year = synthesize(climate);
            QVERIFY(year.synthetic && year.hours.size() == kHours);
            std::array<double, 12> mean{};
            for (std::size_t h = 0; h < kHours; ++h) {
                const Air& air = year.hours[h];
                mean[std::size_t(momentOf(h).month - 1)] += air.dryBulbC;
                QVERIFY(air.dewPointC <= air.dryBulbC && air.wetBulbC >= air.dewPointC - 1e-6 && air.wetBulbC <= air.dryBulbC + 1e-6);
            }
            for (std::size_t m = 0; m < 12; ++m) QVERIFY2(close(mean[m] / (kMonthDays[m] * 24), climate.months[m].meanC, 0.02), climate.slug.c_str());
            QCOMPARE(year.hours[15].dryBulbC, synthesize(climate).hours[15].dryBulbC); // no random numbers
        }
        QVERIFY(shippedClimate("nowhere").error().text().find("ashburn") != std::string::npos);
    }

    /// Hours below thresholds as two other programs count them in the synthetic year of these normals.
    void hoursBelowThresholds()
    {
        const auto below = [](const char* place, double c) {
            const WeatherYear year = synthesize(*shippedClimate(place));
            return int(std::ranges::count_if(year.hours, [&](const Air& air) { return air.dryBulbC <= c; }));
        };
        for (const auto& [place, c, hours] :
             {std::tuple("ashburn", 10, 3388), std::tuple("ashburn", 20, 6013), std::tuple("dallas", 10, 1658), std::tuple("frankfurt", 20, 7255),
              std::tuple("lulea", 10, 6186), std::tuple("singapore", 20, 0), std::tuple("singapore", 30, 8294), std::tuple("tokyo", 20, 5519)})
            QVERIFY2(std::abs(below(place, c) - hours) <= 40, fmt::format("{} {}: {}", place, c, below(place, c)).c_str());
    }

    void brokenClimates()
    {
        const std::string header =
            "place,title,country,latitude,longitude,elevation_m,grid,grid_g_per_kwh,month,mean_c,daily_range_k,sd_of_daily_mean_k,"
            "dew_point_c,confidence,source,license\n";
        const auto error = [&](const std::string& rows) { return readClimates(header + rows, "c.csv").error().text(); };
        QVERIFY(error("x,X,US,1,2,3,g,1,1,warm,7,4,-5,A,s,l\n").find("c.csv:2: mean_c \"warm\"") != std::string::npos);
        QVERIFY(error("x,X,US,1,2,3,g,1,13,1,7,4,-5,A,s,l\n").find("month") != std::string::npos);
        QVERIFY(error("x,X,US,1,2,3,g,1,1,1,7,4,-5,A,s,l\n").find("1 months") != std::string::npos);
        QVERIFY(error(",X,US,1,2,3,g,1,1,1,7,4,-5,A,s,l\n").find("c.csv:2") != std::string::npos);
    }

    void readsEpw()
    {
        const auto read = readEpw(m_epw, "a.epw");
        QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
        QCOMPARE(read->title, std::string("Test City"));
        QVERIFY(!read->synthetic && read->filled == 0 && read->suspect == 0 && read->firstWeekday == 6 && read->elevationM == 119);
        QVERIFY(read->design.coldest996C == -10.1 && read->design.hottest04C == 35.0 && read->design.wetBulb04C == 26.3 &&
                read->design.wetBulbMostC == 28.5);
        for (std::size_t h = 0; h < kHours; ++h) {
            QVERIFY(close(read->hours[h].dryBulbC, m_ashburn.hours[h].dryBulbC, 1e-5));
            QVERIFY(close(read->hours[h].wetBulbC, m_ashburn.hours[h].wetBulbC, 1e-3));
        }
        std::string dos = m_epw;
        for (std::size_t at = 0; (at = dos.find('\n', at)) != std::string::npos; at += 2) dos.insert(at, "\r");
        QCOMPARE(readEpw(dos, "a.epw")->hours[77].dryBulbC, read->hours[77].dryBulbC);
    }

    /// A few missing hours stand between their neighbors, without a dew point the relative humidity counts, and hot humid hours are doubted.
    void fillsGaps()
    {
        std::string text = m_epw;
        for (int line = 20; line < 20 + int(kLongestGap); ++line) text = withLine(text, line, [](std::string l) { return replaced(l, 7, "99.9"); });
        text = withLine(text, 100, [](std::string l) { return replaced(replaced(l, 8, "99.9"), 9, "50"); });
        text = withLine(text, 200, [](std::string l) { return replaced(replaced(l, 7, "36"), 8, "35"); });
        text = withLine(text, 201, [](std::string l) { return replaced(l, 10, "999999"); });
        const auto read = readEpw(text, "a.epw");
        QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
        QVERIFY(read->filled == std::int64_t(kLongestGap) && read->suspect == 1);
        const double before = read->hours[10].dryBulbC, after = read->hours[11 + kLongestGap].dryBulbC;
        QVERIFY(close(read->hours[11].dryBulbC, before + (after - before) / double(kLongestGap + 1), 1e-9));
        QVERIFY(close(read->hours[91].dewPointC, dewPoint(read->hours[91].dryBulbC, 0.5), 1e-6));
        QVERIFY(close(read->hours[192].pressure, standardPressure(119), 1e-6));
    }

    void refusesBrokenEpw()
    {
        const auto error = [&](const std::string& text) {
            const auto read = readEpw(text, "a.epw");
            return read ? std::string("read") : read.error().text();
        };
        const auto expect = [&](const std::string& text, const std::string& what) {
            const std::string said = error(text);
            QVERIFY2(said.find(what) != std::string::npos, (said + " instead of " + what).c_str());
        };
        expect("", "a.epw:0");
        expect("PK\x03\x04", "a.epw:1: \"PK");
        expect(m_epw.substr(0, 60), "a.epw:1");
        expect(m_epw.substr(0, m_epw.size() / 2), "a.epw");
        expect(withLine(m_epw, 1, [](std::string l) { return replaced(l, 7, "north"); }), "a.epw:1: latitude");
        expect(withLine(m_epw, 8, [](std::string l) { return replaced(l, 3, "4"); }), "4 records an hour");
        expect(withLine(m_epw, 50, [](std::string l) { return replaced(l, 7, "hot"); }), "a.epw:50: dry bulb \"hot\"");
        expect(withLine(m_epw, 50, [](std::string l) { return replaced(l, 7, "nan"); }), "a.epw:50");
        expect(withLine(m_epw, 50, [](std::string l) { return replaced(l, 7, "-80"); }), "outside");
        expect(withLine(m_epw, 50, [](std::string l) { return replaced(l, 4, "7"); }), "a.epw:50: month 1, day 2, hour 7");
        expect(withLine(m_epw, 51, [](std::string) { return std::string("1,2,3"); }), "a.epw:51: 3 columns");
        std::string gap = m_epw;
        for (int line = 30; line <= 30 + int(kLongestGap); ++line) gap = withLine(gap, line, [](std::string l) { return replaced(l, 7, "99.9"); });
        expect(gap, "dry bulb missing for more than 6 hours");
        expect(m_epw + "2020,1,1,1,0,x,1,1,80,100000\n", "more than 8,760");
        QVERIFY(readEpwFile("/nonexistent.epw").error().code == ErrorCode::Unreadable);
        QVERIFY(readEpwFile("/").error().code == ErrorCode::Unreadable);
    }
};

QTEST_GUILESS_MAIN(WeatherTest)
#include "test_weather.moc"
