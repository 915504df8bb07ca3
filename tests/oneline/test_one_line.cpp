// SPDX-License-Identifier: GPL-3.0-or-later
#include "chain_sample.h"
#include "core/derived/oneline/one_line_layout.h"
#include "core/design/template/template.h"

#include <QtTest>

#include <algorithm>
#include <random>
#include <set>

using namespace hw;

/// The one-line diagram: what is in it, how it folds, where it stands.
class TestOneLine : public QObject {
    Q_OBJECT

    /// What must be true of every diagram, however it is folded.
    static void checkModel(const OneLineModel& m)
    {
        const OneLine& line = *m.line;
        std::vector<int> seen(line.elements.size(), 0);
        for (std::uint32_t b = 0; b < m.boxes.size(); ++b) {
            Milliwatts load, capacity;
            bool limited = true;
            double share = 0;
            for (const std::uint32_t i : m.boxes[b].members) {
                ++seen[i];
                QCOMPARE(m.boxOf[i], b);
                load += line.elements[i].load;
                capacity += line.elements[i].capacity;
                limited = limited && line.elements[i].capacity.count() > 0;
                share = std::max(share, line.elements[i].share());
            }
            QCOMPARE(m.boxes[b].load.count(), load.count());
            QCOMPARE(m.boxes[b].capacity.count(), limited ? capacity.count() : 0);
            QCOMPARE(m.boxes[b].share, share);
        }
        QVERIFY(std::ranges::all_of(seen, [](int n) { return n == 1; })); // each in exactly one box
        for (const auto& e : m.edges) QVERIFY(m.boxes[e.from].level > m.boxes[e.to].level);
        std::set<std::pair<std::uint32_t, std::uint32_t>> wanted, drawn;
        for (std::uint32_t i = 0; i < line.elements.size(); ++i)
            for (const auto& feed : line.elements[i].feeds) {
                QVERIFY(line.elements[feed.from].level > line.elements[i].level);
                if (m.boxOf[feed.from] != m.boxOf[i]) wanted.emplace(m.boxOf[feed.from], m.boxOf[i]);
            }
        for (const auto& e : m.edges) drawn.emplace(e.from, e.to);
        for (const auto& pair : drawn) QVERIFY(wanted.contains(pair));
    }

    static void checkLayout(const OneLineModel& m, const OneLineLayout& l)
    {
        QCOMPARE(l.boxes.size(), m.boxes.size());
        QCOMPARE(l.lines.size(), m.edges.size());
        for (std::size_t a = 0; a < m.boxes.size(); ++a) {
            QVERIFY(l.boxes[a].x >= -0.001 && l.boxes[a].x + OneLineLayout::kBoxWidth <= l.width + 0.001);
            for (std::size_t b = a + 1; b < m.boxes.size(); ++b)
                if (m.boxes[a].level == m.boxes[b].level)
                    QVERIFY(std::abs(l.boxes[a].x - l.boxes[b].x) >= OneLineLayout::kBoxWidth + OneLineLayout::kGap - 0.001);
        }
        for (const auto& e : m.edges) QVERIFY(l.boxes[e.from].y + OneLineLayout::kBoxHeight < l.boxes[e.to].y);
        for (const auto& line : l.lines) {
            const auto& e = m.edges[line.edge];
            QCOMPARE(line.corners.front().y, l.boxes[e.from].y + OneLineLayout::kBoxHeight);
            QCOMPARE(line.corners.back().y, l.boxes[e.to].y);
            for (std::size_t i = 1; i < line.corners.size(); ++i) {
                const auto &a = line.corners[i - 1], &b = line.corners[i];
                QVERIFY(std::abs(a.x - b.x) < 0.51 || std::abs(a.y - b.y) < 0.001); // level or upright
                QVERIFY(b.y >= a.y - 0.001);                                        // and never back up
            }
        }
    }

private slots:
    void chainStandsLevelByLevel()
    {
        const auto line = test::twoSidedChain(4, 3);
        std::vector<std::int32_t> levels;
        for (const auto& group : line->groups) levels.push_back(group.level);
        // utility, switchgear, transformer, generator (beside it), UPS, switchboard, busway, racks
        QCOMPARE(levels, (std::vector<std::int32_t>{6, 5, 4, 4, 3, 2, 1, 0}));
        QCOMPARE(line->levels, 7);
    }

    void sidesStandBesideEachOther()
    {
        const auto line = test::twoSidedChain(4, 3);
        const auto model = OneLineModel::make(line, OneLineOpen::readable(*line, 4000));
        checkModel(*model);
        const auto layout = OneLineLayout::make(*model);
        checkLayout(*model, layout);
        const auto x = [&](const std::string& name) {
            for (std::uint32_t i = 0; i < line->elements.size(); ++i)
                if (line->elements[i].name == name) return layout.boxes[model->boxOf[i]].x;
            qFatal("no %s", name.c_str());
        };
        for (const char* kind : {"tr", "ups", "board"})
            for (int b = 1; b <= 4; ++b) {
                const std::string n = std::to_string(b);
                QVERIFY(x(kind + n + "-A") < x(kind + n + "-B"));
                if (b > 1) QVERIFY(x(kind + std::to_string(b - 1) + "-B") < x(kind + n + "-A"));
            }
        QVERIFY(x("utility-A") < x("utility-B"));
    }

    void largeChainIsFoldedByBlocks()
    {
        const auto line = test::twoSidedChain(8, 6); // 96 busways, 48 racks
        const auto model = OneLineModel::make(line, OneLineOpen::readable(*line, 4000));
        std::map<std::uint32_t, std::uint32_t> boxes;
        for (const auto& box : model->boxes) ++boxes[box.group];
        QCOMPARE(boxes[2], 16u); // transformers, one by one
        QCOMPARE(boxes[6], 16u); // busways, by board
        QCOMPARE(boxes[7], 8u);  // racks, by pair of boards
        checkModel(*model);
        for (const auto& box : model->boxes)
            if (box.group == 6) QCOMPARE(box.members.size(), std::size_t(6));
        QCOMPARE(words(model->title(*std::ranges::find(model->boxes, 6u, &OneLineBox::group))), "6 busways");
    }

    void hundredsOfTransformersAreFoldedByBuilding()
    {
        const auto line = test::twoSidedChain(64, 4);
        const auto model = OneLineModel::make(line, OneLineOpen::readable(*line));
        QVERIFY(model->boxes.size() < 40);
        checkModel(*model);
        checkLayout(*model, OneLineLayout::make(*model));
    }

    /// A page of 1,600 pixels: as wide as it is allowed to be, and no group folded that would have had room.
    void aPageCanBeRead()
    {
        for (const auto& [blocks, busways] : {std::pair(1, 1), {2, 4}, {4, 3}, {8, 6}, {20, 2}, {64, 4}}) {
            const auto line = test::twoSidedChain(blocks, busways);
            for (const double width : {1000.0, kOneLinePageWidth, 3000.0}) {
                const auto model = OneLineModel::make(line, OneLineOpen::readable(*line, width));
                checkModel(*model);
                const auto layout = OneLineLayout::make(*model);
                QVERIFY2(layout.width <= width, qPrintable(QString("%1 of %2").arg(layout.width).arg(width)));
            }
        }
        const auto small = test::twoSidedChain(2, 2);
        const auto model = OneLineModel::make(small, OneLineOpen::readable(*small, 1600));
        for (const auto& box : model->boxes) QVERIFY(!box.folded());
    }

    /// Three buildings with the same equipment and one with other equipment: the three are one fold where they have no room, and any one of
    /// them can be told apart.
    void likeBuildingsFoldTogether()
    {
        test::ChainSample c;
        c.group(PowerElement::Transformer, "Transformer");
        for (std::uint32_t b = 0; b < 4; ++b)
            for (std::uint32_t n = 0; n < (b == 3 ? 2U : 5U); ++n) {
                c.add("tr" + std::to_string(b) + "-" + std::to_string(n), 'A', 100, 200, 400, {});
                c.line->elements.back().building = BuildingId(b);
            }
        c.group(PowerElement::None, "", true);
        for (std::uint32_t i = 0; i < 17; ++i) {
            c.add("rack" + std::to_string(i), 0, 100, 100, 0, {{i}});
            c.line->elements.back().building = c.line->elements[i].building;
        }
        const auto line = c.done();
        auto open = OneLineOpen::readable(*line, 300);
        const auto folded = OneLineModel::make(line, open);
        QCOMPARE(folded->boxes.size(), std::size_t(4)); // fifteen and two, of transformers and of racks
        QCOMPARE(folded->boxes[folded->boxOf[0]].members.size(), std::size_t(15));
        QCOMPARE(folded->boxes[folded->boxOf[15]].members.size(), std::size_t(2));
        QVERIFY(open.open(*line, ref(BuildingId(1))));
        const auto apart = OneLineModel::make(line, open);
        checkModel(*apart);
        QCOMPARE(apart->boxes.size(), std::size_t(6));
        QCOMPARE(apart->boxes[apart->boxOf[5]].members.size(), std::size_t(5));
        QCOMPARE(apart->boxes[apart->boxOf[0]].members.size(), std::size_t(10));
        QVERIFY(!open.open(*line, ref(BuildingId(9)))); // there is none
    }

    /// What is named stands alone, the rest of its fold stays together.
    void oneElementToldApart()
    {
        const auto line = test::twoSidedChain(8, 6);
        auto open = OneLineOpen::readable(*line);
        const auto before = OneLineModel::make(line, open);
        const auto bus = std::uint32_t(std::ranges::find(line->elements, "bus3-A2", &OneLineElement::name) - line->elements.begin());
        QVERIFY(before->boxes[before->boxOf[bus]].folded());
        QVERIFY(open.open(*line, line->elements[bus].entity));
        const auto model = OneLineModel::make(line, open);
        checkModel(*model);
        QCOMPARE(model->boxes.size(), before->boxes.size() + 1);
        const OneLineBox& box = model->boxes[model->boxOf[bus]];
        QCOMPARE(box.members, (std::vector<std::uint32_t>{bus}));
        QVERIFY(box.around.has_value());
        open.fold(*box.around);
        QVERIFY(OneLineModel::make(line, open)->boxes == before->boxes);
    }

    void openingAndFoldingAreInverse()
    {
        const auto line = test::twoSidedChain(8, 6);
        auto open = OneLineOpen::readable(*line);
        const auto before = OneLineModel::make(line, open);
        const auto fold = std::ranges::find_if(before->boxes, &OneLineBox::folded);
        QVERIFY(fold != before->boxes.end());
        open.keys.insert(fold->key);
        const auto opened = OneLineModel::make(line, open);
        checkModel(*opened);
        QVERIFY(opened->boxes.size() > before->boxes.size());
        const OneLineBox& inner = opened->boxes[opened->boxOf[fold->members.front()]];
        QVERIFY(inner.around.has_value());
        open.fold(*inner.around);
        QVERIFY(OneLineModel::make(line, open)->boxes == before->boxes);
    }

    void revealOpensWhatHides()
    {
        const auto line = test::twoSidedChain(8, 6);
        OneLineOpen open; // everything folded
        const auto last = std::uint32_t(line->elements.size() - 1);
        QVERIFY(OneLineModel::make(line, open)->boxes[OneLineModel::make(line, open)->boxOf[last]].folded());
        open.reveal(*line, last);
        const auto model = OneLineModel::make(line, open);
        QVERIFY(!model->boxes[model->boxOf[last]].folded());
        checkModel(*model);
    }

    /// Networks without any plan: every one is drawn whole, the same each time, whatever is open.
    void anyNetwork()
    {
        std::mt19937 random(7);
        const auto below = [&](std::uint32_t n) { return std::uint32_t(random() % n); };
        for (int round = 0; round < 60; ++round) {
            test::ChainSample c;
            const std::uint32_t groups = 2 + below(6);
            for (std::uint32_t g = 0; g < groups; ++g) {
                c.group(PowerElement(1 + below(10)), "tier", g + 1 == groups);
                for (std::uint32_t n = 1 + below(30); n > 0; --n) {
                    std::vector<OneLineFeed> feeds;
                    const auto here = std::uint32_t(c.line->elements.size());
                    for (std::uint32_t f = below(4); f > 0 && here > 0; --f) {
                        const OneLineFeed feed{below(here), below(3) == 0};
                        if (std::ranges::find(feeds, feed.from, &OneLineFeed::from) == feeds.end() &&
                            !c.line->groups[c.line->elements[feed.from].group].load)
                            feeds.push_back(feed);
                    }
                    c.add("e" + std::to_string(here), std::string("\0ABC", 4)[below(4)], below(900), below(900), below(3) ? 500 : 0, feeds);
                }
            }
            const auto line = c.done();
            auto open = OneLineOpen::readable(*line);
            for (int step = 0; step < 4; ++step) {
                const auto model = OneLineModel::make(line, open), again = OneLineModel::make(line, open);
                checkModel(*model);
                if (QTest::currentTestFailed()) return;
                const auto layout = OneLineLayout::make(*model, 1.8);
                checkLayout(*model, layout);
                if (QTest::currentTestFailed()) return;
                QVERIFY(model->boxes == again->boxes && model->edges == again->edges && layout == OneLineLayout::make(*again, 1.8));
                const OneLineBox& box = model->boxes[below(std::uint32_t(model->boxes.size()))];
                if (box.folded())
                    open.keys.insert(box.key);
                else if (box.around)
                    open.fold(*box.around);
            }
        }
    }

    /// A shipped design: every piece of power equipment and every rack that draws.
    void designIsWhole()
    {
        const auto design = Template::load(HW_RESOURCES "/templates/hpn.yaml");
        QVERIFY(design.has_value());
        const auto catalog = Catalog::load(HW_RESOURCES "/catalog").value();
        const auto snapshot = instantiate(*design, design->complete(std::map<std::string, std::string>{{"segments", "2"}}).value(), catalog);
        QVERIFY2(snapshot.has_value(), snapshot ? "" : snapshot.error().text().c_str());
        const auto figures = computeFigures(*snapshot).value();
        const auto line = OneLine::make(*figures, PowerBasis::Design);
        const Snapshot& s = **snapshot;
        std::set<EntityRef> elements;
        for (const auto& e : line->elements) QVERIFY(elements.insert(e.entity).second);
        std::int64_t drawn = 0, chain = 0;
        s.devices.forEach([&](DeviceId id) {
            const bool power = s.tiers.kind[s.devices.tier[id]] == TierKind::Power;
            chain += power;
            if (power) QVERIFY(elements.contains(ref(id)));
            if (!power) drawn += powerChain(*figures, PowerBasis::Design).network[id.value].draw.count();
        });
        QVERIFY(chain > 100);
        QCOMPARE(line->drawn.count(), drawn);
        checkModel(*OneLineModel::make(line, OneLineOpen::readable(*line)));
        const auto bus = line->elementOf(ref(s.devices.ids().front()));
        QVERIFY(bus != OneLine::kNone); // a server is found in its rack
    }
};

QTEST_APPLESS_MAIN(TestOneLine)
#include "test_one_line.moc"
