import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { CommandState } from '../../../../contract/devices/command-calls.ts'
import type { Cause } from '../../../../contract/automation/run-calls.ts'
import { setFieldsOf } from '../../../../contract/automation/set-fields.ts'

/** A command to a device, as far as it explains what the device did. */
export interface GivenCommand {
  values: CommandValues
  state: CommandState
  by: string | null
  runId: string | null
  requestedAt: number
  /** Null while it is under way. */
  settledAt: number | null
}

/** A change of a field that a command can set; `timestamp` by the device's clock, epoch ms. */
export interface FieldChange {
  timestamp: number
  field: string
  value: number
}

/** A cause before its run is looked up. */
export type FoundCause = Omit<Cause, 'Run'> & { runId: string | null }

/** By so much the clocks of device and gateway may differ, and so late a report may show what was set, ms. */
const MAX_CLOCK_SKEW_MS = 60_000

/**
 * What set a device, newest first: commands, and changes that no command asked for. A command explains the change of each field
 * to its value that is nearest to when it was confirmed; one that has failed set nothing, unless such a change shows that it did.
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
 * Attributes changes to the commands that brought them about, at most one of each field to a command.
 *
 * now      epoch ms
 * returns  explained: the changes of each command; free: those that no command asked for
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

/** The change to a value that a command most likely brought about. */
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

/** Changes of one moment as one cause. */
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
