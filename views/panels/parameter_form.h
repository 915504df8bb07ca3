// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/template/template.h"
#include "views/bridge/document_bridge.h"

#include <QTimer>
#include <QWidget>

#include <map>

class QFormLayout;
class QLabel;
class QSpinBox;

namespace hw::views {

/// What a set of parameters would give, counted from the generated design.
struct DesignCounts {
    std::int64_t accelerators = 0, servers = 0, switches = 0, links = 0, cables = 0, racks = 0, buildings = 0;
    Milliwatts it, itLimit; ///< of the pod buildings: design basis with optics, and what they may draw
    friend bool operator==(const DesignCounts&, const DesignCounts&) = default;
};
[[nodiscard]] DesignCounts countDesign(const Figures& figures);
/// The texts that the values 0, 1, 2 … of a parameter stand for; empty for a plain number.
[[nodiscard]] QStringList parameterChoices(const Parameter& parameter);

/// The parameters of a template with range and help, and beside them what they would give, worked out
/// by a worker while one types. `before` are the counts of the open design, for the differences.
class ParameterForm : public QWidget {
    Q_OBJECT
public:
    ParameterForm(Jobs& jobs, std::shared_ptr<const Catalog> catalog, QWidget* parent = nullptr);
    ~ParameterForm() override;
    void setTemplate(const Template& design, const ParameterValues& values, std::optional<DesignCounts> before = std::nullopt);
    [[nodiscard]] ParameterValues values() const;
    [[nodiscard]] QSpinBox* field(const std::string& name) const;                        ///< of a number; null for choices
    [[nodiscard]] const std::optional<DesignCounts>& counts() const { return m_counts; } ///< none while working or refused
    [[nodiscard]] bool acceptable() const { return m_counts.has_value(); }
    [[nodiscard]] SnapshotPtr design() const { return m_figures ? m_figures->snapshot : nullptr; } ///< what the counts are of
    [[nodiscard]] const FiguresPtr& figures() const { return m_figures; }

signals:
    void previewChanged();

private:
    void start();
    void show(const Result<DesignCounts>& counts);
    Jobs& m_jobs;
    QString m_slot; ///< one per form: a closing dialog must not stop the next one's job
    std::shared_ptr<const Catalog> m_catalog;
    std::optional<Template> m_template;
    std::optional<DesignCounts> m_counts, m_before;
    FiguresPtr m_figures;
    std::map<std::string, QWidget*> m_fields; ///< QSpinBox or QComboBox
    QFormLayout* m_form;
    QLabel *m_preview, *m_error;
    QTimer m_timer;
};

} // namespace hw::views
