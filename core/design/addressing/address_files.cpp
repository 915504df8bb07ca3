// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/addressing/address_files.h"

#include "core/foundation/files/atomic_file.h"
#include "core/foundation/files/csv.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace hw {

namespace {

constexpr std::size_t kBufferBytes = std::size_t(1) << 20;

/// Rows into a file, a megabyte at a time; remembers the first error.
class Output {
public:
    Output(AtomicFile& file, const Progress& progress) : m_file(file), m_progress(progress) {}

    [[nodiscard]] bool good() const { return m_result.has_value(); }
    std::string& buffer() { return m_buffer; }
    void flushIfFull()
    {
        if (m_buffer.size() >= kBufferBytes) flush();
    }
    void flush()
    {
        if (m_progress.stopRequested()) m_result = fail(ErrorCode::Canceled, m_file.target().string(), i18n("canceled"));
        if (good()) m_result = m_file.write(m_buffer);
        m_buffer.clear();
    }
    [[nodiscard]] Result<void> finish()
    {
        flush();
        return good() ? m_file.commit() : m_result;
    }

private:
    AtomicFile& m_file;
    const Progress& m_progress;
    std::string m_buffer;
    Result<void> m_result;
};

void appendJsonRow(const AddressTable& table, std::span<const std::string> row, std::string& out)
{
    out += "    {";
    for (std::size_t c = 0; c < row.size(); ++c) {
        out += fmt::format("{}\"{}\": ", c ? ", " : "", table.columns[c].name);
        out += table.columns[c].number ? row[c] : nlohmann::json(row[c]).dump();
    }
    out += '}';
}

void appendJsonTable(const AddressTable& table, Output& out)
{
    out.buffer() += fmt::format(",\n  \"{}\": [", table.name);
    bool first = true;
    table.forEachRow([&](std::span<const std::string> row) {
        if (!out.good()) return;
        out.buffer() += first ? "\n" : ",\n";
        first = false;
        appendJsonRow(table, row, out.buffer());
        out.flushIfFull();
    });
    out.buffer() += first ? "]" : "\n  ]";
}

Result<void> writeCsvTable(const AddressTable& table, const std::filesystem::path& path, const Progress& progress)
{
    auto file = AtomicFile::create(path);
    if (!file) return tl::unexpected(file.error());
    Output out(*file, progress);
    for (std::size_t c = 0; c < table.columns.size(); ++c) out.buffer() += std::string(c ? "," : "") + table.columns[c].name;
    out.buffer() += "\r\n";
    table.forEachRow([&](std::span<const std::string> row) {
        if (!out.good()) return;
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (c) out.buffer() += ',';
            appendCsv(out.buffer(), row[c]);
        }
        out.buffer() += "\r\n";
        out.flushIfFull();
    });
    return out.finish();
}

/// A device's name as the name of a file.
std::string fileName(std::string name)
{
    for (char& c : name)
        if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < ' ') c = '_';
    return name.starts_with('.') ? "_" + name : name;
}

/// One file a switch: a line for each split cage.
Result<void> writeBreakouts(const std::vector<AddressTable>& tables, const std::filesystem::path& folder)
{
    std::string device, text;
    Result<void> done;
    const auto finish = [&] {
        if (!device.empty() && done) done = writeFile(folder / (fileName(device) + ".txt"), text);
        text.clear();
    };
    for (const auto& table : tables) {
        if (table.name != "breakouts") continue;
        table.forEachRow([&](std::span<const std::string> row) {
            if (row[0] != device) {
                finish();
                device = row[0];
                text = "# " + words(i18n("{}: cage, ports x speed per port", device)) + "\n";
            }
            text += fmt::format("{} {}x{}G\n", row[1], row[2], row[3]);
        });
    }
    finish();
    return done;
}

} // namespace

Result<void> writeAddressJson(const AddressPlan& plan, const Snapshot& snapshot, const ProjectParts& parts, const std::filesystem::path& path,
                              const Progress& progress)
{
    auto file = AtomicFile::create(path);
    if (!file) return tl::unexpected(file.error());
    Output out(*file, progress);
    const nlohmann::ordered_json design{
        {"name", snapshot.setting("project.name")}, {"template", snapshot.setting("template.name")}, {"revision", snapshot.revision}};
    out.buffer() += "{\n  \"schema\": \"hallwright.addressing/1\",\n  \"design\": " + design.dump();
    for (const auto& table : addressTables(plan, snapshot, parts)) appendJsonTable(table, out);
    out.buffer() += "\n}\n";
    return out.finish();
}

Result<void> writeAddressCsv(const AddressPlan& plan, const Snapshot& snapshot, const ProjectParts& parts, const std::filesystem::path& path,
                             const Progress& progress)
{
    return writeCsvTable(allAddresses(plan, snapshot, parts), path, progress);
}

Result<void> writeAddressFolder(const AddressPlan& plan, const Snapshot& snapshot, const ProjectParts& parts, const std::filesystem::path& folder,
                                const Progress& progress)
{
    std::error_code error;
    std::filesystem::create_directories(folder / "breakout", error);
    if (error)
        return fail(ErrorCode::Unreadable, folder.string(), i18n("cannot be created: {}", error.message()),
                    i18n("check the path and its permissions"));
    const auto tables = addressTables(plan, snapshot, parts);
    for (const auto& table : tables)
        if (auto done = writeCsvTable(table, folder / (table.name + ".csv"), progress); !done) return done;
    if (auto done = writeBreakouts(tables, folder / "breakout"); !done) return done;
    return writeAddressJson(plan, snapshot, parts, folder / "addressing.json", progress);
}

} // namespace hw
