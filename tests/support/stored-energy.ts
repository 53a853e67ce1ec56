import { dayOf, monthOfDay, QUARTER_MS, startOfDay } from '../../contract/time/periods.ts'
import { sql } from '../../gateway/kernel/db.ts'
import { addDiscovered } from './discoveries.ts'
import type { Caller, World } from './world.ts'

/** Home with its hub, to which meters can be added. */
export interface Site {
  HomeID: string
  ThingName: string
  zone: string
}

export async function addSite(root: Caller, HomeName: string, zone = 'Asia/Taipei'): Promise<Site> {
  const { HomeID } = (await root.post('/CreateHome', { HomeName, TimeZone: zone })).results
  const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
  return { HomeID, ThingName, zone }
}

interface MeterOptions {
  type?: string
  RoomID?: number
  parent?: string
}

/** Adds a meter with the numeric id of a meter that has readings; returns the id. */
export async function addMeter(
  world: World,
  root: Caller,
  site: Site,
  uid: string,
  { type = '514', RoomID = 0, parent }: MeterOptions = {},
): Promise<number> {
  const { HomeID, ThingName } = site
  await addDiscovered(world, root, { HomeID, ThingName, RoomID, type, uids: [uid] })
  if (parent !== undefined) {
    const { status } = await root.post('/UpdatePeripheralAdvanceInfo', {
      HomeID,
      PeripheralUID: uid,
      ParentMeter: parent,
    })
    if (status.code !== 0) throw new Error(`No parent: ${JSON.stringify(status)}`)
  }
  const [row] = await world.db.query<{ id: number }>(sql`insert into meters (tenant, home_id, peripheral_uid)
    values (${root.tenant}, ${HomeID}, ${uid}) returning meter_id as id`)
  return row?.id as number
}

/** Energy of a meter in an interval: kWh, with its quality unless measured; undefined if unknown. */
export type Counted = number | [kwh: number, quality: 'm' | 'b' | 'e' | 'c'] | undefined

/**
 * Stores days of a meter in the form in which they are computed from readings.
 *
 * from, to  epoch ms, whole quarters
 * resets    times at which the counter fell
 */
export async function storeEnergy(
  world: World,
  site: Pick<Site, 'zone'>,
  meterId: number,
  [from, to]: readonly [number, number],
  countedAt: (timestamp: number) => Counted,
  resets: readonly number[] = [],
): Promise<void> {
  const { zone } = site
  const rows: object[] = []
  for (let day = dayOf(from, zone); day <= dayOf(to - 1, zone); day++) {
    const [start, next] = [startOfDay(day, zone), startOfDay(day + 1, zone)]
    const cumulative: number[] = []
    let [quality, sum] = ['', 0]
    for (let at = start; at < Math.min(next, to); at += QUARTER_MS) {
      const counted = at < from ? undefined : countedAt(at)
      const [kwh, letter] =
        counted === undefined ? [0, '-'] : Array.isArray(counted) ? counted : [counted, 'm']
      cumulative.push((sum += kwh))
      quality += letter
    }
    const knownQuality = quality.replace(/-+$/, '')
    if (!knownQuality) continue
    const of = (letter: string) => knownQuality.split(letter).length - 1
    const resetsInHour = resets
      .filter((at) => start <= at && at < next)
      .map((at) => (at - start) / QUARTER_MS)
    rows.push({
      meter_id: meterId,
      day,
      month: monthOfDay(day),
      kwh: cumulative[knownQuality.length - 1],
      measured: of('m'),
      between: of('b'),
      estimated: of('e'),
      corrected: of('c'),
      missing: of('-'),
      resets: resetsInHour.length,
      reset_quarters: resetsInHour,
      cumulative: cumulative.slice(0, knownQuality.length),
      quality: knownQuality,
    })
  }
  await world.db.query(sql`
    insert into meter_days (meter_id, day, kwh, measured, between, estimated, corrected, missing, resets, reset_quarters, cumulative, quality)
    select meter_id, day, kwh, measured, r.between, estimated, corrected, missing, resets, reset_quarters, cumulative, quality
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (meter_id int, day int, kwh float8, measured int,
      between int, estimated int, corrected int, missing int, resets int, reset_quarters smallint[], cumulative float8[], quality text)`)
  await world.db.query(sql`
    insert into meter_months (meter_id, month, kwh, measured, between, estimated, corrected, missing, resets)
    select meter_id, month, sum(kwh), sum(measured), sum(r.between), sum(estimated), sum(corrected), sum(missing), sum(resets)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (meter_id int, month int, kwh float8, measured int,
      between int, estimated int, corrected int, missing int, resets int) group by 1, 2`)
}

/** Stores readings without the energy computed from them, for tests that only read the meter. */
export async function storeReadings(
  world: World,
  meterId: number,
  readings: readonly (readonly [timestamp: number, counter: number])[],
): Promise<void> {
  for (const [timestamp, counter] of readings)
    await world.db
      .query(sql`insert into readings (meter_id, timestamp, accumulate_power, power, avg_electric_current)
      values (${meterId}, ${timestamp}::bigint, ${counter}, 100, 1)`)
  await world.db.query(sql`insert into meter_dirty values (${meterId}, 1, 0)`)
}

/** Pseudorandom numbers from 0 to 1 that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
