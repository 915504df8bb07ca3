// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/power/fault.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hw::power {

namespace {

/// Of this magnitude, with R = `ratio`·X.
FaultImpedance withRatio(double magnitude, double ratio)
{
    const double x = magnitude / std::sqrt(1 + ratio * ratio);
    return {ratio * x, x};
}

} // namespace

FaultImpedance gridImpedance(double shortCircuitVa, double c) { return shortCircuitVa > 0 ? withRatio(c / shortCircuitVa, 0.1) : FaultImpedance(); }

FaultImpedance transformerImpedance(double ratedVa, double shortCircuitVoltage, double loadLossW, double c)
{
    if (ratedVa <= 0) return {};
    const double r = loadLossW / ratedVa;
    FaultImpedance z = loadLossW > 0 && r < shortCircuitVoltage ? FaultImpedance(r, std::sqrt(shortCircuitVoltage * shortCircuitVoltage - r * r))
                                                                : withRatio(shortCircuitVoltage, 0.1);
    z *= 0.95 * c / (1 + 0.6 * z.imag());
    return z / ratedVa;
}

FaultImpedance generatorImpedance(double ratedVa, double subtransient, bool low)
{
    if (ratedVa <= 0) return {};
    return FaultImpedance((low ? 0.15 : 0.07) * subtransient, subtransient) / ratedVa;
}

FaultImpedance lineImpedance(double rMilliohm, double xMilliohm, double volts)
{
    return volts > 0 ? FaultImpedance(rMilliohm, xMilliohm) / 1000.0 / (volts * volts) : FaultImpedance();
}

double faultAmps(const FaultImpedance& z, double volts, double c)
{
    const double most = std::abs(z);
    return most > 0 && volts > 0 ? c / (std::numbers::sqrt3 * most * volts) : 0;
}

double peakAmps(const FaultImpedance& z, double initialAmps)
{
    const double ratio = z.imag() > 0 ? z.real() / z.imag() : 1e9;
    return (1.02 + 0.98 * std::exp(-3 * ratio)) * std::numbers::sqrt2 * initialAmps;
}

std::optional<FaultImpedance> drivingPoint(std::size_t nodes, std::span<const FaultBranch> branches, std::span<const FaultBranch> sources, Index at)
{
    if (at >= nodes) return std::nullopt;
    // Nodes that a source reaches; others would make the matrix singular.
    std::vector<char> reached(nodes, 0);
    for (const FaultBranch& source : sources)
        if (source.from < nodes) reached[source.from] = 1;
    for (bool more = true; more;) {
        more = false;
        for (const FaultBranch& b : branches)
            if (b.from < nodes && b.to < nodes && reached[b.from] != reached[b.to]) reached[b.from] = reached[b.to] = 1, more = true;
    }
    if (!reached[at]) return std::nullopt;
    std::vector<std::size_t> row(nodes, 0);
    std::size_t n = 0;
    for (std::size_t i = 0; i < nodes; ++i)
        if (reached[i]) row[i] = n++;
    // A busbar has no impedance: a part in a million of the smallest one there keeps the matrix regular.
    double least = 0;
    for (const auto list : {branches, sources})
        for (const FaultBranch& b : list)
            if (std::abs(b.z) > 0 && (least == 0 || std::abs(b.z) < least)) least = std::abs(b.z);
    if (least == 0) return FaultImpedance();
    const FaultImpedance floor(0, least * 1e-6);
    const auto admittance = [&](const FaultBranch& b) { return 1.0 / (std::abs(b.z) > 0 ? b.z : floor); };
    std::vector<FaultImpedance> y(n * n), v(n);
    for (const FaultBranch& b : branches) {
        if (b.from >= nodes || b.to >= nodes || !reached[b.from] || b.from == b.to) continue;
        const std::size_t i = row[b.from], j = row[b.to];
        const FaultImpedance g = admittance(b) * least; // scaled to about 1
        y[i * n + i] += g, y[j * n + j] += g, y[i * n + j] -= g, y[j * n + i] -= g;
    }
    for (const FaultBranch& b : sources)
        if (b.from < nodes) y[row[b.from] * n + row[b.from]] += admittance(b) * least;
    v[row[at]] = 1;
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::abs(y[i * n + k]) > std::abs(y[pivot * n + k])) pivot = i;
        if (std::abs(y[pivot * n + k]) == 0) return std::nullopt;
        if (pivot != k) {
            for (std::size_t j = k; j < n; ++j) std::swap(y[k * n + j], y[pivot * n + j]);
            std::swap(v[k], v[pivot]);
        }
        for (std::size_t i = k + 1; i < n; ++i) {
            const FaultImpedance factor = y[i * n + k] / y[k * n + k];
            if (factor == FaultImpedance()) continue;
            for (std::size_t j = k; j < n; ++j) y[i * n + j] -= factor * y[k * n + j];
            v[i] -= factor * v[k];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t j = k + 1; j < n; ++j) v[k] -= y[k * n + j] * v[j];
        v[k] /= y[k * n + k];
    }
    return v[row[at]] * least;
}

} // namespace hw::power
