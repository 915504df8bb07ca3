// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/oneline/one_line_layout.h"
#include "core/foundation/base/result.h"
#include "views/power/one_line_painter.h"

#include <QImage>

class QPainter;

namespace hw::views {

/// A one-line diagram on one page, as far as it is open.
struct OneLinePage {
    OneLineModelPtr model;
    QString title, subtitle, problems, stamp{};
    OneLineLook look{}; ///< values and findings that are shown
};
[[nodiscard]] OneLinePage makeOneLinePage(OneLineModelPtr model, const OneLineLook& shown = {}); ///< with its values and findings
/// The same of a design, on the project's basis, open as far as it can be read on a page so wide, and at what is named. Errors: Refused.
[[nodiscard]] Result<OneLinePage> makeOneLinePage(const Figures& figures, double width, const std::vector<std::string>& open = {});

/// The cooling of a design in the same way; `open` may name a room too. Errors: Refused.
[[nodiscard]] Result<OneLinePage> makeCoolingPage(const Figures& figures, double width, const std::vector<std::string>& open = {});

/// Title, diagram and legend in a rectangle, in the theme that is set.
void paintOneLinePage(QPainter& painter, const QRectF& rect, const OneLinePage& page);
/// A page that is too wide to be read on so much room is cut into parts of readable size, from left to right; every element stands whole in one.
struct OneLineParts {
    OneLineLayout layout;
    double scale = 1;
    std::vector<std::pair<double, double>> spans; ///< of the layout; what two of them share stands in both
};
/// One span: it can be read as a whole.
[[nodiscard]] OneLineParts partsOf(const OneLinePage& page, const QSizeF& size);
void paintOneLinePart(QPainter& painter, const QRectF& rect, const OneLinePage& page, const OneLineParts& parts, std::size_t part);
/// A page as a picture.
[[nodiscard]] Result<QImage> renderOneLine(const Result<OneLinePage>& page, QSize size, bool dark);
[[nodiscard]] Result<QImage> renderOneLine(const Figures& figures, QSize size, bool dark, const std::vector<std::string>& open = {});
inline constexpr double kOneLineA3Width = 1587; ///< of an A3 page, in the pixels of paintOneLinePage()
/// A3, .svg or .pdf. Errors: Usage, Unreadable.
[[nodiscard]] Result<void> writeOneLinePage(const OneLinePage& page, const QString& path);

} // namespace hw::views
