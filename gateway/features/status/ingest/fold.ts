import { eventValuesOf } from '../../../../contract/devices/kinds/history-fields.ts'
import { replaces as replacesValues } from '../../../../contract/devices/merge-status.ts'
import type { Report } from './report.ts'

/** So many statements at most one device may cost a batch, lest a loose contact keep everybody waiting. */
const MOST_ROUNDS = 50

/** What one statement stores: at most one status per device, and any readings. */
export interface Round {
  statuses: Report[]
  readings: Report[]
}

/** What is known of one device while its reports are arranged. */
interface Newest {
  /** Its newest status, and where that stands. */
  report: Report
  round: number
  at: number
  /** Its readings so far, by their moment; left out while it has reported only once. */
  readings: Map<number, Report> | undefined
  /** Its states as told so far, by path; left out while it has reported only once. */
  states: Map<string, number> | undefined
  /** Whether its newest status told another state than the one before, which the database must see to note it. */
  moves: boolean
}

/** What is not arranged into rounds, as it is met. */
interface Aside {
  /** Of two readings of one meter at one moment the first is stored. */
  repeated(first: Report, again: Report): void
  /** A report that is older than one before it of the same device, or one change of a device that changes all the time. */
  late(report: Report): void
}

/**
 * Arranges reports, in their order of arrival, so that storing round after round leaves what storing them one by one
 * would: a report older than one before it of the same device changes no status (§4), and one that changes no state and
 * whose fields all come again in the next is not written at all. Almost always there is a single round; of a device that
 * changes more often than there may be rounds the rest is told as if it were late.
 *
 * readings  every reading is stored, whatever becomes of its status
 */
export function fold(reports: readonly Report[], { repeated, late }: Aside): Round[] {
  const rounds: Round[] = []
  const round = (index: number) => (rounds[index] ??= { statuses: [], readings: [] })
  const devices = new Map<string, Newest>()
  /** Of second registers, which have no status, the readings by their moment. */
  const seconds = new Map<string, Map<number, Report>>()

  for (const report of reports) {
    const { reading } = report
    const { key, isSecond } = report.device
    if (isSecond) {
      const known = seconds.get(key) ?? new Map<number, Report>()
      seconds.set(key, known)
      const first = known.get(report.timestamp)
      if (first) repeated(first, report)
      else round(0).readings.push(report)
      known.set(report.timestamp, first ?? report)
      continue
    }
    const last = devices.get(key)
    if (!last) {
      const { statuses, readings } = round(0)
      devices.set(key, {
        report,
        round: 0,
        at: statuses.push(report) - 1,
        readings: undefined,
        states: undefined,
        moves: false,
      })
      if (reading) readings.push(report)
      continue
    }
    last.readings ??= new Map(last.report.reading && [[last.report.timestamp, last.report]])
    if (reading) {
      const first = last.readings.get(report.timestamp)
      if (first) {
        repeated(first, report)
        continue
      }
      last.readings.set(report.timestamp, report)
    }
    if (report.timestamp < last.report.timestamp) {
      if (reading) round(0).readings.push(report)
      late(report)
      continue
    }
    if (!last.states) {
      last.states = new Map()
      // What the first of them changes only the database knows.
      last.moves = takeStates(last.states, last.report)
    }
    if (!replaces(report, last.report) || (last.moves && last.round < MOST_ROUNDS - 1)) {
      last.round += 1
      last.at = round(last.round).statuses.length
    } else if (last.moves) late(last.report)
    last.moves = takeStates(last.states, report)
    const { statuses, readings } = round(last.round)
    statuses[last.at] = report
    if (reading) readings.push(report)
    last.report = report
  }
  return rounds
}

/** Takes what a report tells of states; answers whether any of them is another than before. */
function takeStates(states: Map<string, number>, { device, values }: Report): boolean {
  let moves = false
  for (const [path, value] of eventValuesOf(device.type, values)) {
    moves ||= states.get(path) !== value
    states.set(path, value)
  }
  return moves
}

/**
 * Whether nothing of the previous report is left after the next. A reading's status counts only if the reading turns out
 * to be new, so it never stands in for another kind of report of the same moment.
 */
const replaces = (next: Report, previous: Report): boolean =>
  !(next.reading && !previous.reading && next.timestamp === previous.timestamp) &&
  replacesValues(next.values, previous.values)
