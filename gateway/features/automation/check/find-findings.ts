import { confirmationFor } from '../../../../contract/devices/kinds/command-checks.ts'
import type { RuleWarning } from '../../../../contract/automation/calls.ts'
import { findConflicts } from '../logic/conflicts.ts'
import { loadActionsOf } from '../../../../contract/automation/rule-problems.ts'
import { SHED_REPORT_TIMEOUT_S } from '../../../../contract/automation/alarm-part.ts'
import { HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import type { Place } from '../../../../contract/automation/home-calendar.ts'
import { alwaysOrNever, alwaysOrNeverTogether, rangeOf } from '../logic/reachable.ts'
import { groupBy } from '../../../lib/group-by.ts'
import { expandActions } from '../targets/expand-actions.ts'
import type { RuleOfAutomation } from '../rules/stored-rule.ts'
import { conditionFindings, type SubjectFacts } from './condition-findings.ts'
import { loopsWith, type RuleReference, type OtherRules } from '../rules/other-rules.ts'

export interface CheckFacts extends SubjectFacts {
  rule: RuleOfAutomation
  others: OtherRules
  /** UIDs of missing devices, or devices with a missing field, that the rule names; null for other missing things. */
  gone: readonly (string | null)[]
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
const MOST = 20
/** Kinds of findings on conditions, in display order. */
const ORDER = ['noContract', 'noMainMeter', 'meterTooSlow', 'neverHeard'] as const

/** Findings on a rule before it is saved; those that prevent it from acting come first. */
export const checkRuleFindings = (facts: CheckFacts): Found[] => [
  ...loops(facts),
  ...facts.gone.map((uid): Found => ({ Kind: 'deviceGone', PeripheralUID: uid })),
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
    .slice(0, MOST)
    .map(({ ids, PeripheralUID, at, wins }) => ({
      Kind: at === null ? 'conflict' : 'sameTime',
      PeripheralUID,
      other: others.names.get(ids.find((id) => id !== others.own) ?? ''),
      At: at,
      ...(wins !== undefined && { Wins: wins === others.own ? 'this' : 'other' }),
    }))

/** Conditions that no value or every value meets, each alone or together. */
function ofValues({ rule: { Conditions }, asked }: CheckFacts): Found[] {
  if (!Conditions) return []
  const found = Conditions.PeripheralUIDs.flatMap((condition): Found[] => {
    const { PeripheralUID } = condition
    const Kind = alwaysOrNever(condition, rangeOf(condition, asked.get(PeripheralUID)?.type))
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
        alwaysOrNeverTogether(list, Conditions.Logical, rangeOf(one, asked.get(one.PeripheralUID)?.type))
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
    for (const { Kind, PeripheralUID, blocks } of conditionFindings(condition, Conditions, facts)) {
      const key = `${Kind} ${PeripheralUID}`
      const Blocks = blocks || found.get(key)?.Blocks
      found.set(key, { Kind, PeripheralUID, ...(Blocks && { Blocks: true }) })
    }
  return ORDER.flatMap((kind) => [...found.values()].filter(({ Kind }) => Kind === kind).slice(0, MOST))
}

function ofDevices({ rule, others: { targets }, asked }: CheckFacts): Found[] {
  const steps = expandActions(rule.Actions, targets)
  const all = [...steps, ...expandActions(loadActionsOf(rule.Alarm), targets)]
  const about = (uids: readonly string[], Kind: RuleWarning['Kind']) =>
    [...new Set(uids)].slice(0, MOST).map((PeripheralUID): Found => ({ Kind, PeripheralUID }))
  const away = [...asked.values(), ...all.flatMap(({ uid }) => targets.devices.get(uid) ?? [])].filter(
    ({ online }) => !online,
  )
  return [
    ...about(
      away.map(({ uid }) => uid),
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
  const isSaid = (kind: RuleWarning['Kind']) => found.some(({ Kind }) => Kind === kind)
  const isTooSlow = seconds === null || seconds > SHED_REPORT_TIMEOUT_S
  return [
    ...(isTooSlow && !isSaid('meterTooSlow') ? [{ Kind: 'meterTooSlow' } as const] : []),
    ...(hasContract === false && !isSaid('noContract')
      ? [{ Kind: 'noContract', PeripheralUID: HOME_SUBJECT } as const]
      : []),
  ]
}

const needsPlace = ({ Schedule, Conditions }: RuleOfAutomation): boolean =>
  [
    ...(Schedule && 'Weekdays' in Schedule ? [Schedule.At] : []),
    ...(Conditions?.Period ?? []).flatMap(({ From, To }) => [From, To]),
  ].some((moment) => typeof moment !== 'number')
