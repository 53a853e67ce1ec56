import type { HistorySeries } from '../../../../contract/procedures/history.ts'
import type { Condition } from '../../../../contract/rules/automation/condition.ts'
import type { Track } from '../../../../contract/rules/automation/replay.ts'
import type { Db } from '../../../store/db.ts'
import { counterTrack } from './counter-track.ts'
import type { TryPorts } from './ports.ts'
import { readAway } from './away.ts'
import { quantityOf, trackOf } from './tracks.ts'

/** Values that all conditions together may have: what is more is read as means of equal spans. */
const MOST_VALUES = 2_000_000

interface Asked {
  ports: Pick<TryPorts, 'seriesOf'>
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
  const { from, to, tenant, zone } = asked
  const quantities = conditions.map((condition) => quantityOf(condition, from, zone))
  const uids = [...new Set(quantities.flatMap((one) => one?.PeripheralUID ?? []))]
  const points = Math.floor(MOST_VALUES / conditions.length)
  const away = await readAway(db, tenant, uids, { from, to })
  const tracks: Track[] = []
  for (const [i, condition] of conditions.entries()) {
    const quantity = quantities[i]
    if (!quantity) tracks.push(NOTHING)
    else if (condition.Logical === 'changed') {
      const { PeripheralUID: uid, Field: field } = condition
      tracks.push({
        ...(await counterTrack(db, tenant, { uid, field, from, to })),
        unknown: away.get(uid) ?? [],
      })
    } else {
      const [series] = await readSeries(db, asked, [quantity], points)
      const unknown = away.get(condition.PeripheralUID) ?? []
      tracks.push(series ? trackOf(condition, series, unknown, zone) : NOTHING)
    }
  }
  return tracks
}

/** Series of quantities that begin at one moment. */
async function readSeries(
  db: Db,
  { ports, tenant, homeId, to }: Asked,
  quantities: readonly { PeripheralUID: string; Field: string; from: number }[],
  points: number,
): Promise<HistorySeries[]> {
  const [first] = quantities
  if (!first) return []
  return ports.seriesOf(db, { tenant, homeId }, quantities, { from: first.from, to, points, now: to })
}
