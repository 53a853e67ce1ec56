import type { Load } from '../../../contract/automation/alarm-part.ts'
import { planRestore } from '../../../contract/automation/load-shedding.ts'
import type { Random } from '../../kernel/ports.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { QUARTER_MS } from '../../../contract/time/periods.ts'
import type { GuardRule, OpenShedding } from './guards.ts'
import type { GuardPorts } from './ports.ts'

/** Transaction of a guard's decision, with the runs to begin after the commit. */
export interface GuardWork {
  tx: Db
  now: number
  random: Random
  runs: GuardPorts['runs']
  begun: { tenant: string; runId: string }[]
}

/** Sheds one load. kW: its power, the forecast, and the target. */
export async function shedLoad(
  { tx, now, random, runs, begun: startedRuns }: GuardWork,
  rule: GuardRule,
  load: Load,
  { kw, forecast, target }: { kw: number | null; forecast: number; target: number },
): Promise<void> {
  const { tenant, homeId, automationId, name, ownerId } = rule
  const [sheddingId, runId] = [random.uuid(), random.uuid()]
  const { PeripheralUID, GroupID, Values } = load
  await tx.query(sql`
    insert into sheddings (shedding_id, tenant, home_id, automation_id, automation_name, owner_id, peripheral_uid, group_id,
      values, state, kw, shed_at, run_id, forecast, target, min_off)
    values (${sheddingId}::uuid, ${tenant}, ${homeId}, ${automationId}, ${name}, ${ownerId}, ${PeripheralUID ?? null},
      ${GroupID ?? null}, ${JSON.stringify(Values)}::jsonb, 'sent', ${kw}::float8, ${now}::bigint, ${runId},
      ${forecast}::float8, ${target}::float8, ${load.MinOff}::int)`)
  const action = {
    Values,
    ...(PeripheralUID !== undefined && { PeripheralUID }),
    ...(GroupID !== undefined && { GroupID }),
  }
  const planned = { tenant, homeId, runId, automationId, name, ownerId, cause: 'shed' as const }
  await runs.plan(tx, { ...planned, action, restores: null })
  startedRuns.push({ tenant, runId })
}

/** Restores a load: its fields get their previous values, unless they have been set since. */
export async function restoreShedding(
  { tx, now, random, runs, begun: startedRuns }: GuardWork,
  shedding: OpenShedding,
): Promise<void> {
  const { sheddingId, tenant, homeId, automationId, name, ownerId } = shedding
  const runId = random.uuid()
  await tx.query(sql`update sheddings set given_back_run_id = ${runId}, give_back_planned_at = ${now}::bigint
    where shedding_id = ${sheddingId}::uuid`)
  const planned = { tenant, homeId, runId, automationId, name, ownerId, cause: 'giveBack' as const }
  await runs.plan(tx, { ...planned, action: null, restores: shedding.runId })
  startedRuns.push({ tenant, runId })
}

/** Restores one of the loads of deleted rules, if its minimum time off and the interval since the last restoration have passed. */
export async function restoreNext(
  work: GuardWork,
  open: readonly OpenShedding[],
  { GiveBackEvery, givenBackAt }: { GiveBackEvery: number; givenBackAt: number },
): Promise<void> {
  const loads = open.map(({ minOff, state, shedAt, confirmedAt, kw }) => ({
    is: 'off' as const,
    kw,
    minOff,
    maxOff: Infinity,
    givenBackAt: null,
    shed: { at: shedAt, state, confirmedAt, kw },
  }))
  for (const place of planRestore({ now: work.now, paces: { GiveBackEvery }, loads, givenBackAt })) {
    const shedding = open[place]
    if (shedding) await restoreShedding(work, shedding)
  }
}

/** Closes a shedding whose load was set by hand, so that nothing is left to restore. */
export const endManually = (tx: Db, { sheddingId }: OpenShedding, now: number) =>
  tx.query(sql`update sheddings set state = 'givenBack', given_back_at = ${now}::bigint
    where shedding_id = ${sheddingId}::uuid`)

interface EndedRun {
  runId: string
  state: string
  endedAt: number
}

/**
 * Records the results of the runs of open sheddings. A load whose restoration failed is open again.
 *
 * returns  the sheddings as stored now, and whether any changed
 */
export async function closeFinishedRuns(
  tx: Db,
  open: readonly OpenShedding[],
): Promise<{ open: OpenShedding[]; hasChanged: boolean }> {
  const runIds = open.flatMap((one) => one.givenBackRunId ?? (one.state === 'sent' ? one.runId : []))
  const tenant = open[0]?.tenant
  if (runIds.length === 0 || tenant === undefined) return { open: [...open], hasChanged: false }
  const ended = new Map(
    (
      await tx.query<EndedRun>(sql`
        select run_id as "runId", state, ended_at as "endedAt" from automation_runs
        where tenant = ${tenant} and run_id = any(${runIds}::text[]) and ended_at is not null`)
    ).map((run) => [run.runId, run]),
  )
  const stillOpen: OpenShedding[] = []
  for (const one of open) {
    const run = ended.get(one.givenBackRunId ?? one.runId)
    if (!run || (one.givenBackRunId === null && one.state !== 'sent')) stillOpen.push(one)
    else if (one.givenBackRunId === null) stillOpen.push(await storeShedResult(tx, one, run))
    else if (isRestored(run)) await endManually(tx, one, run.endedAt)
    else {
      await tx.query(
        sql`update sheddings set given_back_run_id = null where shedding_id = ${one.sheddingId}::uuid`,
      )
      stillOpen.push({ ...one, givenBackRunId: null })
    }
  }
  return { open: stillOpen, hasChanged: ended.size > 0 }
}

/** Whether a run is done, or was skipped because its load had been set by hand. */
const isRestored = ({ state }: EndedRun): boolean => state === 'done' || state === 'skipped'

async function storeShedResult(
  tx: Db,
  shedding: OpenShedding,
  { state, endedAt }: EndedRun,
): Promise<OpenShedding> {
  const storedState = state === 'done' ? ('off' as const) : ('failed' as const)
  const confirmedAt = storedState === 'off' ? endedAt : null
  await tx.query(sql`update sheddings set state = ${storedState}, confirmed_at = ${confirmedAt}::bigint
    where shedding_id = ${shedding.sheddingId}::uuid`)
  return { ...shedding, state: storedState, confirmedAt }
}

/** Energy, kWh by the first ms of each 15 minutes, that loads of some kW would have drawn while they were off; from and to in epoch ms. */
export function avoidedEnergyOf(
  periods: readonly { kw: number | null; from: number; to: number }[],
): Map<number, number> {
  const savedByQuarter = new Map<number, number>()
  for (const { kw, from, to } of periods)
    for (let begin = from - (from % QUARTER_MS); begin < to; begin += QUARTER_MS) {
      const offMs = Math.min(to, begin + QUARTER_MS) - Math.max(from, begin)
      savedByQuarter.set(begin, (savedByQuarter.get(begin) ?? 0) + ((kw ?? 0) * offMs) / 3_600_000)
    }
  return savedByQuarter
}
