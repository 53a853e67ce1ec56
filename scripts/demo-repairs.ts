import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Alarm, alarms } from '../contract/alarms/calls.ts'
import type { Fleet } from '../simulator/fleet.ts'
import type { Call } from './api.ts'

/** ms between two looks at what people know of. */
const EVERY = 15_000
/** After somebody has said that they know of an alarm, ms that it takes until somebody has been there. */
const REPAIR_DELAY_MS = 120_000

/** What somebody has seen to, kept across restarts. */
export interface Repairs {
  /** PeripheralUIDs, and ThingNames of hubs. */
  done: ReadonlySet<string>
  note(name: string): void
}

/** Reads the file in which repairs are kept; none where there is no file yet. */
export function readRepairs(path: string): Repairs {
  const done = new Set(existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as string[]) : [])
  return {
    done,
    note(name) {
      done.add(name)
      writeFileSync(path, JSON.stringify([...done]))
    },
  }
}

/** What an alarm is about, if it is something that somebody has to go to: a hub without power, a silent or broken device. */
const placeOf = ({ Kind, PeripheralUID, ThingName }: Alarm): string | null =>
  Kind === 'hubLost' ? ThingName : Kind === 'silent' || Kind === 'state' ? PeripheralUID : null

/**
 * Sees to what nobody can set right from a screen, two minutes after a person has acknowledged its alarm: a hub gets its power
 * again, a silent meter and a faulty sensor are mended.
 */
export async function repairAcknowledged(
  call: Call,
  fleet: Pick<Fleet, 'find' | 'repair'>,
  repairs: Repairs,
  now: number,
): Promise<void> {
  const { Rows } = await call(alarms.listAlarm, { State: 'acknowledged', Limit: 200 })
  for (const alarm of Rows) {
    const place = placeOf(alarm)
    const due = (alarm.Acknowledged?.At ?? Infinity) + REPAIR_DELAY_MS
    if (place === null || repairs.done.has(place) || now < due) continue
    if (alarm.Kind === 'hubLost') await fleet.find(place)
    else fleet.repair(place)
    repairs.note(place)
  }
}

/** Repairs what is acknowledged until it is stopped. */
export function startRepairs({
  call,
  fleet,
  repairs,
}: {
  call: Call
  fleet: Fleet
  repairs: Repairs
}): () => void {
  let last = ''
  const timer = setInterval(() => {
    repairAcknowledged(call, fleet, repairs, Date.now()).catch((error: unknown) => {
      const text = String(error)
      // A gateway that is away is told of once.
      if (text !== last) console.error(`  Nobody could see to what is wrong: ${text}`)
      last = text
    })
  }, EVERY)
  return () => clearInterval(timer)
}
