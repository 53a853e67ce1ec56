import { eventValuesOf } from '../../../../contract/devices/kinds/history-fields.ts'
import { replaces as replacesValues } from '../../../../contract/devices/status-order.ts'
import type { Report } from './report.ts'

/** Maximum number of rounds of a batch, so that one device with a loose contact does not delay all others. */
const MAX_ROUNDS = 50

/** Content of one SQL statement: at most one status per device, and any readings. */
export interface Round {
  statuses: Report[]
  readings: Report[]
}

/** State of one device while its reports are arranged. */
interface NewestReport {
  /** Its newest status, with the round and index in it. */
  report: Report
  round: number
  index: number
  /** Its readings so far, by timestamp; unset until it has reported twice. */
  readings: Map<number, Report> | undefined
  /** Its last states, by path; unset until it has reported twice. */
  states: Map<string, number> | undefined
  /** Whether its newest status changed a state, which the database must see to record it. */
  hasChangedStates: boolean
}

/** Callbacks for reports that are not arranged into rounds. */
interface FoldCallbacks {
  /** Called for a second reading of one meter with the same timestamp; the first is stored. */
  onRepeated(first: Report, repeat: Report): void
  /** Called for a report older than a previous one of its device, or for one beyond the maximum number of rounds. */
  onLate(report: Report): void
}

/**
 * Arranges reports, in order of arrival, into rounds, so that storing the rounds has the same result as storing the
 * reports one by one: a report older than a previous one of the same device changes no status (§4); a report that
 * changes no state and whose fields all recur in the next one is not written. Usually there is a single round;
 * reports of a device that changes more often than `MAX_ROUNDS` allows are passed to `onLate`.
 *
 * readings  every reading is stored, even if its status is not
 */
export function fold(reports: readonly Report[], { onRepeated, onLate }: FoldCallbacks): Round[] {
  const rounds: Round[] = []
  const round = (index: number) => (rounds[index] ??= { statuses: [], readings: [] })
  const devices = new Map<string, NewestReport>()
  /** Readings of second registers, which have no status, by timestamp. */
  const secondRegisters = new Map<string, Map<number, Report>>()

  for (const report of reports) {
    const { reading } = report
    const { key, isReturn } = report.device
    if (isReturn) {
      const byTimestamp = secondRegisters.get(key) ?? new Map<number, Report>()
      secondRegisters.set(key, byTimestamp)
      const first = byTimestamp.get(report.timestamp)
      if (first) onRepeated(first, report)
      else round(0).readings.push(report)
      byTimestamp.set(report.timestamp, first ?? report)
      continue
    }
    const last = devices.get(key)
    if (!last) {
      const { statuses, readings } = round(0)
      devices.set(key, {
        report,
        round: 0,
        index: statuses.push(report) - 1,
        readings: undefined,
        states: undefined,
        hasChangedStates: false,
      })
      if (reading) readings.push(report)
      continue
    }
    last.readings ??= new Map(last.report.reading && [[last.report.timestamp, last.report]])
    if (reading) {
      const first = last.readings.get(report.timestamp)
      if (first) {
        onRepeated(first, report)
        continue
      }
      last.readings.set(report.timestamp, report)
    }
    if (report.timestamp < last.report.timestamp) {
      if (reading) round(0).readings.push(report)
      onLate(report)
      continue
    }
    if (!last.states) {
      last.states = new Map()
      // Only the database knows whether the first report changes a state.
      last.hasChangedStates = updateStates(last.states, last.report)
    }
    if (!replaces(report, last.report) || (last.hasChangedStates && last.round < MAX_ROUNDS - 1)) {
      last.round += 1
      last.index = round(last.round).statuses.length
    } else if (last.hasChangedStates) onLate(last.report)
    last.hasChangedStates = updateStates(last.states, report)
    const { statuses, readings } = round(last.round)
    statuses[last.index] = report
    if (reading) readings.push(report)
    last.report = report
  }
  return rounds
}

/** Stores the states of a report; returns whether any of them changed. */
function updateStates(states: Map<string, number>, { device, values }: Report): boolean {
  let hasChanged = false
  for (const [path, value] of eventValuesOf(device.type, values)) {
    hasChanged ||= states.get(path) !== value
    states.set(path, value)
  }
  return hasChanged
}

/**
 * Whether the next report overwrites everything of the previous one. A reading's status counts only if the reading is
 * new, so it never replaces another kind of report with the same timestamp.
 */
const replaces = (next: Report, previous: Report): boolean =>
  !(next.reading && !previous.reading && next.timestamp === previous.timestamp) &&
  replacesValues(next.values, previous.values)
