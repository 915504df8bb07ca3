// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/netbox_export/journal.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

namespace hw::netbox {

namespace {

tl::unexpected<Error> cannotWriteJournal(const std::filesystem::path& file)
{
    return fail(ErrorCode::Unreadable, file.string(), i18n("journal of the export cannot be written: {}", std::strerror(errno)),
                i18n("make the project's folder writable"));
}

Result<void> writeLines(const std::filesystem::path& file, const std::string& lines, bool append)
{
    std::FILE* out = std::fopen(file.c_str(), append ? "ab" : "wb");
    if (!out) return cannotWriteJournal(file);
    const bool written = std::fwrite(lines.data(), 1, lines.size(), out) == lines.size();
    if (std::fclose(out) != 0 || !written) return cannotWriteJournal(file);
    return {};
}

} // namespace

Result<Journal> Journal::open(const std::filesystem::path& file, const std::string& server, const std::string& branch)
{
    Journal journal;
    journal.m_file = file;
    const nlohmann::json head{{"schema", "hallwright.netbox-journal/1"}, {"server", server}, {"branch", branch}};
    std::ifstream in(file, std::ios::binary);
    std::string line;
    bool ours = false;
    while (std::getline(in, line)) {
        const auto entry = nlohmann::json::parse(line, nullptr, false);
        if (!entry.is_object()) continue; // the end of a line that a crash cut off
        if (entry.contains("schema")) {
            ours = entry == head;
            continue;
        }
        const auto table = entry.find("table"), name = entry.find("name"), id = entry.find("id");
        if (ours && table != entry.end() && name != entry.end() && id != entry.end() && table->is_string() && name->is_string() &&
            id->is_number_integer())
            journal.m_ids[{table->get<std::string>(), name->get<std::string>()}] = id->get<int>();
    }
    if (!ours) {
        journal.m_ids.clear();
        if (const auto written = writeLines(file, head.dump() + '\n', false); !written) return tl::unexpected(written.error());
    }
    return journal;
}

int Journal::find(const std::string& table, const std::string& name) const
{
    const auto found = m_ids.find({table, name});
    return found == m_ids.end() ? 0 : found->second;
}

Result<void> Journal::add(const std::string& table, const std::map<std::string, int>& ids)
{
    std::string lines;
    for (const auto& [name, id] : ids) {
        int& known = m_ids[{table, name}];
        if (known == id) continue;
        known = id;
        lines += nlohmann::json{{"table", table}, {"name", name}, {"id", id}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
    }
    return lines.empty() ? Result<void>() : writeLines(m_file, lines, true);
}

} // namespace hw::netbox
