import { z } from 'zod'
import { MeterReading, meterReport } from '../../contract/channels/meter.ts'
import { MAX_REPORTED, statusReport } from '../../contract/channels/status.ts'
import type { CommandValues } from '../../contract/device-kinds/capability.ts'
import { capabilityOf } from '../../contract/device-kinds/registry.ts'
import { parseStatusFields, ReportedPeripheral } from '../../contract/device-kinds/status.ts'
import { MAX_CLOCK_AHEAD_MS, toMillis } from '../../contract/rules/status-order.ts'
import type { HubClient, TopicMatch } from '../broker/port.ts'
import type { Refusal } from './refusals.ts'
import type { Device, Report } from './report.ts'

/** The envelope alone: devices are checked one by one, so that a broken one does not cost the others. */
const StatusEnvelope = statusReport.payload.extend({ Peripherals: z.array(z.unknown()).max(MAX_REPORTED) })

/** A part of a report that is about one device whose type is not known yet. */
export interface Part {
  uid: string
  /** Makes the report once the device is known, or says why not. */
  check(device: Device, now: number): Report | Refusal
}

/** The parts of a hub's message, or why the whole of it is refused. */
export function parseMessage(
  { name, values }: TopicMatch,
  payload: Uint8Array,
  hub: HubClient,
): (Part | Refusal)[] | Refusal {
  if (values['rootId'] !== hub.tenant || values['homeId'] !== hub.homeId) return 'foreignHome'
  const json = parseJson(payload)
  if (name === 'statusReport') {
    const envelope = StatusEnvelope.safeParse(json)
    if (!envelope.success) return 'malformed'
    const { ThingName, Timestamp, Peripherals } = envelope.data
    return ThingName === hub.thingName ? Peripherals.map((part) => statusPart(part, Timestamp)) : 'foreignHub'
  }
  const envelope = meterReport.payload.safeParse(json)
  if (!envelope.success) return 'malformed'
  const { ThingName, Readings } = envelope.data
  return ThingName === hub.thingName ? Readings.map(readingPart) : 'foreignHub'
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
      return values.success ? { device, timestamp, values: values.data } : 'values'
    },
  }
}

function readingPart(part: unknown): Part | Refusal {
  const parsed = MeterReading.safeParse(part)
  if (!parsed.success) return 'values'
  const { PeripheralUID, Timestamp, ...reading } = parsed.data
  return {
    uid: PeripheralUID,
    check(device, now) {
      const timestamp = checkTimestamp(Timestamp, now)
      if (typeof timestamp === 'string') return timestamp
      const meter = capabilityOf(device.type, 'meter')
      if (!meter) return 'notAMeter'
      // Already checked above; here only what this type does not have falls away.
      const values: CommandValues = {}
      for (const field in reading)
        if (field in meter.status) values[field] = reading[field as keyof typeof reading]
      return { device, timestamp, values, reading }
    },
  }
}

/** Epoch ms, or why it cannot be: no moment at all, or further ahead than clocks drift (§4). */
function checkTimestamp(timestamp: number, now: number): number | 'timestamp' | 'timestampAhead' {
  const millis = toMillis(timestamp)
  if (millis === undefined) return 'timestamp'
  return millis > now + MAX_CLOCK_AHEAD_MS ? 'timestampAhead' : millis
}

/** The message's JSON; undefined, which no envelope accepts, when it is none. */
function parseJson(payload: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString())
  } catch {
    return undefined
  }
}
