// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/panels/properties.h"

#include <QWidget>

namespace hw::views {

/// Draws sections of properties; values that stand for an entity are links. Tab reaches it, up and
/// down walk over the links, Return follows one.
class PropertyList : public QWidget {
    Q_OBJECT
public:
    explicit PropertyList(QWidget* parent = nullptr);
    void setSections(std::vector<PropertySection> sections);
    [[nodiscard]] const std::vector<PropertySection>& sections() const { return m_sections; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QRectF linkRect(EntityRef link) const; ///< where a value stands, for tests

signals:
    void linkActivated(hw::EntityRef entity);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Line {
        const Property* property = nullptr;
        const PropertySection* section = nullptr;
        QRectF rect;
    };
    [[nodiscard]] std::vector<Line> lines() const;
    [[nodiscard]] const Property* at(QPointF position) const;
    void drawLine(QPainter& painter, const Line& line) const;
    [[nodiscard]] double lineHeight() const;

    std::vector<PropertySection> m_sections;
    const Property* m_hover = nullptr;
};

} // namespace hw::views
