// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QtGui/qopengl.h>

#include <memory>

class QOpenGLContext;
class QSurface;

namespace hw::views::twin {

class VtkScene;

/// Lets VTK draw a scene inside somebody else's GL context: a QOpenGLWidget's or an offscreen one.
/// VTK draws into its own framebuffer; `blit` copies that to where it shall be seen.
class GlHost {
public:
    explicit GlHost(VtkScene& scene);
    ~GlHost();

    void attach(QOpenGLContext* context, QSurface* surface); ///< with the context current
    void detach();                                           ///< with the context current, before it goes
    [[nodiscard]] bool ready() const;
    /// Draws a picture of `size` pixels, which need not be the size it is shown at; the context must be current.
    void render(QSize size);
    /// Copies the last picture into framebuffer `target`, enlarged to `size`; alpha becomes 1.
    void blit(GLuint target, QSize size);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace hw::views::twin
