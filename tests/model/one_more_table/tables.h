// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Included at the end of core/foundation/model/tables.h: what a new table adds there.

namespace hw {

enum class SensorKind : std::uint8_t { Temperature, Humidity, Leak };
HW_WORDS(SensorKind, "temperature", "humidity", "leak")

/// A sensor on a rack, `along` from its left edge and `height` above the floor.
struct Sensors : Table<Sensors> {
    Sensors();
    ~Sensors() override;
    Column<SensorId, std::string> key{"key", column::kKey}, name{"name", column::kName};
    Column<SensorId, RackId> rack{"rack", column::kPlacedIn};
    Column<SensorId, SensorKind> kind{"kind"};
    Column<SensorId, Millimeters> x{"x_mm", column::kX}, y{"y_mm", column::kY};
    Column<SensorId, std::int32_t> period{"period_s", ColumnTraits{.fallback = 60}};
    Column<SensorId, std::uint32_t> overridden{"overridden", column::kOverridden};
    HW_COLUMNS(key, name, rack, kind, x, y, period, overridden)
};

} // namespace hw

/// The line that a new type of value adds to core/foundation/model/column_values.cpp.
#define HW_MORE_VALUES template class ValueColumn<SensorKind>;
