import { meterReport } from '../contract/meters/channels.ts'
import { statusReport } from '../contract/devices/channels/status.ts'
import type { Message } from '../device-link/outbox.ts'

/** What can go wrong between a device and the gateway. */
export const FAULTS = ['late', 'duplicate', 'reorder', 'malformed', 'range', 'future', 'die'] as const
export type Fault = (typeof FAULTS)[number]

/**
 * How often each fault happens, 0 to 1: per report sent, `die` per hub and second. Late, duplicated and reordered
 * reports still tell the truth; malformed, range and future ones are sent beside the true report, so that what must
 * arrive stays known.
 */
export type FaultRates = Partial<Record<Fault, number>>

/** One message to send, now or after a delay in ms. */
export interface Sending {
  message: Message
  delay: number
  /** It must be refused: what it says is not true. */
  lie: boolean
}

const DAY = 86_400_000

/** Cut somewhere, not JSON, wrong types, or nothing at all. */
const garbage = (payload: string, luck: number): string =>
  [
    payload.slice(0, Math.floor(payload.length / 2)),
    '\u0000\ufffd{"',
    '{"ThingName":7,"Readings":{}}',
    '[]',
    '',
  ][Math.floor(luck * 5)] as string

/** The report with something changed in each of its devices or readings. */
function changed(payload: string, change: (one: Record<string, unknown>) => Record<string, unknown>): string {
  const report = JSON.parse(payload) as Record<string, unknown>
  for (const list of ['Peripherals', 'Readings'])
    if (Array.isArray(report[list])) report[list] = (report[list] as Record<string, unknown>[]).map(change)
  return JSON.stringify(report)
}

const isReport = ({ topic }: Message) =>
  statusReport.match(topic) !== undefined || meterReport.match(topic) !== undefined

/**
 * Turns every report into what a bad day makes of it.
 *
 * random  numbers in [0, 1), e.g. a seeded stream
 * counts  is kept up to date with how often each fault happened
 */
export function createFaults(rates: FaultRates, random: () => number, counts: Record<Fault, number>) {
  const strikes = (fault: Fault): boolean => {
    const rate = rates[fault] ?? 0
    if (rate === 0 || random() >= rate) return false
    counts[fault]++
    return true
  }
  return {
    /** What is sent for one message; messages that are no reports pass unharmed. */
    plan(message: Message, now: number): Sending[] {
      if (!isReport(message)) return [{ message, delay: 0, lie: false }]
      const { topic, payload } = message
      const lie = (text: string): Sending => ({ message: { topic, payload: text }, delay: 0, lie: true })
      const sendings: Sending[] = []
      if (strikes('malformed')) sendings.push(lie(garbage(payload, random())))
      if (strikes('range'))
        sendings.push(
          lie(
            changed(payload, (one) => ({
              ...one,
              AccumulatePower: -1,
              Switch: 9,
              Switch1: 9,
              MotionState: 'yes',
              DoorState: 7,
            })),
          ),
        )
      if (strikes('future')) sendings.push(lie(changed(payload, (one) => ({ ...one, Timestamp: now + DAY }))))
      const delay = strikes('late') ? 5_000 + 115_000 * random() : strikes('reorder') ? 1_500 : 0
      sendings.push({ message, delay, lie: false })
      if (strikes('duplicate')) sendings.push({ message: { ...message }, delay, lie: false })
      return sendings
    },
    /** Whether a hub dies in a span of so many seconds. */
    dies(seconds: number): boolean {
      const rate = rates.die ?? 0
      if (rate === 0 || random() >= 1 - (1 - rate) ** seconds) return false
      counts.die++
      return true
    },
  }
}
