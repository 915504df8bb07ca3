// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/resources.h"
#include "simulation/questions/design_variant.h"
#include "simulation/questions/steady_loads.h"

#include <QTest>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>

using namespace hw;
using namespace hw::sim;

/// What a hall that is followed can be held against: scenarios of flows, of a training job and of given jobs, shipped ones too, whatever template
/// they would make where no design is given.
class TestSteadyLoads : public QObject {
    Q_OBJECT
    ScenarioDesign m_hall;

    [[nodiscard]] Result<SteadyLoads> loadsOf(const Json& asked) const
    {
        Json all = {{"schema", "hallwright.scenario/1"}, {"name", "x"}};
        all.update(asked);
        return SteadyLoads::of(parseScenarioRequest(all.dump(), "f.json").value(), m_hall);
    }

private slots:
    void initTestCase() { m_hall = generatedDesign("hpn", {{"segments", 2}, {"networks", "backend"}}, {}).value(); }

    void shippedOnes_data()
    {
        QTest::addColumn<bool>("lasts");
        for (const char* name : {"gpt3-iteration", "moe-iteration", "given-jobs"}) QTest::newRow(name) << true;
        for (const char* name :
             {"fault-causes", "job-mix", "published-training", "s1-dual-plane", "s10-xlink-domain", "s2-nic-down", "s2-port-down",
              "s2-port-down-between-segments", "s2-tor-down", "s4-rail-locality", "s4-rail-locality-dcn-plus", "s5-pxn-forwarding", "s7-hash-dodging",
              "s8-job-priority", "s9-checkpoint-interval", "s9-design-goodput", "s9-goodput", "training-port-down", "xlink-sweep"})
            QTest::newRow(name) << false;
    }
    void shippedOnes()
    {
        QFETCH(bool, lasts);
        std::ifstream in(resourceFolder() / "scenarios" / (std::string(QTest::currentDataTag()) + ".json"));
        const auto request = parseScenarioRequest(std::string{std::istreambuf_iterator<char>(in), {}}, "shipped.json");
        QVERIFY2(request.has_value(), request ? "" : request.error().text().c_str());
        auto asked = *request;
        if (!lasts && asked.sweep.empty() && asked.kind->name == "job-mix") asked.parameters["jobs"] = 10; // it draws 2,000
        const auto loads = SteadyLoads::of(asked, m_hall);
        QVERIFY2(loads.has_value() == lasts,
                 loads ? "ends, or puts no traffic on the network of this design: no link has a steady load" : loads.error().text().c_str());
        if (lasts) {
            QVERIFY(std::ranges::any_of(loads->whole(), [](float gbps) { return gbps > 1; }));
            return;
        }
        QCOMPARE(loads.error().code, ErrorCode::Refused);
        QVERIFY(loads.error().where.starts_with("shipped.json"));
        QVERIFY(!loads.error().todo.empty());
    }

    void anotherTemplateIsNoHindranceAndOtherParametersAre()
    {
        const auto other = loadsOf({{"workload", "permutation"}, {"design", {{"template", "dcn-plus"}}}}),
                   plain = loadsOf({{"workload", "permutation"}}),
                   changed = loadsOf({{"workload", "permutation"}, {"design", {{"set", {{"segments", 4}}}}}});
        QVERIFY(other && plain && !changed);
        QVERIFY(other->whole() == plain->whole());
    }

    /// As `failed` of a scenario says it, and with nothing lost as before.
    void whatIsLostCountsAsFailed()
    {
        const Snapshot& s = *m_hall.snapshot;
        impact::NetworkLoss loss;
        std::string host;
        s.devices.forEach([&](DeviceId id) {
            if (host.empty() && s.tiers.kind[s.devices.tier[id]] == TierKind::Server && s.devices.role[id] == DeviceRole::Active)
                host = s.devices.name[id], loss.hosts = {id};
        });
        s.links.forEach([&](LinkId id) {
            if (s.ports.medium[s.links.from[id]] == Medium::Data && s.ports.device[s.links.from[id]] == loss.hosts.front()) loss.links.push_back(id);
        });
        const auto loads = loadsOf({{"workload", "ring-allreduce"}}),
                   failed = loadsOf({{"workload", "ring-allreduce"}, {"failed", Json::array({host})}});
        QVERIFY(loads && failed);
        QVERIFY(loads->after({}) == loads->whole());
        const auto left = loads->after(loss);
        QVERIFY(left == failed->whole() && left != loads->whole());
        for (const LinkId link : loss.links) QCOMPARE(left[2 * link.value] + left[2 * link.value + 1], 0.0f);
        const auto both = failed->after(loss); // it had failed already
        QVERIFY(both == left);
    }

    void nothingIsLeftOfIt()
    {
        const Snapshot& s = *m_hall.snapshot;
        impact::NetworkLoss loss;
        s.devices.forEach([&](DeviceId id) {
            if (s.tiers.kind[s.devices.tier[id]] == TierKind::Server) loss.hosts.push_back(id);
        });
        for (const char* kind : {"ring-allreduce", "training"}) {
            const auto loads = loadsOf({{"workload", kind}});
            QVERIFY2(loads.has_value(), loads ? "" : loads.error().text().c_str());
            QVERIFY(loads->after(loss).empty());
        }
    }

    /// Jobs that share links carry together what they carry alone, less what they slow each other down.
    void jobsTogether()
    {
        const Json one = {{"gpus", 256}, {"placement", "alternating-segments"}};
        Json short_ = one;
        short_["iterations"] = 3;
        const auto jobs = [&](const Json& list) { return loadsOf({{"workload", "jobs"}, {"jobs", list}}); };
        const auto alone = jobs(Json::array({one})), both = jobs(Json::array({one, one})), leaves = jobs(Json::array({one, short_}));
        QVERIFY(alone && both && leaves);
        const auto sum = [](const SteadyLoads& loads) { return std::accumulate(loads.whole().begin(), loads.whole().end(), 0.0); };
        QVERIFY(sum(*both) > 1.5 * sum(*alone) && sum(*both) <= 2.0001 * sum(*alone));
        QVERIFY(sum(*leaves) > 0.5 * sum(*alone) && sum(*leaves) <= 1.0001 * sum(*alone)); // who leaves does not count
    }
};

QTEST_GUILESS_MAIN(TestSteadyLoads)
#include "steady_test.moc"
