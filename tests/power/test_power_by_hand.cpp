// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/facility.h"
#include "core/design/edit/script.h"
#include "core/foundation/model/document.h"
#include "core/output/report/power_levels.h"
#include "core/output/report/report.h"
#include "tests/edit/apply_script.h"

#include <QTest>

#include <set>

using namespace hw;

namespace {

const Catalog& catalog()
{
    static const auto loaded = Catalog::load(HW_RESOURCES "/catalog");
    return *loaded;
}

/// What a script of docs/examples builds from nothing.
FiguresPtr built(const std::string& name)
{
    const auto script = edit::readScript(HW_RESOURCES "/../docs/examples/" + name);
    if (!script) qFatal("%s", script.error().text().c_str());
    Document document(std::make_shared<const Snapshot>());
    edit::EditContext context;
    context.catalog = [](const std::string& slug) { return catalog().find(slug); };
    if (const auto done = test::applyScript(document, *script, context, name); !done) qFatal("%s", done.error().text().c_str());
    auto figures = computeFigures(document.snapshot());
    if (!figures) qFatal("%s", figures.error().text().c_str());
    return *figures;
}

DeviceId named(const Figures& f, const std::string& name)
{
    Maybe<DeviceId> found;
    f.snapshot->devices.forEach([&](DeviceId id) {
        if (f.snapshot->devices.name[id] == name) found = id;
    });
    if (!found) qFatal("no %s", name.c_str());
    return *found;
}

} // namespace

class TestPowerByHand : public QObject {
    Q_OBJECT
private slots:
    /// docs/examples/block-redundant.json: two blocks, a reserve, static switches, all by `add` and `connect`.
    void reserveCatchesOneBlock()
    {
        const auto f = built("block-redundant.json");
        const PowerChain& chain = powerChain(*f, PowerBasis::Design);
        const PowerWorst& worst = worstPower(*f, PowerBasis::Design);
        const auto at = [&](const char* name) { return named(*f, name); };
        QVERIFY(chain.flow.live[at("host-1").value] && chain.flow.live[at("host-2").value]);
        QCOMPARE(chain.through(at("ups-board-reserve")).count(), 0);
        QVERIFY(chain.through(at("ups-board-1")).count() > 8'000'000);
        QCOMPARE(worst.through(at("ups-board-reserve")).count(), chain.through(at("ups-board-1")).count());
        power::Survey survey(chain.network);
        const auto lose = [&](std::initializer_list<const char*> names) {
            std::vector<power::Index> lost;
            for (const char* name : names) lost.push_back(at(name).value);
            std::ranges::sort(lost);
            return survey.lose(lost);
        };
        QVERIFY(lose({"ups-board-1"}).dark.empty());
        QVERIFY(lose({"sts-1a"}).dark == (std::vector<power::Index>{at("busway-1a").value, at("pdu-1a").value})); // the other cord holds the host
        QVERIFY(lose({"utility-a"}).dark == (std::vector<power::Index>{at("transformer-1").value, at("transformer-2").value})); // the sets run
        const auto both = lose({"ups-board-1", "ups-board-2"}); // on demand: a reserve for one block is asked for two
        QVERIFY(both.dark.empty());
        const auto reserve = lose({"ups-board-1", "ups-board-reserve"});
        QVERIFY(std::ranges::find(reserve.dark, at("host-1").value) != reserve.dark.end());
        QVERIFY(std::ranges::find(reserve.dark, at("host-2").value) == reserve.dark.end());
        const FacilityPower facility = facilityPower(*f, PowerBasis::Design);
        QVERIFY(!facility.complete); // without heat rejection: a constant PUE, and said so
        QCOMPARE(std::string(pueOf(*f, PowerBasis::Design).basis()), std::string("constant"));
        QCOMPARE((chain.load(at("utility-a")) + chain.load(at("utility-b"))).count(), facility.total().count());
    }

    /// docs/examples/dc-800v.json: rectifiers of 800 V on either side, 48 V shelves on bus bars.
    void directCurrentHasLossesAndNoPhases()
    {
        const auto f = built("dc-800v.json");
        const PowerChain& chain = powerChain(*f, PowerBasis::Design);
        const auto at = [&](const char* name) { return named(*f, name); };
        const auto reached = reachedByUtility(*f, chain);
        f->snapshot->devices.forEach([&](DeviceId id) {
            if (chain.network[id.value].draw.count() > 0) QVERIFY(reached[id.value] && chain.flow.live[id.value]);
        });
        Milliwatts trays;
        for (int rack = 1; rack <= 2; ++rack)
            for (int tray = 1; tray <= 8; ++tray)
                trays += chain.network[named(*f, "tray-" + std::to_string(rack) + "-" + std::to_string(tray)).value].draw;
        QVERIFY(trays.count() > 16 * 4'000'000LL);
        for (const char* side : {"a", "b"}) {
            const DeviceId shelf = at((std::string("shelf-1") + side).c_str()), rectifier = at((std::string("rectifier-") + side).c_str());
            QCOMPARE(chain.through(shelf).count(), trays.count() / 4);         // two racks, two sides
            const double share = double(chain.through(shelf).count()) / 110e6; // 48 V shelf: 97.0 % at a quarter of its rating, 98.0 % at half
            const double loss = 110e6 * (0.25 * (1 / 0.97 - 1) + (share - 0.25) / 0.25 * (0.5 * (1 / 0.98 - 1) - 0.25 * (1 / 0.97 - 1)));
            if (share >= 0.25 && share <= 0.5) QVERIFY(std::abs(double((chain.load(shelf) - chain.through(shelf)).count()) - loss) <= 2);
            QVERIFY(chain.load(shelf) > chain.through(shelf));
            QVERIFY(chain.load(rectifier) > chain.through(rectifier));
            QCOMPARE(chain.through(rectifier).count(), 2 * chain.load(shelf).count());
            QVERIFY(takesDirectCurrent(f->parts->device(f->snapshot->devices.type[shelf])));
            QVERIFY(!takesDirectCurrent(f->parts->device(f->snapshot->devices.type[rectifier])));
        }
        // One side alone carries both racks; nothing loses power.
        power::Survey survey(chain.network);
        const auto lost = at("rectifier-a").value;
        const auto impact = survey.lose({&lost, 1});
        for (const auto i : impact.dark) QVERIFY(chain.network[i].draw.count() == 0);
        const power::Flow alone = power::flowOf(chain.network, {&lost, 1});
        QCOMPARE(worstPower(*f, PowerBasis::Design).through(at("rectifier-b")).count(), alone.through[at("rectifier-b").value].total().count());
        QCOMPARE(alone.through[at("shelf-1b").value].total().count(), trays.count() / 2);
        Report::Power power;
        power.basis = PowerBasis::Design;
        addPowerChain(*f, power);
        int direct = 0;
        for (const auto& row : power.chain) direct += row.direct;
        QCOMPARE(direct, 4); // the shelves; a rectifier takes three phases
    }
};

QTEST_GUILESS_MAIN(TestPowerByHand)
#include "test_power_by_hand.moc"
