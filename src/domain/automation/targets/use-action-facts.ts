import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { z } from 'zod'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { group, type Group } from '../../../../contract/automation/group.ts'
import type { ModbusRow } from '../../../../contract/devices/modbus/modbus-table.ts'
import type { Room } from '../../../../contract/homes/room.ts'
import { scene, type Scene } from '../../../../contract/automation/scene.ts'
import type { DeviceAction } from '../../../../contract/automation/action.ts'
import { callQuery } from '../../../data/api.ts'
import { useDevices, useHomes } from '../../../data/homes.ts'
import { useMay } from '../../../data/session.ts'
import { deviceRows, type DeviceRow } from '../../devices/device-rows.ts'
import { useModbusTables } from '../../modbus-table/use-modbus-tables.ts'
import { isControllable } from './settable.ts'

/** Possible targets of actions in a home. */
export interface ActionFacts {
  HomeID: string
  rooms: readonly Room[]
  /** Devices that accept commands, with their hubs. */
  rows: readonly DeviceRow[]
  /** All devices by UID. */
  devices: ReadonlyMap<string, Peripheral>
  /** Rows of the Modbus tables assigned to devices, by device UID. */
  registers?: ReadonlyMap<string, readonly ModbusRow[]>
  groups: ReadonlyMap<string, Group>
  scenes: ReadonlyMap<
    string,
    Pick<Scene, 'SceneID' | 'SceneName'> & { Actions?: readonly z.input<typeof DeviceAction>[] }
  >
  /** Lists that have loaded; a target that is missing from any other list may still exist. */
  known: Readonly<Record<'devices' | 'groups' | 'rooms' | 'scenes', boolean>>
}

/** Groups of a home by name; disabled without the right to read groups. */
function useGroups(HomeID: string | undefined) {
  const may = useMay('group', 'Read')
  return useQuery({
    ...callQuery(group.operations.list, { HomeID: HomeID ?? '' }),
    enabled: may && HomeID !== undefined,
  })
}

/** Scenes of a home by name; disabled without the right to read scenes. */
export function useScenes(HomeID: string | undefined, enabled = true) {
  const may = useMay('scene', 'Read')
  return useQuery({
    ...callQuery(scene.operations.list, { HomeID: HomeID ?? '' }),
    enabled: may && enabled && HomeID !== undefined,
  })
}

/** Possible targets of actions in a home, as far as the user may read them. */
export function useActionFacts(HomeID: string, withScenes = false): ActionFacts {
  const home = useHomes()?.find((candidate) => candidate.HomeID === HomeID)
  const snapshot = useDevices(HomeID).data
  const groups = useGroups(HomeID).data
  const scenes = useScenes(HomeID, withScenes).data
  const tables = useModbusTables(
    snapshot?.Peripherals.some(({ ModbusTableID }) => ModbusTableID != null) ?? false,
  ).data
  const registers = useMemo(
    () =>
      new Map(
        snapshot?.Peripherals.flatMap(({ PeripheralUID, ModbusTableID: id }) => {
          const rows =
            id == null ? undefined : tables?.find(({ ModbusTableID }) => ModbusTableID === id)?.Rows
          return rows ? [[PeripheralUID, rows] as const] : []
        }),
      ),
    [snapshot, tables],
  )
  return useMemo(
    () => ({
      registers,
      HomeID,
      rooms: home?.RoomList ?? [],
      rows: snapshot
        ? deviceRows(snapshot).filter(
            ({ device }) => device && isControllable(device, registers.get(device.PeripheralUID)),
          )
        : [],
      devices: new Map(snapshot?.Peripherals.map((device) => [device.PeripheralUID, device])),
      groups: new Map(groups?.map((one) => [one.GroupID, one])),
      scenes: new Map(scenes?.map((one) => [one.SceneID, one])),
      known: {
        devices: snapshot !== undefined,
        groups: groups !== undefined,
        rooms: home !== undefined,
        scenes: scenes !== undefined,
      },
    }),
    [HomeID, home, snapshot, groups, scenes, registers],
  )
}
