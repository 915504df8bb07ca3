// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/monitor.h"
#include "simulation/emulation/hall.h"

/// An emulated hall whose sensors are points of a watch, without channels, names or a broker between: what the one says the other sees.
class Emulated {
public:
    Emulated(hw::FiguresPtr figures, const hw::emulation::Options& options);

    /// The next second: what sensors say, in the order of sensors.
    [[nodiscard]] std::vector<hw::monitoring::PointSample> step();
    void deed(const std::string& line);                                  ///< as a person types it
    [[nodiscard]] std::vector<hw::bindings::PointNo> fellSilent() const; ///< in the last second
    void missing(double percent);                                        ///< so many of all sensors, chosen by the seed, say nothing
    [[nodiscard]] std::int64_t nowMs() const { return m_hall->startMs() + m_hall->nowMs(); }
    /// Lets the watch look at what comes for so many seconds; its events.
    std::vector<hw::monitoring::Event> watch(hw::monitoring::Monitor& watch, int seconds);

    [[nodiscard]] const hw::FiguresPtr& figures() const { return m_figures; }
    [[nodiscard]] const hw::bindings::BoundPtr& bound() const { return m_bound; }
    [[nodiscard]] const hw::emulation::Hall& hall() const { return *m_hall; }

private:
    void bind();
    hw::FiguresPtr m_figures;
    std::unique_ptr<hw::emulation::Hall> m_hall;
    hw::bindings::BoundPtr m_bound;
    struct Meter {
        hw::bindings::PointNo point = hw::bindings::kNoPoint;
        double factor = 1;
        bool counter = false, seen = false;
        std::int64_t ms = 0;
        double value = 0;
    };
    std::vector<Meter> m_meters; ///< by sensor
};

/// The same of a template as it is shipped: dual headers, a warm loop.
[[nodiscard]] hw::FiguresPtr shippedDesign(const char* name, const std::map<std::string, std::string>& values);
/// A design of a template.
[[nodiscard]] hw::FiguresPtr designOf(const char* name, const std::map<std::string, std::string>& values);
