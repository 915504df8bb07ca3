// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/twin/scene/twin_scene.h"
#include "views/twin/widget/gl_host.h"

#include <QImage>

namespace hw::views::twin {

/// Smooth edges without multisampling: several pictures of a resting camera, each shifted by a part of
/// a pixel, averaged. Costs nothing while the camera moves, and each step can be the last.
class Smoother {
public:
    static constexpr int kSteps = 8;
    void restart() { m_steps = 0; }
    [[nodiscard]] bool finished() const { return m_steps == kSteps; }
    [[nodiscard]] int steps() const { return m_steps; }
    /// Draws one more shifted picture into framebuffer `target` and adds it up; the context must be current.
    void step(GlHost& host, TwinScene& scene, const TwinCamera& camera, GLuint target, QSize size);
    [[nodiscard]] QImage image() const; ///< the average after 1, 2, 4 or 8 steps, in device pixels

private:
    std::vector<std::uint16_t> m_sums; ///< four per pixel, bottom row first
    std::vector<std::uint8_t> m_pixels;
    QSize m_size;
    int m_steps = 0;
};

} // namespace hw::views::twin
