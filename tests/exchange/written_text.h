// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/files/plain_table.h"
#include "core/output/exchange/cable_schedule.h"
#include "core/output/exchange/supply_schedule.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace hw::test {

/// What `write(path)` puts into a .csv file; empty where it refuses.
template <class Write>
std::string writtenCsv(Write&& write)
{
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("written.csv").toStdString();
    if (!write(path)) return {};
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
inline std::string tableCsv(const PlainTable& table)
{
    return writtenCsv([&](const std::filesystem::path& path) { return writeTable(table, path); });
}
inline std::string scheduleCsv(const Figures& figures, ScheduleKind kind)
{
    return writtenCsv([&](const std::filesystem::path& path) { return writeSchedule(figures, kind, path); });
}
inline std::string cableScheduleCsv(const Figures& figures, bool reasons = false)
{
    return writtenCsv([&](const std::filesystem::path& path) { return writeCableSchedule(figures, path, {}, reasons); });
}

} // namespace hw::test
