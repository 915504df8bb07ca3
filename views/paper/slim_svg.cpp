// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/paper/slim_svg.h"

#include <QRegularExpression>
#include <QSet>

namespace hw::views::paper {

QString SlimSvg::slim(const QString& svg)
{
    static const QRegularExpression empty("<g\\b[^>]*>\\s*</g>\\s*"), open("<g\\b([^>]*)>"), space("\\s*\\n\\s*");
    QString plain = svg;
    for (qsizetype before = 0; before != plain.size();) before = plain.size(), plain.remove(empty);
    QString out;
    qsizetype at = 0;
    for (auto found = open.globalMatch(plain); found.hasNext();) {
        const auto match = found.next();
        out += QStringView(plain).mid(at, match.capturedStart() - at);
        out += group(match.captured(1));
        at = match.capturedEnd();
    }
    out += QStringView(plain).mid(at);
    return out.replace(space, "\n");
}

/// What CSS knows as a property becomes part of a class; the rest, and identities, stay or go.
QString SlimSvg::group(const QString& attributes)
{
    static const QRegularExpression attribute("([\\w:-]+)=\"([^\"]*)\"");
    static const QSet<QString> properties{"fill",         "fill-opacity",   "fill-rule",       "stroke",           "stroke-opacity",
                                          "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "stroke-dashoffset",
                                          "font-family",  "font-size",      "font-weight",     "font-style",       "stroke-miterlimit"};
    QString declarations, rest;
    for (auto found = attribute.globalMatch(attributes); found.hasNext();) {
        const auto match = found.next();
        const QString name = match.captured(1), value = match.captured(2);
        if (name == "transform" && value == "matrix(1,0,0,1,0,0)") continue;
        if (!properties.contains(name)) {
            rest += ' ' + match.captured(0);
            continue;
        }
        const bool length = name == "font-size" && !value.isEmpty() && value.back().isDigit();
        declarations += name + ':' + (name == "font-family" ? '\'' + value + '\'' : value) + (length ? "px" : "") + ';';
    }
    if (declarations.isEmpty()) return "<g" + rest + '>';
    QString& name = m_classes[declarations];
    if (name.isEmpty()) {
        name = QString("q%1").arg(m_classes.size());
        m_rules += '.' + name + '{' + declarations + "}\n";
    }
    return "<g class=\"" + name + '"' + rest + '>';
}

} // namespace hw::views::paper
