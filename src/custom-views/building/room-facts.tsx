import { useQueries, useQuery } from '@tanstack/react-query'
import { deviceEvents } from '../../../contract/devices/event-calls.ts'
import { meterData } from '../../../contract/energy/meter-data-calls.ts'
import { deviceType } from '../../../contract/devices/kinds/registry.ts'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import { callQuery } from '../../data/api.ts'
import { useMay } from '../../data/session.ts'
import { statuses } from '../../data/status-store.ts'
import type { RoomSummary } from '../../domain/room/room-summary.ts'
import { formatClock } from '../../../contract/time/format-time.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { energyText } from '../../../contract/kernel/numbers.ts'
import { useTimeZone } from '../../data/homes.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import type { RoomWords } from './use-room-words.ts'

interface Props {
  HomeID: string
  RoomID: number
  room: RoomSummary
  words: RoomWords
  devices: readonly Peripheral[]
  now: number
}

/** Known facts of a room, with labels. */
export function RoomFactList({ HomeID, RoomID, room, words, devices, now }: Props) {
  const t = useT()
  const since = usePeopleSince(HomeID, devices)
  const energy = useTodayEnergy(HomeID, RoomID, room, now)
  const hasPeople = room.people.count > 0
  const isKnown = words.people !== undefined && (hasPeople || room.people.unknown === 0)
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t('building:temperature'), words.temperature],
    [
      t('building:people'),
      since !== undefined && isKnown
        ? t(hasPeople ? 'building:someoneSince' : 'building:nobodySince', { since })
        : words.people,
    ],
    [t('building:lights'), words.light],
    [t('building:climate'), words.climate],
    [t('building:power'), words.power],
    [t('building:todayEnergy'), energy],
    [t('building:air'), words.air],
  ]
  return (
    <dl className={page.facts}>
      {facts.flatMap(([name, value]) =>
        value === undefined
          ? []
          : [
              <dt key={`${name}-name`}>{name}</dt>,
              <dd key={name} className={page.figures}>
                {value}
              </dd>,
            ],
      )}
    </dl>
  )
}

/** Maximum number of motion and presence sensors that are queried. */
const MAX_SENSORS = 8

/** Time since when someone, or no one, has been there; undefined if a sensor has no data. */
function usePeopleSince(HomeID: string, devices: readonly Peripheral[]): string | undefined {
  const language = useLanguage()
  const zone = useTimeZone(HomeID)
  const sensors = devices.filter(({ PeripheralType }) => {
    const category = deviceType(PeripheralType)?.category
    return category === 'Motion' || category === 'Presence'
  })
  const isEnabled = sensors.length > 0 && sensors.length <= MAX_SENSORS
  const events = useQueries({
    queries: sensors.map(({ PeripheralUID }) => ({
      ...callQuery(deviceEvents.listDeviceEvent, { HomeID, PeripheralUID, Since: 0, Limit: 20 }),
      enabled: isEnabled,
      // Changes arrive as statuses, not as data changes, so the query is not invalidated.
      refetchInterval: 60_000,
    })),
  })
  if (!isEnabled) return undefined
  const last = sensors.map(({ PeripheralUID }, i) => {
    const event = events[i]?.data?.find(({ Field }) => Field === 'MotionState')
    const state = statuses.get(PeripheralUID)?.['MotionState']
    return { state, since: event && event.Value === state ? event.Timestamp : undefined }
  })
  const present = last.filter(({ state }) => state === 1)
  const about = present.length > 0 ? present : last
  const moments = about.map(({ since }) => since)
  if (moments.some((moment) => moment === undefined)) return undefined
  const all = moments as number[]
  return formatClock(present.length > 0 ? Math.min(...all) : Math.max(...all), gatewayNow(), language, zone)
}

/** Refetch interval of today's figures. */
const REFETCH_INTERVAL_MS = 15 * 60_000

/** Energy of the room's meters today; undefined without a meter or the right to see energy. */
function useTodayEnergy(HomeID: string, RoomID: number, room: RoomSummary, now: number): string | undefined {
  const t = useT()
  const enabled = useMay('electricity', 'Read') && room.watts.total > 0
  const at = Math.floor(now / REFETCH_INTERVAL_MS) * REFETCH_INTERVAL_MS
  const { data } = useQuery({
    ...callQuery(meterData.getEnergySeries, {
      HomeID,
      From: at,
      To: at + 1,
      Resolution: 'day',
      By: 'room',
    }),
    enabled,
  })
  if (!enabled || !data) return undefined
  const point = data.Series.find(({ Key }) => Key === String(RoomID))?.Points[0]
  if (point?.kWh == null) return t('building:unknown')
  const energy = energyText(point.kWh)
  return point.Coverage.Missing > 0 ? t('building:atLeast', { energy }) : energy
}
