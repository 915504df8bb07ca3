// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/widget/smoother.h"

#include <QOpenGLContext>
#include <QOpenGLFunctions>

namespace hw::views::twin {

void Smoother::step(GlHost& host, TwinScene& scene, const TwinCamera& camera, GLuint target, QSize size)
{
    // Places within the pixel after Halton's sequences of bases 2 and 3, from -0.5 to 0.5.
    static constexpr double kShift[kSteps][2] = {{0, -0.1667},    {-0.25, 0.1667},   {0.25, -0.3889}, {-0.375, -0.0556},
                                                 {0.125, 0.2778}, {-0.125, -0.2778}, {0.375, 0.0556}, {-0.4375, 0.3889}};
    if (m_size != size) m_steps = 0;
    if (finished()) return;
    m_size = size;
    const std::size_t values = std::size_t(size.width()) * std::size_t(size.height()) * 4;
    if (m_steps == 0) m_sums.assign(values, 0);
    m_pixels.resize(values);
    const auto& shift = kShift[m_steps];
    scene.vtk().setCamera(camera, float(size.width()) / float(size.height()), {2 * shift[0] / size.width(), 2 * shift[1] / size.height()});
    host.render(size);
    host.blit(target, size);
    QOpenGLFunctions* gl = QOpenGLContext::currentContext()->functions();
    gl->glBindFramebuffer(GL_FRAMEBUFFER, target);
    gl->glPixelStorei(GL_PACK_ALIGNMENT, 4);
    gl->glReadPixels(0, 0, size.width(), size.height(), GL_RGBA, GL_UNSIGNED_BYTE, m_pixels.data());
    for (std::size_t i = 0; i < values; ++i) m_sums[i] = std::uint16_t(m_sums[i] + m_pixels[i]);
    ++m_steps;
}

QImage Smoother::image() const
{
    if (m_steps == 0) return {};
    QImage image(m_size, QImage::Format_RGBX8888);
    const int rows = m_size.height(), row = m_size.width() * 4;
    int shift = 0;
    while ((2 << shift) <= m_steps) ++shift;
    const int half = (1 << shift) / 2;
    for (int y = 0; y < rows; ++y) {
        const std::uint16_t* from = m_sums.data() + std::size_t(rows - 1 - y) * std::size_t(row);
        std::uint8_t* to = image.scanLine(y);
        for (int i = 0; i < row; ++i) to[i] = std::uint8_t((from[i] + half) >> shift);
    }
    return image;
}

} // namespace hw::views::twin
