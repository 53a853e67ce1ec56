import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { isRecord } from '../../../../contract/kernel/is-record.ts'
import { confirms, commonPaths } from '../../../../contract/devices/status-order.ts'
import { setFieldsOf } from '../../../../contract/automation/action.ts'
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
type LastSetBy = 'nobody' | 'run' | 'other'

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
  const causeFinders = new Map(uids.map((uid) => [uid, causeFinderOf(run, since(uid), now)]))
  return (uid, part) => causeFinders.get(uid)?.(part) ?? 'nobody'
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

function causeFinderOf(
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

type Values = Readonly<Record<string, unknown>>

/** Fields that trigger an action and hold no state, so cannot be restored. */
const ACTS = ['SendIR', 'Calibration']

/** One field of a command, or one part of a compound field: a register, or a zone's setting. */
type Part = CommandValues

export function partsOf(values: Values): Part[] {
  return Object.entries(values).flatMap(([field, value]): Part[] => {
    if (Array.isArray(value))
      return (value as Record<string, unknown>[]).flatMap(({ NodeID, ...set }) =>
        Object.entries(set).map(([name, one]) => ({ [field]: [{ NodeID, [name]: one }] })),
      )
    if (isRecord(value) && !ACTS.includes(field))
      return Object.entries(value).map(([key, one]) => ({ [field]: { [key]: one } }))
    return [{ [field]: value }]
  })
}

export function joinParts(parts: readonly Part[]): CommandValues {
  const joined: CommandValues = {}
  for (const part of parts)
    for (const [field, value] of Object.entries(part)) {
      const known = joined[field]
      if (Array.isArray(value) && Array.isArray(known)) joined[field] = joinNodes([...known, ...value])
      else joined[field] = isRecord(value) && isRecord(known) ? { ...known, ...value } : value
    }
  return joined
}

function joinNodes(nodes: readonly { NodeID: number }[]): { NodeID: number }[] {
  const byId = new Map<number, { NodeID: number }>()
  for (const node of nodes) byId.set(node.NodeID, { ...byId.get(node.NodeID), ...node })
  return [...byId.values()]
}

/** Present values of the fields that a command sets; null if the device has reported none of them. */
export function beforeOf(values: Values, status: Values | null): CommandValues | null {
  const known = partsOf(values).flatMap((part) => {
    const present = shownPart(part, status)
    return present ? [present] : []
  })
  return known.length > 0 ? joinParts(known) : null
}

function shownPart(part: Part, status: Values | null): Part | undefined {
  const [field = '', value] = Object.entries(part)[0] ?? []
  const shown = status?.[field]
  if (shown === undefined || shown === null) return undefined
  if (Array.isArray(value)) {
    const { NodeID, ...set } = value[0] as { NodeID: number }
    const [name = ''] = Object.keys(set)
    const node = (shown as { NodeID: number }[]).find((one) => one.NodeID === NodeID) as Values | undefined
    return node?.[name] === undefined || node[name] === null
      ? undefined
      : { [field]: [{ NodeID, [name]: node[name] }] }
  }
  if (isRecord(value) && isRecord(shown) && !ACTS.includes(field)) {
    const [key = ''] = Object.keys(value)
    return typeof shown[key] === 'number' ? { [field]: { [key]: shown[key] } } : undefined
  }
  return { [field]: shown }
}

/**
 * Values that restore what a run set: for each value that the run set last and the device still shows, the value before; `off`
 * switches off what the run switched on instead. Values set by others since, and unknown ones, are left.
 *
 * setBy    last setter of one of the values
 * returns  unrestoredCount: number of values that were not restored though they could have been
 */
export function restoring(
  { values, before }: { values: Values; before?: Values | null | undefined },
  status: Values | null,
  mode: 'before' | 'off',
  setBy: (part: CommandValues) => LastSetBy = () => 'run',
): { values: CommandValues; unrestoredCount: number } {
  const back: Part[] = []
  let unrestoredCount = 0
  for (const part of partsOf(values)) {
    const field = Object.keys(part)[0] as string
    if (ACTS.includes(field)) continue
    const wanted = mode === 'off' ? switchedOff(part) : shownPart(part, before ?? null)
    if (mode === 'off' && !wanted) continue
    if (wanted && confirms(part, wanted)) continue
    const by = setBy(part)
    if (by === 'nobody') continue
    if (by === 'run' && wanted && status && confirms(status, part)) back.push(wanted)
    else unrestoredCount += 1
  }
  return { values: joinParts(back), unrestoredCount }
}

/** Same field at 0 if it is an on/off field that was set to 1. */
function switchedOff(part: Part): Part | undefined {
  const [field = '', value] = Object.entries(part)[0] ?? []
  if (field.startsWith('Switch')) return value === 1 ? { [field]: 0 } : undefined
  if (!Array.isArray(value)) return undefined
  const node = value[0] as { NodeID: number; Switch?: number }
  return node.Switch === 1 ? { [field]: [{ NodeID: node.NodeID, Switch: 0 }] } : undefined
}
