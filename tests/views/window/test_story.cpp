// SPDX-License-Identifier: GPL-3.0-or-later
// What a newcomer sees of the sample pod: a busway fails, then a CDU; the window names both with what they cost and what the design foretold;
// the past is looked at, and the incident goes out as a report. Everything by the window's own widgets.
#include "window_test.h"

#include "emulated_feed.h"

#include "views/live/alarms_panel.h"
#include "views/live/live_session.h"
#include "views/live/time_bar.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/twin/twin_view.h"
#include "views/values/overlay_source.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QTextBrowser>
#include <QTimer>
#include <QToolButton>

using namespace hw;
using namespace hw::views;

namespace {

constexpr std::int64_t kBegin = 1'790'000'000'000;

} // namespace

class TestStory : public test::WindowTest {
    Q_OBJECT

public:
    TestStory() : WindowTest(1) {}

private:
    LiveSession& live() { return m_window->live(); }
    AlarmsPanel* alarms() { return qobject_cast<AlarmsPanel*>(m_window->panel("alarms")); }

    void goOn(int seconds)
    {
        for (int s = 0; s < seconds; ++s) {
            m_feed->goOn(1);
            live().tick();
        }
    }
    /// The alarm that names a cause, as it is shown; null: none does.
    const monitoring::Alarm* alarmOf(const std::string& cause)
    {
        if (!live().shown()) return nullptr;
        for (const monitoring::Alarm& alarm : live().shown()->alarms)
            if (alarm.cause && bridge().nameOf(alarm.cause).toStdString() == cause) return &alarm;
        return nullptr;
    }
    /// Seconds until it is named; -1: not within a minute.
    int secondsUntilNamed(const std::string& cause)
    {
        for (int s = 0; s <= 60; ++s, goOn(1))
            if (alarmOf(cause)) return s;
        return -1;
    }
    int rowOf(const QString& name)
    {
        const auto* model = alarms()->list()->model();
        for (int row = 0; row < model->rowCount(); ++row)
            if (model->index(row, 0).data().toString() == name) return row;
        return -1;
    }
    QString cell(int row, int column) { return alarms()->list()->model()->index(row, column).data().toString(); }
    void click(int row)
    {
        QTest::mouseClick(alarms()->list()->viewport(), Qt::LeftButton, {},
                          alarms()->list()->visualRect(alarms()->list()->model()->index(row, 0)).center());
    }
    float color(EntityRef entity)
    {
        const auto* field = OverlaySource::of(bridge()).values()->of(entity.kind);
        return field ? field->at(entity.id) : ValueField::kNone;
    }
    /// For looking at: HALLWRIGHT_PICTURES names a folder, HALLWRIGHT_THEME is light or dark; the window is as large as the screen.
    void picture(const char* name)
    {
        const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES");
        if (folder.isEmpty()) return;
        QDir().mkpath(folder);
        QTest::qWait(1500);
        m_window->screen()->grabWindow(0).save(folder + "/" + name + ".png");
    }

    std::shared_ptr<test::EmulatedFeed> m_feed;

private slots:
    void initTestCase()
    {
        keepSettingsHere();
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    }
    void init() { openWindow({1280, 720}, Library::Later); }
    void cleanup()
    {
        closeWindow();
        m_feed = nullptr;
    }

    void theSamplePodFails()
    {
        const auto pod = designOf("nvl72", {{"segments", "1"}});
        bridge().load(pod->snapshot, pod);
        settle();
        if (qEnvironmentVariableIsSet("HALLWRIGHT_PICTURES")) {
            m_window->setTheme(qEnvironmentVariable("HALLWRIGHT_THEME") == "light" ? ThemeKind::Light : ThemeKind::Dark);
            m_window->move(0, 0);
            m_window->resize(m_window->screen()->availableGeometry().size());
            m_window->resetLayout();
            picture("0-design");
        }
        m_feed = test::followEmulated(live(), kBegin);
        QVERIFY(m_feed);
        goOn(130);
        QVERIFY(live().shown()->alarms.empty());
        const Snapshot& s = *bridge().snapshot();
        std::vector<RackId> racks; // with a load: they breathe
        for (const RackId id : s.racks.ids())
            if (const float share = color(ref(id)); known(share) && share > 0.05F && share < 1.5F) racks.push_back(id);
        QVERIFY2(racks.size() >= 7, qPrintable(QString::number(racks.size())));
        picture("1-live");
        const std::int64_t before = live().newestMs();

        // A busway fails: named within seconds, with its racks, which are on side B at their load.
        const std::string busway = "hall1-c1-row1-busway1", cdu = "hall1-c1-cdu1-1";
        m_feed->deed("fail " + busway);
        const int toName = secondsUntilNamed(busway);
        QVERIFY2(toName >= 0 && toName <= 30, qPrintable(QString::number(toName)));
        goOn(20);
        QTRY_VERIFY(rowOf(text(busway)) == 0); // the cause stands above its symptoms, and is what one sees first
        QVERIFY(alarms()->isVisible());
        click(0);
        QCOMPARE(bridge().nameOf(bridge().selected()).toStdString(), busway);
        const monitoring::Alarm* alarm = alarmOf(busway);
        QVERIFY(alarm && !alarm->symptoms.empty() && !alarm->compared.empty());
        const QString detail = alarms()->detail()->toPlainText();
        QVERIFY2(detail.contains("measured") && detail.contains("predicted") && detail.contains("planned"), qPrintable(detail));
        std::size_t carried = 0; // what the design foretold to carry it, and carries it
        for (const monitoring::Compared& c : alarm->compared)
            if (c.predicted > 1.3 * c.planned && (c.measure == bindings::Measure::ApparentPower || c.measure == bindings::Measure::ActivePower)) {
                QVERIFY2(c.measured > 0.3 * c.predicted && c.measured < 1.2 * c.predicted, qPrintable(bridge().nameOf(c.entity)));
                QVERIFY(detail.contains(measureText(c.measure, c.predicted)));
                ++carried;
            }
        QVERIFY2(carried > 0, qPrintable(detail));
        for (const RackId id : racks) QVERIFY2(known(color(ref(id))) && color(ref(id)) > 0.05F, s.racks.name[id].c_str()); // none is dark
        picture("2-busway");

        // A CDU too: the reserve is gone. Then the other three: seconds of ride-through, GPUs at risk.
        m_feed->deed("fail " + cdu);
        QVERIFY2(secondsUntilNamed(cdu) >= 0, "named within a minute");
        goOn(10);
        QVERIFY(alarmOf(cdu) && alarmOf(busway)); // both at once
        QVERIFY(alarmOf(cdu)->rideThroughS < 0 && alarmOf(cdu)->redundancyLost > 0);
        for (const char* other : {"hall1-c1-cdu1-2", "hall1-c1-cdu2-1", "hall1-c1-cdu2-2"}) m_feed->deed(std::string("fail ") + other);
        for (int waited = 0; waited < 60 && !(alarmOf(cdu) && alarmOf(cdu)->rideThroughS > 0); ++waited) goOn(1);
        QVERIFY(alarmOf(cdu) && alarmOf(busway));
        const monitoring::Alarm both = *alarmOf(cdu);
        QVERIFY2(both.rideThroughS > 0 && both.gpusLost + both.gpusDegraded > 0, words(both.what).c_str());
        m_window->setOverlay("live-alarms");
        QCOMPARE(color(both.cause), 3.0F);
        QTRY_VERIFY(rowOf(text(cdu)) >= 0);
        click(rowOf(text(cdu)));
        QVERIFY2(cell(rowOf(text(cdu)), 3).endsWith("left"), qPrintable(cell(rowOf(text(cdu)), 3))); // of the seconds that its detail names
        QCOMPARE(cell(rowOf(text(cdu)), 2), count(both.gpusLost + both.gpusDegraded));
        QVERIFY2(alarms()->detail()->toPlainText().contains(duration(both.rideThroughS)), qPrintable(alarms()->detail()->toPlainText()));
        picture("3-cdu");

        // Stop, and back to before: nothing had failed.
        m_window->action("live.pause")->trigger();
        QVERIFY(live().mode() == LiveSession::Mode::Still);
        auto* canvas = m_window->timeBar()->canvas();
        const QPoint at(int(std::lround(canvas->xOf(before))), canvas->height() / 3);
        QVERIFY(canvas->rect().contains(at));
        QTest::mouseClick(canvas, Qt::LeftButton, {}, at);
        QVERIFY(std::abs(live().shown()->atMs - before) < 5000);
        QVERIFY(live().shown()->alarms.empty());
        QTRY_COMPARE(alarms()->list()->model()->rowCount(), 0);
        QVERIFY(!(color(both.cause) > 0));
        picture("4-before");
        QTest::keyClick(canvas, Qt::Key_End);
        QVERIFY(live().mode() == LiveSession::Mode::Live);

        // The incident as a report, by the button and the file dialog.
        QTRY_VERIFY(rowOf(text(cdu)) >= 0);
        click(rowOf(text(cdu)));
        const QString report = m_folder.filePath("incident.html");
        QTimer::singleShot(300, this, [&] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (!dialog) return;
            dialog->findChild<QLineEdit*>("fileNameEdit")->setText(report);
            QMetaObject::invokeMethod(dialog, "accept");
        });
        alarms()->findChild<QToolButton*>("alarmReport")->click();
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(report), 60000);
        QFile written(report);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QByteArray html = written.readAll();
        for (const std::string& name : {busway, cdu}) QVERIFY2(html.contains(QByteArray::fromStdString(name)), name.c_str());
        picture("5-report");
    }
};

int main(int argc, char** argv)
{
    TwinView::prepareApplication();
    test::keepSettingsApart();
    QApplication application(argc, argv);
    TestStory test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_story.moc"
