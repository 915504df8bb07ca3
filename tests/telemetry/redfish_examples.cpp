// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/telemetry/redfish_examples.h"

namespace examples {

const char* const kConnector = R"({"@odata.type":"#CoolantConnector.v1_0_1.CoolantConnector","Id":"1","RatedFlowLitersPerMinute":700,
            "FlowLitersPerMinute":{"Reading":512.5,"DataSourceUri":"/redfish/v1/Chassis/CDU/Sensors/PrimaryFlow"},"ReturnTemperatureCelsius":{"Reading":null},
            "SupplyPressurekPa":{"Reading":210},"HeatRemovedkW":{"Reading":460.1},"Status":{"State":"Enabled","Health":"OK"},
            "Thresholds":{"UpperCritical":{"Reading":90}}})";
const char* const kOutlet = R"({"@odata.type":"#Outlet.v1_4_1.Outlet","RatedCurrentAmps":20,"PowerState":"On",
            "PolyPhaseCurrentAmps":{"Line1":{"Reading":1.68}},"PowerWatts":{"Reading":197.4,"ApparentVA":199,"ReactiveVAR":0,"PowerFactor":0.99},"EnergykWh":{"Reading":36166}})";
const char* const kLeak = R"({"@odata.type":"#LeakDetector.v1_0_0.LeakDetector","DetectorState":"Critical"})";
const char* const kSensor = R"({"@odata.type":"#Sensor.v1_2_0.Sensor","Reading":24.5,"ReadingUnits":"Cel","Status":{"State":"UnavailableOffline"}})";
const char* const kThermal =
    R"({"@odata.type":"#Thermal.v1_1_0.Thermal","Temperatures":[{"Name":"Inlet Temp","ReadingCelsius":21,"UpperThresholdCritical":42},{"Status":{"State":"Absent"},"ReadingCelsius":0}],
            "Fans":[{"Reading":5400,"ReadingUnits":"RPM"}]})";
const char* const kElsewhere = R"({"Chassis":{"@odata.id":"http://elsewhere/redfish/v1/Chassis"},"PowerEquipment":{"@odata.id":"//elsewhere/x"},
            "ThermalEquipment":{"@odata.id":"/redfish/v1/ThermalEquipment"},"Systems":{"@odata.id":"/redfish/v1/Systems"},"Members":[{"@odata.id":"/redfish/v1/a#/Temperatures/0"}]})";

} // namespace examples
