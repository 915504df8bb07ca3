// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/prices_dialog.h"

#include "core/model/setting_values.h"
#include "core/money/price_book.h"
#include "core/money/price_rows.h"
#include "views/style/fit.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QTableWidget>

#include <set>

namespace hw::app {

using views::space;
using views::text;

namespace {

enum Cell { kPart, kEach, kMetre, kCurrency, kTrust, kSource, kSupplier, kDate, kLead, kCells };

QString sumText(Money sum) { return sum.count() == 0 ? QString() : QString::number(toCurrency(sum), 'f', 2); }

/// What stands in the row of a part: the price of the project, else the guess in its place.
PriceEntry shownPrice(const Snapshot& s, const ProjectParts& parts, const std::string& slug)
{
    const PriceBook book(s, parts);
    if (const auto row = book.rowOf(slug)) return priceEntry(s, *row);
    const PartPrice guess = book.of(slug);
    return {slug, guess.each, guess.perMetre, settingOf(s, "project.currency"), guess.source, {}, guess.date, guess.trust, guess.leadDays};
}

} // namespace

PricesDialog::PricesDialog(Session& session, QWidget* parent)
    : QDialog(parent), m_session(session), m_table(new QTableWidget(0, kCells)), m_message(new QLabel), m_remove(new QPushButton(tr("&Take away")))
{
    setWindowTitle(tr("Prices"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space(4), space(4), space(4), space(4));
    column->setSpacing(space(3));
    m_table->setObjectName("prices");
    m_table->setAccessibleName(tr("Prices of parts"));
    m_table->setHorizontalHeaderLabels(
        {tr("Part"), tr("Each"), tr("A metre"), tr("Currency"), tr("Price is"), tr("Source"), tr("Supplier"), tr("Date"), tr("Lead time, days")});
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_message->setWordWrap(true);
    m_message->setText(
        tr("A price that you write is yours; the others are guesses or lists of the catalogue. Lists of prices come in with File, Import."));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(m_remove, QDialogButtonBox::ActionRole);
    column->addWidget(m_table, 1);
    column->addWidget(m_message);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_remove, &QPushButton::clicked, this, &PricesDialog::removeChosen);
    connect(m_table, &QTableWidget::itemChanged, this, &PricesDialog::change);
    connect(&m_session.bridge(), &views::DocumentBridge::figuresChanged, this, &PricesDialog::start);
    connect(this, &QDialog::finished, this, [this] { m_session.bridge().jobs().cancelSlot("prices"); });
    views::fitToScreen(*this, {fontMetrics().averageCharWidth() * 130, fontMetrics().height() * 36});
    start();
}

/// The bill is made on a worker.
void PricesDialog::start()
{
    auto& bridge = m_session.bridge();
    if (!bridge.figures()) return;
    bridge.jobs().start<Bom>(
        "prices", {}, [figures = bridge.figures()](const Progress&) { return makeBom(*figures); },
        [dialog = QPointer(this)](const Bom& bom) {
            if (dialog) dialog->fill(bom);
        });
}

void PricesDialog::fill(const Bom& bom)
{
    const auto figures = m_session.bridge().figures();
    const Snapshot& s = *figures->snapshot;
    std::set<std::string> slugs;
    for (const auto& line : bom.lines)
        if (line.group != Bom::Group::Charges) slugs.insert(line.part);
    m_filling = true;
    m_table->setRowCount(int(slugs.size()));
    int row = 0;
    for (const auto& slug : slugs) {
        const PriceEntry price = shownPrice(s, *figures->parts, slug);
        const bool own = findPrice(s, price.part, price.supplier).has_value();
        const QString cells[kCells] = {text(slug),
                                       sumText(price.each),
                                       sumText(price.perMetre),
                                       text(price.currency),
                                       text(std::string(wordOf(price.trust))),
                                       text(price.source),
                                       text(price.supplier),
                                       text(price.date),
                                       price.leadDays > 0 ? QString::number(price.leadDays) : QString()};
        for (int c = 0; c < kCells; ++c) {
            auto* item = new QTableWidgetItem(cells[c]);
            if (c == kPart) item->setFlags(item->flags() & ~Qt::ItemIsEditable);
            if (!own) item->setForeground(views::theme().textDim);
            m_table->setItem(row, c, item);
        }
        ++row;
    }
    m_filling = false;
}

QString PricesDialog::cell(int row, int column) const { return m_table->item(row, column)->text().trimmed(); }

/// Writes the whole row as the price of its part.
void PricesDialog::change(QTableWidgetItem* item)
{
    if (m_filling) return;
    auto& bridge = m_session.bridge();
    const int row = item->row();
    const auto sum = [&](int column) { return cell(row, column).isEmpty() ? std::optional(Money()) : readMoney(cell(row, column).toStdString()); };
    const auto each = sum(kEach), metre = sum(kMetre);
    const auto trust = fromWord<Trust>(cell(row, kTrust).toStdString());
    bool whole = true;
    const int days = cell(row, kLead).isEmpty() ? 0 : cell(row, kLead).toInt(&whole);
    if (!each || !metre || !trust || !whole || days < 0 || days > 10'000) {
        m_message->setText(!trust ? tr("A price is quoted, published or assumed.") : tr("'%1' is no number that can stand here.").arg(item->text()));
        return start();
    }
    PriceEntry entry{cell(row, kPart).toStdString(),
                     *each,
                     *metre,
                     cell(row, kCurrency).toStdString(),
                     cell(row, kSource).toStdString(),
                     cell(row, kSupplier).toStdString(),
                     cell(row, kDate).toStdString(),
                     *trust,
                     days};
    if (entry.source.empty()) entry.source = words(i18n("by hand"));
    const auto figures = bridge.figures();
    Result<void> refused;
    (void)bridge.edit(tr("Set the price of %1").arg(cell(row, kPart)), [&](Transaction& t) -> Result<void> {
        const auto put = putPrice(*t, *figures->parts, entry);
        if (!put) return refused = tl::unexpected(put.error());
        return {};
    });
    m_message->setText(refused ? tr("%1 has its price.").arg(cell(row, kPart)) : text(refused.error().text()));
    if (!refused) start();
}

void PricesDialog::removeChosen()
{
    auto& bridge = m_session.bridge();
    const int row = m_table->currentRow();
    if (row < 0) return m_message->setText(tr("Choose a part first."));
    const auto known = findPrice(*bridge.snapshot(), cell(row, kPart).toStdString(), cell(row, kSupplier).toStdString());
    if (!known) return m_message->setText(tr("%1 has no price of its own.").arg(cell(row, kPart)));
    (void)bridge.edit(tr("Take away the price of %1").arg(cell(row, kPart)), [&](Transaction& t) -> Result<void> {
        t->prices.erase(*known);
        return {};
    });
}

} // namespace hw::app
