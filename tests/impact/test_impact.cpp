// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/impact/impact_output.h"
#include "core/design/template/template.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/places.h"
#include "tests/impact/brute_force.h"
#include "tests/impact/random_plant.h"
#include "tests/impact/slow_clock.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <random>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace hw;
using namespace hw::impact;

namespace {

ModelPtr modelOf(Snapshot s) { return Model::of(computeFigures(std::make_shared<const Snapshot>(std::move(s))).value()).value(); }

ModelPtr modelOfTemplate(const char* name, const std::map<std::string, std::string>& values)
{
    static const Catalog catalog = Catalog::load(HW_RESOURCES "/catalog").value();
    const auto design = Template::load(std::string(HW_RESOURCES "/templates/") + name + ".yaml").value();
    return modelOf(*instantiate(design, design.complete(values).value(), catalog).value());
}

Failing device(DeviceId id) { return {ref(id), -1, -1}; }

Failing named(const Model& model, const std::string& name) { return findFailing(model, name).value(); }

/// Something of any kind that can fail.
Failing anything(const Model& m, std::mt19937& random)
{
    const Snapshot& s = *m.s;
    const auto pick = [&](const auto& table) { return Failing{ref(table.ids()[random() % table.size()]), -1, -1}; };
    switch (random() % 13) {
    case 0: return pick(s.trays);
    case 1: return pick(s.racks);
    case 2: return pick(s.rows);
    case 3: return pick(s.cables);
    case 4: return pick(s.links);
    case 5: return pick(s.ports);
    case 6: return pick(s.cages);
    case 7: return {ref(s.devices.ids()[random() % s.devices.size()]), std::int16_t(random() % 6), -1};
    case 8: return {ref(s.devices.ids()[random() % s.devices.size()]), -1, std::int16_t(random() % 20)};
    case 9: {
        std::vector<DeviceId> plant;
        s.devices.forEach([&](DeviceId id) {
            const TierKind kind = s.tiers.kind[s.devices.tier[id]];
            if (kind == TierKind::Cooling || (kind == TierKind::Power && !s.devices.rack[id])) plant.push_back(id);
        });
        return device(plant[random() % plant.size()]);
    }
    default: return pick(s.devices);
    }
}

bool isUnsupplied(const Model& m, const Failing& f)
{
    const auto& spec = m.parts->device(m.s->devices.type[DeviceId(f.entity.id)]);
    return f.inlet >= int(spec.inlets.size()) || f.outlet >= int(spec.outlets.size());
}

template <class T>
std::set<T> setOf(const std::vector<T>& list)
{
    return {list.begin(), list.end()};
}

std::int64_t cost(const Loss& l)
{
    const auto all = [](const Count& c) { return c.active + c.backup; };
    return all(l.gpusLost) + all(l.hostsLost) + all(l.hostsInterrupted) + all(l.nicsLost) + l.tripped + l.devicesDark + l.equipmentDark +
           l.devicesHot;
}

/// What feeds a device by its way of this number.
DeviceId feederOf(const Model& m, DeviceId id, std::size_t way) { return m.feeds->of(id)[way].supplier; }

DeviceId firstHost(const Model& m)
{
    for (const DeviceId id : m.s->devices.ids())
        if (m.host[id.value] && !m.backup[id.value]) return id;
    return {};
}

} // namespace

class TestImpact : public QObject {
    Q_OBJECT
private slots:
    void condenserWater_data()
    {
        QTest::addColumn<QString>("layout");
        QTest::addColumn<QString>("supply");
        QTest::newRow("chillers cooled by water") << "chiller: chiller-water-1500kw"
                                                  << "30";
        QTest::newRow("plates") << "chiller: exchanger-2000kw, facility_supply_c: 33"
                                << "40";
    }
    /// Water before chillers and plates flows on, whatever fails of them or behind them, and its liters take the heat up. Condenser water takes
    /// some of it only where it flows and is itself not cooled.
    void condenserWater()
    {
        QFETCH(QString, layout);
        QFETCH(QString, supply);
        const QTemporaryDir folder;
        QFile file(folder.filePath("plates.yaml"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(("template: plates\nextends: nvl72\ntitle: t\nsummary: s\nsource: \"s\"\nlayout: {headers: single, cdu_rejector: none, " + layout +
                    ", valve: valve-dn150}\n")
                       .toUtf8());
        file.close();
        const auto design = Template::load(file.fileName().toStdString());
        QVERIFY2(design.has_value(), design ? "" : design.error().text().c_str());
        const Catalog catalog = Catalog::load(HW_RESOURCES "/catalog").value();
        Snapshot s(*instantiate(*design, design->complete({{"segments", "4"}}).value(), catalog).value());
        s.putSetting("cooling.coolant_supply_c", supply.toStdString());
        const ModelPtr model = modelOf(s);
        Study study(model);
        const CoolingChain& chain = *model->coolant.chain;
        const auto stored = [&](const char* name) {
            const auto found = std::ranges::find(chain.loops, std::string(name), &CoolingLoop::name);
            return found == chain.loops.end() ? -1.0 : found->storedJ / found->limitK;
        };
        const auto loop = [&](const char* name) { return *std::ranges::find(chain.loops, std::string(name), &CoolingLoop::name); };
        const double before = stored("hall1 liquid") + stored("facility"), behind = stored("hall1-plant facility"); // J/K
        QVERIFY(before > 1e7 && behind > 1e6);
        const double least = loop("facility").limitK; // of the air, or of coolant supplied at 40 °C that may have 45 °C
        QCOMPARE(least, std::min(10.0, 45 - loop("hall1 liquid").supplyC));
        const double withFans = loop("facility").heatW / (loop("hall1 liquid").heatW + loop("hall1 air").heatW + loop("hall1-electrical air").heatW);
        const auto rides = [&](std::initializer_list<const char*> names) { // joules a kelvin that are taken up until the first limit
            std::vector<Failing> lost;
            for (const char* name : names) lost.push_back(named(*model, name));
            const Effect& e = study.lose(lost);
            return e.coolant.rideThroughMs ? double(*e.coolant.rideThroughMs) / 1000 * toWatts(e.loss.coolingShort) * withFans / least : -1.0;
        };
        const auto near = [](double a, double b) { return std::abs(a - b) < 2e-3 * b; };
        for (const char* one : {"chiller1-01", "tower1-01", "condenser_pump1-01", "facility_valve1-01"}) QCOMPARE(rides({one}), -1.0); // N+1
        QVERIFY(near(rides({"chiller1-01", "chiller1-02"}), before));
        QVERIFY(near(rides({"tower1-01", "tower1-02"}), before + behind));
        for (const char* header : {"condenser_header1", "tower_header1"}) QVERIFY2(near(rides({header}), before), header); // it stands
        QVERIFY(rides({"facility_header1"}) < 0.2 * before); // facility water stands, too
    }
    /// What a report says of the ride-through of loops is what a failure of all that cools them shows.
    void reportAndImpactSayTheSameSeconds()
    {
        std::vector<ModelPtr> models{modelOfTemplate("nvl72", {{"segments", "2"}}), modelOfTemplate("hpn", {{"segments", "1"}}),
                                     modelOfTemplate("nvl36", {}), modelOfTemplate("dcn-plus", {})};
        for (unsigned seed = 0; seed < 40; ++seed) models.push_back(modelOf(test::randomPlant(seed)));
        int air = 0, facility = 0, liquid = 0;
        for (std::size_t n = 0; n < models.size(); ++n) {
            const impact::Model& m = *models[n];
            const CoolingChain& chain = *m.coolant.chain;
            Study study(models[n]);
            const auto lasts = [&](const std::vector<DeviceId>& lost) {
                std::vector<Failing> failing;
                for (const DeviceId id : lost) failing.push_back(device(id));
                const auto ms = study.lose(failing).coolant.rideThroughMs;
                return ms ? double(*ms) / 1000 : -1.0;
            };
            for (std::size_t l = 0; l < chain.loops.size(); ++l) {
                const CoolingLoop& loop = chain.loops[l];
                const bool shortNow = m.coolant.flow.kept[l].count() > 0;
                if (loop.sources.empty() || loop.heatW <= 0 || loop.kind == LoopKind::Liquid || shortNow) continue;
                const double expected = lasts(loop.sources);
                if (expected < 0) continue; // nothing that it cools has heat left
                (loop.kind == LoopKind::Air ? air : facility) += 1;
                QVERIFY2(std::abs(expected - loop.rideThroughS) <= 0.002 + 1e-6 * expected,
                         (std::to_string(n) + " " + loop.name + ": " + std::to_string(loop.rideThroughS) + " reported, " + std::to_string(expected))
                             .c_str());
                if (loop.pumps.empty() || loop.kind != LoopKind::Facility) continue;
                double least = 1e9; // its water stands: each for itself
                for (const CoolingUnit& unit : chain.units) {
                    if (unit.takes != std::int32_t(l) || unit.feeds < 0 || !unit.parts()) continue;
                    const auto fed = std::size_t(unit.feeds);
                    if (chain.loops[fed].kind == LoopKind::Facility) continue;
                    const double removed = chain.loops[fed].heatW - toWatts(m.coolant.flow.kept[fed]); // units may be too small for all of its heat
                    if (removed > 1) least = std::min(least, chain.loops[fed].rideThroughS * chain.loops[fed].heatW / removed);
                }
                const bool elsewhere =
                    std::ranges::any_of(chain.units, [&](const CoolingUnit& unit) { // what it cools is cooled from another loop, too
                        return unit.takes >= 0 && unit.takes != std::int32_t(l) && unit.feeds >= 0 && unit.parts() &&
                               std::ranges::any_of(chain.units, [&](const CoolingUnit& own) {
                                   return own.takes == std::int32_t(l) && own.feeds == unit.feeds && own.parts();
                               });
                    });
                if (least > 1e8 || elsewhere) continue;
                ++liquid;
                const double stands = lasts(loop.pumps);
                QVERIFY2(std::abs(stands - least) <= 0.002 + 1e-6 * least,
                         (std::to_string(n) + " " + loop.name + " without pumps: " + std::to_string(least) + " reported, " + std::to_string(stands))
                             .c_str());
            }
        }
        QVERIFY2(air > 10 && facility > 10 && liquid > 2,
                 (std::to_string(air) + " " + std::to_string(facility) + " " + std::to_string(liquid)).c_str());
    }

    /// A bank of ducts takes along the feeders of the buildings that it leads to, of its side alone.
    void aDuctBankCarriesItsFeeders()
    {
        const auto model = modelOfTemplate("hpn-campus", {});
        const Snapshot& s = *model->s;
        std::map<std::pair<std::string, std::string>, std::set<std::uint32_t>> feeders; // by substation and building: consumers
        s.links.forEach([&](LinkId link) {
            if (s.ports.medium[s.links.from[link]] != Medium::Power) return;
            const DeviceId low = s.ports.device[s.links.from[link]], high = s.ports.device[s.links.to[link]];
            const auto from = buildingOf(s, low), to = buildingOf(s, high);
            if (from && to && *from != *to) feeders[{s.buildings.name[*to], s.buildings.name[*from]}].insert(low.value);
        });
        QVERIFY(feeders.size() >= 14); // seven pods, two sides
        const auto consumers = [&](const std::string& duct) {
            std::set<std::uint32_t> found;
            const std::vector<Failing> one{named(*model, duct)};
            for (const auto& way : failedBy(*model, one).ways) found.insert(way.consumer);
            return found;
        };
        for (const char side : {'a', 'b'}) {
            std::set<std::uint32_t> all;
            for (const auto& [between, own] : feeders) {
                if (between.first != fmt::format("substation-{}", side)) continue;
                all.insert(own.begin(), own.end());
                const std::string hall = between.second == "core-building" ? "core-hall" : between.second + "-hall";
                QVERIFY2(consumers(fmt::format("power-duct-{}-{}-in", side, hall)) == own, between.second.c_str());
            }
            QVERIFY(!all.empty());
            QVERIFY(consumers(fmt::format("power-duct-{}-out", side)) == all);
        }
        Study study(model);
        const Effect& e = study.lose(std::vector<Failing>{named(*model, "power-duct-a-pod3-hall-in")});
        QCOMPARE(e.loss.devicesDark, std::int64_t(0)); // side B carries
        QVERIFY(!e.weakened.empty() || e.loss.redundancyLost > 0 || !e.changed.empty());
    }

    /// A loss told as a difference is the design computed again without the elements.
    void lossesEqualRemovingTheElements()
    {
        std::mt19937 random(3);
        int darkened = 0, heated = 0, cut = 0, degraded = 0, shortOfCooling = 0, narrowed = 0, tripped = 0, interrupted = 0, late = 0;
        for (unsigned seed = 0; seed < 80; ++seed) {
            const auto model = modelOf(test::randomPlant(seed));
            Study study(model);
            for (int round = 0; round < 12; ++round) {
                std::vector<Failing> failing;
                for (unsigned n = 1 + random() % 3; n-- > 0;) failing.push_back(anything(*model, random));
                const Effect& e = study.lose(failing);
                const Failed failed = failedBy(*model, failing);
                const test::SlowCourse course = test::playThrough(*model, failed);
                std::set<DeviceId> gaps;
                for (const auto& gap : course.gaps) gaps.insert(std::get<0>(gap));
                const test::SlowHeatCourse heat = test::playHeat(*model, failed, course);
                const test::Removed expected = test::removeAndCompute(*model, failed, course.tripped, gaps, heat);
                QCOMPARE(setOf(e.tripped), course.tripped);
                tripped += e.loss.tripped > 0, interrupted += e.loss.devicesInterrupted > 0;
                QCOMPARE(setOf(e.dark), expected.dark);
                const auto where = QStringLiteral("seed %1, round %2").arg(seed).arg(round);
                for (std::size_t i = 0; i < e.hot.size(); ++i) {
                    const double since = heat.hot.contains(e.hot[i]) ? heat.hot.at(e.hot[i]) : -1, own = double(e.hotMs[i]) / 1000;
                    const bool same = std::abs(own - since) < 0.003 + 1e-4 * since; // what is out leaves milliwatts there
                    if (!same) qWarning("%s", impactText(study, failing, 100).c_str());
                    QVERIFY2(same, qPrintable(where + QStringLiteral(": %1 s, not %2").arg(own).arg(since)));
                    late += own > 0;
                }
                if (setOf(e.hot) != expected.hot) {
                    std::string text = impactText(study, failing, 100);
                    for (const auto& [id, since] : heat.hot)
                        text += fmt::format("expected {} too hot after {} s\n", model->s->devices.name[id], since);
                    for (std::size_t i = 0; i < e.hot.size(); ++i)
                        text += fmt::format("{} hot after {}\n", model->s->devices.name[e.hot[i]], e.hotMs[i]);
                    qWarning("%s", text.c_str());
                }
                QVERIFY2(setOf(e.hot) == expected.hot, qPrintable(where));
                QCOMPARE(setOf(e.weakened), expected.weakened);
                QCOMPARE(setOf(e.links), expected.links);
                std::map<DeviceId, power::Phases> through;
                for (const auto& change : e.changed) through[DeviceId(change.element)] = change.through;
                QVERIFY(through == expected.through);
                Loss loss = e.loss;
                loss.redundancyLost = 0;
                const auto apart = std::abs((loss.coolingShort - expected.loss.coolingShort).count());
                QVERIFY2(apart <= 200,
                         qPrintable(where + QStringLiteral(": %1 W apart").arg(double(apart) / 1000))); // mW: sums of doubles in another order
                loss.coolingShort = expected.loss.coolingShort;
                QVERIFY2(loss == expected.loss, qPrintable(where));
                std::map<std::pair<int, int>, double> shares;
                for (const auto& share : e.segments)
                    if (share.left < 1) shares[{model->segments[share.segment].pod, model->segments[share.segment].segment}] = share.left;
                QVERIFY(shares == expected.shares);
                darkened += loss.devicesDark > 0, heated += loss.devicesHot > 0, cut += !e.hosts.empty();
                degraded += loss.gpusDegraded.active > 0, shortOfCooling += loss.coolingShort.count() > 0, narrowed += loss.bisectionShare < 1;
            }
        }
        for (const int seen : {darkened, heated, cut, degraded, narrowed, shortOfCooling, tripped, interrupted, late})
            QVERIFY2(seen > 10, qPrintable(QStringLiteral("%1 %2 %3 %4 %5 %6 %7 %8")
                                               .arg(darkened)
                                               .arg(heated)
                                               .arg(cut)
                                               .arg(degraded)
                                               .arg(narrowed)
                                               .arg(shortOfCooling)
                                               .arg(tripped)
                                               .arg(interrupted))); // the designs show every kind of loss
    }

    /// The order in which failures are looked at leaves nothing behind.
    void nothingIsLeftOfTheLastLoss()
    {
        std::mt19937 random(5);
        const auto model = modelOf(test::randomPlant(4));
        Study used(model);
        for (int round = 0; round < 100; ++round) {
            const Failing f = anything(*model, random);
            if (f.entity.kind == EntityKind::Device && isUnsupplied(*model, f)) continue;
            const auto again = impactJson(used, {&f, 1});
            Study fresh(model);
            QCOMPARE(again.dump(), impactJson(fresh, {&f, 1}).dump());
        }
    }

    void oneTorOfHpn()
    {
        const auto model = modelOfTemplate("hpn", {{"segments", "2"}});
        Study study(model);
        const Effect& e = study.lose(named(*model, "pod1-seg01-tor-rail1-plane1"));
        QVERIFY(e.loss.portsLost == (Count{128, 8}));
        QVERIFY(e.loss.nicsHalf == (Count{128, 8}));
        QVERIFY(e.loss.nicsLost == Count{});
        QVERIFY(e.loss.gpusLost == Count{});
        QVERIFY(e.loss.gpusDegraded == (Count{128, 8}));
        QCOMPARE(e.loss.devicesDark, 0);
        QCOMPARE(e.segments.size(), std::size_t(1));
        QCOMPARE(e.segments.front().left, 15.0 / 16);
        // Both ToRs of a rail: its cards are lost, and GPUs go on over the others.
        const std::array both{named(*model, "pod1-seg01-tor-rail1-plane1"), named(*model, "pod1-seg01-tor-rail1-plane2")};
        const Effect& two = study.lose(both);
        QVERIFY(two.loss.nicsLost == (Count{128, 8}));
        QVERIFY(two.loss.nicsHalf == Count{});
        QVERIFY(two.loss.gpusLost == Count{});
    }

    /// Nothing loses power under A and B; the racks run on B alone at their true load.
    void oneBuswayOfHpn()
    {
        const auto model = modelOfTemplate("hpn", {{"segments", "1"}});
        const Model& m = *model;
        const DeviceId host = firstHost(m);
        const DeviceId stripA = feederOf(m, host, 0), stripB = feederOf(m, host, 1);
        const DeviceId a = feederOf(m, stripA, 0), b = feederOf(m, stripB, 0);
        QVERIFY(a != b);
        Study study(model);
        const Effect& e = study.lose(device(a));
        QCOMPARE(e.loss.devicesDark, 0);
        QVERIFY(e.loss.hostsLost == Count{} && e.loss.gpusLost == Count{} && e.loss.gpusDegraded == Count{});
        QVERIFY(std::ranges::binary_search(e.weakened, host));
        std::map<std::uint32_t, std::int64_t> through;
        for (const auto& change : e.changed) through[change.element] = change.through.total().count();
        const RackId rack = *m.s->devices.rack[host];
        QCOMPARE(through.at(stripB.value), m.figures->power->rack(rack).at(m.basis).count());
        const double apart = double((m.chain->through(a) + m.chain->through(b)).count());
        QVERIFY(std::abs(double(through.at(b.value)) - apart) < 0.01 * apart);
        const auto json = impactJson(study, std::array{device(a)});
        QCOMPARE(json["overloaded"].get<int>(), 0);
        QVERIFY(!json["redundancy_lost"].empty());
    }

    /// Half of six 3.3 kW supplies do not carry 14.3 kW: hosts lose power although B lives.
    void hostsWhoseSuppliesAreTooWeak()
    {
        const auto model = modelOfTemplate("rail-optimized-2", {{"server", "hgx-b200"}});
        const Model& m = *model;
        const DeviceId host = firstHost(m);
        const DeviceId strip = feederOf(m, host, 0), busway = feederOf(m, strip, 0);
        std::int64_t hosts = 0;
        m.s->devices.forEach(
            [&](DeviceId id) { hosts += m.host[id.value] && !m.feeds->of(id).empty() && feederOf(m, feederOf(m, id, 0), 0) == busway; });
        Study study(model);
        const Effect& e = study.lose(device(busway));
        QVERIFY(hosts > 0);
        QCOMPARE(e.loss.hostsLost.active, hosts);
        QCOMPARE(e.loss.gpusLost.active, 8 * hosts);
        QCOMPARE(e.loss.devicesDark, hosts);
        const auto json = impactJson(study, std::array{device(busway)});
        QVERIFY(json["cascade"].dump().find("off: remaining power supplies cannot carry") != std::string::npos);
        // One supply alone is reserve.
        const Effect& one = study.lose(named(m, m.s->devices.name[host] + ":PSU1"));
        QVERIFY(one.loss.hostsLost == Count{});
        QCOMPARE(one.weakened, std::vector<DeviceId>{host});
    }

    void rankingIsEverySingleLossWorstFirst()
    {
        const auto model = modelOf(test::randomPlant(7));
        const auto ranked = rankSingles(model).value();
        std::size_t pumps = 0;
        for (const CoolingUnit& unit : model->coolant.chain->units)
            pumps += std::size_t(model->parts->device(model->s->devices.type[unit.device]).cooling.pumps);
        QCOMPARE(ranked.size(), model->s->devices.size() + model->s->trays.size() + pumps);
        Study study(model);
        for (std::size_t i = 0; i < ranked.size(); ++i) {
            QVERIFY(study.lose(ranked[i].element).loss == ranked[i].loss);
            if (i > 0) QVERIFY(ranked[i - 1].loss.badness() >= ranked[i].loss.badness());
        }
    }

    /// No pair that costs more than its two is missed, none is there that does not.
    void pairsAreThoseThatCostMoreTogether()
    {
        std::size_t found = 0;
        for (unsigned seed = 60; seed < 75; ++seed) {
            const auto model = modelOf(test::randomPlant(seed));
            auto elements = singleElements(*model);
            std::erase_if(elements, [&](const Failing& f) { return f.entity.kind == EntityKind::Device && model->host[f.entity.id]; });
            Study study(model);
            std::vector<std::int64_t> alone;
            for (const Failing& f : elements) alone.push_back(cost(study.lose(f).loss));
            std::set<std::pair<EntityRef, EntityRef>> expected, named;
            for (std::size_t a = 0; a < elements.size(); ++a)
                for (std::size_t b = a + 1; b < elements.size(); ++b)
                    if (cost(study.lose(std::array{elements[a], elements[b]}).loss) > alone[a] + alone[b])
                        expected.emplace(elements[a].entity, elements[b].entity);
            const auto pairs = rankPairs(model).value();
            QCOMPARE(pairs.untried, 0);
            for (const auto& pair : pairs.pairs) named.emplace(pair.a.entity, pair.b.entity);
            for (const auto& [a, b] : expected) {
                const std::array both{Failing{a, -1, -1}, Failing{b, -1, -1}};
                if (!named.contains({a, b}))
                    qWarning("%s", (std::to_string(seed) + ":\n" + impactText(study, both) + impactText(study, {both.data(), 1}) +
                                    impactText(study, {both.data() + 1, 1}))
                                       .c_str());
            }
            QCOMPARE(named, expected);
            found += named.size();
            // In parts, each by itself, they come to the same.
            const PairPlan plan = planPairs(model).value();
            std::vector<std::int64_t> more;
            for (std::size_t first = 0; first < plan.pairs.size(); first += 7) {
                const auto part = moreOfPairs(model, plan, first, std::min<std::size_t>(7, plan.pairs.size() - first)).value();
                more.insert(more.end(), part.begin(), part.end());
            }
            const PairRanking parts = rankingOf(model, plan, more).value();
            QCOMPARE(parts.pairs.size(), pairs.pairs.size());
            for (std::size_t i = 0; i < parts.pairs.size(); ++i)
                QVERIFY(parts.pairs[i].a.entity == pairs.pairs[i].a.entity && parts.pairs[i].b.entity == pairs.pairs[i].b.entity &&
                        parts.pairs[i].loss == pairs.pairs[i].loss && parts.pairs[i].more == pairs.pairs[i].more);
            const auto few = rankPairs(model, {}, 3).value();
            QVERIFY(few.tried <= 3 && few.tried + few.untried == pairs.tried);
        }
        QVERIFY(found > 10);
    }

    void linesAreFewAndSayWhatTheyLeaveOut()
    {
        const auto model = modelOfTemplate("hpn", {{"segments", "2"}});
        Study study(model);
        const Failing tor = named(*model, "pod1-seg01-tor-rail1-plane1");
        const Effect& e = study.lose(tor);
        for (const std::size_t most : {1u, 2u, 10u, 1000u}) {
            const Story story = tell(study, e, {&tor, 1}, most);
            QVERIFY(story.redundancy.lines.size() <= most);
            QVERIFY(!story.redundancy.lines.empty());
        }
        QCOMPARE(tell(study, e, {&tor, 1}, 1000).redundancy.leftOut, 0);
    }

    void unknownNamesAreRefused()
    {
        const auto model = modelOf(test::randomPlant(1));
        for (const char* name : {"nothing", "d1:nothing", "storage"}) {
            const auto found = findFailing(*model, name);
            QVERIFY(!found);
            QVERIFY(found.error().code == ErrorCode::Refused);
        }
    }

    void stopsWhenAsked()
    {
        const auto model = modelOf(test::randomPlant(1));
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!rankSingles(model, {stop.get_token(), {}}));
        QVERIFY(!rankPairs(model, {stop.get_token(), {}}));
    }
};

QTEST_GUILESS_MAIN(TestImpact)
#include "test_impact.moc"
