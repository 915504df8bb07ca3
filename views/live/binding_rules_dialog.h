// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog> // before core's headers: moc cannot read <compare> as the very first one
#include <QTimer>

#include "core/operations/bindings/preview.h"
#include "core/operations/bindings/rules.h"
#include "views/live/live_session.h"
#include "views/models/cell_table_model.h"

#include <map>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace hw::views {

class ListView;

/// The binding rules of a project: one at a time is written, and beside it stands what it would do to the channels, before anything is changed.
/// Channels are those of the hall that is followed, or of a file. Adding, changing and removing are one undo step each.
class BindingRulesDialog : public QDialog {
    Q_OBJECT
public:
    BindingRulesDialog(DocumentBridge& bridge, LiveSession& session, QWidget* parent = nullptr);
    void readChannels(const QString& file); ///< as `bindings --metadata` reads them
    /// Begins a new rule for a channel, as a pattern that only this one fits.
    void beginFor(const std::string& channel, const std::string& unit);
    [[nodiscard]] ListView* list() const { return m_list; }
    [[nodiscard]] QString summary() const;

private:
    struct Tried {
        bindings::BoundPtr before, after;
        std::vector<CellRow> rows; ///< of channels that would be bound otherwise
        std::size_t changed = 0;
        Text problem; ///< why the rule cannot be
    };
    void build();
    [[nodiscard]] QWidget* makeForm();
    void fillRules();
    void onRule();
    void begin(const bindings::RuleText& text);
    void tryOut();
    void showTried(Tried tried);
    void apply();
    void remove();
    [[nodiscard]] bindings::RuleText written() const;
    [[nodiscard]] std::optional<BindingRuleId> chosen() const; ///< nothing: a new rule
    [[nodiscard]] std::string freeName() const;

    DocumentBridge& m_bridge;
    LiveSession& m_session;
    QListWidget* m_rules;
    std::map<std::string, QLineEdit*> m_fields; ///< by column, but for the measure
    QComboBox* m_measure;
    QLabel *m_summary, *m_problem;
    ListView* m_list;
    QPushButton *m_apply, *m_remove;
    std::shared_ptr<const std::vector<bindings::ChannelText>> m_read; ///< of a file
    QTimer m_timer;
    bindings::RuleText m_loaded; ///< as the form began; what was written since stays while the project has this
    bool m_filling = false;
};

} // namespace hw::views
