import { z } from 'zod'
import { topics } from '../channels/table.ts'
import { MeterValues } from '../devices/capabilities/meter.ts'
import { defineChannel } from '../kernel/define-channel.ts'
import { PeripheralUID, ThingName } from '../kernel/scalars.ts'

/** Meter reading: the counter in kWh at a time, and other reported values. */
export const MeterReading = MeterValues.extend({ PeripheralUID, Timestamp: z.number() })
export type MeterReading = z.infer<typeof MeterReading>

export const MAX_READINGS = 5000

/** Report of a hub. Readings are validated one by one, so that one faulty meter does not invalidate the whole batch: hence `unknown`. */
export const meterReport = defineChannel(
  topics.meterReport,
  z.object({ ThingName, Readings: z.array(z.unknown()).max(MAX_READINGS) }),
)
