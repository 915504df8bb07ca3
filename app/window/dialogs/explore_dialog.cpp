// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/explore_dialog.h"

#include "views/explore/explore_panel.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QScreen>

namespace hw::app {

ExploreDialog::ExploreDialog(Session& session, QWidget* parent)
    : QDialog(parent), m_panel(new views::ExplorePanel(session.bridge(), session.library().templates))
{
    setWindowTitle(tr("Explore designs"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_panel);
    connect(m_panel, &views::ExplorePanel::openRequested, this,
            [this, &session](const QString& name, const std::map<std::string, std::string>& parameters) {
                const Template* design = session.library().find(name.toStdString());
                if (!design)
                    return session.bridge().report(
                        {ErrorCode::Refused, name.toStdString(), i18n("unknown template"), i18n("create the design with hallwright-cli new")});
                const auto values = design->complete(parameters);
                if (!values) return session.bridge().report(values.error());
                emit openRequested(name, *values);
            });
    const QSize wanted(fontMetrics().averageCharWidth() * 210, fontMetrics().height() * 52);
    resize(screen() ? wanted.boundedTo(screen()->availableSize() - QSize(views::space(10), views::space(14))) : wanted);
}

} // namespace hw::app
