// SPDX-License-Identifier: GPL-3.0-or-later
// Cables as NetBox exports and imports them: one row each.
#include "core/exchange/csv_table.h"
#include "importers/asbuilt/capture_columns.h"
#include "importers/asbuilt/capture_reader.h"

#include <algorithm>

namespace hw::importers {

namespace {

Result<void> readCables(const exchange::ImportSource& source, asbuilt::Capture& capture)
{
    const std::string file = source.path.string();
    const auto table = readCsv(source.content, file);
    if (!table) return tl::unexpected(table.error());
    CaptureColumns columns(*table);
    for (const char* need : {"side_a_device", "side_a_name", "side_b_device", "side_b_name"})
        if (!columns.has(need))
            return fail(ErrorCode::Unreadable, file + ":" + std::to_string(table->headerLine), i18n("has no column {}", need),
                        i18n("export the cables as CSV with NetBox's import columns"));
    std::size_t panels = 0, notThere = 0;
    for (const auto& row : table->rows) {
        const auto cell = [&](const char* name) { return columns.cell(row, name); };
        const std::string where = file + ":" + std::to_string(row.line);
        const std::string a = cell("side_a_type"), b = cell("side_b_type");
        const auto is = [](const std::string& type, const char* what) { return type.ends_with(what); };
        if (is(a, "powerport") || is(a, "poweroutlet") || is(a, "powerfeed") || is(b, "powerport") || is(b, "poweroutlet") || is(b, "powerfeed"))
            continue;
        if (is(a, "frontport") || is(a, "rearport") || is(b, "frontport") || is(b, "rearport")) {
            ++panels;
            continue;
        }
        const std::string status = asbuilt::lowerCase(cell("status"));
        if (status == "planned" || status == "decommissioning") {
            ++notThere;
            continue;
        }
        if (cell("side_a_device").empty() || cell("side_b_device").empty() || cell("side_a_name").empty() || cell("side_b_name").empty())
            return fail(ErrorCode::Unreadable, where, i18n("a cable without a device or port at one of its ends"),
                        i18n("fill in both sides, or leave the row out"));
        capture.sightings.push_back({Witness::NetBox,
                                     cell("side_a_device"),
                                     cell("side_a_name"),
                                     cell("side_b_device"),
                                     cell("side_b_name"),
                                     0,
                                     0,
                                     cell("label"),
                                     where,
                                     {},
                                     {}});
    }
    if (panels > 0)
        capture.doubts.push_back({file, i18np(panels, "{} cable to patch panels left out: it is no whole link",
                                              "{} cables to patch panels left out: they are no whole links")});
    if (notThere > 0)
        capture.doubts.push_back(
            {file, i18np(notThere, "{} cable left out: planned or being taken away", "{} cables left out: planned or being taken away")});
    return {};
}

Result<asbuilt::Capture> readNetboxCables(Sources sources, const SnapshotPtr&, const Progress&)
{
    asbuilt::Capture capture;
    capture.witness = Witness::NetBox;
    for (const auto& source : sources)
        if (const auto done = readCables(source, capture); !done) return tl::unexpected(done.error());
    return capture;
}

bool looksLikeCables(const exchange::ImportSource& source) { return source.content.substr(0, 4096).find("side_a_device") != std::string::npos; }

} // namespace

CaptureFormat netboxCablesFormat()
{
    return {"netbox-cables",
            TextId("cables of NetBox (CSV with side_a_device, side_a_name, side_b_device, side_b_name), an inventory"),
            {},
            looksLikeCables,
            readNetboxCables};
}

} // namespace hw::importers
