import {
  type Component,
  momentsOf,
  parseCalendar,
  type Property,
  propertyOf,
  startsOf,
  textOf,
  valueOf,
} from './icalendar.ts'

/** Entry shown in a person's calendar. */
export interface Entry {
  start: number
  end: number
  subject: string
  place: string
}

/** One event of a calendar with its exceptions; null for a cancelled occurrence. */
interface Event {
  sequence: number
  entries: Map<number, Entry | null>
}

/** Calendar program that receives a person's emailed invitations and applies them (RFC 5546 §3.2). */
export function createCalendarProgram() {
  const events = new Map<string, Event>()
  return {
    /** Applies the calendar part of an email; throws if a program could not parse it or would ignore it as outdated. */
    receive(text: string): void {
      const calendar = parseCalendar(text)
      const method = valueOf(calendar, 'METHOD')
      const parts = calendar.components.filter(({ name }) => name === 'VEVENT')
      const uids = new Set(parts.map((part) => valueOf(part, 'UID')))
      if (uids.size !== 1) throw new Error('One message is on one event')
      const [uid] = [...uids] as [string]
      if (method === 'PUBLISH') return
      const sequence = Number(valueOf(parts[0] as Component, 'SEQUENCE'))
      const knownEvent = events.get(uid)
      for (const part of parts) check(part, method, sequence)
      if (knownEvent && sequence <= knownEvent.sequence) throw new Error(`${uid} came with an old SEQUENCE`)
      const series = parts.find((part) => !propertyOf(part, 'RECURRENCE-ID'))
      if (method === 'CANCEL' && series) {
        if (!knownEvent) throw new Error('What is cancelled was not there')
        events.delete(uid)
        return
      }
      const entries = series
        ? entriesOf(calendar, series)
        : (knownEvent?.entries ?? new Map<number, Entry | null>())
      for (const part of parts) {
        const id = propertyOf(part, 'RECURRENCE-ID')
        if (!id) continue
        const [startTime = Number.NaN] = momentsOf(calendar, id)
        if (!entries.has(startTime)) throw new Error('An occurrence that is not there cannot change')
        entries.set(startTime, method === 'CANCEL' ? null : entryOf(calendar, part))
      }
      events.set(uid, { sequence, entries })
    },
    /** Sorted by start. */
    shown: (): Entry[] =>
      [...events.values()]
        .flatMap(({ entries }) => [...entries.values()])
        .filter((entry) => entry !== null)
        .toSorted((a, b) => a.start - b.start),
  }
}

/** Requirements of RFC 5546 §3.2.2 and §3.2.5 for a part. */
function check(part: Component, method: string, sequence: number): void {
  if (method !== 'REQUEST' && method !== 'CANCEL') throw new Error(`METHOD:${method}`)
  for (const name of ['UID', 'DTSTAMP', 'DTSTART', 'ORGANIZER', 'SUMMARY'])
    if (!valueOf(part, name)) throw new Error(`${name} is missing`)
  if (!/^mailto:\S+@\S+$/.test(valueOf(part, 'ORGANIZER'))) throw new Error('ORGANIZER is no address')
  if (!part.properties.some(({ name, value }) => name === 'ATTENDEE' && /^mailto:\S+@\S+$/.test(value)))
    throw new Error('ATTENDEE is missing')
  if (Number(valueOf(part, 'SEQUENCE')) !== sequence) throw new Error('Parts have different SEQUENCEs')
  if (valueOf(part, 'STATUS') !== (method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED')) throw new Error('STATUS')
}

function entriesOf(calendar: Component, series: Component): Map<number, Entry | null> {
  const first = entryOf(calendar, series)
  return new Map(
    startsOf(calendar, series).map((start) => [
      start,
      // DTEND defines the duration of each occurrence (RFC 5545 §3.8.5.3).
      { ...first, start, end: start + first.end - first.start },
    ]),
  )
}

function entryOf(calendar: Component, part: Component): Entry {
  const at = (name: string) => momentsOf(calendar, propertyOf(part, name) as Property)[0] as number
  return {
    start: at('DTSTART'),
    end: at('DTEND'),
    subject: textOf(part, 'SUMMARY'),
    place: textOf(part, 'LOCATION'),
  }
}
