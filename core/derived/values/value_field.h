// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"
#include "core/foundation/model/snapshot.h"

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace hw {

/// How the numbers of a field are read.
enum class FieldScale : std::uint8_t {
    Share,   ///< 0 … 1 of a limit, said in per cent; may be beyond
    Amount,  ///< in the field's unit
    Category ///< places in `categories`
};

/// What a category means; the views give it its color.
enum class Tone : std::uint8_t { Neutral, Note, Warning, Error, RackKind, Dim };

struct FieldCategory {
    Text title;
    Tone tone = Tone::Neutral;
    std::uint8_t number = 0; ///< with Tone::RackKind: which
    bool ordinary = false;   ///< in the legend only, not written beside each object
    friend bool operator==(const FieldCategory&, const FieldCategory&) = default;
};

/// A class of amounts: those up to its limit and above that of the class before.
struct FieldBand {
    double to = 0; ///< in the values' own unit; of the last class the end of the map
    Text title;
    friend bool operator==(const FieldBand&, const FieldBand&) = default;
};

/// One value for each of many entities of a kind: what power, findings, a simulation or a meter say about the
/// design, for every view to color, list or draw a histogram of. Plain data, immutable once shared.
struct ValueField {
    static constexpr float kNone = std::numeric_limits<float>::quiet_NaN(); ///< nothing is known

    EntityKind entity = EntityKind::Rack;
    std::vector<std::uint32_t> ids; ///< ascending, one per value; empty: value i is that of id i
    std::vector<float> values;
    FieldScale scale = FieldScale::Amount;
    Text title;                            ///< "Rack power / limit"
    std::string unit;                      ///< of the values as said to people: "%", "kW", "" for plain numbers
    double low = 0, high = 1;              ///< the ends of the color map, in the values' own unit; low < high
    std::vector<FieldCategory> categories; ///< with FieldScale::Category
    std::vector<FieldBand> bands;          ///< classes of amounts, ascending: the legend has their limits and how many are in each
    std::optional<double> timeS;           ///< the moment that the values are of, where they change in time
    Text source;                           ///< whose they are: "design basis", the name of a scenario, a meter
    bool stale = false;                    ///< of an earlier state of the design

    [[nodiscard]] float at(std::uint32_t id) const; ///< kNone where nothing is known
    friend bool operator==(const ValueField&, const ValueField&) = default;
};

[[nodiscard]] inline bool known(float value) { return !std::isnan(value); }
/// Where a value stands between the ends of the map: 0 … 1, clamped.
[[nodiscard]] double mapPlace(const ValueField& field, float value);
/// "83 %", "32.6 kW", "servers"; empty where nothing is known.
[[nodiscard]] Text valueText(const ValueField& field, float value);
/// As valueText, to be written beside an object among many; empty for ordinary categories, too.
[[nodiscard]] Text noteText(const ValueField& field, float value);
/// Round values from low to high for an axis, at most `most` (at least 2), ends included.
[[nodiscard]] std::vector<double> ticksOf(const ValueField& field, std::size_t most);
/// What a tick says: as valueText without the unit.
[[nodiscard]] Text tickText(const ValueField& field, double value);
/// 1, 2 or 5 times a power of ten that is not below `value`; 1 for nothing and less.
[[nodiscard]] double roundUp(double value);

/// How many entities have values in each of equal steps from low to high (beyond the ends: in the first or last
/// step), or in each category.
struct ValueHistogram {
    std::vector<std::uint32_t> counts;
    std::uint32_t known = 0, unknown = 0; ///< entities; `unknown` only of fields with ids of their own
    double mean = 0, least = 0, most = 0; ///< of the known values
    friend bool operator==(const ValueHistogram&, const ValueHistogram&) = default;
};
/// `steps` (at least 1) counts for shares and amounts, one per category else.
[[nodiscard]] ValueHistogram histogramOf(const ValueField& field, std::size_t steps = 20);

} // namespace hw
