// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/design_sketch.h"

#include "core/design/sizing/demand.h"
#include "core/foundation/model/label.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QPainter>

namespace hw::app {

using views::space;

/// The drawing itself.
class DesignSketch::Sheet : public QWidget {
public:
    explicit Sheet(DesignSketch& sketch) : m_sketch(sketch)
    {
        setMinimumSize(space(80), space(44));
        setAccessibleName(DesignSketch::tr("Fabric drawing"));
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), views::theme().canvas);
        if (!m_sketch.m_page) return;
        const double shrink = std::max(1.0, double(fontMetrics().height() * kLines) / std::max(height(), 1)); // smaller rather than overlapping
        painter.scale(1 / shrink, 1 / shrink);
        const QRectF page(0, 0, width() * shrink, height() * shrink);
        paintFabricPage(painter, page.adjusted(space(2), space(2), -space(2), -space(2)), *m_sketch.m_page);
    }

private:
    static constexpr int kLines = 22; ///< of text that a drawing of four tiers is high
    DesignSketch& m_sketch;
};

DesignSketch::DesignSketch(views::Jobs& jobs, std::shared_ptr<const Catalog> catalog, QWidget* parent)
    : QWidget(parent), m_jobs(jobs), m_slot(QString("sketch %1").arg(quintptr(this))), m_catalog(std::move(catalog)), m_networks(new QComboBox),
      m_sheet(new Sheet(*this)), m_limits(new QLabel)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    m_networks->setObjectName("sketchNetwork");
    m_networks->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_limits->setObjectName("sketchLimits");
    m_limits->setWordWrap(true);
    column->addWidget(m_networks, 0, Qt::AlignLeft);
    auto* row = new QHBoxLayout;
    row->setSpacing(space(4));
    row->addWidget(m_sheet, 1);
    row->addWidget(m_limits, 0, Qt::AlignTop);
    m_limits->setFixedWidth(fontMetrics().averageCharWidth() * 46);
    column->addLayout(row, 1);
    connect(m_networks, &QComboBox::activated, this, &DesignSketch::draw);
}

DesignSketch::~DesignSketch() { m_jobs.cancelSlot(m_slot); }

QString DesignSketch::limitsText() const { return m_limits->text(); }

void DesignSketch::show(const FiguresPtr& figures)
{
    m_figures = figures;
    fillNetworks();
    draw();
    findLimits();
}

void DesignSketch::fillNetworks()
{
    const QString before = m_networks->currentText();
    m_networks->clear();
    if (!m_figures) return;
    const auto& networks = m_figures->snapshot->networks;
    networks.forEach([&](NetworkId id) { m_networks->addItem(views::text(labelText(networks, id)), views::text(networks.key[id])); });
    if (const int at = m_networks->findText(before); at >= 0) m_networks->setCurrentIndex(at);
}

void DesignSketch::draw()
{
    m_page.reset();
    if (m_figures && m_networks->count() > 0) {
        views::FabricPicture picture;
        picture.network = m_networks->currentData().toString().toStdString();
        if (auto page = views::makeFabricPage(m_figures, picture)) m_page = std::move(*page);
    }
    m_sheet->update();
}

/// What the design carries, by what would run out, the tightest first.
void DesignSketch::findLimits()
{
    if (!m_figures) return m_limits->clear();
    m_jobs.start<std::vector<sizing::DesignLimit>>(
        m_slot, {},
        [figures = m_figures, catalog = m_catalog](const Progress&) {
            auto limits = sizing::designLimits(*figures);
            std::erase_if(limits, [](const sizing::DesignLimit& l) { return !l.building.empty(); });
            if (auto most = sizing::templateLimit(*figures->snapshot, *catalog)) limits.push_back(std::move(*most));
            std::ranges::stable_sort(limits, {}, &sizing::DesignLimit::accelerators);
            return limits;
        },
        [this](const std::vector<sizing::DesignLimit>& limits) {
            QString html =
                QString("<table cellpadding='2'><tr><td colspan='2'><b>%1</b></td></tr>").arg(tr("Supported GPUs by limit, tightest first"));
            for (const auto& l : limits)
                html +=
                    QString("<tr><td style='color:%1'>%2&nbsp;&nbsp;</td><td align='right'><b>%3</b></td></tr><tr><td colspan='2' "
                            "style='color:%4'>%5</td></tr>")
                        .arg(views::theme().textDim.name(), views::text(l.label()).toHtmlEscaped(), tr("%1 GPUs").arg(views::count(l.accelerators)),
                             views::theme().textFaint.name(), views::text(l.detail).toHtmlEscaped());
            m_limits->setText(html + "</table>");
        });
}

} // namespace hw::app
