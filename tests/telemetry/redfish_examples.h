// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Redfish resources as firmware shows them, cut to what matters. In a source of their own: moc does not read raw strings of this kind.
namespace examples {
extern const char *const kConnector, *const kOutlet, *const kLeak, *const kSensor, *const kThermal, *const kElsewhere;
} // namespace examples
