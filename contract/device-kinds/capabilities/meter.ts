import { z } from 'zod'
import type { Capability } from '../capability.ts'

/** Bounds are physical plausibility, wide on purpose: what lies outside is a broken sensor, not a busy factory. */
const fields = {
  AccumulatePower: z.number().min(0).max(1e12),
  Power: z.number().min(-1e9).max(1e9),
  AvgElectricCurrent: z.number().min(0).max(655_350),
}
const withVoltage = { ...fields, Voltage: z.number().min(0).max(1e6), PowerFactor: z.number().min(-1).max(1) }

/** A meter that only counts up: AccumulatePower in kWh, Power in W, current in A, voltage in V where it is measured. */
export const meter = (options: { voltage: boolean }): Capability => ({
  name: 'meter',
  status: options.voltage ? withVoltage : fields,
  command: {},
  units: {
    AccumulatePower: 'kWh',
    Power: 'W',
    AvgElectricCurrent: 'A',
    ...(options.voltage && { Voltage: 'V' }),
  },
})

/** A reading as a hub reports it: the counter is required, the rest is what the meter knows. */
export const MeterValues = z.object(withVoltage).partial().required({ AccumulatePower: true })
export type MeterValues = z.infer<typeof MeterValues>
