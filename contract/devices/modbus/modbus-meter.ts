/** Meter fields (capabilities/meter.ts) that a Modbus value can be assigned to. */
export const METER_FIELDS = [
  'AccumulatePower',
  'AccumulateReturn',
  'Power',
  'AvgElectricCurrent',
  'Voltage',
  'PowerFactor',
  'Power1',
  'Power2',
  'Power3',
  'Voltage1',
  'Voltage2',
  'Voltage3',
  'Current1',
  'Current2',
  'Current3',
] as const
export type MeterField = (typeof METER_FIELDS)[number]

const KILO = 1_000
/** Factors from a unit to the unit of the field: kWh, W, A, V, or none. */
const FACTORS: Record<string, Record<string, number>> = {
  AccumulatePower: { Wh: 1 / KILO, kWh: 1, MWh: KILO },
  Power: { W: 1, kW: KILO, MW: KILO * KILO },
  Current: { mA: 1 / KILO, A: 1, kA: KILO },
  Voltage: { mV: 1 / KILO, V: 1, kV: KILO },
  PowerFactor: { '': 1, '%': 1 / 100 },
}
const quantityOf = (field: string): string =>
  field.includes('Current')
    ? 'Current'
    : field === 'AccumulateReturn'
      ? 'AccumulatePower'
      : field.replace(/\d$/, '')

/** Factor that converts a value in this unit to the field's unit; undefined if the unit does not fit. */
export const meterFactor = (field: string, unit: string): number | undefined =>
  FACTORS[quantityOf(field)]?.[unit]

/** Ranges of capabilities/meter.ts; a value outside would invalidate the whole reading. */
const BOUNDS: Record<string, readonly [number, number]> = {
  AccumulatePower: [0, 1e12],
  Power: [-1e9, 1e9],
  Current: [0, 655_350],
  Voltage: [0, 1e6],
  PowerFactor: [-1, 1],
}

/**
 * Meter fields among the values of a Modbus device, in the meter's units.
 *
 * values   by row key; unreadable values (null) and values out of range are left out
 * special  currents lose their sign; AvgElectricCurrent is the mean of the lines if no row provides it
 */
export function meterFieldsOf(
  rows: readonly { Key: string; Field: string | null; Unit: string }[],
  values: Readonly<Record<string, number | null>>,
): Partial<Record<MeterField, number>> {
  const fields: Partial<Record<MeterField, number>> = {}
  for (const { Key, Field, Unit } of rows) {
    const value = values[Key]
    if (Field === null || typeof value !== 'number') continue
    const quantity = quantityOf(Field)
    const converted = Number((value * (meterFactor(Field, Unit) ?? Number.NaN)).toPrecision(12))
    const shown = quantity === 'Current' ? Math.abs(converted) : converted
    const [min, max] = BOUNDS[quantity] ?? [0, -1]
    if (shown >= min && shown <= max) fields[Field as MeterField] = shown
  }
  const lines = [fields.Current1, fields.Current2, fields.Current3].filter((line) => line !== undefined)
  if (fields.AvgElectricCurrent === undefined && lines.length > 0)
    fields.AvgElectricCurrent = Number(
      (lines.reduce((sum, line) => sum + line, 0) / lines.length).toPrecision(12),
    )
  return fields
}
