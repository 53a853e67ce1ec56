import { meterReport } from '../../contract/meters/channels.ts'
import { statusReport } from '../../contract/devices/channels/control.ts'
import type { Message } from '../../device-link/outbox.ts'

/** Kinds of faults between a device and the gateway. */
export const FAULTS = ['late', 'duplicate', 'reorder', 'malformed', 'range', 'future', 'die'] as const
export type Fault = (typeof FAULTS)[number]

/**
 * Probability of each fault, 0 to 1: per report sent, `die` per hub and second. Late, duplicated and reordered reports are true;
 * malformed, range and future ones are sent in addition to the true report, so that the expected result stays known.
 */
export type FaultRates = Partial<Record<Fault, number>>

/** One message to send, now or after a delay in ms. */
export interface Sending {
  message: Message
  delayMs: number
  /** Whether its content is false; the gateway must reject it. */
  isFalse: boolean
}

const DAY = 86_400_000

/** Garbles a payload: truncated, not JSON, wrong types, or empty. */
const garbage = (payload: string, randomValue: number): string =>
  [
    payload.slice(0, Math.floor(payload.length / 2)),
    '\u0000\ufffd{"',
    '{"ThingName":7,"Readings":{}}',
    '[]',
    '',
  ][Math.floor(randomValue * 5)] as string

/** The report with a change applied to each of its devices or readings. */
function changed(payload: string, change: (one: Record<string, unknown>) => Record<string, unknown>): string {
  const report = JSON.parse(payload) as Record<string, unknown>
  for (const list of ['Peripherals', 'Readings'])
    if (Array.isArray(report[list])) report[list] = (report[list] as Record<string, unknown>[]).map(change)
  return JSON.stringify(report)
}

const isReport = ({ topic }: Message) =>
  statusReport.match(topic) !== undefined || meterReport.match(topic) !== undefined

/**
 * Applies random faults to reports.
 *
 * random  numbers in [0, 1), e.g. a seeded stream
 * counts  incremented for each fault that happens
 */
export function createFaults(rates: FaultRates, random: () => number, counts: Record<Fault, number>) {
  const occurs = (fault: Fault): boolean => {
    const rate = rates[fault] ?? 0
    if (rate === 0 || random() >= rate) return false
    counts[fault]++
    return true
  }
  return {
    /** Messages to send for one message; messages that are not reports pass unchanged. */
    plan(message: Message, now: number): Sending[] {
      if (!isReport(message)) return [{ message, delayMs: 0, isFalse: false }]
      const { topic, payload } = message
      const falseReport = (text: string): Sending => ({
        message: { topic, payload: text },
        delayMs: 0,
        isFalse: true,
      })
      const deliveries: Sending[] = []
      if (occurs('malformed')) deliveries.push(falseReport(garbage(payload, random())))
      if (occurs('range'))
        deliveries.push(
          falseReport(
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
      if (occurs('future'))
        deliveries.push(falseReport(changed(payload, (one) => ({ ...one, Timestamp: now + DAY }))))
      const delayMs = occurs('late') ? 5_000 + 115_000 * random() : occurs('reorder') ? 1_500 : 0
      deliveries.push({ message, delayMs, isFalse: false })
      if (occurs('duplicate')) deliveries.push({ message: { ...message }, delayMs, isFalse: false })
      return deliveries
    },
    /** Whether a hub dies within a period of `seconds`. */
    isPowerLost(seconds: number): boolean {
      const rate = rates.die ?? 0
      if (rate === 0 || random() >= 1 - (1 - rate) ** seconds) return false
      counts.die++
      return true
    },
  }
}
