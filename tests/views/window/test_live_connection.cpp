// SPDX-License-Identifier: GPL-3.0-or-later
// A hall is followed, edited, bound by hand and left: dialog, passwords, what is reported, what ends with the window.
#include "live_window.h"

#include "core/design/edit/edits.h"
#include "core/design/edit/edits_create.h"
#include "core/design/edit/lookup.h"
#include "core/operations/overlays/live_fields.h"
#include "views/live/bindings_panel.h"
#include "views/live/connect_dialog.h"
#include "views/live/deviations_panel.h"
#include "views/live/time_bar.h"
#include "views/panels/list_view.h"
#include "views/twin/twin_view.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include <limits>
#include <thread>

using namespace hw;
using namespace hw::views;

class TestLiveConnection : public test::LiveWindowTest {
    Q_OBJECT

private slots:
    void initTestCase() { keepSettingsHere(); }
    void init() { openWindow({1280, 800}, Library::Later); }
    void cleanup()
    {
        closeWindow();
        m_feed = nullptr;
    }

    /// Nonsense is reported and cannot be sent.
    void connectDialogRefusesNonsense_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("user");
        QTest::addColumn<QString>("password");
        QTest::addColumn<QString>("certificate");
        QTest::addColumn<bool>("good");
        const auto row = [](const char* name, LiveRequest::Kind kind, const char* url, bool good, const char* user = "", const char* password = "",
                            const char* certificate = "") {
            QTest::newRow(name) << int(kind) << QString(url) << QString(user) << QString(password) << QString(certificate) << good;
        };
        using Kind = LiveRequest::Kind;
        row("empty", Kind::Mqtt, "", false);
        row("plain", Kind::Mqtt, "mqtt://broker:1883", true);
        row("tls", Kind::Mqtt, "mqtts://broker", true, "reader", "secret");
        row("scheme", Kind::Mqtt, "http://broker:1883", false);
        row("no host", Kind::Mqtt, "mqtt://", false);
        row("words", Kind::Mqtt, "the broker", false);
        row("port", Kind::Mqtt, "mqtt://broker:99999", false);
        row("password in it", Kind::Mqtt, "mqtt://me:secret@broker", false);
        row("password of nobody", Kind::Mqtt, "mqtt://broker", false, "", "secret");
        row("no such file", Kind::Mqtt, "mqtt://broker", false, "", "", "/no/such/file.pem");
        row("prometheus", Kind::Prometheus, "http://server:9090", true);
        row("wrong kind", Kind::Prometheus, "mqtt://server", false);
        row("query", Kind::Prometheus, "http://server:9090/?x=1", false);
        row("redfish", Kind::Redfish, "https://bmc", true);
    }
    void connectDialogRefusesNonsense()
    {
        QFETCH(int, kind);
        QFETCH(QString, url);
        QFETCH(QString, user);
        QFETCH(QString, password);
        QFETCH(QString, certificate);
        QFETCH(bool, good);
        ConnectDialog dialog;
        LiveRequest request;
        request.kind = LiveRequest::Kind(kind);
        request.url = url.toStdString();
        request.user = user.toStdString();
        request.password = password.toStdString();
        request.certificate = certificate.toStdString();
        dialog.setRequest(request);
        QCOMPARE(dialog.findChild<QPushButton*>("liveConnect")->isEnabled(), good);
        const QString told = dialog.findChild<QLabel*>("liveProblem")->text();
        QCOMPARE(told.isEmpty(), good || url.isEmpty());
        QVERIFY(!told.contains("secret"));
    }

    void passwordsAreNotWrittenDown()
    {
        {
            ConnectDialog dialog;
            LiveRequest request;
            request.url = "mqtt://broker:1883";
            request.user = "reader";
            request.password = "top-secret";
            dialog.setRequest(request);
            dialog.findChild<QPushButton*>("liveConnect")->click();
            QCOMPARE(dialog.result(), int(QDialog::Accepted));
        }
        QSettings().sync();
        QFile file(QSettings().fileName());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray all = file.readAll();
        QVERIFY(all.contains("broker") && !all.contains("top-secret"));
        ConnectDialog again;
        QCOMPARE(again.request().url, std::string("mqtt://broker:1883"));
        QVERIFY(again.request().password.empty());
        QSettings().remove("live");
    }

    /// The layout is that of a design until a hall is followed, and again after.
    void livePanelsAreThereOnlyWhileLive()
    {
        const auto hidden = [&](const char* name) { return m_window->findChild<QDockWidget*>(QString("dock.") + name)->isHidden(); };
        auto* choose = m_window->action("overlay.live-power");
        QVERIFY(hidden("alarms") && hidden("deviations") && hidden("bindings") && hidden("charts") && m_window->timeBar()->isHidden());
        QVERIFY(!choose->isVisible());
        m_window->setOverlay("power");
        follow();
        put(frameAt(test::kLiveStart));
        QVERIFY(!hidden("alarms") && !m_window->timeBar()->isHidden() && choose->isVisible());
        QCOMPARE(m_window->overlay(), std::string("live-power-share"));
        m_window->resetLayout();
        QVERIFY(!hidden("alarms"));
        m_window->action("live.disconnect")->trigger();
        QVERIFY(hidden("alarms") && hidden("deviations") && m_window->timeBar()->isHidden() && !choose->isVisible());
        QCOMPARE(m_window->overlay(), std::string("power"));
        QTRY_VERIFY(m_feed->stopped);
        m_window->resetLayout();
        QVERIFY(hidden("alarms"));
    }

    /// An empty list of deviations is no praise for what is dead, silent or away.
    void nothingDeadIsAsDesigned()
    {
        follow();
        const auto* panel = qobject_cast<DeviationsPanel*>(m_window->panel("deviations"));
        QVERIFY(panel);
        std::int64_t at = test::kLiveStart;
        const auto shown = [&](const auto& change) {
            monitoring::Frame frame = frameAt(at += 1000);
            change(frame);
            put(std::move(frame));
            m_window->raisePanel("deviations");
            m_window->panel("deviations")->hide(), m_window->panel("deviations")->show(); // looks again at once
            return panel->summary();
        };
        QCOMPARE(shown([](monitoring::Frame&) {}), QString("All measurements match the design."));
        const auto rack = no(ref(m_racks[0]), Measure::ActivePower);
        QVERIFY(shown([&](monitoring::Frame& f) { f.values[rack] = 0; }).contains("1 rack draws no power"));
        QVERIFY(shown([&](monitoring::Frame& f) { f.values[rack] = std::numeric_limits<float>::quiet_NaN(); }).contains("1 rack draws no power"));
        QVERIFY(shown([&](monitoring::Frame& f) { f.alarms = {alarm("x", ref(m_racks[0]), at)}; }).contains("1 active alarm"));
        monitoring::Event event;
        event.kind = monitoring::Event::Kind::Gap, event.atMs = at, event.gap = {"mqtt://bms:1883", at, 0, {}};
        m_feed->say(event);
        QVERIFY(shown([](monitoring::Frame&) {}).contains("no data from mqtt://bms:1883"));
        event.gap.toMs = at + 500;
        m_feed->say(event);
        at += 1000;
        QCOMPARE(shown([](monitoring::Frame&) {}), QString("All measurements match the design."));
    }

    /// A fault of the program behind the window is reported in it, and what was said before it no longer stands.
    void faultsBehindTheWindow()
    {
        follow();
        monitoring::Event event;
        event.kind = monitoring::Event::Kind::Alarm, event.atMs = test::kLiveStart;
        event.alarm = alarm("x", {}, test::kLiveStart);
        m_feed->say(event);
        QSignalSpy told(&bridge(), &DocumentBridge::problem);
        event = {};
        event.kind = monitoring::Event::Kind::Trouble, event.atMs = test::kLiveStart + 1000;
        event.trouble = {"judge", verbatim("vector::at"), false, false};
        m_feed->say(event);
        put(frameAt(test::kLiveStart + 1000));
        QCOMPARE(told.count(), 1);
        QVERIFY(told[0][0].toString().contains("judge") && told[0][0].toString().contains("vector::at"));
        QCOMPARE(live().log().alarmsAt(test::kLiveStart + 1500).size(), std::size_t(1));
        event.atMs += 1000, event.trouble.over = event.trouble.judgedAnew = true;
        m_feed->say(event);
        live().tick();
        QCOMPARE(told.count(), 2);
        QVERIFY(live().log().alarmsAt(test::kLiveStart + 2500).empty());
        QCOMPARE(live().log().alarms().front().clearedMs, test::kLiveStart + 2000);
    }

    /// No panel that was there goes, neither when a hall is followed nor when that ends or fails.
    void nothingIsTakenAway()
    {
        const auto shown = [&] {
            QStringList names;
            for (const auto* dock : m_window->findChildren<QDockWidget*>())
                if (!dock->isHidden()) names << dock->objectName();
            names.sort();
            return names;
        };
        m_window->resetLayout();
        m_window->raisePanel("bindings"); // before anything is followed
        m_window->raisePanel("cost");
        const QStringList before = shown();
        QVERIFY(before.contains("dock.proof") && before.contains("dock.cost") && before.contains("dock.bindings"));
        follow();
        put(frameAt(test::kLiveStart));
        const QStringList during = shown();
        for (const QString& name : before) QVERIFY2(during.contains(name), qPrintable(name));
        QVERIFY(during.contains("dock.alarms"));
        m_window->action("live.disconnect")->trigger();
        QCOMPARE(shown(), before);
        QSignalSpy told(&bridge(), &DocumentBridge::problem);
        live().open("nobody", [](const FiguresPtr&, const Feed::Callbacks&) -> Result<std::shared_ptr<Feed>> {
            return fail(ErrorCode::Unreadable, "mqtt://nobody", verbatim("nobody answers"));
        });
        QTRY_COMPARE_WITH_TIMEOUT(told.count(), 1, 5000);
        QCOMPARE(shown(), before);
        m_window->resetLayout();
    }

    void failureToConnectIsTold()
    {
        QSignalSpy told(&bridge(), &DocumentBridge::problem);
        live().open("nobody", [](const FiguresPtr&, const Feed::Callbacks&) -> Result<std::shared_ptr<Feed>> {
            return fail(ErrorCode::Unreadable, "mqtt://nobody", verbatim("nobody answers"));
        });
        QTRY_COMPARE_WITH_TIMEOUT(told.count(), 1, 5000);
        QVERIFY(told[0][0].toString().contains("nobody answers"));
        QVERIFY(live().state() == LiveSession::State::Off && m_window->timeBar()->isHidden());
    }

    /// The design can be edited while it is followed: the feed gets it, the views keep showing what is measured.
    void editWhileLive()
    {
        follow();
        put(frameAt(test::kLiveStart));
        OverlaySource::of(bridge()).choose("live-power");
        const float before = overlay(ref(m_racks[0]));
        const int designs = m_feed->designs;
        QVERIFY(bridge().edit("Move", [&](Transaction& t) { return edit::moveEntity(t, ref(firstRow()), 600, 0); }));
        settle();
        QVERIFY(m_feed->designs > designs);
        QCOMPARE(m_feed->lastDesign()->snapshot->rows.x[firstRow()].count(), bridge().snapshot()->rows.x[firstRow()].count());
        QCOMPARE(overlay(ref(m_racks[0])), before);
        bridge().undo();
        QCOMPARE(overlay(ref(m_racks[0])), before);
        QVERIFY(bridge().edit("Remove", [&](Transaction& t) -> Result<void> { // what is measured has gone
            edit::Lookup lookup(t.preview());
            const std::vector<EntityRef> gone{ref(m_racks[0])};
            const auto removed = edit::remove(t, lookup, gone);
            return removed ? Result<void>() : tl::unexpected(removed.error());
        }));
        settle();
        put(frameAt(test::kLiveStart + 1000));
        QVERIFY(known(overlay(ref(m_racks[1]))));
    }

    void bindByHandIsOneStep()
    {
        follow();
        put(frameAt(test::kLiveStart));
        m_window->raisePanel("bindings");
        auto* panel = qobject_cast<BindingsPanel*>(m_window->panel("bindings"));
        panel->findChild<QComboBox*>("bindingsShow")->setCurrentIndex(1); // all
        emit panel->findChild<QComboBox*>("bindingsShow")->activated(1);
        QTRY_COMPARE_WITH_TIMEOUT(panel->list()->model()->rowCount(), int(m_feed->bound()->points.size()), 5000);
        panel->list()->setCurrentIndex(panel->list()->model()->index(0, 0));
        bridge().select(ref(m_racks[3]));
        const int steps = bridge().historyPosition();
        panel->findChild<QPushButton*>("bindingsBind")->click();
        QCOMPARE(bridge().historyPosition(), steps + 1);
        QCOMPARE(bridge().snapshot()->bindings.size(), std::size_t(1));
        const BindingId row = bridge().snapshot()->bindings.ids().front();
        QCOMPARE(*bridge().snapshot()->bindings.rack[row], m_racks[3]);
        panel->findChild<QPushButton*>("bindingsAside")->click();
        QCOMPARE(bridge().snapshot()->bindings.size(), std::size_t(1));
        panel->findChild<QPushButton*>("bindingsRelease")->click();
        QVERIFY(bridge().snapshot()->bindings.empty());
        bridge().undo(), bridge().undo(), bridge().undo();
        QVERIFY(bridge().snapshot()->bindings.empty());
    }

    /// The window is closed in the middle of it: what is followed is stopped, and nothing is called after.
    void closeWhileConnected()
    {
        follow();
        std::atomic<bool> go{true};
        std::thread busy([&, feed = m_feed] {
            for (std::int64_t i = 0; go; ++i) {
                monitoring::Frame frame = frameAt(test::kLiveStart + i * 100);
                feed->put(std::move(frame));
                monitoring::Event event;
                event.atMs = test::kLiveStart + i * 100;
                feed->say(event);
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        });
        QTest::qWait(300);
        QVERIFY(live().newestMs() > test::kLiveStart);
        live().scrub(test::kLiveStart - 100'000); // a reading of the history is under way
        closeWindow();
        const bool stopped = m_feed->stopped;
        go = false;
        busy.join();
        QVERIFY(stopped);
    }

    void closeWhileConnecting()
    {
        live().open("slow", [this](const FiguresPtr&, const Feed::Callbacks& heard) -> Result<std::shared_ptr<Feed>> {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            m_feed = std::make_shared<test::FakeFeed>(points(), heard);
            return std::shared_ptr<Feed>(m_feed);
        });
        QTest::qWait(50);
        closeWindow();
        m_feed = nullptr; // was never shown
    }

    void anotherProjectEndsIt()
    {
        follow();
        put(frameAt(test::kLiveStart));
        bridge().load(m_sample.snapshot, m_sample.figures);
        QVERIFY(live().state() == LiveSession::State::Off);
        QTRY_VERIFY(m_feed->stopped);
    }
};

int main(int argc, char** argv)
{
    TwinView::prepareApplication();
    test::keepSettingsApart();
    QApplication application(argc, argv);
    TestLiveConnection test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_live_connection.moc"
