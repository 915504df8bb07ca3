// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/findings_panel.h"

#include "core/derived/figures/power.h"
#include "core/derived/rules/rule.h"
#include "core/derived/tiers/tier_proof.h"
#include "core/design/edit/edits.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDate>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

namespace hw::views {
namespace {

constexpr int kTier3 = 4; ///< of the choice what to show; the next is Tier IV

QColor severityColor(Severity severity)
{
    return severity == Severity::Error ? theme().error : severity == Severity::Warning ? theme().warning : theme().accent;
}

CellRow rowOf(const Finding& finding, const QString& about)
{
    const char* icons[] = {"error", "warning", "info"};
    CellRow row;
    row.key = text(finding.id);
    row.entity = finding.entities.empty() ? EntityRef{} : finding.entities.front();
    row.dim = finding.waived;
    row.toolTip = text(finding.message) + (finding.waived ? "\n" + QObject::tr("Waived: %1").arg(text(finding.reason)) : QString());
    const auto severity = std::size_t(finding.severity);
    row.cells = {{text(finding.rule), int(severity), icons[severity], severityColor(finding.severity)},
                 {text(finding.message)},
                 {.text = about, .place = true},
                 {finding.waived ? QObject::tr("waived: %1").arg(text(finding.reason)) : QString()}};
    return row;
}

/// Statements with the outages that break them below, then the availability of each hall; in this order.
std::vector<CellRow> tierRows(const tiers::TierProof& proof, const Figures& figures)
{
    std::vector<CellRow> rows;
    const auto add = [&](const QString& rule, const char* icon, const QColor& color, const QString& what, EntityRef about, const QString& state) {
        CellRow row;
        row.key = QString("tier/%1").arg(rows.size());
        row.entity = about;
        row.toolTip = what + (state.isEmpty() ? QString() : "\n" + state);
        row.cells = {{rule, int(rows.size()), icon, color},
                     {what, int(rows.size())},
                     {.text = about ? text(entityName(*figures.snapshot, *figures.parts, about)) : QString(), .place = true},
                     {state}};
        rows.push_back(std::move(row));
    };
    for (const tiers::Statement& one : proof.statements) {
        const char* icon = !one.holds ? "info" : *one.holds ? "ok" : "error";
        const QColor color = !one.holds ? theme().accent : *one.holds ? theme().ok : theme().error;
        QString what = text(words(one.title));
        for (const Text& more : {tiers::triedText(one), one.note})
            if (!more.empty()) what += "; " + text(words(more));
        add(text(one.id), icon, color, what, {}, text(words(tiers::verdictText(one))));
        rows.back().bold = true;
        for (const tiers::Outage& outage : one.breaks)
            add(text(one.id), "error", theme().error, text(tiers::outageText(outage, figures)), outage.out.empty() ? EntityRef{} : outage.out.front(),
                text(words(tiers::remedyText(outage))));
    }
    for (const tiers::Availability& one : proof.availability)
        add(QObject::tr("Availability"), "gauge", theme().textDim, text(words(tiers::availabilityText(one, figures))),
            one.hall ? ref(*one.hall) : EntityRef{}, {});
    return rows;
}

/// A word that is the id of a rule means that rule alone: C1 is not C12.
bool sought(const Finding& finding, const QString& about, const QStringList& words)
{
    const QString rule = text(finding.rule), all = text(finding.message) + ' ' + about + ' ' + text(finding.reason);
    return std::ranges::all_of(words, [&](const QString& word) {
        return findRule(word.toUpper().toStdString()) ? rule.compare(word, Qt::CaseInsensitive) == 0 : all.contains(word, Qt::CaseInsensitive);
    });
}

} // namespace

FindingsPanel::FindingsPanel(DocumentBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_following(bridge, *this, FollowingView::Pace::Rested, [this] { checkTier(); }),
      m_list(new ListView(bridge, {tr("Rule"), tr("Finding"), tr("Object"), tr("State")}, tr("Findings"))), m_summary(new QLabel),
      m_show(new QComboBox), m_search(new QLineEdit), m_reason(new QLineEdit), m_waive(new QPushButton)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space(1), 0, 0);
    layout->setSpacing(space(1));
    auto* top = new QHBoxLayout;
    top->setContentsMargins(space(3), 0, space(3), 0);
    top->addWidget(m_summary);
    top->addStretch(1);
    m_show->addItems({tr("Open"), tr("All"), tr("Errors"), tr("Waived"), tr("Tier III check"), tr("Tier IV check")});
    m_show->setObjectName("findingsToShow");
    m_show->setAccessibleName(tr("Findings to show"));
    m_search->setPlaceholderText(tr("Rule, text or object"));
    m_search->setAccessibleName(tr("Search findings"));
    m_search->setObjectName("findingSearch");
    m_search->setClearButtonEnabled(true);
    m_reason->setPlaceholderText(tr("Reason for waiving the selected finding"));
    m_reason->setObjectName("waiveReason");
    m_reason->setAccessibleName(tr("Waiver reason"));
    m_waive->setText(tr("&Waive"));
    m_waive->setObjectName("waiveButton");
    top->addWidget(m_reason, 2);
    top->addWidget(m_waive);
    top->addSpacing(space(3));
    top->addWidget(m_search, 1);
    top->addWidget(m_show);
    layout->addLayout(top);
    layout->addWidget(m_list, 1);
    m_list->sortByColumn(0, Qt::AscendingOrder); // errors first
    connect(&bridge, &DocumentBridge::findingsChanged, this, &FindingsPanel::refresh);
    connect(m_show, &QComboBox::currentIndexChanged, this, [this] {
        m_list->sortByColumn(0, Qt::AscendingOrder);
        refresh();
        checkTier();
    });
    connect(m_search, &QLineEdit::textChanged, this, &FindingsPanel::refresh);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &FindingsPanel::onCurrent);
    connect(m_waive, &QPushButton::clicked, this, &FindingsPanel::waive);
    connect(m_reason, &QLineEdit::returnPressed, this, &FindingsPanel::waive);
    connect(m_reason, &QLineEdit::textChanged, this, &FindingsPanel::onCurrent);
    refresh();
}

QString FindingsPanel::summary() const { return m_summary->text(); }

int FindingsPanel::tier() const { return m_show->currentIndex() == kTier3 ? 3 : m_show->currentIndex() == kTier3 + 1 ? 4 : 0; }

void FindingsPanel::showTier(int tier)
{
    m_search->clear();
    m_show->setCurrentIndex(tier == 4 ? kTier3 + 1 : kTier3);
    m_list->setFocus(Qt::OtherFocusReason);
}

/// Takes every component and path out of service, on a worker; where a tier is chosen only.
void FindingsPanel::checkTier()
{
    const int wanted = tier();
    if (wanted == 0 || !m_bridge.figures()) return;
    m_following.work<Tier>(
        "tier",
        [figures = m_bridge.figures(), wanted](const Progress& progress) -> Tier {
            const auto proof = tiers::proveTier(*figures, powerBasisOf(*figures->snapshot), wanted, progress);
            if (!proof) return {wanted, {}, {}, text(proof.error().text())};
            return {wanted, tierRows(*proof, *figures), tiers::verdictText(*proof), {}};
        },
        [this](const Tier& done) {
            if (done.tier != tier()) return m_following.soon(); // another one was chosen meanwhile
            m_tier = done;
            refresh();
        });
}

void FindingsPanel::showTierRows()
{
    std::vector<CellRow> rows;
    const QStringList words = m_search->text().split(' ', Qt::SkipEmptyParts);
    if (m_tier && m_tier->tier == tier()) {
        for (const CellRow& row : m_tier->rows)
            if (std::ranges::all_of(words, [&](const QString& word) {
                    return std::ranges::any_of(row.cells, [&](const Cell& cell) { return cell.text.contains(word, Qt::CaseInsensitive); });
                }))
                rows.push_back(row);
        m_summary->setText(m_tier->problem.isEmpty() ? text(hw::words(m_tier->verdict)) : m_tier->problem);
    } else {
        m_summary->setText(tr("Checking …"));
    }
    m_list->cells()->setRows(std::move(rows));
    onCurrent();
}

void FindingsPanel::refresh()
{
    for (QWidget* part : {static_cast<QWidget*>(m_reason), static_cast<QWidget*>(m_waive)}) part->setVisible(tier() == 0);
    m_list->setColumnWidths(tier() == 0 ? std::vector{7, -1, 22, 26} : std::vector{14, -1, 14, 14}); // "Availability", "not evaluated"
    if (tier() != 0) return showTierRows();
    const CheckPtr& check = m_bridge.findings();
    std::vector<CellRow> rows;
    const QStringList words = m_search->text().split(' ', Qt::SkipEmptyParts);
    if (check) {
        for (const Finding& finding : check->findings) {
            const int mode = m_show->currentIndex();
            if ((mode == 0 && finding.waived) || (mode == 3 && !finding.waived) ||
                (mode == 2 && (finding.waived || finding.severity != Severity::Error)))
                continue;
            const QString about = finding.entities.empty() ? QString() : m_bridge.nameOf(finding.entities.front());
            if (sought(finding, about, words)) rows.push_back(rowOf(finding, about));
        }
        m_summary->setText(
            check->errors + check->warnings == 0
                ? tr("All rules pass.  %1 waived, %2").arg(check->waived).arg(text(i18np(std::int64_t(check->infos), "{:L} info", "{:L} info")))
                : QStringList{text(i18np(std::int64_t(check->errors), "{:L} error", "{:L} errors")),
                              text(i18np(std::int64_t(check->warnings), "{:L} warning", "{:L} warnings")), tr("%1 waived").arg(check->waived)}
                      .join(",  "));
    } else {
        m_summary->setText(tr("Checking …"));
    }
    m_list->cells()->setRows(std::move(rows));
    onCurrent();
}

void FindingsPanel::showRule(const QString& id)
{
    m_show->setCurrentIndex(1);
    m_search->setText(id);
    m_list->setFocus(Qt::OtherFocusReason);
}

const Finding* FindingsPanel::current() const
{
    const CellRow* row = m_list->currentRow();
    if (!row || !m_bridge.findings()) return nullptr;
    const auto found = std::ranges::find(m_bridge.findings()->findings, row->key.toStdString(), &Finding::id);
    return found == m_bridge.findings()->findings.end() ? nullptr : &*found;
}

void FindingsPanel::onCurrent()
{
    const Finding* finding = current();
    const bool waived = finding && finding->waived;
    m_waive->setText(waived ? tr("&Reopen") : tr("&Waive"));
    m_reason->setEnabled(finding && !waived);
    m_waive->setEnabled(waived || (finding && !m_reason->text().trimmed().isEmpty()));
}

void FindingsPanel::waive()
{
    const Finding* finding = current();
    if (!finding || !m_waive->isEnabled()) return;
    const std::string id = finding->id, reason = m_reason->text().trimmed().toStdString();
    if (finding->waived) {
        (void)m_bridge.edit(tr("Reopen finding %1").arg(text(finding->rule)), [&](Transaction& t) { return edit::unwaive(t, id); });
        return;
    }
    const std::string author = qEnvironmentVariable("USER", "user").toStdString();
    const std::string date = QDate::currentDate().toString(Qt::ISODate).toStdString();
    const auto done =
        m_bridge.edit(tr("Waive finding %1").arg(text(finding->rule)), [&](Transaction& t) { return edit::waive(t, id, reason, author, date); });
    if (done) m_reason->clear();
}

} // namespace hw::views
