// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/tickets/tickets.h"
#include "tests/figures/small_hall.h"

#include <QTest>

#include <algorithm>

#include <nlohmann/json.hpp>

using namespace hw;
using namespace hw::tickets;
using test::SmallHall;

namespace {

constexpr std::int64_t kOpened = 1'767'600'000'000;

struct RackWithTrouble : SmallHall {
    RackWithTrouble()
    {
        const RackId rack = addRack(addRow(2000, 2000), 0);
        s.racks.name.set(rack, "rack-a");
        host = addServer(rack, 1), tor = addSwitch(torTier, rack, 40);
        s.devices.name.set(host, "host1"), s.devices.name.set(tor, "tor,1");
    }
    [[nodiscard]] monitoring::Frame frame() const
    {
        monitoring::Frame out;
        monitoring::Alarm lost;
        lost.id = "cause-1", lost.kind = monitoring::AlarmKind::Cause, lost.cause = ref(tor), lost.symptoms = {ref(host)};
        lost.sinceMs = kOpened + 1000, lost.gpusDegraded = 8, lost.what = i18n("{} failed", "tor,1");
        out.alarms = {lost};
        lost.id = "old", lost.clearedMs = kOpened + 2000;
        out.alarms.push_back(lost);
        monitoring::Deviation wrong;
        wrong.kind = monitoring::DeviationKind::WrongSetting, wrong.entity = ref(host), wrong.sinceMs = kOpened;
        wrong.measure = bindings::Measure::LinkRate, wrong.measured = 1e11, wrong.expected = 2e11, wrong.what = i18n("runs at half its rate");
        out.deviations = {wrong};
        return out;
    }
    DeviceId host, tor;
};

} // namespace

class TestTickets : public QObject {
    Q_OBJECT

private slots:
    void dimensionTeamRemedyEvidence()
    {
        RackWithTrouble hall;
        hall.s.putSetting("operations.teams", "network = NetOps; compute=Hardware");
        const auto all = ticketsOf(*hall.figures(), hall.frame());
        QVERIFY(all && all->size() == 2); // a cleared alarm has no ticket
        const Ticket &lost = (*all)[0], &wrong = (*all)[1];
        QVERIFY(lost.dimension == Dimension::NoConnection && lost.team == "NetOps" && lost.gpusDegraded == 8 && !lost.remedy.empty());
        QCOMPARE(lost.evidence, std::vector<std::string>{"host1"});
        QVERIFY(lost.location.ends_with("rack-a"));
        QCOMPARE(lost.ruledOut, (std::vector<std::string>{"low-performance", "packet-loss", "configuration-error"}));
        QVERIFY(wrong.dimension == Dimension::Configuration && wrong.trade == Trade::Configuration);
        QVERIFY(std::ranges::find(wrong.evidence, "link-rate: 1e+11, expected 2e+11") != wrong.evidence.end());
        const auto json = nlohmann::json::parse(ticketsJson(*all));
        QVERIFY(json["tickets"].size() == 2 && json["tickets"][0]["team"] == "NetOps" && json["tickets"][0]["dimension"] == "no-connection");
        const std::string csv = ticketsCsv(*all);
        QVERIFY(std::ranges::count(csv, '\n') == 3);
        QVERIFY(csv.find("\"tor,1\"") != csv.npos && csv == ticketsCsv(*ticketsOf(*hall.figures(), hall.frame())));
        QVERIFY(ticketsText(*all).starts_with("NetOps: tor,1 failed (no-connection); check cable"));
    }

    void teams()
    {
        QCOMPARE(teamsOf("")->size(), std::size_t(0));
        QCOMPARE(teamsOf(" power = Electrical ;; ")->at(Trade::Power), std::string("Electrical"));
        for (const char* bad : {"power", "power=", "moon=Astronauts", "=x"}) QVERIFY2(!teamsOf(bad), bad);
        RackWithTrouble hall;
        hall.s.putSetting("operations.teams", "nonsense");
        QVERIFY(!ticketsOf(*hall.figures(), hall.frame()));
    }

    void nothingActive() { QVERIFY(!ticketsText({}).empty() && nlohmann::json::parse(ticketsJson({}))["tickets"].empty()); }
};

QTEST_GUILESS_MAIN(TestTickets)
#include "test_tickets.moc"
