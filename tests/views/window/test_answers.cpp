// SPDX-License-Identifier: GPL-3.0-or-later
// What the simulator in the window answers, and whose it says it is: the same question as the command line's, the same numbers, of the design
// that is open; loads in all views; a time line that plays smoothly.
#include "window_test.h"

#include "core/foundation/base/resources.h"
#include "simulation/answers/answer_in_words.h"
#include "views/fabric/fabric_canvas.h"
#include "views/fabric/fabric_view.h"
#include "views/panels/list_view.h"
#include "views/plan/plan_view.h"
#include "views/simulation/field_form.h"
#include "views/simulation/scenario_setup.h"
#include "views/simulation/simulation_panel.h"
#include "views/simulation/sweep_view.h"
#include "views/simulation/time_line_view.h"

#include <functional>
#include <set>

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextBrowser>
#include <QToolButton>

#include <fstream>

using namespace hw;
using namespace hw::app;
using namespace hw::views;

namespace {

std::vector<std::filesystem::path> shippedScenarios()
{
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator(resourceFolder() / "scenarios"))
        if (file.path().extension() == ".json") files.push_back(file.path());
    std::ranges::sort(files);
    return files;
}

std::string contentOf(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// As text, in the order of keys whatever order they were written in.
std::string byKey(const sim::Json& value) { return nlohmann::json::parse(value.dump()).dump(); }

} // namespace

class TestAnswersInWindow : public test::WindowTest {
    Q_OBJECT

    test::Sample m_other = test::makeSample(1);
    QByteArray m_of;              ///< the function that the window is open for
    std::set<std::string> m_held; ///< kinds that were run
    SimulationSession& session() { return m_window->simulationSession(); }
    SimulationPanel* panel() { return m_window->simulation(); }
    QString answer() { return panel()->findChild<QTextBrowser*>("scenarioAnswer")->toPlainText(); }
    ListView* list(const char* name) { return panel()->findChild<ListView*>(name); }
    /// A kind with its default case, not the ready scenario of the same name.
    void chooseKind(const QString& kind)
    {
        auto* chooser = panel()->findChild<QComboBox*>("scenarioChooser");
        QVERIFY(chooser && chooser->findData(kind) >= 0);
        chooser->setCurrentIndex(chooser->findData(kind));
        emit chooser->activated(chooser->currentIndex());
    }
    void click(ListView* view, int row)
    {
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(view->model()->index(row, 0)).center());
    }
    void run()
    {
        const auto before = session().answer();
        QTest::mouseClick(panel()->findChild<QPushButton*>("scenarioRun"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(session().answer() != before && !session().busy(), 60000);
    }

private slots:
    void initTestCase() { keepSettingsHere(); }

    /// The rows of a table share one window, one question after the other.
    void init()
    {
        if (m_window && m_of != QTest::currentTestFunction()) closeWindow();
        m_of = QTest::currentTestFunction();
        if (m_window) return;
        openWindow({1500, 950}, Library::Later);
        m_window->raisePanel("scenario");
    }

    void cleanup()
    {
        if (!QTest::currentDataTag() || QTest::currentTestFailed()) closeWindow();
    }

    void cleanupTestCase() { closeWindow(); }

    void windowAndCommandLineAskTheSame_data()
    {
        QTest::addColumn<QString>("file");
        for (const auto& file : shippedScenarios()) QTest::newRow(file.stem().c_str()) << QString::fromStdString(file.string());
    }
    /// Every shipped scenario, chosen in the window: the same is asked as by the command line. Of every kind one is run, and its answer is held
    /// against that of the file, number by number: an answer follows from its request alone.
    void windowAndCommandLineAskTheSame()
    {
        QFETCH(QString, file);
        const auto asked = sim::parseScenarioRequest(contentOf(file.toStdString()), file.toStdString());
        QVERIFY(asked.has_value());
        QVERIFY(panel()->setup()->choose(QFileInfo(file).completeBaseName()));
        const auto request = panel()->setup()->request();
        QVERIFY2(request.has_value(), request ? "" : request.error().text().c_str());
        QCOMPARE(byKey(request->parameters), byKey(asked->parameters));
        for (std::size_t point = 0; point < asked->points(); ++point) {
            const auto ours = request->completeAt(point), theirs = asked->completeAt(point);
            QVERIFY(ours.has_value() && theirs.has_value());
            QCOMPARE(ours->dump(), theirs->dump());
        }
        QCOMPARE(request->sweep.size(), asked->sweep.size());
        for (std::size_t i = 0; i < asked->sweep.size(); ++i) {
            QCOMPARE(request->sweep[i].parameter, asked->sweep[i].parameter);
            QCOMPARE(sim::Json(request->sweep[i].values).dump(), sim::Json(asked->sweep[i].values).dump());
        }
        if (!m_held.insert(asked->kind->name).second) return;
        QSignalSpy problems(&bridge(), &DocumentBridge::problem);
        const auto before = session().answer();
        QTest::mouseClick(panel()->findChild<QPushButton*>("scenarioRun"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT((session().answer() != before || !problems.isEmpty()) && !session().busy(), 120000);
        const sim::ScenarioDesign design{m_sample.snapshot, m_sample.figures->parts};
        const auto expected = sim::runRequest(*asked, design);
        if (!expected) {
            QVERIFY2(!problems.isEmpty(), expected.error().text().c_str());
            QVERIFY2(problems.front().front().toString().contains(QString::fromStdString(words(expected.error().what))),
                     qPrintable(problems.front().front().toString()));
            return;
        }
        QVERIFY2(problems.isEmpty(), problems.isEmpty() ? "" : qPrintable(problems.front().front().toString()));
        const sim::Json& got = session().answer()->document;
        for (const char* key : {"results", "sweep", "parameters", "design", "notes"})
            QCOMPARE(byKey(got.value(key, sim::Json())), byKey(expected->document.value(key, sim::Json())));
        const auto said = sim::inWords(got); // words, not keys
        QVERIFY(!said.verdict.empty());
        for (const auto& table : said.tables) {
            for (const auto& column : table.columns) QVERIFY2(words(column.title).find('_') == std::string::npos, words(column.title).c_str());
            for (const auto& row : table.rows)
                if (table.columns.empty()) QVERIFY2(words(row.front()).find('_') == std::string::npos, words(row.front()).c_str());
        }
        QVERIFY(answer().contains(QString::fromStdString(words(said.verdict)).left(20)));
    }

    /// Looking at the form sets nothing; a choice is sent, and taken back is not.
    void whatIsNotSetIsNotSent()
    {
        QVERIFY(panel()->setup()->choose("gpt3-iteration"));
        const auto given = [this] { return panel()->setup()->form()->given(); };
        for (const char* key : {"recompute", "gradient_allreduce", "tensor_allreduce", "expert_alltoall", "sharded_optimizer", "precision", "library",
                                "overlap", "model", "tensor"})
            QVERIFY2(!given().contains(key), key);
        auto* recompute = panel()->findChild<QComboBox*>("field.recompute");
        QVERIFY(recompute);
        recompute->setCurrentIndex(recompute->findData("full"));
        QVERIFY(given()["recompute"] == "full");
        recompute->setCurrentIndex(0);
        QVERIFY(!given().contains("recompute"));
        auto* overlap = panel()->findChild<QLineEdit*>("field.overlap.gradient");
        QVERIFY(overlap);
        overlap->setText("0.5");
        QVERIFY(given()["overlap"]["gradient"] == 0.5);
        overlap->setText("7");
        QVERIFY(overlap->property("bad").toBool());
        overlap->clear();
        QVERIFY(!given().contains("overlap"));
        auto* gpus = panel()->findChild<QLineEdit*>("field.gpus");
        gpus->clear(); // back to the default, which the placeholder names
        QVERIFY(!given().contains("gpus"));
        QCOMPARE(gpus->placeholderText(), QString("0"));
    }

    /// Whatever the command line answers can be asked here: each kind has a form of all its parameters, and untouched it asks the default case.
    void everyKindHasAForm_data()
    {
        QTest::addColumn<QString>("kind");
        for (const auto& kind : sim::scenarioKinds()) QTest::newRow(kind.name.c_str()) << QString::fromStdString(kind.name);
    }
    void everyKindHasAForm()
    {
        QFETCH(QString, kind);
        const auto* asked = sim::findScenarioKind(kind.toStdString());
        QVERIFY(asked);
        chooseKind(kind);
        const auto editorOf = [&](const QString& key) { return panel()->setup()->form()->findChild<QWidget*>("field." + key); };
        std::function<void(const std::vector<sim::Field>&, const QString&)> look = [&](const std::vector<sim::Field>& fields, const QString& in) {
            for (const auto& field : fields) {
                const QString key = in + QString::fromStdString(field.key);
                if (field.kind == sim::Field::Kind::Object)
                    look(field.fields, key + ".");
                else
                    QVERIFY2(editorOf(key), qPrintable(key));
            }
        };
        look(asked->fields, {});
        const auto request = panel()->setup()->request();
        QVERIFY2(request.has_value(), request ? "" : request.error().text().c_str());
        const auto ours = request->completeAt(0), theirs = sim::readParameters(sim::Json::object(), asked->fields);
        QVERIFY(ours.has_value() && theirs.has_value());
        QCOMPARE(ours->dump(), theirs->dump());
    }

    /// A list of jobs: each its own form, one more, one less; what is wrong in one is said.
    void listsOfObjects()
    {
        chooseKind("jobs");
        const auto given = [this] { return panel()->setup()->form()->given(); };
        const auto field = [this](const char* name) { return panel()->findChild<QLineEdit*>(QString("field.") + name); };
        QVERIFY(!given().contains("jobs"));
        const std::size_t before = panel()->setup()->request()->completeAt(0)->at("jobs").size();
        QVERIFY(before > 1 && field("jobs[0].gpus") && field("jobs[1].gpus"));
        field("jobs[1].gpus")->setText("64");
        QCOMPARE(given()["jobs"].size(), before);
        QCOMPARE(given()["jobs"][1]["gpus"].get<int>(), 64);
        auto* more = panel()->findChild<QToolButton*>("add.jobs");
        QVERIFY(more);
        more->click();
        QCOMPARE(given()["jobs"].size(), before + 1);
        const std::string last = "jobs[" + std::to_string(before) + "].";
        field((last + "priority").c_str())->setText("3");
        QCOMPARE(given()["jobs"][before]["priority"].get<int>(), 3);
        field((last + "priority").c_str())->setText("high");
        QVERIFY(!panel()->setup()->request().has_value());
        for (auto* away : panel()->setup()->form()->findChildren<QToolButton*>())
            if (away->accessibleName() == "Remove" && away->parentWidget()->isAncestorOf(field((last + "priority").c_str()))) {
                away->click();
                break;
            }
        QCOMPARE(given()["jobs"].size(), before);
        QVERIFY(panel()->setup()->request().has_value());
        chooseKind("fault-causes"); // a list whose default is the shipped log
        QVERIFY(!given().contains("causes"));
        field("causes[0].faults")->setText("7");
        QCOMPARE(given()["causes"][0]["faults"].get<double>(), 7.0);
        QVERIFY(given()["causes"][0].contains("component"));
    }

    /// The answer of one project is not the answer of another, wherever it is shown; a rename changes no answer, an undo brings it back.
    void answersBelongToAContent()
    {
        QVERIFY(panel()->setup()->choose("training"));
        run();
        QVERIFY(session().standing() == AnswerState::Current && session().drawn() && bridge().flows());
        const auto rename = [&](Transaction& t) -> Result<void> {
            t->racks.name.set(t->racks.ids().front(), "My rack");
            return {};
        };
        QVERIFY(bridge().edit("Rename", rename).has_value());
        QVERIFY(session().standing() == AnswerState::Current && !bridge().flowsMark().stale);
        QVERIFY(bridge()
                    .edit("Move",
                          [&](Transaction& t) -> Result<void> {
                              const RowId row = t->rows.ids().front();
                              t->rows.x.set(row, t->rows.x[row] + Millimeters(100));
                              return {};
                          })
                    .has_value());
        QVERIFY(session().standing() == AnswerState::Earlier && bridge().flowsMark().stale && bridge().flows());
        const auto said = [&](const char* name) { return panel()->findChild<QLabel*>(name)->text(); };
        for (const char* place : {"timeLineStanding", "linksStanding"}) QVERIFY2(said(place).contains("Outdated"), place);
        QVERIFY(answer().contains("Outdated"));
        bridge().undo();
        QVERIFY(session().standing() == AnswerState::Current && !bridge().flowsMark().stale);
        QVERIFY(!answer().contains("Outdated"));

        session().play(true);
        bridge().load(m_other.snapshot, m_other.figures);
        QTRY_VERIFY(bridge().figuresCurrent());
        QVERIFY(session().standing() == AnswerState::Other && !session().playing() && !session().drawn());
        QTest::qWait(50);
        QVERIFY(!bridge().flows()); // its links are not these
        QCOMPARE(list("scenarioLinks")->model()->rowCount(), 0);
        for (const char* place : {"timeLineStanding", "linksStanding"}) QVERIFY2(said(place).contains("another design"), place);
        QVERIFY2(answer().contains("another design"), qPrintable(answer()));
        session().setPosition(session().playback()->endS / 2);
        QVERIFY(!bridge().flows());

        bridge().load(m_sample.snapshot, m_sample.figures); // the same content again
        QTRY_VERIFY(session().standing() == AnswerState::Current && bridge().flows());
        QVERIFY(said("timeLineStanding").isEmpty());
    }

    /// A simulation that is under way when another project is opened does not come out in that one.
    void openingCancelsTheRun()
    {
        QVERIFY(panel()->setup()->choose("training"));
        QTest::mouseClick(panel()->findChild<QPushButton*>("scenarioRun"), Qt::LeftButton);
        bridge().load(m_other.snapshot, m_other.figures);
        QVERIFY(!session().busy());
        QTest::qWait(200);
        QVERIFY(!session().answer());
    }

    /// Loads show in the plan and the fabric with the run, and go with it; at the end of the time line the peaks stay.
    void loadsShowEverywhere()
    {
        auto* fabric = m_window->findChild<FabricView*>();
        m_window->setShown("fabric", true);
        QTRY_VERIFY_WITH_TIMEOUT(fabric->canvas()->model() != nullptr, 20000);
        const auto before = fabric->canvas()->look().color;
        QVERIFY(panel()->setup()->choose("training"));
        run();
        QVERIFY(m_window->overlay() == "load");
        QVERIFY(fabric->canvas()->look().color == FabricColor::Load);
        QCOMPARE(FabricColor(fabric->colorBox()->currentData().toInt()), FabricColor::Load);
        const auto* play = session().playback();
        for (std::size_t f = 0; f + 1 < play->frames.size(); ++f) { // every part of the iteration has links that carry something, at their peak
            session().setPosition(play->frames[f].timeS);
            QVERIFY2(list("scenarioLinks")->model()->rowCount() > 0, words(play->frames[f].label).c_str());
            QVERIFY(bridge().flows()->hottest.front().utilization > 0.05);
        }
        session().setSecondsForAll(0.5);
        session().setPosition(0);
        QTest::mouseClick(panel()->findChild<QToolButton*>("timeLinePlay"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!session().playing() && session().position() >= play->endS, 10000);
        QVERIFY(session().atPeaks() && bridge().flowsMark().peak);
        QVERIFY(list("scenarioLinks")->model()->rowCount() > 0);
        session().clear();
        QVERIFY(m_window->overlay() == "kind");
        QVERIFY(fabric->canvas()->look().color == before);
    }

    /// An answer without loads, with a time line of bars, takes those of the answer before away.
    void loadsGoWithTheirAnswer()
    {
        QVERIFY(panel()->setup()->choose("training"));
        run();
        QVERIFY(bridge().flows());
        QVERIFY(panel()->setup()->choose("goodput"));
        run();
        QVERIFY(session().playback() == nullptr || session().playback()->frames.empty());
        QVERIFY(!bridge().flows());
        QVERIFY(m_window->overlay() == "kind");
        QVERIFY(panel()->setup()->choose("training"));
        run();
        QVERIFY(panel()->setup()->choose("design-goodput"));
        run();
        QVERIFY(session().playback() && session().playback()->frames.empty());
        QVERIFY(!bridge().flows());
    }

    /// A flow's host may be looked at, and the list of flows stays.
    void aFlowKeepsItsList()
    {
        QVERIFY(panel()->setup()->choose("permutation"));
        run();
        panel()->showPage("links");
        click(list("scenarioLinks"), 0);
        const int flows = list("scenarioFlows")->model()->rowCount();
        QVERIFY(flows > 0);
        click(list("scenarioFlows"), 0);
        QCOMPARE(int(bridge().selected().kind), int(EntityKind::Device));
        QCOMPARE(list("scenarioFlows")->model()->rowCount(), flows);
    }

    /// Playing moves one line over a kept picture. (The names of the lanes were measured for every bar: 1.5 s a frame.)
    void theTimeLinePlaysSmoothly()
    {
        QVERIFY(panel()->setup()->choose("training"));
        run();
        panel()->showPage("timeline");
        auto* canvas = panel()->timeLine()->canvas();
        QTRY_VERIFY(canvas->width() > 100);
        canvas->repaint();
        QElapsedTimer clock;
        clock.start();
        constexpr int kFrames = 50;
        for (int i = 0; i < kFrames; ++i) {
            session().setPosition(session().playback()->endS * 0.3 * i / kFrames);
            canvas->grab();
        }
        const double each = double(clock.elapsed()) / kFrames;
        qInfo("%zu bars, %.2f ms a frame", session().playback()->spans.size(), each);
        QVERIFY2(each < 60, "a frame of the time line takes too long");
    }

    /// However often a job reports, the window hears a few messages a second.
    void progressDoesNotFloodTheWindow()
    {
        std::set<double> heard; // of this job; others have their say, too
        const auto connection = QObject::connect(&bridge().jobs(), &Jobs::changed, &bridge(), [&] {
            for (const auto& job : bridge().jobs().running())
                if (job.slot == "flood") heard.insert(job.fraction);
        });
        bool done = false;
        bridge().jobs().start<int>(
            "flood", "Flood",
            [](const Progress& progress) {
                QElapsedTimer clock;
                clock.start();
                while (clock.elapsed() < 1000) progress.report(double(clock.elapsed()) / 1000, "step");
                return 1;
            },
            [&](int) { done = true; });
        QTRY_VERIFY_WITH_TIMEOUT(done, 10000);
        QObject::disconnect(connection);
        QVERIFY2(heard.size() >= 2 && heard.size() <= 4, qPrintable(QString::number(heard.size()))); // -1, then one in 0.4 s
    }

    /// From a switch to its failure: the form is filled in, and after the fault nothing goes over that switch.
    void whatIfThisSwitchFails()
    {
        const Snapshot& s = *bridge().snapshot();
        DeviceId tor;
        s.devices.forEach([&](DeviceId d) {
            if (s.tiers.kind[s.devices.tier[d]] == TierKind::Switch && s.tiers.level[s.devices.tier[d]] == 1 && s.tiers.network[s.devices.tier[d]] &&
                s.devices.segment[d] == 1)
                tor = d;
        });
        QVERIFY(session().canAskWhatIfFails(ref(tor)));
        QVERIFY(!session().canAskWhatIfFails(ref(s.rows.ids().front())));
        m_window->raisePanel("budgets");
        session().askWhatIfFails(ref(tor));
        QVERIFY(m_window->shown("scenario"));
        QCOMPARE(panel()->findChild<QLineEdit*>("field.device")->text(), QString::fromStdString(s.devices.name[tor]));
        QCOMPARE(panel()->findChild<QComboBox*>("field.fault")->currentText(), QString("tor"));
        run();
        const auto& r = session().answer()->document["results"];
        QVERIFY(r["nics_halved"].get<int>() > 0 && !r["job_lost"].get<bool>());
        session().setPosition(30); // it fails at 10 s and comes back at 70 s
        double through = 0, all = 0;
        s.links.forEach([&](LinkId l) {
            const double load = bridge().flows()->loadGbps[2 * l.value] + bridge().flows()->loadGbps[2 * l.value + 1];
            all += load;
            if (s.ports.device[s.links.from[l]] == tor || s.ports.device[s.links.to[l]] == tor) through += load;
        });
        QVERIFY(all > 0);
        QCOMPARE(through, 0.0);
    }

    /// Without a name the first host's ToR fails; by its name the same comes out.
    void aNamedFaultIsTheSameFault()
    {
        const sim::ScenarioDesign design{m_sample.snapshot, m_sample.figures->parts};
        const Snapshot& s = *m_sample.snapshot;
        const auto plain = sim::runKind("failure", design, {{"fault", "port"}});
        QVERIFY(plain.has_value());
        std::optional<DeviceId> host;
        s.devices.forEach([&](DeviceId d) {
            if (!host && s.tiers.kind[s.devices.tier[d]] == TierKind::Server && s.devices.role[d] == DeviceRole::Active && s.devices.segment[d] == 0)
                host = d;
        });
        const auto named = sim::runKind("failure", design, {{"fault", "port"}, {"device", s.devices.name[*host]}});
        QVERIFY2(named.has_value(), named ? "" : named.error().text().c_str());
        QCOMPARE(named->results.dump(), plain->results.dump());
        const auto whole = sim::runKind("failure", design, {{"fault", "host"}, {"device", s.devices.name[*host]}});
        QVERIFY(whole.has_value() && whole->results["nics_stopped"].get<int>() > 0);
        const auto unknown = sim::runKind("failure", design, {{"device", "nobody"}});
        QVERIFY(!unknown && unknown.error().where.find("device") != std::string::npos);
    }

    void aSweepHasAChartAndATable()
    {
        QVERIFY(panel()->setup()->choose("permutation"));
        panel()->findChild<QLineEdit*>("scenarioSweep")->setText("seed=1:4:1");
        run();
        auto* table = list("sweepTable");
        QVERIFY(table && table->model()->rowCount() == 4);
        QVERIFY(table->model()->headerData(0, Qt::Horizontal).toString() == "Seed");
        for (int c = 0; c < table->model()->columnCount(); ++c) {
            QVERIFY(!table->model()->headerData(c, Qt::Horizontal).toString().contains('_'));
            QVERIFY(table->columnWidth(c) > table->fontMetrics().averageCharWidth() * 4);
        }
        auto* number = panel()->findChild<QComboBox*>("sweepNumber");
        QVERIFY(number && number->count() > 0);
    }
};

QTEST_MAIN(TestAnswersInWindow)
#include "test_answers.moc"
