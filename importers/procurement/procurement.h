// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/bom_sections.h"
#include "core/output/exchange/formats.h"

namespace hw::procurement {

/// A position of an order: a part that one phase needs.
struct Order {
    std::string supplier{}; ///< of the price that counts; empty: no offer
    std::string orderBy{};  ///< ISO 8601; empty: no lead time, or a phase without a date
    int phase = 1;
    std::string phaseDate{}; ///< empty: none
    const Bom::Line* line = nullptr;
    std::int64_t quantity = 0;
    std::string manufacturer{}, partNumber{}, validUntil{};
};
/// By supplier (those without one last), date of the order, phase and part. Charges, and what the price of another part includes, are no
/// positions. `sections`: the bill by phases, which the orders point into.
[[nodiscard]] std::vector<Order> ordersOf(const Figures& figures, const BomSections& sections);

/// `export orders`: .csv, or .xlsx with a sheet for each supplier.
[[nodiscard]] std::unique_ptr<exchange::Exporter> ordersExporter();
/// `export tender`: the bill by room and phase without prices; .csv, or .xlsx with amounts and sums as formulas.
[[nodiscard]] std::unique_ptr<exchange::Exporter> tenderExporter();

} // namespace hw::procurement
