// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "importers/netbox_export/client.h"
#include "importers/netbox_export/inventory.h"
#include "importers/netbox_export/journal.h"

#include <map>
#include <set>

namespace hw::netbox {

enum class Action : std::uint8_t { Create, Change, Same, Conflict };

/// What has to be done for one item.
struct Step {
    std::size_t item = 0;
    Action action = Action::Same;
    int id = 0;             ///< of the object that is there; 0: none
    nlohmann::json changes; ///< fields to write, as they are sent
    nlohmann::json was;     ///< the same fields as they are in NetBox
    nlohmann::json kept;    ///< fields that only NetBox knows: the design has no value to write over them; "tags": all of NetBox's, if others
    Text why;               ///< of a conflict
};

/// What an export would do, or did, with one table.
struct TableCount {
    std::size_t create = 0, change = 0, same = 0, conflict = 0;
};

/// An object of NetBox that the design does not have.
struct Stranger {
    std::size_t table = 0;
    int id = 0;
    std::string name;
};

/// Items to write, with the fields of those that change; no fields: all.
using Wanted = std::map<std::size_t, std::set<std::string>>;

/// Brings an inventory to a NetBox: finds by key what is there, makes what is missing, changes what differs. Idempotent.
class Sync {
public:
    Sync(Client& client, const Inventory& inventory, const ServerStatus& status, Progress progress);

    /// Reads alone. Errors: those of the client.
    [[nodiscard]] Result<void> plan();
    /// Plans table after table and writes it, in batches; objects that NetBox refuses are left out with all that needs them. `only`: what to
    /// write, null: all. Objects in NetBox alone stay as they are.
    [[nodiscard]] Result<void> write(const std::string& branch, Journal& journal, const Wanted* only = nullptr);

    /// Of the job that goes on with it.
    void setProgress(const Progress& progress) { m_progress = progress; }

    [[nodiscard]] const std::vector<TableCount>& counts() const { return m_counts; }     ///< by table
    [[nodiscard]] const std::vector<Step>& steps() const { return m_steps; }             ///< by item
    [[nodiscard]] const std::vector<Stranger>& strangers() const { return m_strangers; } ///< racks, devices and cables, of the plan
    [[nodiscard]] const std::vector<Text>& refused() const { return m_refused; }         ///< by NetBox, a line each
    [[nodiscard]] std::size_t created() const { return m_created; }
    [[nodiscard]] std::size_t changed() const { return m_changed; }
    [[nodiscard]] std::size_t conflicts() const;
    [[nodiscard]] std::size_t skipped() const { return m_skipped; } ///< items that need one that was refused
    /// What a related object of NetBox is called, for people: an id of a field as its name.
    [[nodiscard]] std::string shown(const std::string& field, const nlohmann::json& value) const;

private:
    using Json = nlohmann::json;
    struct Port {
        int id = 0, cable = 0;
    };
    [[nodiscard]] bool resolve(const Json& body, Json& out) const;
    [[nodiscard]] Result<std::vector<Json>> existing(const TableInfo& table, const std::vector<std::size_t>& items);
    [[nodiscard]] Result<void> planTable(std::size_t table);
    [[nodiscard]] Result<void> planCables(std::size_t table);
    [[nodiscard]] Result<void> readPorts();
    void planItem(std::size_t item, const std::vector<Json>& rows, const std::map<std::string, std::vector<std::size_t>>& byKey,
                  const std::map<int, std::size_t>& byId);
    void compare(const TableInfo& table, const Json& body, const Json& row, Step& step) const;
    void adjustPosition(const Item& item, Json& body) const;
    [[nodiscard]] std::string keyOf(const TableInfo& table, const Json& row) const;
    [[nodiscard]] Json sent(const Item& item, const Json& body) const;
    /// Whether all was done; false: worth another try.
    [[nodiscard]] Result<bool> writeTable(std::size_t table);
    [[nodiscard]] Result<bool> sendAll(std::size_t table, const char* method, std::vector<std::pair<std::size_t, Json>> rows);
    [[nodiscard]] Result<bool> sendBatch(std::size_t table, const char* method, std::span<const std::pair<std::size_t, Json>> rows);
    [[nodiscard]] Json chosenFields(std::size_t item) const;
    [[nodiscard]] bool wanted(std::size_t item) const { return !m_only || m_only->contains(item); }

    Client& m_client;
    const Inventory& m_inventory;
    const ServerStatus& m_status;
    Progress m_progress;
    Journal* m_journal = nullptr;
    const Wanted* m_only = nullptr;
    std::vector<Step> m_steps;
    std::vector<int> m_ids; ///< by item; 0: not there
    std::set<std::size_t> m_failed;
    std::vector<TableCount> m_counts;
    std::vector<Stranger> m_strangers;
    std::vector<Text> m_refused;
    std::map<int, Json> m_racks;                                               ///< of NetBox, for how they count their units
    std::map<std::string, std::map<int, std::string>> m_names;                 ///< by table, id
    std::map<std::tuple<std::string, std::size_t, std::string>, Port> m_ports; ///< table, item of the device, name
    std::size_t m_created = 0, m_changed = 0, m_skipped = 0;
};

/// The branch of netbox-branching with this name: its schema id, once it is ready; made where there is none. Errors: Refused (no such plugin, a
/// branch that was merged or archived), those of the client.
[[nodiscard]] Result<std::string> readyBranch(Client& client, const ServerStatus& status, const std::string& name, const Progress& progress);
/// The same without making one; empty: there is none yet.
[[nodiscard]] Result<std::string> findBranch(Client& client, const ServerStatus& status, const std::string& name);

} // namespace hw::netbox
