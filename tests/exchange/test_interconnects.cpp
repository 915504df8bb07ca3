// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cabling/cabling.h"
#include "core/output/interconnects/interconnects.h"
#include "tests/figures/small_hall.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

using namespace hw;
using test::SmallHall;

namespace {

/// A host and two switches in one rack, a third switch in another row; two cables of 400G there, one within the rack.
struct MappedHall : SmallHall {
    MappedHall()
    {
        const RowId near = addRow(2000, 2000), far = addRow(2000, 8000);
        addRowTray(near, 10000), addRowTray(far, 10000);
        addSpine(hall, {1500, 1000, 3300}, {1500, 12000, 3300});
        const RackId rack = addRack(near, 0), other = addRack(far, 0);
        addServer(rack, 10);
        const DeviceId low = addSwitch(torTier, rack, 30), beside = addSwitch(torTier, rack, 34), high = addSwitch(aggTier, other, 30);
        join(low, high), join(low, high), join(low, beside);
    }
};

const DesignInterconnect* between(const InterconnectMap& map, InterconnectLevel level)
{
    const auto at = std::ranges::find(map.links, level, &DesignInterconnect::level);
    return at == map.links.end() ? nullptr : &*at;
}

} // namespace

class TestInterconnects : public QObject {
    Q_OBJECT

private slots:
    void linksOfTheDesign()
    {
        const MappedHall h;
        const auto figures = h.figures();
        const InterconnectMap map = interconnectsOf(*figures);
        QVERIFY(map.accelerators == 8);
        QCOMPARE(map.links.size(), std::size_t(3));
        const auto* domain = between(map, InterconnectLevel::Host); // eight GPUs with 200 GB/s in one direction
        QVERIFY(domain && domain->links == 8 && domain->gbytesPerS == 200 && domain->gbytesPerSPerGpu == 200 && domain->longestM > 0.5);
        const auto* up = between(map, InterconnectLevel::Hall);
        QVERIFY(up && up->links == 2 && up->gbytesPerS == 50 && up->gbytesPerSPerGpu == 2 * 50.0 / 8);
        const auto* in = between(map, InterconnectLevel::Rack);
        QVERIFY(in && in->links == 1 && in->longestM > 0 && in->longestM < up->shortestM);
        const Cabling& cabling = *figures->cabling;
        QCOMPARE(up->longestM * 1000, double(cabling.longestMm()));
        QVERIFY(up->reachM >= up->longestM && !up->media.empty());
        QVERIFY(std::ranges::is_sorted(map.links, std::greater(), &DesignInterconnect::gbytesPerSPerGpu));
    }

    /// What SVG and window draw: every technology, and the links of the design with their lengths.
    void marks()
    {
        const MappedHall h;
        InterconnectMap map = interconnectsOf(*h.figures());
        const auto drawn = interconnectMarks(map);
        QCOMPARE(drawn.size(), interconnectKinds().size() + map.links.size());
        for (const auto& mark : drawn) {
            if (!mark.ofDesign) {
                QCOMPARE(mark.toM, interconnectKinds()[mark.index].reachM);
                continue;
            }
            const DesignInterconnect& one = map.links[mark.index];
            QVERIFY(mark.gbytesPerS == one.gbytesPerSPerGpu && mark.fromM == one.shortestM && mark.toM == one.longestM);
            QVERIFY(mark.reachM == 0 || (mark.reachM == one.reachM && mark.reachM > mark.toM));
        }
        map.links.back().gbytesPerSPerGpu = 0.5;
        QCOMPARE(interconnectMarks(map).size(), drawn.size() - 1);
        map.links.front().longestM = 0; // not routed: its mark has no length
        QCOMPARE(interconnectMarks(map)[interconnectKinds().size()].toM, 0.0);
    }

    void kindsHaveASource()
    {
        std::set<InterconnectLevel> levels;
        for (const auto& kind : interconnectKinds()) {
            levels.insert(kind.level);
            QVERIFY(kind.gbytesPerS > 0 && kind.reachM > 0 && *kind.technology && *kind.source && *kind.reachSource);
            QCOMPARE(kind.reachAssumed, std::string(kind.reachSource).find("assumed") != std::string::npos);
        }
        QCOMPARE(levels.size(), std::size_t(9)); // chip to region
        QVERIFY(std::ranges::is_sorted(interconnectKinds(), {}, &InterconnectKind::level));
    }

    void written()
    {
        const MappedHall h;
        const InterconnectMap map = interconnectsOf(*h.figures());
        const DesignStamp stamp{"T & T", 3, "2026-11-27"};
        const auto json = interconnectJson(map, stamp);
        QCOMPARE(json["schema"].get<std::string>(), std::string("hallwright.interconnects/1"));
        QCOMPARE(json["links"].size(), map.links.size());
        QCOMPARE(json["kinds"].size(), interconnectKinds().size());
        const std::string text = interconnectText(map, stamp), svg = interconnectSvg(map, stamp);
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
            if (!line.starts_with("* reach")) QVERIFY2(QString::fromStdString(line).size() <= 100, line.c_str());
        QVERIFY(svg.find("T &amp; T") != svg.npos && svg.find("400ZR") != svg.npos && svg.ends_with("</svg>\n"));
        QVERIFY(interconnectSvg(map, stamp) == svg);
        QTemporaryDir folder;
        const std::string file = folder.filePath("map.csv").toStdString();
        QVERIFY(writeTable(interconnectTable(map), file));
        std::ifstream in(file);
        std::size_t rows = 0;
        for (std::string line; std::getline(in, line);) ++rows;
        QCOMPARE(rows, 1 + map.links.size() + interconnectKinds().size());
    }

    void withoutLinks()
    {
        const SmallHall h;
        const InterconnectMap map = interconnectsOf(*h.figures());
        QVERIFY(map.links.empty() && map.accelerators == 0);
        QVERIFY(interconnectText(map, {}).find("none") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestInterconnects)
#include "test_interconnects.moc"
