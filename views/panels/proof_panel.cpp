// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/proof_panel.h"

#include "core/derived/proof/proof_node.h"
#include "core/derived/proof/proof_output.h"
#include "core/foundation/model/label.h"
#include "views/style/format.h"
#include "views/style/theme.h"

namespace hw::views {

namespace {

struct Proved {
    std::string label, color;
    std::vector<std::string> lines;
};

/// A line is a label of twenty characters and its text; without a label it goes on with the line before.
QString pageOf(const std::vector<Proved>& networks)
{
    constexpr std::size_t kLabel = 20;
    QString html;
    for (const auto& network : networks) {
        html += QString("<p style='margin-top:10px'><span style='color:%1'>&#9632;</span> <b>%2</b></p><table cellpadding='2'>")
                    .arg(text(network.color), text(network.label).toHtmlEscaped());
        std::vector<std::pair<QString, QString>> rows;
        for (const auto& line : network.lines) {
            const QString label = text(line.substr(0, kLabel)).trimmed(), rest = text(line.size() > kLabel ? line.substr(kLabel) : "").trimmed();
            if (label.isEmpty() && !rest.startsWith("!") && !rows.empty())
                rows.back().second += " " + rest;
            else
                rows.emplace_back(label, rest);
        }
        for (const auto& [label, rest] : rows) {
            const QColor color = rest.startsWith("!") ? theme().warning : label == "Proof" ? theme().ok : theme().text;
            html += QString("<tr><td style='color:%1'>%2</td><td style='color:%3'>%4</td></tr>")
                        .arg(theme().textDim.name(), label.toHtmlEscaped(), color.name(), rest.toHtmlEscaped());
        }
        html += "</table>";
    }
    return html;
}

} // namespace

ProofPanel::ProofPanel(DocumentBridge& bridge, QWidget* parent)
    : QTextBrowser(parent), m_bridge(bridge), m_following(bridge, *this, FollowingView::Pace::Rested, [this] { start(); })
{
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Network verification"));
}

void ProofPanel::start()
{
    const auto figures = m_bridge.figures();
    if (m_revision == 0) setHtml(QString("<p style='color:%1'>%2</p>").arg(theme().textDim.name(), tr("Verifying …")));
    m_bridge.jobs().start<Result<std::vector<Proved>>>(
        "proof", tr("Verifying networks"),
        [figures](const Progress& progress) -> Result<std::vector<Proved>> {
            const auto proofs = proofOf(*figures, progress);
            if (!proofs) return tl::unexpected(proofs.error());
            std::vector<Proved> out;
            const auto& networks = figures->snapshot->networks;
            for (const NetworkProof& proof : **proofs) {
                const NetworkId id = proof.network;
                out.push_back({words(labelText(networks, id)), QColor::fromRgb(networks.color[id]).name().toStdString(), proofLines(proof)});
            }
            return out;
        },
        [this, revision = figures->snapshot->revision](Result<std::vector<Proved>> proved) {
            if (!proved) {
                m_following.missed();
                if (proved.error().code != ErrorCode::Canceled) m_bridge.report(proved.error());
                return;
            }
            m_revision = revision;
            setHtml(pageOf(*proved));
        });
}

} // namespace hw::views
