import type { z } from 'zod'
import { InfoReported, MAX_REGISTERED, Registered } from '../../../../contract/devices/channels/shadow.ts'
import type { ShadowName } from '../../../../contract/devices/shadow-names.ts'
import { isRecord } from '../../../../contract/kernel/is-record.ts'
import { type OddValue, readValid } from '../../../../contract/kernel/read-valid.ts'
import { HomeID } from '../../../../contract/kernel/scalars.ts'

/** Matches a NUL or an unpaired surrogate in JSON, which PostgreSQL cannot store in a text. */
export const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

type Fields = Record<string, unknown>

/**
 * The valid part of what a hub reports of itself or its devices; fields and devices are validated one by one.
 *
 * oddValues      receives the omitted values
 * refused  path of the first invalid value, if nothing valid is left
 */
export function readReported(
  shadowName: ShadowName,
  reported: Fields,
  oddValues: OddValue[],
): { reported: Fields; refused?: string } {
  if (shadowName === 'info') {
    const valid = keepValidFields(reported, InfoReported.shape, '', oddValues)
    const isEmpty = oddValues.length > 0 && Object.keys(valid).length === 0
    return { reported: valid, ...(isEmpty && { refused: oddValues[0]?.path ?? '' }) }
  }
  const { Peripherals, ...others } = keepValidFields(reported, { homeID: HomeID }, '', oddValues)
  // Null removes a leaf.
  if (Peripherals === undefined || Peripherals === null)
    return { reported: Peripherals === null ? { ...others, Peripherals } : others }
  if (!Array.isArray(Peripherals)) return { reported: others, refused: 'Peripherals' }
  const devices = Peripherals.flatMap((item: unknown, i) => {
    const device = i < MAX_REGISTERED ? readDevice(item, i, oddValues) : undefined
    if (i === MAX_REGISTERED) oddValues.push({ path: `Peripherals.${i}`, came: item })
    return device ? [device] : []
  })
  if (devices.length === 0 && Peripherals.length > 0)
    return { reported: others, refused: oddValues[0]?.path ?? 'Peripherals' }
  return { reported: { ...others, Peripherals: devices } }
}

/** An announced device; undefined without a valid id and type. An invalid name or version is omitted. */
function readDevice(item: unknown, i: number, oddValues: OddValue[]): Fields | undefined {
  if (!isRecord(item)) {
    oddValues.push({ path: `Peripherals.${i}`, came: item })
    return undefined
  }
  // An empty name counts as none.
  const withoutEmpty: Fields = Object.fromEntries(
    Object.entries(item).filter(([, value]) => value !== null && value !== ''),
  )
  const { PeripheralUID, PeripheralType } = withoutEmpty
  const hasId = Registered.shape.PeripheralUID.safeParse(PeripheralUID).success
  const path = `Peripherals.${hasId ? String(PeripheralUID) : i}`
  if (typeof PeripheralType === 'number') withoutEmpty['PeripheralType'] = String(PeripheralType)
  const device = keepValidFields(withoutEmpty, Registered.shape, `${path}.`, oddValues)
  if (device['PeripheralUID'] === undefined || device['PeripheralType'] === undefined) {
    for (const field of ['PeripheralUID', 'PeripheralType'])
      if (withoutEmpty[field] === undefined) oddValues.push({ path: `${path}.${field}`, came: undefined })
    return undefined
  }
  return UNSTORABLE.test(JSON.stringify(device))
    ? Object.fromEntries(Object.entries(device).filter(([field]) => field in Registered.shape))
    : device
}

/** The fields without the invalid ones, by their schemas; null stays, because it removes a leaf. */
function keepValidFields(
  fields: Fields,
  shape: Readonly<Record<string, z.ZodType>>,
  path: string,
  oddValues: OddValue[],
): Fields {
  const valid: Fields = { ...fields }
  for (const [field, schema] of Object.entries(shape)) {
    const value = fields[field]
    if (value === undefined || value === null) continue
    const isStorable = !UNSTORABLE.test(JSON.stringify(value))
    const read = isStorable ? readValid(schema, value, path + field, oddValues) : undefined
    if (!isStorable) oddValues.push({ path: path + field, came: value })
    if (read === undefined) delete valid[field]
    else valid[field] = read
  }
  return valid
}
