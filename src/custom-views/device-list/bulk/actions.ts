import { peripheral, type Peripheral } from '../../../../contract/resources/peripheral.ts'
import { call } from '../../../providers/api.ts'
import { describeFailure } from '../../../providers/failure.ts'
import { t } from '../../../providers/i18n.ts'
import { sendCommand } from '../../../providers/live/live.ts'
import { refreshAfter } from '../../../ui/crud/refresh-after.ts'
import { ItemFailed, startBulk, type BulkRun, type Item } from './bulk-run.ts'
import { switchValues } from './switch-plan.ts'

/** Commands on their way together: a longer queue comes no sooner to its end. */
const COMMANDS_AT_ONCE = 32
/** Calls on their way together: a browser opens no more connections to one host. */
const CALLS_AT_ONCE = 6

export interface DeviceItem extends Item {
  device: Peripheral
}

/** What is done to the chosen ones, devices as a rule, and the words above its results. */
export interface BulkAction<I extends Item = DeviceItem> {
  title: () => string
  start: (items: readonly I[]) => BulkRun
}

/** Turns every relay of the devices. A device is done when it has reported the new state itself. */
export const switching = (on: boolean): BulkAction => ({
  title: () => t(on ? 'lists:results.on' : 'lists:results.off'),
  start: (items) =>
    startBulk(
      items,
      async ({ device }) => {
        const values = switchValues(device, on)
        if (typeof values === 'string') throw new ItemFailed(() => t(`lists:results.${values}`))
        const command = sendCommand(device.HomeID, device.PeripheralUID, values)
        const end = await command?.settled
        if (end?.State !== 'confirmed')
          throw new ItemFailed(() => t(`errors:command.${end?.Reason ?? 'noAnswer'}`))
      },
      { atOnce: COMMANDS_AT_ONCE, whyOf: describeFailure },
    ),
})

/** Moves the devices to a room of their home. */
export const moving = (RoomID: number, room: string): BulkAction => ({
  title: () => t('lists:results.move', { room }),
  start: (items) => updating(items, () => ({ RoomID })),
})

/** Gives the devices new names, by id. */
export const renaming = (names: ReadonlyMap<string, string>): BulkAction => ({
  title: () => t('lists:results.rename'),
  start: (items) => updating(items, ({ id, name }) => ({ PeripheralName: names.get(id) ?? name })),
})

function updating(
  items: readonly DeviceItem[],
  changeOf: (item: DeviceItem) => Partial<Pick<Peripheral, 'RoomID' | 'PeripheralName'>>,
): BulkRun {
  const run = startBulk(
    items,
    async (item) => {
      const { HomeID, PeripheralUID } = item.device
      await call(peripheral.operations.update, { HomeID, PeripheralUID, ...changeOf(item) })
    },
    { atOnce: CALLS_AT_ONCE, whyOf: describeFailure },
  )
  void run.finished.then(() => refreshAfter('peripheral'))
  return run
}
