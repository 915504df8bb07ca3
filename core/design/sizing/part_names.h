// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/template/template.h"

namespace hw::sizing {

/// The device that a person means by a name as it is shown anywhere: a slug, a choice of a template's parameter
/// ("hgx-h100"), a model ("HGX H100"), or a part of these that only one device of the templates' servers (or switches) has.
/// Case, spaces and dashes do not matter. Error: Usage, naming what comes close.
[[nodiscard]] Result<std::string> deviceByName(const std::string& name, bool server, const std::vector<Template>& templates, const Catalog& catalog);

} // namespace hw::sizing
