// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/monitor.h"

#include <map>
#include <string>
#include <vector>

/// Alarms and deviations as tickets for the teams that repair them. Written on request, never sent.
namespace hw::tickets {

/// What is wrong, in the four dimensions of network faults, and of the facility.
enum class Dimension : std::uint8_t { LowPerformance, PacketLoss, Configuration, NoConnection, Facility };
/// The responsible team, by trade; names from the setting `operations.teams`.
enum class Trade : std::uint8_t { Compute, Network, Storage, Power, Cooling, Configuration };

struct Ticket {
    std::string id; ///< the same in a replay
    std::int64_t openedMs = 0;
    Dimension dimension = Dimension::LowPerformance;
    Trade trade = Trade::Compute;
    std::string team;
    EntityRef entity;
    std::string name, location; ///< of the entity: "hall1 / row2 / rack5"
    Text what, remedy;
    std::vector<std::string> evidence, ruledOut; ///< ruled out: dimensions in which nothing is reported of the entity
    std::uint32_t gpusLost = 0, gpusDegraded = 0;
};

/// Of the alarms and deviations of a frame that are active; those that lose most GPUs first, then the oldest. Error: Refused for a setting
/// `operations.teams` that cannot be read.
[[nodiscard]] Result<std::vector<Ticket>> ticketsOf(const Figures& design, const monitoring::Frame& frame);
/// "compute=Hardware; network=NetOps": teams by trade; others keep their default. Error: Refused.
[[nodiscard]] Result<std::map<Trade, std::string>> teamsOf(const std::string& setting);

[[nodiscard]] std::string ticketsJson(const std::vector<Ticket>& tickets); ///< hallwright.tickets/1
[[nodiscard]] std::string ticketsCsv(const std::vector<Ticket>& tickets);
[[nodiscard]] std::string ticketsText(const std::vector<Ticket>& tickets);

} // namespace hw::tickets

namespace hw {
HW_WORDS(tickets::Dimension, "low-performance", "packet-loss", "configuration-error", "no-connection", "facility")
HW_WORDS(tickets::Trade, "compute", "network", "storage", "power", "cooling", "configuration")
} // namespace hw
