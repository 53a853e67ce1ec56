import { type TruthValue, evaluateCondition } from '../../../../contract/automation/evaluate-conditions.ts'
import { idArray } from '../../../store/sql.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { isNotableChange } from './alarms.ts'
import { type CompiledRule, ruleKey } from './compile.ts'
import { type RuleIndex, updateIndex } from './rule-index.ts'
import { agedBefore, DATABASE_NOW } from './log.ts'
import { type RecordedReadings, ruleStateOf, type StoredRuleState, verdictsOf } from './rule-state.ts'
import type { RuleKey } from '../rules/rule-rows.ts'
import { valueAt } from './condition-index.ts'

/** Number of states that are checked together. */
const BATCH = 500

interface Row extends RuleKey {
  version: number
  stored: StoredRuleState | null
  /** Whether its devices have log entries that it has not processed. */
  hasNewEntries: boolean
}

/**
 * Checks the states that have gone unchecked for longest, and finds the rules to evaluate: their devices have new log entries, or a figure
 * contradicts their verdict. This compensates for notifications that were lost or reached another gateway; each state is checked by one
 * gateway.
 *
 * before   only states that were last checked before this time, epoch ms
 * returns  the rules to evaluate, and the number of states checked
 */
export async function reconcileRules(
  db: Db,
  index: RuleIndex,
  { before, now }: { before: number; now: number },
): Promise<{ candidates: RuleKey[]; seen: number }> {
  const rows = await db.query<Row>(sql`
    with share as (
      select * from automation_states where checked_at < ${before}::bigint
      order by checked_at limit ${BATCH}::int for update skip locked
    ), seen as (
      select s.tenant, s.automation_id, exists (select from jsonb_each_text(s.positions) p join device_events e
          on e.tenant = s.tenant and e.peripheral_uid = p.key and e.seq > p.value::bigint
            and e.timestamp >= ${agedBefore(sql`s.replayed_at`)})
        or exists (select from jsonb_each_text(s.positions) p join aged_events a
          on a.tenant = s.tenant and a.peripheral_uid = p.key and a.seq > p.value::bigint) as moved
      from share s
    )
    update automation_states s set checked_at = ${now}::bigint,
      replayed_at = case when seen.moved then s.replayed_at else ${DATABASE_NOW} end
    from seen where s.tenant = seen.tenant and s.automation_id = seen.automation_id
    returning s.tenant, s.automation_id as "automationId", s.version, s.state as stored, seen.moved as "hasNewEntries"`)
  const figures = await readFigures(
    db,
    rows.flatMap((row) => index.rules.get(ruleKey(row)) ?? []),
  )
  const candidates = rows.filter((row) => {
    const rule = index.rules.get(ruleKey(row))
    if (!rule) return false
    const state = ruleStateOf(row.stored)
    if (row.hasNewEntries || row.version !== rule.version || !state) return true
    const verdicts = verdictsOf(rule, state)
    const { recordedReadings: recorded } = state
    updateIndex(index, rule, verdicts, recorded)
    return differs(rule, verdicts, figures) || (recorded ? isToRecord(rule, recorded, figures, now) : false)
  })
  return { candidates, seen: rows.length }
}

/** Whether a figure contradicts the stored verdict of a condition. */
const differs = (
  { tenant, watched }: CompiledRule,
  verdicts: readonly TruthValue[],
  figures: ReadonlyMap<string, CommandValues>,
): boolean =>
  watched.some(({ condition, source }, i) => {
    if (source === 'silence') return true
    if (source !== 'figure') return false
    const values = figures.get(`${tenant}/${condition.PeripheralUID}`)
    const previous = verdicts[i]
    const value = values && valueAt(values, condition.Field)
    return evaluateCondition(condition, value, previous) !== previous
  })

/** Whether figures are to be recorded in an open alarm. */
function isToRecord(
  rule: CompiledRule,
  recorded: RecordedReadings,
  figures: ReadonlyMap<string, CommandValues>,
  now: number,
): boolean {
  const values = rule.watched.map(({ condition, source }, i) => {
    const status = figures.get(`${rule.tenant}/${condition.PeripheralUID}`)
    const value = status && source === 'figure' ? valueAt(status, condition.Field) : recorded.values[i]
    return value ?? null
  })
  return isNotableChange(rule, recorded, values, now)
}

/** Reads the statuses of the devices whose figures the rules watch. */
async function readFigures(db: Db, rules: readonly CompiledRule[]): Promise<Map<string, CommandValues>> {
  const devices = rules.flatMap(({ tenant, watched }) =>
    watched
      .filter(({ source }) => source === 'figure')
      .map(({ condition }) => ({ tenant, uid: condition.PeripheralUID })),
  )
  if (devices.length === 0) return new Map()
  const rows = await db.query<{ tenant: string; uid: string; values: CommandValues }>(sql`
    select tenant, peripheral_uid as uid, values from device_status where (tenant, peripheral_uid) in (select * from unnest(
      ${idArray(devices.map(({ tenant }) => tenant))}::uuid[], ${devices.map(({ uid }) => uid)}::text[]))`)
  return new Map(rows.map(({ tenant, uid, values }) => [`${tenant}/${uid}`, values]))
}
