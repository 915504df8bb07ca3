// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>

namespace hw {

/// An integer amount of one unit. Integers, so that a sum kept up to date by additions and
/// subtractions equals the sum made again bit for bit. The unit is the type; a bare number leaves
/// through `count()` and its new name carries the unit (`power_mw`, `length_mm`).
template <class Unit, class Rep = std::int64_t>
class Quantity {
public:
    constexpr Quantity() = default;
    constexpr explicit Quantity(Rep count) : m_count(count) {}
    [[nodiscard]] constexpr Rep count() const { return m_count; }

    constexpr Quantity& operator+=(Quantity other)
    {
        m_count += other.m_count;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity other)
    {
        m_count -= other.m_count;
        return *this;
    }
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(Rep(a.m_count + b.m_count)); }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(Rep(a.m_count - b.m_count)); }
    friend constexpr Quantity operator-(Quantity a) { return Quantity(Rep(-a.m_count)); }
    friend constexpr Quantity operator*(Quantity a, std::int64_t n) { return Quantity(Rep(a.m_count * n)); }
    friend constexpr Quantity operator*(std::int64_t n, Quantity a) { return a * n; }
    friend constexpr auto operator<=>(Quantity, Quantity) = default;

private:
    Rep m_count = 0;
};

using Millimeters = Quantity<struct MillimeterUnit, std::int32_t>; ///< lengths and places in a hall (± 2,147 km)
using Milliwatts = Quantity<struct MilliwattUnit>;
using MillivoltAmperes = Quantity<struct MillivoltAmpereUnit>; ///< apparent power
using MilliwattHours = Quantity<struct MilliwattHourUnit>;
using Grams = Quantity<struct GramUnit>;
using Gbps = Quantity<struct GbpsUnit, std::int32_t>; ///< a port's or link's rate in one direction
using Money = Quantity<struct MoneyUnit>;             ///< 1/10,000 of the project's currency unit
using MillilitersPerMinute = Quantity<struct FlowUnit>;
using KilogramsPerSquareMeter = Quantity<struct FloorLoadUnit, std::int32_t>; ///< what a floor bears, spread

constexpr Milliwatts watts(std::int64_t w) { return Milliwatts(w * 1000); }
constexpr double toWatts(Milliwatts p) { return double(p.count()) / 1000.0; }
constexpr double toMeters(Millimeters l) { return double(l.count()) / 1000.0; }
constexpr double toCurrency(Money m) { return double(m.count()) / 10000.0; }

} // namespace hw
