import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { group } from '../../../../contract/automation/group.ts'
import { home } from '../../../../contract/homes/home.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { modbusTable } from '../../../../contract/devices/modbus/modbus-table.ts'
import { peripheral, type DeviceSnapshot } from '../../../../contract/devices/peripheral.ts'
import { scene } from '../../../../contract/automation/scene.ts'
import { ActionsField } from '../../../../src/domain/automation/actions/actions-field.tsx'
import type { EditedAction } from '../../../../src/domain/automation/targets/target.ts'
import { loadNamespaces, t } from '../../../../src/lib/i18n/i18n.ts'
import { aHome, beginAs, openPages } from '../../../support/device-screens.tsx'
import { answers, server } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
const snapshot = (): DeviceSnapshot => ({
  Things: [{ ThingName: 'hub', DeviceName: 'hub', HomeID: 'h1', RoomID: 0, Online: true, SeenAt: 1 }],
  Peripherals: [
    aPeripheral({ PeripheralUID: 'light', PeripheralType: '534', PeripheralName: '走廊燈', RoomID: 1 }),
    aPeripheral({ PeripheralUID: 'lamp', PeripheralType: '516', PeripheralName: '桌燈', RoomID: 1 }),
    aPeripheral({ PeripheralUID: 'dimmer', PeripheralType: '532', PeripheralName: '調光燈', RoomID: 2 }),
    aPeripheral({ PeripheralUID: 'contact', PeripheralType: '517', PeripheralName: '鐵捲門', RoomID: 2 }),
    aPeripheral({ PeripheralUID: 'meter', PeripheralType: '514', PeripheralName: '總電表', RoomID: 2 }),
    aPeripheral({
      PeripheralUID: 'locked',
      PeripheralType: '516',
      PeripheralName: '鎖定的燈',
      RoomID: 2,
      ControlMode: 2,
    }),
    aPeripheral({
      PeripheralUID: 'pump',
      PeripheralType: '758',
      PeripheralName: '泵浦',
      RoomID: 2,
      ModbusTableID: 't1',
    }),
    aPeripheral({ PeripheralUID: 'floor', PeripheralType: '525', PeripheralName: '地暖', RoomID: 2 }),
    aPeripheral({ PeripheralUID: 'fan', PeripheralType: '527', PeripheralName: '全熱交換器', RoomID: 2 }),
  ],
  Statuses: [
    { PeripheralUID: 'fan', PeripheralType: '527', Timestamp: 1, updateAt: 1, TaiSEIAType: 14 },
    {
      PeripheralUID: 'floor',
      PeripheralType: '525',
      Timestamp: 1,
      updateAt: 1,
      ThermostatTable: [
        { NodeID: 1, Switch: 1 },
        { NodeID: 4, Switch: 0 },
      ],
    },
  ],
})

let now: EditedAction[] = []

function Field(props: { initial: EditedAction[]; errors?: Record<string, string>; allowScenes?: boolean }) {
  const [value, setValue] = useState(props.initial)
  return (
    <ActionsField
      value={value}
      onChange={(next) => {
        now = next
        setValue(next)
      }}
      HomeID="h1"
      allowScenes={props.allowScenes ?? false}
      {...(props.errors && { errors: props.errors })}
    />
  )
}

const open = (initial: EditedAction[], more: Omit<Parameters<typeof Field>[0], 'initial'> = {}) => {
  now = initial
  return openPages({ '/': <Field initial={initial} {...more} /> }, '/')
}
const on = (PeripheralUID: string, Values: Record<string, unknown>): EditedAction => ({
  PeripheralUID,
  Values,
  After: 0,
  IfOffline: 'fail',
})
const rowOf = async (name: string) =>
  (await screen.findByText(name, { selector: 'b' })).closest('li') as HTMLElement
/** A button's name begins with that of its icon. */
const named = (key: 'actions.add' | 'actions.undo') => new RegExp(`${t(`automation:${key}`)}$`)
const names = () => [...document.querySelectorAll('ol > li b')].map((one) => one.textContent)

beforeEach(async () => {
  await loadNamespaces(['automation'])
  await beginAs()
  server.use(
    answers(home.operations.list, [aHome('h1', '總部', { 0: '未分房間', 1: '走廊', 2: '機房' })]),
    answers(peripheral.operations.list, snapshot()),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(group.operations.list, [
      {
        HomeID: 'h1',
        GroupID: 'g1',
        GroupName: '所有燈',
        PeripheralList: ['lamp'],
        GroupType: '516',
        Version: 1,
      },
    ]),
    answers(scene.operations.list, [
      {
        HomeID: 'h1',
        SceneID: 's1',
        SceneName: '下班',
        Icon: 'leave',
        Actions: [{ PeripheralUID: 'lamp', Values: { Switch: 0 } }],
        Order: 'together',
        StopOnFailure: false,
        Version: 1,
      },
    ]),
  )
})

afterEach(() => vi.restoreAllMocks())

describe('the actions of a scene', () => {
  it('are added in bulk, also for a whole room, from controllable devices', async () => {
    const { user } = open([])
    await user.click(await screen.findByRole('button', { name: named('actions.add') }))
    const dialog = await screen.findByRole('dialog')
    await within(dialog).findByText('走廊燈')
    expect(within(dialog).queryByText('總電表')).toBeNull()
    expect(within(dialog).queryByText('鎖定的燈')).toBeNull()
    const [corridor] = within(dialog).getAllByRole('checkbox')
    await user.click(corridor as HTMLElement)
    await user.click(within(dialog).getByRole('checkbox', { name: /調光燈/ }))
    await user.click(within(dialog).getByRole('button', { name: t('automation:picker.add', { count: 3 }) }))
    await waitFor(() =>
      expect(now.map(({ PeripheralUID }) => PeripheralUID).toSorted()).toEqual(['dimmer', 'lamp', 'light']),
    )
    expect(now.every(({ Values }) => Object.keys(Values ?? {}).length === 0)).toBe(true)
  })

  it('are found by search and filtered by kind', async () => {
    const { user } = open([])
    await user.click(await screen.findByRole('button', { name: named('actions.add') }))
    const dialog = await screen.findByRole('dialog')
    await within(dialog).findByText('走廊燈')
    await user.type(within(dialog).getByPlaceholderText(t('automation:picker.search')), '桌')
    await waitFor(() => expect(within(dialog).queryByText('走廊燈')).toBeNull())
    expect(within(dialog).getByText('桌燈')).toBeTruthy()
  })

  it('can target a group, a room, or a scene if that is allowed', async () => {
    const { user } = open([], { allowScenes: true })
    await user.click(await screen.findByRole('button', { name: named('actions.add') }))
    const dialog = await screen.findByRole('dialog')
    await within(dialog).findByText('走廊燈')
    await user.click(within(dialog).getByText(t('automation:picker.tabs.groups')))
    await user.click(await within(dialog).findByRole('checkbox', { name: /所有燈/ }))
    await user.click(within(dialog).getByText(t('automation:picker.tabs.rooms')))
    await user.click(
      within(dialog).getByRole('checkbox', { name: t('automation:actions.room.climate', { room: '機房' }) }),
    )
    await user.click(within(dialog).getByText(t('automation:picker.tabs.scenes')))
    await user.click(within(dialog).getByRole('checkbox', { name: '下班' }))
    await user.click(within(dialog).getByRole('button', { name: t('automation:picker.add', { count: 3 }) }))
    await waitFor(() => expect(now).toHaveLength(3))
    expect(now.map(({ GroupID, RoomID, Only, SceneID }) => [GroupID, RoomID, Only, SceneID])).toEqual([
      ['g1', undefined, undefined, undefined],
      [undefined, 2, 'climate', undefined],
      [undefined, undefined, undefined, 's1'],
    ])
  })

  it('offer no scene if none may be run', async () => {
    const { user } = open([])
    await user.click(await screen.findByRole('button', { name: named('actions.add') }))
    const dialog = await screen.findByRole('dialog')
    await within(dialog).findByText(t('automation:picker.tabs.rooms'))
    expect(within(dialog).queryByText(t('automation:picker.tabs.scenes'))).toBeNull()
  })

  it('set several fields, each of them optional', async () => {
    const { user } = open([on('light', {})])
    const row = await rowOf('走廊燈')
    const [first, second] = await within(row).findAllByText('開')
    await user.click(first as HTMLElement)
    await waitFor(() => expect(now[0]?.Values).toEqual({ Switch1: 1 }))
    await user.click(second as HTMLElement)
    await waitFor(() => expect(now[0]?.Values).toEqual({ Switch1: 1, Switch2: 1 }))
    const [leave] = within(row).getAllByTitle(t('automation:actions.leave'))
    await user.click(leave as HTMLElement)
    await waitFor(() => expect(now[0]?.Values).toEqual({ Switch2: 1 }))
  })

  const modes = () => screen.findByRole('group', { name: /換氣模式/ })

  it('offer a few choices side by side', async () => {
    open([on('fan', {})])
    expect(within(await modes()).queryByRole('combobox')).toBeNull()
    expect(within(await modes()).getByText('普通換氣')).toBeTruthy()
  })

  it('offer choices that do not fit side by side as a select', async () => {
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(200)
    open([on('fan', {})])
    expect(within(await modes()).getByRole('combobox')).toBeTruthy()
    // A choice that fits remains.
    expect(within(await screen.findByRole('group', { name: /風量/ })).queryByRole('combobox')).toBeNull()
  })

  it('set a number within its range', async () => {
    const { user } = open([on('dimmer', {})])
    const row = await rowOf('調光燈')
    const [figure] = await within(row).findAllByRole('spinbutton')
    await user.type(figure as HTMLElement, '40')
    await waitFor(() => expect(Object.values(now[0]?.Values ?? {})).toEqual([40]))
  })

  it('set each zone that a thermostat has reported', async () => {
    const { user } = open([on('floor', {})])
    const row = await rowOf('地暖')
    const [, zone4] = await within(row).findAllByText('關')
    await user.click(zone4 as HTMLElement)
    await waitFor(() => expect(now[0]?.Values).toEqual({ ThermostatTable: [{ NodeID: 4, Switch: 0 }] }))
  })

  it('write the writable registers of a Modbus table within their limits', async () => {
    const row = (Key: string, Label: string, more: object) => ({
      Key,
      Label,
      Group: '',
      Area: 'holding' as const,
      Address: 1,
      DataType: 'uint16' as const,
      Bit: null,
      ByteOrder: 'big' as const,
      WordOrder: 'big' as const,
      Scale: 1,
      Offset: 0,
      Unit: 'rpm',
      Decimals: 0,
      Access: 'rw' as const,
      Min: 0,
      Max: 3000,
      Field: null,
      ...more,
    })
    const Rows = [
      row('speed', '轉速', {}),
      row('flow', '流量', { Access: 'r' }),
      row('run', '運轉', { DataType: 'bool', Unit: '', Min: null, Max: null }),
    ]
    server.use(
      answers(modbusTable.operations.list, [
        {
          ModbusTableID: 't1',
          TableName: 'Pump',
          Manufacturer: '',
          Model: '',
          Note: '',
          Rows,
          Version: 1,
        },
      ]),
    )
    const { user } = open([on('pump', {})])
    const action = await rowOf('泵浦')
    const figure = await within(action).findByRole('spinbutton', { name: /轉速/ })
    expect([figure.getAttribute('aria-valuemin'), figure.getAttribute('aria-valuemax')]).toEqual([
      '0',
      '3000',
    ])
    await user.type(figure, '1500')
    await user.click(within(action).getByText('開'))
    await waitFor(() => expect(now[0]?.Values).toEqual({ ModbusValues: { speed: 1500, run: 1 } }))
    expect(within(action).queryByText('流量')).toBeNull()
  })

  it('ask for confirmation once if a manual command would', async () => {
    const { user } = open([on('contact', {})])
    const row = await rowOf('鐵捲門')
    await user.click((await within(row).findAllByText('開'))[0] as HTMLElement)
    expect(now[0]?.Values).toEqual({})
    await user.click(await screen.findByRole('button', { name: t('automation:actions.asksOk') }))
    await waitFor(() => expect(now[0]?.Values).toEqual({ Switch: 1 }))
    expect(await within(row).findByText(t('automation:actions.asksFirst'))).toBeTruthy()
  })

  it('are reordered by button and by keyboard, and focus follows', async () => {
    const { user } = open([
      on('light', { Switch1: 1 }),
      on('lamp', { Switch: 1 }),
      on('dimmer', { Switch: 1 }),
    ])
    await rowOf('走廊燈')
    await waitFor(() => expect(names()).toEqual(['走廊燈', '桌燈', '調光燈']))
    await user.click(screen.getByRole('button', { name: t('automation:actions.down', { name: '走廊燈' }) }))
    await waitFor(() => expect(names()).toEqual(['桌燈', '走廊燈', '調光燈']))
    screen.getByRole('button', { name: t('automation:actions.move', { name: '走廊燈' }) }).focus()
    await user.keyboard('{ArrowDown}')
    await waitFor(() => expect(names()).toEqual(['桌燈', '調光燈', '走廊燈']))
    expect(document.activeElement?.getAttribute('aria-label')).toBe(
      t('automation:actions.move', { name: '走廊燈' }),
    )
    await user.keyboard('{ArrowUp}')
    await waitFor(() => expect(names()).toEqual(['桌燈', '走廊燈', '調光燈']))
  })

  it('return to their place when a removal is undone', async () => {
    const { user } = open([on('light', { Switch1: 1 }), on('lamp', { Switch: 1 })])
    await rowOf('走廊燈')
    await user.click(screen.getByRole('button', { name: t('automation:actions.remove', { name: '走廊燈' }) }))
    await waitFor(() => expect(names()).toEqual(['桌燈']))
    await user.click(await screen.findByRole('button', { name: named('actions.undo') }))
    await waitFor(() => expect(names()).toEqual(['走廊燈', '桌燈']))
    expect(now[0]?.Values).toEqual({ Switch1: 1 })
  })

  it('name a deleted device, and let another one take over its settings', async () => {
    const { user } = open([on('lost', { Switch: 1 })])
    const row = await rowOf('lost')
    expect(await within(row).findByText(t('automation:actions.gone.device'))).toBeTruthy()
    await user.click(within(row).getByRole('button', { name: t('automation:actions.replace') }))
    const dialog = await screen.findByRole('dialog')
    await user.click(await within(dialog).findByRole('checkbox', { name: /桌燈/ }))
    await user.click(within(dialog).getByRole('button', { name: t('automation:picker.replaceOk') }))
    await waitFor(() => expect(now).toEqual([on('lamp', { Switch: 1 })]))
  })

  it('wait for an offline hub and catch up on reconnect', async () => {
    const { user } = open([on('lamp', { Switch: 1 })])
    const row = await rowOf('桌燈')
    const wait = within(row).getByRole('spinbutton', {
      name: t('automation:actions.waitOf', { name: '桌燈' }),
    })
    await user.clear(wait)
    await user.type(wait, '30')
    await waitFor(() => expect(now[0]?.After).toBe(30))
    await user.click(
      within(row).getByRole('combobox', { name: t('automation:actions.offlineOf', { name: '桌燈' }) }),
    )
    await user.click(await screen.findByText(t('automation:actions.ifOffline.catchUp'), { selector: 'div' }))
    await waitFor(() => expect(now[0]?.IfOffline).toBe('catchUp'))
  })

  it('show at the field what the gateway has rejected', async () => {
    open([on('lamp', { Switch: 1 }), on('light', { Switch1: 1 })], {
      errors: { 'Actions.1.Values.Switch1': 'taken', Actions: 'tooManyActions' },
    })
    const row = await rowOf('走廊燈')
    expect(await within(row).findByText(t('automation:actions.reasons.taken'))).toBeTruthy()
    expect(screen.getByText(t('errors:fields.tooManyActions'))).toBeTruthy()
    expect(within(await rowOf('桌燈')).queryByRole('alert')).toBeNull()
  })
})
