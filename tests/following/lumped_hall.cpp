// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/following/lumped_hall.h"

#include "tests/following/recorder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace lumped {

namespace {

constexpr double kAirJ = 1.2 * 1005, kWaterJ = 4186; // J/(m³ K) of air, J/(kg K) of water

/// One rack: what it draws, and how its two cords share that.
struct Rack {
    std::string name, row;
    double baseW = 0, swingW = 0, periodS = 60, phase = 0;
    double drawW = 0, saidW = 0, feed[2] = {0, 0}; ///< said: by its meter
};

class Hall {
public:
    explicit Hall(const Options& options) : m_options(options), m_recorder(options.seed)
    {
        racks();
        powerMeters();
        coolingMeters();
    }

    std::string run()
    {
        for (int step = 0; step * kStepS < 600; ++step) advance(-600 + step * kStepS); // until it has settled
        for (int step = 0; step * kStepS <= m_options.endsAtS; ++step) {
            advance(step * kStepS);
            m_recorder.read(step);
        }
        return m_recorder.recording();
    }

private:
    // Of one side of power, from the racks up.
    struct Meter {
        double watts = 0, volts = 0, amps = 0, phase[3] = {0, 0, 0}, apparent = 0, factor = 0.95, hertz = 50;
    };
    struct Wall {
        double speed = 0.7, valve = 0.5, supplyC = 25, returnC = 37, airM3s = 7.5, status = 1, speedPercent = 70, valvePercent = 50;
    };
    struct Chiller {
        double supplyC = 20, returnC = 27, kgS = 5.5, lpm = 330, status = 1, watts = 0;
    };
    struct Pump {
        double speedPercent = 70, works = 1;
    };

    [[nodiscard]] bool failed(Fault fault, double s) const { return m_options.fault == fault && s >= m_options.failsAtS; }

    void racks()
    {
        for (int i = 1; i <= 21; ++i) {
            Rack rack;
            const bool network = i <= 3;
            rack.row = network ? "c01-row1" : "c01-row2";
            rack.name = network ? "c01-r1-" + two(i) : "c01-r2-" + two(i - 3);
            const bool small = i == 2 || i == 12 || i == 13; // patch panels and management alone
            rack.baseW = small ? 1500 : network ? 9000 : 22'000 + 400 * (i % 7);
            rack.swingW = small ? 20 : network ? 200 : 1500 + 200 * (i % 5);
            rack.periodS = 70 + 9 * (i % 11), rack.phase = i;
            m_racks.push_back(rack);
        }
    }

    void powerMeter(const std::string& place, const std::string& id, bool whole)
    {
        Meter& m = m_meters[id];
        const std::string labels = R"("objectId":")" + id + R"(","objectName":")" + id + R"(","objectType":"PowerMeter","pointType":")";
        const int turn = m_recorder.next();
        const auto add = [&](const std::string& type, const std::string& unit, const double* value, double relative, double absolute, double scale,
                             const std::string& more = {}, const std::string& end = {}) {
            m_recorder.add({"PowerMeter/" + type + "/" + place + "/" + id + end,
                            labels + type + "\"" + (unit.empty() ? "" : R"(,"engUnit":")" + unit + "\"") + more, unit, value, relative, absolute,
                            scale, turn});
        };
        add("ActivePower", "kW", &m.watts, 0.002, 0, 1e-3);
        add("Voltage", "V", &m.volts, 0.0005, 0, 1);
        add("Current", "A", &m.amps, 0.002, 0, 1);
        for (int p = 0; p < 3; ++p)
            add("PhaseCurrent", "A", &m.phase[p], 0.002, 0, 1, std::string(R"(,"phase":")") + char('A' + p) + "\"", "/L" + std::to_string(p + 1));
        if (!whole) return;
        add("ApparentPower", "kVA", &m.apparent, 0.002, 0, 1e-3);
        add("PowerFactor", "", &m.factor, 0, 0.002, 1);
        add("Frequency", "Hz", &m.hertz, 0, 0.005, 1);
    }
    void powerMeters()
    {
        for (Rack& r : m_racks) {
            const std::string place = "hall1/" + r.row + "/" + r.name;
            m_recorder.sensor("Rack/RackPower/" + place, r.name, "Rack", "RackPower", "kW", &r.saidW, 0.002, 0, {}, "rackLocationId");
            for (int side = 0; side < 2; ++side) powerMeter(place, r.name + "-pdu" + std::to_string(side + 1), false);
        }
        for (const char* row : {"c01-row1", "c01-row2"})
            for (int side = 1; side <= 2; ++side) powerMeter(std::string("hall1/") + row, row + std::string("-busway") + std::to_string(side), true);
        for (int side = 1; side <= 2; ++side) {
            const std::string s = std::to_string(side), in = "hall1-electrical", yard = "hall1-yard";
            for (const std::string& id :
                 {"transformer1-" + s, "switchboard1-" + s, "ups1-" + s + "-1", "ups_board1-" + s, "building1-switchgear1-" + s})
                powerMeter(in, id, true);
            powerMeter(yard, "generator1-" + s, true);
            powerMeter(yard, std::string("utility-") + (side == 1 ? "a" : "b"), true);
            const std::string ups = "ups1-" + s + "-1";
            m_recorder.sensor("UPS/GenericPoint/" + in + "/" + ups + "/Battery/StateOfCharge", ups, "UPS", "GenericPoint", "%", &m_charge[side - 1],
                              0, 0, R"(,"processArea":"Battery,StateOfCharge")", "associateId");
        }
    }
    void coolingMeters()
    {
        const std::string supply = R"(,"processArea":"Supply")", back = R"(,"processArea":"Return")";
        for (std::size_t i = 0; i < m_racks.size(); ++i) {
            const std::string name = "Sensor/AirTemperature/hall1/" + m_racks[i].row + "/" + m_racks[i].name;
            m_recorder.sensor(name + "/Inlet", m_racks[i].name, "Sensor", "AirTemperature", "C", &m_coldC, 0, 0.1, R"(,"processArea":"Inlet")",
                              "associateId");
            m_recorder.sensor(name + "/Outlet", m_racks[i].name, "Sensor", "AirTemperature", "C", &m_outC[i], 0, 0.1, R"(,"processArea":"Outlet")",
                              "associateId");
        }
        for (std::size_t i = 0; i < m_walls.size(); ++i) {
            const std::string id = "fanwall" + std::to_string(1 + i / 2) + "-" + two(1 + int(i % 2)), at = "hall1/" + id;
            Wall& w = m_walls[i];
            m_recorder.sensor("CRAH/AirTemperature/" + at + "/Supply", id, "CRAH", "AirTemperature", "C", &w.supplyC, 0, 0.05, supply);
            m_recorder.sensor("CRAH/AirTemperature/" + at + "/Return", id, "CRAH", "AirTemperature", "C", &w.returnC, 0, 0.05, back);
            m_recorder.sensor("CRAH/AirFlow/" + at, id, "CRAH", "AirFlow", "m3/s", &w.airM3s, 0.005, 0);
            m_recorder.sensor("CRAH/FanSpeed/" + at, id, "CRAH", "FanSpeed", "%", &w.speedPercent, 0, 0.2);
            m_recorder.sensor("CRAH/ValvePosition/" + at, id, "CRAH", "ValvePosition", "%", &w.valvePercent, 0, 0.2);
            m_recorder.sensor("CRAH/Status/" + at, id, "CRAH", "Status", "", &w.status, 0, 0, R"(,"stateText":"0=Fault,1=Normal")");
        }
        for (std::size_t i = 0; i < m_pumps.size(); ++i) {
            const std::string id = "facility_pump1-" + two(1 + int(i)), at = "hall1-plant/" + id;
            m_recorder.sensor("Pump/PumpSpeed/" + at, id, "Pump", "PumpSpeed", "%", &m_pumps[i].speedPercent, 0, 0.2);
            m_recorder.sensor("Pump/Available/" + at, id, "Pump", "Available", "", &m_pumps[i].works, 0, 0, R"(,"stateText":"0=Off,1=On")");
        }
        for (std::size_t i = 0; i < m_chillers.size(); ++i) {
            const std::string id = "chiller1-" + two(1 + int(i)), at = "hall1-coolers/" + id;
            Chiller& c = m_chillers[i];
            m_recorder.sensor("Chiller/LiquidTemperature/" + at + "/Supply", id, "Chiller", "LiquidTemperature", "C", &c.supplyC, 0, 0.03, supply);
            m_recorder.sensor("Chiller/LiquidTemperature/" + at + "/Return", id, "Chiller", "LiquidTemperature", "C", &c.returnC, 0, 0.03, back);
            m_recorder.sensor("Chiller/LiquidFlow/" + at, id, "Chiller", "LiquidFlow", "LPM", &c.lpm, 0.004, 0);
            m_recorder.sensor("Chiller/Status/" + at, id, "Chiller", "Status", "", &c.status, 0, 0, R"(,"stateText":"0=Fault,1=Normal")");
        }
    }

    void set(const std::string& id, double watts, double volts)
    {
        Meter& m = m_meters.at(id);
        const double factor = 0.95;
        m.watts = volts > 0 ? watts : 0, m.volts = volts, m.factor = factor, m.apparent = m.watts / factor;
        m.amps = volts > 0 ? m.apparent / (std::sqrt(3.0) * volts) : 0;
        const double share[3] = {1.02, 0.99, 0.99};
        for (int p = 0; p < 3; ++p) m.phase[p] = m.amps * share[p];
        m.hertz = volts > 0 ? m_hertz : 0;
    }

    /// From the racks to the utilities; what has no supply carries nothing, and its racks take all from the other side.
    void power(double s)
    {
        m_hertz = 50 + 0.01 * std::sin(s / 40);
        bool upsWorks[2] = {!failed(Fault::UpsOutput, s), true};
        const bool utility[2] = {!failed(Fault::Utility, s), true};
        const bool it[2] = {utility[0] && !failed(Fault::Transformer, s), true}; // transformer1-1 and its twin
        const double sinceS = s - m_options.failsAtS, startsS = 10;
        bool set1[2] = {!it[0] && sinceS >= startsS, false};
        double row[2][2] = {{0, 0}, {0, 0}};
        for (Rack& r : m_racks) {
            const double wave = std::sin(2 * 3.14159265 * s / r.periodS + r.phase);
            r.drawW = r.baseW + r.swingW * wave;
            r.saidW = r.name == "c01-r2-03" && failed(Fault::RackMeter, s) ? r.drawW / 2 : r.drawW;
            bool on[2];
            for (int side = 0; side < 2; ++side) {
                on[side] = upsWorks[side];
                if (side == 0 && r.row == "c01-row2" && failed(Fault::Busway, s)) on[0] = false;
                if (side == 1 && r.name == "c01-r2-05" && failed(Fault::RackPdu, s)) on[1] = false;
            }
            for (int side = 0; side < 2; ++side) {
                r.feed[side] = !on[side] ? 0 : on[1 - side] ? r.drawW / 2 : r.drawW;
                row[r.row == "c01-row2"][side] += r.feed[side];
                set(r.name + "-pdu" + std::to_string(side + 1), r.feed[side], on[side] ? 394 - r.feed[side] / 20'000 : 0);
            }
        }
        double mechanical[2] = {0, 0};
        const auto draws = [&](int prefers, double watts) {
            const bool there = it[prefers] || set1[prefers];
            mechanical[there ? prefers : 1 - prefers] += watts;
        };
        for (std::size_t i = 0; i < m_chillers.size(); ++i) draws(int(i) % 2, m_chillers[i].watts);
        for (std::size_t i = 0; i < m_walls.size(); ++i) draws(int(i) % 2, 7000 * std::pow(m_walls[i].speedPercent / 100, 2.7));
        for (std::size_t i = 0; i < m_pumps.size(); ++i) draws(int(i), 9000 * std::pow(m_pumps[i].speedPercent / 100, 2.7));
        for (int side = 0; side < 2; ++side) {
            const std::string n = std::to_string(side + 1);
            double board = 0;
            for (int r = 0; r < 2; ++r) {
                const bool dead = !upsWorks[side] || (r == 1 && side == 0 && failed(Fault::Busway, s));
                const double watts = dead ? 0 : 1.004 * row[r][side];
                set("c01-row" + std::to_string(r + 1) + "-busway" + n, watts, dead ? 0 : 395);
                board += watts;
            }
            board *= 1.001;
            set("ups_board1-" + n, board, upsWorks[side] ? 396 : 0);
            const bool fed = it[side] || set1[side];
            const double in = !fed ? 0 : board / 0.962 + 900;
            if (upsWorks[side]) {
                set("ups1-" + n + "-1", in, fed ? 396 : 0);
                // 25 kWh
                m_charge[side] = std::clamp(m_charge[side] + (fed ? 0.02 : -100 * board / 0.95 / 90e6) * kStepS, 0.0, 100.0);
            } else {
                set("ups1-" + n + "-1", 0, 396); // energized, carries nothing
            }
            const double taken = ((upsWorks[side] ? in : 0) + mechanical[side]) * 1.0015; // fans, pumps and chillers are on the same board
            set("switchboard1-" + n, taken, fed ? 397 : 0);
            set("generator1-" + n, set1[side] ? taken : 0, set1[side] ? 400 : 0);
            const double t1 = it[side] ? taken * 1.011 + 1800 : 0;
            set("transformer1-" + n, t1, it[side] ? 397 : 0);
            const double gear = t1 * 1.0008;
            set("building1-switchgear1-" + n, gear, utility[side] ? 19'780 : 0);
            set(side == 0 ? "utility-a" : "utility-b", gear * 1.0005, utility[side] ? 19'800 : 0);
        }
    }

    /// Air from cold to hot through the racks, back through the coils; water from the chillers to the coils and back.
    void heat(double s)
    {
        double watts = 0;
        for (const Rack& r : m_racks) watts += r.drawW;
        double air = 0, water = 0, openings = 0;
        for (std::size_t i = 0; i < m_walls.size(); ++i) {
            Wall& w = m_walls[i];
            w.status = i == 1 && failed(Fault::FanWall, s) ? 0 : 1;
            if (w.status > 0) w.speed += std::clamp(0.004 * (m_hotC - m_coldC - 12.4), -0.01, 0.01) * kStepS;
            w.speed = std::clamp(w.speed, 0.3, 1.0);
            w.airM3s = w.status * 10.7 * w.speed, w.speedPercent = w.status * 100 * w.speed;
            air += w.airM3s, openings += w.status * w.valve;
        }
        const auto working = std::ranges::count_if(m_pumps, [](const Pump& p) { return p.works > 0; });
        for (std::size_t i = 0; i < m_pumps.size(); ++i) {
            Pump& p = m_pumps[i];
            p.works = i == 0 && failed(Fault::Pump, s) ? 0 : 1;
            const double wants = p.works * (working == 2 ? 70 : 96);
            p.speedPercent += (wants - p.speedPercent) * std::min(1.0, kStepS / (p.works > 0 ? 3 : 0.5));
        }
        double pumped = 0;
        for (const Pump& p : m_pumps) pumped += p.speedPercent / 70 * (working == 2 ? 8.3 : 11.9); // kg/s
        double coils = 0, warm = 0;
        for (Wall& w : m_walls) {
            const double kgS = openings > 0 ? pumped * w.status * w.valve / openings : 0;
            w.returnC = w.status > 0 ? m_hotC : w.returnC;
            if (kgS <= 0 || w.status <= 0) {
                w.valvePercent = 0;
                continue;
            }
            const double least = std::min(kgS * kWaterJ, w.airM3s * kAirJ), most = std::max(kgS * kWaterJ, w.airM3s * kAirJ), r = least / most;
            const double ntu = 42'000 / least, e = std::exp(-ntu * (1 - r));
            const double effect = r > 0.999 ? ntu / (1 + ntu) : (1 - e) / (1 - r * e); // counterflow
            const double full = effect * least * (m_hotC - m_waterC);
            const double takes = std::min(full, w.airM3s * kAirJ * std::max(0.0, m_hotC - 25)); // its bypass holds 25 °C
            w.supplyC += ((m_hotC - takes / (w.airM3s * kAirJ)) - w.supplyC) * kStepS / 4;
            w.valvePercent = std::clamp(60.0 * takes / std::max(full, 1.0) + 20, 0.0, 100.0);
            coils += takes, warm += kgS * (m_waterC + takes / (kgS * kWaterJ)), water += kgS;
        }
        double blown = 0;
        for (const Wall& w : m_walls) blown += w.airM3s * w.supplyC;
        m_coldC += (blown - air * m_coldC) * kAirJ / (260 * 1.2 * 1005) * kStepS; // nodes of 260 m³ of air
        for (std::size_t i = 0; i < m_racks.size(); ++i) m_outC[i] = m_coldC + m_racks[i].drawW / (kAirJ * air * m_racks[i].drawW / watts);
        m_hotC += (watts - air * kAirJ * (m_hotC - m_coldC)) / (420 * 1.2 * 1005) * kStepS;
        if (water > 0) m_backC += (warm / water - m_backC) * std::min(1.0, water * kStepS / 350);
        double chilled = 0, flow = 0;
        int run = 0;
        for (std::size_t i = 0; i < m_chillers.size(); ++i) {
            m_chillers[i].status = i == 1 && failed(Fault::Chiller, s) ? 0 : 1;
            run += m_chillers[i].status > 0;
        }
        for (Chiller& c : m_chillers) {
            c.kgS = c.status > 0 ? pumped / run : 0, c.lpm = c.kgS * 60 / 0.998;
            c.returnC = m_backC;
            const double wants = std::clamp(c.kgS * kWaterJ * (m_backC - 20), 0.0, 420'000.0);
            if (c.kgS > 0) c.supplyC += (m_backC - wants / (c.kgS * kWaterJ) - c.supplyC) * kStepS / 8;
            c.watts = c.status > 0 ? wants / 4.6 + 4000 : 0;
            chilled += c.kgS * c.supplyC, flow += c.kgS;
        }
        if (flow > 0) m_waterC += (chilled / flow - m_waterC) * std::min(1.0, flow * kStepS / 350);
    }

    void advance(double s) { heat(s), power(s); }

    Options m_options;
    Recorder m_recorder;
    std::vector<Rack> m_racks;
    std::map<std::string, Meter> m_meters;
    std::array<Wall, 4> m_walls;
    std::array<Pump, 2> m_pumps;
    std::array<Chiller, 3> m_chillers;
    std::array<double, 21> m_outC{};
    double m_charge[2] = {100, 100};
    double m_hotC = 37, m_coldC = 25, m_waterC = 20, m_backC = 27, m_hertz = 50;
};

} // namespace

std::string recordingOf(const Options& options) { return Hall(options).run(); }

} // namespace lumped
