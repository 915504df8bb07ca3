// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/derived/figures/nodes.h"
#include "core/foundation/catalog/entity.h"
#include "core/operations/bindings/names.h"
#include "core/operations/bindings/preview.h"
#include "importers/dsx/metadata.h"
#include "tests/bindings/desk.h"

#include <set>

using namespace hw;
using hw::importers::DsxMessage;
using hw::importers::dsxMetadata;
using hw::test::BoundDesk;

namespace {

using Edges = std::set<std::pair<std::string, std::string>>;

std::string idOf(const nlohmann::ordered_json& payload)
{
    for (const char* key : {"objectId", "rackLocationId", "associateId"})
        if (payload.contains(key)) return payload[key];
    return {};
}

/// What feeds what by the messages.
Edges served(const std::vector<DsxMessage>& messages)
{
    Edges edges;
    for (const auto& message : messages)
        if (message.payload.contains("servesId"))
            for (const auto& to : message.payload["servesId"]) edges.emplace(idOf(message.payload), to);
    return edges;
}

/// What feeds what by the tables: links of power and coolant, and cords. A device that no message names as an object is its rack.
Edges linked(const Figures& design, const std::vector<DsxMessage>& messages)
{
    const Snapshot& s = *design.snapshot;
    std::set<std::string> objects;
    for (const auto& message : messages) objects.insert(idOf(message.payload));
    const auto object = [&](DeviceId id) {
        const std::string own = bindings::objectIdOf(ref(id));
        const auto rack = s.devices.rack[id];
        return objects.contains(own) || !rack ? own : bindings::objectIdOf(ref(*rack));
    };
    Edges edges;
    const auto put = [&](DeviceId feeder, DeviceId fed) {
        if (object(feeder) != object(fed)) edges.emplace(object(feeder), object(fed));
    };
    s.links.forEach([&](LinkId id) {
        if (s.ports.medium[s.links.from[id]] != Medium::Data) put(s.ports.device[s.links.to[id]], s.ports.device[s.links.from[id]]);
    });
    s.devices.forEach([&](DeviceId id) {
        for (const PowerFeed& feed : design.get<PowerFeedsNode>().of(id))
            if (!feed.link) put(feed.supplier, id);
    });
    return edges;
}

} // namespace

class DsxMetadataTest : public QObject {
    Q_OBJECT
private slots:
    void graphIsTheDesigns_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("parameter");
        QTest::newRow("hpn") << "hpn"
                             << "segments";
        QTest::newRow("nvl72") << "nvl72"
                               << "";
        QTest::newRow("rail-only") << "rail-only"
                                   << "";
        QTest::newRow("xingmai-1") << "xingmai-1"
                                   << "";
    }
    void graphIsTheDesigns()
    {
        QFETCH(QString, name);
        QFETCH(QString, parameter);
        const BoundDesk desk(name.toStdString(), parameter.isEmpty() ? std::map<std::string, std::int64_t>()
                                                                     : std::map<std::string, std::int64_t>{{parameter.toStdString(), 2}});
        const auto messages = dsxMetadata(*desk.figures);
        const Edges said = served(messages), is = linked(*desk.figures, messages);
        QVERIFY(!is.empty());
        for (const auto& [a, b] : is) QVERIFY2(said.contains({a, b}), (a + " feeds " + b + ", and no message says so").c_str());
        for (const auto& [a, b] : said) QVERIFY2(is.contains({a, b}), (a + " does not feed " + b).c_str());
        std::set<std::string> objects;
        for (const auto& message : messages) objects.insert(idOf(message.payload));
        for (const auto& [a, b] : said) QVERIFY2(objects.contains(b), b.c_str());
        // Everything that has a place in the chain, and every rack, is there.
        const Snapshot& s = desk.s();
        s.racks.forEach([&](RackId id) { QVERIFY(objects.contains(bindings::objectIdOf(ref(id)))); });
        s.devices.forEach([&](DeviceId id) {
            if (desk.figures->parts->device(s.devices.type[id]).power.element != PowerElement::None)
                QVERIFY(objects.contains(bindings::objectIdOf(ref(id))));
        });
        // It binds to the design that it was made from, all of it.
        std::vector<Error> left;
        const auto channels = bindings::channelsOf(importers::dsxText(messages, name == "nvl72"), "set", left);
        QVERIFY(left.empty());
        QVERIFY(channels);
        QCOMPARE(channels->size(), messages.size());
        const auto bound = desk.bind(*channels);
        for (std::size_t i = 0; i < channels->size(); ++i)
            QVERIFY2(bound->channels[i].point != bindings::kNoPoint,
                     ((*channels)[i].name + ": " + words(bound->why(bindings::ChannelNo(i)))).c_str());
        QCOMPARE(bound->bound, channels->size());
    }

    /// What the schema of the bus demands of a message.
    void messagesAreWellFormed()
    {
        for (const char* name : {"hpn", "nvl72"}) {
            const BoundDesk desk(name, name == std::string("hpn") ? std::map<std::string, std::int64_t>{{"segments", 1}}
                                                                  : std::map<std::string, std::int64_t>());
            std::set<std::string> topics, tags;
            std::map<std::string, nlohmann::ordered_json> serves;
            for (const auto& [topic, payload] : dsxMetadata(*desk.figures)) {
                QVERIFY2(topics.insert(topic).second, topic.c_str());
                const QStringList parts = QString::fromStdString(topic).split('/');
                QVERIFY2(parts.size() > 6 && topic.starts_with("BMS/v1/PUB/Metadata/"), topic.c_str());
                QVERIFY(!QString::fromStdString(topic).contains('#') && !QString::fromStdString(topic).contains('+'));
                QCOMPARE(parts[4].toStdString(), payload["objectType"].get<std::string>());
                QCOMPARE(parts[5].toStdString(), payload["pointType"].get<std::string>());
                QVERIFY2(tags.insert(parts.mid(6).join('/').toStdString()).second, topic.c_str());
                const bool unit = payload.contains("engUnit"), states = payload.contains("stateText");
                QVERIFY2(payload["pointType"] == "PowerFactor" ? !unit && !states : unit != states, topic.c_str());
                const int modes = int(payload.contains("rackLocationId")) + int(payload.contains("objectId")) + int(payload.contains("associateId"));
                QCOMPARE(modes, 1);
                QCOMPARE(payload.contains("objectId"), payload.contains("objectName"));
                QCOMPARE(payload.contains("rackLocationId"), payload["objectType"] == "Rack");
                QVERIFY(!payload.contains("servesId") || payload.contains("objectId"));
                QVERIFY(payload["objectType"] != "PowerMeter" || payload.contains("servesId"));
                if (payload["pointType"] == "GenericPoint") QVERIFY2(payload.contains("processArea"), topic.c_str());
                if (payload["pointType"] == "PhaseCurrent") QVERIFY(payload.contains("phase"));
                if (!payload.contains("objectId")) continue;
                const auto now = payload.contains("servesId") ? payload["servesId"] : nlohmann::ordered_json();
                const auto [at, fresh] = serves.try_emplace(payload["objectId"], now); // every point of an object says the same
                QVERIFY2(fresh || at->second == now, topic.c_str());
            }
        }
    }

    /// A link more is an edge more.
    void graphFollowsEdits()
    {
        BoundDesk desk("hpn", {{"segments", 1}});
        const auto before = served(dsxMetadata(*desk.figures));
        const Snapshot& s = desk.s();
        std::string link;
        std::pair<DeviceId, DeviceId> ends;
        s.links.forEach([&](LinkId id) {
            if (s.ports.medium[s.links.from[id]] != Medium::Power || !link.empty()) return;
            const DeviceId fed = s.ports.device[s.links.from[id]], feeder = s.ports.device[s.links.to[id]];
            if (std::ranges::count_if(desk.figures->get<PowerFeedsNode>().of(fed), [&](const PowerFeed& f) { return f.supplier == feeder; }) != 1)
                return;
            ends = {feeder, fed};
            link = entityName(s, *desk.figures->parts, ref(s.links.from[id]));
        });
        QVERIFY(!link.empty());
        const std::pair<std::string, std::string> edge{bindings::objectIdOf(ref(ends.first)), bindings::objectIdOf(ref(ends.second))};
        QVERIFY(before.contains(edge));
        QCOMPARE(desk.edit(test::said("{'do': 'disconnect', 'from': '%1'}", link)), std::string());
        const auto after = dsxMetadata(*desk.figures);
        QVERIFY(!served(after).contains(edge));
        QCOMPARE(served(after), linked(*desk.figures, after));
    }

    void lines()
    {
        const BoundDesk desk("nvl72");
        const auto messages = dsxMetadata(*desk.figures);
        const auto array = nlohmann::json::parse(importers::dsxText(messages, false));
        QCOMPARE(array.size(), messages.size());
        const auto text = importers::dsxText(messages, true);
        QCOMPARE(std::size_t(std::ranges::count(text, '\n')), messages.size());
        std::vector<Error> left;
        QCOMPARE(bindings::channelsOf(text, "l", left)->size(), bindings::channelsOf(importers::dsxText(messages, false), "a", left)->size());
        QVERIFY(left.empty());
    }
};

QTEST_GUILESS_MAIN(DsxMetadataTest)
#include "test_dsx_metadata.moc"
