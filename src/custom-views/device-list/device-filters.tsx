import {
  readWatts,
  ROW_KINDS,
  SORT_KEYS,
  writeWatts,
  type RowKind,
  type SortKey,
  type Watts,
} from '../../../contract/lists/list-query.ts'
import type { Room } from '../../../contract/homes/room.ts'
import type { ThingWithState } from '../../../contract/devices/thing.ts'
import type { countRows } from '../../domain/devices/device-rows.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { barChoice } from '../../ui/filter-bar/bar-choice.tsx'
import type { BarFilter } from '../../ui/filter-bar/bar-filter.ts'
import type { ListAddress } from './use-list-address.ts'
import { amountText, formatLimit } from '../../../contract/kernel/numbers.ts'

/** Text for a range of power: "at least 1 kW", "0.1 kW to 0.5 kW", "0 kW or less". */
export function usePowerWords(): (watts: Watts) => string {
  const t = useT()
  return ({ from, through }) => {
    if (from !== undefined && through !== undefined)
      return t('devices:power.between', { from: inUnit(from), through: inUnit(through) })
    if (from !== undefined) return t('devices:power.from', { from: inUnit(from) })
    return t('devices:power.through', { through: inUnit(through ?? 0) })
  }
}

const inUnit = (watts: number): string => amountText(formatLimit(watts, 'W'))

interface FilterOptions {
  address: ListAddress
  counts: ReturnType<typeof countRows>
  rooms: readonly Pick<Room, 'RoomID' | 'RoomName'>[]
  hubs: readonly Pick<ThingWithState, 'ThingName' | 'DeviceName'>[]
  /** Filters that the path does not fix already. */
  byKind: boolean
  byRoom: boolean
}

/** Ranges in W. */
const POWERS = ['100..', '1000..', '10000..', '..0']
/** Default direction of each sort key: the worst, the longest silent and the highest first. */
const ORDERS: Readonly<Record<SortKey, string>> = {
  name: 'name',
  state: 'state',
  age: '-age',
  power: '-power',
  room: 'room',
  kind: 'kind',
}
const keyIn = (order: string): SortKey => SORT_KEYS.find((key) => key === order.replace(/^-/, '')) ?? 'name'

/** Filters for kind, room, hub and power, the first three with their numbers of devices, and the sort order. */
export function useDeviceFilters(options: FilterOptions): BarFilter[] {
  const { byKind, byRoom, hubs, address } = options
  const words = useFilterWords()
  return [
    ...(byKind ? [kindFilter(options, words)] : []),
    ...(byRoom ? [roomFilter(options, words)] : []),
    ...(hubs.length > 1 || address.hub !== undefined ? [hubFilter(options, words)] : []),
    powerFilter(options, words),
    orderFilter(options, words),
  ]
}

type Words = ReturnType<typeof useFilterWords>

function useFilterWords() {
  const t = useT()
  const inWatts = usePowerWords()
  return {
    t,
    inWatts,
    counted: (name: string, count = 0) => t('screens:devices.counted', { name, count }),
    prefixOf: (name: string) => t('screens:devices.prefix', { name }),
  }
}

function kindFilter(
  { address: { kind, change }, counts }: FilterOptions,
  { t, counted, prefixOf }: Words,
): BarFilter {
  const nameOf = (rowKind: RowKind) => t(`devices:categories.${rowKind}`)
  return barChoice<RowKind>({
    key: 'kind',
    label: t('screens:devices.byKind'),
    placeholder: t('screens:devices.anyState'),
    prefix: prefixOf(t('devices:columns.kind')),
    value: kind,
    chosenLabel: kind && nameOf(kind),
    options: ROW_KINDS.filter((rowKind) => counts.byKind.has(rowKind) || kind === rowKind).map((one) => ({
      value: one,
      label: counted(nameOf(one), counts.byKind.get(one)),
    })),
    onChange: (next) => change({ kind: next }),
  })
}

function roomFilter({ address, counts, rooms }: FilterOptions, { t, counted, prefixOf }: Words): BarFilter {
  return barChoice({
    key: 'room',
    label: t('screens:devices.byRoom'),
    placeholder: t('screens:devices.anyState'),
    prefix: prefixOf(t('devices:columns.room')),
    value: address.RoomID?.toString(),
    chosenLabel: rooms.find(({ RoomID }) => RoomID === address.RoomID)?.RoomName,
    options: rooms.map(({ RoomID, RoomName }) => ({
      value: String(RoomID),
      label: counted(RoomName, counts.byRoom.get(RoomID)),
    })),
    onChange: (next) => address.change({ RoomID: next === undefined ? undefined : Number(next) }),
  })
}

function hubFilter(
  { address: { hub, change }, counts, hubs }: FilterOptions,
  { t, counted, prefixOf }: Words,
): BarFilter {
  return barChoice({
    key: 'hub',
    label: t('screens:devices.byHub'),
    placeholder: t('screens:devices.anyState'),
    prefix: prefixOf(t('devices:columns.hub')),
    value: hub,
    chosenLabel: hub && (hubs.find(({ ThingName }) => ThingName === hub)?.DeviceName ?? hub),
    options: hubs.map(({ ThingName, DeviceName }) => ({
      value: ThingName,
      label: counted(DeviceName, counts.byHub.get(ThingName)),
    })),
    onChange: (next) => change({ hub: next }),
  })
}

function powerFilter(
  { address: { watts, change } }: FilterOptions,
  { t, inWatts, prefixOf }: Words,
): BarFilter {
  const text = writeWatts(watts)
  return barChoice({
    key: 'watts',
    label: t('screens:devices.byPower'),
    placeholder: t('screens:devices.anyState'),
    prefix: prefixOf(t('devices:columns.power')),
    value: text,
    options: [...new Set(text === undefined ? POWERS : [...POWERS, text])].map((range) => ({
      value: range,
      label: inWatts(readWatts(range) ?? {}),
    })),
    onChange: (next = '') => change({ watts: readWatts(next) }),
  })
}

function orderFilter(
  { address: { sort, descending, change } }: FilterOptions,
  { t, prefixOf }: Words,
): BarFilter {
  const order = `${descending ? '-' : ''}${sort}`
  const orders = new Set([...SORT_KEYS.map((key) => ORDERS[key]), order])
  orders.delete('name')
  const nameOf = (value: string) => {
    const key = keyIn(value)
    return t(ORDERS[key] === value ? `devices:orders.${key}` : `devices:reversed.${key}`)
  }
  return barChoice({
    key: 'sort',
    label: t('screens:devices.sort'),
    placeholder: t('devices:orders.name'),
    prefix: prefixOf(t('screens:devices.sort')),
    value: order === 'name' ? undefined : order,
    options: [...orders].map((option) => ({ value: option, label: nameOf(option) })),
    onChange: (next = 'name') => change({ sort: keyIn(next), descending: next.startsWith('-') }),
  })
}
