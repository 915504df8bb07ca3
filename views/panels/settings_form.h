// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/edit/settings_check.h"
#include "views/bridge/document_bridge.h"

#include <QWidget>

class QFormLayout;
class QLabel;
class QVBoxLayout;

namespace hw::views {

/// Every setting that the core knows of the open design, and the power limits of its buildings, to be searched and
/// changed. One form for all of them: what they may be comes from `edit::knownSettings`. An empty field means the
/// default, which stands in it faintly. Nothing changes until `apply`.
class SettingsForm : public QWidget {
    Q_OBJECT
public:
    explicit SettingsForm(DocumentBridge& bridge, QWidget* parent = nullptr);
    /// Writes what differs as one undo step; false, with the reason at the field, where a value cannot be.
    bool apply();
    [[nodiscard]] bool changed() const;
    [[nodiscard]] QWidget* editor(const QString& key) const; ///< "site.pue", "limit.NAME" of a building; null when there is none
    void filter(const QString& sought);
    /// Fields for the exchange rate of a currency, with the keyboard focus on the rate. Nothing where `code` is no currency.
    void showCurrency(const QString& code);

signals:
    void edited();

private:
    struct Row {
        edit::Setting setting;
        EntityRef limitOf; ///< a building whose limit it is; else a setting
        QWidget* editor = nullptr;
        QLabel* problem = nullptr;
        QWidget *name = nullptr, *line = nullptr;
        QString before;
        std::string unit; ///< that is shown and typed
    };
    struct Group {
        QWidget* title = nullptr;
        QFormLayout* form = nullptr;
        QWidget* box = nullptr;
        std::vector<std::size_t> rows;
    };
    void addRow(edit::Setting setting, EntityRef limitOf, const QString& value);
    Group& groupOf(const Text& name);
    void addCurrencyChooser();
    void addCurrency(const std::string& code); ///< fields for its rate, unless they are there
    void onCurrency(const QString& typed);     ///< of the project: its rate to the former one has to be known
    void check(const Row& row);
    [[nodiscard]] Result<void> write(Transaction& transaction, const Row& row) const;
    [[nodiscard]] static QString textOf(const Row& row);
    [[nodiscard]] static QString keptOf(const Row& row);

    DocumentBridge& m_bridge;
    QVBoxLayout* m_column;
    std::vector<Row> m_rows;
    std::vector<std::pair<Text, Group>> m_groups;
    QWidget *m_currencyName = nullptr, *m_currencyLine = nullptr; ///< the row that adds an exchange rate
};

} // namespace hw::views
