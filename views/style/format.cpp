// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/format.h"
#include "views/style/units.h"

#include <QLocale>

#include <cmath>

namespace hw::views {
namespace {

QString number(double value, int decimals) { return QLocale().toString(value, 'f', decimals); }

/// Three or four significant digits: 1.23, 12.3, 123, 1,234.
QString significant(double value)
{
    const double a = std::abs(value);
    return number(value, a < 10 ? 2 : a < 100 ? 1 : 0);
}

} // namespace

QString count(std::int64_t n) { return QLocale().toString(qlonglong(n)); }

QString power(Milliwatts p)
{
    const double w = toWatts(p);
    const double a = std::abs(w);
    if (a >= 1e6) return number(w / 1e6, 2) + " MW";
    if (a >= 1e4) return number(w / 1e3, 1) + " kW";
    if (a >= 1e3) return number(w / 1e3, 2) + " kW";
    return number(w, a < 10 && a > 0 ? 1 : 0) + " W";
}

QString length(std::int64_t mm)
{
    if (units().feet) {
        const double ft = double(mm) / 304.8;
        return std::abs(ft) >= 52'800 ? significant(ft / 5280) + " mi" : number(ft, std::abs(ft) < 100 ? 1 : 0) + " ft";
    }
    const double m = double(mm) / 1000.0;
    if (std::abs(m) >= 10000) return significant(m / 1000.0) + " km";
    return number(m, std::abs(m) < 100 ? 1 : 0) + " m";
}

QString money(Money given, const QString& of)
{
    const auto [value, currency] = inDisplayCurrency(toCurrency(given), of);
    const double a = std::abs(value);
    const QString sign = currency == "USD" ? "$" : currency + " ";
    if (a >= 1e9) return sign + significant(value / 1e9) + " B";
    if (a >= 1e6) return sign + significant(value / 1e6) + " M";
    if (a >= 1e4) return sign + significant(value / 1e3) + " k";
    return sign + number(value, 0);
}

QString moneyExact(Money given, const QString& of)
{
    const auto [value, currency] = inDisplayCurrency(toCurrency(given), of);
    return (currency == "USD" ? QString("$") : currency + " ") + number(value, 2);
}

QString rate(double gbps)
{
    if (gbps >= 1e6) return significant(gbps / 1e6) + " Pb/s";
    if (gbps >= 1e4) return significant(gbps / 1e3) + " Tb/s";
    return number(gbps, gbps == std::floor(gbps) ? 0 : gbps < 10 ? 2 : 1) + " Gb/s";
}

QString percent(double share, int decimals) { return number(share * 100.0, decimals) + " %"; }
QString ratio(double value) { return number(value, value == std::floor(value) ? 0 : 3); }

QString duration(double seconds)
{
    if (!std::isfinite(seconds)) return QObject::tr("never");
    if (seconds == 0) return "0 s";
    if (seconds < 1e-3) return significant(seconds * 1e6) + " µs";
    if (seconds < 1) return significant(seconds * 1e3) + " ms";
    return significant(seconds) + " s";
}

QString weight(Grams g) { return number(double(g.count()) / 1000.0, 0) + " kg"; }

QString signedText(const QString& absolute, std::int64_t sign)
{
    if (sign == 0) return "±0";
    return (sign > 0 ? "+" : "−") + absolute;
}

} // namespace hw::views
