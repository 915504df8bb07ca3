// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // before core's headers: moc cannot read <compare> as the very first one

#include "core/operations/prediction/ranking.h"
#include "views/bridge/document_bridge.h"

class QLabel;
class QSpinBox;
class QTextBrowser;
class QToolButton;

namespace hw::views {

class ListView;

/// GPU hosts ranked by their probability of failure, from recordings of several days or from an emulated history with precision and recall.
class PredictionPanel : public QWidget {
    Q_OBJECT
public:
    explicit PredictionPanel(DocumentBridge& bridge, QWidget* parent = nullptr);
    [[nodiscard]] ListView* list() const { return m_list; }
    [[nodiscard]] QTextBrowser* detail() const { return m_detail; }
    [[nodiscard]] QString summary() const;
    void read(const QStringList& recordings);
    void write(const QString& file); ///< JSON, or CSV by its name; all hosts

signals:
    void locateRequested(const std::vector<hw::EntityRef>& equipment);
    void goodputRequested(double recall, double precision); ///< measured on the emulated history
    void written(const QString& file);

private:
    void emulate();
    void show(prediction::Prediction prediction, const QString& source);
    void clear();
    void refresh();
    void showDetail();
    [[nodiscard]] const prediction::Likely* current() const;

    DocumentBridge& m_bridge;
    ListView* m_list;
    QTextBrowser* m_detail;
    QLabel* m_summary;
    QSpinBox *m_days, *m_seed;
    QToolButton *m_recordings, *m_emulate, *m_goodput, *m_locate, *m_export;
    std::optional<prediction::Prediction> m_prediction;
    QString m_source;
};

} // namespace hw::views
