import { z } from 'zod'
import { isExact } from '../../../../contract/kernel/parse-json.ts'
import { MAX_READINGS, MeterReading, meterReport } from '../../../../contract/channels/meter.ts'
import { MAX_REPORTED, statusReport } from '../../../../contract/channels/status.ts'
import type { CommandValues } from '../../../../contract/device-kinds/capability.ts'
import { capabilityOf, measuresVoltage } from '../../../../contract/device-kinds/registry.ts'
import { parseStatusFields, ReportedPeripheral } from '../../../../contract/device-kinds/status.ts'
import { linePower } from '../../../../contract/rules/meter/line-power.ts'
import { MAX_CLOCK_AHEAD_MS, toMillis } from '../../../../contract/rules/device/status-order.ts'
import type { HubClient, TopicMatch } from '../../../broker/port.ts'
import { parseBytes } from '../../../lib/parse-bytes.ts'
import { compileCheck } from './plain-check.ts'
import type { Refusal } from './refusals.ts'
import { type Device, type Report, secondOf } from './report.ts'

/** The envelope alone: devices are checked one by one, so that a broken one does not cost the others. */
const StatusEnvelope = statusReport.payload.extend({ Peripherals: z.array(z.unknown()).max(MAX_REPORTED) })

const isReading = compileCheck(MeterReading)

/** A part of a report that is about one device whose type is not known yet. */
export interface Part {
  uid: string
  /** Makes the report once the device is known, or says why not. */
  check(device: Device, now: number): Report | Refusal
  /** Of a reading that no meter can show: what can be kept of it for a person to judge. */
  invalid?(now: number): { timestamp: number; kwh: number } | undefined
}

/** The parts of a hub's message, or why the whole of it is refused. */
export function parseMessage(
  { name, values }: TopicMatch,
  payload: Uint8Array,
  hub: HubClient,
): (Part | Refusal)[] | Refusal {
  if (values['rootId'] !== hub.tenant || values['homeId'] !== hub.homeId) return 'foreignHome'
  const json = parseBytes(payload)
  if (name === 'statusReport') {
    const envelope = StatusEnvelope.safeParse(json)
    if (!envelope.success) return 'malformed'
    const { ThingName, Timestamp, Peripherals } = envelope.data
    return ThingName === hub.thingName ? Peripherals.map((part) => statusPart(part, Timestamp)) : 'foreignHub'
  }
  const { ThingName, Readings } = (json ?? {}) as { ThingName?: unknown; Readings?: unknown }
  // The envelope as its schema has it, for the hub that this is; anybody else's is asked for in full.
  if (ThingName === hub.thingName && Array.isArray(Readings) && Readings.length <= MAX_READINGS)
    return Readings.map(readingPart)
  return meterReport.payload.safeParse(json).success ? 'foreignHub' : 'malformed'
}

function statusPart(part: unknown, reportedAt: number): Part | Refusal {
  const parsed = ReportedPeripheral.safeParse(part)
  if (!parsed.success) return 'values'
  const { PeripheralUID, Timestamp = reportedAt } = parsed.data
  return {
    uid: PeripheralUID,
    check(device, now) {
      const timestamp = checkTimestamp(Timestamp, now)
      if (typeof timestamp === 'string') return timestamp
      const values = parseStatusFields(device.type, part)
      if (!values) return 'unknownType'
      if (!values.success) return isRounded(part) ? 'inexact' : 'values'
      return { device, timestamp, values: withLinePower(values.data, device) }
    },
  }
}

function readingPart(reading: unknown): Part | Refusal {
  if (!isReading(reading)) return withoutSecond(reading) ?? invalidPart(reading)
  return {
    uid: reading.PeripheralUID,
    check(device, now) {
      const timestamp = checkTimestamp(reading.Timestamp, now)
      if (typeof timestamp === 'string') return timestamp
      const fields = meterFieldsOf(device.type)
      if (!fields) return 'notAMeter'
      // Already checked above; here only what this type does not have falls away.
      const values: CommandValues = {}
      for (const field of fields) {
        const value = reading[field]
        if (value !== undefined) values[field] = value
      }
      withLinePower(values, device)
      const { AccumulateReturn } = reading
      return {
        device,
        timestamp,
        values,
        reading:
          values['Power'] === reading.Power ? reading : { ...reading, Power: values['Power'] as number },
        ...(AccumulateReturn !== undefined && {
          second: {
            device: secondOf(device),
            timestamp,
            values: {},
            reading: { AccumulatePower: AccumulateReturn },
          },
        }),
      }
    },
  }
}

/** A reading of which only the second register cannot be: the first one counts all the same. */
function withoutSecond(reading: unknown): Part | undefined {
  const { AccumulateReturn, ...first } = (reading ?? {}) as { AccumulateReturn?: unknown }
  if (AccumulateReturn === undefined || !isReading(first)) return undefined
  const part = readingPart(first)
  if (typeof part === 'string') return undefined
  return {
    uid: part.uid,
    check(device, now) {
      const report = part.check(device, now)
      if (typeof report === 'string' || typeof AccumulateReturn !== 'number' || !isExact(AccumulateReturn))
        return report
      const { timestamp } = report
      return { ...report, invalidSecond: { device: secondOf(device), timestamp, kwh: AccumulateReturn } }
    },
  }
}

/** A reading whose values cannot be, as long as meter, moment and counter can be told. */
function invalidPart(reading: unknown): Part | Refusal {
  const parsed = InvalidReading.safeParse(reading)
  if (!parsed.success) return 'values'
  const { PeripheralUID, Timestamp, AccumulatePower } = parsed.data
  // What was rounded is not what the meter said: nobody could judge it.
  if (!isExact(AccumulatePower)) return { uid: PeripheralUID, check: () => 'inexact' }
  return {
    uid: PeripheralUID,
    check: () => 'values',
    invalid(now) {
      const timestamp = checkTimestamp(Timestamp, now)
      return typeof timestamp === 'string' ? undefined : { timestamp, kwh: AccumulatePower }
    },
  }
}

/** Whether one of a device's values is a number that JSON could not bring here as it was written. */
const isRounded = (part: unknown): boolean =>
  Object.values(part as object).some((value) => typeof value === 'number' && !isExact(value))

const InvalidReading = MeterReading.pick({ PeripheralUID: true, Timestamp: true }).extend({
  AccumulatePower: z.number(),
})

/** Adds the power of a meter that reports only current on a line of known voltage. */
function withLinePower(values: CommandValues, { type, line }: Device): CommandValues {
  const amperes = values['AvgElectricCurrent']
  if (line && typeof amperes === 'number' && values['Power'] === undefined && !measuresVoltage(type))
    values['Power'] = linePower(amperes, line)
  return values
}

type MeterField = Exclude<keyof MeterReading, 'PeripheralUID' | 'Timestamp'>
const meterFields = new Map<string, readonly MeterField[] | undefined>()

/** What a meter of this type reports; undefined for a type that is no meter. */
function meterFieldsOf(type: string): readonly MeterField[] | undefined {
  let fields = meterFields.get(type)
  if (!fields && !meterFields.has(type)) {
    const meter = capabilityOf(type, 'meter')
    fields = meter && (Object.keys(meter.status) as MeterField[])
    meterFields.set(type, fields)
  }
  return fields
}

/** Epoch ms, or why it cannot be: no moment at all, or further ahead than clocks drift (§4). */
function checkTimestamp(timestamp: number, now: number): number | 'timestamp' | 'timestampAhead' {
  const millis = toMillis(timestamp)
  if (millis === undefined) return 'timestamp'
  return millis > now + MAX_CLOCK_AHEAD_MS ? 'timestampAhead' : millis
}
