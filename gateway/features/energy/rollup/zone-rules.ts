import { offsetAt, QUARTER_MS } from '../../../../contract/time/periods.ts'
import { type Db, sql } from '../../../store/db.ts'

const DAY = 86_400_000
/** No zone changes its clocks twice in a week. */
const WEEK = 7 * DAY
/** Days are divided by zones from here on: before, not all offsets are whole quarters of an hour. */
const BEGIN = Date.UTC(2000, 0, 1)
/** Rules are noted so far ahead: a gateway may run for years. */
const AHEAD = 5 * 366 * DAY
/** The release of the zones' rules that the runtime goes by, `2025b`. */
const RELEASE = process.versions['tz'] ?? ''

/** A zone's offset from UTC from a moment on, in ms. */
export type ZoneTransition = [from: number, offset: number]

/** Every change of a zone's offset from 2000 up to a moment, as the runtime has it; each at a whole quarter of an hour. */
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

/** When two accounts of a zone differ, `to` exclusive. */
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

/** What this process goes by; it does not change while it runs. */
const known = new Map<string, { until: number; steps: ZoneTransition[] }>()
function rulesOf(zone: string, now: number) {
  const there = known.get(zone)
  if (there && there.until > now) return there
  const until = BEGIN + Math.ceil((now + AHEAD - BEGIN) / WEEK) * WEEK
  const rules = { until, steps: zoneTransitionsOf(zone, until) }
  known.set(zone, rules)
  return rules
}

/**
 * Has days divided again that were divided by other rules of their zone than the runtime now goes by: governments change when clocks
 * change, and runtimes learn it late. Cheap when nothing changed. Of gateways with different releases the newer one is right.
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
      noted.release === null ? [] : differences(noted.steps, steps, Math.min(noted.until, until, now + DAY))
    await db.transaction(async (tx) => {
      for (const { from, to } of changed)
        await tx.query(sql`
          insert into meter_dirty (meter_id, from_timestamp, through_timestamp)
          select c.meter_id, greatest(${from - DAY}::bigint, m.begins), ${to + DAY}::bigint
          from meter_clocks c cross join lateral (
            select (make_date(min(month) / 12, min(month) % 12 + 1, 1) - date '1970-01-01' - 1) * ${DAY}::bigint as begins
            from meter_months where meter_id = c.meter_id) m
          where c.time_zone = ${zone} and m.begins <= ${to + DAY}::bigint`)
      await tx.query(sql`insert into zone_offsets (time_zone, release, until, steps)
        values (${zone}, ${RELEASE}, ${until}::bigint, ${JSON.stringify(steps)}::jsonb)
        on conflict (time_zone) do update set release = excluded.release, until = excluded.until, steps = excluded.steps`)
    })
  }
}
