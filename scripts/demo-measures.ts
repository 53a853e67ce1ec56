import { findings } from '../contract/findings/calls.ts'
import { dayOf, formatDay } from '../contract/time/periods.ts'
import { home as homeResource } from '../contract/homes/home.ts'
import { peripheral } from '../contract/devices/peripheral.ts'
import type { Story } from '../simulator/demo/story.ts'
import type { Call } from './api.ts'

/**
 * Records the past energy-saving measures of the demo, so that the product measures the savings. Run it before the past is filled in:
 * days that are added later are not measured.
 *
 * until  epoch ms at which the past ends
 */
export async function recordMeasures(call: Call, measures: Story['measures'], until: number): Promise<void> {
  if (Object.keys(measures).length === 0) return
  for (const { HomeID, HomeName, TimeZone } of await call(homeResource.operations.list, {})) {
    const measure = measures[HomeName]
    if (!measure) continue
    const { Peripherals } = await call(peripheral.operations.list, { HomeID })
    const meter = Peripherals.find(({ PeripheralName }) => PeripheralName === measure.meter)
    if (!meter) continue
    await call(findings.recordMeasure, {
      HomeID,
      MeterID: meter.PeripheralUID,
      MeasureName: measure.name,
      DoneOn: formatDay(dayOf(until, TimeZone) - measure.day),
    })
  }
}
