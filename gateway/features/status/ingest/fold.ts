import { replaces as replacesValues } from '../../../../contract/rules/device/merge-status.ts'
import type { Report } from './report.ts'

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
}

/**
 * Arranges reports, in their order of arrival, so that storing round after round leaves what storing them one by one
 * would: a report older than one before it of the same device changes no status (§4), and one whose fields all come
 * again in the next is not written at all. Almost always there is a single round.
 *
 * readings  every reading is stored, whatever becomes of its status
 * repeated  readings of one meter at one moment: only the first is stored, the rest are handed to `repeated`
 */
export function fold(reports: readonly Report[], repeated: (first: Report, again: Report) => void): Round[] {
  const rounds: Round[] = []
  const round = (index: number) => (rounds[index] ??= { statuses: [], readings: [] })
  const devices = new Map<string, Newest>()

  for (const report of reports) {
    const { reading } = report
    const { key } = report.device
    const last = devices.get(key)
    if (!last) {
      const { statuses, readings } = round(0)
      devices.set(key, { report, round: 0, at: statuses.push(report) - 1, readings: undefined })
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
      continue
    }
    if (!replaces(report, last.report)) {
      last.round += 1
      last.at = round(last.round).statuses.length
    }
    const { statuses, readings } = round(last.round)
    statuses[last.at] = report
    if (reading) readings.push(report)
    last.report = report
  }
  return rounds
}

/**
 * Whether nothing of the previous report is left after the next. A reading's status counts only if the reading turns out
 * to be new, so it never stands in for another kind of report of the same moment.
 */
const replaces = (next: Report, previous: Report): boolean =>
  !(next.reading && !previous.reading && next.timestamp === previous.timestamp) &&
  replacesValues(next.values, previous.values)
