// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The line that a new table adds to core/foundation/model/table_list.h.
#define HW_MORE_TABLES(ENTITY, PLAIN) ENTITY(Sensors, sensors, Sensor, "sensors")
