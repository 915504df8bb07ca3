// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/prices_dialog.h"

#include "core/foundation/model/setting_values.h"
#include "core/foundation/money/price_book.h"
#include "core/foundation/money/price_rows.h"
#include "core/output/exchange/bom_total.h"
#include "views/style/fit.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTableWidget>

#include <algorithm>
#include <map>
#include <vector>

namespace hw::app {

using views::space;
using views::text;

namespace {

enum Cell { kPart, kDescription, kQuantity, kUnit, kEach, kMeter, kCurrency, kSum, kTrust, kSource, kSupplier, kDate, kLead, kTerms, kCells };
constexpr bool isFixed(int cell) { return cell <= kUnit || cell == kSum || cell == kTerms; }

/// Of one part, over all lines of the bill that it has.
struct PartNeed {
    QString description, unit;
    std::int64_t quantity = 0;
    Money sum;
    bool priced = true;
};

QString sumText(Money sum) { return sum.count() == 0 ? QString() : QString::number(toCurrency(sum), 'f', 2); }

/// What stands in the row of a part: the price of the project, else the guess in its place.
PriceEntry shownPrice(const Snapshot& s, const PriceBook& book, const std::string& slug)
{
    if (const auto row = book.rowOf(slug)) return priceEntry(s, *row);
    const PartPrice guess = book.of(slug);
    return {slug, guess.each, guess.perMeter, settingOf(s, "project.currency"), guess.source, {}, guess.date, guess.trust, guess.leadDays};
}

/// For which pieces a price of an offer is: "3 m, from 100".
QString stepText(const PriceStep& step)
{
    QStringList parts;
    if (step.lengthMm > 0) parts << PricesDialog::tr("%1 m").arg(step.lengthMm / 1000.0);
    if (step.from > 1) parts << (step.perMeter ? PricesDialog::tr("from %1 m") : PricesDialog::tr("from %1")).arg(views::count(step.from));
    if (parts.isEmpty()) parts << PricesDialog::tr("any quantity");
    return parts.join(", ");
}

/// The tier that the row shows, and until when the offer holds.
QString termsText(const OfferTerms& terms)
{
    QStringList parts;
    if (!terms.steps.empty()) {
        auto shown = std::ranges::find(terms.steps, false, &PriceStep::perMeter);
        if (shown == terms.steps.end()) shown = terms.steps.begin();
        parts << PricesDialog::tr("1 of %1 tiers: %2").arg(terms.steps.size()).arg(stepText(*shown));
    }
    if (!terms.validUntil.empty()) parts << PricesDialog::tr("valid until %1").arg(text(terms.validUntil));
    return parts.join("; ");
}

QString tiersText(const OfferTerms& terms)
{
    QStringList lines;
    for (const PriceStep& step : terms.steps)
        lines << QString("%1: %2%3").arg(stepText(step), sumText(step.price), step.perMeter ? PricesDialog::tr(" per meter") : QString());
    return lines.join('\n');
}

/// The edited prices as those of the tiers that are shown, the first by piece and the first by meter; the other tiers stay.
void putShownTiers(PriceEntry& entry)
{
    auto& steps = entry.terms.steps;
    if (steps.empty()) return;
    for (const auto& [perMeter, price] : {std::pair(false, entry.each), std::pair(true, entry.perMeter)}) {
        const auto shown = std::ranges::find(steps, perMeter, &PriceStep::perMeter);
        if (shown == steps.end() && price.count() > 0)
            steps.push_back({0, 1, perMeter, price});
        else if (shown != steps.end() && price.count() > 0)
            shown->price = price;
        else if (shown != steps.end() && shown->price.count() > 0)
            steps.erase(shown); // emptied
    }
    std::ranges::sort(steps);
}

} // namespace

PricesDialog::PricesDialog(Session& session, QWidget* parent)
    : QDialog(parent), m_session(session), m_search(new QLineEdit), m_table(new QTableWidget(0, kCells)), m_total(new QLabel), m_message(new QLabel),
      m_remove(new QPushButton(tr("&Remove price")))
{
    setWindowTitle(tr("Prices"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space(4), space(4), space(4), space(4));
    column->setSpacing(space(3));
    m_table->setObjectName("prices");
    m_table->setAccessibleName(tr("Part prices"));
    m_table->setHorizontalHeaderLabels({tr("Part"), tr("Description"), tr("Quantity"), tr("Unit"), tr("Unit price"), tr("Per meter"), tr("Currency"),
                                        tr("Amount"), tr("Price basis"), tr("Source"), tr("Supplier"), tr("Date"), tr("Lead time, days"),
                                        tr("Offer")});
    m_table->verticalHeader()->hide();
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_message->setWordWrap(true);
    m_message->setText(tr("Prices entered here belong to the project; all others are assumptions or list prices from the "
                          "catalog. To load price lists, use File > Import."));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(m_remove, QDialogButtonBox::ActionRole);
    m_search->setObjectName("search");
    m_search->setAccessibleName(tr("Search prices"));
    m_search->setPlaceholderText(tr("Search: part, description, source, supplier"));
    m_search->setClearButtonEnabled(true);
    m_total->setWordWrap(true);
    column->addWidget(m_search);
    column->addWidget(m_table, 1);
    column->addWidget(m_total);
    column->addWidget(m_message);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_remove, &QPushButton::clicked, this, &PricesDialog::removeChosen);
    connect(m_search, &QLineEdit::textChanged, this, &PricesDialog::showMatches);
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
    std::map<std::string, PartNeed> needs;
    for (const auto& line : bom.lines) {
        if (line.group == Bom::Group::Charges) continue;
        PartNeed& need = needs[line.part];
        if (need.description.isEmpty()) need.description = text(words(line.description)), need.unit = QString::fromUtf8(bomUnit(line));
        need.quantity += line.quantity, need.sum += line.sum, need.priced = need.priced && line.priced;
    }
    std::vector<const std::pair<const std::string, PartNeed>*> order;
    for (const auto& need : needs) order.push_back(&need);
    std::ranges::stable_sort(order, [](const auto* a, const auto* b) { return a->second.sum > b->second.sum; });
    const QString currency = text(bom.currency);
    const PriceBook book(s, *figures->parts);
    m_filling = true;
    m_table->setUpdatesEnabled(false);
    const bool others = m_table->rowCount() != int(order.size());
    m_table->setRowCount(int(order.size()));
    int row = 0;
    for (const auto* part : order) {
        const auto& [slug, need] = *part;
        const PriceEntry price = shownPrice(s, book, slug);
        const bool own = findPrice(s, price.part, price.supplier).has_value();
        const QString cells[kCells] = {text(slug),
                                       need.description,
                                       views::count(need.quantity),
                                       need.unit,
                                       sumText(price.each),
                                       sumText(price.perMeter),
                                       text(price.currency),
                                       need.priced ? views::moneyExact(need.sum, currency) : tr("unpriced"),
                                       text(std::string(wordOf(price.trust))),
                                       text(price.source),
                                       text(price.supplier),
                                       text(price.date),
                                       price.leadDays > 0 ? QString::number(price.leadDays) : QString(),
                                       termsText(price.terms)};
        for (int c = 0; c < kCells; ++c) {
            auto* item = new QTableWidgetItem(cells[c]);
            if (isFixed(c)) item->setFlags(item->flags() & ~Qt::ItemIsEditable);
            if (c == kQuantity || c == kEach || c == kMeter || c == kSum) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            if (!own) item->setForeground(views::theme().textDim);
            if (c == kTerms || c == kEach || c == kMeter) item->setToolTip(tiersText(price.terms));
            m_table->setItem(row, c, item);
        }
        ++row;
    }
    m_filling = false;
    if (others) m_table->resizeColumnsToContents(); // once: a header that fits by itself measures every cell again for each that changes
    m_table->setUpdatesEnabled(true);
    const QString total = text(words(totalText(bom.total, bom.withoutRate, verbatim(views::moneyExact(bom.total, currency).toStdString()))));
    QStringList lines{tr("Total: %1 including charges; %2 at assumed prices").arg(total, views::percent(bom.assumedShare(), 0))};
    if (const Text missing = withoutRateText(bom.withoutRate); !missing.empty()) lines << text(words(missing));
    m_total->setText(lines.join("\n"));
    showMatches();
}

/// Rows that hold every word of the search, in any of their cells.
void PricesDialog::showMatches()
{
    const QStringList wanted = m_search->text().split(' ', Qt::SkipEmptyParts);
    for (int row = 0; row < m_table->rowCount(); ++row) {
        QString all;
        for (int c = 0; c < kCells; ++c) all += m_table->item(row, c)->text() + '\n';
        const bool fits = std::ranges::all_of(wanted, [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
        if (m_table->isRowHidden(row) == fits) m_table->setRowHidden(row, !fits);
    }
}

QString PricesDialog::cell(int row, int column) const { return m_table->item(row, column)->text().trimmed(); }

/// Writes the whole row as the price of its part.
void PricesDialog::change(QTableWidgetItem* item)
{
    if (m_filling) return;
    auto& bridge = m_session.bridge();
    const int row = item->row();
    const auto sum = [&](int column) { return cell(row, column).isEmpty() ? std::optional(Money()) : readMoney(cell(row, column).toStdString()); };
    const auto each = sum(kEach), meter = sum(kMeter);
    const auto trust = fromWord<Trust>(cell(row, kTrust).toStdString());
    bool whole = true;
    const int days = cell(row, kLead).isEmpty() ? 0 : cell(row, kLead).toInt(&whole);
    if (!each || !meter || !trust || !whole || days < 0 || days > 10'000) {
        m_message->setText(!trust ? tr("The price basis must be quoted, published or assumed.") : tr("'%1' is not a valid number").arg(item->text()));
        return start();
    }
    PriceEntry entry{cell(row, kPart).toStdString(),
                     *each,
                     *meter,
                     cell(row, kCurrency).toStdString(),
                     cell(row, kSource).toStdString(),
                     cell(row, kSupplier).toStdString(),
                     cell(row, kDate).toStdString(),
                     *trust,
                     days};
    if (entry.source.empty()) entry.source = words(i18n("entered manually"));
    const auto figures = bridge.figures();
    entry.terms = shownPrice(*figures->snapshot, PriceBook(*figures->snapshot, *figures->parts), entry.part).terms;
    putShownTiers(entry);
    Result<void> refused;
    (void)bridge.edit(tr("Set price of %1").arg(cell(row, kPart)), [&](Transaction& t) -> Result<void> {
        const auto put = putPrice(*t, *figures->parts, entry);
        if (!put) return refused = tl::unexpected(put.error());
        return {};
    });
    m_message->setText(refused ? tr("%1: price set.").arg(cell(row, kPart)) : text(refused.error().text()));
    if (!refused) start();
}

void PricesDialog::removeChosen()
{
    auto& bridge = m_session.bridge();
    const int row = m_table->currentRow();
    if (row < 0) return m_message->setText(tr("Select a part first."));
    const auto known = findPrice(*bridge.snapshot(), cell(row, kPart).toStdString(), cell(row, kSupplier).toStdString());
    if (!known) return m_message->setText(tr("%1 has no project price.").arg(cell(row, kPart)));
    (void)bridge.edit(tr("Remove the price of %1").arg(cell(row, kPart)), [&](Transaction& t) -> Result<void> {
        t->prices.erase(*known);
        return {};
    });
}

} // namespace hw::app
