import { questionOf } from '../../../../contract/device-kinds/asks-first.ts'
import { capabilityOf } from '../../../../contract/device-kinds/registry.ts'
import type { Finding } from '../../../../contract/procedures/automations.ts'
import { findConflicts } from '../../../../contract/rules/automation/conflicts.ts'
import { SHED_REPORTS_WITHIN } from '../../../../contract/rules/automation/alarm-part.ts'
import { type Condition, HOME_SUBJECT } from '../../../../contract/rules/automation/condition.ts'
import type { Place } from '../../../../contract/rules/automation/place.ts'
import {
  alwaysOrNever,
  alwaysOrNeverTogether,
  rangeOf,
} from '../../../../contract/rules/automation/reachable.ts'
import { groupBy } from '../../../lib/group-by.ts'
import { expandActions } from '../expand-actions.ts'
import type { StoredRule } from '../automation/stored-rule.ts'
import { sourceOf } from '../engine/compile.ts'
import { valueAt } from '../engine/known/watch.ts'
import type { TargetDevice } from '../targets.ts'
import { loopsWith, type Named, type OtherRules } from './other-rules.ts'

/** A device that conditions are about. */
export type AskedDevice = TargetDevice & {
  /** Seconds between two reports of a meter. */
  frequency: number
}

/** What findings are made of. */
export interface Facts {
  rule: StoredRule
  others: OtherRules
  /** Devices of its conditions, by UID. */
  asked: ReadonlyMap<string, AskedDevice>
  /** UIDs of what it names and what is gone; null for a group, scene or room. */
  gone: readonly (string | null)[]
  place: Place
  /** Whether anybody has said where the home is. */
  isPlaced: boolean
  /** Of a rule that sheds: seconds between two reports of the main meter that reports least often, null without any. */
  slowestMainMeter?: number | null | undefined
  now: number
}

type Found = Pick<Finding, 'Kind'> & Partial<Omit<Finding, 'Other'>> & { other?: Named | undefined }

/** Most devices that findings of one kind name. */
const MOST = 20
/** Seconds within which people expect a rule to act on what a meter measures, and on its sums. */
const IN_TIME = 60
const SUM_IN_TIME = { HourlyKwh: 900, DailyKwh: 3600, MonthlyKwh: 3600 } as const

/** What is worth knowing of a rule before it is saved: what stops it first. */
export const findFindings = (facts: Facts): Found[] => [
  ...loops(facts),
  ...facts.gone.map((uid): Found => ({ Kind: 'deviceGone', PeripheralUID: uid })),
  ...ofValues(facts),
  ...conflicts(facts),
  ...ofDevices(facts),
  ...(seesTooLate(facts) ? [{ Kind: 'meterTooSlow' } as const] : []),
  ...(needsPlace(facts.rule) && !facts.isPlaced ? [{ Kind: 'noPlace' } as const] : []),
]

/** One for each other rule of a loop; one without for a rule that starts itself. */
const loops = ({ others }: Facts): Found[] =>
  loopsWith(others).flatMap((ids): Found[] =>
    ids.length === 0 ? [{ Kind: 'loop' }] : ids.map((id) => ({ Kind: 'loop', other: others.names.get(id) })),
  )

const conflicts = ({ others, place, now }: Facts): Found[] =>
  findConflicts(others.acting, { now, place, about: others.own })
    .slice(0, MOST)
    .map(({ ids, PeripheralUID, at, wins }) => ({
      Kind: at === null ? 'conflict' : 'sameTime',
      PeripheralUID,
      other: others.names.get(ids.find((id) => id !== others.own) ?? ''),
      At: at,
      ...(wins !== undefined && { Wins: wins === others.own ? 'this' : 'other' }),
    }))

/** Conditions that no value can meet, or all values do, each by itself or together. */
function ofValues({ rule: { Conditions }, asked }: Facts): Found[] {
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
  // Among alternatives one field that is always met decides; of conditions that must all hold, one that never is.
  const Kind = Conditions.Logical === 'AND' ? 'never' : 'always'
  return together.has(Kind) && !found.some((one) => one.Kind === Kind) ? [...found, { Kind }] : found
}

function ofDevices({ rule, others: { targets }, asked }: Facts): Found[] {
  const conditions = rule.Conditions?.PeripheralUIDs ?? []
  const steps = expandActions(rule.Actions, targets)
  const about = (uids: readonly string[], Kind: Finding['Kind']) =>
    [...new Set(uids)].slice(0, MOST).map((PeripheralUID): Found => ({ Kind, PeripheralUID }))
  const uids = (list: readonly Condition[]) => list.map(({ PeripheralUID }) => PeripheralUID)
  const away = [...asked.values(), ...steps.flatMap(({ uid }) => targets.devices.get(uid) ?? [])].filter(
    ({ online }) => !online,
  )
  return [
    ...about(uids(conditions.filter((one) => isTooSlow(one, rule, asked))), 'meterTooSlow'),
    ...about(uids(conditions.filter((one) => isUnheard(one, asked))), 'neverHeard'),
    ...about(
      away.map(({ uid }) => uid),
      'hubOffline',
    ),
    ...about(
      steps.flatMap(({ uid, values }) =>
        questionOf(targets.devices.get(uid)?.type ?? '', values) ? [uid] : [],
      ),
      'asksFirst',
    ),
  ]
}

/** Whether a meter reports less often than the rule needs it: within a minute, or within the time that conditions must hold. */
function isTooSlow(
  { PeripheralUID, Field }: Condition,
  { Conditions }: StoredRule,
  asked: Facts['asked'],
): boolean {
  const device = asked.get(PeripheralUID)
  if (!device || !capabilityOf(device.type, 'meter')) return false
  const source = sourceOf({ PeripheralUID, Field })
  if (source !== 'figure' && source !== 'measure') return false
  const needed = Field in SUM_IN_TIME ? SUM_IN_TIME[Field as keyof typeof SUM_IN_TIME] : IN_TIME
  return device.frequency > Math.max(needed, Conditions?.For ?? 0)
}

/** Whether the main meters report too seldom for loads to be shed in time. */
const seesTooLate = ({ slowestMainMeter: seconds }: Facts): boolean =>
  seconds !== undefined && (seconds === null || seconds > SHED_REPORTS_WITHIN)

/** Whether a device has never said the value that a condition asks for. */
function isUnheard({ PeripheralUID, Field }: Condition, asked: Facts['asked']): boolean {
  if (PeripheralUID === HOME_SUBJECT) return false
  const device = asked.get(PeripheralUID)
  if (!device) return false
  const source = sourceOf({ PeripheralUID, Field })
  if (source === 'event' || source === 'figure') return valueAt(device.status ?? {}, Field) === undefined
  return source !== 'online' && device.status === null
}

/** Whether a rule has a time by the sun. */
const needsPlace = ({ Schedule, Conditions }: StoredRule): boolean =>
  [
    ...(Schedule && 'Weekdays' in Schedule ? [Schedule.At] : []),
    ...(Conditions?.Period ?? []).flatMap(({ From, To }) => [From, To]),
  ].some((moment) => typeof moment !== 'number')
