// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window_test.h"

#include "fake_feed.h"

#include <QTest>

namespace hw::test {

inline constexpr std::int64_t kLiveStart = 1'790'000'000'000;

/// A window that follows a feed by hand: some racks of the sample, their strips, two GPUs.
class LiveWindowTest : public WindowTest {
protected:
    using MeasuredPoint = hw::bindings::Point;
    using Measure = bindings::Measure;
    LiveWindowTest() : WindowTest(1) {}

    const Snapshot& design() const { return *m_sample.snapshot; }
    views::LiveSession& live() { return m_window->live(); }

    /// Two racks with meters of their own, one by its strips, servers and a port.
    std::vector<MeasuredPoint> points()
    {
        m_racks.clear();
        for (const RackId id : design().racks.ids()) {
            bool servers = false;
            for (const DeviceId device : m_sample.figures->get<IndexNode>().devicesOfRack[id.value])
                servers = servers || design().tiers.kind[design().devices.tier[device]] == TierKind::Server;
            if (servers) m_racks.push_back(id);
        }
        m_strips.clear(), m_servers.clear();
        for (const DeviceId device : m_sample.figures->get<IndexNode>().devicesOfRack[m_racks[2].value]) {
            if (design().tiers.kind[design().devices.tier[device]] == TierKind::Power) m_strips.push_back(device);
            if (design().tiers.kind[design().devices.tier[device]] == TierKind::Server) m_servers.push_back(device);
        }
        std::vector<MeasuredPoint> points{{ref(m_racks[0]), Measure::ActivePower, ""}, {ref(m_racks[1]), Measure::ActivePower, ""}};
        for (const DeviceId strip : m_strips) points.push_back({ref(strip), Measure::ActivePower, ""});
        for (const char* gpu : {"gpu0", "gpu1"}) points.push_back({ref(m_servers[0]), Measure::Utilization, gpu});
        points.push_back({ref(m_racks[0]), Measure::SupplyTemperature, ""});
        points.push_back({ref(m_racks[0]), Measure::SupplyTemperature, "setpoint"});
        return points;
    }

    void follow()
    {
        m_feed = nullptr;
        live().open("fake", [this](const FiguresPtr&, const views::Feed::Callbacks& heard) -> Result<std::shared_ptr<views::Feed>> {
            m_feed = std::make_shared<FakeFeed>(points(), heard);
            return std::shared_ptr<views::Feed>(m_feed);
        });
        QTRY_VERIFY_WITH_TIMEOUT(live().on(), 10000);
    }

    bindings::PointNo no(EntityRef entity, Measure measure, const std::string& element = {}) const
    {
        return m_feed->bound()->find({entity, measure, element});
    }
    /// A frame in which every point has a value of its own.
    monitoring::Frame frameAt(std::int64_t ms, float scale = 1) const
    {
        monitoring::Frame frame;
        frame.atMs = ms;
        frame.design = m_sample.figures;
        for (std::size_t i = 0; i < m_feed->bound()->points.size(); ++i) frame.values.push_back(1000 * float(i + 1) * scale);
        return frame;
    }
    void put(monitoring::Frame frame)
    {
        m_feed->put(std::move(frame));
        live().tick();
    }
    float overlay(EntityRef entity) { return views::OverlaySource::of(bridge()).values()->of(entity.kind)->at(entity.id); }
    monitoring::Deviation deviation(EntityRef entity, double share) const
    {
        monitoring::Deviation d;
        d.entity = entity;
        d.measured = 46'200, d.expected = 46'200 / (1 + share), d.share = share, d.sinceMs = kLiveStart;
        d.what = verbatim("draws too much");
        return d;
    }
    monitoring::Alarm alarm(const std::string& id, EntityRef cause, std::int64_t sinceMs) const
    {
        monitoring::Alarm a;
        a.id = id, a.kind = monitoring::AlarmKind::Cause, a.cause = cause, a.sinceMs = sinceMs;
        a.symptoms = {ref(m_racks[0]), ref(m_racks[1])};
        a.gpusDegraded = 16, a.rideThroughS = 45, a.rideThroughEndsMs = sinceMs + 45'000;
        a.what = verbatim("a busway is dark");
        return a;
    }

    /// A busway: power equipment of a row that feeds strips.
    DeviceId busway() const
    {
        const Snapshot& s = *m_window->session().bridge().snapshot();
        for (const DeviceId id : s.devices.ids())
            if (s.tiers.kind[s.devices.tier[id]] == TierKind::Power && s.devices.row[id] && !s.devices.rack[id]) return id;
        return {};
    }

    std::vector<RackId> m_racks;
    std::vector<DeviceId> m_strips, m_servers;
    std::shared_ptr<FakeFeed> m_feed;
};

} // namespace hw::test
