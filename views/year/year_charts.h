// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/year/year.h"

#include <QWidget>

#include <memory>

namespace hw::views {

using YearPtr = std::shared_ptr<const Year>;

/// What a heat map of the year shows of each hour.
enum class YearQuantity : std::uint8_t { Pue, SitePower, CoolingPower, DryBulb, WetBulb };
inline constexpr int kYearQuantities = 5;
[[nodiscard]] QString yearQuantityName(YearQuantity quantity);
[[nodiscard]] double yearValue(const Year& year, YearQuantity quantity, std::size_t hour); ///< W, °C, or no unit
[[nodiscard]] QString yearValueText(YearQuantity quantity, double value);                  ///< "1.213", "4.21 MW", "31.4 °C"

/// 365 days by 24 hours, each hour with the color of its value; the worst hour is marked. A hover tells the hour.
class YearMap : public QWidget {
    Q_OBJECT
public:
    explicit YearMap(QWidget* parent = nullptr);
    void setYear(YearPtr year);
    void setQuantity(YearQuantity quantity);
    [[nodiscard]] YearQuantity quantity() const { return m_quantity; }
    [[nodiscard]] std::pair<double, double> range() const { return {m_least, m_most}; }
    [[nodiscard]] std::optional<std::size_t> hourAt(const QPointF& point) const;
    [[nodiscard]] QRectF map() const; ///< where the hours are drawn
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    void remake();
    YearPtr m_year;
    YearQuantity m_quantity = YearQuantity::Pue;
    double m_least = 0, m_most = 0;
    QImage m_image; ///< a pixel an hour
    bool m_dark = true;
};

/// Power of the site and its IT over the share of the hours: load-duration curves.
class DurationCurve : public QWidget {
    Q_OBJECT
public:
    explicit DurationCurve(QWidget* parent = nullptr);
    void setYear(YearPtr year);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    YearPtr m_year;
    std::vector<double> m_itW; ///< descending
};

} // namespace hw::views
