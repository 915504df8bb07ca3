// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "simulation/air/pressure.h"

namespace hw::sim::air {

/// Air as the equations take it: incompressible, buoyancy after Boussinesq.
struct Air {
    double density = 1.2;       ///< kg/m³
    double specificHeat = 1005; ///< J/(kg K)
    double viscosity = 1.55e-5; ///< m²/s
    double prandtl = 0.71;
    double expansion = 1 / 295.0;                                        ///< 1/K
    double referenceC = 22;                                              ///< at which buoyancy is zero
    double gravity = 9.81;                                               ///< m/s², against z
    [[nodiscard]] double heat() const { return density * specificHeat; } ///< J/(m³ K)
};

struct Controls {
    bool turbulent = true; ///< zero-equation model of Chen and Xu, else laminar
    double turbulentPrandtl = 0.9;
    double blend = 1;                   ///< of the bounded second-order scheme; 0 = first-order upwind
    double courant = 4;                 ///< of the local time step, in times that a cell takes to fill
    double longestStep = 0.5;           ///< s
    double longestHeatStep = 0;         ///< s, of the temperature; 0 = longestStep
    std::array<bool, 3> frictionless{}; ///< walls across this axis: two-dimensional cases
    int most = 1500;                    ///< steps
    int least = 40;
    int window = 40;         ///< steps over which monitors must rest
    double settledK = 0.05;  ///< largest swing of a monitored temperature in the window
    double settledMs = 0.01; ///< of a monitored speed
    double massError = 1e-6; ///< of the air supplied
    double heatError = 1e-3; ///< of the heat supplied
    double fanError = 1e-2;  ///< of the rated flow
};

/// Velocities on faces, the rest in cells (solid cells: temperature of the air that leaves them).
struct Fields {
    std::array<std::vector<double>, 3> velocity;
    std::vector<double> pressure; ///< over density, m²/s²
    std::vector<double> celsius;
    std::vector<double> turbulence; ///< turbulent viscosity, m²/s
};

/// What a result may be relied on for.
struct Certificate {
    int steps = 0;
    double massError = 0; ///< Σ|divergence| over the air supplied (or moved, in a closed cavity)
    double heatError = 0; ///< |heat in − heat out| over heat in
    double swingK = 0;    ///< largest swing of a monitored temperature in the window
    double swingMs = 0;   ///< of a monitored speed
    double fanError = 0;  ///< largest distance of a fan from its curve, as a share of its rated flow
    bool settled = false;
};

/// Marches to a steady state by local time steps: implicit transport, then a projection that leaves the pressure of the last step in the balance, so
/// that the steady state does not depend on the step. Deterministic; two threads.
class Solver {
public:
    Solver(Room& room, Air air, Controls controls);

    Fields fields;
    Controls controls;
    std::vector<std::size_t> monitors; ///< cells, beside the intakes of exchanges

    void startFrom(const Solver& coarse);
    void step();
    /// Ends when settled, after `controls.most` steps, or when stopped.
    Certificate run(const Progress& progress = {}, double from = 0, double to = 1);
    [[nodiscard]] Certificate certificate() const;
    /// Mean over the last window and its swing, by exchange: temperature of the air that it takes in.
    [[nodiscard]] const std::vector<double>& intakeMean() const { return m_intakeMean; }
    [[nodiscard]] const std::vector<double>& intakeSwing() const { return m_intakeSwing; }
    [[nodiscard]] double intakeC(std::size_t exchange) const;
    [[nodiscard]] double outletC(std::size_t exchange) const { return m_outletC[exchange]; }
    [[nodiscard]] double plantW(std::size_t exchange) const; ///< heat that it takes out
    [[nodiscard]] double heatInW() const;
    /// Share of what arrives in each cell that came from exchanges with `source` true: a passive tracer in the flow as it is.
    [[nodiscard]] std::vector<double> tracer(const std::vector<char>& source) const;
    [[nodiscard]] double intakeMeanOf(const Patch& patch, const std::vector<double>& scalar) const;
    [[nodiscard]] const std::vector<float>& wallDistance() const { return m_distance; }
    [[nodiscard]] double wallHeatInW() const { return m_wallInW; } ///< from isothermal walls into the air, without what others take out
    [[nodiscard]] double averageC() const;
    [[nodiscard]] const Room& room() const { return m_room; }
    [[nodiscard]] std::array<double, 3> velocityAt(double x, double y, double z) const;
    [[nodiscard]] double celsiusAt(double x, double y, double z) const;
    void updateTurbulence();

private:
    struct Row {
        double diagonal, constant;
        std::array<double, 6> neighbor; ///< below, above, an axis each
    };
    struct Momentum {
        std::vector<std::uint32_t> faces; ///< open ones
        std::vector<Row> rows;
        std::vector<double> change; ///< velocity per pressure gradient, s; by face
    };
    void findDistances();
    void assemble(int axis);
    void sweep(int axis, int sweeps);
    void project(double relative, int most);
    void transportHeat();
    void assembleScalar(const std::vector<double>& value, std::vector<Row>& rows, bool steady) const;
    void updateOutlets();
    void updateFans();
    [[nodiscard]] double capacityAt(const Exchange& plant, double returnC) const;
    [[nodiscard]] double slope(const std::vector<double>& v, std::size_t from, std::ptrdiff_t step, double spacingUp, double spacingDown) const;
    [[nodiscard]] double movedFlow() const;

    Room& m_room;
    Air m_air;
    PressureSolver m_solver;
    std::array<Momentum, 3> m_momentum;
    std::array<std::vector<double>, 3> m_coefficient;
    std::vector<float> m_distance;
    std::vector<double> m_outletC;
    std::vector<Row> m_rows;
    std::vector<double> m_divergence, m_correction;
    std::vector<std::vector<double>> m_history; ///< by step, by monitor
    std::vector<double> m_intakeMean, m_intakeSwing;
    double m_fanError = 0;
    double m_massError = 1, m_wallHeatW = 0, m_wallInW = 0;
    int m_steps = 0;
    bool m_resting = false; ///< monitors rest: only the balances are left
};

} // namespace hw::sim::air
