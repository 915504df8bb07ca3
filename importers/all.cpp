// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exchange/cabling_formats.h"
#include "importers/asbuilt/capture_reader.h"
#include "importers/cluster/cluster_formats.h"
#include "importers/configuration/config_files.h"
#include "importers/dashboards/dashboard_files.h"
#include "importers/drawings/dxf_export.h"
#include "importers/fabricfiles/ib_files.h"
#include "importers/formats.h"
#include "importers/netbox_export/netbox_export.h"
#include "importers/network/network_formats.h"
#include "importers/procurement/procurement.h"
#include "importers/simulators/simulators.h"

namespace hw::importers {

void registerFormats(exchange::Formats& formats)
{
    formats.add(textImporter());
    formats.add(netboxImporter());
    formats.add(dxfImporter());
    formats.add(ifcImporter());
    formats.add(aicbImporter());
    formats.add(demandImporter());
    formats.add(priceImporter());
    for (CaptureFormat (*format)() : {lldpFormat, ibnetdiscoverFormat, netboxCablesFormat, labelsFormat}) formats.add(captureImporter(format()));
    formats.add(configImporter());
    formats.add(textExporter());
    formats.add(dsxExporter());
    formats.add(drawings::dxfExporter());
    formats.add(procurement::ordersExporter());
    formats.add(procurement::tenderExporter());
    formats.add(ufmNdtExporter());
    formats.add(nodeNamesExporter());
    formats.add(prometheusSdExporter());
    formats.add(grafanaExporter());
    formats.add(netbox::netboxExporter());
    formats.add(ifcExporter());
    formats.add(gltfExporter());
    formats.add(usdExporter());
    addNetworkFormats(formats);
    addClusterFormats(formats);
    formats.add(expectedConfigExporter());
    exchange::addCablingFormats(formats);
    addSimulatorFormats(formats);
}

} // namespace hw::importers
