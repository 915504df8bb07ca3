// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/storage/text_form.h"

#include "core/foundation/storage/project_file.h"
#include "core/foundation/storage/text_escape.h"

#include <cstdio>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <unistd.h>

namespace hw {

namespace {

constexpr std::size_t kFlushBytes = std::size_t(1) << 20;

/// Writes a file that gets its name only when complete.
class WholeFile {
public:
    explicit WholeFile(const std::filesystem::path& path)
        : m_path(path), m_temporary(path.string() + ".new-" + std::to_string(::getpid())), m_file(std::fopen(m_temporary.c_str(), "wb"))
    {
    }
    ~WholeFile()
    {
        if (m_file) std::fclose(m_file);
        if (!m_done) ::unlink(m_temporary.c_str());
    }
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    void write(std::string& buffer)
    {
        m_good = m_good && m_file && std::fwrite(buffer.data(), 1, buffer.size(), m_file) == buffer.size();
        buffer.clear();
    }
    [[nodiscard]] Result<void> finish()
    {
        m_good = m_good && m_file && std::fflush(m_file) == 0 && ::fsync(::fileno(m_file)) == 0;
        m_done = m_good && std::rename(m_temporary.c_str(), m_path.c_str()) == 0;
        if (m_done) return {};
        return fail(ErrorCode::Unreadable, m_path.string(), i18n("cannot be written: {}", std::strerror(errno)),
                    i18n("check the folder, its permissions and free disk space"));
    }

private:
    std::filesystem::path m_path;
    std::string m_temporary;
    std::FILE* m_file;
    bool m_good = true, m_done = false;
};

void appendHead(const TableBase& table, std::string& out)
{
    out += "\ntable ";
    out.append(table.name()).append(" next_id ").append(std::to_string(table.nextId())).append("\nid");
    const auto columns = table.columnList();
    for (std::size_t c = 1; c < columns.size(); ++c) out.append("\t").append(columns[c]->name());
    out += '\n';
}

} // namespace

Result<void> exportText(const Snapshot& snapshot, const std::filesystem::path& path, const Progress& progress)
{
    if (isProjectFile(path))
        return fail(ErrorCode::Unreadable, path.string(), i18n("is a Hallwright project file"), i18n("choose another file name"));
    WholeFile file(path);
    std::string buffer = "hallwright text " + std::to_string(kTextVersion) + "\nrevision " + std::to_string(snapshot.revision) + "\n"; // no text
    for (const auto* table : snapshot.tables()) {
        appendHead(*table, buffer);
        const auto columns = table->columnList();
        for (std::uint32_t row = 0; row < table->nextId(); ++row) {
            if (!table->alive(row)) continue;
            buffer += std::to_string(row);
            for (std::size_t c = 1; c < columns.size(); ++c) {
                buffer += '\t';
                storage::appendEscaped(columns[c]->rowText(row), buffer);
            }
            buffer += '\n';
            if (buffer.size() < kFlushBytes) continue;
            file.write(buffer);
            if (progress.stopRequested()) return fail(ErrorCode::Canceled, path.string(), i18n("stopped"));
            progress.report(double(row) / double(table->nextId()), table->name());
        }
    }
    buffer += "\nend\n";
    file.write(buffer);
    return file.finish();
}

} // namespace hw
