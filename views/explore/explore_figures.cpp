// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/explore/explore_figures.h"

#include "views/style/format.h"
#include "views/style/units.h"

#include <QLocale>
#include <QStringList>

#include <cmath>

namespace hw::views {

namespace {

QString exploreCount(double v, const QString&) { return count(std::llround(v)); }
QString explorePower(double w, const QString&) { return power(Milliwatts(std::llround(w * 1000))); }
QString exploreRatio(double v, const QString&) { return ratio(v); }
QString exploreShare(double v, const QString&) { return percent(v, 2); }
QString exploreMillions(double sum, const QString& of)
{
    const auto [v, currency] = inDisplayCurrency(sum, of);
    return QLocale().toString(v / 1e6, 'f', 1) + " M " + currency; // no text
}
QString exploreMoney(double sum, const QString& of)
{
    const auto [v, currency] = inDisplayCurrency(sum, of);
    return QLocale().toString(v, 'f', v < 100 ? 3 : 0) + " " + currency;
}
QString exploreNumber(double v, const QString&) { return QLocale().toString(v, 'f', 1); }

} // namespace

const std::vector<ExploreFigure>& exploreFigures()
{
    static const std::vector<ExploreFigure> kFigures{
        {"accelerators", QObject::tr("Accelerators"), exploreCount, true, true},
        {"facility_w", QObject::tr("Facility power"), explorePower, true},
        {"pue", QObject::tr("PUE"), exploreRatio, true},
        {"capital", QObject::tr("Capital cost"), exploreMillions, true},
        {"cost_hour", QObject::tr("Cost per accelerator-hour"), exploreMoney, true},
        {"goodput", QObject::tr("Goodput"), exploreShare, true, true},
        {"goodput_per_mw", QObject::tr("Goodput per MW"), exploreNumber, true, true},
        {"worst_loss_gpus", QObject::tr("Accelerators lost to a single failure"), exploreCount},
        {"worst_loss_share", QObject::tr("Share of accelerators lost to a single failure"), exploreShare, true},
        {"racks", QObject::tr("Racks"), exploreCount, true},
        {"phases", QObject::tr("Phases"), exploreCount, true},
        {"errors", QObject::tr("Errors"), exploreCount, true},
        {"it_w", QObject::tr("IT power"), explorePower, true},
        {"capital_per_gpu", QObject::tr("Capital cost per accelerator"), exploreMoney, true},
        {"cost_year", QObject::tr("Cost per year"), exploreMillions, true},
    };
    return kFigures;
}

std::optional<double> exploreValue(const sim::Json& point, const char* key)
{
    const auto found = point.find(key);
    return found != point.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

QString exploreParameters(const sim::Json& point)
{
    QStringList out;
    if (const auto found = point.find("parameters"); found != point.end() && found->is_object())
        for (const auto& [name, value] : found->items()) out << text(name) + "=" + text(value.is_string() ? value.get<std::string>() : value.dump());
    return out.join(' ');
}

} // namespace hw::views
