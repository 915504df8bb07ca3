// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/edit/script.h"

namespace hw::test {

/// Applies all in order and stops at the first that fails; those before it stay.
inline Result<void> applyScript(Document& document, const std::vector<edit::ScriptEdit>& edits, const edit::EditContext& context,
                                std::string_view name)
{
    edit::ScriptRunner runner(document, context, name);
    for (const auto& one : edits)
        if (auto done = runner.apply(one); !done) return done;
    return {};
}

} // namespace hw::test
