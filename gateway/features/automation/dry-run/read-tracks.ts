import type { Condition } from '../../../../contract/automation/condition.ts'
import type { Track } from '../logic/replay.ts'
import { DEFAULT_UPDATE_FREQUENCY } from '../../../../contract/devices/peripheral.ts'
import { deviceOfMeter } from '../../../../contract/devices/meter-roles.ts'
import { VIRTUAL_PREFIX } from '../../../../contract/meters/virtual-meter.ts'
import { runInSlices } from './in-slices.ts'
import { type Db, sql } from '../../../store/db.ts'
import { addedTrack, type TermTrack } from './virtual-meter-track.ts'
import { counterTrack } from './counter-track.ts'
import type { TryPorts } from './ports.ts'
import { readOfflineSpans } from './offline-spans.ts'
import { quantityOf, valueTrackOf } from './tracks.ts'

/** Values that all conditions together may have: what is more is read as means of equal spans. */
const MOST_VALUES = 2_000_000

interface Asked {
  ports: Pick<TryPorts, 'seriesOf' | 'termsOf'>
  tenant: string
  homeId: string
  zone: string
  /** Epoch ms. */
  from: number
  to: number
}

const NOTHING: Track = { at: [], values: [], goodFor: null, unknown: [] }

/** What is stored of each condition's field, in order: nothing of what no history holds. */
export async function readTracks(db: Db, conditions: readonly Condition[], asked: Asked): Promise<Track[]> {
  const { from, to, tenant } = asked
  const uids = [...new Set(conditions.map(({ PeripheralUID }) => PeripheralUID))]
  const points = Math.floor(MOST_VALUES / conditions.length)
  const away = await readOfflineSpans(db, tenant, uids, { from, to })
  const tracks: Track[] = []
  for (const condition of conditions) {
    const { PeripheralUID: uid, Field: field, Logical } = condition
    const unknown = away.get(uid) ?? []
    if (Logical === 'changed')
      tracks.push({ ...(await counterTrack(db, tenant, { uid, field, from, to })), unknown })
    else if (uid.startsWith(VIRTUAL_PREFIX)) tracks.push(await virtualTrack(db, condition, asked, points))
    else tracks.push(await storedTrack(db, condition, asked, { points, unknown }))
  }
  return tracks
}

/** The track of a field that one series tells. */
async function storedTrack(
  db: Db,
  condition: Condition,
  { ports, tenant, homeId, from, to, zone }: Asked,
  { points, unknown }: { points: number; unknown: Track['unknown'] },
): Promise<Track> {
  const quantity = quantityOf(condition, from, zone)
  if (!quantity) return NOTHING
  const range = { from: quantity.from, to, points, now: to }
  const [series] = await ports.seriesOf(db, { tenant, homeId }, [quantity], range)
  if (!series) return NOTHING
  const pause = await pauseOf(db, tenant, quantity.PeripheralUID)
  return valueTrackOf(condition, series, { away: unknown, zone, pause })
}

/** Ms in which a meter is to report once. */
async function pauseOf(db: Db, tenant: string, uid: string): Promise<number> {
  const [device] = await db.query<{ seconds: number }>(sql`select power_meter_update_frequency as seconds
    from peripherals where tenant = ${tenant} and peripheral_uid = ${deviceOfMeter(uid).PeripheralUID}`)
  return (device?.seconds ?? DEFAULT_UPDATE_FREQUENCY) * 1000
}

/** The track of a sum of a virtual meter: what its meters counted, added. */
async function virtualTrack(db: Db, condition: Condition, asked: Asked, points: number): Promise<Track> {
  const { ports, tenant, homeId, to } = asked
  const terms: TermTrack[] = []
  const added = await ports.termsOf(db, { tenant, homeId }, condition.PeripheralUID)
  for (const { PeripheralUID, Factor } of added) {
    const most = Math.floor(points / added.length)
    const track = await storedTrack(db, { ...condition, PeripheralUID }, asked, { points: most, unknown: [] })
    terms.push({ Factor, track })
  }
  return runInSlices(addedTrack(terms, to))
}
