// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/following/lumped_loop.h"

#include "tests/following/recorder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace lumped {

namespace {

constexpr double kCoolantW = 66, kWaterW = 68; // per L/min and K: a quarter glycol in the racks, less of it outside
constexpr double kSupplyC = 42, kWarmC = 38;   // of racks and of the warm loop, as their controllers hold them
constexpr double kLiquidShare = 0.845;         // of the power of a rack

/// A value that follows another by a delay of first order.
void follow(double& value, double to, double delayS) { value += (to - value) * (1 - std::exp(-kStepS / delayS)); }

class Loop {
public:
    explicit Loop(const LoopOptions& options) : m_options(options), m_recorder(options.seed)
    {
        for (int i = 0; i < 14; ++i) {
            Rack rack;
            const int number = i < 7 ? i + 2 : i + 3; // the ninth holds switches
            rack.name = "c01-r1-" + two(number), rack.first = number <= 11;
            rack.baseW = 62'000 + 700 * (i % 5), rack.swingW = 1500 + 300 * (i % 4), rack.periodS = 60 + 8 * (i % 9);
            rack.opening = 1 + 0.02 * (i % 4);
            m_racks.push_back(rack);
        }
        meters();
    }

    std::string run()
    {
        for (int step = 0; step * kStepS < 900; ++step) advance(-900 + step * kStepS); // until it has settled
        for (int step = 0; step * kStepS <= m_options.endsAtS; ++step) {
            advance(step * kStepS);
            m_recorder.read(step);
        }
        return m_recorder.recording();
    }

private:
    struct Rack {
        std::string name;
        bool first = true; ///< on the first pair of busways
        double baseW = 0, swingW = 0, periodS = 60, opening = 1;
        double drawW = 0, lpm = 65, saidLpm = 65, supplyC = kSupplyC, returnC = 54, kpa = 80, dry = 0;
    };
    struct Cdu {
        double works = 1, lpm = 310, saidLpm = 310, supplyC = kSupplyC, returnC = 54, kpa = 95, inC = kWarmC, outC = 48, outerLpm = 360, valve = 66,
               speed[2] = {62, 62};
    };
    struct Cooler {
        double works = 1, lpm = 400, supplyC = kWarmC, returnC = 47, fan = 74;
    };
    struct Busway {
        std::string name;
        bool first = true;
        double watts = 0, volts = 394, amps = 0;
    };

    [[nodiscard]] bool failed(LoopFault fault, double s) const { return m_options.fault == fault && s >= m_options.failsAtS; }

    void meters()
    {
        const std::string supply = R"(,"processArea":"Secondary,Supply")", back = R"(,"processArea":"Secondary,Return")",
                          in = R"(,"processArea":"Primary,Inlet")", out = R"(,"processArea":"Primary,Outlet")",
                          inner = R"(,"processArea":"Secondary")", outer = R"(,"processArea":"Primary")",
                          status = R"(,"stateText":"0=Fault,1=Normal")";
        Recorder& r = m_recorder;
        for (Rack& rack : m_racks) {
            const std::string at = "/hall1/c01-row1/" + rack.name;
            const auto add = [&](const std::string& type, const std::string& unit, const double* value, double relative, double absolute) {
                r.sensor("Rack/" + type + at, rack.name, "Rack", type, unit, value, relative, absolute, {}, "rackLocationId");
            };
            add("RackPower", "kW", &rack.drawW, 0.003, 0), add("RackLiquidFlow", "LPM", &rack.saidLpm, 0.006, 0);
            add("RackLiquidSupplyTemperature", "C", &rack.supplyC, 0, 0.05), add("RackLiquidReturnTemperature", "C", &rack.returnC, 0, 0.05);
            add("RackLiquidDifferentialPressure", "kPa", &rack.kpa, 0.01, 0), add("RackLeakDetect", "", &rack.dry, 0, 0);
        }
        for (std::size_t i = 0; i < m_busways.size(); ++i) {
            Busway& b = m_busways[i];
            b.name = std::string("c01-row1-busway") + (i % 2 == 0 ? "1" : "2") + (i < 2 ? "" : "-12"), b.first = i < 2;
            const auto add = [&](const std::string& type, const std::string& unit, const double* value, double relative) {
                r.sensor("PowerMeter/" + type + "/hall1/c01-row1/" + b.name, b.name, "PowerMeter", type, unit, value, relative, 0);
            };
            add("ActivePower", "kW", &b.watts, 0.002), add("Voltage", "V", &b.volts, 0.0005), add("Current", "A", &b.amps, 0.002);
        }
        for (std::size_t i = 0; i < m_cdus.size(); ++i) {
            const std::string id = "c01-cdu" + std::to_string(i + 1), at = "/hall1/" + id;
            Cdu& c = m_cdus[i];
            r.sensor("CDU/LiquidTemperature" + at + "/Secondary/Supply", id, "CDU", "LiquidTemperature", "C", &c.supplyC, 0, 0.05, supply);
            r.sensor("CDU/LiquidTemperature" + at + "/Secondary/Return", id, "CDU", "LiquidTemperature", "C", &c.returnC, 0, 0.05, back);
            r.sensor("CDU/LiquidFlow" + at + "/Secondary", id, "CDU", "LiquidFlow", "LPM", &c.saidLpm, 0.005, 0, inner);
            r.sensor("CDU/LiquidTemperature" + at + "/Primary/Inlet", id, "CDU", "LiquidTemperature", "C", &c.inC, 0, 0.05, in);
            r.sensor("CDU/LiquidTemperature" + at + "/Primary/Outlet", id, "CDU", "LiquidTemperature", "C", &c.outC, 0, 0.05, out);
            r.sensor("CDU/LiquidFlow" + at + "/Primary", id, "CDU", "LiquidFlow", "LPM", &c.outerLpm, 0.005, 0, outer);
            r.sensor("CDU/LiquidDifferentialPressure" + at + "/Secondary", id, "CDU", "LiquidDifferentialPressure", "kPa", &c.kpa, 0.01, 0, inner);
            r.sensor("CDU/ValvePosition" + at + "/Primary", id, "CDU", "ValvePosition", "%", &c.valve, 0, 0.3, outer);
            for (int p = 0; p < 2; ++p)
                r.sensor("CDU/PumpSpeed" + at + "/Pump-" + std::to_string(p + 1), id, "CDU", "PumpSpeed", "%", &c.speed[p], 0, 0.3,
                         R"(,"processArea":"Pump )" + std::to_string(p + 1) + "\"");
            r.sensor("CDU/Status" + at, id, "CDU", "Status", "", &c.works, 0, 0, status);
        }
        for (std::size_t i = 0; i < m_pumps.size(); ++i) {
            const std::string id = "facility_pump-warm1-" + two(int(i) + 1), at = "/hall1-plant/" + id;
            r.sensor("Pump/PumpSpeed" + at, id, "Pump", "PumpSpeed", "%", &m_pumps[i], 0, 0.2);
            r.sensor("Pump/Available" + at, id, "Pump", "Available", "", &m_available[i], 0, 0, R"(,"stateText":"0=Off,1=On")");
        }
        for (std::size_t i = 0; i < m_coolers.size(); ++i) {
            const std::string id = "chiller-warm1-" + two(int(i) + 1), at = "/hall1-coolers/" + id;
            Cooler& c = m_coolers[i];
            r.sensor("HX/LiquidTemperature" + at + "/Supply", id, "HX", "LiquidTemperature", "C", &c.supplyC, 0, 0.05, R"(,"processArea":"Supply")");
            r.sensor("HX/LiquidTemperature" + at + "/Return", id, "HX", "LiquidTemperature", "C", &c.returnC, 0, 0.05, R"(,"processArea":"Return")");
            r.sensor("HX/LiquidFlow" + at, id, "HX", "LiquidFlow", "LPM", &c.lpm, 0.005, 0);
            r.sensor("HX/FanSpeed" + at, id, "HX", "FanSpeed", "%", &c.fan, 0, 0.3);
            r.sensor("HX/Status" + at, id, "HX", "Status", "", &c.works, 0, 0, status);
        }
        const auto header = [&](const std::string& id, const std::string& place, const double* lpm) {
            r.sensor("GenericObject/LiquidFlow/" + place + "/" + id, id, "GenericObject", "LiquidFlow", "LPM", lpm, 0.005, 0);
        };
        for (std::size_t h = 0; h < 2; ++h) {
            header(h == 0 ? "c01-row1-header" : "c01-row1-header2", "hall1/c01-row1", &m_rowLpm[h]);
            header("facility_header-warm1-" + two(int(h) + 1), "hall1-plant", &m_warmLpm[h]);
        }
    }

    /// What busways carry: a rack draws from both sides, or from the one that is left.
    void power(double s)
    {
        for (Busway& b : m_busways) b.watts = 900;
        for (Rack& rack : m_racks) {
            rack.drawW = rack.baseW + rack.swingW * std::sin(6.283185 * s / rack.periodS + rack.baseW);
            const bool dead = rack.first && failed(LoopFault::Busway, s);
            m_busways[rack.first ? 0 : 2].watts += dead ? 0 : rack.drawW / 2;
            m_busways[rack.first ? 1 : 3].watts += dead ? rack.drawW : rack.drawW / 2;
        }
        if (failed(LoopFault::Busway, s)) m_busways[0].watts = 0;
        for (Busway& b : m_busways) {
            const bool dead = &b == m_busways.data() && failed(LoopFault::Busway, s);
            b.volts = dead ? 0 : 394.5 - b.watts / 4e5;
            b.amps = dead ? 0 : b.watts / (0.95 * std::sqrt(3.0) * b.volts);
        }
    }

    /// Racks in parallel between the headers, at the pressure that the CDUs hold: each takes by its opening.
    void racks(double s)
    {
        m_totalLpm = 0;
        double warm = 0;
        for (Rack& rack : m_racks) {
            const bool shut = rack.name == "c01-r1-05" && failed(LoopFault::Manifold, s);
            follow(rack.kpa, shut ? 0 : 82, 0.8);
            if (rack.kpa < 0.3) rack.kpa = 0;
            rack.lpm = 66 * rack.opening * std::sqrt(rack.kpa / 82);
            if (rack.lpm < 1) rack.lpm = 0;
            rack.saidLpm = rack.lpm * (rack.name == "c01-r1-06" && failed(LoopFault::FlowMeter, s) ? 0.5 : 1);
            follow(rack.supplyC, m_suppliedC, 3);
            if (rack.lpm > 0) follow(rack.returnC, rack.supplyC + kLiquidShare * rack.drawW / (kCoolantW * rack.lpm), 12);
            m_totalLpm += rack.lpm, warm += rack.lpm * rack.returnC;
        }
        follow(m_mixedC, warm / m_totalLpm, 8);
        const bool one = failed(LoopFault::RowHeader, s);
        follow(m_rowLpm[0], one ? 0 : m_totalLpm / 2, 0.6), follow(m_rowLpm[1], one ? m_totalLpm : m_totalLpm / 2, 0.6);
        if (m_rowLpm[0] < 1) m_rowLpm[0] = 0;
    }

    /// Each CDU an equal part; its valve lets in the water that its heat needs to come back 10 K warmer.
    void cdus(double s)
    {
        int run = 0;
        for (std::size_t i = 0; i < m_cdus.size(); ++i) {
            m_cdus[i].works = i == 1 && failed(LoopFault::Cdu, s) ? 0 : 1;
            run += m_cdus[i].works > 0;
        }
        double mixed = 0, lpm = 0;
        m_outerLpm = 0;
        double warm = 0;
        for (Cdu& c : m_cdus) {
            const bool on = c.works > 0;
            follow(c.lpm, on ? m_totalLpm / run : 0, 1.2);
            if (!on && c.lpm < 5) c.lpm = 0;
            for (double& speed : c.speed) follow(speed, on ? 62.0 * 3 / run : 0, on ? 2 : 0.4);
            for (double& speed : c.speed)
                if (!on && speed < 1) speed = 0;
            follow(c.kpa, on ? 95 : 0, 0.8);
            const double heat = on ? c.lpm * kCoolantW * std::max(0.0, c.returnC - kSupplyC) : 0;
            if (on) follow(c.returnC, m_mixedC, 2);
            follow(c.outerLpm, on ? heat / (10 * kWaterW) : 0, on ? 5 : 1);
            if (!on && c.outerLpm < 5) c.outerLpm = 0;
            follow(c.valve, on ? 100 * c.outerLpm / 560 : 0, 1);
            const double takes = c.outerLpm > 0 ? std::min(heat, 1.05 * kWaterW * 10 * c.outerLpm) : 0;
            if (c.lpm > 0) follow(c.supplyC, c.returnC - takes / (c.lpm * kCoolantW), 5);
            follow(c.inC, m_warmC, 2);
            if (c.outerLpm > 0) follow(c.outC, c.inC + takes / (kWaterW * c.outerLpm), 3);
            mixed += c.lpm * c.supplyC, lpm += c.lpm;
            m_outerLpm += c.outerLpm, warm += c.outerLpm * c.outC;
            c.saidLpm = c.lpm * (&c == m_cdus.data() && failed(LoopFault::CduMeter, s) ? 0.06 : 1);
        }
        m_suppliedC = mixed / lpm;
        follow(m_hotC, warm / m_outerLpm, 12);
    }

    /// Pumps of the warm loop make up for one another; dry coolers share its flow and cool it to what is set.
    void outside(double s)
    {
        const bool less = failed(LoopFault::Pump, s);
        for (std::size_t i = 0; i < m_pumps.size(); ++i) {
            const bool off = i == 2 && less;
            m_available[i] = off ? 0 : 1;
            follow(m_pumps[i], off ? 0 : less ? 91 : 70, off ? 0.4 : 2);
            if (off && m_pumps[i] < 1) m_pumps[i] = 0;
        }
        int run = 0;
        for (std::size_t i = 0; i < m_coolers.size(); ++i) {
            m_coolers[i].works = i == 1 && failed(LoopFault::DryCooler, s) ? 0 : 1;
            run += m_coolers[i].works > 0;
        }
        double cooled = 0, lpm = 0;
        for (Cooler& c : m_coolers) {
            const bool on = c.works > 0;
            follow(c.lpm, on ? m_outerLpm / run : 0, 1);
            if (!on && c.lpm < 5) c.lpm = 0;
            follow(c.returnC, m_hotC, 3);
            if (c.lpm > 0) follow(c.supplyC, kWarmC, 6);
            follow(c.fan, on ? 74.0 * 3 / run * 0.85 + 11 : 0, on ? 8 : 0.6);
            if (!on && c.fan < 1) c.fan = 0;
            cooled += c.lpm * c.supplyC, lpm += c.lpm;
        }
        follow(m_warmC, cooled / lpm, 6);
        for (double& header : m_warmLpm) header = m_outerLpm / 2;
    }

    void advance(double s) { power(s), racks(s), cdus(s), outside(s); }

    LoopOptions m_options;
    Recorder m_recorder;
    std::vector<Rack> m_racks;
    std::array<Busway, 4> m_busways;
    std::array<Cdu, 3> m_cdus;
    std::array<double, 4> m_pumps{70, 70, 70, 70}, m_available{1, 1, 1, 1};
    std::array<Cooler, 3> m_coolers;
    std::array<double, 2> m_rowLpm{470, 470}, m_warmLpm{555, 555};
    double m_totalLpm = 940, m_outerLpm = 1110, m_mixedC = 54, m_suppliedC = kSupplyC, m_hotC = 48, m_warmC = kWarmC;
};

} // namespace

std::string recordingOf(const LoopOptions& options) { return Loop(options).run(); }

} // namespace lumped
