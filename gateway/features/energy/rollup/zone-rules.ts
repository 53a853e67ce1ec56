import { offsetAt, QUARTER_MS, DAY_MS } from '../../../../contract/time/periods.ts'
import { type Db, sql } from '../../../kernel/db.ts'

/** Search step: no zone changes its offset twice in a week. */
const WEEK = 7 * DAY_MS
/** Start of the recorded rules: earlier offsets are not all whole quarters of an hour. */
const BEGIN = Date.UTC(2000, 0, 1)
/** Period ahead for which rules are recorded: a gateway may run for years. */
const AHEAD = 5 * 366 * DAY_MS
/** Release of the runtime's time zone database, for example `2025b`. */
const RELEASE = process.versions['tz'] ?? ''

/** Offset of a zone from UTC in ms, from a time on. */
export type ZoneTransition = [from: number, offset: number]

/** Offset changes of a zone from 2000 up to a time, from the runtime; each at a whole quarter of an hour. */
export function zoneTransitionsOf(zone: string, until: number): ZoneTransition[] {
  const steps: ZoneTransition[] = [[BEGIN, offsetAt(BEGIN, zone)]]
  for (let at = BEGIN; at < until; at += WEEK) {
    const [, before] = steps.at(-1) as ZoneTransition
    const after = offsetAt(at + WEEK, zone)
    if (after === before) continue
    let [low, high] = [at / QUARTER_MS, (at + WEEK) / QUARTER_MS]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (offsetAt(middle * QUARTER_MS, zone) === before) low = middle
      else high = middle
    }
    steps.push([high * QUARTER_MS, after])
  }
  return steps
}

const offsetIn = (steps: readonly ZoneTransition[], at: number) => steps.findLast(([from]) => from <= at)?.[1]

/** Periods in which two lists of transitions of a zone differ, `to` exclusive. */
function differences(
  a: readonly ZoneTransition[],
  b: readonly ZoneTransition[],
  until: number,
): { from: number; to: number }[] {
  const edges = [...new Set([...a, ...b].map(([from]) => from))]
    .filter((at) => at < until)
    .toSorted((one, other) => one - other)
  return edges.flatMap((from, i) =>
    offsetIn(a, from) === offsetIn(b, from) ? [] : [{ from, to: edges[i + 1] ?? until }],
  )
}

/** Cache of the runtime's rules, which do not change while the process runs. */
const known = new Map<string, { until: number; steps: ZoneTransition[] }>()
function rulesOf(zone: string, now: number) {
  const cached = known.get(zone)
  if (cached && cached.until > now) return cached
  const until = BEGIN + Math.ceil((now + AHEAD - BEGIN) / WEEK) * WEEK
  const rules = { until, steps: zoneTransitionsOf(zone, until) }
  known.set(zone, rules)
  return rules
}

/**
 * Marks days dirty that were divided by other zone rules than those of the runtime: governments change the rules, and runtimes follow late.
 * Cheap if nothing changed. Among gateways with different releases the newest one prevails.
 */
export async function applyZoneRuleChanges(db: Db, now: number): Promise<void> {
  const zones = await db.query<{
    zone: string
    release: string | null
    until: number
    steps: ZoneTransition[]
  }>(sql`
    select c.time_zone as zone, z.release, z.until, z.steps
    from (select distinct time_zone from meter_clocks) c left join zone_offsets z on z.time_zone = c.time_zone`)
  for (const { zone, ...noted } of zones) {
    const { until, steps } = rulesOf(zone, now)
    if (noted.release !== null && noted.release > RELEASE) continue
    if (noted.release === RELEASE && noted.until >= until) continue
    const changed =
      noted.release === null
        ? []
        : differences(noted.steps, steps, Math.min(noted.until, until, now + DAY_MS))
    await db.transaction(async (tx) => {
      for (const { from, to } of changed)
        await tx.query(sql`
          insert into meter_dirty (meter_id, from_timestamp, through_timestamp)
          select c.meter_id, greatest(${from - DAY_MS}::bigint, m.begins), ${to + DAY_MS}::bigint
          from meter_clocks c cross join lateral (
            select (make_date(min(month) / 12, min(month) % 12 + 1, 1) - date '1970-01-01' - 1) * ${DAY_MS}::bigint as begins
            from meter_months where meter_id = c.meter_id) m
          where c.time_zone = ${zone} and m.begins <= ${to + DAY_MS}::bigint`)
      await tx.query(sql`insert into zone_offsets (time_zone, release, until, steps)
        values (${zone}, ${RELEASE}, ${until}::bigint, ${JSON.stringify(steps)}::jsonb)
        on conflict (time_zone) do update set release = excluded.release, until = excluded.until, steps = excluded.steps`)
    })
  }
}
