import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Alarm, alarms } from '../contract/alarms/calls.ts'
import type { Clock } from '../gateway/kernel/ports.ts'
import type { Fleet } from '../simulator/fleet.ts'
import type { Call } from './api.ts'

/** Interval in ms between two checks for acknowledged alarms. */
const CHECK_INTERVAL_MS = 15_000
/** Delay in ms between the acknowledgement of an alarm and the repair. */
const REPAIR_DELAY_MS = 120_000

/** Completed repairs, persistent across restarts. */
export interface Repairs {
  /** PeripheralUIDs, and ThingNames of hubs. */
  done: ReadonlySet<string>
  record(name: string): void
}

/** Reads the file of repairs; empty if it does not exist. */
export function readRepairs(path: string): Repairs {
  const done = new Set(existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as string[]) : [])
  return {
    done,
    record(name) {
      done.add(name)
      writeFileSync(path, JSON.stringify([...done]))
    },
  }
}

/** The device or hub that an alarm requires a person to visit: a hub without power, a silent or broken device; null for other alarms. */
const placeOf = ({ Kind, PeripheralUID, ThingName }: Alarm): string | null =>
  Kind === 'hubLost' ? ThingName : Kind === 'silent' || Kind === 'state' ? PeripheralUID : null

/**
 * Simulates repairs on site, two minutes after a person has acknowledged the alarm: a hub gets its power
 * back, a silent meter and a faulty sensor are repaired.
 */
export async function repairAcknowledged(
  call: Call,
  fleet: Pick<Fleet, 'powerOn' | 'repair'>,
  repairs: Repairs,
  now: number,
): Promise<void> {
  const { Rows } = await call(alarms.listAlarm, { State: 'acknowledged', Limit: 200 })
  for (const alarm of Rows) {
    const place = placeOf(alarm)
    const dueAt = (alarm.Acknowledged?.At ?? Infinity) + REPAIR_DELAY_MS
    if (place === null || repairs.done.has(place) || now < dueAt) continue
    if (alarm.Kind === 'hubLost') await fleet.powerOn(place)
    else fleet.repair(place)
    repairs.record(place)
  }
}

/** Repairs acknowledged devices periodically until stopped. */
export function startRepairs({
  call,
  fleet,
  repairs,
  clock,
}: {
  call: Call
  fleet: Fleet
  repairs: Repairs
  clock: Pick<Clock, 'now'>
}): () => void {
  let last = ''
  const timer = setInterval(() => {
    repairAcknowledged(call, fleet, repairs, clock.now()).catch((error: unknown) => {
      const text = String(error)
      if (text !== last) console.error(`  Nobody could see to what is wrong: ${text}`)
      last = text
    })
  }, CHECK_INTERVAL_MS)
  return () => clearInterval(timer)
}
