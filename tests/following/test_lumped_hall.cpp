// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <QTemporaryDir>

#include "core/design/template/template.h"
#include "core/foundation/catalog/entity.h"
#include "core/operations/following/follower.h"
#include "importers/telemetry/sources.h"
#include "tests/following/lumped_hall.h"

#include <algorithm>
#include <fstream>
#include <mutex>

using namespace hw;
using lumped::Fault;

namespace {

struct Said {
    std::vector<std::string> causes, badSensors, others; ///< names; others: what was said
    std::vector<std::vector<std::string>> alike;         ///< of the causes
    std::vector<std::string> conditions;                 ///< their ids
    std::int64_t firstMs = 0;                            ///< when the first of all was said
    following::Counts counts;
};

/// The design whose names the recordings have.
const FiguresPtr& design()
{
    static const FiguresPtr figures = [] {
        const auto catalog = Catalog::load(HW_RESOURCES "/catalog").value();
        const auto made = Template::parse("template: lumped\nextends: fat-tree-2\ntitle: Lumped\nlayout: {generators: board}\n", "lumped",
                                          HW_RESOURCES "/templates")
                              .value();
        return hw::figuresOf(instantiate(made, made.complete(ParameterValues()).value(), catalog).value()).value();
    }();
    return figures;
}

std::string nameOf(EntityRef entity) { return entityName(*design()->snapshot, *design()->parts, entity); }

Said replayed(const std::filesystem::path& file)
{
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
    following::Follower follower(design(), std::move(options));
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
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("hall.jsonl").toStdString();
        lumped::Options options;
        options.fault = fault;
        std::ofstream(file) << lumped::recordingOf(options);
        const Said said = replayed(file);
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
};

QTEST_GUILESS_MAIN(TestLumpedHall)
#include "test_lumped_hall.moc"
