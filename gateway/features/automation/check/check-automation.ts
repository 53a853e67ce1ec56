import { may } from '../../../../contract/kernel/permissions.ts'
import type { automations, RuleWarning } from '../../../../contract/automation/calls.ts'
import { FEATURE_OF_TYPE } from '../../../../contract/automation/automation.ts'
import { HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { nextRuns } from '../logic/schedule-clock.ts'
import type { Handler } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { sunOf } from '../../../lib/sun.ts'
import { sql } from '../../../kernel/db.ts'
import { catchUpOf } from '../rules/catching.ts'
import { findMissingTargets } from '../rules/check-rule.ts'
import { ruleOf, type RuleOfAutomation } from '../rules/stored-rule.ts'
import { homeKeyOf, readPlaces } from '../engine/places.ts'
import type { AutomationPorts } from '../records/ports.ts'
import { readOtherRules, loopsWith, type RuleReference, type OtherRules } from '../rules/other-rules.ts'
import { findHome } from '../../../domain/homes/find-home.ts'
import { confirmationFor } from '../../../../contract/devices/kinds/command-checks.ts'
import { findConflicts } from '../logic/conflicts.ts'
import { loadActionsOf } from '../../../../contract/automation/rule-problems.ts'
import { SHED_REPORT_TIMEOUT_S } from '../../../../contract/automation/alarm-part.ts'
import type { Place } from '../../../../contract/automation/home-calendar.ts'
import { alwaysOrNever, alwaysOrNeverTogether, rangeOf } from '../logic/reachable.ts'
import { groupBy } from '../../../lib/group-by.ts'
import { expandActions } from '../targets/targets.ts'
import { readSubjects, blockerOf, conditionFindings, type SubjectFacts } from './condition-findings.ts'

interface CheckFacts extends SubjectFacts {
  rule: RuleOfAutomation
  others: OtherRules
  /** UIDs of missing devices, or devices with a missing field, that the rule names; null for other missing things. */
  missingTargets: readonly (string | null)[]
  place: Place
  /** Whether the home has a location. */
  isPlaced: boolean
  /** Longest report interval of a main meter in seconds, for a rule that sheds loads; null without a main meter. */
  slowestMainMeter?: number | null | undefined
  /** Whether a contract capacity is in force, for a rule that sheds loads. */
  hasContract?: boolean | undefined
  now: number
}

type Found = Pick<RuleWarning, 'Kind'> &
  Partial<Omit<RuleWarning, 'Other'>> & { other?: RuleReference | undefined }

/** Maximum number of devices that findings of one kind name. */
const MAX_FINDINGS = 20
/** Kinds of findings on conditions, in display order. */
const ORDER = ['noContract', 'noMainMeter', 'meterTooSlow', 'neverHeard'] as const

/** Findings on a rule before it is saved; those that prevent it from acting come first. */
const checkRuleFindings = (facts: CheckFacts): Found[] => [
  ...loops(facts),
  ...facts.missingTargets.map((uid): Found => ({ Kind: 'deviceGone', PeripheralUID: uid })),
  ...ofValues(facts),
  ...conflicts(facts),
  ...ofConditions(facts),
  ...ofDevices(facts),
  ...ofShedding(facts),
  ...(needsPlace(facts.rule) && !facts.isPlaced ? [{ Kind: 'noPlace' } as const] : []),
]

/** One finding for each other rule of a loop; one without a rule if the rule starts itself. */
const loops = ({ others }: CheckFacts): Found[] =>
  loopsWith(others).flatMap((ids): Found[] =>
    ids.length === 0 ? [{ Kind: 'loop' }] : ids.map((id) => ({ Kind: 'loop', other: others.names.get(id) })),
  )

const conflicts = ({ others, place, now }: CheckFacts): Found[] =>
  findConflicts(others.acting, { now, place, about: others.own })
    .slice(0, MAX_FINDINGS)
    .map(({ ids, PeripheralUID, at, wins }) => ({
      Kind: at === null ? 'conflict' : 'sameTime',
      PeripheralUID,
      other: others.names.get(ids.find((id) => id !== others.own) ?? ''),
      At: at,
      ...(wins !== undefined && { Wins: wins === others.own ? 'this' : 'other' }),
    }))

/** Conditions that no value or every value meets, each alone or together. */
function ofValues({ rule: { Conditions }, devices }: CheckFacts): Found[] {
  if (!Conditions) return []
  const found = Conditions.PeripheralUIDs.flatMap((condition): Found[] => {
    const { PeripheralUID } = condition
    const Kind = alwaysOrNever(condition, rangeOf(condition, devices.get(PeripheralUID)?.type))
    return Kind ? [{ Kind, PeripheralUID }] : []
  })
  const byField = groupBy(
    Conditions.PeripheralUIDs,
    ({ PeripheralUID, Field }) => `${PeripheralUID} ${Field}`,
  )
  const together = new Set(
    [...byField.values()].map((list) => {
      const [one] = list
      return (
        one &&
        alwaysOrNeverTogether(list, Conditions.Logical, rangeOf(one, devices.get(one.PeripheralUID)?.type))
      )
    }),
  )
  // With OR, one field that is always met decides; with AND, one that never is.
  const Kind = Conditions.Logical === 'AND' ? 'never' : 'always'
  return together.has(Kind) && !found.some((one) => one.Kind === Kind) ? [...found, { Kind }] : found
}

/** Findings that prevent conditions from becoming true, without duplicates. */
function ofConditions({ rule: { Conditions }, ...facts }: SubjectFacts & Pick<CheckFacts, 'rule'>): Found[] {
  if (!Conditions) return []
  const found = new Map<string, Found>()
  for (const condition of Conditions.PeripheralUIDs)
    for (const { Kind, PeripheralUID, isBlocking } of conditionFindings(condition, Conditions, facts)) {
      const key = `${Kind} ${PeripheralUID}`
      const Blocks = isBlocking || found.get(key)?.Blocks
      found.set(key, { Kind, PeripheralUID, ...(Blocks && { Blocks: true }) })
    }
  return ORDER.flatMap((kind) =>
    [...found.values()].filter(({ Kind }) => Kind === kind).slice(0, MAX_FINDINGS),
  )
}

function ofDevices({ rule, others: { targets }, devices }: CheckFacts): Found[] {
  const steps = expandActions(rule.Actions, targets)
  const all = [...steps, ...expandActions(loadActionsOf(rule.Alarm), targets)]
  const about = (uids: readonly string[], Kind: RuleWarning['Kind']) =>
    [...new Set(uids)].slice(0, MAX_FINDINGS).map((PeripheralUID): Found => ({ Kind, PeripheralUID }))
  const offline = [...devices.values(), ...all.flatMap(({ uid }) => targets.devices.get(uid) ?? [])].filter(
    ({ online }) => !online,
  )
  return [
    ...about(
      offline.map(({ uid }) => uid),
      'hubOffline',
    ),
    ...about(
      steps.flatMap(({ uid, values }) =>
        confirmationFor(targets.devices.get(uid)?.type ?? '', values) ? [uid] : [],
      ),
      'asksFirst',
    ),
  ]
}

/** Findings that prevent loads from being shed in time: main meters that report too seldom, and a missing contract. */
function ofShedding(facts: CheckFacts): Found[] {
  const { slowestMainMeter: seconds, hasContract } = facts
  if (seconds === undefined) return []
  const found = ofConditions(facts)
  const isReported = (kind: RuleWarning['Kind']) => found.some(({ Kind }) => Kind === kind)
  const isTooSlow = seconds === null || seconds > SHED_REPORT_TIMEOUT_S
  return [
    ...(isTooSlow && !isReported('meterTooSlow') ? [{ Kind: 'meterTooSlow' } as const] : []),
    ...(hasContract === false && !isReported('noContract')
      ? [{ Kind: 'noContract', PeripheralUID: HOME_SUBJECT } as const]
      : []),
  ]
}

const needsPlace = ({ Schedule, Conditions }: RuleOfAutomation): boolean =>
  [
    ...(Schedule && 'Weekdays' in Schedule ? [Schedule.At] : []),
    ...(Conditions?.Period ?? []).flatMap(({ From, To }) => [From, To]),
  ].some((moment) => typeof moment !== 'number')

/** Number of a schedule's next runs that an editor shows. */
const SHOWN = 5

/** Findings on a rule before it is saved. Automations that the caller may not read appear without their names. */
export const checkAutomation =
  ({
    readSlowestMainMeter,
    readSources,
  }: Pick<AutomationPorts, 'readSlowestMainMeter' | 'readSources'>): Handler<
    typeof automations.checkAutomation
  > =>
  async ({ AutomationID, ...input }, { db, actor, clock }) => {
    const now = clock.now()
    const home = { tenant: actor.tenant, homeId: input.HomeID }
    const [found] = await db.query<{ isPlaced: boolean }>(sql`
    select latitude is not null and longitude is not null as "isPlaced" from homes
    where tenant = ${home.tenant} and home_id = ${home.homeId}`)
    const place = (await readPlaces(db, [home], sunOf)).get(homeKeyOf(home))
    if (!found || !place) throw new GatewayError('NOT_FOUND', `Home ${input.HomeID} does not exist`)
    const rule = ruleOf({ ...input, Catching: await catchUpOf(db, home, input) })
    const missingTargets = await findMissingTargets(db, home, rule)
    const findings = checkRuleFindings({
      rule,
      others: await readOtherRules(db, home, { id: AutomationID, rule }),
      ...(await readSubjects(db, readSources, home, [rule], now)),
      missingTargets: [
        ...new Set(
          missingTargets.map(({ Reason, Subject }) =>
            Reason === 'deviceGone' || Reason === 'fieldGone' ? Subject : null,
          ),
        ),
      ],
      place,
      isPlaced: found.isPlaced,
      ...(rule.Alarm?.Shed && {
        slowestMainMeter: await readSlowestMainMeter(db, home, now),
        hasContract: (await readSources(home, HOME_SUBJECT, now)).capacity !== null,
      }),
      now,
    })
    return {
      Findings: findings.map(
        ({ Kind, PeripheralUID = null, At = null, other, Wins, Blocks }): RuleWarning => ({
          Kind,
          PeripheralUID,
          Other:
            other && may(actor, FEATURE_OF_TYPE[other.AutomationType], 'Read', input.HomeID) ? other : null,
          At,
          ...(Wins && { Wins }),
          ...(Blocks && { Blocks }),
        }),
      ),
      NextRuns: rule.Schedule ? nextRuns(rule.Schedule, now, SHOWN, place) : [],
    }
  }

/** Enabled and ready rules of a home whose conditions can never become true, with the first reason of each. */
export const listBlocked =
  ({
    readSources,
  }: Pick<AutomationPorts, 'readSources'>): Handler<typeof automations.listBlockedAutomation> =>
  async ({ HomeID, AutomationType }, { db, actor, clock }) => {
    await findHome(db, actor.tenant, HomeID)
    const rows = await db.query<{ id: string; rule: RuleOfAutomation }>(sql`
      select automation_id as id, rule from automations
      where tenant = ${actor.tenant} and home_id = ${HomeID} and automation_type = ${AutomationType}::int and enabled
        and problem is null and rule ? 'Conditions'
      order by lower(automation_name), automation_id`)
    const rules = rows.map(({ rule }) => rule)
    const facts = await readSubjects(
      db,
      readSources,
      { tenant: actor.tenant, homeId: HomeID },
      rules,
      clock.now(),
    )
    return rows.flatMap(({ id, rule }) => {
      const blocker = blockerOf(rule, facts)
      return blocker ? [{ AutomationID: id, Kind: blocker.Kind, PeripheralUID: blocker.PeripheralUID }] : []
    })
  }
