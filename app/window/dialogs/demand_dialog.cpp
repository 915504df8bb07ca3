// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/demand_dialog.h"

#include "importers/demand/demand_reader.h"

#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDate>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QSpinBox>
#include <QTextBrowser>

#include <algorithm>

namespace hw::app {

using views::space;
using views::text;
using views::theme;

/// Demand by quarter against the limits of the whole design.
class DemandDialog::Chart : public QWidget {
public:
    explicit Chart(DemandDialog& dialog) : m_dialog(dialog) { setMinimumHeight(space(48)); }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        p.fillRect(rect(), theme().canvas);
        const auto& quarters = m_dialog.m_answer.quarters;
        if (quarters.empty()) return;
        double most = 1;
        for (const auto& q : quarters) most = std::max(most, q.accelerators);
        double shownLimit = 0;
        for (const auto& l : m_dialog.m_limits)
            if (l.building.empty() && double(l.accelerators) < most * 1.5) shownLimit = std::max(shownLimit, double(l.accelerators));
        most = std::max(most, shownLimit) * 1.08;
        auto limits = m_dialog.m_limits;
        std::erase_if(limits, [&](const auto& l) { return !l.building.empty() || double(l.accelerators) > most; });
        std::ranges::stable_sort(limits, std::greater(), &sizing::DesignLimit::accelerators);
        const auto labelOf = [](const sizing::DesignLimit& l) { return QString("%1 %2").arg(text(l.label()), views::count(l.accelerators)); };
        int labels = 0;
        for (const auto& l : limits) labels = std::max(labels, p.fontMetrics().horizontalAdvance(labelOf(l)));
        const QString highest = views::count(std::int64_t(most));
        const QRectF area = QRectF(rect()).adjusted(p.fontMetrics().horizontalAdvance(highest) + space(3), space(4), -(labels + space(5)), -space(8));
        const double bar = area.width() / double(quarters.size());
        const auto yOf = [&](double v) { return area.bottom() - v / most * area.height(); };
        const std::size_t every = std::max<std::size_t>(1, quarters.size() / 12);
        for (std::size_t i = 0; i < quarters.size(); ++i) {
            const double top = yOf(quarters[i].accelerators);
            p.fillRect(QRectF(area.left() + bar * double(i) + 1, top, std::max(1.0, bar - 2), area.bottom() - top), theme().accent);
            if (i % every != 0) continue;
            p.setPen(theme().textFaint);
            p.drawText(QRectF(area.left() + bar * double(i) - space(10), area.bottom() + 2, bar + space(20), space(6)),
                       Qt::AlignHCenter | Qt::AlignTop, text(sizing::quarterName(quarters[i].quarter)));
        }
        p.setPen(theme().textFaint);
        p.drawText(QRectF(0, area.top() - space(2), area.left() - space(2), space(5)), Qt::AlignRight, highest);
        const double height = p.fontMetrics().height();
        double lastLabel = -1e9, lowest = area.bottom() - height * double(limits.size()); // room for those that follow
        for (const auto& l : limits) {
            const double y = yOf(double(l.accelerators));
            p.setPen(QPen(theme().warning, 1.4, Qt::DashLine));
            p.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
            const double label = std::clamp(y - height / 2, std::max(0.0, lastLabel + height), std::max({0.0, lastLabel + height, lowest}));
            lastLabel = label, lowest += height;
            p.setPen(theme().text);
            p.drawText(QRectF(area.right() + space(2), label, labels + space(2), height), Qt::AlignLeft | Qt::AlignVCenter, labelOf(l));
        }
    }

private:
    DemandDialog& m_dialog;
};

DemandDialog::DemandDialog(Session& session, QWidget* parent)
    : QDialog(parent), m_session(session),
      m_from(new QLineEdit(QString("%1-Q%2").arg(QDate::currentDate().year()).arg((QDate::currentDate().month() + 2) / 3))), m_start(new QSpinBox),
      m_law(new QComboBox), m_amount(new QDoubleSpinBox), m_form(new QWidget), m_backToForm(new QPushButton(tr("&Back to form"))), m_note(new QLabel),
      m_chart(new Chart(*this)), m_table(new QTextBrowser)
{
    setWindowTitle(tr("Capacity forecast"));
    auto* layout = new QVBoxLayout(this);
    auto* row = new QHBoxLayout;
    m_start->setRange(1, 100'000'000);
    m_start->setGroupSeparatorShown(true);
    m_start->setValue(4096);
    m_law->addItem(tr("% per quarter"), "percent");
    m_law->addItem(tr("× every two years"), "multiply");
    m_law->addItem(tr("GPUs per quarter"), "add");
    m_amount->setRange(0, 1e7);
    m_amount->setValue(20);
    m_amount->setObjectName("demandAmount");
    auto* file = new QPushButton(tr("From a &file…"));
    file->setAutoDefault(false);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(new QLabel(tr("From")));
    row->addWidget(m_from);
    row->addWidget(new QLabel(tr("with")));
    row->addWidget(m_start);
    row->addWidget(new QLabel(tr("GPUs, growing by")));
    row->addWidget(m_amount);
    row->addWidget(m_law);
    row->addStretch(1);
    m_form->setLayout(row);
    m_form->setObjectName("demandForm");
    auto* choice = new QHBoxLayout;
    auto* format = new QLabel(text(Text(sizing::kCurveFormat)));
    format->setProperty("role", "dim");
    format->setWordWrap(true);
    m_backToForm->setAutoDefault(false);
    m_backToForm->setObjectName("demandBackToForm");
    choice->addWidget(file);
    choice->addWidget(format, 1);
    choice->addWidget(m_backToForm);
    layout->addWidget(m_form);
    layout->addLayout(choice);
    showFile({});
    m_note->setWordWrap(true);
    layout->addWidget(m_note);
    layout->addWidget(m_chart, 2);
    layout->addWidget(m_table, 2);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_from, &QLineEdit::textChanged, this, &DemandDialog::useLaw);
    connect(m_start, &QSpinBox::valueChanged, this, &DemandDialog::useLaw);
    connect(m_law, &QComboBox::currentIndexChanged, this, &DemandDialog::useLaw);
    connect(m_amount, &QDoubleSpinBox::valueChanged, this, &DemandDialog::useLaw);
    connect(file, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Demand curve: %1").arg(text(Text(sizing::kCurveFormat))), {},
                                                          tr("Demand curves, CSV or JSON (*.csv *.json)"));
        if (!path.isEmpty()) loadCurve(path);
    });
    connect(m_backToForm, &QPushButton::clicked, this, &DemandDialog::useLaw);
    const QSize wanted(fontMetrics().averageCharWidth() * 150, fontMetrics().height() * 40);
    resize(screen() ? wanted.boundedTo(screen()->availableSize() - QSize(space(10), space(14))) : wanted);
    findLimits();
}

/// While a file is shown the form would say something else, so it is out of use.
void DemandDialog::showFile(const QString& path)
{
    m_form->setEnabled(path.isEmpty());
    m_backToForm->setVisible(!path.isEmpty());
    m_note->setText(path.isEmpty() ? QString() : tr("Demand from %1").arg(path));
}

void DemandDialog::findLimits()
{
    const auto figures = m_session.bridge().figures();
    if (!figures) return;
    m_session.bridge().jobs().start<std::vector<sizing::DesignLimit>>(
        "demand", tr("Calculating limits"),
        [figures, catalog = m_session.library().catalog](const Progress&) {
            auto limits = sizing::designLimits(*figures);
            if (catalog)
                if (auto most = sizing::templateLimit(*figures->snapshot, *catalog)) limits.push_back(std::move(*most));
            return limits;
        },
        [this, alive = QPointer<DemandDialog>(this)](std::vector<sizing::DesignLimit> limits) {
            if (!alive) return;
            m_limits = std::move(limits);
            if (m_form->isEnabled())
                useLaw();
            else
                meet(m_curve);
        });
}

void DemandDialog::useLaw()
{
    const auto at = sizing::quarterTime(m_from->text().toStdString());
    if (!at)
        return m_note->setText(QString("<span style='color:%1'>%2</span>").arg(theme().error.name(), tr("Enter the start as 2026-Q3 or 2026-07")));
    using Kind = sizing::TenantDemand::Kind;
    sizing::TenantDemand law;
    law.tenant = "all";
    law.points = {{*at, double(m_start->value())}};
    law.amount = m_amount->value();
    const QString kind = m_law->currentData().toString();
    law.kind = kind == "percent" ? Kind::Percent : kind == "multiply" ? Kind::Multiply : Kind::Add;
    law.quarters = kind == "multiply" ? 8 : 1;
    law.until = *at + 24;
    sizing::DemandCurve curve;
    curve.tenants.push_back(std::move(law));
    showFile({});
    meet(std::move(curve));
}

bool DemandDialog::loadCurve(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        m_note->setText(tr("%1 cannot be opened").arg(path));
        return false;
    }
    auto list = importers::readDemand(file.readAll().toStdString(), path.toStdString());
    if (!list) {
        m_note->setText(QString("<span style='color:%1'>%2</span>").arg(theme().error.name(), text(list.error().text()).toHtmlEscaped()));
        return false;
    }
    showFile(path);
    if (!list->left.empty())
        m_note->setText(
            QString("<span style='color:%1'>%2</span>")
                .arg(theme().warning.name(), tr("%1; first: %2").arg(text(list->counts()), text(list->left.front().text())).toHtmlEscaped()));
    meet(std::move(list->curve));
    return true;
}

void DemandDialog::meet(sizing::DemandCurve curve)
{
    m_curve = std::move(curve);
    m_answer = sizing::meetDemand(m_curve, m_limits);
    QString html = QString("<table cellpadding='3'><tr style='color:%1'><td>%2</td><td>%3</td><td>%4</td><td>%5</td><td>%6</td></tr>")
                       .arg(theme().textFaint.name(), tr("Item"), tr("Location"), tr("Supports"), tr("Runs out"), tr("Reason"));
    for (const auto& r : m_answer.runOuts)
        html += QString("<tr><td>%1&nbsp;&nbsp;</td><td>%2&nbsp;&nbsp;</td><td align='right'>%3&nbsp;&nbsp;</td><td><b "
                        "style='color:%4'>%5</b>&nbsp;&nbsp;</td><td style='color:%6'>%7</td></tr>")
                    .arg(text(r.limit.label()).toHtmlEscaped(),
                         r.limit.building.empty() ? tr("whole design") : text(r.limit.building).toHtmlEscaped(), views::count(r.limit.accelerators),
                         (r.quarter ? theme().warning : theme().ok).name(), r.quarter ? text(sizing::quarterName(*r.quarter)) : tr("sufficient"),
                         theme().textFaint.name(), text(r.limit.detail).toHtmlEscaped());
    m_table->setHtml(html + "</table>");
    m_chart->update();
}

} // namespace hw::app
