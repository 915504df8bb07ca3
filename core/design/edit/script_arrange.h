// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/edit/edits_arrange.h"
#include "core/design/edit/script_json.h"

#include <functional>

namespace hw::edit {

/// An edit of a script that arranges things: align, distribute, mirror, rotate-about, reshape.
struct ArrangeScript {
    Transaction& transaction;
    const ProjectParts& parts;
    const nlohmann::json& edit;
    std::function<Result<EntityRef>(const std::string& name)> find;
    Text title{};
};
[[nodiscard]] bool arranges(std::string_view action);
[[nodiscard]] Result<void> arrange(ArrangeScript& script, std::string_view action);

} // namespace hw::edit
