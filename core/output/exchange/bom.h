// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/cords.h"
#include "core/derived/figures/figures.h"
#include "core/derived/figures/supply.h"
#include "core/foundation/money/spares.h"
#include "core/foundation/money/systems.h"
#include "core/output/exchange/design_stamp.h"
#include "core/output/exchange/sundries.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace hw {

/// What has to be bought, one line per part type (and length of a cable).
struct Bom {
    /// Sundries follow from what stands there and are no parts of the project. Spares are bought besides what is installed; charges are
    /// shipping, installation and tax on all of that.
    enum class Group : std::uint8_t { Racks, Devices, Transceivers, Cables, Trays, Sundries, Spares, Charges };
    struct Line {
        Group group = Group::Devices;
        std::string part;          ///< slug of the part type or sundry; of a charge "shipping", "installation", "tax"
        Text description;          ///< cables with their length
        std::int64_t quantity = 0; ///< pieces; meters of tray; of a sundry its unit
        std::int32_t lengthMm = 0; ///< of a cable, else 0
        Money unitPrice, sum;
        Confidence confidence = Confidence::Assumed; ///< of the unit price
        CostSystem system = CostSystem::Building;
        bool priced = false; ///< there is a price, be it a guess
        Trust trust = Trust::Assumed;
        std::string source{}, supplier{}, date{}; ///< of the price
        std::int32_t leadDays = 0;                ///< from order to delivery; 0 = not stated
        std::string leadSource{};                 ///< who says so
        Confidence leadConfidence = Confidence::Assumed;
        SundryUnit unit = SundryUnit::Piece; ///< of a sundry
        std::string with{};                  ///< slug of the part whose price contains it; empty: it has a price of its own
        [[nodiscard]] bool spare() const { return group == Group::Spares; }
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
    std::vector<Line> lines;                                             ///< by group, then part, then length
    Money total, assumed;                                                ///< `assumed`: the part of the total whose price is assumed
    std::int64_t unpriced = 0;                                           ///< lines whose part has no price
    double shippingPercent = 0, installationPercent = 0, taxPercent = 0; ///< tax is on all, the others on the goods
    double sparesShare = 0;                                              ///< confidence that spares last; 0: none are counted
    std::vector<std::string> withoutRate;                                ///< parts whose price is in a currency without a rate
    [[nodiscard]] Money quoted() const { return total - assumed; }       ///< at prices that somebody asked or published
    [[nodiscard]] std::vector<std::string> unpricedParts() const;        ///< slugs, each once
    [[nodiscard]] Money goods() const;                                   ///< without charges
    /// Puts charges behind the lines, and makes the sums. `before`: goods of earlier parts of the same bill, so that the
    /// charges of all parts add up to those of the whole.
    void close(Money before = {});
    [[nodiscard]] std::int64_t linksLeftOut() const;
    [[nodiscard]] double assumedShare() const { return total.count() ? double(assumed.count()) / double(total.count()) : 0.0; }
    friend bool operator==(const Bom&, const Bom&) = default;
};

/// "1,024 links server – leaf: no module …": one line for people.
[[nodiscard]] Text leftOutText(const Bom::LeftOut& out);
[[nodiscard]] std::string_view bomGroupName(Bom::Group group); ///< "racks", "devices" …, in files
[[nodiscard]] Text bomGroupText(Bom::Group group);             ///< for people
[[nodiscard]] std::string_view bomUnit(const Bom::Line& line); ///< "pcs", "m", "L", "lot"
/// What charges the total has, or that it has none: one line for people.
[[nodiscard]] Text chargesText(const Bom& bom);

/// Sums of quantities are integers and prices 1/10,000 of the currency, so the total is exact.
struct BomNode {
    using Value = Bom;
    static constexpr TextId kName = TextId("bill of materials");
    using Inputs = Reads<
        Nodes<PartsNode, PlacementNode, RoutingNode, CablingNode, UncabledNode, SupplyNode, CordsNode, CoolingChainNode, MediumNode<Medium::Coolant>>,
        Alive<Racks, Rows, Devices, Trays>,
        Columns<&Racks::type, &Racks::row, &Rows::hall, &Rows::containment, &Devices::rack, &Devices::u, &Devices::type, &Devices::tier, &Tiers::kind,
                &Trays::type, &Trays::count, &Trays::x1, &Trays::y1, &Trays::z1, &Trays::x2, &Trays::y2, &Trays::z2, &LinkRules::from, &LinkRules::to,
                &Tiers::name>,
        Whole<Prices, Settings>>;
    static std::shared_ptr<const Bom> compute(const Now<BomNode>&);
};
/// The bill that goes with the figures, made once for all who ask.
[[nodiscard]] inline const Bom& makeBom(const Figures& figures) { return figures.get<BomNode>(); }

struct BomSections; // bom_sections.h
struct LeadTime;    // lead_times.h
/// What goes into the files besides the lines of the bill; null: nothing of it.
struct BomFileParts {
    const BomSections* sections = nullptr;
    const std::vector<LeadTime>* orders = nullptr; ///< what to order when, the longest lead time first
};

[[nodiscard]] nlohmann::ordered_json bomJson(const Bom& bom, const DesignStamp& stamp = {}, const BomFileParts& with = {});
/// Writes .csv, .xlsx or .json by the name's ending (Usage for another one); whole or not at all.
[[nodiscard]] Result<void> writeBom(const Bom& bom, const std::filesystem::path& file, const std::string& designName, const Progress& progress = {},
                                    const DesignStamp& stamp = {}, const BomFileParts& with = {});

} // namespace hw
