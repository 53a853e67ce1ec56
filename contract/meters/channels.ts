import { z } from 'zod'
import { MeterValues } from '../devices/capabilities/meter.ts'
import { right } from '../kernel/permissions.ts'
import { defineChannel } from '../kernel/define-channel.ts'
import { PeripheralUID, ThingName } from '../kernel/scalars.ts'

/** Meter reading: the counter in kWh at a time, and other reported values. */
export const MeterReading = MeterValues.extend({ PeripheralUID, Timestamp: z.number() })
export type MeterReading = z.infer<typeof MeterReading>

export const MAX_READINGS = 5000

/** Report of a hub. Readings are validated one by one, so that one faulty meter does not invalidate the whole batch: hence `unknown`. */
export const meterReport = defineChannel({
  template: '{rootId}/{homeId}/meter/report',
  summary: 'Meter readings, in batches, possibly late; acknowledged after they are stored.',
  publishers: ['hub'],
  subscribers: [],
  access: right('device', 'Read'),
  payload: z.object({ ThingName, Readings: z.array(z.unknown()).max(MAX_READINGS) }),
})
