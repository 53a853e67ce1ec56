import { SHED_REPORT_TIMEOUT_S } from '../../../contract/automation/alarm-part.ts'
import { type GuardDecision, planRestore, planShed } from '../../../contract/automation/load-shedding.ts'
import type { Clock, Random } from '../../kernel/ports.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { right } from '../../../contract/kernel/permissions.ts'
import { QUARTER_MS } from '../../../contract/time/periods.ts'
import type { NotificationEvent } from '../../domain/notifications/notification-transport.ts'
import { type GuardRule, lockOpenSheddings, isSheddingOf, type OpenShedding } from './guards.ts'
import { type LoadNow, readLoads, readRestored } from './loads.ts'
import type { GuardPorts } from './ports.ts'
import {
  endManually,
  restoreShedding,
  restoreNext,
  type GuardWork,
  closeFinishedRuns,
  shedLoad,
} from './write-sheddings.ts'

/** Time after which people are notified that a guard cannot act, ms; short gaps, as from a lost report, are ignored. */
const NOTICE_DELAY_MS = 300_000
/** Notifications for states in which a guard cannot act. */
const BLIND = {
  partialData: 'guardPartialData',
  tooSlow: 'guardTooSlow',
  noContract: 'guardNoContract',
} as const satisfies Partial<Record<GuardDecision['state'], NotificationEvent['kind']>>

/** Inputs of a decision; kW, epoch ms. */
interface GuardFigures {
  forecast: number | null
  asOf: number | null
  target: number | null
  isTooSlow: boolean
}

/**
 * Stored state of notifications: the reason why a guard cannot act and since when, whether that was sent, and the quarter of an hour
 * whose limit cannot be held.
 */
interface GuardNotified {
  state: GuardDecision['state']
  partialSince: number | null
  toldPartial: boolean
  toldQuarter: number | null
}

interface DecidedGuard {
  rule: GuardRule
  decision: GuardDecision
  figures: GuardFigures
  previous: GuardNotified
  shedLoads: readonly { place: number; kw: number | null }[]
  now: number
}

/** Notifications of a decision, and the state to store so that each is sent once. */
function guardNotices({ rule, decision, figures, previous, shedLoads, now }: DecidedGuard): {
  notices: NotificationEvent[]
  stored: Omit<GuardNotified, 'state'>
} {
  const { tenant, homeId, homeName, automationId, name } = rule
  const quarter = now - (now % QUARTER_MS)
  const { forecast, target } = figures
  const notices: NotificationEvent[] = []
  const notify = (
    kind: NotificationEvent['kind'],
    severity: NotificationEvent['severity'],
    values: NotificationEvent['values'],
  ) =>
    notices.push({
      tenant,
      homeId,
      category: 'guard',
      severity,
      kind,
      alarmId: null,
      values: { subject: name, home: homeName, ...values },
      path: `/Alarm/${homeId}?tab=guard`,
      to: { access: right('power_meter_alarm', 'Read') },
      topic: `guard:${automationId}:${kind}`,
      at: now,
    })
  const isUnholdable = decision.state === 'cannotHold'
  if (isUnholdable && previous.toldQuarter !== quarter)
    notify('guardCannotHold', 'critical', {
      forecastKw: forecast,
      targetKw: target,
      lacksKw: decision.lacks,
      until: quarter + QUARTER_MS,
    })
  if (shedLoads.length > 0)
    notify('guardShed', 'warning', {
      count: shedLoads.length,
      // The sum is unknown if the power of any load is.
      kw: shedLoads.reduce(
        (sum: number | null, { kw }) => (sum === null || kw === null ? null : sum + kw),
        0,
      ),
      forecastKw: forecast,
      targetKw: target,
    })
  const isBlind = decision.state in BLIND
  const isSame = previous.state === decision.state
  const partialSince = isBlind ? ((isSame ? previous.partialSince : null) ?? now) : null
  const isOverdue = partialSince !== null && now - partialSince >= NOTICE_DELAY_MS
  if (isOverdue && !(isSame && previous.toldPartial))
    notify(BLIND[decision.state as keyof typeof BLIND], 'warning', { since: partialSince })
  return {
    notices,
    stored: {
      partialSince,
      toldPartial: isOverdue,
      toldQuarter: isUnholdable ? quarter : previous.toldQuarter,
    },
  }
}

/** Minimum interval between two decisions of a guard, on any gateway, ms. */
const MIN_DECISION_INTERVAL_MS = 4_000
/** Number of missed reports after which a main meter counts as silent. */
const MISSED_REPORTS = 3

interface GuardDeps {
  db: Db
  clock: Clock
  random: Random
  ports: GuardPorts
}

/**
 * Decides one guard in one transaction: closes finished runs, sheds or restores loads, and notifies people.
 *
 * returns  whether loads changed, the meters that it uses, and whether it was decided: not if another gateway has locked or just decided
 *          it
 */
export async function decideGuard(
  { db, clock, random, ports }: GuardDeps,
  rule: GuardRule,
): Promise<{ isDecided: boolean; hasChanged: boolean; meters: readonly string[] }> {
  const now = clock.now()
  const { meters, ...figures } = await readFigures(ports, rule, now)
  const startedRuns: GuardWork['begun'] = []
  const hasChanged = await db.transaction(async (tx) => {
    const previous = await lockGuard(tx, rule, now)
    if (!previous) return undefined
    const work: GuardWork = { tx, now, random, runs: ports.runs, begun: startedRuns }
    const closed = await closeFinishedRuns(tx, await lockOpenSheddings(tx, rule))
    const restoredAtBySubject = await readRestored(tx, rule.tenant, rule.automationId)
    const loads = await readLoads(tx, rule, closed.open, restoredAtBySubject, now)
    const byHand = loads.flatMap(({ wasSetByHand, shedding }) => (wasSetByHand && shedding ? [shedding] : []))
    for (const shedding of byHand) await endManually(tx, shedding, now)
    const open = closed.open.filter((one) => !byHand.includes(one))
    const orphans = orphansOf(rule, open)
    const givenBackAt = Math.max(0, ...restoredAtBySubject.values())
    const decision = decide(rule, { figures, loads, givenBackAt, now })
    const shedLoads = await applyDecision(work, rule, figures, loads, decision)
    if (decision.giveBack.length === 0) await restoreNext(work, orphans, { ...rule.shed, givenBackAt })
    const notification = guardNotices({ rule, decision, figures, previous, shedLoads, now })
    await ports.notify(tx, notification.notices)
    await writeGuard(tx, rule, { decision, figures, ...notification.stored }, now)
    return closed.hasChanged || byHand.length > 0 || startedRuns.length > 0
  })
  for (const { tenant, runId } of startedRuns) ports.runs.begin(tenant, runId)
  return { isDecided: hasChanged !== undefined, hasChanged: hasChanged ?? false, meters }
}

async function readFigures(
  ports: GuardPorts,
  rule: GuardRule,
  now: number,
): Promise<GuardFigures & { meters: readonly string[] }> {
  const { tenant, homeId, shed: shedLoads } = rule
  const [{ forecast, asOf, slowest, meters }, { Limit, billed }] = await Promise.all([
    ports.readDemand(tenant, homeId, now),
    ports.readAllowed(tenant, homeId, now, shedLoads.AllowBilledPeak),
  ])
  const target = Limit !== null && shedLoads.AllowBilledPeak ? Math.max(Limit, billed ?? 0) : Limit
  // The demand is a mean of a quarter of an hour; a meter with missed reports has no known present power.
  const isFresh = asOf !== null && slowest !== null && now - asOf <= MISSED_REPORTS * slowest * 1000
  return {
    forecast: isFresh ? forecast : null,
    asOf,
    target,
    isTooSlow: slowest !== null && slowest > SHED_REPORT_TIMEOUT_S,
    meters,
  }
}

/** Decision of a guard; an inactive one restores the loads that are online, at the same pace as an active one. */
function decide(
  { isActive, shed: paces }: GuardRule,
  {
    figures,
    loads: currentLoads,
    givenBackAt,
    now,
  }: { figures: GuardFigures; loads: readonly LoadNow[]; givenBackAt: number; now: number },
): GuardDecision {
  const loads = currentLoads.map(withManualOff)
  if (isActive) return planShed({ ...figures, now, paces, loads, givenBackAt })
  return { state: 'idle', shed: [], giveBack: planRestore({ now, paces, loads, givenBackAt }), lacks: 0 }
}

/** A load that was set by hand is treated as off. */
const withManualOff = ({ shed: shedLoads, wasSetByHand, ...load }: LoadNow) =>
  wasSetByHand ? { ...load, is: 'off' as const } : { ...load, ...(shedLoads && { shed: shedLoads }) }

async function applyDecision(
  work: GuardWork,
  rule: GuardRule,
  { forecast, target }: GuardFigures,
  loads: readonly LoadNow[],
  decision: GuardDecision,
): Promise<{ place: number; kw: number | null }[]> {
  const shedLoads: { place: number; kw: number | null }[] = []
  for (const place of decision.shed) {
    const load = rule.shed.Loads[place]
    if (!load || forecast === null || target === null) continue
    const kw = loads[place]?.kw ?? null
    await shedLoad(work, rule, load, { kw, forecast, target })
    shedLoads.push({ place, kw })
  }
  for (const place of decision.giveBack) {
    const shedding = loads[place]?.shedding
    if (shedding) await restoreShedding(work, shedding)
  }
  return shedLoads
}

/** Open sheddings of loads that the rule no longer names, and that are not being restored. */
const orphansOf = ({ shed: shedLoads }: GuardRule, open: readonly OpenShedding[]): OpenShedding[] =>
  open.filter(
    (one) => one.givenBackRunId === null && !shedLoads.Loads.some((load) => isSheddingOf(one, load)),
  )

/** Locks a guard until the transaction ends; undefined if another gateway has locked or just decided it. */
async function lockGuard(tx: Db, rule: GuardRule, now: number): Promise<GuardNotified | undefined> {
  const { tenant, automationId, homeId } = rule
  await tx.query(sql`
    insert into guard_states (tenant, automation_id, home_id, state, at)
    select ${tenant}, ${automationId}, ${homeId}, 'idle', 0
    where exists (select from automations where tenant = ${tenant} and automation_id = ${automationId})
    on conflict do nothing`)
  const [row] = await tx.query<GuardNotified>(sql`
    select state, partial_since as "partialSince", told_partial as "toldPartial", told_quarter as "toldQuarter" from guard_states
    where tenant = ${tenant} and automation_id = ${automationId}
      and (at <= ${now - MIN_DECISION_INTERVAL_MS}::bigint or at > ${now}::bigint)
    for update skip locked`)
  return row
}

const writeGuard = (
  tx: Db,
  { tenant, automationId }: GuardRule,
  {
    decision,
    figures,
    partialSince,
    toldPartial,
    toldQuarter,
  }: { decision: GuardDecision; figures: GuardFigures } & Omit<GuardNotified, 'state'>,
  now: number,
) =>
  tx.query(sql`
    update guard_states set state = ${decision.state}, forecast = ${figures.forecast}::float8,
      target = ${figures.target}::float8, at = ${now}::bigint, partial_since = ${partialSince}::bigint,
      told_partial = ${toldPartial}, told_quarter = ${toldQuarter}::bigint
    where tenant = ${tenant} and automation_id = ${automationId}`)
