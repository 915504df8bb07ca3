// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/check.h"
#include "core/operations/asbuilt/compare_output.h"
#include "core/operations/asbuilt/matching.h"
#include "core/operations/asbuilt/work_order.h"
#include "tests/asbuilt/built_hall.h"
#include "tests/exchange/written_text.h"

#include <QTest>

#include <algorithm>
#include <numeric>

#include <nlohmann/json.hpp>

using namespace hw;
using namespace hw::asbuilt;

namespace {

/// Fewest explanations of some pairs, by trying every way of taking them away: one alone, two kinds at one place, or a whole ring.
int fewestByForce(std::vector<std::pair<bool, PlugPair>> left)
{
    if (left.empty()) return 0;
    const auto first = left.front();
    left.erase(left.begin());
    int best = 1 + fewestByForce(left);
    const auto meet = [](const PlugPair& a, const PlugPair& b) { return a.a == b.a || a.a == b.b || a.b == b.a || a.b == b.b; };
    for (std::size_t i = 0; i < left.size(); ++i)
        if (left[i].first != first.first && meet(left[i].second, first.second)) {
            auto rest = left;
            rest.erase(rest.begin() + std::ptrdiff_t(i));
            best = std::min(best, 1 + fewestByForce(rest));
        }
    for (std::uint32_t chosen = 1; chosen < (1u << left.size()); ++chosen) { // rings: every place once in each kind
        std::vector<std::pair<bool, PlugPair>> ring{first}, rest;
        for (std::size_t i = 0; i < left.size(); ++i) ((chosen >> i) & 1 ? ring : rest).push_back(left[i]);
        std::map<std::uint32_t, std::array<int, 2>> places;
        for (const auto& [kind, pair] : ring) ++places[pair.a][kind], ++places[pair.b][kind];
        if (!std::ranges::all_of(places, [](const auto& at) { return at.second == std::array<int, 2>{1, 1}; })) continue;
        best = std::min(best, 1 + fewestByForce(rest));
    }
    return best;
}

std::map<Kind, int> kindsOf(const Comparison& c)
{
    std::map<Kind, int> all;
    for (const Difference& d : c.differences) ++all[d.kind];
    return all;
}

/// Breaks a hall in ways that do not touch each other: no link, cable or socket twice.
class Breaker {
public:
    Breaker(BuiltHall& hall, unsigned seed) : m_hall(hall), m_random(seed)
    {
        std::set<std::uint32_t> used;
        hall.s().links.forEach([&](LinkId id) { used.insert(hall.s().links.from[id].value), used.insert(hall.s().links.to[id].value); });
        hall.s().ports.forEach([&](PortId id) {
            if (hall.s().ports.medium[id] == Medium::Data && !used.contains(id.value)) m_free.push_back(id);
        });
        std::shuffle(m_free.begin(), m_free.end(), m_random);
    }

    std::size_t pick()
    {
        for (;;) {
            const std::size_t i = m_random() % m_hall.plugs.size();
            if (take(m_hall.plugs[i].link)) return i;
        }
    }
    bool take(LinkId link)
    {
        const auto& s = m_hall.s();
        const auto cable = s.links.cable[link];
        const std::array<std::uint32_t, 3> marks{s.ports.cage[s.links.from[link]].value, s.ports.cage[s.links.to[link]].value,
                                                 cable ? 0x80000000u + (*cable).value : 0xFFFFFFFFu};
        for (const auto m : marks)
            if (m_taken.contains(m)) return false;
        for (const auto m : marks) m_taken.insert(m);
        return true;
    }
    void swap()
    {
        const std::size_t i = pick();
        for (;;) {
            const std::size_t k = pick();
            if (m_hall.s().links.rule[m_hall.plugs[i].link] != m_hall.s().links.rule[m_hall.plugs[k].link]) continue;
            std::swap(m_hall.plugs[i].b, m_hall.plugs[k].b);
            return;
        }
    }
    void miss() { m_hall.plugs[pick()].there = false; }
    BuiltHall::Plug& fast()
    {
        for (;;)
            if (auto& p = m_hall.plugs[pick()]; p.rate >= 100) return p;
    }
    void slow() { fast().rate /= 8; }
    void fewLanes()
    {
        auto& p = fast();
        p.rate /= 2, p.lanes = 2;
    }
    void stranger()
    {
        auto& p = m_hall.plugs[pick()];
        p.there = false;
        m_hall.strangers.emplace_back(p.a, "stranger-" + std::to_string(p.link.value));
    }
    /// Moves the upper plug of a host's cable into a free port whose device `fits`; false where the design has none.
    template <class F>
    bool move(F&& fits)
    {
        const auto& s = m_hall.s();
        std::set<std::pair<std::uint32_t, std::int64_t>> without; // devices, with the network of the port, that no free port fits
        for (int tries = 0; tries < 2000; ++tries) {
            const std::size_t i = m_random() % m_hall.plugs.size();
            const PortId upper = m_hall.plugs[i].b;
            const auto network = s.ports.network[upper];
            const std::pair<std::uint32_t, std::int64_t> at(s.ports.device[upper].value, network ? std::int64_t((*network).value) : -1);
            if (without.contains(at)) continue;
            const auto free = std::ranges::find_if(
                m_free, [&](PortId id) { return s.ports.network[id] == network && fits(s.ports.device[upper], s.ports.device[id]); });
            if (free == m_free.end()) without.insert(at);
            if (free == m_free.end() || !m_hall.plugs[i].there || !take(m_hall.plugs[i].link)) continue;
            m_hall.plugs[i].b = *free;
            m_free.erase(free);
            return true;
        }
        return false;
    }
    /// A cable between two free ports.
    bool extra()
    {
        if (m_free.size() < 2) return false;
        const PortId a = m_free.back(), b = m_free[m_free.size() - 2];
        m_free.resize(m_free.size() - 2);
        m_hall.plugs.push_back({a, b, 0, 0, true, {}});
        return true;
    }

private:
    BuiltHall& m_hall;
    std::mt19937 m_random;
    std::set<std::uint32_t> m_taken;
    std::vector<PortId> m_free;
};

const std::vector<std::pair<const char*, std::map<std::string, std::string>>> kHalls = {
    {"hpn", {{"segments", "1"}, {"tor_uplinks", "4"}, {"backup_hosts", "0"}}},
    {"multi-plane", {}},
    {"nvl72", {{"segments", "1"}}},
    {"rail-optimized-2", {{"segments", "2"}}},
    {"dcn-plus", {{"pods", "1"}, {"segments", "2"}}},
    {"fat-tree-2", {{"segments", "2"}}}};

} // namespace

class TestCompare : public QObject {
    Q_OBJECT

private slots:
    /// Rule D6 reports what comparing reports, follows new captures, and is silent without any.
    void ruleReportsDifferences()
    {
        auto hall = BuiltHall::of("hpn", {{"segments", "1"}, {"tor_uplinks", "4"}, {"backup_hosts", "0"}});
        const auto found = [](const FiguresPtr& figures) { return check(*figures, {{"D6"}, {}}).value().findings; };
        QVERIFY(found(hall.figures).empty());
        const auto observed = [&] {
            auto after = std::make_shared<Snapshot>(hall.s());
            Capture capture;
            capture.sightings = hall.seen();
            store(*after, capture);
            return after;
        };
        QVERIFY(found(figuresOf(observed()).value()).empty());

        std::vector<BuiltHall::Plug*> uplinks;
        for (auto& plug : hall.plugs)
            if (plug.rate == 400) uplinks.push_back(&plug);
        QVERIFY(uplinks.size() > 10);
        uplinks[0]->there = false, uplinks[5]->rate = 100;
        hall.strangers.emplace_back(uplinks[0]->a, "stranger");
        const auto after = observed();
        const auto figures = figuresOf(after).value();
        const auto findings = found(figures);
        const auto compared = compareStored(figures).value();
        QCOMPARE(findings.size(), compared.differences.size());
        QVERIFY(findings.size() >= 2);
        for (const auto& d : compared.differences) {
            const auto same = std::ranges::find(findings, "D6" + d.id.substr(d.id.find('@')), &Finding::id);
            QVERIFY2(same != findings.end(), d.id.c_str());
            QCOMPARE(words(same->message), words(d.message));
            QVERIFY(same->severity == Severity::Error);
            for (const LinkId link : d.links) QVERIFY(std::ranges::find(same->entities, ref(link)) != same->entities.end());
        }

        // A name that fits nothing is a warning, rules for names that cannot be read another one.
        auto odd = std::make_shared<Snapshot>(*after);
        odd->observations.fromDevice.set(odd->observations.ids().back(), "nobody"); // who only says that it looked
        const auto warned = found(figuresOf(odd).value());
        QVERIFY(std::ranges::any_of(warned, [](const Finding& f) { return f.severity == Severity::Warning && f.id == "D6@unmatched"; }));
        odd->putSetting("asbuilt.ports", "swp{n=port{n}");
        const auto unread = found(figuresOf(std::make_shared<Snapshot>(*odd)).value());
        QCOMPARE(unread.size(), std::size_t(1));
        QVERIFY2(words(unread[0].message).find("asbuilt.ports") != std::string::npos, words(unread[0].message).c_str());

        // The kept findings of all rules follow a capture.
        const auto before = hall.figures;
        (void)before->get<FindingsNode>();
        const auto updated = updateFigures(before, after, difference(hall.s(), *after, "capture")).value();
        const auto& all = updated->get<FindingsNode>();
        std::size_t d6 = 0;
        for (const auto& list : all.byRule) d6 += std::size_t(std::ranges::count(*list, "D6", &Finding::rule));
        QCOMPARE(d6, findings.size());
    }

    /// The legs of a breakout share one plug at the switch: what is exchanged is exchanged at the hosts.
    void legsOfABreakoutAreExchangedAtTheirEnds()
    {
        auto hall = BuiltHall::of("hpn", {{"segments", "1"}, {"backup_hosts", "0"}});
        const Snapshot& s = hall.s();
        BuiltHall::Plug* one = nullptr;
        BuiltHall::Plug* other = nullptr;
        for (auto& plug : hall.plugs)
            if (const auto cable = s.links.cable[plug.link]; cable && !other && s.ports.cage[plug.a] != s.ports.cage[plug.b]) {
                if (one && s.links.cable[one->link] == cable && s.ports.cage[one->b] == s.ports.cage[plug.b] &&
                    s.ports.device[one->a] != s.ports.device[plug.a])
                    other = &plug;
                else if (!one || s.links.cable[one->link] != cable)
                    one = &plug;
            }
        QVERIFY(other);
        const std::set<DeviceId> hosts{s.ports.device[one->a], s.ports.device[other->a]};
        std::swap(one->b, other->b);
        const auto c = hall.compare();
        QCOMPARE(c.differences.size(), std::size_t(1));
        QCOMPARE(c.differences[0].work.size(), std::size_t(2));
        for (const auto& step : c.differences[0].work)
            QVERIFY(step.what == WorkStep::Do::Move && hosts.contains(*step.device) && hosts.contains(*step.to));
    }

    /// A host has the leg of another breakout: no order moves the plug at the switch, whose other legs are right.
    void sharedPlugsStay()
    {
        auto hall = BuiltHall::of("hpn", {{"segments", "1"}, {"backup_hosts", "0"}});
        const Snapshot& s = hall.s();
        std::map<CableId, std::vector<BuiltHall::Plug*>> legs;
        for (auto& plug : hall.plugs)
            if (const auto cable = s.links.cable[plug.link]; cable && s.tiers.kind[s.devices.tier[s.ports.device[plug.a]]] == TierKind::Server)
                legs[*cable].push_back(&plug);
        std::erase_if(legs, [](const auto& one) { return one.second.size() < 2; });
        BuiltHall::Plug* one = nullptr;
        BuiltHall::Plug* other = nullptr;
        for (auto& [cable, its] : legs) {
            if (!one)
                one = its[0];
            else if (!other && s.ports.device[its[0]->b] == s.ports.device[one->b] && s.ports.device[its[0]->a] != s.ports.device[one->a])
                other = its[0];
        }
        QVERIFY(one && other && s.ports.cage[one->b] != s.ports.cage[other->b]);
        const DeviceId tor = s.ports.device[one->b];
        one->b = other->b, other->there = false;
        const auto c = hall.compare();
        QVERIFY(!c.differences.empty());
        for (const auto& d : c.differences)
            for (const auto& step : d.work) QVERIFY2(step.what != WorkStep::Do::Move || *step.device != tor, words(d.message).c_str());
        // A breakout that is missing as a whole is plugged in once at the switch, and once at each host.
        auto without = BuiltHall::of("hpn", {{"segments", "1"}, {"backup_hosts", "0"}});
        const auto cable = legs.begin()->first;
        std::size_t links = 0;
        for (auto& plug : without.plugs)
            if (s.links.cable[plug.link] == cable) plug.there = false, ++links;
        const auto missing = without.compare();
        QCOMPARE(missing.differences.size(), std::size_t(1));
        QCOMPARE(missing.differences[0].links.size(), links);
        QCOMPARE(std::ranges::count_if(missing.differences[0].work, [&](const WorkStep& step) { return *step.device == tor; }), std::ptrdiff_t(1));
    }

    /// The plugs of two breakouts exchanged between switches of two rails: two moves, not one for each leg.
    void plugsOfSeveralLegsAreMovedOnce()
    {
        auto hall = BuiltHall::of("hpn", {{"segments", "1"}, {"backup_hosts", "0"}});
        const Snapshot& s = hall.s();
        std::map<CableId, std::vector<BuiltHall::Plug*>> legs;
        for (auto& plug : hall.plugs)
            if (const auto cable = s.links.cable[plug.link]; cable && s.tiers.kind[s.devices.tier[s.ports.device[plug.a]]] == TierKind::Server)
                legs[*cable].push_back(&plug);
        std::erase_if(legs, [](const auto& one) { return one.second.size() < 2; });
        const auto hostsOf = [&](const auto& its) {
            std::set<DeviceId> hosts;
            for (const auto* plug : its) hosts.insert(s.ports.device[plug->a]);
            return hosts;
        };
        const auto& one = legs.begin()->second;
        const auto other = std::ranges::find_if(legs, [&](const auto& its) {
            return s.ports.device[its.second[0]->b] != s.ports.device[one[0]->b] && hostsOf(its.second) == hostsOf(one);
        });
        QVERIFY(other != legs.end() && one.size() == other->second.size());
        for (std::size_t i = 0; i < one.size(); ++i) std::swap(one[i]->b, other->second[i]->b);
        const std::set<DeviceId> tors{s.ports.device[one[0]->b], s.ports.device[other->second[0]->b]};
        const auto c = hall.compare();
        QCOMPARE(c.differences.size(), std::size_t(1));
        QCOMPARE(c.differences[0].work.size(), std::size_t(2));
        for (const auto& step : c.differences[0].work)
            QVERIFY(step.what == WorkStep::Do::Move && tors.contains(*step.device) && tors.contains(*step.to) && *step.device != *step.to);
    }

    void explainsAsFewAsPossible()
    {
        std::mt19937 random(1);
        for (int round = 0; round < 400; ++round) {
            const std::uint32_t places = 4 + random() % 6;
            std::vector<PlugPair> planned, seen;
            for (auto* list : {&planned, &seen}) {
                std::vector<std::uint32_t> order(places);
                std::iota(order.begin(), order.end(), 0);
                std::shuffle(order.begin(), order.end(), random);
                const std::size_t pairs = random() % (places / 2 + 1);
                for (std::size_t i = 0; i < pairs && list->size() < 4; ++i) list->push_back({order[2 * i], order[2 * i + 1]});
            }
            const auto same = [](const PlugPair& a, const PlugPair& b) { return (a.a == b.a && a.b == b.b) || (a.a == b.b && a.b == b.a); };
            std::erase_if(seen, [&](const PlugPair& p) { return std::ranges::any_of(planned, [&](const PlugPair& q) { return same(p, q); }); });
            std::vector<std::pair<bool, PlugPair>> all;
            for (const auto& p : planned) all.emplace_back(true, p);
            for (const auto& p : seen) all.emplace_back(false, p);
            const auto explained = explain(planned, seen, [](std::uint32_t, std::uint32_t) { return 1; });
            QCOMPARE(int(explained.size()), fewestByForce(all));
            std::vector<int> plannedOnce(planned.size()), seenOnce(seen.size());
            for (const auto& one : explained) {
                for (const auto& move : one.moves) ++plannedOnce[move.planned], ++seenOnce[move.seen];
                for (const auto i : one.missing) ++plannedOnce[i];
                for (const auto i : one.extra) ++seenOnce[i];
            }
            QVERIFY(std::ranges::all_of(plannedOnce, [](int n) { return n == 1; }));
            QVERIFY(std::ranges::all_of(seenOnce, [](int n) { return n == 1; }));
        }
    }

    void whatIsBuiltAsDesignedIsClean_data() { halls(); }
    void whatIsBuiltAsDesignedIsClean()
    {
        QFETCH(int, hall);
        const BuiltHall built = BuiltHall::of(kHalls[std::size_t(hall)].first, kHalls[std::size_t(hall)].second);
        const Comparison c = built.compare();
        QVERIFY2(c.clean(), comparisonText(*built.figures, c).c_str());
        std::int64_t matched = 0, unseen = 0;
        for (const auto& n : c.networks) matched += n.asDesigned, unseen += n.unseen;
        QCOMPARE(matched, std::int64_t(built.plugs.size()));
        std::int64_t scaleUp = 0;
        built.s().links.forEach([&](LinkId id) { scaleUp += built.s().ports.medium[built.s().links.from[id]] == Medium::Data; });
        QCOMPARE(unseen, scaleUp - std::int64_t(built.plugs.size())); // what LLDP does not run on
    }

    void findsEveryBreakAndNothingElse_data() { halls(); }
    void findsEveryBreakAndNothingElse()
    {
        QFETCH(int, hall);
        const BuiltHall sound = BuiltHall::of(kHalls[std::size_t(hall)].first, kHalls[std::size_t(hall)].second);
        const Snapshot& s = sound.s();
        int moves = 0, extras = 0;
        for (const unsigned seed : {1u, 2u, 5u}) {
            BuiltHall built(sound.figures);
            Breaker breaker(built, seed);
            std::map<Kind, int> expected;
            for (unsigned i = 0; i < seed; ++i) {
                breaker.swap(), ++expected[Kind::Swapped];
                breaker.miss(), ++expected[Kind::Missing];
                breaker.slow(), ++expected[Kind::WrongSpeed];
                breaker.fewLanes(), ++expected[Kind::DegradedLanes];
                breaker.stranger(), ++expected[Kind::UnknownDevice];
                const auto rail = [&](DeviceId is, DeviceId at) {
                    return s.devices.rail[is] >= 0 && s.devices.rail[at] >= 0 && s.devices.rail[is] != s.devices.rail[at];
                };
                const auto plane = [&](DeviceId is, DeviceId at) {
                    return s.devices.plane[is] >= 0 && s.devices.plane[at] >= 0 && s.devices.plane[is] != s.devices.plane[at];
                };
                const auto isHost = [&](DeviceId id) { return s.tiers.kind[s.devices.tier[id]] == TierKind::Server; };
                const auto networkOf = [&](DeviceId id) { return s.tiers.network[s.devices.tier[id]]; };
                const auto planes = [&](DeviceId id) { return networkOf(id) ? int(s.networks.planes[*networkOf(id)]) : 1; };
                const auto railsOf = [&](DeviceId id) { return networkOf(id) ? int(s.networks.rails[*networkOf(id)]) : 1; };
                const auto tor = [&](DeviceId is, DeviceId at) {
                    return !isHost(is) && !isHost(at) && s.devices.tier[is] == s.devices.tier[at] && is != at;
                };
                if (breaker.move([&](DeviceId is, DeviceId at) { return tor(is, at) && railsOf(is) > 1 && rail(is, at); }))
                    ++expected[Kind::WrongRail], ++moves;
                if (breaker.move([&](DeviceId is, DeviceId at) { return tor(is, at) && planes(is) > 1 && !rail(is, at) && plane(is, at); }))
                    ++expected[Kind::WrongPlane], ++moves;
            }
            for (unsigned i = 0; i < seed; ++i)
                if (breaker.extra()) ++expected[Kind::Extra], ++extras;
            const Comparison c = built.compare();
            const auto found = kindsOf(c);
            if (found != expected) qWarning("%s", comparisonText(*built.figures, c, 500).c_str());
            for (std::size_t k = 0; k < kWords<Kind>.size(); ++k) {
                const auto count = [&](const std::map<Kind, int>& of) {
                    const auto at = of.find(Kind(k));
                    return at == of.end() ? 0 : at->second;
                };
                QVERIFY2(count(found) == count(expected), std::string(kWords<Kind>[k]).c_str());
            }
            for (const Difference& d : c.differences) {
                QVERIFY(!d.work.empty());
                QVERIFY(!d.message.empty());
            }
        }
        if (hall == 0) QVERIFY(moves > 0);
        QVERIFY(extras > 0);
    }

    void ranksByWhatIsAtStake()
    {
        BuiltHall built = BuiltHall::of("hpn", kHalls[0].second);
        Breaker breaker(built, 3);
        for (int i = 0; i < 6; ++i) breaker.miss(), breaker.swap();
        const Comparison c = built.compare();
        for (std::size_t i = 1; i < c.differences.size(); ++i) QVERIFY(c.differences[i - 1].cost.badness() >= c.differences[i].cost.badness());
        QVERIFY(c.differences.front().cost.gpusDegraded.active > 0);
    }

    void tellsWhereToGo()
    {
        BuiltHall built = BuiltHall::of("hpn", kHalls[0].second);
        auto& one = built.plugs.front();
        one.there = false;
        const Comparison c = built.compare();
        QCOMPARE(c.differences.size(), std::size_t(1));
        const auto steps = stepsByRack(built.s(), c);
        QCOMPARE(steps.size(), std::size_t(2));
        for (const auto& step : steps) {
            QVERIFY(!step.at.hall.empty() && !step.at.row.empty() && !step.at.rack.empty() && step.at.u > 0);
            QVERIFY(!step.step->label.empty());
        }
        const std::string csv = test::tableCsv(workTable(*built.figures, c)), sheet = workSheet(*built.figures, c);
        QVERIFY(csv.find("connect") != csv.npos && csv.find(built.device(one.a)) != csv.npos);
        QVERIFY(sheet.find("[ ] connect") != sheet.npos);
        const auto json = comparisonJson(*built.figures, c);
        QCOMPARE(json["counts"]["missing"].get<int>(), 1);
        QCOMPARE(json["as_designed"].get<bool>(), false);
        QCOMPARE(json["differences"][0]["work"].size(), std::size_t(2));
    }

    void aPartialCaptureJudgesOnlyWhatItLookedAt()
    {
        const BuiltHall built = BuiltHall::of("hpn", kHalls[0].second);
        auto all = built.seen();
        const std::string host = built.device(built.plugs.front().a);
        std::erase_if(all, [&](const Sighting& one) { return one.fromDevice != host; });
        const Comparison c = compare(built.figures, all).value();
        QVERIFY2(c.clean(), comparisonText(*built.figures, c).c_str());
        std::int64_t judged = 0;
        for (const auto& n : c.networks) judged += n.asDesigned;
        QVERIFY(judged > 0 && judged < 40);
        std::erase_if(all, [&](const Sighting& one) { return one.fromPort == built.port(built.plugs.front().a); });
        const Comparison broken = compare(built.figures, all).value();
        QCOMPARE(kindsOf(broken), (std::map<Kind, int>{{Kind::Missing, 1}}));
    }

    void namesThatAreNotTheDesignsAreSaid()
    {
        const BuiltHall built = BuiltHall::of("hpn", kHalls[0].second);
        const auto& first = built.plugs.front();
        const Sighting odd{Witness::Lldp, built.device(first.b), built.port(first.b), built.device(first.a), "enp26s0f0np0", 0, 0, {}, "odd", {}, {}};
        const Comparison c = compare(built.figures, std::array{odd}).value();
        QCOMPARE(c.unmatched.size(), std::size_t(1)); // the right host, by a port that nothing leads to
        QVERIFY(!c.clean());
        QVERIFY(c.linkState[first.link.value] == char(LinkState::NotTold));
        Snapshot ruled(built.s());
        ruled.putSetting("asbuilt.ports", "enp26s0f0np0=" + built.port(first.a));
        const Comparison told = compare(figuresOf(std::make_shared<const Snapshot>(std::move(ruled))).value(), std::array{odd}).value();
        QVERIFY(told.linkState[first.link.value] == char(LinkState::AsDesigned));
        QVERIFY(told.unmatched.empty());
    }

    void subPortsCountFromZeroWhereTheyDo()
    {
        const BuiltHall built = BuiltHall::of("hpn", kHalls[0].second);
        std::vector<Sighting> all;
        for (const auto& p : built.plugs)
            for (const bool up : {true, false}) {
                Sighting one{Witness::Lldp, built.device(p.a), built.port(p.a), built.device(p.b), built.port(p.b), 0, 0, {}, "made", {}, {}};
                for (std::string* name : {&one.fromPort, &one.toPort}) { // as Cumulus names them
                    if (!name->starts_with("port")) continue;
                    const auto s = name->rfind('s');
                    *name = "swp" +
                            (s == name->npos ? name->substr(4) : name->substr(4, s - 4) + "s" + std::to_string(std::stoi(name->substr(s + 1)) - 1));
                }
                if (up) std::swap(one.fromDevice, one.toDevice), std::swap(one.fromPort, one.toPort);
                all.push_back(one);
            }
        const Comparison c = compare(built.figures, all).value();
        QVERIFY2(c.clean(), comparisonText(*built.figures, c).c_str());
    }

    void whatIsPlannedLaterIsNotMissing()
    {
        const BuiltHall small = BuiltHall::of("hpn", {{"segments", "1"}, {"tor_uplinks", "4"}}),
                        large = BuiltHall::of("hpn", {{"segments", "2"}, {"tor_uplinks", "4"}});
        const Comparison c = compare(large.figures, small.seen()).value();
        std::int64_t notBuilt = 0;
        for (const auto& n : c.networks) notBuilt += n.notBuilt;
        QVERIFY(notBuilt > 0); // of switches that stand, toward the new segment
        for (const Difference& d : c.differences) {
            const auto network = d.links.empty() ? Maybe<NetworkId>() : large.s().ports.network[large.s().links.from[d.links.front()]];
            const bool backend = network && large.s().networks.kind[*network] == NetworkKind::Backend;
            QVERIFY2(!backend || d.kind != Kind::Missing, words(d.message).c_str());
        }
    }

    void aDeviceThatIsNotSeenAtAll()
    {
        BuiltHall built = BuiltHall::of("hpn", kHalls[0].second);
        const DeviceId host = built.s().ports.device[built.plugs.front().a];
        std::int64_t cables = 0;
        for (auto& p : built.plugs)
            if (built.s().ports.device[p.a] == host) p.there = false, ++cables;
        auto all = built.seen();
        std::erase_if(all, [&](const Sighting& one) { return one.fromDevice == built.s().devices.name[host]; });
        const Comparison planned = compare(built.figures, all).value(); // as far as anybody knows it is not built
        QVERIFY(planned.differences.empty());
        QCOMPARE(planned.notSeen, (std::vector<std::pair<DeviceId, std::int64_t>>{{host, cables}}));
        Snapshot s(built.s());
        s.devices.stage.set(host, Stage::Installed);
        const Comparison installed = compare(figuresOf(std::make_shared<const Snapshot>(std::move(s))).value(), all).value();
        QVERIFY(installed.notSeen.empty());
        std::size_t missing = 0;
        for (const Difference& d : installed.differences) missing += d.links.size();
        QCOMPARE(std::int64_t(missing), cables);
    }

    void sightingsThatDisagree()
    {
        const BuiltHall built = BuiltHall::of("multi-plane", {});
        auto all = built.seen();
        const auto &one = built.plugs[0], &two = built.plugs[1];
        all.push_back(
            {Witness::NetBox, built.device(one.a), built.port(one.a), built.device(two.b), built.port(two.b), 0, 0, {}, "stale.csv:2", {}, {}});
        const Comparison c = compare(built.figures, all).value();
        QVERIFY(c.differences.empty());
        QCOMPARE(c.contradictions.size(), std::size_t(1));
        QCOMPARE(c.contradictions.front().where, std::string("stale.csv:2"));
    }

    void ratesAndLanes()
    {
        QVERIFY(!speedFault(400, 400, 4) && !speedFault(400, 0, 0) && !speedFault(200, 200, 2));
        QCOMPARE(*speedFault(400, 200, 2), Kind::DegradedLanes); // 2xNDR
        QCOMPARE(*speedFault(400, 100, 1), Kind::DegradedLanes);
        QCOMPARE(*speedFault(400, 200, 4), Kind::WrongSpeed); // 4xHDR
        QCOMPARE(*speedFault(200, 100, 1), Kind::DegradedLanes);
        QCOMPARE(*speedFault(200, 100, 0), Kind::WrongSpeed);
        QCOMPARE(*speedFault(200, 400, 4), Kind::WrongSpeed);
    }

    void rulesForNames()
    {
        const auto rules = readNameRules("Ethernet{n}/5 = port{n}s2; node{n}=host-{n}\n eth0=-", "x");
        QCOMPARE(rules.value().size(), std::size_t(3));
        QCOMPARE(*rules.value()[0].apply("Ethernet7/5", true), std::string("port7s2"));
        const auto good = readNameRules("Ethernet{n}/5=port{n}s2; eth0=-; mlx{n}=nic{n/2+1}p{n%2+1}", "x").value();
        QCOMPARE(*good[0].apply("ethernet12/5", true), std::string("port12s2"));
        QVERIFY(!good[0].apply("Ethernet12/1", true));
        QVERIFY(good[1].drops());
        QCOMPARE(*good[2].apply("mlx5", true), std::string("nic3p2"));
        for (const char* bad : {"a", "=b", "a=", "a{n=b", "a{n}=b{m}", "a{n}=b{n/0}", "a=b{n}"}) QVERIFY2(!readNameRules(bad, "x"), bad);
        QCOMPARE(hardwareId("AA-BB-CC-00-11-22"), std::string("aa:bb:cc:00:11:22"));
        QCOMPARE(hardwareId("aabb.cc00.1122"), std::string("aa:bb:cc:00:11:22"));
        QCOMPARE(hardwareId("S-e8ebd30300abcd00"), std::string("0xe8ebd30300abcd00"));
        QVERIFY(hardwareId("host01").empty() && hardwareId("deadbeef").empty());
    }

private:
    static void halls()
    {
        QTest::addColumn<int>("hall");
        for (std::size_t i = 0; i < kHalls.size(); ++i) QTest::newRow(kHalls[i].first) << int(i);
    }
};

QTEST_APPLESS_MAIN(TestCompare)
#include "test_compare.moc"
