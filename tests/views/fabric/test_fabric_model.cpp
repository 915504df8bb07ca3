// SPDX-License-Identifier: GPL-3.0-or-later
// Groups, counts and places of the fabric drawing against brute force over the tables.
#include "core/derived/figures/figures.h"
#include "core/derived/figures/link_sides.h"
#include "fabric_sample.h"
#include "views/fabric/fabric_columns.h"
#include "views/fabric/fabric_layout.h"
#include "views/fabric/fabric_matrix.h"

#include <QElapsedTimer>
#include <QTest>

#include <cmath>
#include <map>

using namespace hw;
using namespace hw::views;

namespace {

using Kind = FabricBox::Kind;

int boxesIn(const FabricModel& model, int row)
{
    int found = 0;
    for (const int top : model.tops()) found += model.boxes()[std::size_t(top)].row == row;
    return found;
}

/// The box that its coordinates put a device into, found without any of the index's runs.
int boxOf(const FabricModel& model, DeviceId id)
{
    const Snapshot& s = model.index().snapshot();
    const auto inside = [](int at, int from, int to) { return from < 0 || (at >= from && at <= to); };
    int found = -1;
    for (std::size_t i = 0; i < model.boxes().size(); ++i) {
        const FabricBox& box = model.boxes()[i];
        const FabricKey& key = box.key;
        const int lane = model.index().lanes() <= 1 ? -1 : model.index().lanesArePlanes() ? s.devices.plane[id] : s.devices.rail[id];
        if (!box.leaf() || key.tier != s.devices.tier[id].value || key.lane != lane) continue;
        if (!inside(s.devices.pod[id], key.podFrom, key.podTo) || !inside(s.devices.segment[id], key.segmentFrom, key.segmentTo)) continue;
        if (box.whole && (key.podFrom < 0) != (s.devices.pod[id] < 0)) continue;
        if (box.whole && (key.segmentFrom < 0) != (s.devices.segment[id] < 0)) continue;
        if (key.firstDevice != FabricKey::kNoId && (id.value < key.firstDevice || id.value > key.lastDevice))
            continue; // ids rise within a group of a fresh design
        if (found >= 0) return -2;
        found = int(i);
    }
    return found;
}

struct Count {
    std::int64_t links = 0, backup = 0, gbps = 0;
    bool operator==(const Count&) const = default;
};

} // namespace

class TestFabricModel : public QObject {
    Q_OBJECT

    SnapshotPtr m_small = test::design("hpn", {{"pods", 2}, {"segments", 3}, {"tor_uplinks", 12}});
    FabricIndexPtr m_index = FabricIndex::make(m_small, test::backend(*m_small));

private slots:
    /// One pod: 15 segments of servers, 30 blocks of 8 ToRs, one block of 60 aggregation switches and one of
    /// 32 cores a plane; the sums between layers are those of CHECKS P2.
    void onePodBySegmentAndPlane()
    {
        const auto snapshot = test::design("hpn", {});
        const auto index = FabricIndex::make(snapshot, test::backend(*snapshot));
        const auto model = FabricModel::make(index, FabricOpen::readable(*index));
        QCOMPARE(index->rows(), 4);
        const int blocks[] = {15, 30, 2, 2};
        for (int row = 0; row < 4; ++row) QCOMPARE(boxesIn(*model, row), blocks[row]);
        const std::int64_t links[] = {32640, 14400, 960};
        QCOMPARE(index->between().size(), std::size_t(3));
        for (std::size_t i = 0; i < 3; ++i) QCOMPARE(index->between()[i].links, links[i]);
        QCOMPARE(index->between()[0].gbps, 200);
        for (const auto& bundle : model->bundles()) {
            const auto &from = model->boxes()[std::size_t(bundle.a)], &to = model->boxes()[std::size_t(bundle.b)];
            if (from.part.lane >= 0) QCOMPARE(from.part.lane, to.part.lane); // planes never meet
            QCOMPARE(to.row, from.row + 1);
        }
    }

    void campusIsCollapsedToPodsAndFast()
    {
        const auto snapshot = test::design("hpn", {{"pods", 8}});
        QElapsedTimer timer;
        timer.start();
        const auto index = FabricIndex::make(snapshot, test::backend(*snapshot));
        const auto indexed_ms = timer.restart();
        const auto model = FabricModel::make(index, FabricOpen::readable(*index));
        const auto closed_ms = timer.restart();
        QCOMPARE(boxesIn(*model, 0), 8);
        QCOMPARE(boxesIn(*model, 1), 16);
        QCOMPARE(index->links().size(), std::size_t(8 * 48000));
        FabricOpen all;
        for (std::size_t i = 0; i < index->columns().size(); ++i) all.keys.insert(index->columnKey(int(i)));
        timer.restart();
        const auto open = FabricModel::make(index, all);
        const auto layout = FabricLayout::make(*open);
        QCOMPARE(boxesIn(*open, 1), 8 * 15 * 2);
        qInfo("122,880 GPUs: index %lld ms, closed model %lld ms, all segments %lld ms", indexed_ms, closed_ms, timer.elapsed());
    }

    /// Every device in exactly one box; every bundle, port and capacity as a recount of the tables gives it.
    void anyStateAgreesWithARecount()
    {
        std::mt19937 random(20240817);
        const Snapshot& s = *m_small;
        std::vector<FabricIndexPtr> all;
        s.networks.forEach([&](NetworkId id) { all.push_back(FabricIndex::make(m_small, id)); });
        QVERIFY(all.size() >= 4);
        for (std::size_t round = 0; round < 4 * all.size(); ++round) {
            const FabricIndexPtr& index = all[round % all.size()];
            const auto model = FabricModel::make(index, test::randomOpen(*index, random));
            std::vector<int> place(s.devices.nextId(), -1);
            for (std::uint32_t m = 0; m < index->members(); ++m) {
                const DeviceId id = index->device(m);
                place[id.value] = boxOf(*model, id);
                QCOMPARE(place[id.value], model->leafOf(m));
            }
            std::map<std::pair<int, int>, Count> links;
            std::map<int, Count> up, down;
            std::map<int, std::int64_t> used, total;
            std::int64_t peers = 0, peersFound = 0;
            s.ports.forEach([&](PortId id) {
                if (s.ports.network[id] == index->network() && s.ports.medium[id] == Medium::Data) ++total[place[s.ports.device[id].value]];
            });
            s.links.forEach([&](LinkId id) {
                const PortId from = s.links.from[id], to = s.links.to[id];
                if (s.ports.medium[from] != Medium::Data || !(s.ports.network[from] == index->network())) return;
                const LowerEnd side = lowerEnd(s, from, to);
                const bool turned = side == LowerEnd::To;
                const int a = place[s.ports.device[turned ? to : from].value], b = place[s.ports.device[turned ? from : to].value];
                const bool backup = s.links.role[id] == LinkRole::Backup;
                ++used[a], ++used[b];
                if (side == LowerEnd::Neither) peers += s.ports.rate[from].count();
                const int row[] = {model->boxes()[std::size_t(a)].row, model->boxes()[std::size_t(b)].row};
                QVERIFY(side == LowerEnd::Neither ? row[0] == row[1] : row[0] < row[1]);
                if (a == b) return;
                Count& count = links[row[0] == row[1] ? std::pair(std::min(a, b), std::max(a, b)) : std::pair(a, b)];
                ++count.links, count.backup += backup, count.gbps += s.ports.rate[from].count();
                if (side == LowerEnd::Neither) return;
                (backup ? up[a].backup : up[a].gbps) += s.ports.rate[from].count();
                (backup ? down[b].backup : down[b].gbps) += s.ports.rate[from].count();
            });
            std::size_t found = 0;
            for (const auto& bundle : model->bundles()) {
                const auto expected = links.find({bundle.a, bundle.b});
                QVERIFY(expected != links.end());
                QCOMPARE((Count{bundle.links, bundle.backup, bundle.gbps}), expected->second);
                ++found;
            }
            QCOMPARE(found, links.size());
            for (std::size_t i = 0; i < model->boxes().size(); ++i) {
                const FabricBox& box = model->boxes()[i];
                if (!box.leaf()) continue;
                FabricIndex::PortUse ports;
                for (const auto& use : box.sums.ports) ports.total += use.total, ports.used += use.used;
                QCOMPARE(ports.total, total[int(i)]);
                QCOMPARE(ports.used, used[int(i)]);
                peersFound += box.sums.peerGbps;
                QCOMPARE(box.sums.upGbps, up[int(i)].gbps);
                QCOMPARE(box.sums.downGbps, down[int(i)].gbps);
                QCOMPARE(box.sums.backupGbps, down[int(i)].backup);
            }
            QCOMPARE(peersFound, 2 * peers);
        }
    }

    /// Whole tiers say what the report says.
    void tiersAgreeWithTheFigures()
    {
        const auto figures = test::need(computeFigures(m_small));
        for (const auto& network : figures->fabric->networks()) {
            const auto index = FabricIndex::make(m_small, network.id);
            for (const auto& tier : network.tiers) {
                const auto layer = std::ranges::find(index->layers(), tier.id, &FabricIndex::Layer::tier);
                QVERIFY(layer != index->layers().end());
                const std::vector<FabricIndex::Run> runs{{layer->first, layer->last}};
                const auto sums = index->sums(runs);
                QCOMPARE(sums.devices + sums.backup, tier.switches);
                QCOMPARE(sums.upGbps, tier.upGbps);
                QCOMPARE(sums.downGbps, tier.downGbps);
                QCOMPARE(sums.backupGbps, tier.backupGbps);
                for (const auto& ports : tier.ports) {
                    const auto at = std::ranges::find(index->portClasses(), FabricIndex::PortClass{ports.role, ports.rate});
                    const auto& use = sums.ports[std::size_t(at - index->portClasses().begin())];
                    QCOMPARE(use.total, ports.total);
                    QCOMPARE(use.used, ports.used);
                }
            }
        }
    }

    void revealGivesADeviceItsOwnBoxAndFoldTakesIt()
    {
        for (const std::uint32_t member : {0u, 100u, m_index->members() / 2, m_index->members() - 1}) {
            FabricOpen open;
            open.reveal(*m_index, member);
            const auto model = FabricModel::make(m_index, open);
            const FabricBox& box = model->boxes()[std::size_t(model->leafOf(member))];
            QCOMPARE(box.kind, Kind::Device);
            QCOMPARE(m_index->device(box.part.first), m_index->device(member));
            open.fold(*m_index, m_index->columnKey(0));
            const auto& group = m_index->groups()[m_index->groupOf(member)];
            const auto folded = FabricModel::make(m_index, open);
            const FabricBox& around = folded->boxes()[std::size_t(folded->leafOf(member))];
            QVERIFY(around.devices() > 1 || group.column == 0); // the root's own groups stay as they are
        }
    }

    void foldingAPodKeepsItsAggregationOpen()
    {
        int pod = 0, agg = -1;
        for (std::size_t i = 0; i < m_index->columns().size(); ++i)
            if (m_index->columns()[i].kind == FabricIndex::ColumnKind::Pod && !pod) pod = int(i);
        for (std::size_t g = 0; g < m_index->groups().size() && agg < 0; ++g)
            if (m_index->groups()[g].column == pod) agg = int(g);
        const auto& own = m_index->groups()[std::size_t(agg)];
        const FabricKey key = m_index->key({own.layer, own.column, own.lane});
        FabricOpen open;
        open.keys = {m_index->columnKey(0), m_index->columnKey(pod), key};
        const std::uint32_t inSegment = 0;
        open.reveal(*m_index, inSegment);
        open.fold(*m_index, m_index->columnKey(pod));
        QCOMPARE(open.keys, (std::set<FabricKey>{m_index->columnKey(0), key}));
    }

    void matrixCellsAddUp()
    {
        const auto top = FabricMatrix::tiers(*m_index, nullptr);
        QCOMPARE(top.rows.size(), m_index->layers().size());
        for (const auto& sum : m_index->between())
            QCOMPARE(top.at(std::size_t(sum.low), std::size_t(sum.high)).links, sum.links); // one tier a row here
        std::vector<std::pair<FabricIndex::Part, FabricIndex::Part>> steps;
        for (std::size_t r = 0; r < top.rows.size(); ++r)
            for (std::size_t c = 0; c < top.columns.size(); ++c) {
                QCOMPARE(top.at(r, c).links, top.at(c, r).links);
                if (top.at(r, c).links) steps.emplace_back(top.rows[r], top.columns[c]);
            }
        QVERIFY(!steps.empty());
        int cells = 0;
        for (const auto& [row, column] : steps) { // down to single devices, along the first wired cell of each matrix
            FabricIndex::Part a = row, b = column;
            for (int depth = 0; depth < 6; ++depth) {
                std::int64_t expected = 0, sum = 0;
                std::vector<int> owner(m_index->members(), -1);
                for (const auto run : m_index->runs(a)) std::fill(owner.begin() + run.first, owner.begin() + run.last, 0);
                for (const auto run : m_index->runs(b)) std::fill(owner.begin() + run.first, owner.begin() + run.last, 1);
                for (const auto& link : m_index->links()) expected += owner[link.a] >= 0 && owner[link.b] >= 0 && owner[link.a] != owner[link.b];
                const auto m = FabricMatrix::between(*m_index, a, b, nullptr);
                QVERIFY(m.rows.size() <= FabricIndex::kReadable && m.columns.size() <= FabricIndex::kReadable);
                for (const auto& cell : m.cells) sum += cell.links;
                QCOMPARE(sum, expected);
                ++cells;
                bool found = false;
                for (std::size_t r = 0; r < m.rows.size() && !found; ++r)
                    for (std::size_t c = 0; c < m.columns.size() && !found; ++c)
                        if (m.at(r, c).links) a = m.rows[r], b = m.columns[c], found = true;
                QVERIFY(found);
            }
            QCOMPARE(a.last - a.first, 1u); // at the end, two devices
            QCOMPARE(b.last - b.first, 1u);
        }
        QCOMPARE(cells, int(steps.size()) * 6);
    }

    void loadsAreTheBusiestAndTheSum()
    {
        auto flows = std::make_shared<sim::FlowResult>();
        std::mt19937 random(5);
        flows->loadGbps.resize(2 * m_small->links.nextId());
        flows->capacityGbps.assign(flows->loadGbps.size(), 400);
        for (auto& load : flows->loadGbps) load = float(random() % 400);
        flows->capacityGbps[2 * m_index->links()[3].id.value] = flows->capacityGbps[2 * m_index->links()[3].id.value + 1] = 0; // dead
        const auto loads = FabricLoads::make(*m_index, flows);
        std::int64_t dead = 0;
        const auto model = FabricModel::make(m_index, test::randomOpen(*m_index, random), loads);
        for (const auto& bundle : model->bundles()) {
            double up = 0, down = 0, most = 0;
            for (const auto& link : m_index->links()) {
                if (model->leafOf(link.a) != bundle.a || model->leafOf(link.b) != bundle.b) continue;
                up += double(flows->loadGbps[2 * link.id.value]); // tables say from the lower to the higher tier
                down += double(flows->loadGbps[2 * link.id.value + 1]);
                most = std::max({most, flows->utilization(2 * link.id.value), flows->utilization(2 * link.id.value + 1)});
            }
            QCOMPARE(bundle.load.gbps[0], up);
            QCOMPARE(bundle.load.gbps[1], down);
            QVERIFY(std::abs(double(bundle.load.busiest) - most) < 1e-6);
            dead += bundle.load.dead;
        }
        QCOMPARE(dead, 1);
        QCOMPARE(FabricModel::make(m_index, {}, nullptr)->bundles().front().load.busiest, -1.0f);
    }

    void longListsAreCutIntoRanges()
    {
        std::set<FabricColumns::Place> places;
        for (int segment = 0; segment < 1713; ++segment) places.emplace(-1, segment);
        for (int pod = 0; pod < 70; ++pod) places.emplace(pod, -1);
        const auto columns = FabricColumns::make(places);
        std::set<std::tuple<int, int, int, int, int>> keys;
        int segments = 0;
        for (const auto& c : columns.columns) {
            QVERIFY(c.children.size() <= 2 * FabricIndex::kReadable);
            keys.emplace(int(c.kind), c.podFrom, c.podTo, c.segmentFrom, c.segmentTo);
            segments += c.kind == FabricIndex::ColumnKind::Segment;
            for (const int child : c.children)
                QVERIFY(columns.columns[std::size_t(child)].order > c.order && columns.columns[std::size_t(child)].orderEnd <= c.orderEnd);
        }
        QCOMPARE(segments, 1713);
        QCOMPARE(keys.size(), columns.columns.size());
        QCOMPARE(columns.own.size(), places.size() + 1);
    }

    /// Whatever is open: siblings keep their order, nothing overlaps, parts stay inside what holds them.
    void placesAreOrdered()
    {
        std::mt19937 random(77);
        for (int round = 0; round < 20; ++round) {
            const auto model = FabricModel::make(m_index, test::randomOpen(*m_index, random));
            const auto layout = FabricLayout::make(*model);
            std::vector<std::vector<std::pair<double, int>>> rows(std::size_t(m_index->rows()));
            for (std::size_t i = 0; i < model->boxes().size(); ++i) {
                const auto& box = model->boxes()[i];
                const auto& around = box.parent >= 0 ? layout.boxes[std::size_t(box.parent)] : layout.columns[std::size_t(box.column)];
                QVERIFY(layout.boxes[i].width > 0);
                QVERIFY(layout.boxes[i].x >= around.x - 1e-6 && layout.boxes[i].right() <= around.right() + 1e-6);
                if (box.leaf()) rows[std::size_t(box.row)].emplace_back(layout.boxes[i].x, int(i));
            }
            for (auto& row : rows) {
                std::ranges::sort(row);
                for (std::size_t i = 1; i < row.size(); ++i) {
                    const auto &a = model->boxes()[std::size_t(row[i - 1].second)], &b = model->boxes()[std::size_t(row[i].second)];
                    QVERIFY(layout.boxes[std::size_t(row[i - 1].second)].right() <= row[i].first + 1e-6);
                    QVERIFY(a.runs.front().first < b.runs.front().first); // the order of the devices, whatever is open
                }
            }
        }
    }

    /// Opening one pod widens it: what stands left of it stays, what stands right moves as one.
    void openingMovesOthersTogether()
    {
        const auto snapshot = test::design("hpn", {{"pods", 4}, {"segments", 4}, {"tor_uplinks", 12}});
        const auto index = FabricIndex::make(snapshot, test::backend(*snapshot));
        FabricOpen open;
        open.keys.insert(index->columnKey(0));
        const auto before = FabricModel::make(index, open);
        const auto was = FabricLayout::make(*before);
        const auto pods = index->columns()[0].children;
        open.keys.insert(index->columnKey(pods[1]));
        const auto after = FabricModel::make(index, open);
        const auto is = FabricLayout::make(*after);
        const auto at = [](const FabricLayout& layout, int column) { return layout.columns[std::size_t(column)]; };
        QCOMPARE(at(is, pods[0]).x, at(was, pods[0]).x);
        QCOMPARE(at(is, pods[0]).width, at(was, pods[0]).width);
        QCOMPARE(at(is, pods[1]).x, at(was, pods[1]).x);
        QVERIFY(at(is, pods[1]).width > at(was, pods[1]).width);
        const double shift = at(is, pods[2]).x - at(was, pods[2]).x;
        QVERIFY(shift > 0);
        QVERIFY(std::abs(at(is, pods[3]).x - at(was, pods[3]).x - shift) < 1e-9);
        QCOMPARE(at(is, pods[3]).width, at(was, pods[3]).width);
        // The way there starts where things were and ends where they are.
        const auto start = FabricLayout::between(*before, was, *after, is, 0), end = FabricLayout::between(*before, was, *after, is, 1);
        for (std::size_t i = 0; i < after->boxes().size(); ++i) {
            const auto old = was.boxes[std::size_t(before->leafOf(after->boxes()[i].runs.front().first))];
            QVERIFY(start.boxes[i].x >= old.x - 1e-6 && start.boxes[i].right() <= old.right() + 1e-6);
            QCOMPARE(end.boxes[i].x, is.boxes[i].x);
        }
        open.fold(*index, index->columnKey(pods[1]));
        QCOMPARE(FabricLayout::make(*FabricModel::make(index, open)).width, was.width);
    }

    void anEmptyNetworkIsNoTrouble()
    {
        auto empty = std::make_shared<Snapshot>();
        const NetworkId id = empty->networks.insert();
        empty->networks.name.set(id, "spare");
        const auto index = FabricIndex::make(empty, id);
        const auto model = FabricModel::make(index, FabricOpen::readable(*index));
        QVERIFY(model->boxes().empty());
        QCOMPARE(FabricLayout::make(*model).width, 0.0);
        QVERIFY(FabricMatrix::tiers(*index, nullptr).rows.empty());
    }
};

QTEST_GUILESS_MAIN(TestFabricModel)
#include "test_fabric_model.moc"
