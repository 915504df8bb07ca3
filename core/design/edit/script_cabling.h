// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/edit/edits_cabling.h"
#include "core/design/edit/script_json.h"

namespace hw::edit {

/// An edit of a script that changes the cabling, and what it says of itself.
struct CablingScript {
    Transaction& transaction;
    const nlohmann::json& edit;
    Lookup& lookup;
    const PartSource& catalog;
    std::function<Result<EntityRef>(const std::string& name)> find;
    Text title, note;
    [[nodiscard]] std::string text(const char* key) const { return edit.value(key, std::string()); }
};
/// `{"do": "panel", …}`
[[nodiscard]] Result<void> leadOver(CablingScript& script);
/// `{"do": "unpanel", …}`
[[nodiscard]] Result<void> unpanel(CablingScript& script, LinkId link);
/// The same for all links of a rule.
[[nodiscard]] Result<void> unpanelRule(CablingScript& script);
/// `{"do": "lead", …}`
[[nodiscard]] Result<void> leadThrough(CablingScript& script, CableId cable);

} // namespace hw::edit
