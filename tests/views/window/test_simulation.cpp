// SPDX-License-Identifier: GPL-3.0-or-later
// The simulator in the window, with real clicks: choose, run, read, play, compare, keep.
#include "window_test.h"

#include "app/window/dialogs/explore_dialog.h"
#include "core/foundation/model/fingerprint.h"
#include "views/charts/scatter_chart.h"
#include "views/explore/explore_form.h"
#include "views/explore/explore_panel.h"
#include "views/panels/list_view.h"
#include "views/plan/plan_view.h"
#include "views/simulation/field_form.h"
#include "views/simulation/jobs_view.h"
#include "views/simulation/json_dialog.h"
#include "views/simulation/links_view.h"
#include "views/simulation/load_histogram.h"
#include "views/simulation/scenario_setup.h"
#include "views/simulation/simulation_panel.h"
#include "views/simulation/slurm_dialog.h"
#include "views/simulation/time_line_view.h"
#include "views/twin/twin_view.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTextBrowser>
#include <QToolButton>

#include <numeric>

using namespace hw;
using namespace hw::app;
using namespace hw::views;

class TestSimulation : public test::WindowTest {
    Q_OBJECT

    SimulationSession& session() { return m_window->simulationSession(); }
    SimulationPanel* panel() { return m_window->simulation(); }
    QString answer() { return panel()->findChild<QTextBrowser*>("scenarioAnswer")->toPlainText(); }
    QLineEdit* field(const char* key) { return panel()->findChild<QLineEdit*>(QString("field.") + key); }
    void run()
    {
        auto* button = panel()->findChild<QPushButton*>("scenarioRun");
        QVERIFY(button->isEnabled());
        const auto before = session().answer();
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(session().answer() != before && !session().busy(), 60000);
    }

private slots:
    void initTestCase() { keepSettingsHere(); }

    void init()
    {
        openWindow({1500, 950}, Library::Later);
        m_window->raisePanel("scenario");
    }

    void cleanup() { closeWindow(); }

    void anIterationRunsAndPlays()
    {
        QVERIFY(panel()->setup()->choose("training"));
        run();
        QVERIFY2(answer().contains("GPT-3 175B"), qPrintable(answer()));
        QVERIFY(session().playback() && session().drawn());
        QVERIFY(bridge().flows());
        panel()->showPage("timeline");
        auto* canvas = panel()->timeLine()->canvas();
        QTRY_VERIFY(canvas->width() > 100);
        const double end = session().playback()->endS;
        const auto total = [this] { return std::accumulate(bridge().flows()->loadGbps.begin(), bridge().flows()->loadGbps.end(), 0.0); };
        QTest::mouseClick(canvas, Qt::LeftButton, {}, QPoint(int(canvas->xOf(end * 0.3)), 10));
        QVERIFY(std::abs(session().position() - end * 0.3) < end * 0.01);
        const double early = total();
        const auto& frames = session().playback()->frames; // the last one is the end, the one before it the gradients
        const std::size_t last = frames.size() - 2;
        QTest::mouseClick(canvas, Qt::LeftButton, {}, QPoint(int(canvas->xOf((frames[last].timeS + frames[last + 1].timeS) / 2)), 10));
        QCOMPARE(session().frame(), last);
        QVERIFY(total() > 0 && early > 0 && total() != early);
        QTest::mouseClick(canvas, Qt::LeftButton, {}, QPoint(int(canvas->xOf(end * 0.3)), 10)); // going back gives the same loads
        QCOMPARE(total(), early);

        session().setPosition(0);
        QTest::mouseClick(panel()->findChild<QToolButton*>("timeLinePlay"), Qt::LeftButton);
        QVERIFY(session().playing());
        QTRY_VERIFY_WITH_TIMEOUT(session().position() > 0, 5000);
        QTest::mouseClick(panel()->findChild<QToolButton*>("timeLinePlay"), Qt::LeftButton);
        QVERIFY(!session().playing());
    }

    /// A click on a job selects its hosts and lists their busy links.
    void aJobTellsItsHosts()
    {
        QVERIFY(panel()->setup()->choose("training"));
        run();
        panel()->showPage("jobs");
        auto* jobs = panel()->findChild<ListView*>("scenarioJobs");
        QCOMPARE(jobs->model()->rowCount(), 1);
        QTest::mouseClick(jobs->viewport(), Qt::LeftButton, {}, jobs->visualRect(jobs->model()->index(0, 0)).center());
        QCOMPARE(bridge().selection().size(), session().playback()->jobs[0].hosts.size());
        QVERIFY(panel()->findChild<JobsView*>()->links()->model()->rowCount() > 0);
    }

    /// "Simulate failure" fills in the failure scenario for what is selected, runs it and shows its result; things without a network are refused
    /// with a reason.
    void aFailureIsAskedAboutTheSelection()
    {
        const Snapshot& s = *m_sample.snapshot;
        const auto named = [&](const char* name) {
            EntityRef found;
            s.devices.forEach([&](DeviceId id) {
                if (s.devices.name[id] == name) found = ref(id);
            });
            return found;
        };
        const EntityRef tor = named("pod1-seg01-tor-rail1-plane1"), host = named("pod1-seg01-host001");
        QVERIFY(tor && host);
        bridge().select(tor);
        QVERIFY(m_window->action("design.whatIf")->isEnabled());
        panel()->showPage("timeline");
        m_window->raisePanel("budgets");
        m_window->action("design.whatIf")->trigger();
        const auto request = panel()->setup()->request();
        QVERIFY2(request.has_value(), request ? "" : request.error().text().c_str());
        QCOMPARE(request->kind->name, std::string("failure"));
        QCOMPARE(request->parameters["device"].get<std::string>(), std::string("pod1-seg01-tor-rail1-plane1"));
        QCOMPARE(request->parameters["fault"].get<std::string>(), std::string("tor"));
        QVERIFY(panel()->isVisible());
        QVERIFY(session().busy());
        QTRY_VERIFY_WITH_TIMEOUT(session().answer() && !session().busy(), 60000);
        QCOMPARE(session().answer()->document["results"]["nics_halved"].get<int>(), 128);
        QCOMPARE(panel()->findChild<QTabWidget*>("scenarioPages")->currentIndex(), 0); // its result, not what was in front
        m_window->tryFailure(host);
        QTRY_VERIFY_WITH_TIMEOUT(!session().busy(), 60000);
        QCOMPARE(panel()->setup()->request()->parameters["fault"].get<std::string>(), std::string("host"));
        EntityRef busway; // carries no traffic
        s.devices.forEach([&](DeviceId id) {
            if (s.devices.row[id]) busway = ref(id);
        });
        QVERIFY(busway && !m_window->canTryFailure(busway));
        bridge().select(busway);
        QVERIFY(!m_window->action("design.whatIf")->isEnabled());
        QVERIFY(m_window->action("design.impact")->isEnabled()); // but it can fail
    }

    /// The menu of the plan and the key ask about what is selected; the layers of the plan are switched by the same menu as in View.
    void whatFailsIsAskedFromThePlan()
    {
        const RackId rack = m_sample.snapshot->racks.ids()[5];
        plan()->zoomTo(ref(rack));
        QTest::mouseClick(plan(), Qt::RightButton, {}, plan()->screenRect(ref(rack)).center().toPoint());
        QMenu* menu = nullptr;
        QTRY_VERIFY((menu = m_window->findChild<QMenu*>("entityMenu")) != nullptr);
        QAction* ask = m_window->action("design.impact");
        QVERIFY(menu->actions().contains(ask));
        QCOMPARE(ask->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_I));
        menu->close();
        QCOMPARE(bridge().selected(), ref(rack));
        ask->trigger();
        auto& overlay = m_window->central()->overlay();
        QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(overlay.name()), QString("impact"), 20000);
        QCOMPARE(overlay.values()->of(EntityKind::Rack)->at(rack.value), 3.0F); // the rack itself
        if (auto* twin = m_window->central()->twin()) QCOMPARE(twin->selection(), ref(rack));
        m_window->panel("impact")->findChild<QToolButton*>("impactClear")->click();
        QCOMPARE(QString::fromStdString(overlay.name()), QString("kind"));

        QCOMPARE(m_window->central()->planLayers().size(), qsizetype(kPlanLayerNames.size()));
        QVERIFY(!plan()->layers().has(PlanLayer::Heat) && plan()->layers().has(PlanLayer::Trays));
        m_window->action("plan.heat")->trigger();
        m_window->action("plan.clearances")->trigger();
        QVERIFY(plan()->layers().has(PlanLayer::Heat) && plan()->layers().has(PlanLayer::Clearances) && plan()->layers().has(PlanLayer::Trays));
        plan()->setLayer(PlanLayer::Heat, false);
        QVERIFY(!m_window->action("plan.heat")->isChecked());
    }

    /// From a failure to a scenario that starts after it: Ctrl+I, the button of the panel, and the run.
    void aScenarioStartsAfterAFailure()
    {
        EntityRef host;
        m_sample.snapshot->devices.forEach([&](DeviceId id) {
            if (m_sample.snapshot->devices.name[id] == "pod1-seg01-host003") host = ref(id);
        });
        QVERIFY(panel()->setup()->choose("ring-allreduce"));
        run();
        const double before = session().answer()->document["results"]["completion_s"].get<double>();
        bridge().select(host);
        m_window->action("design.impact")->trigger();
        auto* impact = m_window->panel("impact");
        auto* button = impact->findChild<QToolButton*>("impactSimulate");
        QTRY_VERIFY_WITH_TIMEOUT(button->isEnabled(), 20000);
        button->click();
        QTRY_VERIFY(panel()->isVisible());
        QCOMPARE(field("failed")->text(), QString("pod1-seg01-host003"));
        QTRY_VERIFY_WITH_TIMEOUT(!session().busy(), 60000);
        const auto& document = session().answer()->document;
        QCOMPARE(document["results"]["lost_before"]["hosts"].get<int>(), 1);
        QCOMPARE(document["parameters"]["failed"][0].get<std::string>(), std::string("pod1-seg01-host003"));
        QVERIFY(document["results"]["completion_s"].get<double>() < before); // a host less in the ring
        QVERIFY(session().drawn());                                          // its loads are shown over the open design
        // A kind that knows no start is left for one that does.
        QVERIFY(panel()->setup()->choose("design-goodput"));
        button->click();
        QCOMPARE(panel()->setup()->request()->kind->name, std::string("ring-allreduce"));
    }

    /// Every flow over a link is listed, with its ranks, and nothing else.
    void aLinkTellsItsFlows()
    {
        QVERIFY(panel()->setup()->choose("permutation"));
        run();
        panel()->showPage("links");
        auto* links = panel()->findChild<ListView*>("scenarioLinks");
        QVERIFY(links->model()->rowCount() > 10);
        QTest::mouseClick(links->viewport(), Qt::LeftButton, {}, links->visualRect(links->model()->index(0, 0)).center());
        const EntityRef link = bridge().selected();
        QCOMPARE(int(link.kind), int(EntityKind::Link));
        std::size_t over = 0;
        const auto& r = *bridge().flows();
        for (std::size_t f = 0; f < r.flows.size(); ++f)
            for (auto i = r.flowLinkOffset[f]; i < r.flowLinkOffset[f + 1]; ++i)
                if (r.flowLinks[i] / 2 == link.id) {
                    ++over;
                    break;
                }
        QVERIFY(over > 0);
        QCOMPARE(std::size_t(panel()->findChild<ListView*>("scenarioFlows")->model()->rowCount()), over);
    }

    void histogramsCountEveryLink()
    {
        QVERIFY(panel()->setup()->choose("permutation"));
        run();
        std::size_t counted = 0;
        for (const auto& h : loadHistograms(*bridge().flows(), *bridge().snapshot())) {
            QCOMPARE(std::accumulate(h.links.begin(), h.links.end(), 0u), h.total);
            QVERIFY(h.most <= 1.000001 && h.mean <= h.most);
            counted += h.total;
        }
        QCOMPARE(counted, std::size_t(std::ranges::count_if(bridge().flows()->capacityGbps, [](float c) { return c > 0; })));
        session().pin();
        field("seed")->setText("2");
        run();
        QVERIFY2(answer().contains("values differ") && answer().contains("[seed 2]"), qPrintable(answer()));
    }

    void wrongInputSaysWhy()
    {
        QVERIFY(panel()->setup()->choose("permutation"));
        field("pods")->setText("3-1");
        QVERIFY(!panel()->findChild<QPushButton*>("scenarioRun")->isEnabled());
        QVERIFY(field("pods")->property("bad").toBool());
        QVERIFY(panel()->findChild<QLabel*>("scenarioProblem")->text().contains("pods"));
        field("pods")->setText("all");
        QVERIFY(panel()->findChild<QPushButton*>("scenarioRun")->isEnabled());
        auto* sweep = panel()->findChild<QLineEdit*>("scenarioSweep");
        sweep->setText("nothing=1");
        QVERIFY(!panel()->findChild<QPushButton*>("scenarioRun")->isEnabled());
        sweep->setText("seed=1:3:1");
        run();
        QCOMPARE(session().answer()->document["sweep"]["points"].size(), std::size_t(3));
        QVERIFY(!bridge().flows());
    }

    void jsonIsCheckedWhileTyping()
    {
        JsonDialog dialog("{\"analysis\": \"xlink\"}");
        QVERIFY(dialog.request().has_value());
        auto* edit = dialog.findChild<QPlainTextEdit*>("scenarioJson");
        edit->setPlainText("{\"analysis\": \"xlink\",\n\"ep\": 5}");
        QVERIFY(!dialog.request().has_value());
        QVERIFY(dialog.findChild<QLabel*>()->text().contains("2"));
    }

    void answersAreKeptAndGoStale()
    {
        const QString path = m_folder.filePath("kept.hall");
        m_window->session().saveAs(path);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->session().path(), path, 20000);
        QVERIFY(panel()->setup()->choose("ring-allreduce"));
        run();
        QCOMPARE(session().kept().size(), std::size_t(1));
        QVERIFY(!session().stale() && !session().kept()[0].staleAt(designFingerprint(*bridge().snapshot())));
        QVERIFY(bridge()
                    .edit("Move",
                          [&](Transaction& t) -> Result<void> {
                              const RowId row = t->rows.ids().front();
                              t->rows.x.set(row, t->rows.x[row] + Millimeters(100));
                              return {};
                          })
                    .has_value());
        QVERIFY(session().stale() && session().kept()[0].staleAt(designFingerprint(*bridge().snapshot())));
        QVERIFY(answer().contains("Outdated"));
        session().show(*session().keptAnswer(1));
        QVERIFY(answer().contains("Ring all-reduce"));
        session().removeKept(1);
        QVERIFY(session().kept().empty());
    }

    /// A sweep as a job array of a cluster that runs its tasks at once: the same answer as here.
    void task_sweepOnSlurm()
    {
        QVERIFY(panel()->setup()->choose("xlink"));
        auto* slurm = panel()->findChild<QPushButton*>("scenarioSlurm");
        QVERIFY(!slurm->isEnabled());
        panel()->findChild<QLineEdit*>("scenarioSweep")->setText("expert_parallel=64,128,384");
        run();
        const sim::Json local = session().answer()->document;
        const QByteArray path = qgetenv("PATH");
        const auto restored = qScopeGuard([&] { qputenv("PATH", path); });
        const auto dialog = [&] { return m_window->findChild<SlurmDialog*>(); };
        qputenv("PATH", "/nonexistent");
        QTest::mouseClick(slurm, Qt::LeftButton);
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        QVERIFY(dialog()->findChild<QLabel*>("slurmProblem")->text().contains("sbatch"));
        dialog()->reject();
        QTRY_VERIFY(!dialog());
        const auto program = [&](const char* name, const QByteArray& lines) {
            QFile file(m_folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("#!/bin/sh\n" + lines);
            file.close();
            file.setPermissions(file.permissions() | QFile::ExeOwner);
        };
        program("squeue", "exit 0\n");
        program("scancel", "exit 0\n");
        program("sbatch", "for a in \"$@\"; do script=$a; done\nSLURM_ARRAY_TASK_ID=0 sh \"$script\" >/dev/null 2>&1\necho \"$@\" > '" +
                              QFile::encodeName(m_folder.filePath("call")) + "'\necho 7\n");
        qputenv("PATH", QFile::encodeName(m_folder.path()) + ":" + path);
        QTest::mouseClick(slurm, Qt::LeftButton);
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        auto* submit = dialog()->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        QVERIFY(!submit->isEnabled()); // no folder
        dialog()->findChild<QLineEdit*>("slurmFolder")->setText(m_folder.path());
        dialog()->findChild<QLineEdit*>("slurmPartition")->setText("gpu");
        dialog()->findChild<QSpinBox*>("slurmTasks")->setValue(1);
        QVERIFY2(submit->isEnabled(), qPrintable(dialog()->findChild<QLabel*>("slurmProblem")->text()));
        const auto before = session().answer();
        QTest::mouseClick(submit, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(session().answer() != before && !session().busy(), 60000);
        QVERIFY(session().answer()->document == local);
        QFile call(m_folder.filePath("call"));
        QVERIFY(call.open(QIODevice::ReadOnly) && call.readAll().contains("--partition=gpu"));
    }

    /// Designs compared, one chosen in the chart and opened.
    void task_exploreDesigns()
    {
        m_window->session().loadLibrary();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->session().hasLibrary(), 30000);
        m_window->action("design.explore")->trigger();
        auto* dialog = m_window->findChild<ExploreDialog*>();
        QVERIFY(dialog && QTest::qWaitForWindowExposed(dialog));
        auto* explore = dialog->panel();
        const auto request = sim::parseExploreRequest(
            R"({"name": "two", "goodput": {"failures": 2000}, "designs": [{"template": "fat-tree-2", "vary": {"segments": [1, 2, 0]}}]})", "r");
        QVERIFY(request.has_value());
        explore->form()->setRequest(*request);
        auto* power = dialog->findChild<QLineEdit*>("explorePower");
        power->setText("much");
        auto* runButton = dialog->findChild<QPushButton*>("exploreRun");
        QVERIFY(!runButton->isEnabled() && dialog->findChild<QLabel*>("exploreProblem")->text().contains("not a number"));
        power->setText("1,000");
        QVERIFY(runButton->isEnabled());
        QCOMPARE(explore->form()->request()->candidates.size(), std::size_t(3));
        QCOMPARE(explore->form()->request()->given["limits"]["facility_w"]["max"].get<double>(), 1e9);
        QTest::mouseClick(runButton, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!explore->document().is_null(), 120000);
        QCOMPARE(explore->table()->model()->rowCount(), 2); // none has no segments
        QVERIFY(dialog->findChild<QLabel*>("exploreSummary")->text().contains("1 failed"));
        auto* chart = explore->chart();
        QCOMPARE(chart->marks().size(), std::size_t(2));
        const auto place = chart->placeOf(1);
        QVERIFY(place.has_value());
        QTest::mouseClick(chart, Qt::LeftButton, {}, place->toPoint());
        QCOMPARE(chart->current(), std::optional(1));
        QCOMPARE(explore->table()->currentRow()->key, "1");
        const auto gpus = explore->document()["points"][1]["accelerators"].get<std::int64_t>();
        m_window->session().discardChanges();
        QTest::mouseClick(dialog->findChild<QPushButton*>("exploreOpen"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(bridge().snapshot() && bridge().snapshot()->setting("template.name") == "fat-tree-2", 60000);
        QTRY_VERIFY_WITH_TIMEOUT(bridge().figuresCurrent(), 60000);
        std::int64_t made = 0;
        const Snapshot& opened = *bridge().snapshot();
        opened.devices.forEach([&](DeviceId id) { made += bridge().figures()->parts->device(opened.devices.type[id]).accelerators; });
        QCOMPARE(made, gpus);
        dialog->close();
    }

    /// A ready scenario asks about the open design; an analysis needs none.
    void readyScenarios()
    {
        for (const char* name : {"s1-dual-plane", "s10-xlink-domain", "s2-tor-down"}) {
            QVERIFY2(panel()->setup()->choose(name), name);
            run();
            QVERIFY2(answer().size() > 100, name);
        }
    }
};

QTEST_MAIN(TestSimulation)
#include "test_simulation.moc"
