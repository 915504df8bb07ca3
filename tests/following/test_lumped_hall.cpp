// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <QTemporaryDir>

#include "core/design/template/template.h"
#include "core/foundation/catalog/entity.h"
#include "core/operations/following/follower.h"
#include "importers/telemetry/sources.h"
#include "tests/following/lumped_hall.h"
#include "tests/following/lumped_loop.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <mutex>

using namespace hw;
using lumped::Fault, lumped::LoopFault;

namespace {

struct Said {
    std::vector<std::string> causes, badSensors, others; ///< names; others: what was said
    std::vector<std::vector<std::string>> alike;         ///< of the causes
    std::vector<std::string> conditions;                 ///< their ids
    std::int64_t firstMs = 0;                            ///< when the first of all was said
    following::Counts counts;
};

FiguresPtr designBy(const Template& made, const std::map<std::string, std::string>& values)
{
    static const Catalog catalog = Catalog::load(HW_RESOURCES "/catalog").value();
    return hw::figuresOf(instantiate(made, made.complete(values).value(), catalog).value()).value();
}

/// The designs whose names the recordings have.
const FiguresPtr& hallDesign()
{
    static const FiguresPtr figures = designBy(
        Template::parse("template: lumped\nextends: fat-tree-2\ntitle: Lumped\nlayout: {generators: board}\n", "lumped", HW_RESOURCES "/templates")
            .value(),
        {});
    return figures;
}
const FiguresPtr& loopDesign()
{
    static const FiguresPtr figures =
        designBy(Template::load(HW_RESOURCES "/templates/nvl36.yaml").value(), {{"segments", "1"}, {"networks", "backend"}});
    return figures;
}

Said replayed(const std::string& recording, const FiguresPtr& design)
{
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("hall.jsonl").toStdString();
    std::ofstream(file) << recording;
    const auto nameOf = [&](EntityRef entity) { return entityName(*design->snapshot, *design->parts, entity); };
    Said said;
    std::mutex mutex;
    following::Options options;
    options.event = [&](const monitoring::Event& event) {
        using Kind = monitoring::Event::Kind;
        const std::lock_guard lock(mutex);
        const bool alarm = event.kind == Kind::Alarm;
        if (!alarm && event.kind != Kind::Deviation) return;
        if (said.firstMs == 0) said.firstMs = event.atMs;
        if (alarm && event.alarm.kind == monitoring::AlarmKind::Cause)
            said.causes.push_back(nameOf(event.alarm.cause)), said.alike.push_back(event.alarm.alike);
        else if (alarm && event.alarm.kind == monitoring::AlarmKind::Condition)
            said.conditions.push_back(event.alarm.id.substr(0, event.alarm.id.find(':')));
        else if (!alarm && event.deviation.kind == monitoring::DeviationKind::BadSensor)
            said.badSensors.push_back(nameOf(event.deviation.entity));
        else
            said.others.push_back(words(alarm ? event.alarm.what : event.deviation.what));
    };
    std::vector<std::unique_ptr<bindings::Source>> sources;
    sources.push_back(telemetry::openRecording(file, 0).value());
    following::Follower follower(design, std::move(options));
    if (!follower.start(std::move(sources))) return said;
    (void)QTest::qWaitFor([&] { return follower.ended(); }, 120'000);
    (void)follower.stop();
    said.counts = follower.counts();
    return said;
}

} // namespace

/// Recordings of another physics than the emulator's, replayed as those of a built hall.
class TestLumpedHall : public QObject {
    Q_OBJECT
private slots:
    void tellsWhatFailed_data()
    {
        QTest::addColumn<Fault>("fault");
        QTest::addColumn<std::string>("cause");     ///< empty: none
        QTest::addColumn<std::string>("alike");     ///< has to be told beside it, or is the cause; empty: nothing is asked
        QTest::addColumn<std::string>("condition"); ///< has to be raised; empty: nothing is asked
        const auto row = [](const char* name, Fault fault, const char* cause, const char* alike = "", const char* condition = "") {
            QTest::newRow(name) << fault << std::string(cause) << std::string(alike) << std::string(condition);
        };
        row("healthy", Fault::None, "");
        row("busway", Fault::Busway, "c01-row2-busway1");
        row("rack PDU", Fault::RackPdu, "c01-r2-05-pdu2");
        row("transformer", Fault::Transformer, "transformer1-1", "", "on-generator");
        row("UPS output", Fault::UpsOutput, "ups_board1-1", "ups1-1-1:Out");
        row("utility", Fault::Utility, "utility-a", "", "on-generator");
        row("chiller", Fault::Chiller, "chiller1-02");
        row("fan wall", Fault::FanWall, "fanwall1-02");
        row("pump", Fault::Pump, "facility_pump1-01");
        row("rack meter", Fault::RackMeter, "");
    }
    void tellsWhatFailed()
    {
        QFETCH(Fault, fault);
        QFETCH(std::string, cause);
        QFETCH(std::string, alike);
        QFETCH(std::string, condition);
        lumped::Options options;
        options.fault = fault;
        const Said said = replayed(lumped::recordingOf(options), hallDesign());
        QCOMPARE(said.counts.unbound + said.counts.ambiguous + said.counts.conflicting, std::size_t(0));
        QVERIFY(said.counts.channels > 500 && said.counts.received > 15'000);
        QVERIFY2(said.others.empty(), said.others.empty() ? "" : said.others.front().c_str());
        std::string causes;
        for (const std::string& name : said.causes) causes += name + " ";
        QVERIFY2(said.causes == (cause.empty() ? std::vector<std::string>() : std::vector<std::string>{cause}), causes.c_str());
        QCOMPARE(said.badSensors, fault == Fault::RackMeter ? std::vector<std::string>{"c01-r2-03"} : std::vector<std::string>());
        if (!alike.empty()) QVERIFY(std::ranges::find(said.alike.front(), alike) != said.alike.front().end());
        if (!condition.empty()) QVERIFY(std::ranges::find(said.conditions, condition) != said.conditions.end());
    }

    /// A loop of coolant and the water that cools it.
    void tellsWhatFailedInALoop_data()
    {
        QTest::addColumn<LoopFault>("fault");
        QTest::addColumn<std::string>("cause");  ///< empty: none
        QTest::addColumn<std::string>("sensor"); ///< whose sensor is bad; empty: none
        const auto row = [](const char* name, LoopFault fault, const char* cause, const char* sensor = "") {
            QTest::newRow(name) << fault << std::string(cause) << std::string(sensor);
        };
        row("healthy", LoopFault::None, "");
        row("CDU", LoopFault::Cdu, "c01-cdu2");
        row("manifold", LoopFault::Manifold, "c01-r1-05-manifold");
        row("one of two row headers", LoopFault::RowHeader, "c01-row1-header");
        row("pump", LoopFault::Pump, "facility_pump-warm1-03");
        row("dry cooler", LoopFault::DryCooler, "chiller-warm1-02");
        row("busway", LoopFault::Busway, "c01-row1-busway1");
        row("flow meter of a rack", LoopFault::FlowMeter, "", "c01-r1-06");
        row("flow meter of a CDU in m³/h", LoopFault::CduMeter, "", "c01-cdu1");
    }
    void tellsWhatFailedInALoop()
    {
        QFETCH(LoopFault, fault);
        QFETCH(std::string, cause);
        QFETCH(std::string, sensor);
        lumped::LoopOptions options;
        options.fault = fault;
        if (!sensor.empty()) options.endsAtS = 180;
        if (fault == LoopFault::Cdu) options.endsAtS = 400; // what stands still in it gets warm
        const Said said = replayed(lumped::recordingOf(options), loopDesign());
        QCOMPARE(said.counts.unbound + said.counts.ambiguous + said.counts.conflicting, std::size_t(0));
        QVERIFY(said.counts.channels > 150 && said.counts.received > 5'000);
        if (fault != LoopFault::FlowMeter) // its low flow is a deviation for some seconds, until it is contradicted for long enough
            QVERIFY2(said.others.empty(), said.others.empty() ? "" : said.others.front().c_str());
        const auto list = [](const std::string& name) { return name.empty() ? std::vector<std::string>() : std::vector<std::string>{name}; };
        QVERIFY2(said.causes == list(cause), said.causes.empty() ? "none" : said.causes.front().c_str());
        QCOMPARE(said.badSensors, list(sensor));
    }
};

QTEST_GUILESS_MAIN(TestLumpedHall)
#include "test_lumped_hall.moc"
