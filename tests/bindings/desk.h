// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/design/edit/script.h"
#include "core/design/template/template.h"
#include "core/operations/bindings/binder.h"
#include "tests/edit/apply_script.h"
#include "tests/emulation/pod_template.h"

#include <algorithm>

namespace hw::test {

/// JSON with ' for ", and texts for %1, %2 …
inline std::string said(std::string text, const std::initializer_list<std::string>& parts)
{
    std::ranges::replace(text, '\'', '"');
    std::size_t number = 0;
    for (const auto& part : parts) {
        const std::string place = "%" + std::to_string(++number);
        text.replace(text.find(place), place.size(), part);
    }
    return text;
}
template <class... Parts>
std::string said(const char* text, const Parts&... parts)
{
    return said(std::string(text), {std::string(parts)...});
}

/// A design of a shipped template, edited by scripts, and channels that are bound to it.
struct BoundDesk {
    Document document;
    edit::EditContext context;
    FiguresPtr figures;

    explicit BoundDesk(const std::string& name, const std::map<std::string, std::int64_t>& values = {}) : document(made(name, values)) { follow(); }

    static SnapshotPtr made(const std::string& name, const std::map<std::string, std::int64_t>& values)
    {
        const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
        const auto design = podTemplate(name);
        auto snapshot = instantiate(*design, {values.begin(), values.end()}, *catalog);
        if (!snapshot) qFatal("%s", snapshot.error().text().c_str());
        return *snapshot;
    }
    void follow()
    {
        auto made = figuresOf(document.snapshot());
        if (!made) qFatal("%s", made.error().text().c_str());
        figures = *made;
    }
    /// Empty: done. Else where it failed and why.
    std::string edit(const std::string& edits)
    {
        const auto script = edit::parseScript("{\"edits\": [" + edits + "]}", "s");
        if (!script) return script.error().text();
        const auto done = test::applyScript(document, *script, context, "s");
        follow();
        return done ? std::string() : done.error().text();
    }
    [[nodiscard]] const Snapshot& s() const { return *figures->snapshot; }
    [[nodiscard]] bindings::BoundPtr bind(const std::vector<bindings::ChannelText>& channels) const { return bindings::bind(figures, channels); }
};

} // namespace hw::test
