// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/slurm_dialog.h"

#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSpinBox>
#include <QStandardPaths>

#include <algorithm>

namespace hw::views {

namespace {

constexpr int kUsualTasks = 16, kMostTasks = 1000;

/// "15,000 GPUs" as "15-000-GPUs".
QString folderName(QString name)
{
    name.replace(QRegularExpression("[^A-Za-z0-9._]+"), "-");
    return (name.isEmpty() ? QString("sweep") : name.left(80)) + ".slurm";
}

} // namespace

SlurmDialog::SlurmDialog(const QString& name, std::size_t points, QWidget* parent)
    : QDialog(parent), m_name(name), m_partition(new QLineEdit), m_time(new QLineEdit), m_memory(new QLineEdit), m_folder(new QLineEdit),
      m_program(new QLineEdit), m_tasks(new QSpinBox), m_problem(new QLabel),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel))
{
    setWindowTitle(tr("Run on Slurm"));
    const QSettings settings;
    const auto kept = [&](const char* key, const QString& fallback = {}) { return settings.value(QString("slurm/") + key, fallback).toString(); };
    auto* column = new QVBoxLayout(this);
    auto* head = new QLabel(text(i18np(std::int64_t(points), "{:L} point as a Slurm job array. The result is the same as on local cores.",
                                       "{:L} points as a Slurm job array. The result is the same as on local cores.")));
    head->setWordWrap(true);
    column->addWidget(head);
    auto* form = new QFormLayout;
    const auto field = [&](QLineEdit* edit, const char* object, const QString& title, const QString& value, const QString& placeholder) {
        edit->setObjectName(object);
        edit->setText(value);
        edit->setPlaceholderText(placeholder);
        edit->setMinimumWidth(fontMetrics().averageCharWidth() * 48);
        form->addRow(title, edit);
        connect(edit, &QLineEdit::textChanged, this, &SlurmDialog::check);
    };
    field(m_partition, "slurmPartition", tr("&Partition"), kept("partition"), tr("default partition of the cluster"));
    m_tasks->setObjectName("slurmTasks");
    m_tasks->setRange(1, kMostTasks);
    m_tasks->setValue(settings.value("slurm/tasks", kUsualTasks).toInt());
    form->addRow(tr("T&asks"), m_tasks);
    field(m_time, "slurmTime", tr("&Time limit per task"), kept("time"), "[HH:]MM:SS");        // no text
    field(m_memory, "slurmMemory", tr("&Memory limit per task"), kept("memory"), "SIZE[M|G]"); // no text
    field(m_folder, "slurmFolder", tr("Shared &folder"), kept("folder"), tr("on a file system that all nodes share"));
    auto* choose = new QPushButton(tr("&Choose …"));
    form->addRow({}, choose);
    field(m_program, "slurmProgram", tr("P&rogram on the nodes"), kept("program", QCoreApplication::applicationDirPath() + "/hallwright-cli"),
          "/opt/hallwright/bin/hallwright-cli");
    column->addLayout(form);
    m_problem->setWordWrap(true);
    m_problem->setObjectName("slurmProblem");
    column->addWidget(m_problem);
    column->addWidget(m_buttons);
    m_buttons->button(QDialogButtonBox::Ok)->setText(tr("&Submit"));
    connect(choose, &QPushButton::clicked, this, [this] {
        if (const QString folder = QFileDialog::getExistingDirectory(this, tr("Shared folder"), m_folder->text()); !folder.isEmpty())
            m_folder->setText(folder);
    });
    connect(m_buttons, &QDialogButtonBox::accepted, this, [this] {
        keep();
        accept();
    });
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    check();
}

bool SlurmDialog::available() { return !QStandardPaths::findExecutable("sbatch").isEmpty(); }

void SlurmDialog::check()
{
    QString problem;
    const QFileInfo folder(m_folder->text()), program(m_program->text());
    if (!available())
        problem = tr("sbatch: not found in PATH; start Hallwright on a Slurm login node");
    else if (m_folder->text().isEmpty() || !folder.isDir() || !folder.isWritable())
        problem = tr("Shared folder: not a writable folder; choose one that all nodes share");
    else if (!program.isExecutable() || !program.isFile())
        problem = tr("Program: not an executable file; specify the path of hallwright-cli, the same on every node");
    m_problem->setText(QString("<span style='color:%1'>%2</span>").arg(theme().error.name(), problem.toHtmlEscaped()));
    m_problem->setVisible(!problem.isEmpty());
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(problem.isEmpty());
}

void SlurmDialog::keep() const
{
    QSettings settings;
    for (const auto& [key, edit] :
         {std::pair("partition", m_partition), {"time", m_time}, {"memory", m_memory}, {"folder", m_folder}, {"program", m_program}})
        settings.setValue(QString("slurm/") + key, edit->text());
    settings.setValue("slurm/tasks", m_tasks->value());
}

sim::SlurmPoints SlurmDialog::points() const
{
    sim::SlurmPoints out;
    out.program = m_program->text().toStdString();
    out.folder = QFileInfo(m_folder->text()).absoluteFilePath().toStdString();
    out.folder /= folderName(m_name).toStdString();
    out.tasks = std::size_t(m_tasks->value());
    out.limits = {m_partition->text().trimmed().toStdString(), m_time->text().trimmed().toStdString(), m_memory->text().trimmed().toStdString()};
    out.name = m_name.toStdString();
    return out;
}

} // namespace hw::views
