// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/twin/gltf_import.h"

#include <vtkActor.h>
#include <vtkActorCollection.h>
#include <vtkAutoInit.h>
#include <vtkGLTFImporter.h>
#include <vtkNew.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

VTK_MODULE_INIT(vtkRenderingOpenGL2)

namespace hw::test {

std::vector<std::array<double, 6>> actorBounds(const std::string& file)
{
    vtkNew<vtkRenderWindow> window;
    window->SetOffScreenRendering(1);
    vtkNew<vtkRenderer> renderer;
    window->AddRenderer(renderer);
    vtkNew<vtkGLTFImporter> importer;
    importer->SetFileName(file.c_str());
    importer->SetRenderWindow(window);
    importer->Update();
    std::vector<std::array<double, 6>> all;
    vtkActorCollection* actors = importer->GetRenderer()->GetActors();
    actors->InitTraversal();
    while (vtkActor* actor = actors->GetNextActor()) {
        const double* bounds = actor->GetBounds();
        all.push_back({bounds[0], bounds[1], bounds[2], bounds[3], bounds[4], bounds[5]});
    }
    return all;
}

} // namespace hw::test
