import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { CATEGORIES } from '../../../contract/devices/kinds/device-kind.ts'
import type { DeviceSnapshot } from '../../../contract/devices/peripheral.ts'
import type { Grouping, HistoryStatus } from '../../../contract/energy/meter-data-calls.ts'
import type { Room } from '../../../contract/homes/room.ts'
import { VIRTUAL_PREFIX, virtualMeter } from '../../../contract/meters/virtual-meter.ts'
import { deviceOfMeter } from '../../../contract/devices/kinds/meter-id.ts'
import { type Source, SOURCES } from '../../../contract/energy/balance.ts'
import { METER_USES } from '../../../contract/meters/meter-facts.ts'
import { BANDS } from '../../../contract/tariffs/tariff-terms.ts'
import { callQuery } from '../../data/api.ts'
import { useDevices, useHomes } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import {
  SOURCE_COLORS,
  bandColors,
  meterColors,
  REST_COLOR,
  seriesColor,
  UNTRACKED_COLOR,
  type SeriesColor,
} from '../../ui/chart/energy-colors.ts'

export const isVirtual = (id: string): boolean => id.startsWith(VIRTUAL_PREFIX)

export interface NamedMeter {
  PeripheralUID: string
  name: string
  ParentMeter: string | null
  color: SeriesColor
}

/** Meters of a home by name; by ID if the user may not read devices. */
export function useNamedMeters(
  homeId: string,
  statuses: readonly Pick<HistoryStatus, 'PeripheralUID'>[],
): Map<string, NamedMeter> {
  const t = useT()
  const devices = useDevices(homeId).data
  return useMemo(() => nameMeters(t, devices, statuses), [t, devices, statuses])
}

/** Names and colors of a home's meters, by name. */
export function nameMeters(
  t: ReturnType<typeof useT>,
  devices: DeviceSnapshot | undefined,
  statuses: readonly Pick<HistoryStatus, 'PeripheralUID'>[],
): Map<string, NamedMeter> {
  const devicesById = new Map(devices?.Peripherals.map((device) => [device.PeripheralUID, device]))
  const meters = statuses.map(({ PeripheralUID }) => {
    const { PeripheralUID: id, isReturn } = deviceOfMeter(PeripheralUID)
    const device = devicesById.get(id)
    const name = device?.IndexName ?? device?.PeripheralName ?? id
    return {
      PeripheralUID,
      name: isReturn ? t('energy:returnOf', { name }) : name,
      ParentMeter: isReturn ? null : (device?.ParentMeter ?? null),
      IndexColor: isReturn ? null : (device?.IndexColor ?? null),
    }
  })
  const colors = meterColors(meters)
  return new Map(
    meters
      .toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }))
      .map(({ PeripheralUID, name, ParentMeter }) => [
        PeripheralUID,
        { PeripheralUID, name, ParentMeter, color: colors.get(PeripheralUID) ?? REST_COLOR },
      ]),
  )
}

/** Index of the first color for virtual meters; few homes have as many other meters. */
const VIRTUAL_COLORS = 24

/** Virtual meters of a home; undefined while loading. */
export function useVirtualMeterNames(homeId: string): Map<string, NamedMeter> | undefined {
  const virtualMeters = useQuery(callQuery(virtualMeter.operations.list, { HomeID: homeId })).data
  return useMemo(
    () =>
      virtualMeters &&
      new Map(
        virtualMeters.map(({ VirtualMeterID, VirtualMeterName }, i) => [
          VirtualMeterID,
          {
            PeripheralUID: VirtualMeterID,
            name: VirtualMeterName,
            ParentMeter: null,
            color: seriesColor(VIRTUAL_COLORS + i),
          },
        ]),
      ),
    [virtualMeters],
  )
}

const NONE: readonly never[] = []

/** Names and colors of the series in a response, by grouping. Meters and deleted rooms are undefined while they load: then by ID. */
export function useSeriesNames(
  homeId: string,
  grouping: Grouping,
  meters: ReadonlyMap<string, NamedMeter> | undefined,
  endedRooms: readonly Pick<Room, 'RoomID' | 'RoomName'>[] | undefined,
) {
  const t = useT()
  const home = useHomes()?.find(({ HomeID }) => HomeID === homeId)
  return useMemo(() => {
    const rooms = new Map(home?.RoomList.map(({ RoomID, RoomName }) => [String(RoomID), RoomName]))
    const roomIds = [...rooms.keys()]
    for (const { RoomID, RoomName } of endedRooms ?? NONE) rooms.set(String(RoomID), RoomName)
    const meterName = (key: string) =>
      meters ? (meters.get(key)?.name ?? t('energy:meterGone', { id: key })) : key
    const roomName = (key: string) =>
      rooms.get(key) ?? (home && endedRooms ? t('energy:roomGone', { id: key }) : key)
    return {
      nameOf: (key: string): string => {
        if (key === 'untracked') return t('energy:untracked')
        // A virtual meter keeps its name in every grouping.
        if (isVirtual(key)) return meterName(key)
        if (grouping === 'home') return home?.HomeName ?? t('energy:whole')
        if (grouping === 'room') return roomName(key)
        if (grouping === 'meter') return meterName(key)
        if (grouping === 'band') {
          const band = BANDS.find((candidate) => candidate === key)
          return band ? t(`energy:bands.${band}`) : t('energy:noBand')
        }
        if (grouping === 'source') {
          const source = SOURCES.find((candidate) => candidate === key)
          return source ? t(`balance:sources.${source}`) : key
        }
        if (grouping === 'use') {
          const use = METER_USES.find((candidate) => candidate === key)
          return use ? t(`energy:uses.${use}`) : t('energy:useUnknown')
        }
        const category = CATEGORIES.find((candidate) => candidate === key)
        return category ? t(`shell:categories.${category}`) : t('energy:categoryUnknown')
      },
      colorOf: (key: string): SeriesColor => {
        if (key === 'untracked') return UNTRACKED_COLOR
        if (grouping === 'meter' || isVirtual(key)) return meters?.get(key)?.color ?? REST_COLOR
        if (grouping === 'band') {
          const band = BANDS.find((candidate) => candidate === key)
          return band ? bandColors[band] : REST_COLOR
        }
        if (grouping === 'source') return SOURCE_COLORS[key as Source] ?? REST_COLOR
        const place =
          grouping === 'room'
            ? roomIds.indexOf(key)
            : grouping === 'use'
              ? METER_USES.indexOf(key as never)
              : grouping === 'category'
                ? CATEGORIES.indexOf(key as never)
                : 0
        return place < 0 ? REST_COLOR : seriesColor(place)
      },
    }
  }, [t, home, grouping, meters, endedRooms])
}
