// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derive/cords.h"
#include "core/derive/figures.h"
#include "core/derive/supply.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace hw {

/// What has to be bought, one line per part type (and length of a cable).
struct Bom {
    enum class Group : std::uint8_t { Racks, Devices, Transceivers, Cables, Trays };
    struct Line {
        Group group = Group::Devices;
        std::string part;          ///< slug of the part type
        Text description;          ///< cables with their length
        std::int64_t quantity = 0; ///< pieces; metres of tray
        std::int32_t lengthMm = 0; ///< of a cable, else 0
        Money unitPrice, sum;
        Confidence confidence = Confidence::Assumed; ///< of the unit price
        friend bool operator==(const Line&, const Line&) = default;
    };
    /// Links that nothing can be bought for, and that the total so leaves out.
    struct LeftOut {
        Text between;
        Text reason, todo;
        std::int64_t links = 0, cables = 0;
        friend bool operator==(const LeftOut&, const LeftOut&) = default;
    };
    std::string currency = "USD";
    std::vector<LeftOut> leftOut;
    std::vector<Line> lines;   ///< by group, then part, then length
    Money total, assumed;      ///< `assumed`: the part of the total whose price is assumed
    std::int64_t unpriced = 0; ///< lines whose part has no price
    [[nodiscard]] std::int64_t linksLeftOut() const;
    [[nodiscard]] double assumedShare() const { return total.count() ? double(assumed.count()) / double(total.count()) : 0.0; }
    friend bool operator==(const Bom&, const Bom&) = default;
};

/// "1,024 links server – leaf: no module …": one line for people.
[[nodiscard]] Text leftOutText(const Bom::LeftOut& out);
[[nodiscard]] std::string_view bomGroupName(Bom::Group group); ///< "racks", "devices" …, in files
[[nodiscard]] Text bomGroupText(Bom::Group group);             ///< for people

/// Sums of quantities are integers and prices 1/10,000 of the currency, so the total is exact.
struct BomNode {
    using Value = Bom;
    static constexpr TextId kName = TextId("bill of materials");
    using Inputs = Reads<Nodes<PartsNode, RoutingNode, CablingNode, UncabledNode, SupplyNode, CordsNode>, Alive<Racks, Devices, Trays>,
                         Columns<&Racks::type, &Devices::type, &Trays::type, &Trays::count, &Trays::x1, &Trays::y1, &Trays::z1, &Trays::x2,
                                 &Trays::y2, &Trays::z2, &LinkRules::from, &LinkRules::to, &Tiers::name>,
                         SettingKeys<"project.currency", "cabling.spare_percent", "cabling.spares_per", "cabling.pack_size">>;
    static std::shared_ptr<const Bom> compute(const Now<BomNode>&);
};
/// The bill that goes with the figures, made once for all who ask.
[[nodiscard]] inline const Bom& makeBom(const Figures& figures) { return figures.get<BomNode>(); }

[[nodiscard]] nlohmann::ordered_json bomJson(const Bom& bom);
/// Writes .csv, .xlsx or .json by the name's ending (Usage for another one); whole or not at all.
[[nodiscard]] Result<void> writeBom(const Bom& bom, const std::filesystem::path& file, const std::string& designName, const Progress& progress = {});

} // namespace hw
