// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/self_test.h"

#include "app/window/library.h"

#include "core/derived/figures/figures.h"
#include "core/derived/rules/check.h"
#include "core/foundation/base/resources.h"

#include <fmt/core.h>

namespace hw::app {
namespace {

Result<void> tryEverything()
{
    auto library = Library::load();
    if (!library) return tl::unexpected(library.error());
    fmt::print("resources: {}\nparts: {}, templates: {}\n", resourceFolder().string(), library->catalog->parts().size(), library->templates.size());
    const Template* sample = library->find("hpn");
    if (!sample) return fail(ErrorCode::Unreadable, "templates", i18n("sample template hpn is missing"), i18n("reinstall the package"));
    auto values = sample->complete(ParameterValues{});
    if (!values) return tl::unexpected(values.error());
    auto snapshot = instantiate(*sample, *values, *library->catalog);
    if (!snapshot) return tl::unexpected(snapshot.error());
    auto figures = computeFigures(*snapshot);
    if (!figures) return tl::unexpected(figures.error());
    auto findings = check(**figures);
    if (!findings) return tl::unexpected(findings.error());
    fmt::print("sample: {} devices, {} links, {} errors, {} warnings\n", (*snapshot)->devices.size(), (*snapshot)->links.size(), findings->errors,
               findings->warnings);
    return {};
}

} // namespace

int selfTest()
{
    const auto result = tryEverything();
    if (result)
        fmt::print("ok\n");
    else
        fmt::print(stderr, "error: {}\n", result.error().text());
    return result ? 0 : 1;
}

} // namespace hw::app
