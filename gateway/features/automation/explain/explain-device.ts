import { deviceType } from '../../../../contract/devices/kinds/registry.ts'
import { readPath } from '../../../../contract/devices/kinds/history-fields.ts'
import { zone } from '../../../../contract/devices/capabilities/thermostat.ts'
import type { Cause, runs, HeldRule, Run } from '../../../../contract/automation/run-calls.ts'
import type { Handler, SignedIn, Actor } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { readableRuns, readRuns, nearlyAbout, rulesSetting, type SetDevice } from '../runs/list-runs.ts'
import { causesOf, type FieldChange, type GivenCommand } from '../runs/causes.ts'
import { may } from '../../../../contract/kernel/permissions.ts'
import {
  AUTOMATION_TYPES,
  type AutomationType,
  FEATURE_OF_TYPE,
} from '../../../../contract/automation/automation.ts'
import { automationStateOf, type RuleOfAutomation } from '../rules/stored-rule.ts'
import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import type { Action } from '../../../../contract/automation/action.ts'
import { expandActions, loadTargets, type LoadedTargets } from '../targets/targets.ts'
import { joinParts, partsOf, restoring } from '../runs/restore.ts'
import { findRun } from '../runs/store.ts'

type NextAct = ResultsOf<typeof runs.explainDevice>['Next'][number]

/** Maximum number of actions in the answer. */
const MAX_ACTIONS = 20

interface UpcomingRow {
  id: string
  type: number
  name: string
  isReady: boolean
  nextRunAt: number | null
  rule: RuleOfAutomation
  /** Open run that its conditions still have to end. */
  owed: { runId: string; actions: 'restore' | Action[] } | null
  waits: { kind: 'end' | 'off' | 'booking'; key: string; dueAt: number }[]
}

/**
 * Automations, readable by the caller, that set a device next, soonest first: on schedule, at the end of an open run, or (last,
 * without a time) when their conditions become true. In a home with paused automations nothing acts before the pause ends.
 *
 * now  epoch ms
 */
async function nextActs(db: Db, actor: Actor, device: SetDevice, now: number): Promise<NextAct[]> {
  const rows = await readRules(db, actor, device)
  if (rows.length === 0) return []
  const resumesAt = await restsUntil(db, device, now)
  const lists = rows.flatMap(({ rule, owed }) => [
    rule.Actions,
    ...(Array.isArray(owed?.actions) ? [owed.actions] : []),
  ])
  const targets = await loadTargets(db, device, lists.flat())
  const acts: NextAct[] = []
  for (const row of rows) {
    const act = (At: number | null, Values: CommandValues | undefined, rests = resumesAt) => {
      if (Values && (At === null ? rests < Infinity : At >= rests))
        acts.push({ AutomationID: row.id, AutomationType: row.type, AutomationName: row.name, At, Values })
    }
    for (const timer of row.waits)
      if (timer.kind !== 'booking')
        // A scheduled switch-off happens even during a pause.
        act(
          timer.dueAt,
          await valuesAtEnd(db, device, row, timer, targets),
          timer.kind === 'off' ? 0 : resumesAt,
        )
    if (!row.isReady) continue
    const values = valuesFor(row.rule.Actions, targets, device.uid)
    const booked = row.waits.filter(({ kind }) => kind === 'booking').map(({ dueAt }) => dueAt)
    if (row.rule.Conditions) act(null, values)
    else if (row.nextRunAt !== null) act(row.nextRunAt, values)
    else if (booked.length > 0) act(Math.min(...booked), values)
  }
  return acts
    .toSorted(
      (a, b) => (a.At ?? Infinity) - (b.At ?? Infinity) || a.AutomationName.localeCompare(b.AutomationName),
    )
    .slice(0, MAX_ACTIONS)
}

/** Automations whose actions name the device, its room, one of its groups, or a scene that sets it; includes broken ones. */
function readRules(db: Db, actor: Actor, device: SetDevice): Promise<UpcomingRow[]> {
  const { tenant, homeId } = device
  const types = readableTypes(actor, homeId)
  return db.query<UpcomingRow>(sql`
    select a.automation_id as id, a.automation_type as type, a.automation_name as name,
      a.enabled and a.problem is null as "isReady", a.next_run_at as "nextRunAt", a.rule,
      (select s.state -> 'owed' from automation_states s where s.tenant = a.tenant and s.automation_id = a.automation_id
        and jsonb_typeof(s.state -> 'owed') = 'object') as owed,
      coalesce((select jsonb_agg(jsonb_build_object('kind', w.kind, 'key', w.key, 'dueAt', w.due_at) order by w.due_at)
        from automation_waits w where w.tenant = a.tenant and w.automation_id = a.automation_id
          and w.kind in ('end', 'off', 'booking')), '[]') as waits
    from automations a
    where a.tenant = ${tenant} and a.home_id = ${homeId} and a.automation_type = any(${types}::smallint[])
      and ${rulesSetting(device)}`)
}

/** End of the home's automation pause, epoch ms: 0 without a pause, Infinity if a person has to end it. */
async function restsUntil(db: Db, { tenant, homeId }: SetDevice, now: number): Promise<number> {
  const [pause] = await db.query<{ until: number | null }>(sql`select until from automation_pauses
    where tenant = ${tenant} and home_id = ${homeId} and (until is null or until > ${now}::bigint)`)
  return pause ? (pause.until ?? Infinity) : 0
}

/** Values that some actions set on one device; undefined for none. */
function valuesFor(
  actions: readonly Action[],
  targets: LoadedTargets,
  uid: string,
): CommandValues | undefined {
  const steps = expandActions(actions, targets).filter((step) => step.uid === uid)
  return steps.length === 0 ? undefined : joinParts(steps.flatMap(({ values }) => partsOf(values)))
}

/** Values that the end of an open run sets, by the device's present state. */
async function valuesAtEnd(
  db: Db,
  { tenant, uid }: SetDevice,
  { owed }: UpcomingRow,
  { kind, key }: UpcomingRow['waits'][number],
  targets: LoadedTargets,
): Promise<CommandValues | undefined> {
  if (kind === 'end' && Array.isArray(owed?.actions)) return valuesFor(owed.actions, targets, uid)
  const runId = kind === 'off' ? key : owed?.runId
  const run = runId === undefined ? undefined : await findRun(db, tenant, runId)
  const step = run?.steps.findLast((one) => one.uid === uid && one.before !== undefined)
  if (!step) return undefined
  const status = targets.devices.get(uid)?.status ?? null
  const { values } = restoring(step, status, kind === 'off' ? 'off' : 'before')
  return Object.keys(values).length > 0 ? values : undefined
}

/** Maximum numbers of automations and of near misses in the answer. */
const MAX_RULES = { held: 20, nearly: 10 }
/** Time span of near misses, ms. */
const LOOKBACK_MS = 7 * 86_400_000

const readableTypes = (actor: Actor, homeId: string): AutomationType[] =>
  AUTOMATION_TYPES.filter((type) => may(actor, FEATURE_OF_TYPE[type], 'Read', homeId))

interface HeldRow extends Pick<HeldRule, 'AutomationID' | 'AutomationType' | 'AutomationName'> {
  Enabled: boolean
  Problem: Parameters<typeof automationStateOf>[0]['Problem']
  pause: { at: number; until: number | null } | null
}

/**
 * Automations, readable by the caller, that would set a device but cannot act now: disabled, suspended, broken, paused, or in a
 * home whose automations are paused. Alarms still act in a paused home.
 *
 * now  epoch ms
 */
async function listHeldRules(db: Db, actor: Actor, device: SetDevice, now: number): Promise<HeldRule[]> {
  const rows = await db.query<HeldRow>(sql`
    select a.automation_id as "AutomationID", a.automation_type as "AutomationType", a.automation_name as "AutomationName",
      a.enabled as "Enabled", a.problem as "Problem",
      case when a.automation_type <> 4 and p.home_id is not null then jsonb_build_object('at', p.at, 'until', p.until) end as pause
    from automations a left join automation_pauses p on p.tenant = a.tenant and p.home_id = a.home_id
      and (p.until is null or p.until > ${now}::bigint)
    where a.tenant = ${device.tenant} and a.home_id = ${device.homeId} and ${rulesSetting(device)}
      and a.automation_type = any(${readableTypes(actor, device.homeId)}::smallint[])
      and (not a.enabled or a.problem is not null or (p.home_id is not null and a.automation_type <> 4))
    order by lower(a.automation_name), a.automation_id limit ${MAX_RULES.held}::int`)
  return rows.map(({ Enabled, Problem, pause, ...named }) => {
    const state = automationStateOf({ Enabled, Problem })
    if (state === 'disabled')
      return { ...named, State: state, Reason: null, Subject: null, Since: null, Until: null }
    if (state !== 'ready' && Problem) {
      const { Reason, Subject, Since, Until } = Problem
      return { ...named, State: state, Reason, Subject, Since, Until }
    }
    const rests = { Since: pause?.at ?? null, Until: pause?.until ?? null }
    return { ...named, State: 'homePaused', Reason: null, Subject: null, ...rests }
  })
}

/** Latest missed runs and near misses of automations that set a device or have it in their conditions. */
const listNearMisses = (db: Db, actor: Actor, device: SetDevice, now: number): Promise<Run[]> =>
  readRuns(db, device.tenant, {
    tail: sql`${readableRuns(actor)} and r.home_id = ${device.homeId} and r.began_at >= ${now - LOOKBACK_MS}::bigint
      and ${nearlyAbout(device)} order by r.began_at desc, r.run_id desc limit ${MAX_RULES.nearly}::int`,
    now,
  })

/** Maximum number of causes in the answer. */
const MAX_CAUSES = 10
/** Maximum number of commands and changes that are read. */
const MAX_ROWS = 100

/** Explains a device's state: what set it, what sets it next, and which automations did not act. */
export const explainDevice: Handler<typeof runs.explainDevice> = async (
  { HomeID, PeripheralUID },
  context,
) => {
  const { db, actor, clock } = context
  const now = clock.now()
  const [device] = await db.query<{ type: string; roomId: number }>(sql`
    select peripheral_type as type, room_id as "roomId" from peripherals
    where tenant = ${actor.tenant} and home_id = ${HomeID} and peripheral_uid = ${PeripheralUID}`)
  if (!device) throw new GatewayError('NOT_FOUND', `Device ${PeripheralUID} does not exist`)
  const one = { tenant: actor.tenant, homeId: HomeID, uid: PeripheralUID, ...device }
  return {
    Causes: await readCauses(one, context, now),
    Next: await nextActs(db, actor, one, now),
    Held: await listHeldRules(db, actor, one, now),
    Nearly: await listNearMisses(db, actor, one, now),
  }
}

interface Device {
  tenant: string
  uid: string
  type: string
}

async function readCauses(device: Device, { db, actor }: SignedIn, now: number): Promise<Cause[]> {
  const commands = await readCommands(db, device)
  // Changes older than the oldest command read cannot be attributed.
  const since = commands.length === MAX_ROWS ? (commands.at(-1)?.requestedAt ?? 0) : 0
  const changes = await readChanges(db, device, since)
  const causes = causesOf(commands, changes, now).slice(0, MAX_CAUSES)
  const ids = causes.flatMap(({ runId }) => runId ?? [])
  const found =
    ids.length === 0
      ? []
      : await readRuns(db, device.tenant, {
          tail: sql`${readableRuns(actor)} and r.run_id = any(${ids}::text[])`,
          now,
        })
  const byId = new Map(found.map((run) => [run.RunID, run]))
  return causes.map(({ runId, ...cause }) => ({ ...cause, Run: (runId && byId.get(runId)) || null }))
}

const readCommands = (db: Db, { tenant, uid }: Device): Promise<GivenCommand[]> =>
  db.query<GivenCommand>(sql`
    select values, state, by_name as by, run_id as "runId", requested_at as "requestedAt", settled_at as "settledAt"
    from commands where tenant = ${tenant} and peripheral_uid = ${uid} order by requested_at desc limit ${MAX_ROWS}::int`)

/** Latest changes of fields that a command can set. First values are excluded: the value before them is unknown. */
async function readChanges(db: Db, { tenant, uid, type }: Device, since: number): Promise<FieldChange[]> {
  const fields = settable(type)
  if (fields.size === 0) return []
  const rows = await db.query<FieldChange>(sql`
    select timestamp, field, value from device_events
    where tenant = ${tenant} and peripheral_uid = ${uid} and before is not null and timestamp >= ${since}::bigint
      and split_part(field, '.', 1) = any(${[...fields]}::text[])
    order by timestamp desc, seq desc limit ${MAX_ROWS}::int`)
  return rows.filter(({ field }) => {
    const path = readPath(field)
    return path.zone === undefined || path.field in zone.command
  })
}

/** Status fields that a command to a device of a type can set. */
const settable = (type: string): Set<string> =>
  new Set((deviceType(type)?.capabilities ?? []).flatMap(({ command }) => Object.keys(command)))
