// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/binding_rules_dialog.h"

#include "core/design/edit/edits_binding.h"
#include "core/design/edit/edits_create.h"
#include "core/design/edit/lookup.h"
#include "core/operations/bindings/binder.h"
#include "core/output/exchange/formats.h"
#include "views/live/binding_words.h"
#include "views/panels/list_view.h"
#include "views/style/fit.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>

#include <algorithm>

namespace hw::views {

namespace {

constexpr std::size_t kMostTried = 2000;

std::vector<BindingRuleId> listedRules(const Snapshot& s)
{
    auto ids = s.bindingRules.ids();
    std::ranges::stable_sort(ids, {}, [&](BindingRuleId id) { return s.bindingRules.number[id]; });
    return ids;
}

/// The design as it would be with the rule.
Result<FiguresPtr> designWith(const SnapshotPtr& snapshot, std::optional<BindingRuleId> rule, const bindings::RuleText& text)
{
    Document document(snapshot);
    auto transaction = document.begin({});
    if (const auto put = edit::putBindingRule(transaction, rule, text); !put) return tl::unexpected(put.error());
    return figuresOf(transaction.preview());
}

QString countsText(const bindings::Bound& before, const bindings::Bound& after)
{
    const auto one = [](const QString& what, std::size_t a, std::size_t b) {
        return a == b ? QString("%1 %2").arg(count(std::int64_t(b)), what)
                      : QString("<b>%1 → %2</b> %3").arg(count(std::int64_t(a)), count(std::int64_t(b)), what);
    };
    return QStringList{one(QObject::tr("bound"), before.bound, after.bound), one(QObject::tr("unbound"), before.unbound, after.unbound),
                       one(QObject::tr("ambiguous"), before.ambiguous, after.ambiguous),
                       one(QObject::tr("unit mismatch"), before.conflicting, after.conflicting),
                       one(QObject::tr("ignored"), before.setAside, after.setAside)}
        .join(", ");
}

} // namespace

BindingRulesDialog::BindingRulesDialog(DocumentBridge& bridge, LiveSession& session, QWidget* parent)
    : QDialog(parent), m_bridge(bridge), m_session(session), m_rules(new QListWidget), m_measure(new QComboBox), m_summary(new QLabel),
      m_problem(new QLabel),
      m_list(new ListView(bridge, {tr("Current"), tr("Channel"), tr("New"), tr("Object"), tr("Measure")}, tr("Planned changes"))),
      m_apply(new QPushButton), m_remove(new QPushButton(tr("&Remove")))
{
    setWindowTitle(tr("Binding rules"));
    setObjectName("bindingRules");
    build();
    m_timer.setSingleShot(true);
    m_timer.setInterval(250);
    const auto again = [this] { m_timer.start(); };
    connect(&m_timer, &QTimer::timeout, this, &BindingRulesDialog::tryOut);
    connect(&session, &LiveSession::boundChanged, this, again);
    connect(&bridge, &DocumentBridge::documentChanged, this, &BindingRulesDialog::fillRules);
    connect(m_rules, &QListWidget::currentRowChanged, this, &BindingRulesDialog::onRule);
    connect(m_measure, &QComboBox::currentTextChanged, this, again);
    connect(m_apply, &QPushButton::clicked, this, &BindingRulesDialog::apply);
    connect(m_remove, &QPushButton::clicked, this, &BindingRulesDialog::remove);
    connect(this, &QDialog::finished, this, [this] { m_bridge.jobs().cancelSlot("live.rules"); });
    fillRules();
    fitToScreen(*this, {fontMetrics().averageCharWidth() * 170, fontMetrics().height() * 34});
}

void BindingRulesDialog::build()
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space(4), space(4), space(4), space(4));
    column->setSpacing(space(2));
    auto* both = new QSplitter(Qt::Horizontal);
    both->setChildrenCollapsible(false);
    m_rules->setObjectName("rules");
    m_rules->setAccessibleName(tr("Project rules"));
    m_rules->setMinimumWidth(fontMetrics().averageCharWidth() * 24);
    both->addWidget(m_rules);
    both->addWidget(makeForm());
    both->setStretchFactor(1, 1);
    column->addWidget(both);
    m_summary->setWordWrap(true);
    m_summary->setObjectName("ruleSummary");
    column->addWidget(m_summary);
    m_list->setObjectName("ruleChanges");
    m_list->setColumnWidths({12, -1, 12, 34, 22});
    column->addWidget(m_list, 1);
    auto* buttons = new QDialogButtonBox;
    auto* read = buttons->addButton(tr("Read c&hannels from file …"), QDialogButtonBox::ActionRole);
    connect(read, &QPushButton::clicked, this, [this] {
        const QString file = QFileDialog::getOpenFileName(
            this, tr("Channel list file"), {}, tr("Metadata, recordings, metrics, lists of names (*.json *.jsonl *.prom *.txt);;All files (*)"));
        if (!file.isEmpty()) readChannels(file);
    });
    connect(buttons->addButton(QDialogButtonBox::Close), &QPushButton::clicked, this, &QDialog::reject);
    column->addWidget(buttons);
}

QWidget* BindingRulesDialog::makeForm()
{
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(space(2), 0, 0, 0);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    struct Said {
        const char* column;
        QString title, example;
    };
    const std::vector<Said> said{{"name", tr("Name"), {}},
                                 {"channel", tr("Channel"), tr("plc/{rack}/kw   (* matches any text, {name} matches text without a slash)")},
                                 {"labels", tr("Labels"), tr("Hostname={host}, gpu={gpu}")},
                                 {"entity", tr("Object"), tr("{rack}   (a name, an object ID, a serial number; - ignores the channels)")},
                                 {"element", tr("Element"), tr("gpu{gpu}")},
                                 {"measure", tr("Measure"), {}},
                                 {"unit", tr("Unit"), tr("Default unit (channels without one)")}};
    for (const auto& [key, title, example] : said) {
        if (std::string_view(key) == "measure") {
            m_measure->setEditable(true);
            m_measure->setObjectName("rule.measure");
            m_measure->addItem({});
            for (const std::string_view word : kWords<bindings::Measure>) m_measure->addItem(text(std::string(word)));
            form->addRow(title, m_measure);
            continue;
        }
        auto* field = new QLineEdit;
        field->setObjectName(QString("rule.%1").arg(key));
        field->setPlaceholderText(example);
        connect(field, &QLineEdit::textChanged, &m_timer, qOverload<>(&QTimer::start));
        form->addRow(title, field);
        m_fields[key] = field;
    }
    column->addLayout(form);
    auto* row = new QHBoxLayout;
    m_problem->setWordWrap(true);
    m_problem->setObjectName("ruleProblem");
    row->addWidget(m_problem, 1);
    m_apply->setObjectName("ruleApply"), m_remove->setObjectName("ruleRemove");
    m_apply->setDefault(true);
    row->addWidget(m_remove);
    row->addWidget(m_apply);
    column->addLayout(row);
    column->addStretch(1);
    return box;
}

QString BindingRulesDialog::summary() const { return m_summary->text(); }

/// The rules of the project, and a line for a new one; what is chosen stays.
void BindingRulesDialog::fillRules()
{
    const auto before = chosen();
    const bool wasRule = m_rules->currentItem() && m_rules->currentItem()->data(Qt::UserRole).isValid();
    const Snapshot& s = *m_bridge.snapshot();
    m_filling = true;
    m_rules->clear();
    int row = -1;
    for (const BindingRuleId id : listedRules(s)) {
        auto* item = new QListWidgetItem(text(s.bindingRules.name[id]), m_rules);
        item->setData(Qt::UserRole, id.value);
        if (before == id) row = m_rules->count() - 1;
    }
    new QListWidgetItem(tr("+ new rule"), m_rules);
    m_rules->setCurrentRow(row >= 0 ? row : before ? 0 : m_rules->count() - 1);
    m_filling = false;
    const auto now = chosen();
    const bool kept =
        now == before && wasRule == now.has_value() && (now ? bindings::ruleText(s.bindingRules, *now) == m_loaded : !m_loaded.name.empty());
    if (!kept) return onRule();
    m_timer.start(); // the rest of the project has changed
}

std::optional<BindingRuleId> BindingRulesDialog::chosen() const
{
    const auto* item = m_rules->currentItem();
    if (!item || !item->data(Qt::UserRole).isValid()) return std::nullopt;
    const BindingRuleId id{item->data(Qt::UserRole).toUInt()};
    return living(*m_bridge.snapshot(), ref(id)) ? std::optional(id) : std::nullopt;
}

std::string BindingRulesDialog::freeName() const
{
    const auto& rules = m_bridge.snapshot()->bindingRules;
    for (int n = int(rules.size()) + 1;; ++n) {
        const std::string name = "rule-" + std::to_string(n);
        const auto ids = rules.ids();
        if (std::ranges::none_of(ids, [&](BindingRuleId id) { return rules.name[id] == name; })) return name;
    }
}

void BindingRulesDialog::onRule()
{
    if (m_filling) return;
    const auto id = chosen();
    m_apply->setText(id ? tr("&Change rule") : tr("&Add rule"));
    m_remove->setEnabled(id.has_value());
    bindings::RuleText fresh;
    fresh.name = freeName();
    m_loaded = id ? bindings::ruleText(m_bridge.snapshot()->bindingRules, *id) : fresh;
    begin(m_loaded);
}

void BindingRulesDialog::begin(const bindings::RuleText& rule)
{
    for (const auto& [column, value] : edit::columnsOf(rule))
        if (column == "measure")
            m_measure->setCurrentText(text(value));
        else
            m_fields[column]->setText(text(value));
    m_timer.start();
}

void BindingRulesDialog::beginFor(const std::string& channel, const std::string& unit)
{
    m_rules->setCurrentRow(m_rules->count() - 1);
    bindings::RuleText rule;
    rule.name = freeName(), rule.unit = unit;
    rule.channel = channel.substr(0, channel.find('{')); // of a metric what stands before its labels
    begin(rule);
    m_fields["channel"]->setFocus();
}

bindings::RuleText BindingRulesDialog::written() const
{
    const auto field = [&](const char* column) { return m_fields.at(column)->text().trimmed().toStdString(); };
    return {field("name"), field("channel"), field("labels"), field("entity"), field("element"), m_measure->currentText().trimmed().toStdString(),
            field("unit")};
}

void BindingRulesDialog::readChannels(const QString& file)
{
    const auto source = exchange::readSource(file.toStdString());
    if (!source) return m_bridge.report(source.error());
    std::vector<Error> left;
    auto channels = bindings::channelsOf(source->content, file.toStdString(), left);
    if (!channels) return m_bridge.report(channels.error());
    if (!left.empty())
        m_bridge.report({ErrorCode::Unreadable, left.front().where,
                         i18np(left.size(), "{:L} channel skipped: {}", "{:L} channels skipped, the first: {}", left.front().what),
                         left.front().todo});
    m_read = std::make_shared<const std::vector<bindings::ChannelText>>(std::move(*channels));
    m_timer.start();
}

/// Binds all channels with the rules as they are and as they would be, on a worker.
void BindingRulesDialog::tryOut()
{
    if (!m_bridge.figures()) return;
    m_bridge.jobs().start<Tried>(
        "live.rules", {},
        [figures = m_bridge.figures(), snapshot = m_bridge.snapshot(), later = m_session.channelsLater(), read = m_read, rule = chosen(),
         text = written(), warning = theme().warning](const Progress&) {
            Tried out;
            const auto channels = read ? *read : later();
            out.before = bindings::bind(figures, channels);
            const auto design = designWith(snapshot, rule, text);
            if (!design) return out.problem = verbatim(design.error().text()), out.after = out.before, out;
            out.after = bindings::bind(*design, channels);
            for (const bindings::ChannelNo number : bindings::changedChannels(*out.before, *out.after, channels))
                if (++out.changed <= kMostTried) {
                    const auto now = bindings::previewRow(*figures, *out.before, channels, number),
                               then = bindings::previewRow(**design, *out.after, channels, number);
                    CellRow row;
                    row.key = views::text(then.channel);
                    row.cells = {bindingCell(now.state, {}),
                                 {views::text(then.channel)},
                                 bindingCell(then.state, warning),
                                 {then.entity.empty() ? views::text(then.why) : views::text(then.entity)},
                                 {views::text(then.measure + (then.element.empty() ? "" : " " + then.element))}};
                    row.toolTip = row.cells[3].text;
                    out.rows.push_back(std::move(row));
                }
            return out;
        },
        [dialog = QPointer(this)](Tried tried) {
            if (dialog) dialog->showTried(std::move(tried));
        });
}

void BindingRulesDialog::showTried(Tried tried)
{
    const auto id = chosen();
    const bool untouched = id && written() == bindings::ruleText(m_bridge.snapshot()->bindingRules, *id);
    const bool begun = id || !m_fields["channel"]->text().trimmed().isEmpty();
    m_problem->setText(begun ? text(tried.problem) : QString());
    m_apply->setEnabled(tried.problem.empty() && !untouched);
    if (tried.after->channels.empty())
        m_summary->setText(tr("No channels to test the rule on: connect to the hall, or read channels from a file."));
    else if (tried.changed == 0)
        m_summary->setText(countsText(*tried.before, *tried.after) + ". " +
                           (tried.problem.empty() ? tr("No channel binding would change.") : QString()));
    else
        m_summary->setText(countsText(*tried.before, *tried.after) + ". " +
                           text(i18np(std::int64_t(tried.changed), "{:L} channel binding would change:", "{:L} channel bindings would change:")));
    m_list->cells()->setRows(std::move(tried.rows));
}

void BindingRulesDialog::apply()
{
    const auto id = chosen();
    const auto rule = written();
    BindingRuleId made{};
    const auto done =
        m_bridge.edit((id ? tr("Change binding rule %1") : tr("Add binding rule %1")).arg(text(rule.name)), [&](Transaction& t) -> Result<void> {
            const auto put = edit::putBindingRule(t, id, rule);
            if (!put) return tl::unexpected(put.error());
            made = *put;
            return {};
        });
    if (!done) return;
    for (int row = 0; row < m_rules->count(); ++row)
        if (const QVariant value = m_rules->item(row)->data(Qt::UserRole); value.isValid() && value.toUInt() == made.value)
            m_rules->setCurrentRow(row);
}

void BindingRulesDialog::remove()
{
    const auto id = chosen();
    if (!id) return;
    (void)m_bridge.edit(tr("Remove binding rule %1").arg(text(m_bridge.snapshot()->bindingRules.name[*id])), [&](Transaction& t) -> Result<void> {
        edit::Lookup lookup(t.preview());
        const std::vector<EntityRef> gone{ref(*id)};
        const auto removed = edit::remove(t, lookup, gone);
        return removed ? Result<void>() : tl::unexpected(removed.error());
    });
}

} // namespace hw::views
