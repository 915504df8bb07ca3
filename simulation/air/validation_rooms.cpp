// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/air/validation_rooms.h"

namespace hw::sim::air {

namespace {

using Json = nlohmann::ordered_json;

/// A rack as a solid with bands of its height that draw air at its front and give it off at its rear, across x.
void addBands(RoomPlan& plan, const std::string& name, int owner, double front, double rear, double y0, double y1,
              const std::vector<std::array<double, 3>>& bands, double flow, double watts)
{
    const int sign = rear > front ? 1 : -1;
    for (const auto& [z0, z1, share] : bands) {
        PlannedExchange e;
        e.exchange.name = name;
        e.exchange.owner = owner;
        e.exchange.flow = flow * share;
        e.exchange.heatW = watts * share;
        const Box box{{std::min(front, rear), y0, z0}, {std::max(front, rear), y1, z1}};
        e.intake = {0, front, box, sign};
        e.outlet = {0, rear, box, sign};
        plan.exchanges.push_back(std::move(e));
    }
}

} // namespace

/// The model moves air of one density (20 °C): what fans behind the servers move of warm air is less of it. Air comes at about 20 °C.
double referenceFlow(double measured, double watts)
{
    constexpr double kHeat = 1.204 * 1005, kKelvin = 293.15;
    double flow = measured;
    for (int round = 0; round < 8; ++round) flow = measured * kKelvin / (kKelvin + watts / (kHeat * flow));
    return flow;
}

constexpr double kGapShare = 0.1; ///< free share of the racks between their servers (assumed)

RoomPlan pod2Plan(const Json& window)
{
    RoomPlan plan;
    plan.room = {{0, 0, 0}, {6.95, 4.87, 3.0}};
    plan.solids = {{{0, 3.72, 0}, {6.95, 4.87, 2.25}}, {{2.50, 0, 2.65}, {2.75, 4.87, 3.0}}, {{4.50, 0, 2.65}, {4.75, 4.87, 3.0}}};
    const std::vector<std::array<double, 3>> bands{{0.30, 0.60, 0.3}, {0.70, 0.90, 0.2}, {1.17, 1.47, 0.3}, {1.57, 1.77, 0.2}};
    // Between the servers of a row the racks are open but for what stands in them.
    for (const auto& [x0, x1] : {std::pair{4.37, 5.25}, std::pair{1.79, 2.67}}) {
        double below = 0;
        for (const auto& [z0, z1, share] : bands) {
            plan.solids.push_back({{x0, 0, z0}, {x1, 3.72, z1}});
            plan.screens.push_back({0, (x0 + x1) / 2, {{x0, 0, below}, {x1, 3.72, z0}}, lossOfOpenShare(kGapShare)});
            below = z1;
        }
        plan.solids.push_back({{x0, 0, below}, {x1, 3.72, 2.22}});
    }
    int number = 0;
    for (const Json& rack : window.at("racks")) {
        const bool right = number < 6; // R01 … R06 from the far end, R07 … R12 from the near end
        const double y = 0.62 * (right ? 5 - number : number - 6);
        addBands(plan, rack.at("name"), number, right ? 5.25 : 1.79, right ? 4.37 : 2.67, y + 0.085, y + 0.535, bands,
                 referenceFlow(rack.at("m3s"), rack.at("w")), rack.at("w"));
        ++number;
    }
    struct Unit {
        double x0, x1, y0, y1, face;
        int sign;
    };
    const std::array<Unit, 4> units{
        {{6.44, 6.95, 2.275, 3.50, 6.44, -1}, {6.44, 6.95, 0.60, 1.825, 6.44, -1}, {0, 0.51, 0.60, 1.825, 0.51, 1}, {0, 0.51, 2.275, 3.50, 0.51, 1}}};
    for (std::size_t u = 0; u < units.size(); ++u) {
        const Unit& at = units[u];
        const Json& unit = window.at("units").at(u);
        plan.solids.push_back({{at.x0, at.y0, 0}, {at.x1, at.y1, 2.55}});
        PlannedExchange e;
        e.exchange.name = unit.at("name");
        e.exchange.plant = true;
        e.exchange.owner = 100 + int(u);
        e.exchange.supplyC = unit.at("supply_c");
        e.exchange.flow = unit.at("m3s").get<double>() * 293.15 / (273.15 + e.exchange.supplyC); // fans behind the coil
        const double middle = (at.y0 + at.y1) / 2;
        e.intake = {2, 2.55, {{at.x0, at.y0, 2.55}, {at.x1, at.y1, 2.55}}, -1};
        e.outlet = {0, at.face, {{at.face, middle - 0.5, 0.10}, {at.face, middle + 0.5, 1.875}}, at.sign};
        plan.exchanges.push_back(std::move(e));
    }
    return plan;
}

RoomPlan module1Plan(const Json& document)
{
    // Along y: unit, cold aisle, row, hot aisle, row, cold aisle, unit. Along x: the rows from the wall, then the passage.
    constexpr double kFace = 0.73, kUnitFace = 1.775;
    RoomPlan plan;
    plan.room = {{0, 0, 0}, {6.484, 5.084, 3.150}};
    const double hot0 = 6.484 / 2 - 0.6, hot1 = 6.484 / 2 + 0.6, depth = 1.1, height = 2.2;
    plan.solids = {{{hot0 - depth, 0, 0}, {hot0, 3.0, height}}, {{hot1, 0, 0}, {hot1 + depth, 3.0, height}}};
    plan.screens.push_back({1, 3.0, {{hot0, 3.0, 0}, {hot1, 3.0, height}}, 0});
    int number = 0;
    for (const Json& rack : document.at("racks")) {
        const bool right = number < 5;
        const double y = 0.6 * (right ? 4 - number : number - 5);
        addBands(plan, rack.at("name"), number, right ? hot1 + depth : hot0 - depth, right ? hot1 : hot0, y, y + 0.6,
                 {{0.1, 0.8, 1 / 3.0}, {0.8, 1.5, 1 / 3.0}, {1.5, 2.1, 1 / 3.0}}, rack.at("m_s").get<double>() * kFace, rack.at("w"));
        ++number;
    }
    for (std::size_t u = 0; u < 4; ++u) {
        const Json& unit = document.at("units").at(u);
        const bool right = u < 2;
        const double y0 = u % 2 == 0 ? 0.3 : 2.0, x0 = right ? 6.484 - 0.51 : 0, x1 = right ? 6.484 : 0.51;
        plan.solids.push_back({{x0, y0, 0}, {x1, y0 + 1.225, 2.55}});
        PlannedExchange e;
        e.exchange.name = unit.at("name");
        e.exchange.plant = true;
        e.exchange.owner = 100 + int(u);
        e.exchange.flow = unit.at("m_s").get<double>() * kUnitFace;
        e.exchange.supplyC = unit.at("supply_c");
        e.intake = {2, 2.55, {{x0, y0, 2.55}, {x1, y0 + 1.225, 2.55}}, -1};
        const double face = right ? x0 : x1;
        e.outlet = {0, face, {{face, y0 + 0.11, 0.10}, {face, y0 + 1.11, 1.875}}, right ? -1 : 1};
        plan.exchanges.push_back(std::move(e));
    }
    return plan;
}

std::array<double, 2> module1Mast(std::string_view name)
{
    constexpr double kMiddle = 6.484 / 2;
    if (name == "L1") return {kMiddle, 0.9};
    if (name == "L2") return {kMiddle, 1.5};
    if (name == "L3") return {kMiddle, 2.1};
    if (name == "L4") return {kMiddle, 3.6};
    return {1.0, 0.91};
}

} // namespace hw::sim::air
