// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

#include <cmath>

namespace hw::test {

/// Root of the mean squared difference per channel, 0 … 255; 255 for pictures of other sizes. Text edges differ between FreeType builds,
/// so pictures are compared at a quarter of their size.
inline double pictureDifference(QImage a, QImage b)
{
    if (a.size() != b.size()) return 255;
    a = a.scaled(a.size() / 4, Qt::IgnoreAspectRatio, Qt::SmoothTransformation).convertToFormat(QImage::Format_RGB32);
    b = b.scaled(b.size() / 4, Qt::IgnoreAspectRatio, Qt::SmoothTransformation).convertToFormat(QImage::Format_RGB32);
    double sum = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
            sum += std::pow(qRed(p) - qRed(q), 2) + std::pow(qGreen(p) - qGreen(q), 2) + std::pow(qBlue(p) - qBlue(q), 2);
        }
    return std::sqrt(sum / (3.0 * a.width() * a.height()));
}

} // namespace hw::test
