// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/chain.h"
#include "core/derived/figures/failure_domains.h"
#include "core/derived/figures/figures.h"
#include "core/derived/figures/node_info.h"
#include "core/derived/proof/proof_node.h"
#include "core/derived/proof/reach.h"
#include "core/derived/rules/check.h"
#include "core/foundation/model/document.h"
#include "core/output/exchange/bom.h"
#include "tests/figures/random_edits.h"

#include <QTest>

#include <thread>

using namespace hw;

namespace {

/// Every node of the product. Whoever adds one adds it here; `allNodesAreTested` holds the program against it.
std::vector<const NodeInfo*> testedNodes()
{
    auto nodes = DeriveNodes::infos();
    nodes.push_back(&nodeInfo<SupplyNode>());
    nodes.push_back(&nodeInfo<CordsNode>());
    nodes.push_back(&nodeInfo<TrayLoadNode>());
    nodes.push_back(&nodeInfo<FailureDomainsNode>());
    nodes.push_back(&nodeInfo<FeederDomainsNode>());
    nodes.push_back(&nodeInfo<NicLinksNode>());
    nodes.push_back(&nodeInfo<BomNode>());
    nodes.push_back(&nodeInfo<CoolingChainNode>());
    nodes.push_back(&nodeInfo<FindingsNode>());
    nodes.push_back(&nodeInfo<ProofNode>());
    nodes.push_back(&nodeInfo<ReachNode>());
    return nodes;
}

/// A node that reads where devices stand in their racks and does not say so.
struct ForgetfulNode {
    using Value = std::int64_t;
    static constexpr TextId kName = TextId("forgetful");
    using Inputs = Reads<Nodes<>, Alive<Devices>>;
    static std::shared_ptr<const Value> compute(const Now<ForgetfulNode>& now)
    {
        std::int64_t sum = 0;
        now.snapshot().devices.forEach([&](DeviceId id) { sum += now.snapshot().devices.u[id]; });
        return std::make_shared<const Value>(sum);
    }
};

/// One whose update does less than its compute.
struct LazyNode {
    using Value = std::vector<std::string>;
    static constexpr TextId kName = TextId("lazy");
    using Inputs = Reads<Nodes<>, Alive<Racks>, Columns<&Racks::name>>;
    static std::shared_ptr<const Value> compute(const Now<LazyNode>& now)
    {
        Value names;
        now.snapshot().racks.forEach([&](RackId id) { names.push_back(now.snapshot().racks.name[id]); });
        return std::make_shared<const Value>(std::move(names));
    }
    static std::shared_ptr<const Value> update(const Was<LazyNode>& was, const Now<LazyNode>&, const ChangeSet&) { return was.value(); }
};

/// Edits a design at random and follows it with figures, asking for some of the nodes at every step; says what first differs from
/// figures computed from scratch, and after which edit. An error in a step persists, so a full recomputation now and then suffices.
class Oracle {
public:
    Oracle(Snapshot start, unsigned seed, std::vector<const NodeInfo*> nodes) : m_nodes(std::move(nodes)), m_state(seed)
    {
        m_document.load(std::make_shared<const Snapshot>(std::move(start)));
        m_figures = figuresOf(m_document.snapshot()).value();
        (void)m_figures->prepare(m_nodes, {});
    }

    /// `edit` changes the snapshot and says what it did; then the figures follow.
    template <class Edit>
    std::string step(Edit&& edit, bool all)
    {
        std::string what;
        if (nextRandom() % 8 == 0 && m_document.canUndo()) {
            m_document.undo();
            what = "undo";
        } else if (nextRandom() % 8 == 0 && m_document.canRedo()) {
            m_document.redo();
            what = "redo";
        } else {
            Transaction transaction = m_document.begin("edit");
            what = edit(*transaction, m_state);
            transaction.commit();
        }
        const SnapshotPtr after = m_document.snapshot();
        m_figures = updateFigures(m_figures, after, difference(*m_figures->snapshot, *after, {})).value();
        return compare(what, all);
    }
    std::string compare(const std::string& what, bool all)
    {
        const auto fresh = figuresOf(m_figures->snapshot).value();
        const std::size_t one = nextRandom() % m_nodes.size();
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            if (!all && i != one && nextRandom() % 4 != 0) continue;
            const void* followed = m_figures->value(*m_nodes[i]);
            if ((all || i == one) && !m_nodes[i]->same(followed, fresh->value(*m_nodes[i]))) return words(m_nodes[i]->name) + " after " + what;
        }
        return {};
    }

private:
    unsigned nextRandom() { return test::nextRandom(m_state); }
    std::vector<const NodeInfo*> m_nodes;
    Document m_document;
    FiguresPtr m_figures;
    unsigned m_state;
};

std::string anyEdit(Snapshot& s, unsigned& state)
{
    switch (test::nextRandom(state) % 4) {
    case 0: test::growOrShrink(s, state); return "rows";
    case 1:
        if (s.links.empty()) break;
        test::editAtRandom(s, state);
        return "edit";
    default: break;
    }
    return test::editColumn(s, test::nextRandom(state) % test::columnCount(), state);
}

std::string everyColumn(unsigned seed, const std::vector<const NodeInfo*>& nodes)
{
    Oracle oracle(test::randomSite(seed), seed, nodes);
    for (std::size_t column = 0; column < test::columnCount(); ++column)
        for (int times = 0; times < 2; ++times)
            if (const auto found = oracle.step([&](Snapshot& s, unsigned& state) { return test::editColumn(s, column, state); }, times == 1);
                !found.empty())
                return found;
    return oracle.compare("all", true);
}

} // namespace

class TestNodes : public QObject {
    Q_OBJECT

private slots:
    void allNodesAreTested();
    void editsOfEveryColumn_data();
    void editsOfEveryColumn();
    void editsThatGrowAndShrink_data();
    void editsThatGrowAndShrink();
    void aForgottenInputIsFound();
    void aWrongUpdateIsFound();
    void nothingIsMadeUnasked();
    void whatStandsIsShared();
    void rulesThatStandAreNotRunAgain();
    void manyAskAtOnce();
    void stopped();
    void aValueIsNotKeptForEver();
};

void TestNodes::allNodesAreTested()
{
    const auto tested = testedNodes();
    for (const NodeInfo* node : knownNodes()) {
        if (node->name == ForgetfulNode::kName || node->name == LazyNode::kName) continue;
        QVERIFY2(std::ranges::find(tested, node) != tested.end(), words(node->name).c_str());
        for (const NodeInfo* input : node->nodes) QVERIFY(input->number < node->number);
    }
    QVERIFY(knownNodes().size() >= tested.size());
}

void TestNodes::editsOfEveryColumn_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 0; seed < 3; ++seed) QTest::newRow(qPrintable(QString::number(seed))) << seed;
}

void TestNodes::editsOfEveryColumn()
{
    QFETCH(unsigned, seed);
    QCOMPARE(everyColumn(seed, testedNodes()), std::string());
}

void TestNodes::editsThatGrowAndShrink_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 0; seed < 8; ++seed) QTest::newRow(qPrintable(QString::number(seed))) << seed;
}

void TestNodes::editsThatGrowAndShrink()
{
    QFETCH(unsigned, seed);
    Oracle oracle(test::randomSite(seed), seed + 50, testedNodes());
    for (int step = 0; step < 60; ++step) QCOMPARE(oracle.step(anyEdit, step % 4 == 3), std::string());
    QCOMPARE(oracle.compare("all", true), std::string());
}

void TestNodes::aForgottenInputIsFound()
{
    const auto found = everyColumn(1, {&nodeInfo<ForgetfulNode>()});
    QVERIFY2(found.starts_with("forgetful after "), found.c_str());
}

void TestNodes::aWrongUpdateIsFound()
{
    std::string found;
    for (unsigned seed = 0; seed < 8 && found.empty(); ++seed)
        found = everyColumn(seed, {&nodeInfo<LazyNode>()}); // an edit may change what does not matter
    QVERIFY2(found.starts_with("lazy after "), found.c_str());
}

void TestNodes::nothingIsMadeUnasked()
{
    const auto figures = figuresOf(std::make_shared<const Snapshot>(test::randomSite(3))).value();
    for (const NodeInfo* node : testedNodes()) QCOMPARE(figures->made(*node), node == &nodeInfo<PartsNode>());
    QVERIFY(!makeBom(*figures).lines.empty());
    QVERIFY(figures->made<CablingNode>() && figures->made<UncabledNode>());
    QVERIFY(figures->made<CoolingChainNode>()); // liters of coolant
    QVERIFY(!figures->made<FabricNode>() && !figures->made<FindingsNode>());
    QVERIFY(&makeBom(*figures) == &makeBom(*figures));
    const auto checked = figuresOf(std::make_shared<const Snapshot>(test::randomSite(3))).value();
    QVERIFY(check(*checked, {{"S1"}, {}}).has_value());
    QVERIFY(!checked->made<PowerNode>() && !checked->made<CoolingChainNode>());
}

void TestNodes::whatStandsIsShared()
{
    const auto before = figuresOf(std::make_shared<const Snapshot>(test::randomSite(4))).value();
    QVERIFY(before->prepare(testedNodes(), {}).has_value());
    const auto change = [&](auto&& edit) {
        auto next = std::make_shared<Snapshot>(*before->snapshot);
        edit(*next);
        return updateFigures(before, next, difference(*before->snapshot, *next, {})).value();
    };
    const auto renamed = change([](Snapshot& s) { s.devices.name.set(s.devices.ids().front(), "another"); });
    for (const NodeInfo* node : testedNodes()) // findings and proof speak in names
        QCOMPARE(renamed->made(*node), node != &nodeInfo<FindingsNode>() && node != &nodeInfo<ProofNode>() && node != &nodeInfo<ReachNode>());
    QVERIFY(renamed->cabling == before->cabling && renamed->share<BomNode>() == before->share<BomNode>());

    const auto moved = change([](Snapshot& s) { s.rows.x.set(s.rows.ids().front(), s.rows.x[s.rows.ids().front()] + Millimeters(300)); });
    QVERIFY(moved->fabric == before->fabric && moved->share<IndexNode>() == before->share<IndexNode>());
    QVERIFY(!(moved->placement == before->placement));
    QVERIFY(moved->share<CableIndexNode>() == before->share<CableIndexNode>()); // pairs are the same, only longer
    QVERIFY(moved->snapshot != before->snapshot);
    QVERIFY(moved->share<ProofNode>() == before->share<ProofNode>()); // it is of the cables, wherever things stand

    const auto cut = change([](Snapshot& s) { s.links.erase(s.links.ids().front()); });
    QVERIFY(!(cut->fabric == before->fabric) && !(cut->cabling == before->cabling));
    QVERIFY(cut->placement == before->placement && cut->share<RackKindsNode>() == before->share<RackKindsNode>());
}

void TestNodes::rulesThatStandAreNotRunAgain()
{
    const auto before = figuresOf(std::make_shared<const Snapshot>(test::randomSite(5))).value();
    const RuleFindings& first = before->get<FindingsNode>();
    auto next = std::make_shared<Snapshot>(*before->snapshot);
    next->putSetting("rule.n10.target", "2");
    const auto after = updateFigures(before, next, difference(*before->snapshot, *next, {})).value();
    for (std::size_t i = 0; i < allRules().size(); ++i) {
        const bool same = after->get<FindingsNode>().byRule[i] == first.byRule[i];
        QVERIFY2(same == (allRules()[i].id != "N10"), std::string(allRules()[i].id).c_str());
    }
}

void TestNodes::manyAskAtOnce()
{
    const auto snapshot = std::make_shared<const Snapshot>(test::randomSite(6));
    const auto alone = figuresOf(snapshot).value(), shared = figuresOf(snapshot).value();
    const auto nodes = testedNodes();
    std::vector<std::vector<const void*>> seen(8);
    {
        std::vector<std::jthread> threads;
        for (std::size_t t = 0; t < seen.size(); ++t)
            threads.emplace_back([&, t] {
                for (std::size_t i = 0; i < nodes.size(); ++i) seen[t].push_back(shared->value(*nodes[(i + 3 * t) % nodes.size()]));
            });
    }
    for (std::size_t t = 0; t < seen.size(); ++t)
        for (std::size_t i = 0; i < nodes.size(); ++i) QCOMPARE(seen[t][i], shared->value(*nodes[(i + 3 * t) % nodes.size()]));
    for (const NodeInfo* node : nodes) QVERIFY2(node->same(alone->value(*node), shared->value(*node)), words(node->name).c_str());
}

void TestNodes::stopped()
{
    const auto figures = figuresOf(std::make_shared<const Snapshot>(test::randomSite(7))).value();
    std::stop_source stop;
    stop.request_stop();
    const auto made = figures->prepare<FindingsNode>({stop.get_token(), {}});
    QVERIFY(!made && made.error().code == ErrorCode::Canceled);
    QVERIFY(!figures->made<FindingsNode>());
    std::stop_source later; // in the middle of the rules
    const auto half = figures->prepare<FindingsNode>({later.get_token(), [&](double, std::string_view step) {
                                                          if (step.starts_with("checking N8")) later.request_stop();
                                                      }});
    QVERIFY(!half && half.error().code == ErrorCode::Canceled && !figures->made<FindingsNode>() && figures->made<CablingNode>());
    QVERIFY(check(*figures).has_value()); // whoever asks next gets it
    const auto proof = proofOf(*figures, {stop.get_token(), {}});
    QVERIFY(!proof && proof.error().code == ErrorCode::Canceled && !figures->made<ProofNode>());
    const auto whole = proofOf(*figures);
    QVERIFY(whole && *whole == &figures->get<ProofNode>() && **whole == proveNetworks(*figures->snapshot, *figures->parts).value());
}

/// What nobody asks for during many changes is let go.
void TestNodes::aValueIsNotKeptForEver()
{
    auto figures = figuresOf(std::make_shared<const Snapshot>(test::randomSite(8))).value();
    const std::weak_ptr<const std::vector<TrayLoad>> first = figures->share<TrayLoadNode>();
    for (int i = 0; i < 40; ++i) {
        auto next = std::make_shared<Snapshot>(*figures->snapshot);
        next->rows.x.set(next->rows.ids().front(), Millimeters(1000 + i));
        figures = updateFigures(figures, next, difference(*figures->snapshot, *next, {})).value();
        if (i == 2) QVERIFY(!first.expired());
    }
    QVERIFY(first.expired());
    QVERIFY(figures->get<TrayLoadNode>() == figuresOf(figures->snapshot).value()->get<TrayLoadNode>());
}

QTEST_APPLESS_MAIN(TestNodes)
#include "test_nodes.moc"
