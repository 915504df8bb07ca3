// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/array_dialog.h"

#include "core/design/edit/edits_create.h"
#include "core/design/edit/fields.h"
#include "core/design/edit/lookup.h"
#include "views/style/fit.h"
#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/style/units.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>

#include <algorithm>

namespace hw::app {

namespace {

constexpr int kRetryMs = 40;

struct Grid {
    int columns = 1, rows = 1;
    std::optional<std::int64_t> dxMm, dyMm; ///< from one to the next; none: next to each other
};

/// Copies each original along x, then all of its line along y.
Result<void> makeCopies(Transaction& t, const std::vector<EntityRef>& originals, const Grid& grid, edit::RowCount& made)
{
    using Mm = std::optional<std::int64_t>;
    const auto add = [&](EntityRef entity, int count, Mm x, Mm y) -> Result<edit::Copied> {
        const auto parts = ProjectParts::of(t->partTypes);
        if (!parts) return tl::unexpected(parts.error());
        edit::Lookup lookup(t.preview());
        auto copied = edit::copy(t, **parts, lookup, entity, {.count = count, .into = {}, .dx_mm = x, .dy_mm = y});
        if (copied)
            for (std::size_t i = 0; i < made.rows.size(); ++i) made.rows[i] += copied->made.rows[i];
        return copied;
    };
    for (const EntityRef original : originals) {
        std::vector<EntityRef> line{original};
        if (grid.columns > 1) {
            const auto copied = add(original, grid.columns - 1, grid.dxMm, grid.dxMm ? Mm(0) : std::nullopt);
            if (!copied) return tl::unexpected(copied.error());
            line.insert(line.end(), copied->copies.begin(), copied->copies.end());
        }
        for (const EntityRef entity : line) {
            if (grid.rows == 1) break;
            const auto copied = add(entity, grid.rows - 1, grid.dyMm ? Mm(0) : std::nullopt, grid.dyMm);
            if (!copied) return tl::unexpected(copied.error());
        }
    }
    return {};
}

} // namespace

using views::space;
using views::text;

bool ArrayDialog::allowed(const views::DocumentBridge& bridge)
{
    const auto& chosen = bridge.selection();
    return !chosen.empty() && !bridge.previewing() && std::ranges::all_of(chosen, [](EntityRef entity) { return edit::canCopy(entity.kind); });
}

ArrayDialog::ArrayDialog(views::DocumentBridge& bridge, QWidget* parent)
    : QDialog(parent), m_bridge(bridge), m_preview(bridge), m_originals(bridge.selection()), m_columns(new QSpinBox), m_rows(new QSpinBox),
      m_dx(new QLineEdit), m_dy(new QLineEdit), m_state(new QLabel)
{
    setWindowTitle(tr("Array"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(new QLabel(m_originals.size() == 1 ? tr("Copies of %1").arg(bridge.nameOf(m_originals.front()))
                                                         : tr("Copies of %1 objects").arg(m_originals.size())));
    auto* form = new QFormLayout;
    const auto spin = [&](QSpinBox* box, const char* name, int value) {
        box->setObjectName(name);
        box->setRange(1, 500);
        box->setValue(value);
        connect(box, &QSpinBox::valueChanged, this, &ArrayDialog::check);
        return box;
    };
    const auto pitch = [&](QLineEdit* line, const char* name) {
        line->setObjectName(name);
        line->setPlaceholderText(tr("next to each other"));
        line->setToolTip(tr("From one copy to the next, for example 600 mm, 1.2 m or 4 ft; in the direction of the hall or row that holds them"));
        connect(line, &QLineEdit::editingFinished, this, &ArrayDialog::check);
        return line;
    };
    form->addRow(tr("&Columns"), spin(m_columns, "arrayColumns", 2));
    form->addRow(tr("Pitch along &x"), pitch(m_dx, "arrayDx"));
    form->addRow(tr("&Rows"), spin(m_rows, "arrayRows", 1));
    form->addRow(tr("Pitch along &y"), pitch(m_dy, "arrayDy"));
    layout->addLayout(form);
    m_state->setObjectName("arrayState");
    m_state->setWordWrap(true);
    m_state->setMinimumHeight(2 * fontMetrics().height());
    layout->addWidget(m_state);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_apply = buttons->button(QDialogButtonBox::Ok);
    connect(buttons, &QDialogButtonBox::accepted, this, &ArrayDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &ArrayDialog::reject);
    layout->addWidget(buttons);
    views::fitToScreen(*this, {space(96), sizeHint().height()});
    check();
}

void ArrayDialog::check()
{
    m_preview.cancel();
    m_apply->setEnabled(false);
    if (!m_bridge.figuresCurrent()) return QTimer::singleShot(kRetryMs, this, &ArrayDialog::check); // those without the copies come first
    QString problem;
    const auto read = [&](const QLineEdit* line) -> std::optional<std::int64_t> {
        if (line->text().trimmed().isEmpty()) return std::nullopt;
        const auto mm = views::readLength(line->text());
        if (mm) return *mm;
        problem = text(mm.error().text());
        return std::nullopt;
    };
    const auto dx = read(m_dx), dy = read(m_dy);
    const int columns = m_columns->value(), rows = m_rows->value();
    if (problem.isEmpty() && columns > 1 && rows > 1 && (!dx || !dy)) problem = tr("Enter both pitches for several rows.");
    edit::RowCount made;
    if (problem.isEmpty() && columns * rows > 1) {
        const auto done = m_preview.tryEdit(tr("Array"), [&](Transaction& t) { return makeCopies(t, m_originals, {columns, rows, dx, dy}, made); });
        if (!done) problem = text(done.error().text());
    }
    const bool open = m_preview.open();
    m_state->setText(!problem.isEmpty() ? problem : open ? tr("Adds %1").arg(text(made.text())) : tr("One column and one row: nothing to add."));
    m_apply->setEnabled(open);
}

void ArrayDialog::accept()
{
    if (!m_preview.open()) return;
    m_preview.commit(tr("Array of %1 × %2").arg(m_columns->value()).arg(m_rows->value()));
    QDialog::accept();
}

} // namespace hw::app
