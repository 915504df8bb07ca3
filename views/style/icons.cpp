// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/icons.h"

#include "views/style/theme.h"

#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace hw::views {
namespace {

QByteArray svgText(const QString& name)
{
    static QHash<QString, QByteArray> cache;
    const auto found = cache.constFind(name);
    if (found != cache.constEnd()) return *found;
    QFile file(":/icons/" + name + ".svg");
    const QByteArray text = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    cache.insert(name, text);
    return text;
}

class SvgIconEngine final : public QIconEngine {
public:
    SvgIconEngine(QString name, QColor color) : m_name(std::move(name)), m_color(color) {}

    QIconEngine* clone() const override { return new SvgIconEngine(m_name, m_color); }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const double scale = painter->device()->devicePixelRatioF();
        painter->drawPixmap(rect, scaledPixmap(rect.size() * scale, mode, state, 1.0));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override { return scaledPixmap(size, mode, state, 1.0); }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override
    {
        const QColor color = colorFor(mode, state);
        const QString key = QString("hw/%1/%2x%3/%4").arg(m_name).arg(size.width()).arg(size.height()).arg(color.name());
        QPixmap result;
        if (QPixmapCache::find(key, &result)) return result;
        result = QPixmap(size);
        result.fill(Qt::transparent);
        QSvgRenderer renderer(svgText(m_name).replace("currentColor", color.name().toLatin1()));
        QPainter painter(&result);
        renderer.render(&painter, QRectF(QPointF(), QSizeF(size)));
        painter.end();
        QPixmapCache::insert(key, result);
        return result;
    }

private:
    QColor colorFor(QIcon::Mode mode, QIcon::State state) const
    {
        if (mode == QIcon::Disabled) return theme().textFaint;
        if (m_color.isValid()) return m_color;
        return state == QIcon::On ? theme().accent : theme().textDim;
    }

    QString m_name;
    QColor m_color;
};

} // namespace

QIcon icon(const QString& name) { return QIcon(new SvgIconEngine(name, {})); }
QIcon icon(const QString& name, const QColor& color) { return QIcon(new SvgIconEngine(name, color)); }

} // namespace hw::views
