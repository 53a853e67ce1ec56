import { z } from 'zod'
import { oneOf, type Capability, type Choices } from './capability.ts'

const Ampere = z.number().min(0).max(655_350)
const Watt = z.number().min(-1e9).max(1e9)
const Volt = z.number().min(0).max(1e6)

/** Phase shift of the current relative to the voltage (§4). */
export const PHASE_SHIFTS: Choices = [
  [0, 'none'],
  [1, 'lag'],
  [2, 'lead'],
]

/** The ranges are deliberately wide: values outside are physically implausible and indicate a broken sensor. */
const Counter = z.number().min(0).max(1e12)
const fields = {
  AccumulatePower: Counter,
  AccumulateReturn: Counter,
  Power: Watt,
  AvgElectricCurrent: Ampere,
}
const withVoltage = {
  ...fields,
  Voltage: Volt,
  PowerFactor: z.number().min(-1).max(1),
  PhaseShift: oneOf(PHASE_SHIFTS),
}

const lineFields = (line: number) => ({
  [`Power${line}`]: Watt,
  [`Voltage${line}`]: Volt,
  [`Current${line}`]: Ampere,
})
const lines = (count: number) =>
  Object.assign({}, ...Array.from({ length: count }, (_, i) => lineFields(i + 1))) as Record<
    string,
    z.ZodNumber
  >
const MAX_LINES = 3

const unitOf = (field: string): string | undefined =>
  field.startsWith('Accumulate')
    ? 'kWh'
    : /^Power\d?$/.test(field)
      ? 'W'
      : field.includes('Current')
        ? 'A'
        : field.startsWith('Voltage')
          ? 'V'
          : undefined

/**
 * Meter with increasing counters: AccumulatePower in kWh, AccumulateReturn for the other direction if it has a second register,
 * Power in W, current in A, voltage in V if measured.
 *
 * phases  number of lines that are also measured separately: Power1, Voltage1, Current1, Power2 …
 */
export function meter({ voltage, phases = 0 }: { voltage: boolean; phases?: 0 | 2 | 3 }): Capability {
  const status: Record<string, z.ZodType> = voltage ? { ...withVoltage, ...lines(phases) } : fields
  return {
    name: 'meter',
    status,
    command: {},
    units: Object.fromEntries(
      Object.keys(status).flatMap((field) => {
        const unit = unitOf(field)
        return unit === undefined ? [] : [[field, unit]]
      }),
    ),
    summary: ['Power', 'AccumulatePower'],
    ...(voltage && { choices: { PhaseShift: PHASE_SHIFTS } }),
  }
}

/** Reading as a hub reports it: the counter is required, the other fields depend on the meter. */
export const MeterValues = z
  .object({ ...withVoltage, ...(lines(MAX_LINES) as Record<never, z.ZodNumber>) })
  .partial()
  .required({ AccumulatePower: true })
