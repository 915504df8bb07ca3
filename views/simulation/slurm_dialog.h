// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/batch/slurm_points.h"

#include <QDialog>

class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace hw::views {

/// What a job array asks of Slurm, and where its files lie. Kept for the next time.
class SlurmDialog : public QDialog {
    Q_OBJECT
public:
    /// `name`: of what is run, for its folder; `points`: how many there are.
    SlurmDialog(const QString& name, std::size_t points, QWidget* parent = nullptr);
    [[nodiscard]] sim::SlurmPoints points() const; ///< with a folder of its own in the shared one
    [[nodiscard]] static bool available();         ///< sbatch is in the PATH

private:
    void check();
    void keep() const;

    QString m_name;
    QLineEdit *m_partition, *m_time, *m_memory, *m_folder, *m_program;
    QSpinBox* m_tasks;
    QLabel* m_problem;
    QDialogButtonBox* m_buttons;
};

} // namespace hw::views
