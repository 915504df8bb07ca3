// SPDX-License-Identifier: GPL-3.0-or-later
// Views of the middle of the window: the map of interconnects.
#include "window_test.h"

#include "core/design/edit/edits.h"
#include "core/output/exchange/design_stamp.h"
#include "core/output/interconnects/interconnects.h"
#include "views/charts/scatter_chart.h"
#include "views/interconnects/interconnect_view.h"
#include "views/panels/list_view.h"

#include <QAction>
#include <QFile>
#include <QTabWidget>
#include <QToolButton>

using namespace hw;
using namespace hw::views;

class TestPanes : public test::WindowTest {
    Q_OBJECT
public:
    TestPanes() : WindowTest(1) {}

private:
    InterconnectView* interconnects() { return m_window->central()->interconnects(); }
    /// HALLWRIGHT_PICTURES names a folder.
    QImage picture(const QString& name)
    {
        const QImage image = m_window->grab().toImage();
        const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES");
        if (!folder.isEmpty()) (void)image.save(folder + "/" + name);
        return image;
    }
    static QPoint rowCenter(ListView* list, int row)
    {
        const QModelIndex at = list->model()->index(row, 0);
        list->scrollTo(at);
        return list->visualRect(at).center();
    }

private slots:
    void initTestCase()
    {
        keepSettingsHere();
        openWindow({1600, 1000}, Library::Later);
    }
    void cleanupTestCase() { closeWindow(); }

    /// Figures of the command; rows and marks choose each other; an edit is followed; the export is the command's.
    void mapOfInterconnects()
    {
        auto* action = m_window->findChild<QAction*>("view.interconnects");
        QVERIFY(action && !action->associatedObjects().isEmpty());
        action->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(interconnects()->map(), 30000);
        const InterconnectMap map = interconnectsOf(*bridge().figures());
        QVERIFY(map.links.size() >= 3);
        auto* list = interconnects()->list();
        QCOMPARE(std::size_t(list->model()->rowCount()), map.links.size() + interconnectKinds().size());
        QCOMPARE(interconnects()->chart()->marks().size(), interconnectMarks(map).size());
        picture("interconnects.png");

        std::size_t network = 0;
        while (!map.links[network].id) ++network;
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, rowCenter(list, int(network)));
        QCOMPARE(bridge().selected(), ref(*map.links[network].id));
        QCOMPARE(interconnects()->chart()->current(), std::optional(int(network)));

        auto* chart = interconnects()->chart();
        const int technology = -1 - int(interconnectKinds().size() - 1); // the farthest, with nothing near it
        QTest::mouseClick(chart, Qt::LeftButton, {}, chart->placeOf(technology)->toPoint());
        QCOMPARE(chart->current(), std::optional(technology));
        QCOMPARE(list->currentRow()->key, QString::number(technology));

        (void)bridge().edit("Move", [&](Transaction& t) { return edit::moveEntity(t, ref(firstRow()), 0, 9000); });
        settle();
        const InterconnectMap moved = interconnectsOf(*bridge().figures());
        const auto longest = [](const InterconnectMap& of) {
            double most = 0;
            for (const auto& one : of.links) most = std::max(most, one.longestM);
            return most;
        };
        QVERIFY(longest(moved) != longest(map));
        QTRY_COMPARE(longest(*interconnects()->map()), longest(moved));

        const QString file = m_folder.filePath("map.svg");
        answerFileDialog(file);
        QTest::mouseClick(interconnects()->findChild<QToolButton*>("interconnectExport"), Qt::LeftButton);
        QTRY_VERIFY(QFile::exists(file) && !bridge().jobs().busy("export"));
        QFile in(file);
        QVERIFY(in.open(QIODevice::ReadOnly));
        QCOMPARE(in.readAll().toStdString(), interconnectSvg(moved, DesignStamp::of(*bridge().snapshot())));
        bridge().undo();

        m_window->resize(1280, 720);
        QTest::qWait(100);
        QVERIFY(m_window->width() <= 1280 && chart->width() > 300 && list->width() > 200);
        picture("interconnects-small.png");
        m_window->resize(1600, 1000);
        action->trigger(); // again: back to the halls
        QVERIFY(!interconnects()->isVisible());
    }
};

QTEST_MAIN(TestPanes)
#include "test_panes.moc"
