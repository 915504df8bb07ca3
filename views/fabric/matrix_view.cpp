// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/fabric/matrix_view.h"

#include "views/fabric/fabric_painter.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>

#include <algorithm>

namespace hw::views {
namespace {

bool exists(const FabricIndex& index, const FabricIndex::Part& part)
{
    if (std::size_t(part.layer) >= index.layers().size() || std::size_t(part.column) >= index.columns().size()) return false;
    return part.first == FabricIndex::kNone ? !index.runs(part).empty() : part.last <= index.members();
}

} // namespace

MatrixView::MatrixView(QWidget* parent) : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Link counts between tiers"));
    viewport()->setMouseTracking(true);
    setMinimumWidth(260);
}

void MatrixView::setModel(FabricModelPtr model)
{
    const bool other = !m_model || !model || m_model->indexPtr() != model->indexPtr();
    const bool network = !m_model || !model || m_model->index().network() != model->index().network();
    const bool loads = (m_model ? m_model->loads() : nullptr) != (model ? model->loads() : nullptr);
    m_model = std::move(model);
    if (network || !m_model ||
        std::ranges::any_of(m_path, [&](const Step& s) { return !exists(m_model->index(), s.row) || !exists(m_model->index(), s.column); }))
        m_path.clear();
    if (other) m_selected.clear();
    if (other || loads) recount();
}

void MatrixView::setSelected(std::vector<char> members)
{
    m_selected = std::move(members);
    viewport()->update();
}

void MatrixView::setLoadColors(bool loads)
{
    m_loads = loads;
    viewport()->update();
}

void MatrixView::recount()
{
    m_current = m_hover = {-1, -1};
    m_matrix = {};
    if (m_model) {
        const FabricLoads* loads = m_model->loads().get();
        m_matrix = m_path.empty() ? FabricMatrix::tiers(m_model->index(), loads)
                                  : FabricMatrix::between(m_model->index(), m_path.back().row, m_path.back().column, loads);
    }
    measure();
    viewport()->update();
}

void MatrixView::enter(int row, int column)
{
    if (!m_model || row < 0 || column < 0 || row >= int(m_matrix.rows.size()) || column >= int(m_matrix.columns.size())) return;
    if (m_matrix.at(std::size_t(row), std::size_t(column)).links == 0) return;
    const Step step{m_matrix.rows[std::size_t(row)], m_matrix.columns[std::size_t(column)]};
    const FabricIndex& index = m_model->index();
    if (index.children(step.row).empty() && index.children(step.column).empty()) return; // two devices: nothing inside
    m_path.push_back(step);
    horizontalScrollBar()->setValue(0);
    verticalScrollBar()->setValue(0);
    recount();
}

void MatrixView::back(int steps)
{
    m_path.resize(m_path.size() - std::min<std::size_t>(std::size_t(std::max(0, steps)), m_path.size()));
    recount();
}

/// Coordinates that the path has not told yet: pod, segment, plane, then the device.
QString MatrixView::headerText(const FabricIndex::Part& part) const
{
    const FabricIndex& index = m_model->index();
    if (m_path.empty()) return tierTitle(index, part.layer);
    if (part.first != FabricIndex::kNone && part.last - part.first == 1) {
        const QString name = partTitle(index, part);
        return name.size() > 24 ? "…" + name.right(23) : name;
    }
    return partTitle(index, part);
}

QStringList MatrixView::path() const
{
    QStringList words{tr("All tiers")};
    if (!m_model) return words;
    const FabricIndex& index = m_model->index();
    for (std::size_t i = 0; i < m_path.size(); ++i) {
        const auto name = [&](const FabricIndex::Part& part) { return i == 0 ? tierTitle(index, part.layer) : partTitle(index, part); };
        const QString row = name(m_path[i].row), column = name(m_path[i].column);
        words << (row == column ? row : row + " × " + column);
    }
    return words;
}

void MatrixView::pick(int row, int column)
{
    const FabricIndex& index = m_model->index();
    std::vector<EntityRef> entities;
    for (const auto* part : {&m_matrix.rows[std::size_t(row)], &m_matrix.columns[std::size_t(column)]}) {
        std::vector<EntityRef> own;
        for (const auto run : index.runs(*part))
            for (std::uint32_t m = run.first; m < run.last && own.size() <= kMostPicked; ++m) own.push_back(ref(index.device(m)));
        if (own.size() > kMostPicked) own = {ref(index.layers()[std::size_t(part->layer)].tier)};
        entities.insert(entities.end(), own.begin(), own.end());
    }
    emit picked(entities);
}

void MatrixView::moveTo(int row, int column)
{
    if (m_matrix.rows.empty() || m_matrix.columns.empty()) return;
    m_current = {std::clamp(row, 0, int(m_matrix.rows.size()) - 1), std::clamp(column, 0, int(m_matrix.columns.size()) - 1)};
    const QRectF rect = cellRect(m_current.first, m_current.second);
    if (rect.left() < m_left) horizontalScrollBar()->setValue(horizontalScrollBar()->value() + int(rect.left() - m_left));
    if (rect.right() > viewport()->width())
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() + int(rect.right() - viewport()->width() + 4));
    if (rect.top() < m_top) verticalScrollBar()->setValue(verticalScrollBar()->value() + int(rect.top() - m_top));
    if (rect.bottom() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + int(rect.bottom() - viewport()->height() + 4));
    pick(m_current.first, m_current.second);
    viewport()->update();
}

void MatrixView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_model) return;
    for (int step = 0; step < int(m_path.size()); ++step)
        if (crumbRect(step).contains(event->position())) return back(int(m_path.size()) - step);
    const auto [row, column] = cellAt(event->position());
    if (row >= 0) moveTo(row, column);
}

void MatrixView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto [row, column] = cellAt(event->position());
    if (row >= 0 && event->button() == Qt::LeftButton) enter(row, column);
}

void MatrixView::mouseMoveEvent(QMouseEvent* event)
{
    m_cursor = event->position();
    m_hover = cellAt(m_cursor);
    viewport()->update();
}

void MatrixView::keyPressEvent(QKeyEvent* event)
{
    const auto [row, column] = m_current;
    switch (event->key()) {
    case Qt::Key_Left: return moveTo(row, column - 1);
    case Qt::Key_Right: return moveTo(row, column + 1);
    case Qt::Key_Up: return moveTo(row - 1, column);
    case Qt::Key_Down: return moveTo(row + 1, column);
    case Qt::Key_Return:
    case Qt::Key_Enter: return enter(row, column);
    case Qt::Key_Backspace: return back();
    default: QAbstractScrollArea::keyPressEvent(event);
    }
}

void MatrixView::leaveEvent(QEvent*)
{
    m_hover = {-1, -1};
    viewport()->update();
}

void MatrixView::resizeEvent(QResizeEvent*) { measure(); }

void MatrixView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) measure();
    QAbstractScrollArea::changeEvent(event);
}

bool MatrixView::selected(const FabricIndex::Part& part) const
{
    if (m_selected.empty()) return false;
    for (const auto run : m_model->index().runs(part))
        for (std::uint32_t m = run.first; m < run.last; ++m)
            if (m_selected[m]) return true;
    return false;
}

FabricCard MatrixView::card(int row, int column) const
{
    const FabricIndex& index = m_model->index();
    const FabricBundle& cell = m_matrix.at(std::size_t(row), std::size_t(column));
    const auto side = [&](const FabricIndex::Part& part) {
        const auto sums = index.sums(index.runs(part));
        return std::pair(m_path.empty() ? tierTitle(index, part.layer) : tierTitle(index, part.layer) + " · " + partTitle(index, part),
                         devicesText(index, part.layer, sums.devices, sums.backup));
    };
    return matrixCard(side(m_matrix.rows[std::size_t(row)]), side(m_matrix.columns[std::size_t(column)]), cell);
}

} // namespace hw::views
