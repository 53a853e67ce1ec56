import { peripheral, type Peripheral } from '../../../../contract/devices/peripheral.ts'
import { call } from '../../../data/api.ts'
import { describeFailure } from '../../../data/failure.ts'
import { t } from '../../../lib/i18n/i18n.ts'
import { sendCommand } from '../../../live/commands.ts'
import {
  ItemFailed,
  startBulk,
  type BulkAction,
  type BulkRun,
  type BulkItem,
} from '../../../record-kit/bulk/bulk-run.ts'
import { callEach } from '../../../record-kit/bulk/call-each.ts'
import { switchValues } from './switch-plan.ts'

/** Maximum number of concurrent commands. */
const COMMANDS_AT_ONCE = 32

export interface DeviceItem extends BulkItem {
  device: Peripheral
}

/** Switches every relay of the devices. A device is done once it has reported the new state. */
export const switching = (turnOn: boolean): BulkAction<DeviceItem> => ({
  title: () => t(turnOn ? 'lists:results.on' : 'lists:results.off'),
  start: (items) =>
    startBulk(
      items,
      async ({ device }) => {
        const values = switchValues(device, turnOn)
        if (typeof values === 'string') throw new ItemFailed(() => t(`lists:results.${values}`))
        const command = sendCommand(device.HomeID, device.PeripheralUID, values)
        const end = await command?.settled
        if (end?.State !== 'confirmed')
          throw new ItemFailed(() => t(`errors:command.${end?.Reason ?? 'noAnswer'}`))
      },
      { maxConcurrent: COMMANDS_AT_ONCE, whyOf: describeFailure },
    ),
})

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
