// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/prediction/history.h"
#include "simulation/reliability/prediction_trial.h"
#include "tests/figures/small_hall.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

using namespace hw;
using namespace hw::prediction;
using bindings::ChannelText;
using test::SmallHall;

namespace {

constexpr std::int64_t kStart = 1'767'600'000'000, kHour = 3'600'000, kDay = 24 * kHour;

/// Three hosts, of which the second is connected to a switch.
struct ThreeHosts : SmallHall {
    ThreeHosts()
    {
        const RackId rack = addRack(addRow(2000, 2000), 0);
        for (int i = 0; i < 3; ++i) {
            hosts.push_back(addServer(rack, 1 + 8 * i));
            s.devices.name.set(hosts.back(), "host" + std::to_string(i + 1));
        }
        s.devices.name.set(addSwitch(torTier, rack, 40), "tor1");
    }
    std::vector<DeviceId> hosts;
};

ChannelText gpuChannel(const std::string& metric, const std::string& host)
{
    return {metric + "{Hostname=\"" + host + "\",gpu=\"0\"}", {{"Hostname", host}, {"gpu", "0"}}, {}};
}

void say(History& history, const ChannelText& channel, std::int64_t ms, double value)
{
    const bindings::Sample sample{history.channel(channel), ms, value, true};
    history.take({&sample, 1});
}

const Likely& of(const std::vector<Likely>& all, const std::string& host) { return *std::ranges::find(all, host, &Likely::name); }
double count(const Likely& host, Sign sign) { return host.counts[std::size_t(sign)]; }

} // namespace

class TestPrediction : public QObject {
    Q_OBJECT

private slots:
    void hazards()
    {
        const HazardModel model = HazardModel::standard();
        QVERIFY(model.perHostYear > 1 && model.horizonDays == 7 && model.threshold == 0.6);
        Counts counts{};
        QCOMPARE(model.ratio(counts), 1.0);
        QVERIFY(std::abs(model.probability(counts) - (1 - std::exp(-1.38 / 365 * 7))) < 1e-12);
        counts[std::size_t(Sign::Xid)] = 2, counts[std::size_t(Sign::Flaps)] = 3;
        QVERIFY(std::abs(model.ratio(counts) - std::pow(3, 1.5) * 4) < 1e-9);
        counts[std::size_t(Sign::EccUncorrected)] = 1e300;
        QCOMPARE(model.probability(counts), 1.0);
    }

    void countsHalve()
    {
        Decaying signs;
        signs.add(Sign::Flaps, kStart, 8, 3);
        signs.add(Sign::Xid, kStart + 3 * kDay, 1, 3);
        signs.add(Sign::Xid, kStart, std::numeric_limits<double>::quiet_NaN(), 3);
        const Counts then = signs.at(kStart + 6 * kDay, 3);
        QCOMPARE(then[std::size_t(Sign::Flaps)], 2.0);
        QCOMPARE(then[std::size_t(Sign::Xid)], 0.5);
        QCOMPARE(signs.firstMs(), kStart);
    }

    void signsOfTelemetry()
    {
        const ThreeHosts hall;
        HazardModel model = HazardModel::standard();
        model.halfLifeDays = 1e9; // counts as they are
        History history(hall.figures(), model);
        const auto xid = gpuChannel("DCGM_FI_DEV_XID_ERRORS", "host2"), ecc = gpuChannel("DCGM_FI_DEV_ECC_SBE_VOL_TOTAL", "host2"),
                   hot = gpuChannel("DCGM_FI_DEV_GPU_TEMP", "host3"), other = gpuChannel("DCGM_FI_DEV_XID_ERRORS", "host1");
        for (const double code : {0., 79., 79., 48., 48., 63.}) say(history, xid, kStart, code);
        for (const double code : {13., 43.}) say(history, other, kStart, code);           // of applications
        for (const double total : {100., 130., 5., 9.}) say(history, ecc, kStart, total); // it began again
        for (int hour = 0; hour < 5; ++hour) say(history, hot, kStart + hour * kHour, hour < 3 ? 95 : 60);
        say(history, hot, kStart + 4 * kHour, std::numeric_limits<double>::quiet_NaN());
        say(history, gpuChannel("DCGM_FI_DEV_XID_ERRORS", "nobody"), kStart, 79);
        const auto ranked = history.ranked();
        QCOMPARE(ranked.size(), std::size_t(3));
        QCOMPARE(ranked[0].name, std::string("host2"));
        QVERIFY(std::abs(count(ranked[0], Sign::Xid) - 2.0) < 1e-6);
        QVERIFY(std::abs(count(ranked[0], Sign::EccUncorrected) - 1.0) < 1e-6);
        QVERIFY(std::abs(count(ranked[0], Sign::EccCorrected) - 39.0) < 1e-6);
        QVERIFY(std::abs(count(of(ranked, "host3"), Sign::HotHours) - 3.0) < 1e-6);
        QCOMPARE(of(ranked, "host1").ratio, 1.0);
        QCOMPARE(history.coverage().ofSigns, std::size_t(4));
        QCOMPARE(history.coverage().toMs, kStart + 4 * kHour);
    }

    void emulatedHistory()
    {
        const HazardModel model = HazardModel::standard();
        sim::PredictionCase c;
        c.hosts = 200, c.days = 120;
        const auto first = sim::tryPrediction(c, model), again = sim::tryPrediction(c, model);
        QVERIFY(first && again && first->quality.right == again->quality.right && first->hosts.size() == 200);
        const Quality& q = first->quality;
        QCOMPARE(q.faults, q.right + q.missed);
        QVERIFY(std::abs(q.faults - 200 * 120 * 1.38 / 365) < 4 * std::sqrt(200 * 120 * 1.38 / 365)); // a Poisson number
        QVERIFY2(q.recall() > 0.1 && q.recall() < 0.7, qPrintable(QString::number(q.recall())));      // 70 % of the hardware faults at most
        QVERIFY2(q.precision() > 0.2, qPrintable(QString::number(q.precision())));
        HazardModel careful = model;
        careful.threshold = 0.95;
        const auto fewer = sim::tryPrediction(c, careful);
        QVERIFY(fewer && fewer->quality.recall() <= q.recall() && fewer->quality.falseAlarms < q.falseAlarms);
        c.announcedShare = 0;
        const auto blind = sim::tryPrediction(c, model);
        QVERIFY(blind && blind->quality.recall() < q.recall() / 2); // only by chance
    }

    void written()
    {
        Prediction p;
        p.model = HazardModel::standard();
        Likely sick, well;
        sick.name = "host,2", sick.counts[std::size_t(Sign::Flaps)] = 40, sick.failed = true;
        well.name = "host1";
        for (Likely* one : {&well, &sick}) {
            one->ratio = p.model.ratio(one->counts), one->probability = p.model.probability(one->counts),
            one->predicted = p.model.predicts(one->counts);
            p.hosts.push_back(*one);
        }
        rank(p.hosts);
        p.quality = Quality{10, 6, 4, 2, 30};
        const auto json = nlohmann::json::parse(predictionJson(p, 20));
        QCOMPARE(json["hosts"].size(), std::size_t(1)); // one without a sign is not listed
        QCOMPARE(json["hosts"][0]["host"].get<std::string>(), std::string("host,2"));
        QCOMPARE(json["quality"]["recall"].get<double>(), 0.6);
        QCOMPARE(json["quality"]["precision"].get<double>(), 0.75);
        QCOMPARE(nlohmann::json::parse(predictionJson(p, 0))["hosts"].size(), std::size_t(2));
        QVERIFY(predictionCsv(p, 20).find("\n\"host,2\",") != std::string::npos);
        const std::string text = predictionText(p, 20);
        QVERIFY2(text.find("40 link flaps (fails)") != std::string::npos && text.find("recall 60.0 %") != std::string::npos, text.c_str());
    }
};

QTEST_GUILESS_MAIN(TestPrediction)
#include "test_prediction.moc"
