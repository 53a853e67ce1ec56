import { peripheral, type Peripheral, SWITCHES_HIDDEN } from '../../../../contract/devices/peripheral.ts'
import { call } from '../../../data/api.ts'
import { statuses } from '../../../data/status-store.ts'
import { describeFailure } from '../../../data/failure.ts'
import { t } from '../../../lib/i18n/i18n.ts'
import { sendCommand } from '../../../live/commands.ts'
import {
  ItemFailed,
  startBulk,
  type BulkAction,
  type BulkRun,
  type BulkItem,
  callEach,
} from '../../../record-kit/bulk/bulk-run.ts'
import { confirmBulkAction } from '../../../record-kit/bulk/ask-first.tsx'
import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { deviceType } from '../../../../contract/devices/kinds/registry.ts'

const RELAY = /^Switch[1-3]?$/

type Device = Pick<Peripheral, 'PeripheralType' | 'ControlMode'>

const relaysOf = ({ PeripheralType }: Device): string[] =>
  (deviceType(PeripheralType)?.capabilities ?? []).flatMap(({ command }) =>
    Object.keys(command).filter((field) => RELAY.test(field)),
  )

/**
 * Command that switches every relay of a device on or off.
 *
 * returns  the values, or the reason there are none: a key of `lists:results`
 */
export function switchValues(device: Device, isOn: boolean): CommandValues | 'cannotSwitch' | 'hidden' {
  const relays = relaysOf(device)
  if (relays.length === 0) return 'cannotSwitch'
  if (device.ControlMode === SWITCHES_HIDDEN) return 'hidden'
  return Object.fromEntries(relays.map((relay) => [relay, isOn ? 1 : 0]))
}

/** Whether switching may start or stop a machine, so that the user must confirm (experience, Devices 8). */
export const mayMoveMachines = (device: Device): boolean =>
  typeof switchValues(device, true) === 'object' &&
  (deviceType(device.PeripheralType)?.capabilities ?? []).some(
    ({ name, needsConfirmation, command }) =>
      (name === 'dryContact' || needsConfirmation) && 'Switch' in command,
  )

/** Maximum number of concurrent commands. */
const MAX_PARALLEL_COMMANDS = 32

export interface DeviceItem extends BulkItem {
  device: Peripheral
}

/**
 * Switches every relay of the devices, after a confirmation if a machine may move. A device is done once it has reported the new state;
 * undo restores the states that were reported before.
 */
export function switchAll(
  items: readonly DeviceItem[],
  turnOn: boolean,
  run: (action: BulkAction<DeviceItem>) => void,
): void {
  const previousValues = new Map(items.map(({ id, device }) => [id, relayValues(device)]))
  const action: BulkAction<DeviceItem> = {
    title: () => t(turnOn ? 'lists:results.on' : 'lists:results.off'),
    start: (some) => commanding(some, ({ device }) => switchValues(device, turnOn)),
    undo: (done) => commanding(done, ({ id }) => previousValues.get(id) ?? 'previousUnknown'),
  }
  const riskyItems = items.filter(({ device }) => mayMoveMachines(device))
  if (riskyItems.length === 0) return run(action)
  confirmBulkAction({
    title: t(turnOn ? 'lists:ask.on' : 'lists:ask.off'),
    reason: t('lists:ask.why'),
    items: riskyItems,
    ok: t(turnOn ? 'lists:bulk.on' : 'lists:bulk.off'),
    run: () => run(action),
  })
}

/** Reported values of a device's relays; undefined if it has reported none. */
function relayValues(device: Peripheral): CommandValues | undefined {
  const status = statuses.get(device.PeripheralUID)
  const known = relaysOf(device).filter((relay) => typeof status?.[relay] === 'number')
  return known.length > 0 ? Object.fromEntries(known.map((relay) => [relay, status?.[relay]])) : undefined
}

const commanding = (
  items: readonly DeviceItem[],
  valuesOf: (item: DeviceItem) => ReturnType<typeof switchValues> | 'previousUnknown',
): BulkRun =>
  startBulk(
    items,
    async (item) => {
      const values = valuesOf(item)
      if (typeof values === 'string') throw new ItemFailed(() => t(`lists:results.${values}`))
      const command = sendCommand(item.device.HomeID, item.device.PeripheralUID, values)
      const end = await command?.settled
      if (end?.State !== 'confirmed')
        throw new ItemFailed(() => t(`errors:command.${end?.Reason ?? 'noAnswer'}`))
    },
    { maxConcurrent: MAX_PARALLEL_COMMANDS, whyOf: describeFailure },
  )

export const moving = (RoomID: number, room: string): BulkAction<DeviceItem> => ({
  title: () => t('lists:results.move', { room }),
  start: (items) => updating(items, () => ({ RoomID })),
  undo: (items) => updating(items, ({ device }) => ({ RoomID: device.RoomID })),
})

/** Renames the devices; `names` by id. */
export const renaming = (names: ReadonlyMap<string, string>): BulkAction<DeviceItem> => ({
  title: () => t('lists:results.rename'),
  start: (items) => updating(items, ({ id, name }) => ({ PeripheralName: names.get(id) ?? name })),
  undo: (items) => updating(items, ({ device }) => ({ PeripheralName: device.PeripheralName })),
})

const updating = (
  items: readonly DeviceItem[],
  changeOf: (item: DeviceItem) => Partial<Pick<Peripheral, 'RoomID' | 'PeripheralName'>>,
): BulkRun =>
  callEach(items, (item) => {
    const { HomeID, PeripheralUID } = item.device
    return call(peripheral.operations.update, { HomeID, PeripheralUID, ...changeOf(item) })
  })
