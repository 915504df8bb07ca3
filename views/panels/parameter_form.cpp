// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/parameter_form.h"

#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QFormLayout>
#include <QFrame>
#include <QLabel>
#include <QSpinBox>

#include <algorithm>

namespace hw::views {
namespace {

/// A number, or one of several texts that stand for 0, 1, 2 …
QWidget* editorOf(const Parameter& p, std::int64_t value, const QObject* context, const std::function<void()>& changed)
{
    if (const QStringList choices = parameterChoices(p); !choices.isEmpty()) {
        auto* box = new QComboBox;
        box->addItems(choices);
        box->setCurrentIndex(int(std::clamp<std::int64_t>(value, 0, choices.size() - 1)));
        QObject::connect(box, &QComboBox::currentIndexChanged, context, changed);
        return box;
    }
    auto* box = new QSpinBox;
    box->setRange(int(p.minimum), int(p.maximum));
    box->setValue(int(value));
    if (!p.unit.empty()) {
        const auto suffix = [box, p](int n) { box->setSuffix(" " + text(resourceText(p.unitOf(n)))); };
        suffix(box->value());
        QObject::connect(box, &QSpinBox::valueChanged, box, suffix);
    }
    QObject::connect(box, &QSpinBox::valueChanged, context, changed);
    return box;
}

struct Preview {
    FiguresPtr figures;
    DesignCounts counts;
};

QString tableRow(const QString& label, std::int64_t now, std::optional<std::int64_t> before, const QString& value)
{
    QString change;
    if (before && *before != now)
        change = QString("<td align=right style='color:%1'>&nbsp;&nbsp;%2</td>")
                     .arg(theme().accent.name(), signedText(count(std::abs(now - *before)), now - *before));
    return QString("<tr><td style='color:%1'>%2&nbsp;&nbsp;&nbsp;</td><td align=right><b>%3</b></td>%4</tr>")
        .arg(theme().textDim.name(), label, value, change);
}

QString countsTable(const DesignCounts& now, const std::optional<DesignCounts>& before)
{
    QString html = "<table cellpadding=2>";
    const auto row = [&](const QString& label, std::int64_t DesignCounts::*field) {
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
    if (now.itLimit.count() > 0)
        html += tableRow(QObject::tr("Share of site limit"), 0, std::nullopt, percent(double(now.it.count()) / double(now.itLimit.count())));
    return html + "</table>";
}

} // namespace

QStringList parameterChoices(const Parameter& p)
{
    QStringList choices;
    for (const auto& choice : p.choices) choices << text(choice);
    return p.flag ? QStringList{QObject::tr("no"), QObject::tr("yes")} : choices;
}

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
        case TierKind::Power:
        case TierKind::Cooling:
        case TierKind::Other: break;
        }
    });
    c.links = s.links.size();
    c.cables = s.cables.size();
    c.racks = s.racks.size();
    c.buildings = s.buildings.size();
    s.buildings.forEach([&](BuildingId id) {
        if (s.buildings.kind[id] != BuildingKind::Pod) return;
        c.it += figures.power->building(id).at(powerBasisOf(s));
        c.itLimit += s.buildings.itLimit[id];
    });
    return c;
}

ParameterForm::ParameterForm(Jobs& jobs, std::shared_ptr<const Catalog> catalog, QWidget* parent)
    : QWidget(parent), m_jobs(jobs), m_slot(QString("parameter-preview-%1").arg(quintptr(this))), m_catalog(std::move(catalog)),
      m_form(new QFormLayout), m_preview(new QLabel), m_error(new QLabel)
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
        const auto given = values.find(p.name);
        QWidget* field = editorOf(p, given == values.end() ? p.defaultValue : given->second, this, [this] { m_timer.start(150); });
        field->setToolTip(text(resourceText(p.help)));
        field->setObjectName("parameter." + text(p.name));
        const QString label = p.label.empty() ? text(p.name) : text(resourceText(p.label));
        field->setAccessibleName(label);
        QStringList about;
        if (qobject_cast<QSpinBox*>(field)) about << tr("%1 to %2").arg(count(p.minimum), count(p.maximum));
        if (!p.help.empty()) about << text(resourceText(p.help));
        auto* help = new QLabel(about.join("  ·  "));
        help->setProperty("role", "dim");
        help->setWordWrap(true);
        help->setVisible(!about.isEmpty());
        auto* box = new QWidget;
        auto* line = new QVBoxLayout(box);
        line->setContentsMargins(0, 0, 0, 0);
        line->setSpacing(1);
        line->addWidget(field);
        line->addWidget(help);
        auto* name = new QLabel(label);
        name->setBuddy(field);
        m_form->addRow(name, box);
        m_fields[p.name] = field;
    }
    start();
}

ParameterValues ParameterForm::values() const
{
    ParameterValues result;
    for (const auto& [name, field] : m_fields) {
        const auto* number = qobject_cast<const QSpinBox*>(field);
        result[name] = number ? number->value() : qobject_cast<const QComboBox*>(field)->currentIndex();
    }
    return result;
}

QSpinBox* ParameterForm::field(const std::string& name) const
{
    const auto found = m_fields.find(name);
    return found == m_fields.end() ? nullptr : qobject_cast<QSpinBox*>(found->second);
}

void ParameterForm::start()
{
    m_counts.reset();
    m_preview->setEnabled(false);
    emit previewChanged();
    m_jobs.start<Result<Preview>>(
        m_slot, tr("Previewing parameters"),
        [design = *m_template, values = values(), catalog = m_catalog](const Progress& progress) -> Result<Preview> {
            auto full = design.complete(values);
            if (!full) return tl::unexpected(full.error());
            auto snapshot = instantiate(design, *full, *catalog, progress);
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
