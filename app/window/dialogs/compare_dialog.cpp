// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/compare_dialog.h"

#include "core/output/exchange/bom.h"
#include "core/output/report/report.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>

#include <nlohmann/json.hpp>

namespace hw::app {

using views::space;
using views::text;

namespace {

nlohmann::ordered_json reportOf(const Figures& figures) { return reportJson(makeReport(figures, makeBom(figures)), figures); }

QString shown(const sizing::ComparedValue& v, bool first)
{
    const auto& number = first ? v.numberA : v.numberB;
    const auto& written = first ? v.a : v.b;
    if (number) return text(sizing::comparedNumber(*number / v.shown().divisor));
    return written ? text(*written) : QString("–");
}

views::CellRow rowOf(const sizing::ComparedValue& v, const QString& name, const QString& mine, const QString& other)
{
    views::CellRow row;
    row.key = (v.label.empty() ? "value " : "headline ") + text(v.key);
    row.bold = !v.label.empty();
    row.dim = v.same() && v.label.empty();
    row.toolTip = name;
    const auto difference = v.difference(), ratio = v.ratio();
    const int winner = v.winner();
    const auto sortable = [](const std::optional<double>& n) { return n ? QVariant(*n) : QVariant(); };
    const QString change = !difference        ? QString()
                           : *difference == 0 ? QObject::tr("same")
                                              : (*difference > 0 ? "+" : "") + text(sizing::comparedNumber(*difference / v.shown().divisor));
    row.cells = {{name},
                 {shown(v, true), sortable(v.numberA), {}, winner < 0 ? views::theme().ok : QColor(), -1, v.numberA.has_value()},
                 {shown(v, false), sortable(v.numberB), {}, winner > 0 ? views::theme().ok : QColor(), -1, v.numberB.has_value()},
                 {text(v.shown().unit)},
                 {change, sortable(difference), {}, {}, -1, true},
                 {ratio ? QString::number(*ratio, 'g', 4) + "x" : QString(), sortable(ratio), {}, {}, -1, true},
                 {winner < 0   ? mine
                  : winner > 0 ? other
                               : QString()}};
    return row;
}

} // namespace

CompareDialog::CompareDialog(Session& session, QWidget* parent)
    : QDialog(parent), m_session(session), m_other(new QComboBox), m_onlyDifferences(new QCheckBox(tr("Only &differences"))), m_filter(new QLineEdit),
      m_list(new views::ListView(session.bridge(),
                                 {tr("Value"), tr("This design"), tr("Other design"), tr("Unit"), tr("Difference"), tr("Ratio"), tr("Better")},
                                 tr("Comparison"))),
      m_headline(new QLabel)
{
    setWindowTitle(tr("Compare designs"));
    auto* layout = new QVBoxLayout(this);
    auto* row = new QHBoxLayout;
    m_other->setObjectName("compareOther");
    m_other->addItem(tr("Select the other design …"));
    m_other->addItem(tr("Project file …"), "file");
    for (const Template& t : session.library().templates)
        m_other->addItem(t.title().empty() ? text(t.name()) : text(resourceText(t.title())), "template " + text(t.name()));
    m_onlyDifferences->setChecked(true);
    m_filter->setPlaceholderText(tr("Filter, for example power or networks[backend]"));
    row->addWidget(m_other);
    row->addWidget(m_onlyDifferences);
    row->addWidget(m_filter, 1);
    layout->addLayout(row);
    m_headline->setProperty("role", "dim");
    m_headline->setText(tr("Select a project or template to see the differences and which design is better."));
    layout->addWidget(m_headline);
    m_list->setObjectName("compareList");
    m_list->setColumnWidths({-1, 14, 14, 7, 13, 9, 10});
    layout->addWidget(m_list, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_onlyDifferences, &QCheckBox::toggled, this, &CompareDialog::fill);
    connect(m_filter, &QLineEdit::textChanged, this, &CompareDialog::fill);
    connect(m_other, &QComboBox::activated, this, [this] {
        const QString data = m_other->currentData().toString();
        if (data.startsWith("template ")) return compareWithTemplate(data.mid(9));
        if (data != "file") return;
        const QString path = QFileDialog::getOpenFileName(this, tr("Other design"), {}, tr("Projects (*.hall)"));
        if (!path.isEmpty()) compareWithFile(path);
    });
    const QSize wanted(fontMetrics().averageCharWidth() * 150, fontMetrics().height() * 44);
    resize(screen() ? wanted.boundedTo(screen()->availableSize() - QSize(space(10), space(14))) : wanted);
}

CompareDialog::~CompareDialog() { m_session.bridge().jobs().cancelSlot("compare"); }

void CompareDialog::compareWithFile(const QString& path)
{
    compareWith(QFileInfo(path).fileName(), [file = path.toStdString()](const Progress& progress) -> Result<FiguresPtr> {
        auto read = readProject(file, progress);
        if (!read) return tl::unexpected(read.error());
        return computeFigures(read->snapshot, progress);
    });
}

void CompareDialog::compareWithTemplate(const QString& name)
{
    const Template* design = m_session.library().find(name.toStdString());
    if (!design) return;
    compareWith(text(resourceText(design->title())),
                [design = *design, catalog = m_session.library().catalog](const Progress& progress) -> Result<FiguresPtr> {
                    const auto values = design.complete(ParameterValues{});
                    if (!values) return tl::unexpected(values.error());
                    auto snapshot = instantiate(design, *values, *catalog, progress);
                    if (!snapshot) return tl::unexpected(snapshot.error());
                    return computeFigures(*snapshot, progress);
                });
}

void CompareDialog::compareWith(const QString& name, Loader other)
{
    const auto figures = m_session.bridge().figures();
    if (!figures) return;
    m_headline->setText(tr("Comparing …"));
    m_session.bridge().jobs().start<Result<sizing::Comparison>>(
        "compare", tr("Comparing"),
        [figures, other = std::move(other), mine = m_session.title().toStdString(),
         theirs = name.toStdString()](const Progress& progress) -> Result<sizing::Comparison> {
            const auto second = other(progress);
            if (!second) return tl::unexpected(second.error());
            return sizing::compareReports(reportOf(*figures), reportOf(**second), mine, theirs);
        },
        [this](Result<sizing::Comparison> found) {
            if (!found) return m_headline->setText(text(found.error().text()));
            m_comparison = std::move(*found);
            fill();
        });
}

/// Ten headline rows, then every value of both reports.
void CompareDialog::fill()
{
    if (!m_comparison) return;
    std::vector<views::CellRow> rows;
    if (m_filter->text().isEmpty())
        for (const auto& v : m_comparison->headline) rows.push_back(rowOf(v, text(v.label), tr("this design"), tr("other design")));
    for (const auto& v : m_comparison->values) {
        if (m_onlyDifferences->isChecked() && v.same()) continue;
        if (!m_filter->text().isEmpty() && !text(v.key).contains(m_filter->text(), Qt::CaseInsensitive)) continue;
        rows.push_back(rowOf(v, text(v.key), tr("this design"), tr("other design")));
    }
    m_headline->setText(tr("%1 vs %2: %3 of %4 values differ")
                            .arg(text(m_comparison->nameA), text(m_comparison->nameB))
                            .arg(m_comparison->differences())
                            .arg(m_comparison->values.size()));
    m_list->cells()->setRows(std::move(rows));
}

} // namespace hw::app
