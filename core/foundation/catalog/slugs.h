// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/units.h"

#include <string_view>

namespace hw::catalog {

// The slugs of NetBox 4.6 (dcim/choices.py) that a datacenter's types use.
[[nodiscard]] bool isInterfaceSlug(std::string_view slug);
[[nodiscard]] bool isUncabled(std::string_view slug); ///< of interfaces without a socket: virtual, lag, bridge, radio
/// The same, and what NetBox has no word for: the flat-top OSFP socket of 800G.
[[nodiscard]] bool isSocketSlug(std::string_view slug);
[[nodiscard]] bool isAirflowSlug(std::string_view slug);
[[nodiscard]] bool isPowerPortSlug(std::string_view slug);
[[nodiscard]] bool isPowerOutletSlug(std::string_view slug);
/// The same, and what NetBox has no word for: `coolant`, of hoses and pipes.
[[nodiscard]] bool isCableSlug(std::string_view slug);
/// Couplings of hoses and pipes, our own words: uqd-08, lqc-1in, flange-dn150, grooved-dn100.
[[nodiscard]] bool isCoolantConnector(std::string_view slug);
[[nodiscard]] bool isFormFactor(std::string_view slug);

/// Rate that an interface slug states: 400gbase-x-osfp → 400, infiniband-xdr → 800; 0 = none or below 1 Gb/s.
[[nodiscard]] Gbps rateOfSlug(std::string_view slug);

} // namespace hw::catalog
