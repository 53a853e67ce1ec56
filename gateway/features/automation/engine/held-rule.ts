import type { Place } from '../../../../contract/rules/automation/place.ts'
import { type Db, named, sql } from '../../../store/db.ts'
import type { RuleRow } from './compile.ts'
import { DAYS, PLACE_COLUMNS, type PlaceRow, placeOf, type SunOf } from './places.ts'
import { RULE_COLUMNS, type RuleKey } from './rule-rows.ts'
import type { TurnWait } from './turn.ts'
import { WAITS_OF_TURN } from './waits.ts'

/** A rule whose state is held, with what its decision hangs on beside its devices. */
export interface HeldRule {
  row: RuleRow
  /** What it waits for, and when that is due, epoch ms. */
  waits: Map<TurnWait, number>
  place: Place
  /** Whether the automation of its home rests. */
  isPaused: boolean
}

interface Row extends RuleRow, PlaceRow {
  isPaused: boolean
  waits: { kind: TurnWait; dueAt: number }[] | null
}

/**
 * Reads a rule once its state is held: whoever changes a rule writes its state, too. The company's days are read only for a rule that
 * is awake at times.
 *
 * returns  undefined when the rule is gone
 */
export async function readHeld(
  tx: Db,
  { tenant, automationId }: RuleKey,
  { now, sunOf }: { now: number; sunOf: SunOf },
): Promise<HeldRule | undefined> {
  const [found] = await tx.query<Row>(
    named(
      'automation-held',
      sql`
    select ${RULE_COLUMNS}, ${PLACE_COLUMNS},
      case when a.rule #> '{Conditions,Period}' <> '[]' then ${DAYS} end as days,
      exists (select from automation_pauses p where p.tenant = a.tenant and p.home_id = a.home_id
        and (p.until is null or p.until > ${now}::bigint)) as "isPaused",
      (select jsonb_agg(jsonb_build_object('kind', w.kind, 'dueAt', w.due_at)) from automation_waits w
        where w.tenant = a.tenant and w.automation_id = a.automation_id
          and w.kind = any(${[...WAITS_OF_TURN]}::text[])) as waits
    from automations a join homes h on h.tenant = a.tenant and h.home_id = a.home_id
    where a.tenant = ${tenant} and a.automation_id = ${automationId}`,
    ),
  )
  if (!found) return undefined
  const { zone, latitude, longitude, days, isPaused, waits, ...row } = found
  return {
    row,
    waits: new Map((waits ?? []).map(({ kind, dueAt }) => [kind, dueAt])),
    place: placeOf({ zone, latitude, longitude, days }, sunOf),
    isPaused,
  }
}
