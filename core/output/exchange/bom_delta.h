// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/bom.h"

namespace hw {

/// What one bill has more or less than another: a change order with prices.
struct BomDelta {
    struct Line {
        Bom::Group group = Bom::Group::Devices;
        std::string part;
        Text description;
        std::int32_t lengthMm = 0;
        std::int64_t before = 0, after = 0; ///< quantities
        Money priceBefore{}, priceAfter{};  ///< of one; where one side has none of it, that of the other
        Money sumBefore{}, sumAfter{};
        Confidence confidence = Confidence::Assumed; ///< the lesser of both prices
        std::string unit{};
        [[nodiscard]] Money difference() const { return sumAfter - sumBefore; }
        [[nodiscard]] Money forQuantity() const { return priceAfter * (after - before); }    ///< at the later price
        [[nodiscard]] Money forPrice() const { return (priceAfter - priceBefore) * before; } ///< of what there was
    };
    /// What of a group goes, at the earlier prices, and what comes instead, at the later ones.
    struct Exchange {
        Bom::Group group = Bom::Group::Devices;
        Money goes{}, comes{};
        [[nodiscard]] double change() const { return toCurrency(comes) / toCurrency(goes) - 1; } ///< -0.7: 70 % are saved
    };
    /// Groups of which something goes and something comes.
    [[nodiscard]] std::vector<Exchange> exchanges() const;
    DesignStamp before, after;
    std::string currency;
    std::vector<Line> lines; ///< that differ, in the order of bills
    Money totalBefore, totalAfter;
    [[nodiscard]] Money difference() const { return totalAfter - totalBefore; }
};

/// Lines are matched by group, part and length. Refused: bills in two currencies.
[[nodiscard]] Result<BomDelta> bomDelta(const Bom& before, const Bom& after, DesignStamp stampBefore, DesignStamp stampAfter);

[[nodiscard]] nlohmann::ordered_json deltaJson(const BomDelta& delta); ///< schema hallwright.bom-delta/1
[[nodiscard]] std::string deltaText(const BomDelta& delta);            ///< a table of at most 100 columns, the largest changes first
/// Writes .csv, .xlsx or .json by the name's ending (Usage for another one); whole or not at all.
[[nodiscard]] Result<void> writeDelta(const BomDelta& delta, const std::filesystem::path& file, const Progress& progress = {});

} // namespace hw
