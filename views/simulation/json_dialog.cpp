// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/json_dialog.h"

#include "core/foundation/files/atomic_file.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>

namespace hw::views {

JsonDialog::JsonDialog(const QString& given, QWidget* parent)
    : QDialog(parent), m_edit(new QPlainTextEdit(given)), m_problem(new QLabel),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel))
{
    setWindowTitle(tr("Scenario as JSON"));
    resize(fontMetrics().averageCharWidth() * 100, fontMetrics().height() * 36);
    m_edit->setFont(monoFont());
    m_edit->setObjectName("scenarioJson");
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* open = m_buttons->addButton(tr("&Open…"), QDialogButtonBox::ActionRole);
    auto* save = m_buttons->addButton(tr("&Save as…"), QDialogButtonBox::ActionRole);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_edit, 1);
    column->addWidget(m_problem);
    column->addWidget(m_buttons);
    connect(m_edit, &QPlainTextEdit::textChanged, this, &JsonDialog::check);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(open, &QPushButton::clicked, this, &JsonDialog::openFile);
    connect(save, &QPushButton::clicked, this, &JsonDialog::saveFile);
    check();
}

void JsonDialog::check()
{
    auto request = sim::parseScenarioRequest(m_edit->toPlainText().toStdString(), tr("line").toStdString());
    m_request.reset();
    if (request) m_request = std::move(*request);
    m_problem->setText(request ? tr("Valid: %1").arg(text(m_request->kind->summary))
                               : QString("<span style='color:%1'>%2</span>").arg(theme().error.name(), text(request.error().text()).toHtmlEscaped()));
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(m_request.has_value());
}

void JsonDialog::openFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open scenario"), {}, tr("Scenarios (*.json)"));
    QFile file(path);
    if (!path.isEmpty() && file.open(QIODevice::ReadOnly)) m_edit->setPlainText(QString::fromUtf8(file.readAll()));
}

void JsonDialog::saveFile()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Save scenario"), {}, tr("Scenarios (*.json)"));
    if (path.isEmpty()) return;
    if (const auto written = writeFile(path.toStdString(), m_edit->toPlainText().toStdString()); !written)
        m_problem->setText(text(written.error().text()));
}

} // namespace hw::views
