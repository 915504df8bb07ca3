// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace hw::netbox {

/// A table of NetBox that an export writes.
struct TableInfo {
    const char* name;              ///< "dcim/racks", its path
    TextId what;                   ///< for people: "racks"
    const char* filter;            ///< by which its rows are looked up: "slug", "name", or "site_id" and the like: ids of that field
    std::vector<const char*> keys; ///< by which a row is known
    bool shared = false;           ///< belongs to all of that NetBox: made where it is missing, never changed
    bool main = false;             ///< never in a branch
    int since = 4;                 ///< minor release of NetBox 4 that has it
    std::size_t batch = 500;
};
/// In the order in which they are written; cables, the last, are looked up by their ends.
[[nodiscard]] std::span<const TableInfo> tableList();
[[nodiscard]] std::size_t tableIndex(std::string_view name);

/// One end of a cable.
struct Termination {
    std::string table;     ///< "dcim/interfaces", "dcim/power-feeds" …
    std::size_t owner = 0; ///< item of the device; of a feed the feed itself
    std::string name;      ///< of the component; empty for a feed
    friend auto operator<=>(const Termination&, const Termination&) = default;
};

/// An object of NetBox as the design wants it. Other items appear in `body` as {"$": index}.
struct Item {
    std::size_t table = 0;
    std::string name; ///< for people; unique within the table
    nlohmann::json body;
    std::vector<const char*> once; ///< fields that are written with a new object only
    std::vector<Termination> a, b; ///< of a cable
    EntityRef source;
    Text flaw; ///< why NetBox would refuse it; empty: it would not
};

struct Inventory {
    std::vector<Item> items;
    std::vector<std::vector<std::size_t>> ofTable; ///< items of each table of `tableList`
    std::vector<Text> notes;                       ///< what cannot be said in NetBox
};

struct InventoryOptions {
    int minor = 6;      ///< release 4.x that it is written for
    std::string site;   ///< of buildings that belong to no site; empty: the project's name
    bool cords = false; ///< power cords within racks, too
};

/// On everything that an export makes.
inline constexpr const char* kExportTag = "hallwright";

/// The object type of a table: "dcim.interface".
[[nodiscard]] std::string objectType(std::string_view table);
/// Letters, digits and hyphens; never empty.
[[nodiscard]] std::string slugOf(std::string_view name);
/// The interface type of NetBox 4.`minor` for a socket of ours: the nearest one, "other" at worst.
[[nodiscard]] std::string interfaceType(const Interface& interface, int minor);

[[nodiscard]] Result<Inventory> inventoryOf(const Figures& figures, const InventoryOptions& options, const Progress& progress);

} // namespace hw::netbox
