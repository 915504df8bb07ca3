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
        QVERIFY(model.perHostYear > 1 && model.horizonDays == 7 && model.threshold == 0.3);
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
        Signs signs;
        signs.add(Sign::Xid, kStart, std::numeric_limits<double>::quiet_NaN(), 3);
        QCOMPARE(signs.firstMs(), std::int64_t(0));
        signs.add(Sign::Flaps, kStart, 8, 3);
        QCOMPARE(signs.excess(kStart, 3)[std::size_t(Sign::Flaps)], 8.0); // nothing is usual yet
        const double later = signs.excess(kStart + 3 * kDay, 3)[std::size_t(Sign::Flaps)];
        QVERIFY2(later > 0.5 && later <= 4, qPrintable(QString::number(later)));
        signs.add(Sign::Xid, kStart + 3 * kDay, 1, 3);
        QCOMPARE(signs.excess(kStart + 3 * kDay, 3)[std::size_t(Sign::Xid)], 1.0);
        QCOMPARE(signs.firstMs(), kStart);
        signs.clear(kStart + 4 * kDay);
        QCOMPARE(signs.excess(kStart + 4 * kDay, 3), Counts{});
        QCOMPARE(signs.firstMs(), std::int64_t(0));
    }

    /// A host that always has many errors is not more likely to fail; one that begins to have as many is.
    void theUsualRateOfAHost()
    {
        const HazardModel model = HazardModel::standard();
        Signs noisy, fresh, worse;
        for (int day = 0; day < 60; ++day) {
            noisy.add(Sign::LinkErrors, kStart + day * kDay, 2000, 3);
            worse.add(Sign::LinkErrors, kStart + day * kDay, day < 57 ? 2000 : 20'000, 3);
            fresh.add(Sign::LinkErrors, kStart + day * kDay, day < 57 ? 0 : 2000, 3);
        }
        const std::int64_t end = kStart + 59 * kDay;
        const auto ratio = [&](const Signs& host) { return model.ratio(host.excess(end, 3)); };
        QVERIFY2(ratio(noisy) < 5, qPrintable(QString::number(ratio(noisy))));
        QVERIFY(ratio(fresh) > ratio(noisy));
        QVERIFY(ratio(worse) > 3 * ratio(noisy));
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
        c.tops = true;
        const auto ranked = sim::tryPrediction(c, careful);
        QVERIFY(ranked && ranked->quality.right == fewer->quality.right && ranked->tops.size() == 2);
        for (const auto& top : ranked->tops) QVERIFY2(top.precision < top.limit + 0.1, qPrintable(QString::number(top.precision)));
        QVERIFY(ranked->tops[0].hosts == 10 && ranked->tops[0].precision > 2 * ranked->tops[0].atRandom);
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
