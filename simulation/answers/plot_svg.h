// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "simulation/answers/parameter_schema.h"

#include <string>
#include <vector>

namespace hw::sim {
inline namespace questions {

/// The lines of a chart of a swept answer: the first axis from left to right, one line for every value of the others.
struct SweepPlot {
    std::string xName, key;
    struct Line {
        std::string label;
        Text words;
        std::vector<std::pair<double, double>> points;
        bool joined = true;                   ///< by a line
        std::vector<std::string> titles = {}; ///< of each point, where a mouse rests on it; or none
    };
    std::vector<Line> lines;
    std::vector<std::string> categories; ///< where the first axis goes through texts: their places are 0, 1, 2 …
    bool logarithmic = false;            ///< x: the values span a factor of 100 or more
};
/// `words` say the values of the other axes with their units. An empty `key` takes the first number that changes. Errors: Usage when the answer is no
/// sweep, or `key` is not a number of its results (naming some that are).
[[nodiscard]] Result<SweepPlot> sweepPlot(const Json& document, const std::string& key);
/// Numbers of the results that differ between points.
[[nodiscard]] std::vector<std::string> sweptNumbers(const Json& document);

/// A chart's axis, with where it runs in the picture.
struct PlotAxis {
    double low = 0, high = 1, from = 0, to = 1;
    bool logarithmic = false;
    [[nodiscard]] double at(double value) const;
};
/// Where an axis is marked: at 1, 2 or 5 times a power of ten, some `pieces` of them over the range; a logarithmic one at powers of ten.
[[nodiscard]] std::vector<double> ticksOf(const PlotAxis& axis, int pieces);

/// The same as a picture in SVG, `key` upwards. Errors: as sweepPlot().
[[nodiscard]] Result<std::string> plotSvg(const Json& document, const std::string& key);

/// Any lines and points over two numbers.
[[nodiscard]] std::string chartSvg(const std::string& title, const std::string& xName, const std::string& yName,
                                   const std::vector<SweepPlot::Line>& lines);

} // namespace questions
} // namespace hw::sim
