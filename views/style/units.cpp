// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/units.h"

#include "views/style/format.h"
#include "views/style/theme.h"

#include <QLocale>

#include <atomic>
#include <cmath>

namespace hw::views {
namespace {

std::atomic<unsigned> chosen{0}; ///< a bit each: feet, fahrenheit, btu
std::atomic<std::shared_ptr<const DisplayCurrency>> shownCurrency;

QString fixed(double value, int decimals) { return QString::number(value, 'f', decimals); }

} // namespace

UnitPreference units()
{
    const unsigned bits = onPaper() ? 0 : chosen.load();
    return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
}

void setUnits(const UnitPreference& preference)
{
    chosen = (preference.feet ? 1U : 0U) | (preference.fahrenheit ? 2U : 0U) | (preference.btu ? 4U : 0U);
}

void setDisplayCurrency(std::shared_ptr<const DisplayCurrency> currency) { shownCurrency = std::move(currency); }
std::shared_ptr<const DisplayCurrency> displayCurrency() { return onPaper() ? nullptr : shownCurrency.load(); }

std::pair<double, QString> inDisplayCurrency(double sum, const QString& currency)
{
    const auto shown = displayCurrency();
    if (!shown || currency.toStdString() == shown->code) return {sum, currency};
    const auto from = shown->rates.find(currency.toStdString()), to = shown->rates.find(shown->code);
    if (from == shown->rates.end() || to == shown->rates.end()) return {sum, currency};
    return {sum * from->second / to->second, text(shown->code)};
}

QString displayRate()
{
    const auto shown = displayCurrency();
    return shown ? shown->rate : QString();
}

QString lengthUnit() { return text(preferredUnit("m", units())); }
double inLengthUnit(double mm) { return units().feet ? mm / 304.8 : mm / 1000; }
QString exactLength(double mm) { return fixed(inLengthUnit(mm), 2) + " " + lengthUnit(); }
QString exactSize(double a, double b) { return fixed(inLengthUnit(a), 2) + QString::fromUtf8(" × ") + exactLength(b); }
QString signedLength(double mm) { return (mm < 0 ? QString::fromUtf8("−") : QString("+")) + exactLength(std::abs(mm)); }

QString heat(Milliwatts p)
{
    if (!units().btu) return power(p);
    const double btu = *converted(double(p.count()), "mW", "BTU/h");
    const double step = std::pow(10, std::max(0.0, std::floor(std::log10(std::max(1.0, std::abs(btu)))) - 3)); // four digits
    return QLocale().toString(std::round(btu / step) * step, 'f', 0) + " BTU/h";
}

QString temperature(double celsius, int decimals)
{
    const std::string unit = preferredUnit("°C", units());
    return fixed(converted(celsius, "°C", unit).value_or(celsius), decimals) + " " + text(unit);
}

void inPreferredUnit(ValueField& field)
{
    const std::string unit = preferredUnit(field.unit, units());
    if (field.unit != "°C" || unit == field.unit) return;
    const auto to = [&](double celsius) { return *converted(celsius, "°C", unit); };
    for (float& value : field.values)
        if (known(value)) value = float(to(double(value)));
    for (FieldBand& band : field.bands) band.to = to(band.to);
    field.low = to(field.low), field.high = to(field.high), field.unit = unit;
}

Result<std::int64_t> readLength(const QString& typed)
{
    std::string given = typed.trimmed().toStdString();
    if (std::ranges::count(given, ',') == 1 && ungrouped(given) == given) std::ranges::replace(given, ',', '.'); // 12,5
    const char last = given.empty() ? ' ' : given.back();
    if ((last >= '0' && last <= '9') || last == '.') given += " " + preferredUnit("m", units());
    const auto mm = readInUnit(given, "mm");
    if (!mm) return tl::unexpected(mm.error());
    if (std::abs(*mm) > 1e12) return fail(ErrorCode::Refused, given, i18n("'{}' is out of range", given), {});
    return std::llround(*mm);
}

} // namespace hw::views
