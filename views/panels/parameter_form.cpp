// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/parameter_form.h"

#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QFormLayout>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

namespace hw::views {
namespace {

/// A number that stands for one of several texts.
class ChoiceBox : public QSpinBox {
public:
    explicit ChoiceBox(QStringList choices) : m_choices(std::move(choices))
    {
        lineEdit()->setReadOnly(true);
        setWrapping(true);
    }

protected:
    QString textFromValue(int value) const override { return m_choices.value(value); }
    int valueFromText(const QString& shown) const override { return std::max(0, int(m_choices.indexOf(shown))); }
    QValidator::State validate(QString& shown, int&) const override { return m_choices.contains(shown) ? QValidator::Acceptable : QValidator::Invalid; }

private:
    QStringList m_choices;
};

/// The texts of a parameter that is not a plain number.
QStringList choicesOf(const Parameter& p)
{
    QStringList choices;
    for (const auto& choice : p.choices) choices << text(choice);
    return p.flag ? QStringList{QObject::tr("no"), QObject::tr("yes")} : choices;
}

struct Preview { FiguresPtr figures; DesignCounts counts; };

QString tableRow(const QString& label, std::int64_t now, std::optional<std::int64_t> before, const QString& value)
{
    QString change;
    if (before && *before != now) change = QString("<td align=right style='color:%1'>&nbsp;&nbsp;%2</td>").arg(theme().accent.name(), signedText(count(std::abs(now - *before)), now - *before));
    return QString("<tr><td style='color:%1'>%2&nbsp;&nbsp;&nbsp;</td><td align=right><b>%3</b></td>%4</tr>").arg(theme().textDim.name(), label, value, change);
}

QString countsTable(const DesignCounts& now, const std::optional<DesignCounts>& before)
{
    QString html = "<table cellpadding=2>";
    const auto row = [&](const QString& label, std::int64_t DesignCounts::* field) {
        html += tableRow(label, now.*field, before ? std::optional((*before).*field) : std::nullopt, count(now.*field));
    };
    row(QObject::tr("GPUs"), &DesignCounts::accelerators);
    row(QObject::tr("Servers"), &DesignCounts::servers);
    row(QObject::tr("Switches"), &DesignCounts::switches);
    row(QObject::tr("Links"), &DesignCounts::links);
    row(QObject::tr("Cables"), &DesignCounts::cables);
    row(QObject::tr("Racks"), &DesignCounts::racks);
    row(QObject::tr("Buildings"), &DesignCounts::buildings);
    html += tableRow(QObject::tr("IT power"), 0, std::nullopt, power(now.it));
    if (now.itLimit.count() > 0) html += tableRow(QObject::tr("of the site limit"), 0, std::nullopt, percent(double(now.it.count()) / double(now.itLimit.count())));
    return html + "</table>";
}

} // namespace

DesignCounts countDesign(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    DesignCounts c;
    s.devices.forEach([&](DeviceId id) {
        switch (s.tiers.kind[s.devices.tier[id]]) {
        case TierKind::Server:
            ++c.servers;
            if (s.devices.role[id] == DeviceRole::Active) c.accelerators += figures.parts->device(s.devices.type[id]).accelerators;
            break;
        case TierKind::Switch: ++c.switches; break;
        case TierKind::Power: case TierKind::Cooling: case TierKind::Other: break;
        }
    });
    c.links = s.links.size();
    c.cables = s.cables.size();
    c.racks = s.racks.size();
    c.buildings = s.buildings.size();
    s.buildings.forEach([&](BuildingId id) {
        if (s.buildings.kind[id] != BuildingKind::Pod) return;
        c.it += figures.power->building(id).at(PowerBasis::Design);
        c.itLimit += s.buildings.itLimit[id];
    });
    return c;
}

ParameterForm::ParameterForm(Jobs& jobs, std::shared_ptr<const Catalogue> catalogue, QWidget* parent)
    : QWidget(parent), m_jobs(jobs), m_slot(QString("parameter preview %1").arg(quintptr(this))), m_catalogue(std::move(catalogue)), m_form(new QFormLayout), m_preview(new QLabel), m_error(new QLabel)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space(6));
    m_form->setVerticalSpacing(space(2));
    m_form->setHorizontalSpacing(space(4));
    layout->addLayout(m_form, 3);
    auto* card = new QFrame;
    card->setProperty("role", "card");
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(space(4), space(3), space(4), space(3));
    m_error->setProperty("role", "error");
    m_error->setWordWrap(true);
    column->addWidget(m_preview);
    column->addWidget(m_error);
    column->addStretch(1);
    card->setMinimumWidth(fontMetrics().averageCharWidth() * 48);
    layout->addWidget(card, 2);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ParameterForm::start);
}

ParameterForm::~ParameterForm() { m_jobs.cancelSlot(m_slot); }

void ParameterForm::setTemplate(const Template& design, const ParameterValues& values, std::optional<DesignCounts> before)
{
    m_template = design;
    m_before = before;
    while (m_form->rowCount() > 0) m_form->removeRow(0);
    m_fields.clear();
    for (const Parameter& p : design.parameters()) {
        const QStringList choices = choicesOf(p);
        auto* field = choices.isEmpty() ? new QSpinBox : new ChoiceBox(choices);
        field->setRange(int(p.minimum), int(p.maximum));
        const auto given = values.find(p.name);
        field->setValue(int(given == values.end() ? p.defaultValue : given->second));
        if (!p.unit.empty()) field->setSuffix(" " + text(p.unit));
        field->setToolTip(text(p.help));
        field->setObjectName("parameter." + text(p.name));
        field->setAccessibleName(text(p.label.empty() ? p.name : p.label));
        auto* help = new QLabel((choices.isEmpty() ? tr("%1 to %2").arg(count(p.minimum), count(p.maximum)) : choices.join(tr(" or "))) + (p.help.empty() ? QString() : "  ·  " + text(p.help)));
        help->setProperty("role", "faint");
        help->setWordWrap(true);
        auto* box = new QWidget;
        auto* line = new QVBoxLayout(box);
        line->setContentsMargins(0, 0, 0, 0);
        line->setSpacing(1);
        line->addWidget(field);
        line->addWidget(help);
        auto* name = new QLabel(text(p.label.empty() ? p.name : p.label));
        name->setBuddy(field);
        m_form->addRow(name, box);
        m_fields[p.name] = field;
        connect(field, &QSpinBox::valueChanged, this, [this] { m_timer.start(150); });
    }
    start();
}

ParameterValues ParameterForm::values() const
{
    ParameterValues result;
    for (const auto& [name, field] : m_fields) result[name] = field->value();
    return result;
}

QSpinBox* ParameterForm::field(const std::string& name) const
{
    const auto found = m_fields.find(name);
    return found == m_fields.end() ? nullptr : found->second;
}

void ParameterForm::start()
{
    m_counts.reset();
    m_preview->setEnabled(false);
    emit previewChanged();
    m_jobs.start<Result<Preview>>(
        m_slot, tr("Trying the parameters"),
        [design = *m_template, values = values(), catalogue = m_catalogue](const Progress& progress) -> Result<Preview> {
            auto full = design.complete(values);
            if (!full) return tl::unexpected(full.error());
            auto snapshot = instantiate(design, *full, *catalogue, progress);
            if (!snapshot) return tl::unexpected(snapshot.error());
            return computeFigures(*snapshot, progress).map([&](const FiguresPtr& figures) { return Preview{figures, countDesign(*figures)}; });
        },
        [this](Result<Preview> preview) {
            m_figures = preview ? preview->figures : nullptr;
            show(preview.map([](const Preview& p) { return p.counts; }));
        });
}

void ParameterForm::show(const Result<DesignCounts>& counts)
{
    m_preview->setEnabled(true);
    m_counts = counts ? std::optional(*counts) : std::nullopt;
    if (counts) m_preview->setText(countsTable(*counts, m_before));
    m_preview->setVisible(counts.has_value());
    m_error->setText(counts ? QString() : QString::fromStdString(counts.error().text()));
    emit previewChanged();
}

} // namespace hw::views
