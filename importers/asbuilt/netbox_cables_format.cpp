// SPDX-License-Identifier: GPL-3.0-or-later
// Cables as NetBox exports and imports them: one row each.
#include "core/exchange/csv_table.h"
#include "importers/asbuilt/capture_columns.h"
#include "importers/asbuilt/capture_reader.h"

#include <algorithm>

namespace hw::importers {

namespace {

/// As the import names the columns, and as the list of cables is exported ("Device A", "Termination A").
struct NetboxColumns {
    explicit NetboxColumns(const CsvTable& table) : columns(table) {}
    static const char* listName(std::string_view name)
    {
        return name == "side_a_device"   ? "device a"
               : name == "side_a_name"   ? "termination a"
               : name == "side_b_device" ? "device b"
                                         : "termination b";
    }
    [[nodiscard]] bool has(const char* name) const { return columns.has(name) || columns.has(listName(name)); }
    [[nodiscard]] std::string end(const CsvTable::Row& row, const char* name) const
    {
        return columns.cell(row, columns.has(name) ? name : listName(name));
    }
    CaptureColumns columns;
};

Result<void> readCables(const exchange::ImportSource& source, asbuilt::Capture& capture)
{
    const std::string file = source.path.string();
    const auto table = readCsv(source.content, file);
    if (!table) return tl::unexpected(table.error());
    const NetboxColumns columns(*table);
    for (const char* need : {"side_a_device", "side_a_name", "side_b_device", "side_b_name"})
        if (!columns.has(need))
            return fail(ErrorCode::Unreadable, file + ":" + std::to_string(table->headerLine),
                        i18n("has neither a column {} nor {}", need, NetboxColumns::listName(need)),
                        i18n("export the list of cables with Device A, Termination A, Device B and Termination B"));
    std::size_t panels = 0, notThere = 0, several = 0;
    for (const auto& row : table->rows) {
        const auto cell = [&](const char* name) { return columns.columns.cell(row, name); };
        const std::string fromDevice = columns.end(row, "side_a_device"), fromPort = columns.end(row, "side_a_name"),
                          toDevice = columns.end(row, "side_b_device"), toPort = columns.end(row, "side_b_name");
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
        if ((fromPort + toPort).find(',') != std::string::npos) { // an assembly in one row: which plug goes with which is not said
            ++several;
            continue;
        }
        if (fromDevice.empty() || toDevice.empty() || fromPort.empty() || toPort.empty())
            return fail(ErrorCode::Unreadable, where, i18n("a cable without a device or port at one of its ends"),
                        i18n("fill in both sides, or leave the row out"));
        capture.sightings.push_back({Witness::NetBox, fromDevice, fromPort, toDevice, toPort, 0, 0, cell("label"), where, {}, {}});
    }
    if (panels > 0)
        capture.doubts.push_back({file, i18np(panels, "{} cable to patch panels left out: it is no whole link",
                                              "{} cables to patch panels left out: they are no whole links")});
    if (several > 0)
        capture.doubts.push_back({file, i18np(several, "{} cable with several terminations at an end left out: write a row for each link",
                                              "{} cables with several terminations at an end left out: write a row for each link")});
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

bool looksLikeCables(const exchange::ImportSource& source)
{
    const std::string head = asbuilt::lowerCase(std::string_view(source.content).substr(0, 4096));
    return head.find("side_a_device") != head.npos || (head.find("termination a") != head.npos && head.find("device a") != head.npos);
}

} // namespace

CaptureFormat netboxCablesFormat()
{
    return {"netbox-cables",
            TextId("cables of NetBox (CSV: side_a_device, side_a_name, side_b_device, side_b_name, or the exported list), an inventory"),
            {},
            looksLikeCables,
            readNetboxCables};
}

} // namespace hw::importers
