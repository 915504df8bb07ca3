// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/bom_panel.h"

#include "core/foundation/money/price_book.h"
#include "core/output/exchange/bom_sections.h"
#include "core/output/exchange/bom_total.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"
#include "views/style/units.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>

namespace hw::views {
namespace {

QString groupText(Bom::Group group)
{
    switch (group) {
    case Bom::Group::Racks: return QObject::tr("Rack");
    case Bom::Group::Devices: return QObject::tr("Device");
    case Bom::Group::Transceivers: return QObject::tr("Optics");
    case Bom::Group::Cables: return QObject::tr("Cable");
    case Bom::Group::Trays: return QObject::tr("Tray");
    case Bom::Group::Sundries: return QObject::tr("Accessories");
    case Bom::Group::Spares: return QObject::tr("Spare");
    case Bom::Group::Charges: return QObject::tr("Charge");
    }
    return {};
}

CellRow rowOf(const Bom::Line& line, const Bom& bom)
{
    const QString currency = text(bom.currency);
    const double share = bom.total.count() > 0 ? double(line.sum.count()) / double(bom.total.count()) : 0;
    CellRow row;
    row.key = QString("%1/%2/%3").arg(text(line.part)).arg(line.lengthMm).arg(int(line.group));
    row.cells = {{groupText(line.group), int(line.group)},
                 {text(line.part)},
                 {text(line.description)},
                 {bomUnit(line) == "m" || bomUnit(line) == "L" ? count(line.quantity) + " " + text(std::string(bomUnit(line))) : count(line.quantity),
                  qlonglong(line.quantity),
                  {},
                  {},
                  -1,
                  true},
                 {line.priced ? moneyExact(line.unitPrice, currency) : QObject::tr("unpriced"), qlonglong(line.unitPrice.count()), {}, {}, -1, true},
                 {line.priced ? text(words(trustText(line.trust))) : QObject::tr("missing"),
                  {},
                  {},
                  line.confidence == Confidence::Assumed ? theme().warning : theme().textDim},
                 {moneyExact(line.sum, currency), qlonglong(line.sum.count()), {}, {}, -1, true},
                 {percent(share), share, {}, {}, share, true}};
    if (!line.source.empty()) row.toolTip = QObject::tr("Price: %1").arg(text(line.source));
    return row;
}

/// A row for each part of the bill, with what of it rests on guesses.
CellRow sectionRow(const BomSections::Section& section, const Bom& bom)
{
    const QString currency = text(bom.currency);
    const double share = bom.total.count() > 0 ? double(section.bom.total.count()) / double(bom.total.count()) : 0;
    CellRow row;
    row.key = "section/" + text(section.name);
    row.cells = {
        {QObject::tr("Amount")},
        {text(words(section.title))},
        {QObject::tr("%1 at assumed prices").arg(percent(section.bom.assumedShare(), 0))},
        {text(i18np(std::int64_t(section.bom.lines.size()), "{:L} line", "{:L} lines")), qlonglong(section.bom.lines.size()), {}, {}, -1, true},
        {QString()},
        {QString()},
        {moneyExact(section.bom.total, currency), qlonglong(section.bom.total.count()), {}, {}, -1, true},
        {percent(share), share, {}, {}, share, true}};
    return row;
}

} // namespace

BomPanel::BomPanel(DocumentBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge),
      m_list(new ListView(bridge,
                          {tr("Kind"), tr("Part"), tr("Description"), tr("Quantity"), tr("Unit price"), tr("Basis"), tr("Amount"), tr("Share")},
                          tr("Bill of materials"))),
      m_sum(new QLabel), m_by(new QComboBox), m_following(bridge, *this, FollowingView::Pace::Live, [this] { refresh(); })
{
    m_by->addItems({tr("All lines"), tr("By system"), tr("By phase"), tr("By building"), tr("By room")});
    m_by->setObjectName("bomBy");
    m_by->setAccessibleName(tr("Bill totals"));
    connect(m_by, &QComboBox::currentIndexChanged, this, [this] { m_following.soon(); });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space(1), 0, 0);
    layout->setSpacing(space(1));
    auto* top = new QHBoxLayout;
    top->setContentsMargins(space(3), 0, space(3), 0);
    auto* button = new QPushButton(icon("export"), tr("E&xport …"));
    m_sum->setWordWrap(true); // beside what stands next to it, not under it
    top->addWidget(m_sum, 1);
    top->addWidget(m_by);
    top->addWidget(button);
    layout->addLayout(top);
    layout->addWidget(m_list, 1);
    m_list->setColumnWidths({8, 26, -1, 12, 16, 10, 20, 10});
    m_list->sortByColumn(6, Qt::DescendingOrder); // what costs most comes first
    connect(button, &QPushButton::clicked, this, &BomPanel::exportRequested);
}

void BomPanel::refresh()
{
    m_following.work<Shown>(
        "bom",
        [figures = m_bridge.figures(), by = m_by->currentIndex()](const Progress&) {
            Shown shown{makeBom(*figures), {}};
            if (by > 0) shown.sections = bomSections(*figures, shown.bom, BomBy(by - 1));
            return shown;
        },
        [this](const Shown& shown) { show(shown); });
}

void BomPanel::show(const Shown& shown)
{
    const Bom& bom = shown.bom;
    m_total = bom.total;
    std::vector<CellRow> rows;
    if (shown.sections)
        for (const auto& section : shown.sections->sections) rows.push_back(sectionRow(section, bom));
    else
        for (const auto& line : bom.lines) rows.push_back(rowOf(line, bom));
    m_list->cells()->setRows(std::move(rows));
    QStringList sum{text(i18np(std::int64_t(bom.lines.size()), "<b>{1}</b>  for {0:L} line", "<b>{1}</b>  for {0:L} lines",
                               words(totalText(bom.total, bom.withoutRate, verbatim(money(bom.total, text(bom.currency)).toStdString()))))),
                    tr("%1 quoted or published, %2 of the total based on assumed prices")
                        .arg(money(bom.quoted(), text(bom.currency)), percent(bom.assumedShare(), 0))};
    if (const QString rate = displayRate(); !rate.isEmpty()) sum << tr("converted at %1").arg(rate.toHtmlEscaped());
    if (const Text missing = withoutRateText(bom.withoutRate); !missing.empty()) sum << "<b>" + text(words(missing)) + "</b>";
    if (bom.unpriced) sum << text(i18np(bom.unpriced, "{:L} line without a price", "{:L} lines without a price"));
    if (!bom.leftOut.empty())
        sum << text(i18np(bom.linksLeftOut(), "<b>not included: {:L} link without cable and transceivers</b>",
                          "<b>not included: {:L} links without cable and transceivers</b>"));
    m_sum->setText(sum.join(";  "));
    QStringList left;
    for (const auto& out : bom.leftOut) left << text(leftOutText(out));
    if (const auto parts = bom.unpricedParts(); !parts.empty()) left << tr("Unpriced: %1").arg(text(words(listedNames(parts))));
    left << text(words(chargesText(bom)));
    m_sum->setToolTip(left.join('\n'));
}

} // namespace hw::views
