// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/hydraulics/checks.h"
#include "made_network.h"

#include <QTest>

#include <random>

using namespace hw;
using namespace hw::hydraulics;

namespace {

/// Another way to the answer, without states, matrices and derivatives: every link's flow over the heads at its ends in closed
/// form, what would flow back reduced to a leak, and head after head by bisection until nothing moves.
class HeadByHead {
public:
    explicit HeadByHead(const Network& net) : m_net(net), m_head(net.nodes.size(), 10)
    {
        for (std::size_t n = 0; n < m_head.size(); ++n)
            if (net.nodes[n].fixed) m_head[n] = net.nodes[n].headM;
    }

    /// False where a demand cannot be met.
    bool settle()
    {
        for (int sweep = 0; sweep < 20'000; ++sweep) {
            double moved = 0;
            for (Index n = 0; n < m_head.size(); ++n)
                if (!m_net.nodes[n].fixed) moved = std::max(moved, settle(n));
            if (moved < 1e-9) break;
        }
        for (Index n = 0; n < m_head.size(); ++n)
            if (!m_net.nodes[n].fixed && std::abs(surplus(n)) > 0.01 * kLiter) return false;
        return true;
    }
    [[nodiscard]] double flow(std::size_t l) const
    {
        const Link& link = m_net.links[l];
        const double across = m_head[link.from] - m_head[link.to];
        if (!link.open) return 0;
        if (link.kind == LinkKind::Pump) {
            const double slope = (link.curve[0].headM - link.curve[1].headM) / link.curve[1].flowM3s, above = across + link.curve[0].headM;
            return above > 0 ? above / slope : kLeak * above;
        }
        const double perSquare = link.lossPa / (kGravity * m_net.densityKgM3) / (link.atM3s * link.atM3s);
        const double q = std::copysign(std::sqrt(std::abs(across) / perSquare), across);
        return link.checkValve && across < 0 ? kLeak * across : q;
    }

private:
    static constexpr double kLeak = 1e-10;
    const Network& m_net;
    std::vector<double> m_head;

    double settle(Index n)
    {
        const double before = m_head[n];
        double low = -3000, high = 3000;
        for (int i = 0; i < 60; ++i) {
            m_head[n] = (low + high) / 2;
            (surplus(n) > 0 ? low : high) = m_head[n];
        }
        if (m_head[n] < -2999 && surplus(n) == 0) m_head[n] = before; // nothing reaches it
        return std::abs(m_head[n] - before);
    }
    [[nodiscard]] double surplus(Index n) const
    {
        double sum = -m_net.nodes[n].demandM3s;
        for (std::size_t l = 0; l < m_net.links.size(); ++l)
            if (m_net.links[l].to == n)
                sum += flow(l);
            else if (m_net.links[l].from == n)
                sum -= flow(l);
        return sum;
    }
};

} // namespace

/// Check valves, shut valves and pumps against what does not give way.
class TestFlowStates : public QObject {
    Q_OBJECT

private slots:
    void checkValveAgainstFlow()
    {
        Made made;
        const Index low = made.fixed("low", 1), high = made.fixed("high", 10);
        made.square("cv", low, high, 1).checkValve = true;
        Solution s = made.solved();
        QCOMPARE(s.flowM3s[0], 0.0);
        QCOMPARE(s.state[0], LinkState::Held);
        std::swap(made.net.links[0].from, made.net.links[0].to);
        s = made.solved();
        QVERIFY(isNear(lps(s, 0), 3, 1e-4) && s.state[0] == LinkState::Open);
    }

    /// Two pumps side by side, each with its check valve: the weak one is held when the strong one is above its shut-off.
    void weakPumpBesideAStrongOne()
    {
        Made made;
        const Index a = made.fixed("A", 0), b = made.junction("B"), m = made.junction("M");
        made.pump("weak", a, m, {{0, 10}, {5, 5}}), made.pipe("cv", m, b, 1, 100).checkValve = true;
        made.pump("strong", a, b, {{0, 40}, {5, 20}}), made.square("r", b, a, 10);
        const Solution s = made.solved();
        QCOMPARE(s.flowM3s[0], 0.0);
        QVERIFY(lps(s, 2) > 1 && isNear(s.flowM3s[2], s.flowM3s[3], 1e-9));
        QVERIFY(isNear(s.headM[m], 10, 1e-3) || isNear(s.headM[m], s.headM[b], 1e-3)); // held on one side of M or on both
    }

    void pumpAgainstAShutValve()
    {
        Made made;
        const Index a = made.fixed("A", 2), b = made.junction("B"), c = made.junction("C");
        made.pump("P", a, b, {{3, 30}}), made.square("shut", b, c, 1).open = false, made.square("back", c, a, 1);
        Solution s = made.solved();
        QCOMPARE(s.state[1], LinkState::Shut);
        QVERIFY(isNear(lps(s, 0), 0, 1e-6) && isNear(s.headM[b], 42, 1e-4) && isNear(s.headM[c], 2, 1e-6)); // at its shut-off
        QVERIFY(s.cutOff.empty());
        made.net.links[0].curve = {{0, 25}, {3 * kLiter, 20}};
        s = made.solved();
        QVERIFY(isNear(s.headM[b], 27, 1e-4));
    }

    void pumpThatDoesNotReach()
    {
        Made made;
        const Index a = made.fixed("A", 0), b = made.fixed("B", 50);
        made.pump("P", a, b, {{3, 30}}); // 40 m at most
        const Solution s = made.solved();
        QCOMPARE(s.state[0], LinkState::Held);
        QCOMPARE(s.flowM3s[0], 0.0);
    }

    /// A rack between two shut valves: nothing flows, its head is nobody's business; the rest is as if it were not there.
    void rackShutOff()
    {
        Made made;
        const Index a = made.fixed("A", 0), d = made.junction("D"), x = made.junction("X"), y = made.junction("Y");
        made.pump("P", a, d, {{0, 40}, {5, 20}}), made.square("rack1", d, a, 3);
        made.square("v1", d, x, 1).open = false, made.square("rack2", x, y, 3), made.square("v2", y, a, 1).open = false;
        const Solution s = made.solved();
        QCOMPARE(s.cutOff, (std::vector<Index>{x, y}));
        QVERIFY(isNear(lps(s, 3), 0, 1e-9) && isNear(lps(s, 0), lps(s, 1), 1e-9));
        made.net.links[2].open = true; // one end: the rack is under pressure and still
        const Solution t = made.solved();
        QVERIFY(t.cutOff.empty() && isNear(t.headM[y], t.headM[d], 1e-6) && isNear(lps(t, 3), 0, 1e-9) && isNear(lps(t, 0), lps(s, 0), 1e-6));
        made.net.nodes[y].demandM3s = kLiter, made.net.links[2].open = false;
        const auto dry = solve(made.net);
        QVERIFY(!dry);
        QCOMPARE(dry.error().code, ErrorCode::Refused);
        QVERIFY(words(dry.error().what).find("X, Y") != std::string::npos);
    }

    /// A pump that stirs a part of its own behind shut valves.
    void loopWithoutOutside()
    {
        Made made;
        const Index a = made.fixed("A", 7), x = made.junction("X"), y = made.junction("Y");
        made.square("v", a, x, 1).open = false, made.pump("P", x, y, {{0, 40}, {5, 20}}), made.square("r", y, x, 6);
        const Solution s = made.solved();
        QVERIFY(isNear(lps(s, 1), 2.2702, 1e-3) && isNear(lps(s, 1), lps(s, 2), 1e-9)); // 40 - 4q = 6q²
        QCOMPARE(s.cutOff.size(), std::size_t(2));
    }

    /// A part between check valves: water may enter or leave it when somebody draws or gives.
    void betweenCheckValves()
    {
        Made made;
        const Index a = made.fixed("A", 10), b = made.fixed("B", 12), x = made.junction("X"), y = made.junction("Y");
        made.square("in", a, x, 1).checkValve = true, made.square("xy", x, y, 1), made.square("out", y, b, 1).checkValve = true;
        Solution s = made.solved();
        QVERIFY(isNear(lps(s, 1), 0, 1e-6) && s.headM[x] > 9.999 && s.headM[x] < 12.001);
        made.net.nodes[y].demandM3s = kLiter;
        s = made.solved();
        QVERIFY(isNear(lps(s, 0), 1, 1e-6) && isNear(s.headM[y], 8, 1e-3) && s.state[2] == LinkState::Held);
        made.net.nodes[y].demandM3s = -kLiter;
        s = made.solved();
        QVERIFY(isNear(lps(s, 2), 1, 1e-6) && isNear(s.headM[y], 13, 1e-3) && s.state[0] == LinkState::Held);
        made.net.nodes[0].headM = 20; // and by itself when it is pushed
        made.net.nodes[y].demandM3s = 0;
        s = made.solved();
        QVERIFY(isNear(lps(s, 0), std::sqrt(8.0 / 3), 1e-4) && isNear(lps(s, 2), lps(s, 0), 1e-9));
    }

    /// Small networks with check valves, shut valves and pumps: against another way to the answer.
    void bruteForce()
    {
        std::mt19937 random(5);
        const auto pick = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
        int compared = 0, cut = 0;
        for (int run = 0; run < 400; ++run) {
            Made made;
            const int n = pick(2, 4);
            made.fixed("n0", pick(0, 30));
            for (int i = 1; i < n; ++i)
                if (pick(0, 3) == 0)
                    made.fixed("n" + std::to_string(i), pick(0, 30));
                else
                    made.junction("n" + std::to_string(i), pick(0, 2) ? 0 : pick(-1, 1));
            const auto join = [&](Index a, Index b) {
                const std::string id = "l" + std::to_string(made.net.links.size());
                if (pick(0, 3) == 0)
                    made.pump(id, a, b, {{0, double(pick(5, 30))}, {double(pick(2, 6)), 2}});
                else
                    made.square(id, a, b, pick(1, 20)).checkValve = pick(0, 1);
                if (pick(0, 6) == 0) made.net.links.back().open = false;
            };
            for (int i = 1; i < n; ++i) pick(0, 1) ? join(Index(pick(0, i - 1)), Index(i)) : join(Index(i), Index(pick(0, i - 1)));
            for (int i = pick(0, 2); i-- > 0;)
                if (const auto a = Index(pick(0, n - 1)), b = Index(pick(0, n - 1)); a != b) join(a, b);
            const auto s = solve(made.net);
            HeadByHead wanted(made.net);
            const bool possible = wanted.settle();
            if (!s) QVERIFY2(s.error().code == ErrorCode::Refused, s.error().text().c_str());
            QVERIFY2(possible == s.has_value(), qPrintable(QString("run %1").arg(run)));
            if (!s) {
                ++cut;
                continue;
            }
            for (std::size_t l = 0; l < made.net.links.size(); ++l)
                QVERIFY2(isNear(lps(*s, l), wanted.flow(l) / kLiter, 2e-3), qPrintable(QString("run %1 link %2").arg(run).arg(l)));
            ++compared;
        }
        QVERIFY(compared > 200 && cut > 10);
    }

    /// Many racks with check valves on a header with two pumps, one of them off: far more states than can be tried.
    void manyCheckValves()
    {
        std::mt19937 random(3);
        const auto pick = [&](double from, double to) { return std::uniform_real_distribution<double>(from, to)(random); };
        for (int run = 0; run < 20; ++run) {
            Made made;
            const Index a = made.fixed("A", 10), d = made.junction("D");
            for (int p = 0; p < 3; ++p) {
                const Index m = made.junction("M" + std::to_string(p));
                made.pump("P" + std::to_string(p), a, m, {{0, pick(20, 60)}, {60, 10}}).open = p > 0 || run % 2;
                made.pipe("c" + std::to_string(p), m, d, 2, 150).checkValve = true;
            }
            Index supply = d, back = a;
            for (int i = 0; i < 60; ++i) {
                const std::string n = std::to_string(i);
                const Index s = made.junction("S" + n), r = made.junction("R" + n);
                made.pipe("s" + n, supply, s, 1, 150), made.pipe("r" + n, r, back, 1, 150);
                Link& k = made.pipe("k" + n, s, r, 4, 28, 25);
                if (pick(0, 1) < 0.5) k.checkValve = true;
                if (pick(0, 1) < 0.2) std::swap(k.from, k.to);
                if (pick(0, 1) < 0.1) k.open = false;
                supply = s, back = r;
            }
            QVERIFY(made.solved().certificate.ok());
        }
    }

    /// A certificate that cannot fail proves nothing.
    void certificateFails()
    {
        Made made;
        const Index a = made.fixed("A", 10), b = made.junction("B", 1), c = made.fixed("C", 20);
        made.square("ab", a, b, 1), made.square("bc", b, c, 1).checkValve = true;
        const Solution s = made.solved();
        QVERIFY(certify(made.net, s).ok());
        Solution wrong = s;
        wrong.flowM3s[0] += 1e-9;
        QVERIFY(!certify(made.net, wrong).ok());
        wrong = s, wrong.headM[b] += 1e-5;
        QVERIFY(!certify(made.net, wrong).ok());
        wrong = s, wrong.headM[b] = 21;
        QVERIFY(certify(made.net, wrong).backwardM > 0.9);
    }

    void stops()
    {
        Made made;
        const Index a = made.fixed("A", 10), b = made.junction("B", 1);
        made.square("ab", a, b, 1);
        std::stop_source source;
        source.request_stop();
        QCOMPARE(solve(made.net, source.get_token()).error().code, ErrorCode::Canceled);
    }

    void brokenNetworks()
    {
        const auto code = [](const Made& made) {
            const auto s = solve(made.net);
            return s ? ErrorCode::Canceled : s.error().code;
        };
        Made made;
        QCOMPARE(code(made), ErrorCode::Unreadable); // empty
        const Index a = made.fixed("A", 1), b = made.junction("B");
        made.pipe("p", a, b);
        QCOMPARE(code(made), ErrorCode::Canceled); // fine
        const auto broken = [&](auto change) {
            Made other = made;
            change(other.net);
            return code(other) == ErrorCode::Unreadable;
        };
        QVERIFY(broken([](Network& n) { n.links[0].diameterM = -1; }));
        QVERIFY(broken([](Network& n) { n.links[0].diameterM = 0; }));
        QVERIFY(broken([](Network& n) { n.links[0].lengthM = std::nan(""); }));
        QVERIFY(broken([](Network& n) { n.links[0].lengthM = 0; }));
        QVERIFY(broken([](Network& n) { n.links[0].roughnessM = 0.03; }));
        QVERIFY(broken([](Network& n) { n.links[0].to = 9; }));
        QVERIFY(broken([](Network& n) { n.links[0].to = 0; }));
        QVERIFY(broken([](Network& n) { n.links.push_back(n.links[0]); }));
        QVERIFY(broken([](Network& n) { n.nodes[1].id = "A"; }));
        QVERIFY(broken([](Network& n) { n.nodes[0].fixed = false; }));
        QVERIFY(broken([](Network& n) { n.nodes[0].headM = std::numeric_limits<double>::infinity(); }));
        QVERIFY(broken([](Network& n) { n.nodes[1].demandM3s = std::nan(""); }));
        QVERIFY(broken([](Network& n) { n.viscosityM2s = 0; }));
        QVERIFY(broken([](Network& n) { n.links[0].kind = LinkKind::Pump; }));
        QVERIFY(broken([](Network& n) { n.links[0].kind = LinkKind::Valve; }));
        QVERIFY(broken([](Network& n) { n.nodes.push_back({"alone", false, 0, 0, 0}); }));
    }
};

QTEST_GUILESS_MAIN(TestFlowStates)
#include "test_flow_states.moc"
