// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/document.h"

#include "core/design/template/template.h"
#include "core/foundation/catalog/catalog.h"

namespace hw::app {

/// What ships with the program: part types and templates. Read once a process, shared by all threads.
struct Library {
    std::shared_ptr<const Catalog> catalog;
    std::vector<Template> templates;

    [[nodiscard]] static Result<Library> load();
    [[nodiscard]] const Template* find(const std::string& name) const;
};

} // namespace hw::app
