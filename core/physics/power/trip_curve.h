// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

/// Time-current bands of circuit breakers: how long one carries an overload at least and at most. Knows nothing of designs.
namespace hw::power {

/// When a breaker opens at a steady current. None: it does not have to, or is not allowed to.
struct TripBand {
    std::optional<std::int64_t> earliestMs; ///< none: it may not trip, at or below the conventional non-tripping current
    std::optional<std::int64_t> latestMs;   ///< none: it need not trip, below the conventional tripping current
    friend bool operator==(const TripBand&, const TripBand&) = default;
};

/// Which bound of the band counts.
enum class TripBound : std::uint8_t { Earliest, Latest };

/// Settings of an electronic release, IEC 60947-2. Currents in multiples, of the rated or set one as named.
struct ReleaseSettings {
    double longTimeS = 12;     ///< tr at 6 times Ir: the long-time delay falls with the square of the current
    double shortTime = 8;      ///< Isd over Ir
    double shortTimeS = 0.2;   ///< tsd, a fixed time
    double instantaneous = 12; ///< Ii over Ir
    friend bool operator==(const ReleaseSettings&, const ReleaseSettings&) = default;
};

/// The band of one breaker, over its current in multiples of the rated current In (miniature) or the set current Ir (electronic release).
class TripCurve {
public:
    /// IEC 60898-1:2015, table 7: `type` is 'B', 'C' or 'D'. The conventional time is an hour up to 63 A, two hours above.
    [[nodiscard]] static TripCurve miniature(char type, double ratedAmps);
    /// IEC 60947-2: a circuit breaker with an electronic release set to `amps`.
    [[nodiscard]] static TripCurve electronic(const ReleaseSettings& settings, double amps);

    [[nodiscard]] TripBand at(double multiple) const;
    /// Up to this multiple of the current the bound never trips: the conventional non-tripping current, or the tripping one for the latest bound.
    [[nodiscard]] double carries(TripBound bound) const;
    /// Time until it opens by a bound; none where it carries the current for good.
    [[nodiscard]] std::optional<std::int64_t> opensMs(double multiple, TripBound bound) const;
    friend bool operator==(const TripCurve&, const TripCurve&) = default;

private:
    struct Point {
        double multiple = 1, seconds = 0;
        friend bool operator==(const Point&, const Point&) = default;
    };
    [[nodiscard]] static std::int64_t timeOn(const std::vector<Point>& bound, double multiple, bool latest);

    double m_holds = 1, m_trips = 1; ///< conventional non-tripping and tripping current
    std::vector<Point> m_earliest,
        m_latest; ///< ascending by current; between points straight on logarithmic scales, a step where two have one current
};

} // namespace hw::power
