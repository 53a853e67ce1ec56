import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { runs } from '../../../../contract/automation/run-calls.ts'
import { group } from '../../../../contract/automation/group.ts'
import { peripheral } from '../../../../contract/devices/peripheral.ts'
import { statuses } from '../../../../src/data/status-store.ts'
import { t } from '../../../../src/lib/i18n/i18n.ts'
import * as live from '../../../../src/live/runs.ts'
import groupPages from '../../../../src/resources/group/record.tsx'
import { answers, rejectCall, server, subUser } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { arriveInActingHome, lights } from '../../support/acting-home.ts'
import { sentTo } from '../../support/page.tsx'
import { openRefinePages } from '../../support/refine-pages.tsx'
import { pressInRowMenu } from '../../../support/row-menu.ts'
const { List, Edit } = groupPages
const open = (address: string) =>
  openRefinePages(
    [
      { path: '/GroupListing/:HomeID', element: <List /> },
      { path: '/updateGroup/:HomeID/:GroupID?', element: <Edit /> },
    ],
    address,
  )
const named = (text: string) => ({ name: new RegExp(`${text}$`) })

beforeEach(() => arriveInActingHome())

describe('the list of groups', () => {
  it("shows the current state of each group's devices, live", async () => {
    open('/GroupListing/h1')
    expect(await screen.findByText(t('automation:group.someOn', { on: 1, count: 2 }))).toBeTruthy()
    act(() =>
      statuses.report({ PeripheralUID: 'b', PeripheralType: '516', Timestamp: 2, updateAt: 2, Switch: 1 }),
    )
    expect(await screen.findByText(t('automation:group.allOn', { count: 2 }))).toBeTruthy()
  })

  it('counts devices behind an offline hub as unknown', async () => {
    server.use(answers(group.operations.list, [lights({ PeripheralList: ['a', 'c'] })]))
    open('/GroupListing/h1')
    expect(await screen.findByText(t('automation:group.unknownCount', { count: 1 }))).toBeTruthy()
  })

  it('offers no switch without the right to control devices', async () => {
    await arriveInActingHome(
      subUser([
        { FeatureKey: 'group', OperationList: ['Read'] },
        { FeatureKey: 'device', OperationList: ['Read'] },
      ]),
    )
    open('/GroupListing/h1')
    expect(await screen.findByText(t('automation:group.someOn', { on: 1, count: 2 }))).toBeTruthy()
    expect(
      screen.queryByRole('button', { name: t('automation:group.turnOn', { name: '所有燈' }) }),
    ).toBeNull()
    expect(screen.queryByRole('button', named(t('resources:group.create')))).toBeNull()
  })

  /** Group of a type, with this status of both devices. */
  const groupOf = (type: string, status: object) => {
    const uids = ['x', 'y']
    server.use(
      answers(group.operations.list, [lights({ GroupType: type, PeripheralList: uids })]),
      answers(peripheral.operations.list, {
        Things: [],
        Peripherals: uids.map((uid) => aPeripheral({ PeripheralUID: uid, PeripheralType: type })),
        Statuses: uids.map((uid) => ({
          PeripheralUID: uid,
          PeripheralType: type,
          Timestamp: 1,
          updateAt: 1,
          ...status,
        })),
      }),
    )
  }
  const sends = () => vi.spyOn(live, 'sendToAll').mockClear().mockReturnValue(undefined)

  it('opens, stops and closes covers like a single one', async () => {
    groupOf('901', { CoverState: 1 })
    const sent = sends()
    const { user } = open('/GroupListing/h1')
    expect(await screen.findByText(t('automation:group.covers.allOff', { count: 2 }))).toBeTruthy()
    for (const [move, Move] of [
      ['open', 1],
      ['stop', 0],
      ['close', 2],
    ] as const) {
      const name = t('automation:group.move', { name: '所有燈', move: t(`devices:values.${move}`) })
      await user.click(screen.getByRole('button', { name }))
      expect(sent).toHaveBeenLastCalledWith('h1', { GroupID: 'g1' }, { Move })
    }
  })

  it('asks for confirmation before gates move', async () => {
    groupOf('902', { CoverState: 1 })
    const sent = sends()
    const gates = open('/GroupListing/h1')
    const name = t('automation:group.move', { name: '所有燈', move: t('devices:values.open') })
    await gates.user.click(await screen.findByRole('button', { name }))
    expect(await screen.findAllByText(t('devices:confirm.moveGate'))).not.toEqual([])
    expect(sent).not.toHaveBeenCalled()
    await gates.user.click(screen.getByRole('button', { name: /移\s*動$/ }))
    await waitFor(() => expect(sent).toHaveBeenCalledWith('h1', { GroupID: 'g1' }, { Move: 1 }))
  })

  it('asks for confirmation before dry contacts are switched', async () => {
    groupOf('517', { Switch: 0 })
    const sent = sends()
    const { user } = open('/GroupListing/h1')
    const name = t('automation:group.switch', { name: '所有燈' })
    await user.click(await screen.findByRole('switch', { name: new RegExp(name) }))
    expect(await screen.findAllByText(t('devices:confirm.closeContact'))).not.toEqual([])
    expect(sent).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: t('devices:confirm.close') }))
    await waitFor(() => expect(sent).toHaveBeenCalledWith('h1', { GroupID: 'g1' }, { Switch: 1 }))
  })

  it('names what uses a group before it is deleted', async () => {
    server.use(
      answers(runs.listUsedBy, {
        Rows: [{ Kind: 'scene', HomeID: 'h1', ID: 's1', Name: '下班', AutomationType: null, Role: 'action' }],
        Hidden: 2,
      }),
    )
    const { user } = open('/GroupListing/h1')
    await pressInRowMenu(user, '所有燈', t('screens:list.remove', { name: '所有燈' }))
    expect(await screen.findByText(t('automation:usedBy.refused.group'))).toBeTruthy()
    expect(
      screen.getByText(
        t('automation:usedBy.one', { kind: t('automation:usedBy.kinds.scene'), name: '下班' }),
      ),
    ).toBeTruthy()
    expect(screen.getByText(t('automation:usedBy.hidden', { count: 2 }))).toBeTruthy()
  })

  it('copies a group and opens the copy', async () => {
    server.use(
      answers(group.operations.create, lights({ GroupID: 'g2', GroupName: '所有燈 副本' })),
      answers(group.operations.list, [lights(), lights({ GroupID: 'g2', GroupName: '所有燈 副本' })]),
    )
    const { user, path } = open('/GroupListing/h1')
    await pressInRowMenu(user, '所有燈', t('automation:copy.of', { name: '所有燈' }))
    await user.click(await screen.findByRole('button', { name: t('automation:copy.ok') }))
    await waitFor(() => expect(path()).toBe('/updateGroup/h1/g2'))
    expect(sentTo(group.operations.create)).toEqual([
      { HomeID: 'h1', GroupName: t('automation:copy.name', { name: '所有燈' }), PeripheralList: ['a', 'b'] },
    ])
  })
})

describe('the group editor', () => {
  it('offers devices of one type only once the first is selected', async () => {
    server.use(answers(group.operations.create, lights({ GroupID: 'g9' })))
    const { user, path } = open('/updateGroup/h1')
    await user.click(await screen.findByRole('checkbox', { name: /走廊燈/ }))
    await waitFor(() => expect(screen.queryByRole('checkbox', { name: /調光燈/ })).toBeNull())
    await user.click(screen.getByRole('checkbox', { name: /桌燈/ }))
    await user.type(screen.getByRole('textbox', { name: t('resources:group.fields.GroupName') }), '燈')
    await user.click(screen.getByRole('button', { name: /儲\s*存/ }))
    await waitFor(() => expect(path()).toBe('/GroupListing/h1'))
    expect(sentTo(group.operations.create)).toEqual([
      { HomeID: 'h1', GroupName: '燈', PeripheralList: ['a', 'b'] },
    ])
  })

  it('says in advance that signal-light sensors must be adjacent', async () => {
    const { user } = open('/updateGroup/h1')
    await user.click(await screen.findByRole('checkbox', { name: /三色燈/ }))
    expect(await screen.findByText(new RegExp(t('automation:group.adjacent')))).toBeTruthy()
  })

  it('requires a device', async () => {
    const { user } = open('/updateGroup/h1')
    await user.type(
      await screen.findByRole('textbox', { name: t('resources:group.fields.GroupName') }),
      '空的',
    )
    await user.click(screen.getByRole('button', { name: /儲\s*存/ }))
    expect(await screen.findByText(t('errors:fields.required'))).toBeTruthy()
    expect(sentTo(group.operations.create)).toEqual([])
  })

  it('shows at the devices the rule by which the gateway rejected them', async () => {
    server.use(rejectCall(group.operations.update, 'INVALID', { fields: { PeripheralList: 'notAdjacent' } }))
    const { user } = open('/updateGroup/h1/g1')
    const name = await screen.findByRole('textbox', { name: t('resources:group.fields.GroupName') })
    await user.type(name, '二')
    await user.click(screen.getByRole('button', { name: /儲\s*存/ }))
    const devices = await screen.findByRole('group', { name: t('resources:group.fields.PeripheralList') })
    const item = devices.closest('.ant-form-item') as HTMLElement
    expect(await within(item).findByText(t('errors:fields.notAdjacent'))).toBeTruthy()
  })
})
