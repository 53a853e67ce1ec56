import type { TruthValue } from '../../../../contract/automation/evaluate-conditions.ts'
import type { GatewayEvents, StoredReport } from '../../../kernel/events.ts'
import type { Db } from '../../../kernel/db.ts'
import { compileRule, type CompiledRule, ruleKey, isActiveRule } from './compile.ts'
import type { RuleRow } from '../rules/rule-rows.ts'
import type { RecordedReadings } from './rule-state.ts'
import { readRules, readWatching, type RuleKey } from '../rules/rule-rows.ts'
import {
  addRule,
  createConditionIndex,
  addAffectedRules,
  removeRule,
  type KnownResults,
  invalidateValue,
  type ConditionIndex,
} from './condition-index.ts'

/**
 * Rules of all companies by the devices that they watch, as this gateway knows them. It may be outdated, so it only selects the rules to
 * evaluate; `decideRule` decides.
 */
export interface RuleIndex extends KnownResults {
  rules: Map<string, CompiledRule>
  /** By `tenant/uid`. */
  byDevice: Map<string, Set<CompiledRule>>
  /** Watched conditions by `tenant/uid`; only for devices with a watched figure or silence. */
  watches: Map<string, ConditionIndex>
}

export const createRuleIndex = (): RuleIndex => ({
  rules: new Map(),
  byDevice: new Map(),
  watches: new Map(),
  verdicts: new Map(),
  recordedReadings: new Map(),
})

/** Reloads all rules; returns those that have not been evaluated since they were created or changed. */
export async function loadAllRules(index: RuleIndex, db: Db): Promise<RuleKey[]> {
  const rows = await readWatching(db)
  const keys = new Set(rows.map(ruleKey))
  for (const rule of index.rules.values()) if (!keys.has(rule.key)) removeFromIndex(index, rule.key)
  for (const row of rows) addToIndex(index, row)
  return rows.filter(({ isUnarmed }) => isUnarmed)
}

/** Reloads some rules; returns those that have conditions to watch. */
export async function loadRules(index: RuleIndex, db: Db, keys: readonly RuleKey[]): Promise<RuleKey[]> {
  const rows = (await readRules(db, keys)).filter((row) => isActiveRule(row) && row.rule.Conditions)
  const found = new Set(rows.map(ruleKey))
  for (const key of keys.map(ruleKey)) if (!found.has(key)) removeFromIndex(index, key)
  for (const row of rows) addToIndex(index, row)
  return rows
}

function addToIndex(index: RuleIndex, row: RuleRow): void {
  const before = index.rules.get(ruleKey(row))
  // The known state remains valid: every relevant change increments the version.
  if (before?.version === row.version && before.isReady === row.isReady) return
  removeFromIndex(index, ruleKey(row))
  const rule = compileRule(row)
  index.rules.set(rule.key, rule)
  for (const uid of rule.devices) {
    const key = deviceKeyOf(rule.tenant, uid)
    addTo(index.byDevice, key, rule)
    const isWatched = rule.watched.some(
      ({ condition, source }) =>
        condition.PeripheralUID === uid && (source === 'figure' || source === 'silence'),
    )
    if (!isWatched) continue
    const watch = index.watches.get(key) ?? createConditionIndex()
    index.watches.set(key, watch)
    addRule(watch, rule, uid)
  }
}

export function removeFromIndex(index: RuleIndex, key: string): void {
  const rule = index.rules.get(key)
  index.verdicts.delete(key)
  index.recordedReadings.delete(key)
  if (!rule) return
  index.rules.delete(key)
  for (const uid of rule.devices) {
    const device = deviceKeyOf(rule.tenant, uid)
    removeFrom(index.byDevice, device, rule)
    const watch = index.watches.get(device)
    if (watch && !removeRule(watch, rule)) index.watches.delete(device)
  }
}

/**
 * Updates the known results of a rule's conditions, which determine the relevant reports from now on.
 *
 * recorded  readings of its open alarm; null or undefined if none is open
 */
export function updateIndex(
  index: RuleIndex,
  { key }: Pick<CompiledRule, 'key'>,
  verdicts: readonly TruthValue[],
  recorded: RecordedReadings | null | undefined,
): void {
  index.verdicts.set(key, verdicts)
  if (recorded) index.recordedReadings.set(key, recorded)
  else index.recordedReadings.delete(key)
  // Uses the devices of the indexed rule, in case it was changed in the meantime.
  const rule = index.rules.get(key)
  if (!rule) return
  for (const uid of rule.devices) {
    const watch = index.watches.get(deviceKeyOf(rule.tenant, uid))
    if (watch) invalidateValue(watch)
  }
}

const deviceKeyOf = (tenant: string, uid: string): string => `${tenant}/${uid}`

function addTo(sets: Map<string, Set<CompiledRule>>, key: string, rule: CompiledRule): void {
  const set = sets.get(key)
  if (set) set.add(rule)
  else sets.set(key, new Set([rule]))
}

function removeFrom(sets: Map<string, Set<CompiledRule>>, key: string, rule: CompiledRule): void {
  const set = sets.get(key)
  if (set?.delete(rule) && set.size === 0) sets.delete(key)
}

/** Rules that refer to any field of a device. */
export const rulesOf = (index: RuleIndex, tenant: string, uid: string): Iterable<CompiledRule> =>
  index.byDevice.get(deviceKeyOf(tenant, uid)) ?? []

/** Rules that may be affected by a change of a state or counter. */
export function candidatesOfChanges(
  index: RuleIndex,
  { tenant, changedUIDs }: Pick<GatewayEvents['statusChanged'], 'tenant' | 'changedUIDs'>,
): Set<CompiledRule> {
  const found = new Set<CompiledRule>()
  for (const uid of changedUIDs) for (const rule of rulesOf(index, tenant, uid)) found.add(rule)
  return found
}

/**
 * Rules that reports may affect: a figure changes a condition's verdict, or is to be recorded in an open alarm. Nearly every report affects
 * none, at little cost.
 *
 * now  epoch ms
 */
export function candidatesOfReports(
  index: RuleIndex,
  reports: readonly StoredReport[],
  now: number,
): Set<CompiledRule> {
  const found = new Set<CompiledRule>()
  for (const report of reports) {
    const watch = index.watches.get(report.device.key)
    if (watch) addAffectedRules(index, watch, report, found, now)
  }
  return found
}
