import { beforeAll, beforeEach, expect, it } from 'vitest'
import { statuses } from '../../../../../src/data/status-store.ts'
import { loadNamespaces } from '../../../../../src/lib/i18n/i18n.ts'
import type { BulkAction } from '../../../../../src/record-kit/bulk/bulk-run.ts'
import { switchAll, type DeviceItem } from '../../../../../src/custom-views/device-list/bulk/actions.ts'
import { aPeripheral } from '../../../../support/peripheral.ts'

const light: DeviceItem = {
  ...{ id: 'light', name: '走廊燈' },
  device: aPeripheral({ PeripheralUID: 'light', PeripheralType: '516' }),
}
const actionFor = (items: readonly DeviceItem[], turnOn: boolean): BulkAction<DeviceItem> => {
  let action: BulkAction<DeviceItem> | undefined
  switchAll(items, turnOn, (given) => (action = given))
  return action as BulkAction<DeviceItem>
}

beforeAll(() => loadNamespaces(['lists']))
beforeEach(() => statuses.clear())

it.each([true, false])('can be undone, whether devices are turned on (%s) or off', (turnOn) => {
  expect(actionFor([light], turnOn).undo).toBeTypeOf('function')
})

it('says that a device cannot be restored if its state before is unknown', async () => {
  const run = actionFor([light], false).undo?.([light])
  await run?.finished
  const outcome = run?.outcomeOf('light')
  expect(typeof outcome === 'object' && outcome.describeFailure()).toBe('原來的狀態不明，無法還原。')
})
