import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { setFieldsOf } from '../../../../contract/automation/action.ts'
import { commonPaths } from '../../../../contract/devices/merge-status.ts'
import { groupBy } from '../../../lib/group-by.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { attribute, type FieldChange, type GivenCommand } from './causes.ts'
import type { StoredRun } from './store.ts'

/** Allowed difference between the clocks of two gateways, or of device and gateway, ms. */
const CLOCK_SKEW_MS = 60_000

/** A command to a device after a run began that may have been executed, including unanswered and superseded ones. */
interface LaterCommand extends GivenCommand {
  /** Rule that sent it; null if none did. */
  automationId: string | null
}

/** A change at a device after a run began, with its position in the event log. */
interface LaterChange extends FieldChange {
  seq: number
}

/** Commands and changes of one device since a run began. */
interface Since {
  commands: readonly LaterCommand[]
  changes: readonly LaterChange[]
}

/** Last setter of a value of a run: nobody (no command of the run arrived), the run itself, or something after it. */
export type LastSetBy = 'nobody' | 'run' | 'other'

/** A run whose values are traced; later runs of its rule count as itself. */
type OriginalRun = Pick<StoredRun, 'tenant' | 'runId' | 'automationId' | 'beganAt'>

/**
 * Finds the last setter of a value in the logs of commands and events, without comparing values: a user or a scene that sets the
 * present value again has set it, too.
 *
 * returns  a function of a device and one of the run's values
 */
export async function lastSetBy(
  db: Db,
  run: OriginalRun,
  uids: readonly string[],
  now: number,
): Promise<(uid: string, part: CommandValues) => LastSetBy> {
  const since = await readSince(db, run, uids)
  const judges = new Map(uids.map((uid) => [uid, judgeOf(run, since(uid), now)]))
  return (uid, part) => judges.get(uid)?.(part) ?? 'nobody'
}

async function readSince(
  db: Db,
  { tenant, beganAt }: OriginalRun,
  uids: readonly string[],
): Promise<(uid: string) => Since> {
  if (uids.length === 0) return () => ({ commands: [], changes: [] })
  const from = beganAt - CLOCK_SKEW_MS
  const commands = await db.query<LaterCommand & { uid: string }>(sql`
    select c.peripheral_uid as uid, c.values, c.state, c.by_name as by, c.run_id as "runId", c.requested_at as "requestedAt",
      c.settled_at as "settledAt", r.automation_id as "automationId"
    from commands c left join automation_runs r on r.tenant = c.tenant and r.run_id = c.run_id
    where c.tenant = ${tenant} and c.peripheral_uid = any(${[...uids]}::text[]) and c.requested_at >= ${from}::bigint
      and (c.state <> 'failed' or c.reason = 'superseded')`)
  const changes = await db.query<LaterChange & { uid: string }>(sql`
    select peripheral_uid as uid, timestamp, field, value, seq from device_events
    where tenant = ${tenant} and peripheral_uid = any(${[...uids]}::text[]) and before is not null
      and timestamp >= ${from}::bigint`)
  const commandsOf = groupBy(commands, ({ uid }) => uid)
  const changesOf = groupBy(changes, ({ uid }) => uid)
  return (uid) => ({ commands: commandsOf.get(uid) ?? [], changes: changesOf.get(uid) ?? [] })
}

function judgeOf(
  run: OriginalRun,
  { commands, changes }: Since,
  now: number,
): (part: CommandValues) => LastSetBy {
  const { explained, free } = attribute(commands, changes, now)
  const isOwn = ({ runId, automationId }: LaterCommand) =>
    runId === run.runId || (automationId !== null && automationId === run.automationId)
  // A superseded command was executed only if the device shows it.
  const mayHaveSet = (command: LaterCommand) =>
    command.state !== 'failed' || (explained.get(command)?.length ?? 0) > 0
  const set = commands.filter(mayHaveSet)

  return (part) => {
    const path = setFieldsOf({ PeripheralUID: '', Values: part })[0]?.path
    const ofPart = set.filter(({ values }) => commonPaths(values, part))
    const own = ofPart.filter(isOwn)
    const last = own.toSorted((a, b) => a.requestedAt - b.requestedAt).at(-1)
    if (!last) return 'nobody'
    if (ofPart.some((command) => !isOwn(command) && command.requestedAt > last.requestedAt)) return 'other'
    const shown = own
      .flatMap((command) => explained.get(command) ?? [])
      .filter(({ field }) => field === path)
      .toSorted(byTime)
      .at(-1)
    const isLater = (change: LaterChange) =>
      shown ? byTime(change, shown) > 0 : change.timestamp > (last.settledAt ?? last.requestedAt)
    return [...free].some((change) => change.field === path && isLater(change)) ? 'other' : 'run'
  }
}

const byTime = (a: LaterChange, b: LaterChange): number => a.timestamp - b.timestamp || a.seq - b.seq
