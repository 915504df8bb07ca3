# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a DXF with ezdxf and prints what a test compares: errors of its audit, unit, insertions, layouts with the scales of their viewports."""
import json
import sys

import ezdxf

document = ezdxf.readfile(sys.argv[1])
audit = document.audit()
inserts = [
    {
        "block": e.dxf.name,
        "layer": e.dxf.layer,
        "x": e.dxf.insert.x,
        "y": e.dxf.insert.y,
        "angle": e.dxf.rotation,
        "values": {a.dxf.tag: a.dxf.text for a in e.attribs},
    }
    for e in document.modelspace().query("INSERT")
]
layouts = {
    layout.name: [round(v.dxf.view_height / v.dxf.height, 6) for v in layout.query("VIEWPORT") if v.dxf.id > 1]
    for layout in document.layouts
}
dimensions = [round(d.get_measurement(), 6) for d in document.modelspace().query("DIMENSION")]
print(
    json.dumps(
        {
            "version": document.dxfversion,
            "errors": [e.message for e in audit.errors],
            "fixes": [e.message for e in audit.fixes],
            "units": document.units,
            "inserts": inserts,
            "layouts": layouts,
            "dimensions": dimensions,
            "layers": sorted(layer.dxf.name for layer in document.layers),
        }
    )
)
