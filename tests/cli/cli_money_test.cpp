// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli_process.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

/// Prices, phases and the cost of an hour from the command line.
class CliMoneyTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_file;

    QString path(const char* name) const { return m_folder.filePath(name); }
    QString write(const char* name, const QByteArray& text) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write");
        file.write(text);
        return path(name);
    }
    nlohmann::json bom(const QString& file, const QStringList& more = {}) const
    {
        const QString out = path("out.json");
        if (runCli(QStringList{"bom", file, "-o", out} + more).code != 0) return {};
        QFile read(out);
        (void)read.open(QIODevice::ReadOnly);
        return nlohmann::json::parse(read.readAll().toStdString());
    }

private slots:
    void init()
    {
        m_file = path("one.hall");
        QFile::remove(m_file);
        QCOMPARE(runCli({"new", "hpn", "-o", m_file, "--set", "segments=1"}).code, 0);
    }

    void importsPrices()
    {
        const QString list = write("list.csv", "Artikel;Netto\nhpn-host-8gpu;200.000,00\nunknown;5\n");
        QCOMPARE(runCli({"import", "prices", list, "--into", m_file}).code, 4); // no column is called price
        const CliRun look = runCli({"import", "prices", list, "--into", m_file, "--map", "price=Netto", "--dry-run", "--json"});
        QCOMPARE(look.code, 0);
        QCOMPARE(look.json()["issues"].size(), std::size_t(1));
        const double before = bom(m_file)["total"].get<double>();
        QCOMPARE(runCli({"import", "prices", list, "--into", m_file, "--map", "price=Netto"}).code, 0);
        const auto after = bom(m_file);
        QVERIFY(after["total"].get<double>() != before);
        QCOMPARE(after["priced"].get<double>() + after["assumed"].get<double>(), after["total"].get<double>());
        for (const auto& line : after["lines"])
            if (line["part"] == "hpn-host-8gpu") QCOMPARE(line["unit_price"].get<double>(), 200000.0);
        QVERIFY(after["design"]["revision"].get<int>() > 1);
        const QString twice = write("twice.csv", "part,price\nhpn-host-8gpu,1\nhpn-host-8gpu,2\n");
        const CliRun once = runCli({"import", "prices", twice, "--into", m_file, "--json"}); // the second line is left out, and said
        QCOMPARE(once.code, 0);
        QVERIFY(once.json()["read"] == 1 && once.json()["left_out"] == 1 && once.json()["doubts"] == 1);
        QVERIFY(once.out.contains("twice.csv:3"));
        const CliRun shown = runCli({"import", "prices", list, "--into", m_file, "--map", "price=Netto"});
        QVERIFY2(shown.code == 0 && shown.out.contains("1 read, 1 skipped") && shown.error.contains("list.csv:3"), shown.out.constData());
        QCOMPARE(runCli({"import", "prices", list, "--into", m_file, "--color", "red"}).code, 2);
    }

    /// A project in another currency asks for its rate at once; without one no total is 0, and a finding says so.
    void otherCurrencies()
    {
        const auto set = [&](const char* key, const char* value) {
            return runCli(
                {"edit", m_file, "--script",
                 write("c.json", QByteArray("{\"edits\": [{\"do\": \"set-setting\", \"key\": \"") + key + "\", \"value\": \"" + value + "\"}]}")});
        };
        const CliRun asked = set("project.currency", "EUR");
        QCOMPARE(asked.code, 3);
        QVERIFY2(asked.errorLine().contains("currency.USD.rate"), qPrintable(asked.errorLine()));
        const double before = bom(m_file)["total"].get<double>();
        for (const auto& [key, value] : {std::pair("currency.USD.rate", "0.5"), std::pair("currency.USD.date", "2026-11-23"),
                                         std::pair("currency.USD.source", "t"), std::pair("project.currency", "EUR")})
            QCOMPARE(set(key, value).code, 0);
        QVERIFY(std::abs(bom(m_file)["total"].get<double>() * 2 / before - 1) < 1e-6);
        QCOMPARE(set("currency.USD.rate", "0").code, 0); // somebody takes it away
        QVERIFY(bom(m_file)["total"].is_null());
        const CliRun report = runCli({"report", m_file});
        QVERIFY(report.out.contains("unknown: no exchange rate"));
        QVERIFY(runCli({"check", m_file}).out.contains("D8"));
        QVERIFY(runCli({"cost", m_file, "--json"}).json()["total"].is_null());
    }

    void billsInParts()
    {
        for (const char* by : {"system", "phase", "building"}) {
            const auto json = bom(m_file, {"--by", by});
            double sum = 0;
            for (const auto& section : json["sections"]) sum += section["total"].get<double>();
            QVERIFY(std::abs(sum - json["total"].get<double>()) < 0.01);
        }
        QCOMPARE(runCli({"bom", m_file, "-o", path("x.csv"), "--by", "color"}).code, 2);
        QCOMPARE(runCli({"bom", m_file, "-o", path("x.xlsx"), "--by", "building"}).code, 0);
    }

    void phasesAndChangeOrders()
    {
        const QString script = write("e.json", R"({"edits": [{"do": "add", "what": "phase", "name": "now"},
            {"do": "add", "what": "phase", "name": "later", "date": "2027-06-30"},
            {"do": "set-all", "what": "device", "in": "tor", "column": "phase", "value": "later"}]})");
        QCOMPARE(runCli({"edit", m_file, "--script", script}).code, 0);
        const auto first = runCli({"report", m_file, "--json", "--phase", "1"}).json(), whole = runCli({"report", m_file, "--json"}).json();
        QCOMPARE(whole["phases"].size(), std::size_t(2));
        QVERIFY(first["cost"]["total"].get<double>() < whole["cost"]["total"].get<double>());
        QCOMPARE(runCli({"check", m_file, "--phase", "1"}).code, 3); // the servers do not reach each other yet
        QCOMPARE(runCli({"report", m_file, "--phase", "9"}).code, 3);
        QCOMPARE(runCli({"report", m_file, "--phase", "one"}).code, 2);
        QCOMPARE(bom(m_file, {"--phase", "1"})["total"].get<double>(), first["cost"]["total"].get<double>());
        // Cables are listed, pulled and labeled by phase: rows of the whole.
        const auto rows = [](const QString& file) {
            QFile read(file);
            (void)read.open(QIODevice::ReadOnly);
            const auto lines = read.readAll().split('\n');
            return QSet<QByteArray>(lines.begin(), lines.end());
        };
        for (const char* what : {"cables", "labels", "pull-schedule"}) {
            const QString part = path("part.csv"), all = path("all.csv");
            const QStringList command = std::string_view(what) == "cables" ? QStringList{"cables", m_file} : QStringList{"export", what, m_file};
            QCOMPARE(runCli(command + QStringList{"-o", all}).code, 0);
            QCOMPARE(runCli(command + QStringList{"-o", part, "--phase", "1"}).code, 0);
            const auto some = rows(part), every = rows(all);
            QVERIFY2(some.size() > 3 && some.size() < every.size(), what);
            if (std::string_view(what) != "pull-schedule") QVERIFY2((some - every).isEmpty(), what); // it numbers its bundles
            QCOMPARE(runCli(command + QStringList{"-o", part, "--phase", "9"}).code, 3);
        }
        QCOMPARE(runCli({"export", "text", m_file, "-o", path("all.txt"), "--phase", "1"}).code, 2);
        const QString other = path("other.hall");
        QFile::remove(other);
        QCOMPARE(runCli({"new", "hpn", "-o", other, "--set", "segments=2"}).code, 0);
        const CliRun delta = runCli({"compare", m_file, other, "--bom", "--json"});
        QCOMPARE(delta.code, 0);
        const auto changes = delta.json();
        double change = 0;
        for (const auto& line : changes["lines"]) change += line["sum_change"].get<double>();
        QVERIFY(std::abs(change - changes["total_change"].get<double>()) < 0.01);
        QCOMPARE(runCli({"compare", m_file, other, "--bom", "-o", path("d.xlsx")}).code, 0);
        QCOMPARE(runCli({"compare", m_file, m_file, "--bom", "--expect-same"}).code, 0);
        QCOMPARE(runCli({"compare", m_file, other, "--bom", "--expect-same"}).code, 3);
        QCOMPARE(runCli({"bom", m_file, "-o", path("d.csv"), "--since", "1"}).code, 3); // saved since
    }

    void costOfAnHour()
    {
        const auto json = runCli({"cost", m_file, "--json"}).json();
        QCOMPARE(json["accelerators"].get<int>(), 1024);
        double sum = 0;
        for (const char* part : {"capital", "energy", "staff", "maintenance", "rent"}) sum += json[part]["per_hour"].get<double>();
        QVERIFY(std::abs(sum - json["total"]["per_hour"].get<double>()) < 1e-5);
        QVERIFY(runCli({"cost", m_file}).out.contains("cost.tariff"));
        QCOMPARE(runCli({"cost", m_file, "--currency", "EUR"}).code, 3); // no rate
        QCOMPARE(runCli({"cost", m_file, "--currency", "euro"}).code, 3);
        const QString script = write("rate.json", R"({"edits": [{"do": "set-setting", "key": "currency.EUR.rate", "value": "1.25"},
            {"do": "set-setting", "key": "currency.EUR.date", "value": "2026-11-20"}]})");
        QCOMPARE(runCli({"edit", m_file, "--script", script}).code, 0);
        const auto euros = runCli({"cost", m_file, "--currency", "EUR", "--json"}).json();
        QVERIFY(euros["currency"] == "EUR" && euros["exchange_rate"]["rate"] == 1.25);
        for (const char* part : {"capital", "energy", "staff", "maintenance", "total"})
            QVERIFY2(std::abs(euros[part]["per_hour"].get<double>() * 1.25 - json[part]["per_hour"].get<double>()) < 2e-5, part);
        QVERIFY(runCli({"cost", m_file, "--currency", "EUR"}).out.contains("converted at 1 EUR = 1.25 USD (2026-11-20)"));
        QVERIFY(json["energy_basis"] == "year" && json["annual_pue"].get<double>() < json["pue"].get<double>());
    }

    void yearOfEnergy()
    {
        const auto year = runCli({"year", m_file, "--climate", "dublin", "--json"}).json();
        for (const char* key : {"annual_pue", "wue_l_per_kwh", "cue_kg_per_kwh", "energy_mwh", "worst_hour", "months", "hours_free_cooling"})
            QVERIFY2(year.contains(key), key);
        QVERIFY(year["months"].size() == 12 && year["weather"]["place"] == "dublin" && year["imbalance"].get<double>() < 1e-9);
        const QString hours = path("hours.csv");
        QCOMPARE(runCli({"year", m_file, "-o", hours, "--tariff", "dominion-gs5"}).code, 0);
        QVERIFY(QFile(hours).size() > 500'000);
        const auto state = runCli({"feeders", m_file, "--without", "utility-a", "--json"}).json();
        QVERIFY(state["without"] == nlohmann::json::array({"utility-a"}) && state["short_circuits"].is_null() && !state["feeders"].empty());
        for (const char* wrong : {"nowhere", "pod1-hall"}) QCOMPARE(runCli({"feeders", m_file, "--without", wrong}).code, 3);
        QCOMPARE(runCli({"year", m_file, "--climate", "atlantis"}).code, 3);
        QCOMPARE(runCli({"year", m_file, "--epw", hours}).code, 4);
        QCOMPARE(runCli({"year", m_file, "--epw", hours, "--climate", "dublin"}).code, 2);
        QCOMPARE(runCli({"year", m_file, "--tariff", "none"}).code, 3);
        QCOMPARE(runCli({"year", m_file, "--phase", "9"}).code, 3);
        QCOMPARE(runCli({"year", m_file, "-o", path("hours.txt")}).code, 2);
        QCOMPARE(runCli({"year"}).code, 2);
        QCOMPARE(runCli({"year", m_file, "--validate"}).code, 2);
        QCOMPARE(runCli({"year", "--validate", "--json"}).json()["rows"].size(), std::size_t(13));
    }
};

QTEST_GUILESS_MAIN(CliMoneyTest)
#include "cli_money_test.moc"
