import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { CommandState } from '../../../../contract/devices/command-calls.ts'
import type { Cause } from '../../../../contract/automation/run-calls.ts'
import { setFieldsOf } from '../../../../contract/automation/action.ts'

/** Parts of a command to a device that explain what the device did. */
export interface GivenCommand {
  values: CommandValues
  state: CommandState
  by: string | null
  runId: string | null
  requestedAt: number
  /** Null while the command is pending. */
  settledAt: number | null
}

/** Change of a field that a command can set; `timestamp` by the device's clock, epoch ms. */
export interface FieldChange {
  timestamp: number
  field: string
  value: number
}

/** A cause before its run is looked up. */
export type FoundCause = Omit<Cause, 'Run'> & { runId: string | null }

/** Maximum difference between device and gateway clock, and maximum delay of the report that shows what was set, ms. */
const MAX_CLOCK_SKEW_MS = 60_000

/**
 * Causes of a device's state, newest first: commands, and changes without a command. A command explains, for each of its fields,
 * the change to its value nearest to its confirmation; a failed command is a cause only if such a change exists.
 *
 * now  epoch ms
 */
export function causesOf(
  commands: readonly GivenCommand[],
  changes: readonly FieldChange[],
  now: number,
): FoundCause[] {
  const { explained, free } = attribute(commands, changes, now)
  const found = commands.flatMap((command): FoundCause[] => {
    const { state, values: Values, by: By, runId } = command
    const isWithoutEffect = explained.get(command)?.length === 0
    if (isWithoutEffect && (state === 'failed' || state === 'timedOut')) return []
    return [{ At: command.requestedAt, Values, Kind: 'command', By, runId }]
  })
  return [...found, ...atDevice(free)].toSorted((a, b) => b.At - a.At)
}

/**
 * Attributes changes to the commands that caused them, at most one change per field to a command.
 *
 * now      epoch ms
 * returns  explained: the changes of each command; free: those without a command
 */
export function attribute<C extends GivenCommand, F extends FieldChange>(
  commands: readonly C[],
  changes: readonly F[],
  now: number,
): { explained: Map<C, F[]>; free: Set<F> } {
  const free = new Set(changes)
  const explained = new Map<C, F[]>()
  for (const command of commands.toSorted((a, b) => a.requestedAt - b.requestedAt)) {
    const own = setFieldsOf({ PeripheralUID: '', Values: command.values }).flatMap(
      ({ path, value }) => nearest(free, command, path, value, now) ?? [],
    )
    for (const change of own) free.delete(change)
    explained.set(command, own)
  }
  return { explained, free }
}

/** Change to a value that a command most likely caused. */
function nearest<F extends FieldChange>(
  changes: ReadonlySet<F>,
  { requestedAt, settledAt }: GivenCommand,
  path: string,
  value: unknown,
  now: number,
): F | undefined {
  const at = settledAt ?? requestedAt
  const until = (settledAt ?? now) + MAX_CLOCK_SKEW_MS
  return [...changes]
    .filter(
      (change) =>
        change.field === path &&
        change.value === value &&
        change.timestamp >= requestedAt - MAX_CLOCK_SKEW_MS &&
        change.timestamp <= until,
    )
    .toSorted((a, b) => Math.abs(a.timestamp - at) - Math.abs(b.timestamp - at))[0]
}

/** Changes with the same timestamp as one cause. */
function atDevice(changes: Iterable<FieldChange>): FoundCause[] {
  const byMoment = new Map<number, FoundCause>()
  for (const { timestamp, field, value } of changes) {
    const cause = byMoment.get(timestamp) ?? {
      At: timestamp,
      Values: {},
      Kind: 'device',
      By: null,
      runId: null,
    }
    cause.Values[field] = value
    byMoment.set(timestamp, cause)
  }
  return [...byMoment.values()]
}
