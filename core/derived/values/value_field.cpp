// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/values/value_field.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw {

namespace {

/// A share in per cent; three significant digits of an amount, thousands as they are.
std::string numberText(const ValueField& f, double value)
{
    if (f.scale == FieldScale::Share) return fmt::format("{:.0f}", value * 100);
    const double a = std::abs(value);
    return fmt::format("{:.{}f}", value, a == std::floor(a) ? 0 : a < 10 ? 2 : a < 100 ? 1 : 0);
}

} // namespace

float ValueField::at(std::uint32_t id) const
{
    if (ids.empty()) return id < values.size() ? values[id] : kNone;
    const auto found = std::lower_bound(ids.begin(), ids.end(), id);
    return found != ids.end() && *found == id ? values[std::size_t(found - ids.begin())] : kNone;
}

double mapPlace(const ValueField& f, float value) { return f.high > f.low ? std::clamp((double(value) - f.low) / (f.high - f.low), 0.0, 1.0) : 0.0; }

Text tickText(const ValueField& f, double value)
{
    if (f.scale != FieldScale::Category) return verbatim(numberText(f, value));
    const auto place = std::size_t(std::max(0.0, value));
    return place < f.categories.size() ? f.categories[place].title : Text();
}

Text valueText(const ValueField& f, float value)
{
    if (!known(value)) return {};
    if (f.scale == FieldScale::Category || f.unit.empty()) return tickText(f, double(value));
    return verbatim(numberText(f, double(value)) + " " + f.unit);
}

Text noteText(const ValueField& f, float value)
{
    if (f.scale != FieldScale::Category || !known(value)) return valueText(f, value);
    const auto place = std::size_t(std::max(value, 0.0F));
    return place < f.categories.size() && f.categories[place].ordinary ? Text() : valueText(f, value);
}

double roundUp(double value)
{
    if (!(value > 0)) return 1;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 5.0})
        if (step * power >= value * (1 - 1e-12)) return step * power;
    return 10 * power;
}

std::vector<double> ticksOf(const ValueField& f, std::size_t most)
{
    const double range = f.high - f.low;
    double step = roundUp(range / double(std::max<std::size_t>(2, most) - 1));
    if (f.scale == FieldScale::Share && range == 1.0) step = most >= 5 ? 0.25 : most >= 3 ? 0.5 : 1.0;
    std::vector<double> ticks{f.low};
    for (int i = 1; f.low + i * step < f.high - step * 1e-6; ++i) ticks.push_back(f.low + i * step);
    if (ticks.size() >= most || (ticks.size() > 1 && f.high - ticks.back() < step * 0.5)) ticks.pop_back(); // no two that touch
    ticks.push_back(f.high);
    return ticks;
}

ValueHistogram histogramOf(const ValueField& f, std::size_t steps)
{
    ValueHistogram h;
    const bool category = f.scale == FieldScale::Category;
    h.counts.assign(category ? f.categories.size() : std::max<std::size_t>(1, steps), 0);
    double sum = 0;
    for (const float value : f.values) {
        if (!known(value)) {
            h.unknown += !f.ids.empty();
            continue;
        }
        const auto place = category ? std::size_t(std::max(0.0f, value)) : std::size_t(mapPlace(f, value) * double(h.counts.size()));
        if (!h.counts.empty()) ++h.counts[std::min(place, h.counts.size() - 1)];
        h.least = h.known ? std::min(h.least, double(value)) : double(value);
        h.most = h.known ? std::max(h.most, double(value)) : double(value);
        sum += double(value);
        ++h.known;
    }
    if (h.known) h.mean = sum / h.known;
    return h;
}

} // namespace hw
