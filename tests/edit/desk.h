// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/edit/kinds.h"
#include "core/design/edit/schema.h"
#include "core/design/edit/script.h"
#include "core/design/template/template.h"
#include "core/foundation/storage/project_file.h"
#include "core/foundation/storage/text_form.h"
#include "tests/catalog/shipped.h"
#include "tests/edit/apply_script.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <iterator>
#include <set>

/// A document that scripts change, and what tests of edits ask of it.
namespace hw::test {

inline std::string textOf(const Result<void>& result) { return result ? "done" : result.error().text(); }

/// The text form without the line of the revision.
inline std::string exported(const Snapshot& snapshot)
{
    static QTemporaryDir folder;
    const std::string path = folder.filePath("design.txt").toStdString();
    const auto written = exportText(snapshot, path);
    if (!written) qFatal("%s", written.error().text().c_str());
    std::ifstream file(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    const auto from = text.find("revision "), to = text.find('\n', from);
    return text.erase(from, to - from);
}

/// The first reference to a row that does not live; empty where there is none.
inline std::string dangling(const Snapshot& s)
{
    std::string found;
    s.eachTable([&](const auto& table) {
        edit::eachReference(table, [&](const auto& column, std::size_t) {
            using Target = typename edit::ReferenceOf<decltype(column)>::Table;
            table.forEach([&](auto id) {
                const auto raw = edit::rawOf(column[id]);
                if (raw != edit::kNoRow && !s.of<Target>().alive(raw)) found = std::string(column.name()) + " of row " + std::to_string(id.value);
            });
        });
    });
    return found;
}

/// A document that scripts change, beginning with nothing.
struct Desk {
    Document document;
    edit::EditContext context;
    std::vector<std::string> notes;

    Desk() : Desk(std::make_shared<const Snapshot>()) {}
    explicit Desk(SnapshotPtr snapshot) : document(std::move(snapshot))
    {
        context.catalog = [](const std::string& slug) { return catalog().find(slug); };
        context.note = [this](const Text& note) { notes.push_back(words(note)); };
    }
    Result<void> run(const std::string& edits)
    {
        const auto script = edit::parseScript("{\"edits\": [" + edits + "]}", "s");
        if (!script) return tl::unexpected(script.error());
        return applyScript(document, *script, context, "s");
    }
    [[nodiscard]] const Snapshot& now() const { return *document.snapshot(); }
    [[nodiscard]] std::shared_ptr<const ProjectParts> parts() const { return *ProjectParts::of(now().partTypes); }
    [[nodiscard]] EntityRef find(const std::string& name) const { return findEntity(now(), *parts(), name).value_or(EntityRef{}); }
};

/// Edits that build a small site by hand; each alone is one step.
inline const std::vector<std::string>& siteEdits()
{
    static const std::vector<std::string> all = {
        "{'do': 'add', 'what': 'building', 'name': 'b1', 'size_x_mm': '60 m', 'it_limit': '5 MW'}",
        "{'do': 'add', 'what': 'hall', 'name': 'h1', 'in': 'b1'}",
        "{'do': 'add', 'what': 'row', 'name': 'row-01', 'in': 'h1', 'angle': 90}",
        "{'do': 'add', 'what': 'rack', 'name': 'rack-01', 'in': 'row-01', 'type': 'rack-48u-600x1200', 'count': 3}",
        "{'do': 'add', 'what': 'tray', 'name': 'tray-01', 'in': 'row-01', 'type': 'tray-300x100', 'x2_mm': 1800}",
        "{'do': 'add', 'what': 'network', 'name': 'net', 'color': '#ff0000'}",
        "{'do': 'add', 'what': 'tier', 'name': 'servers', 'in': 'net', 'kind': 'server'}",
        "{'do': 'add', 'what': 'tier', 'name': 'leaves', 'in': 'net'}",
        "{'do': 'add', 'what': 'tier', 'name': 'pdus', 'kind': 'power'}",
        "{'do': 'add', 'what': 'device', 'name': 'host-1', 'in': 'rack-01', 'type': 'hpn-host-8gpu', 'tier': 'servers', 'count': 2}",
        "{'do': 'add', 'what': 'device', 'name': 'leaf-1', 'in': 'rack-01', 'type': 'switch-51t-128x400g', 'tier': 'leaves', 'u': 40}",
        "{'do': 'add', 'what': 'device', 'name': 'pdu-1', 'in': 'rack-01', 'type': 'rack-pdu-63a', 'tier': 'pdus'}",
        "{'do': 'add', 'what': 'part-type', 'type': '400g-sr4'}",
        "{'do': 'remove', 'entity': 'leaf-1:port1'}",
        "{'do': 'add', 'what': 'port', 'in': 'leaf-1', 'interface': 'port1', 'split': 2}",
        "{'do': 'connect', 'from': 'host-1:nic1p1', 'to': 'leaf-1:port1s1'}",
        "{'do': 'connect', 'from': 'leaf-1:port1s2', 'to': 'host-2:nic1p1'}",
        "{'do': 'connect', 'from': 'pdu-1:1', 'to': 'host-1:PSU1'}",
    };
    return all;
}

inline std::string json(std::string text)
{
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

inline Desk& build(Desk& desk)
{
    for (const auto& edit : siteEdits())
        if (const auto done = desk.run(json(edit)); !done) qFatal("%s: %s", edit.c_str(), done.error().text().c_str());
    return desk;
}

inline SnapshotPtr smallHpn(ParameterValues values)
{
    const auto all = loadTemplates(HW_RESOURCES "/templates");
    const auto design = std::ranges::find_if(*all, [](const Template& t) { return t.name() == "hpn"; });
    const auto made = instantiate(*design, *design->complete(values), catalog());
    if (!made) qFatal("%s", made.error().text().c_str());
    return *made;
}

} // namespace hw::test

#define VERIFY_DONE(result)                                                                                                                          \
    do {                                                                                                                                             \
        const auto outcome = result;                                                                                                                 \
        QVERIFY2(outcome, textOf(outcome).c_str());                                                                                                  \
    } while (false)
#define VERIFY_REFUSED(result, phrase)                                                                                                               \
    do {                                                                                                                                             \
        const auto outcome = result;                                                                                                                 \
        QVERIFY2(!outcome && textOf(outcome).find(phrase) != std::string::npos, textOf(outcome).c_str());                                            \
    } while (false)
