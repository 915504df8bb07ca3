// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/cell_edits.h"

#include "core/design/edit/lookup.h"
#include "views/style/units.h"

namespace hw::views {
namespace {

Result<void> setCell(Transaction& t, const ProjectParts& parts, edit::Lookup& lookup, const CellEdit& cell)
{
    return edit::setField(t, parts, lookup, cell.entity, cell.field->column,
                          edit::fromForm(*cell.field, cell.typed.toStdString(), cell.before.toStdString(), units()));
}

} // namespace

bool applyCells(DocumentBridge& bridge, const QString& name, const std::vector<CellEdit>& edits)
{
    return bool(bridge.edit(name, [&](Transaction& t) -> Result<void> {
        const auto parts = ProjectParts::of(t->partTypes);
        if (!parts) return tl::unexpected(parts.error());
        edit::Lookup lookup(t.preview());
        for (const CellEdit& cell : edits)
            if (const auto set = setCell(t, **parts, lookup, cell); !set) return set;
        return {};
    }));
}

Result<void> trySetting(Transaction& t, std::vector<CellEdit>& edits)
{
    const auto parts = ProjectParts::of(t->partTypes);
    if (!parts) return tl::unexpected(parts.error());
    edit::Lookup lookup(t.preview());
    for (CellEdit& cell : edits) {
        if (!cell.problem.isEmpty()) continue;
        if (const auto set = setCell(t, **parts, lookup, cell); !set) {
            const Error& error = set.error();
            const QString todo = QString::fromStdString(words(error.todo));
            cell.problem = QString::fromStdString(words(error.what)) + (todo.isEmpty() ? QString() : "; " + todo);
        }
    }
    return {};
}

std::vector<QStringList> cellsOfText(const QString& text)
{
    std::vector<QStringList> rows;
    QStringList row;
    QString cell;
    bool quoted = false, begun = false; // inside quotes; something of the row was read
    const auto endRow = [&] {
        row << cell;
        rows.push_back(row);
        row.clear(), cell.clear();
        begun = false;
    };
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (quoted) {
            if (c != '"')
                cell += c;
            else if (i + 1 < text.size() && text[i + 1] == '"')
                cell += text[++i];
            else
                quoted = false;
            continue;
        }
        if (c == '\r') continue;
        if (c == '\n') {
            endRow();
            continue;
        }
        begun = true;
        if (c == '\t') {
            row << cell;
            cell.clear();
        } else if (c == '"' && cell.isEmpty()) {
            quoted = true;
        } else {
            cell += c;
        }
    }
    if (begun || !cell.isEmpty() || !row.isEmpty()) endRow();
    return rows;
}

QString textOfCells(const std::vector<QStringList>& rows)
{
    QString text;
    for (const QStringList& row : rows) {
        for (qsizetype i = 0; i < row.size(); ++i) {
            QString cell = row[i];
            if (cell.contains('\n') || cell.contains('\t') || cell.startsWith('"')) cell = '"' + cell.replace("\"", "\"\"") + '"';
            text += (i > 0 ? "\t" : "") + cell;
        }
        text += '\n';
    }
    return text;
}

} // namespace hw::views
