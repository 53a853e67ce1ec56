import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { cameraAndIr } from '../../../../contract/devices/camera-and-ir-calls.ts'
import { commands } from '../../../../contract/devices/command-calls.ts'
import { CalibrationDrawer } from '../../../../src/domain/devices/calibration/calibration-wizard.tsx'
import DeviceBulkBar from '../../../../src/custom-views/device-list/bulk/bulk-bar.tsx'
import IRRemote from '../../../../src/domain/devices/ir-remote/ir-remote.tsx'
import { ValueGroups } from '../../../../src/custom-views/modbus/value-groups.tsx'
import type { DeviceRow } from '../../../../src/domain/devices/device-rows.ts'
import { loadNamespaces, t } from '../../../../src/lib/i18n/i18n.ts'
import ScheduleListPage from '../../../../src/resources/automation/schedule-list-page.tsx'
import { GroupControl } from '../../../../src/resources/group/live-cells.tsx'
import { ControlArea } from '../../../../src/ui/inputs/control-area.tsx'
import { NoControl } from '../../../../src/ui/inputs/no-control.ts'
import { knownCapability } from '../../../support/device-screens.tsx'
import { answers, requests, server } from '../../../support/msw.ts'
import { modbusRow } from '../../../support/modbus-rows.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { nothingElse, rulesAre, schedule } from '../../resources/automation/rules.ts'
import { arriveInActingHome, lights } from '../../support/acting-home.ts'
import { openPages } from '../../support/page.tsx'
import { openRowMenu } from '../../../support/row-menu.ts'

const WHY = '無法連線到伺服器，暫時無法控制裝置。'

beforeAll(() =>
  loadNamespaces(['automation', 'devices', 'lists', 'modbus', 'lightHouse', 'screens', 'shell']),
)
beforeEach(async () => {
  await arriveInActingHome()
  nothingElse()
})

const open = (element: ReactElement) =>
  openPages([{ path: '*', element: <NoControl value={WHY}>{element}</NoControl> }], '/')

/** Whether a control is disabled, the reason shown on or near it, and the number of calls after a press. */
async function press(control: HTMLElement) {
  const isDisabled = control.closest('[aria-disabled="true"], :disabled') !== null
  const title = control.closest('[title]')?.getAttribute('title')
  if (title === undefined) fireEvent.pointerEnter(control)
  const why = title ?? (await screen.findByText(WHY)).textContent
  const before = requests.length
  fireEvent.click(control)
  return { isDisabled, why, sent: requests.length - before }
}
const REFUSED = { isDisabled: true, why: WHY, sent: 0 }

it('disables the switch of a group with the reason', async () => {
  open(<GroupControl group={lights()} />)
  expect(await press(await screen.findByRole('switch'))).toEqual(REFUSED)
})

it('disables switching the selected devices of a list with the reason', async () => {
  const device = aPeripheral({ PeripheralUID: 'a', PeripheralType: '516', PeripheralName: '走廊燈' })
  const row = { id: 'a', name: '走廊燈', device } as unknown as DeviceRow
  open(<DeviceBulkBar rows={[row]} rooms={[]} clear={() => {}} />)
  for (const name of ['lists:bulk.on', 'lists:bulk.off'] as const)
    expect(await press(await screen.findByRole('button', { name: new RegExp(`${t(name)}$`) }))).toEqual(
      REFUSED,
    )
})

it('disables running a schedule now with the reason', async () => {
  rulesAre(schedule({ AutomationName: '早上' }))
  openPages(
    [
      {
        path: '/ScheduleListing/:HomeID',
        element: (
          <NoControl value={WHY}>
            <ScheduleListPage />
          </NoControl>
        ),
      },
    ],
    '/ScheduleListing/h1',
  )
  await openRowMenu(userEvent.setup(), '早上')
  const run = await screen.findByRole('menuitem', { name: t('automation:rule.runOf', { name: '早上' }) })
  expect(await press(run)).toEqual(REFUSED)
})

it('disables writing the rows of a Modbus device with the reason', async () => {
  const row = modbusRow({ Key: 'set', Label: '溫度', DataType: 'int16', Access: 'rw', Min: 5, Max: 25 })
  open(
    <ControlArea>
      <ValueGroups rows={[row]} values={{ set: 21 }} pending={undefined} write={() => {}} />
    </ControlArea>,
  )
  expect(await press(await screen.findByRole('button', { name: '寫入「溫度」' }))).toEqual(REFUSED)
})

it('disables the buttons of an infrared remote with the reason', async () => {
  server.use(
    answers(cameraAndIr.listIRRemoteContainer, [{ ContMID: 'on', ContDID: 'tv', ContMName: '開電視' }]),
  )
  const device = aPeripheral({ PeripheralUID: 'ir', PeripheralType: '760', PMACAddress: '00:11:22:33:44:55' })
  open(
    <IRRemote
      device={device}
      capability={knownCapability('760', 'irRemote')}
      status={undefined}
      pending={undefined}
      send={() => {}}
    />,
  )
  expect(await press(await screen.findByRole('button', { name: '開電視' }))).toEqual(REFUSED)
})

it('disables the calibration of a signal tower with the reason', async () => {
  server.use(answers(commands.listCommand, []))
  const tower = aPeripheral({ PeripheralUID: 'tower', PeripheralType: '515', PeripheralName: '三色燈' })
  open(<CalibrationDrawer device={tower} close={() => {}} />)
  const begin = await screen.findByRole('button', { name: t('lightHouse:do.begin') })
  expect(await press(begin)).toEqual(REFUSED)
  expect(screen.getAllByRole('radio').filter((radio) => !(radio as HTMLInputElement).disabled)).toEqual([])
})
