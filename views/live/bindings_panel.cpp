// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/bindings_panel.h"

#include "core/design/edit/edits_binding.h"
#include "core/operations/bindings/preview.h"
#include "views/live/binding_words.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace hw::views {

namespace {

using Reason = bindings::Bound::Reason;
constexpr std::size_t kMostBindings = 5000;
constexpr int kNotBound = -1, kAll = -2;

bool shows(int filter, Reason reason)
{
    if (filter == kAll) return true;
    return filter == kNotBound ? reason != Reason::Bound && reason != Reason::SetAside : int(reason) == filter;
}

} // namespace

BindingsPanel::BindingsPanel(DocumentBridge& bridge, LiveSession& session, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_session(session),
      m_list(new ListView(bridge, {tr("State"), tr("Channel"), tr("Object"), tr("Measure"), tr("Unit")}, tr("Channels"))), m_summary(new QLabel),
      m_target(new QLabel), m_show(new QComboBox), m_measure(new QComboBox), m_filter(new QLineEdit), m_element(new QLineEdit), m_unit(new QLineEdit),
      m_bind(new QPushButton(tr("&Bind"))), m_aside(new QPushButton(tr("&Ignore"))), m_release(new QPushButton(tr("Bind by &rules"))),
      m_rules(new QPushButton(tr("Rul&es …")))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space(1), 0, space(1));
    layout->setSpacing(space(1));
    auto* top = new QHBoxLayout;
    top->setContentsMargins(space(3), 0, space(3), 0);
    top->addWidget(m_summary, 1);
    m_filter->setPlaceholderText(tr("Filter by channel name"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setObjectName("bindingsFilter");
    top->addWidget(m_filter, 1);
    for (const auto& [title, filter] : {std::pair(tr("Unbound"), kNotBound),
                                        {tr("All"), kAll},
                                        {tr("Bound"), int(Reason::Bound)},
                                        {tr("Ambiguous"), int(Reason::Ambiguous)},
                                        {tr("Unit mismatch"), int(Reason::UnitConflict)},
                                        {tr("Ignored"), int(Reason::SetAside)}})
        m_show->addItem(title, filter);
    m_show->setAccessibleName(tr("Channels to show"));
    m_show->setObjectName("bindingsShow");
    top->addWidget(m_show);
    top->addWidget(m_rules);
    m_summary->setWordWrap(true); // the panel is to fit into a narrow window
    layout->addLayout(top);
    layout->addWidget(m_list, 1);
    m_list->setObjectName("bindings");
    m_list->setColumnWidths({12, -1, 30, 18, 8});
    m_list->setSpareColumns({4, 3});
    auto* form = new QHBoxLayout;
    form->setContentsMargins(space(3), 0, space(3), 0);
    m_target->setProperty("role", "dim");
    m_target->setWordWrap(true);
    for (int i = 0; i <= int(bindings::Measure::Retransmits); ++i) m_measure->addItem(text(bindings::infoOf(bindings::Measure(i)).title), i);
    m_measure->setAccessibleName(tr("Measure"));
    m_element->setPlaceholderText(tr("element, for example gpu3"));
    m_element->setAccessibleName(tr("Element"));
    m_unit->setPlaceholderText(tr("unit"));
    m_unit->setAccessibleName(tr("Default unit (channels without one)"));
    m_unit->setMaximumWidth(fontMetrics().averageCharWidth() * 10);
    m_bind->setObjectName("bindingsBind");
    m_aside->setObjectName("bindingsAside");
    m_release->setObjectName("bindingsRelease");
    m_rules->setObjectName("bindingsRules");
    m_rules->setToolTip(tr("Edit the binding rules and preview the effect"));
    form->addWidget(m_target, 1);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_measure, m_element, m_unit, m_bind, m_aside, m_release}) form->addWidget(widget);
    layout->addLayout(form);
    m_timer.setSingleShot(true);
    m_timer.setInterval(200);
    connect(&m_timer, &QTimer::timeout, this, &BindingsPanel::refresh);
    const auto again = [this] { m_timer.start(); };
    connect(&session, &LiveSession::boundChanged, this, again);
    connect(&session, &LiveSession::stateChanged, this, again);
    connect(&session, &LiveSession::statusChanged, this, [this, again] { // counted once a second, after bindings were made
        if (isVisible() && m_session.counts().bound != m_bound) again();
    });
    connect(m_filter, &QLineEdit::textChanged, this, again);
    connect(m_show, &QComboBox::activated, this, again);
    connect(&bridge, &DocumentBridge::selectionChanged, this, &BindingsPanel::onCurrent);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &BindingsPanel::onCurrent);
    connect(m_bind, &QPushButton::clicked, this, &BindingsPanel::bind);
    connect(m_aside, &QPushButton::clicked, this, &BindingsPanel::setAside);
    connect(m_release, &QPushButton::clicked, this, &BindingsPanel::release);
    connect(m_rules, &QPushButton::clicked, this, [this] {
        const CellRow* row = m_list->currentRow();
        emit rulesRequested(row ? row->key : QString(), row ? row->cells[4].text : QString());
    });
    onCurrent();
}

QString BindingsPanel::summary() const { return m_summary->text(); }

void BindingsPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_timer.start();
}

void BindingsPanel::refresh()
{
    const auto& frame = m_session.newest();
    const auto& counts = m_session.counts();
    m_bound = counts.bound;
    m_summary->setText(m_session.on() ? tr("%1 bound, %2 unbound, %3 ambiguous, %4 with unit mismatch")
                                            .arg(count(std::int64_t(counts.bound)), count(std::int64_t(counts.unbound)),
                                                 count(std::int64_t(counts.ambiguous)), count(std::int64_t(counts.conflicting)))
                                      : tr("Not connected."));
    if (!frame || !frame->bound || !m_bridge.figures()) return m_list->cells()->setRows({});
    if (!isVisible()) return;
    m_bridge.jobs().start<Listed>(
        "live.bindings", {},
        [channels = m_session.channelsLater(), bound = frame->bound, figures = m_bridge.figures(), filter = m_show->currentData().toInt(),
         part = m_filter->text().toStdString(), warning = theme().warning](const Progress&) {
            Listed out;
            const auto texts = channels();
            if (texts.size() < bound->channels.size()) return out; // of another moment
            for (const bindings::ChannelNo i : bindings::previewOrder(*bound, texts)) {
                const auto& channel = bound->channels[i];
                if (!shows(filter, channel.reason) || (!part.empty() && texts[i].name.find(part) == std::string::npos)) continue;
                if (++out.matching > kMostBindings) continue;
                const bool has = channel.reason == Reason::Bound && channel.point < bound->points.size();
                CellRow row;
                row.key = text(texts[i].name);
                row.entity = has ? bound->points[channel.point].entity : EntityRef{};
                QString to = text(bound->why(i));
                if (has) to = text(entityName(*figures->snapshot, *figures->parts, row.entity));
                row.cells = {bindingCell(channel.reason, warning),
                             {text(texts[i].name)},
                             {to},
                             {has ? pointText(bound->points[channel.point]) : QString()},
                             {text(texts[i].unit)}};
                row.toolTip = to;
                out.rows.push_back(std::move(row));
            }
            return out;
        },
        [this](Listed listed) {
            const auto more = listed.matching - listed.rows.size();
            m_list->cells()->setRows(std::move(listed.rows));
            if (more > 0) m_summary->setText(m_summary->text() + tr("; %1 more lines").arg(count(std::int64_t(more))));
            onCurrent();
        });
}

std::string BindingsPanel::channel() const
{
    const CellRow* row = m_list->currentRow();
    return row ? row->key.toStdString() : std::string();
}

void BindingsPanel::onCurrent()
{
    const bool any = !channel().empty();
    const EntityRef to = m_bridge.figures() ? m_bridge.selected() : EntityRef{};
    m_target->setText(!any  ? tr("Select a channel, then the object it measures.")
                      : !to ? tr("Select the object it measures.")
                            : tr("to %1:").arg(m_bridge.nameOf(to)));
    m_bind->setEnabled(any && to);
    m_aside->setEnabled(any);
    m_release->setEnabled(any);
}

void BindingsPanel::bind()
{
    const std::string name = channel();
    const EntityRef to = m_bridge.selected();
    const auto measure = bindings::Measure(m_measure->currentData().toInt());
    (void)m_bridge.edit(tr("Bind a channel to %1").arg(m_bridge.nameOf(to)), [&](Transaction& t) {
        return edit::bindChannel(t, name, to, std::string(wordOf(measure)), m_element->text().trimmed().toStdString(),
                                 m_unit->text().trimmed().toStdString());
    });
}

void BindingsPanel::setAside()
{
    const std::string name = channel();
    (void)m_bridge.edit(tr("Ignore a channel"), [&](Transaction& t) { return edit::setChannelAside(t, name); });
}

void BindingsPanel::release()
{
    const std::string name = channel();
    (void)m_bridge.edit(tr("Bind a channel by rules"), [&](Transaction& t) { return edit::releaseChannel(t, name); });
}

} // namespace hw::views
