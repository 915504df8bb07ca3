// SPDX-License-Identifier: GPL-3.0-or-later
// A design goes out to NetBox and comes back equal in all that NetBox can hold.
#include "core/derived/figures/supply.h"
#include "core/derived/geometry/frame.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/places.h"
#include "importers/formats.h"
#include "importers/netbox_export/netbox_export.h"
#include "tests/netbox/designs.h"
#include "tests/netbox/netbox_server.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>

using namespace hw;
using nlohmann::json;

namespace {

using Lines = std::set<std::string>;

/// Every rack: name, hall, type, place in the hall, direction.
Lines racksOf(const Figures& f)
{
    const Snapshot& s = *f.snapshot;
    Lines all;
    s.racks.forEach([&](RackId id) {
        const RowId row = s.racks.row[id];
        const HallId hall = s.rows.hall[row];
        const Frame frame = hallFrame(s, hall);
        const Box& box = f.placement->rack(id);
        all.insert(fmt::format("{} {} {} {} {} {} {}", s.racks.name[id], s.halls.name[hall], s.rows.name[row], s.partTypes.slug[s.racks.type[id]],
                               box.low.x - frame.x, box.low.y - frame.y, quarterOf(s.rows.angle[row])));
    });
    return all;
}

/// Every device but utilities, which are power panels in NetBox: name, type, rack with unit and face, or place in the hall, and whether it is a
/// backup.
Lines devicesOf(const Figures& f)
{
    const Snapshot& s = *f.snapshot;
    Lines all;
    s.devices.forEach([&](DeviceId id) {
        const DeviceSpec& spec = f.parts->device(s.devices.type[id]);
        if (spec.power.element == PowerElement::Utility) return;
        std::string place;
        if (const auto rack = s.devices.rack[id])
            place = fmt::format("{} U{} {}", s.racks.name[*rack], spec.halfUnits > 0 ? s.devices.u[id] : 0, wordOf(s.devices.face[id]));
        else if (const auto hall = hallOf(s, id)) {
            const Box box = f.placement->device(s, *f.parts, id);
            const Frame frame = hallFrame(s, *hall);
            place = fmt::format("{} {} {} {}", s.halls.name[*hall], box.low.x - frame.x, box.low.y - frame.y, box.low.z);
        }
        const char* backup = s.devices.role[id] == DeviceRole::Backup ? " backup" : "";
        all.insert(fmt::format("{} {} {}{}", s.devices.name[id], s.partTypes.slug[s.devices.type[id]], place, backup));
    });
    return all;
}

/// Every link of a medium: its ports; of data with the length of its cables together, in cm, and whether it is a backup.
Lines linksOf(const Figures& f, Medium medium)
{
    const Snapshot& s = *f.snapshot;
    Lines all;
    s.links.forEach([&](LinkId link) {
        const PortId from = s.links.from[link], to = s.links.to[link];
        if (s.ports.medium[from] != medium) return;
        const auto supplier = f.parts->device(s.devices.type[s.ports.device[to]]).power.element;
        if (medium == Medium::Power && supplier == PowerElement::Utility) return; // feeds: by their number
        const std::array<std::string, 2> ends{entityName(s, *f.parts, ref(from)), entityName(s, *f.parts, ref(to))};
        const auto* line = medium == Medium::Data ? nullptr : f.get<SupplyNode>().of(link);
        const std::int64_t mm = line ? line->lengthMm : f.cabling->channelMm(s, link);
        const char* backup = s.links.role[link] == LinkRole::Backup ? " backup" : "";
        all.insert(fmt::format("{} {} {}{}", std::min(ends[0], ends[1]), std::max(ends[0], ends[1]), (mm + 5) / 10, backup));
    });
    return all;
}

std::size_t feedsOf(const Figures& f)
{
    const Snapshot& s = *f.snapshot;
    std::size_t n = 0;
    s.links.forEach([&](LinkId link) {
        const PortId to = s.links.to[link];
        n += s.ports.medium[to] == Medium::Power && f.parts->device(s.devices.type[s.ports.device[to]]).power.element == PowerElement::Utility;
    });
    return n;
}

/// Whether two sets are the same; says the first lines that differ.
bool sameLines(const char* what, const Lines& out, const Lines& back)
{
    std::vector<std::string> lost, fresh;
    std::ranges::set_difference(out, back, std::back_inserter(lost));
    std::ranges::set_difference(back, out, std::back_inserter(fresh));
    for (const auto* list : {&lost, &fresh})
        for (std::size_t i = 0; i < std::min<std::size_t>(list->size(), 4); ++i)
            qWarning("%s %s: %s", what, list == &lost ? "lost" : "new", (*list)[i].c_str());
    if (!lost.empty() || !fresh.empty())
        qWarning("%s: %zu out, %zu back, %zu lost, %zu new", what, out.size(), back.size(), lost.size(), fresh.size());
    return lost.empty() && fresh.empty();
}

} // namespace

class TestNetboxRoundTrip : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

private slots:
    void initTestCase() { qputenv("HALLWRIGHT_NETBOX_TOKEN", NetboxServer::kToken); }

    void aDesignComesBackEqual_data()
    {
        QTest::addColumn<QString>("design");
        QTest::addColumn<QString>("version");
        QTest::newRow("hpn") << QString("hpn") << QString("4.6.8");
        QTest::newRow("rail-only") << QString("rail-only") << QString("4.7.0-beta1");
    }
    void aDesignComesBackEqual()
    {
        QFETCH(QString, design);
        QFETCH(QString, version);
        std::map<std::string, std::string> parameters{{"segments", "1"}};
        if (design == "hpn") parameters["networks"] = "backend"; // seconds instead of a minute
        const auto out = designOf(design.toUtf8().constData(), parameters);
        QVERIFY(out);
        NetboxServer server({.version = version.toStdString()});
        QElapsedTimer timer;
        timer.start();
        const netbox::Target target{server.url(), {}, {}, false, {}, {}};
        auto session = netbox::planned(*out, target, {});
        QVERIFY2(session.has_value(), session ? "" : session.error().text().c_str());
        QCOMPARE((*session)->sync->conflicts(), std::size_t(0));
        const auto written = netbox::writeTo(**session, target, m_folder.filePath(design).toStdString(), {});
        QVERIFY2(written.has_value(), written ? "" : written.error().text().c_str());
        for (const Text& one : (*session)->sync->refused()) QVERIFY2(false, words(one).c_str());
        qInfo("out: %lld ms, %zu devices, %zu cables", timer.restart(), server.count("dcim/devices"), server.count("dcim/cables"));

        exchange::Formats formats;
        importers::registerFormats(formats);
        const auto importer = formats.importer("netbox");
        QVERIFY(importer.has_value());
        const auto plan = (*importer)->plan({server.url(), {}, {}}, std::make_shared<const Snapshot>(), {});
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        for (std::size_t i = 0; i < std::min<std::size_t>(plan->issues.size(), 5); ++i)
            qInfo("%s: %s", plan->issues[i].where.c_str(), words(plan->issues[i].what).c_str());
        QVERIFY(plan->after);
        const auto back = figuresOf(plan->after);
        QVERIFY2(back.has_value(), back ? "" : back.error().text().c_str());
        qInfo("back: %lld ms", timer.restart());

        bool same = sameLines("racks", racksOf(*out), racksOf(**back));
        same = sameLines("devices", devicesOf(*out), devicesOf(**back)) && same;
        same = sameLines("data links", linksOf(*out, Medium::Data), linksOf(**back, Medium::Data)) && same;
        same = sameLines("power links", linksOf(*out, Medium::Power), linksOf(**back, Medium::Power)) && same;
        QVERIFY(same);
        QCOMPARE(feedsOf(**back), feedsOf(*out));
        QCOMPARE(server.count("dcim/power-feeds"), feedsOf(*out));
    }
};

QTEST_GUILESS_MAIN(TestNetboxRoundTrip)
#include "test_netbox_round_trip.moc"
