// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/fabric/render.h"

#include "views/fabric/diagram.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QApplication>
#include <QPainter>
#include <QPainterPath>

#include <cmath>

#include <fmt/format.h>

namespace hw::views {

namespace {

/// Planes are told apart by colours that colour-blind readers can tell too (Okabe and Ito 2008).
QColor planeColor(int plane)
{
    static const QColor colors[] = {QColor("#0072b2"), QColor("#e69f00"), QColor("#009e73"), QColor("#cc79a7"), QColor("#56b4e9"), QColor("#d55e00"), QColor("#8c8c8c"), QColor("#b5a400")};
    return plane < 0 ? theme().textDim : colors[plane % 8];
}

QString blockTitle(const FabricDiagram::Block& b)
{
    QStringList words;
    if (b.pod >= 0) words << QString("pod %1").arg(b.pod + 1);
    if (b.segment >= 0) words << QString("seg %1").arg(b.segment + 1);
    if (b.plane >= 0) words << QString("plane %1").arg(b.plane + 1);
    return words.join(" · ");
}

/// Places and paints a diagram in a rectangle.
class Painter {
public:
    Painter(const FabricDiagram& diagram, QPainter& painter, QSize size) : m_d(diagram), m_p(painter), m_size(size) { layOut(); }

    void paint()
    {
        m_p.fillRect(QRect(QPoint(), m_size), theme().canvas);
        m_p.setRenderHint(QPainter::Antialiasing);
        heading();
        for (const auto& bundle : m_d.bundles) paintBundle(bundle);
        for (std::size_t layer = 0; layer < m_d.layers.size(); ++layer) paintLayer(layer);
    }

private:
    static constexpr int kMargin = 28, kLabels = 190, kHead = 76;

    void layOut()
    {
        m_rect.resize(m_d.blocks.size());
        const double height = m_size.height() - kHead - kMargin, step = height / double(std::max<std::size_t>(1, m_d.layers.size()));
        const double left = kMargin + kLabels, width = m_size.width() - left - kMargin;
        for (std::size_t layer = 0; layer < m_d.layers.size(); ++layer) {
            const auto& blocks = m_d.layers[layer].blocks;
            const double top = kHead + height - step * double(layer + 1) + step * 0.24, each = width / double(std::max<std::size_t>(1, blocks.size()));
            const double gap = std::min(10.0, each * 0.12);
            for (std::size_t i = 0; i < blocks.size(); ++i)
                m_rect[blocks[i]] = QRectF(left + each * double(i) + gap / 2, top, each - gap, step * 0.5);
        }
    }

    void heading()
    {
        m_p.setPen(theme().text);
        m_p.setFont(scaledFont(1.5, QFont::DemiBold));
        m_p.drawText(QRectF(kMargin, 18, m_size.width() - 2 * kMargin, 30), Qt::AlignLeft | Qt::AlignVCenter, text(m_d.label));
        m_p.setFont(scaledFont(1.0));
        m_p.setPen(theme().textDim);
        m_p.drawText(QRectF(kMargin, 46, m_size.width() - 2 * kMargin, 20), Qt::AlignLeft | Qt::AlignVCenter,
                     QString("end to end %1:1 · widths of bundles follow their capacity").arg(ratio(m_d.endToEnd)));
        double x = m_size.width() - kMargin;
        for (int plane = m_d.planes - 1; plane >= 0 && m_d.planes > 1; --plane) {
            x -= 92;
            m_p.setBrush(planeColor(plane));
            m_p.setPen(Qt::NoPen);
            m_p.drawRoundedRect(QRectF(x, 28, 12, 12), 3, 3);
            m_p.setPen(theme().text);
            m_p.drawText(QRectF(x + 18, 22, 74, 24), Qt::AlignLeft | Qt::AlignVCenter, QString("plane %1").arg(plane + 1));
        }
    }

    void paintBundle(const FabricDiagram::Bundle& bundle)
    {
        std::int64_t most = 1;
        for (const auto& other : m_d.bundles)
            if (m_d.blocks[other.from].layer == m_d.blocks[bundle.from].layer) most = std::max(most, other.gbps);
        const QRectF a = m_rect[bundle.from], b = m_rect[bundle.to];
        const double width = std::clamp(std::min(a.width(), b.width()) * 0.30 * std::sqrt(double(bundle.gbps) / double(most)), 0.7, 26.0);
        const QPointF from(a.center().x(), a.top()), to(b.center().x(), b.bottom());
        const double middle = (from.y() + to.y()) / 2;
        QPainterPath path(from);
        path.cubicTo(QPointF(from.x(), middle), QPointF(to.x(), middle), to);
        QColor color = planeColor(m_d.blocks[bundle.to].plane >= 0 ? m_d.blocks[bundle.to].plane : m_d.blocks[bundle.from].plane);
        color.setAlphaF(width > 4 ? 0.35f : 0.55f);
        m_p.setBrush(Qt::NoBrush);
        m_p.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap));
        m_p.drawPath(path);
    }

    void paintLayer(std::size_t index)
    {
        const auto& layer = m_d.layers[index];
        if (layer.blocks.empty()) return;
        const QRectF band = m_rect[layer.blocks.front()];
        m_p.setPen(theme().text);
        m_p.setFont(scaledFont(1.15, QFont::DemiBold));
        m_p.drawText(QRectF(kMargin, band.top(), kLabels - 16, 22), Qt::AlignLeft | Qt::AlignVCenter, text(layer.label));
        m_p.setFont(scaledFont(1.0));
        m_p.setPen(theme().textDim);
        QString detail = count(layer.devices) + (layer.servers ? " servers" : " switches");
        if (!layer.servers && index + 1 < m_d.layers.size()) detail += QString("\n%1:1 toward above").arg(ratio(layer.oversubscription));
        m_p.drawText(QRectF(kMargin, band.top() + 22, kLabels - 16, 40), Qt::AlignLeft | Qt::AlignTop, detail);
        if (index < m_d.between.size() && m_d.between[index].links > 0) {
            const QRectF above = m_rect[m_d.layers[index + 1].blocks.front()];
            m_p.setPen(theme().accent);
            m_p.drawText(QRectF(kMargin, (band.top() + above.bottom()) / 2 - 10, kLabels - 8, 20), Qt::AlignLeft | Qt::AlignVCenter,
                         QString("%1 × %2G").arg(count(m_d.between[index].links)).arg(m_d.between[index].rate.count()));
        }
        for (const auto block : layer.blocks) paintBlock(layer, m_d.blocks[block], m_rect[block]);
    }

    void paintBlock(const FabricDiagram::Layer& layer, const FabricDiagram::Block& block, const QRectF& rect)
    {
        const QColor color = layer.servers ? theme().server : planeColor(block.plane);
        m_p.setPen(QPen(color, 1.2));
        QColor fill = color;
        fill.setAlphaF(theme().dark() ? 0.25f : 0.16f);
        m_p.setBrush(theme().panel);
        m_p.drawRoundedRect(rect, 5, 5);
        m_p.setBrush(fill);
        m_p.drawRoundedRect(rect, 5, 5);
        paintSquares(block, rect, color);
        if (rect.width() < 30) return;
        m_p.setPen(theme().text);
        m_p.setFont(scaledFont(rect.width() < 62 ? 0.72 : 0.9, QFont::DemiBold));
        QString title = blockTitle(block);
        if (m_p.fontMetrics().horizontalAdvance(title) > rect.width() - 4) {
            QStringList numbers;
            for (const int value : {block.pod, block.segment, block.plane})
                if (value >= 0) numbers << QString::number(value + 1);
            title = numbers.join(".");
        }
        m_p.drawText(rect.adjusted(2, 3, -2, 0), Qt::AlignHCenter | Qt::AlignTop, title);
        m_p.setFont(scaledFont(rect.width() < 62 ? 0.72 : 0.85));
        m_p.setPen(theme().textDim);
        m_p.drawText(rect.adjusted(2, 0, -2, -3), Qt::AlignHCenter | Qt::AlignBottom, block.backup ? QString("%1 + %2").arg(count(block.devices), count(block.backup)) : count(block.devices));
    }

    /// One square a device, as long as squares can be seen.
    void paintSquares(const FabricDiagram::Block& block, const QRectF& rect, const QColor& color)
    {
        const QRectF area = rect.adjusted(6, 20, -6, -19);
        const auto total = double(block.devices + block.backup);
        if (area.width() <= 0 || area.height() <= 0 || total == 0) return;
        const double side = std::min(14.0, std::floor(std::sqrt(area.width() * area.height() / total) * 0.92));
        if (side < 3) return;
        const int columns = std::max(1, int(area.width() / side));
        const int rows = int(std::ceil(total / columns));
        const double x0 = area.center().x() - std::min<double>(columns, total) * side / 2, y0 = area.center().y() - rows * side / 2;
        m_p.setPen(Qt::NoPen);
        for (int i = 0; i < int(total); ++i) {
            QColor square = color;
            if (i >= block.devices) square.setAlphaF(0.35f);
            m_p.setBrush(square);
            m_p.drawRect(QRectF(x0 + (i % columns) * side, y0 + double(i / columns) * side, side - 1, side - 1));
        }
    }

    const FabricDiagram& m_d;
    QPainter& m_p;
    QSize m_size;
    std::vector<QRectF> m_rect;
};

} // namespace

Result<QImage> renderFabric(const FiguresPtr& figures, const std::string& network, QSize size, bool dark)
{
    applyTheme(*qobject_cast<QApplication*>(QApplication::instance()), dark ? ThemeKind::Dark : ThemeKind::Light);
    std::vector<std::string> names;
    for (const auto& candidate : figures->fabric->networks()) {
        names.push_back(figures->snapshot->networks.name[candidate.id]);
        if (names.back() != network) continue;
        QImage image(size, QImage::Format_RGB32);
        QPainter painter(&image);
        Painter(fabricDiagram(*figures, candidate), painter, size).paint();
        return image;
    }
    return fail(ErrorCode::Usage, "--view fabric:" + network, "there is no network of this name", fmt::format("choose from {}", fmt::join(names, ", ")));
}

} // namespace hw::views
