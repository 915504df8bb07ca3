// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/storage/text_form.h"

#include "core/foundation/model/text_values.h"
#include "core/foundation/storage/text_escape.h"
#include "core/foundation/storage/validate.h"
#include "version.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <set>

namespace hw {

namespace {

constexpr std::uint64_t kMostIds = 1u << 26; ///< per table: 67 million; a typing error must not ask for terabytes

/// The start of a line or cell for a message, in whole characters.
std::string start(std::string_view text)
{
    std::size_t length = std::min<std::size_t>(text.size(), 60);
    while (length > 0 && length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
    return std::string(text.substr(0, length));
}

class Reader {
public:
    Reader(std::string_view text, std::string name, const Progress& progress)
        : m_all(text), m_rest(text), m_name(std::move(name)), m_progress(progress)
    {
    }

    Result<SnapshotPtr> read()
    {
        auto snapshot = std::make_shared<Snapshot>();
        auto done = readHead(*snapshot);
        if (done) done = expect("");
        while (done && !m_rest.starts_with("end\n")) done = readTable(*snapshot);
        if (done) done = expect("end");
        if (done && !m_rest.empty()) done = wrong(i18n("unexpected text after the end"), i18n("remove it"));
        if (!done) return tl::unexpected(done.error());
        if (const auto problem = findInconsistency(*snapshot)) return fail(ErrorCode::Unreadable, m_name, *problem, i18n("correct the file"));
        return SnapshotPtr(std::move(snapshot));
    }

private:
    [[nodiscard]] tl::unexpected<Error> wrong(Text what, Text todo = i18n("correct the line")) const
    {
        return fail(ErrorCode::Unreadable, m_name + ":" + std::to_string(m_line), std::move(what), std::move(todo));
    }

    Result<void> checkUtf8()
    {
        const std::size_t valid = storage::utf8Prefix(m_all);
        if (valid == m_all.size()) return {};
        m_line = std::size_t(1 + std::ranges::count(m_all.substr(0, valid), '\n'));
        return wrong(i18n("is not UTF-8"), i18n("save the file as UTF-8"));
    }

    /// The next line without its end; false at the end of the text or in its last, unfinished line.
    bool next(std::string_view& line)
    {
        ++m_line;
        const auto* end = m_rest.empty() ? nullptr : static_cast<const char*>(std::memchr(m_rest.data(), '\n', m_rest.size()));
        if (!end) return false;
        line = m_rest.substr(0, std::size_t(end - m_rest.data()));
        m_rest.remove_prefix(line.size() + 1);
        return true;
    }

    Result<void> expect(std::string_view text)
    {
        std::string_view line;
        if (!next(line)) return wrong(i18n("unexpected end of file; expected '{}'", text), i18n("export it again"));
        if (line != text) return wrong(i18n("expected '{}', found '{}'", text, start(line)));
        return {};
    }

    Result<void> number(std::string_view prefix, std::uint64_t& value)
    {
        std::string_view line;
        if (!next(line)) return wrong(i18n("unexpected end of file; expected '{}…'", prefix), i18n("export it again"));
        if (!line.starts_with(prefix) || !text::fromText(line.substr(prefix.size()), value))
            return wrong(i18n("expected '{}' followed by a number, found '{}'", prefix, start(line)));
        return {};
    }

    Result<void> readHead(Snapshot& snapshot)
    {
        constexpr std::string_view kMagic = "hallwright text "; // no text
        auto& version = m_version;
        if (!m_all.starts_with(kMagic))
            return fail(ErrorCode::Unreadable, m_name, i18n("is not a Hallwright text export"), i18n("choose a file written by `export text`"));
        if (auto done = checkUtf8(); !done) return done;
        if (auto done = number(kMagic, version); !done) return done;
        if (version < 1 || version > kTextVersion)
            return wrong(i18n("format version is {}; this version ({}) reads format versions 1 to {}", version, HW_VERSION, kTextVersion),
                         i18n("use a newer version of Hallwright"));
        return number("revision ", snapshot.revision);
    }

    /// "table NAME next_id N"
    Result<TableBase*> tableHead(Snapshot& snapshot, std::uint64_t& nextId)
    {
        std::string_view line;
        if (!next(line)) return wrong(i18n("unexpected end of file; expected 'table …'"), i18n("export it again"));
        constexpr std::string_view kStart = "table ", kNext = " next_id ";
        const auto split = line.find(kNext);
        if (!line.starts_with(kStart) || split == std::string_view::npos || !text::fromText(line.substr(split + kNext.size()), nextId))
            return wrong(i18n("expected 'table NAME next_id N', found '{}'", start(line)));
        const auto name = line.substr(kStart.size(), split - kStart.size());
        for (auto* table : snapshot.tables()) {
            if (table->name() != name) continue;
            if (table->nextId() != 0 || !m_read.insert(table).second) return wrong(i18n("table {} occurs twice", name));
            return table;
        }
        return wrong(i18n("unknown table '{}'", start(name)), i18n("correct the name, or use a newer version of Hallwright"));
    }

    /// The columns that the head line names; those that it leaves out keep their defaults.
    Result<std::vector<ColumnBase*>> columnHead(TableBase& table)
    {
        std::string_view line;
        if (!next(line)) return wrong(i18n("unexpected end of file; expected column names"), i18n("export it again"));
        const auto all = table.columnList();
        std::vector<ColumnBase*> columns;
        for (bool first = true; !line.empty() || first; first = false) {
            const auto name = line.substr(0, line.find('\t'));
            line.remove_prefix(std::min(line.size(), name.size() + 1));
            if (first && name != "id") return wrong(i18n("expected 'id' and column names, found '{}'", start(name)));
            if (first) continue;
            const auto found = std::find_if(all.begin() + 1, all.end(), [&](const auto* column) { return column->name() == name; });
            if (found == all.end())
                return wrong(i18n("table {} has no column '{}'", static_cast<const TableBase&>(table).name(), start(name)),
                             i18n("correct the name, or use a newer version of Hallwright"));
            if (std::ranges::find(columns, *found) != columns.end()) return wrong(i18n("duplicate column '{}'", start(name)));
            columns.push_back(*found);
        }
        return columns;
    }

    /// One table, up to and with the empty line behind it.
    Result<void> readTable(Snapshot& snapshot)
    {
        std::uint64_t nextId = 0;
        const auto found = tableHead(snapshot, nextId);
        if (!found) return tl::unexpected(found.error());
        TableBase& table = **found;
        if (nextId > kMostIds) return wrong(i18n("next_id is too large"));
        const auto columns = columnHead(table);
        if (!columns) return tl::unexpected(columns.error());
        std::uint32_t row = 0;
        bool first = true;
        while (!m_rest.empty() && m_rest.front() != '\n') {
            const std::uint32_t before = row;
            if (auto done = readRow(table, *columns, std::uint32_t(nextId), row); !done) return done;
            if (!first && row <= before) return wrong(i18n("rows are not sorted by ID"));
            first = false;
        }
        table.restoreCounters(std::uint32_t(nextId), table.size());
        m_progress.report(double(m_all.size() - m_rest.size()) / double(m_all.size()), table.name());
        return expect("");
    }

    Result<void> readRow(TableBase& table, const std::vector<ColumnBase*>& columns, std::uint32_t nextId, std::uint32_t& row)
    {
        std::string_view line;
        if (!next(line)) return wrong(i18n("file ends in the middle of a line"), i18n("export it again"));
        if (m_line % 65536 == 0 && m_progress.stopRequested()) return fail(ErrorCode::Canceled, m_name, i18n("stopped"));
        auto cell = line.substr(0, line.find('\t'));
        if (!text::fromText(cell, row) || row >= nextId) return wrong(i18n("'{}' is not an ID below next_id", start(cell)));
        if (!table.insertAt(row)) return wrong(i18n("duplicate ID {}", row));
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (cell.size() == line.size()) return wrong(i18n("missing value for {}", columns[c]->name()));
            line.remove_prefix(cell.size() + 1);
            cell = line.substr(0, line.find('\t'));
            const bool escaped = cell.find('\\') != std::string_view::npos;
            const auto value = escaped ? storage::unescaped(cell) : std::optional<std::string>();
            if (escaped ? !value || !columns[c]->setRowText(row, *value) : !columns[c]->setRowText(row, cell))
                return wrong(i18n("'{}' is not a valid value for {}", start(cell), columns[c]->name()));
        }
        if (cell.size() != line.size()) return wrong(i18n("more values than columns"));
        return {};
    }

    std::string_view m_all, m_rest;
    std::string m_name;
    const Progress& m_progress;
    std::size_t m_line = 0;
    std::uint64_t m_version = 0;
    std::set<const TableBase*> m_read;
};

} // namespace

Result<SnapshotPtr> importText(const std::filesystem::path& path, const Progress& progress)
{
    std::error_code error;
    const auto size = std::filesystem::is_regular_file(path, error) ? std::filesystem::file_size(path, error) : 0;
    std::ifstream file(path, std::ios::binary);
    std::string text(size, '\0');
    if (error || !file || !file.read(text.data(), std::streamsize(size)))
        return fail(ErrorCode::Unreadable, path.string(), i18n("cannot be read"), i18n("check the path and its permissions"));
    return Reader(text, path.string(), progress).read();
}

} // namespace hw
