// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/widget/gl_host.h"

#include "views/twin/scene/vtk_scene.h"

#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QSurface>

#include <vtkCallbackCommand.h>
#include <vtkCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkNew.h>
#include <vtkOpenGLFramebufferObject.h>
#include <vtkOpenGLState.h>
#include <vtkRenderer.h>

namespace hw::views::twin {

struct GlHost::Private {
    VtkScene& scene;
    vtkNew<vtkGenericOpenGLRenderWindow> window;
    vtkNew<vtkCallbackCommand> callback;
    QOpenGLContext* context = nullptr;
    QSurface* surface = nullptr;
    QSize size;

    /// Answers what VTK asks of its window. Only the context's own makeCurrent will do here: the
    /// widget's would bind the widget's framebuffer in the middle of VTK's drawing.
    static void onWindowEvent(vtkObject*, unsigned long event, void* client, void* answer)
    {
        auto* self = static_cast<Private*>(client);
        const bool current = self->context && QOpenGLContext::currentContext() == self->context;
        switch (event) {
        case vtkCommand::WindowMakeCurrentEvent:
            if (self->context && !current) self->context->makeCurrent(self->surface);
            break;
        case vtkCommand::WindowIsCurrentEvent: *static_cast<bool*>(answer) = current; break;
        case vtkCommand::WindowSupportsOpenGLEvent:
        case vtkCommand::WindowIsDirectEvent: *static_cast<int*>(answer) = 1; break;
        default: break;
        }
    }
};

GlHost::GlHost(VtkScene& scene) : d(new Private{.scene = scene, .window = {}, .callback = {}, .context = nullptr, .surface = nullptr, .size = {}})
{
    d->callback->SetClientData(d.get());
    d->callback->SetCallback(&Private::onWindowEvent);
    for (const auto event : {vtkCommand::WindowMakeCurrentEvent, vtkCommand::WindowIsCurrentEvent, vtkCommand::WindowSupportsOpenGLEvent,
                             vtkCommand::WindowIsDirectEvent})
        d->window->AddObserver(event, d->callback);
    d->window->SetReadyForRendering(false);
    d->window->SetMultiSamples(0);
    d->window->SetFrameBlitModeToNoBlit();
    d->window->AddRenderer(scene.renderer());
}

GlHost::~GlHost()
{
    detach();
    d->window->RemoveAllObservers();
    d->window->RemoveRenderer(d->scene.renderer());
}

void GlHost::attach(QOpenGLContext* context, QSurface* surface)
{
    d->context = context;
    d->surface = surface;
    d->window->SetReadyForRendering(true);
    d->window->SetOwnContext(0);
    d->window->SetMapped(1);
    d->window->OpenGLInitContext();
}

void GlHost::detach()
{
    if (!d->context) return;
    d->scene.releaseGraphics();
    d->window->Finalize();
    d->window->SetReadyForRendering(false);
    d->context = nullptr;
    d->surface = nullptr;
}

bool GlHost::ready() const { return d->context != nullptr; }

void GlHost::render(QSize size)
{
    if (!d->context || size.isEmpty()) return;
    d->size = size;
    d->window->SetSize(size.width(), size.height());
    vtkOpenGLState* state = d->window->GetState();
    state->Reset(); // reads the real state: Qt has changed it since
    state->Push();
    d->window->Render();
    state->Pop();
}

void GlHost::blit(GLuint target, QSize size)
{
    if (!d->context || d->size.isEmpty()) return;
    QOpenGLExtraFunctions* gl = d->context->extraFunctions();
    vtkOpenGLState* state = d->window->GetState();
    state->Reset();
    gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target);
    const GLenum buffer = target ? GL_COLOR_ATTACHMENT0 : GL_BACK;
    gl->glDrawBuffers(1, &buffer);
    gl->glDisable(GL_SCISSOR_TEST);
    d->window->BlitDisplayFramebuffer(0, 0, 0, d->size.width(), d->size.height(), 0, 0, size.width(), size.height(), GL_COLOR_BUFFER_BIT,
                                      d->size == size ? GL_NEAREST : GL_LINEAR);
    gl->glBindFramebuffer(GL_FRAMEBUFFER, target);
    gl->glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
    gl->glClearColor(0, 0, 0, 1);
    gl->glClear(GL_COLOR_BUFFER_BIT);
    gl->glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    state->Reset();
}

} // namespace hw::views::twin
