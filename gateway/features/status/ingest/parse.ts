import { isRecord } from '../../../../contract/kernel/is-record.ts'
import { isExact } from '../../../../contract/kernel/parse-json.ts'
import { numberIn, type OddValue, readMembers } from '../../../../contract/kernel/read-valid.ts'
import { PeripheralUID as PeripheralID } from '../../../../contract/kernel/scalars.ts'
import { MAX_READINGS, MeterReading, meterReport } from '../../../../contract/meters/channels.ts'
import { MAX_REPORTED } from '../../../../contract/devices/channels/control.ts'
import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { capabilityOf, measuresVoltage } from '../../../../contract/devices/kinds/registry.ts'
import { parseStatusFields, readStatusFields } from '../../../../contract/devices/kinds/status.ts'
import { linePower } from '../../../domain/meters/meter-limit.ts'
import {
  CLOCK_TOLERANCE_MS,
  MAX_CLOCK_AHEAD_MS,
  toMillis,
} from '../../../../contract/devices/status-order.ts'
import type { HubClient, TopicMatch } from '../../../kernel/broker.ts'
import { parseHubBytes } from '../../../lib/parse-bytes.ts'
import { compileFastSchema } from './fast-schema.ts'
import type { IngestRejection } from './refusals.ts'
import { type Device, type Fault, type Report, secondRegisterOf } from './report.ts'

const isReading = compileFastSchema(MeterReading)

/** Part of a message about one device whose type is not known yet. */
export interface Part {
  uid: string
  /** The report of the known device, or its rejection. */
  check(device: Device, now: number): Report | RejectedReport
}

/** A part of a message that is not stored. */
export interface RejectedReport {
  rejection: IngestRejection
  faults: readonly Fault[]
}

/** The parts of a hub's message. */
export interface ParsedReport {
  parts: (Part | RejectedReport)[]
  /** Lead of the hub's clock in ms, from the message's own timestamp; 0 if it is not ahead. */
  aheadMs: number
}

/**
 * The parts of a hub's message, or the reason for refusing all of it.
 *
 * now  epoch ms
 */
export function parseMessage(
  { name, values }: TopicMatch,
  payload: Uint8Array,
  hub: HubClient,
  now: number,
): ParsedReport | IngestRejection {
  if (values['rootId'] !== hub.tenant || values['homeId'] !== hub.homeId) return 'foreignHome'
  const json = parseHubBytes(payload)
  if (name === 'statusReport') return parseStatus(json, hub, now)
  const { ThingName, Readings } = (json ?? {}) as { ThingName?: unknown; Readings?: unknown }
  // Fast check of the envelope; only a message that fails it is parsed by the full schema, to find the reason.
  if (ThingName === hub.thingName && Array.isArray(Readings) && Readings.length <= MAX_READINGS)
    return { parts: Readings.map(readingPart), aheadMs: 0 }
  return meterReport.payload.safeParse(json).success ? 'foreignHub' : 'malformed'
}

/** Validates devices one by one, so that an invalid one does not affect the others. */
function parseStatus(json: unknown, hub: HubClient, now: number): ParsedReport | IngestRejection {
  if (!isRecord(json)) return 'malformed'
  const { ThingName, Timestamp, Peripherals } = json
  if (typeof ThingName !== 'string' || !Array.isArray(Peripherals) || Peripherals.length > MAX_REPORTED)
    return 'malformed'
  if (ThingName !== hub.thingName) return 'foreignHub'
  const sentAt = timestampOf(Timestamp)
  // A message from the future was sent now, by a clock that is ahead: its other times are ahead by as much.
  const aheadMs = sentAt === undefined ? 0 : Math.max(0, sentAt - now)
  const shiftMs = aheadMs > CLOCK_TOLERANCE_MS ? aheadMs : 0
  const parts = Peripherals.map((part) => statusPart(part, { sentAt, shiftMs, now }))
  if (sentAt === undefined)
    parts.push({ rejection: 'timestamp', faults: [faultOf({ path: 'Timestamp', came: Timestamp })] })
  return { parts, aheadMs }
}

/** Time of a message by the hub's clock, epoch ms, undefined if it states none; `shiftMs` corrects a clock that is ahead, ms. */
interface SentMessage {
  sentAt: number | undefined
  shiftMs: number
  now: number
}

function statusPart(part: unknown, { sentAt, shiftMs, now }: SentMessage): Part | RejectedReport {
  if (!isRecord(part) || !PeripheralID.safeParse(part['PeripheralUID']).success)
    return rejectWithoutDevice(part)
  const rawTimestamp = part['Timestamp'] ?? undefined
  const ownTimestamp = timestampOf(rawTimestamp)
  return {
    uid: part['PeripheralUID'] as string,
    check(device) {
      const oddValues: OddValue[] = []
      if (rawTimestamp !== undefined && ownTimestamp === undefined)
        oddValues.push({ path: 'Timestamp', came: rawTimestamp })
      // Without any timestamp the report counts as current: no state is lost for lack of a clock.
      const measuredAt =
        (ownTimestamp ?? sentAt ?? now) -
        (ownTimestamp !== undefined && isRecent(ownTimestamp, now) ? 0 : shiftMs)
      const isAhead = measuredAt > now + CLOCK_TOLERANCE_MS
      const timestamp = isAhead ? now : measuredAt
      const values = parseStatusFields(device.type, part)
      if (!values)
        return {
          rejection: 'unknownType',
          faults: [{ field: 'PeripheralType', reason: 'unknownType', value: device.type }],
        }
      if (values.success && oddValues.length === 0 && !isAhead)
        return { device, timestamp, values: withLinePower(values.data, device) }
      const fields = values.success ? values.data : (readStatusFields(device.type, part, oddValues) ?? {})
      const faults = oddValues.map(faultOf)
      if (isAhead && ownTimestamp !== undefined)
        faults.push({ field: 'Timestamp', reason: 'clockAhead', value: measuredAt - now })
      return {
        device,
        timestamp,
        values: withLinePower(fields, device),
        ...(faults.length > 0 && { faults }),
      }
    },
  }
}

/** Maximum age of a device's own timestamp, in ms, at which it counts as correct although the message's timestamp is ahead. */
const MAX_RECENT_MS = 60_000
const isRecent = (timestamp: number, now: number): boolean =>
  timestamp <= now + CLOCK_TOLERANCE_MS && timestamp >= now - MAX_RECENT_MS

/** Rejection of a part that names no device. */
const rejectWithoutDevice = (part: unknown): RejectedReport => ({
  rejection: 'values',
  faults: [
    isRecord(part)
      ? faultOf({ path: 'PeripheralUID', came: part['PeripheralUID'] })
      : { field: '', reason: 'value', value: part },
  ],
})

/** Fault that follows from the value itself. */
const faultOf = ({ path, came }: OddValue): Fault => ({
  field: path,
  reason:
    came === undefined
      ? 'missing'
      : typeof came === 'number' && Number.isFinite(came) && !isExact(came)
        ? 'inexact'
        : 'value',
  value: came,
})

function readingPart(reading: unknown): Part | RejectedReport {
  return isReading(reading) ? validReading(reading, [], []) : repairedReading(reading)
}

/**
 * A reading whose fields are valid.
 *
 * unknown  fields that could not be used; stored as null if the meter's type has them
 */
function validReading(
  reading: MeterReading,
  unknown: readonly string[],
  faults: readonly Fault[],
  invalidReturn?: number,
): Part {
  return {
    uid: reading.PeripheralUID,
    check(device, now) {
      const timestamp = checkTimestamp(reading.Timestamp, now)
      if (typeof timestamp !== 'number') return timestamp
      const fields = meterFieldsOf(device.type)
      if (!fields)
        return { rejection: 'notAMeter', faults: [{ field: '', reason: 'notAMeter', value: undefined }] }
      // The values were validated above; this removes fields that the type does not have.
      const values: CommandValues = {}
      for (const field of fields) {
        const value = reading[field]
        if (value !== undefined) values[field] = value
      }
      for (const field of unknown) if (fields.includes(field as MeterField)) values[field] = null
      withLinePower(values, device)
      const { AccumulateReturn } = reading
      return {
        device,
        timestamp,
        values,
        ...(faults.length > 0 && { faults }),
        reading:
          (values['Power'] ?? undefined) === reading.Power
            ? reading
            : { ...reading, Power: values['Power'] as number },
        ...(AccumulateReturn !== undefined && {
          returnReport: {
            device: secondRegisterOf(device),
            timestamp,
            values: {},
            reading: { AccumulatePower: AccumulateReturn },
          },
        }),
        ...(invalidReturn !== undefined && {
          invalidReturn: { device: secondRegisterOf(device), timestamp, kwh: invalidReturn },
        }),
      }
    },
  }
}

/** Valid fields of a reading that has invalid ones: each field is validated by itself. */
function repairedReading(reading: unknown): Part | RejectedReport {
  if (!isRecord(reading) || !PeripheralID.safeParse(reading['PeripheralUID']).success)
    return rejectWithoutDevice(reading)
  const oddValues: OddValue[] = []
  const valid = readMembers(MeterReading.shape, reading, '', oddValues)
  const unknown = Object.keys(MeterReading.shape).filter(
    (field) => reading[field] !== undefined && valid[field] === undefined,
  )
  const { Timestamp, AccumulateReturn, AccumulatePower } = reading
  if (valid['Timestamp'] === undefined && !oddValues.some(({ path }) => path === 'Timestamp'))
    oddValues.push({ path: 'Timestamp', came: Timestamp ?? undefined })
  if (valid['AccumulatePower'] === undefined && !oddValues.some(({ path }) => path === 'AccumulatePower'))
    oddValues.push({ path: 'AccumulatePower', came: AccumulatePower ?? undefined })
  const faults = oddValues.map(faultOf)
  if (isReading(valid)) return validReading(valid, unknown, faults, invalidCounter(AccumulateReturn))
  return readingWithoutCounter(reading, valid, unknown, faults)
}

/** A counter that no meter can show, for a person to decide on. A rounded number is omitted: it is not the meter's counter. */
const invalidCounter = (raw: unknown): number | undefined => {
  const value = typeof raw === 'number' ? raw : numberIn(raw)
  if (value === undefined || !isExact(value) || MeterReading.shape.AccumulatePower.safeParse(value).success)
    return undefined
  return value
}

/** A reading without a usable counter: the rest of it is a status if its timestamp is valid. */
function readingWithoutCounter(
  reading: Record<string, unknown>,
  valid: Record<string, unknown>,
  unknown: readonly string[],
  faults: readonly Fault[],
): Part {
  const { PeripheralUID, Timestamp, ...values } = valid as Partial<MeterReading>
  const kwh = invalidCounter(reading['AccumulatePower'])
  return {
    uid: PeripheralUID as string,
    check(device, now) {
      const timestamp = checkTimestamp(Timestamp ?? Number.NaN, now)
      if (typeof timestamp !== 'number')
        return faults.some(({ field }) => field === 'Timestamp') ? { ...timestamp, faults } : timestamp
      const fields = meterFieldsOf(device.type)
      if (!fields)
        return { rejection: 'notAMeter', faults: [{ field: '', reason: 'notAMeter', value: undefined }] }
      const known: CommandValues = Object.fromEntries(
        Object.entries(values).filter(([field]) => fields.includes(field as MeterField)),
      )
      for (const field of unknown) if (fields.includes(field as MeterField)) known[field] = null
      const report = { device, timestamp, values: withLinePower(known, device), faults }
      return kwh === undefined ? report : { ...report, invalid: { device, timestamp, kwh } }
    },
  }
}

/** Adds the power of a meter that reports only current on a line of known voltage. */
function withLinePower(values: CommandValues, { type, line }: Device): CommandValues {
  const amperes = values['AvgElectricCurrent']
  if (line && typeof amperes === 'number' && values['Power'] === undefined && !measuresVoltage(type))
    values['Power'] = linePower(amperes, line)
  return values
}

type MeterField = Exclude<keyof MeterReading, 'PeripheralUID' | 'Timestamp'>
const meterFields = new Map<string, readonly MeterField[] | undefined>()

/** Fields that a meter of this type reports; undefined for a type that is no meter. */
function meterFieldsOf(type: string): readonly MeterField[] | undefined {
  let fields = meterFields.get(type)
  if (!fields && !meterFields.has(type)) {
    const meter = capabilityOf(type, 'meter')
    fields = meter && (Object.keys(meter.status) as MeterField[])
    meterFields.set(type, fields)
  }
  return fields
}

/** Epoch ms, or the rejection of an invalid timestamp or of one further ahead than clocks drift (§4). */
function checkTimestamp(timestamp: number, now: number): number | RejectedReport {
  const millis = toMillis(timestamp)
  if (millis === undefined)
    return { rejection: 'timestamp', faults: [faultOf({ path: 'Timestamp', came: timestamp })] }
  if (millis <= now + MAX_CLOCK_AHEAD_MS) return millis
  return {
    rejection: 'timestampAhead',
    faults: [{ field: 'Timestamp', reason: 'clockAhead', value: millis - now }],
  }
}

/** Epoch ms of a message's Timestamp, which may be a string; undefined if missing or invalid. */
function timestampOf(timestamp: unknown): number | undefined {
  const number = typeof timestamp === 'number' ? timestamp : numberIn(timestamp)
  return number === undefined ? undefined : toMillis(number)
}
