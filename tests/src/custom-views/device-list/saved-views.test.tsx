import { act, screen, waitFor, within } from '@testing-library/react'
import type userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  DEFAULT_PERSONAL_CONFIG,
  personal,
  type PersonalConfig,
  type SavedView,
} from '../../../../contract/people/personal-calls.ts'
import { peripheral } from '../../../../contract/devices/peripheral.ts'
import { home } from '../../../../contract/homes/home.ts'
// Lazily loaded parts of the list, imported here without delay.
import '../../../../src/custom-views/device-list/more-tools.tsx'
import '../../../../src/ui/page/ant-design.tsx'
import DeviceListPage from '../../../../src/custom-views/device-list/device-list-page.tsx'
import { putPersonalConfig } from '../../../../src/data/personal.ts'
import { aHome, beginAs, openPages } from '../../../support/device-screens.tsx'
import { answers, requests, rejectCall, server } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
const LIGHTS: SavedView = { List: 'device', Name: '燈光', Query: 'kind=LightSwitch&sort=-room', HomeID: null }
const HALL: SavedView = { List: 'device', Name: '走廊', Query: 'room=2', HomeID: 'h1' }
const FACTORY: SavedView = { List: 'device', Name: '產線', Query: 'room=2', HomeID: 'h2' }
const GONE: SavedView = { List: 'device', Name: '舊大樓', Query: 'room=1', HomeID: 'h9' }

/** Settings stored by the gateway. */
let config: PersonalConfig

beforeEach(async () => {
  await beginAs()
  config = DEFAULT_PERSONAL_CONFIG
  server.use(
    answers(home.operations.list, [
      aHome('h1', '總部', { 0: '預設房間', 2: '走廊' }),
      aHome('h2', '工廠', { 2: '一線' }),
    ]),
    answers(personal.getPersonalConfig, () => config),
    answers(
      personal.updatePersonalConfig,
      (change) => (config = { ...config, ...(change as Partial<PersonalConfig>) }),
    ),
    answers(peripheral.operations.list, {
      Things: [],
      Peripherals: [
        aPeripheral({ PeripheralUID: 'light', PeripheralName: '走廊燈', PeripheralType: '516', RoomID: 2 }),
        aPeripheral({ PeripheralUID: 'meter', PeripheralName: '總電表', PeripheralType: '514' }),
      ],
      Statuses: [],
    }),
  )
})

const LIST = <DeviceListPage />
async function open(address: string, ...views: SavedView[]) {
  config = { ...config, SavedViews: views }
  const { user, history } = openPages(
    {
      '/DeviceList/:HomeID': LIST,
      '/RoomDevice/:HomeID/:RoomID': LIST,
      '/DeviceCategory/:HomeID/:Category': LIST,
    },
    address,
  )
  await screen.findByRole('link', { name: '走廊燈' })
  const at = () => `${history.location.pathname}${history.location.search}`
  return { user, history, at }
}
type User = ReturnType<typeof userEvent.setup>

/** Opens the menu of views. */
async function menu(user: User) {
  await user.click(await screen.findByRole('button', { name: '已儲存的檢視' }))
  return within(await screen.findByRole('menu'))
}
const updates = () =>
  requests.filter(({ path }) => path === personal.updatePersonalConfig.path).map(({ body }) => body)

describe('saving a view', () => {
  it("stores the list's address parameters under a name for the person", async () => {
    const { user } = await open('/DeviceList/h1?sort=-room&kind=LightSwitch&device=none')
    await user.click((await menu(user)).getByText('儲存目前的檢視…'))
    await user.type(await screen.findByLabelText('名稱'), '燈光{Enter}')
    await waitFor(() => expect(updates()).toEqual([{ SavedViews: [LIGHTS] }]))
    expect((await menu(user)).getByRole('menuitemradio', { name: '燈光' }).getAttribute('aria-checked')).toBe(
      'true',
    )
  })

  it('keeps views that another browser saved in the meantime', async () => {
    const { user } = await open('/DeviceList/h1?room=2')
    const entries = await menu(user)
    config = { ...config, SavedViews: [LIGHTS] }
    await user.click(entries.getByText('儲存目前的檢視…'))
    await user.type(await screen.findByLabelText('名稱'), '走廊{Enter}')
    await waitFor(() => expect(updates()).toEqual([{ SavedViews: [LIGHTS, HALL] }]))
  })

  it('excludes parameters that the route already sets', async () => {
    const { user } = await open('/RoomDevice/h1/2?q=燈')
    await user.click((await menu(user)).getByText('儲存目前的檢視…'))
    await user.type(await screen.findByLabelText('名稱'), '燈{Enter}')
    await waitFor(() =>
      expect(updates()).toEqual([
        { SavedViews: [{ List: 'device', Name: '燈', Query: 'q=%E7%87%88', HomeID: null }] },
      ]),
    )
  })

  it('says why there is nothing to save', async () => {
    const { user } = await open('/DeviceList/h1')
    const entry = (await menu(user)).getByText('先搜尋、篩選或排序，即可儲存檢視')
    expect(entry.closest('[role=menuitem]')?.getAttribute('aria-disabled')).toBe('true')
  })

  it('rejects a duplicate name, and stays open while the gateway is offline', async () => {
    server.use(rejectCall(personal.updatePersonalConfig, 'UNAVAILABLE'))
    const { user } = await open('/DeviceList/h1?room=2', LIGHTS)
    await user.click((await menu(user)).getByText('儲存目前的檢視…'))
    const name = await screen.findByLabelText('名稱')
    await user.type(name, '燈光')
    expect(await screen.findByText('已有同名的檢視')).toBeTruthy()
    await user.type(name, '{Enter}')
    expect(updates()).toEqual([])
    await user.type(name, '二{Enter}')
    await waitFor(() => expect(updates()).toHaveLength(1))
    expect(screen.getByLabelText('名稱')).toBeTruthy()
    expect(config.SavedViews).toEqual([LIGHTS])
  })
})

describe('opening a view', () => {
  it('puts it in the address, and Back leaves it', async () => {
    const { user, history, at } = await open('/DeviceList/h1?q=燈&device=none', LIGHTS)
    const entry = (await menu(user)).getByRole('menuitemradio', { name: '燈光' })
    expect(entry.getAttribute('aria-checked')).toBe('false')
    await user.click(entry)
    expect(at()).toBe('/DeviceList/h1?kind=LightSwitch&sort=-room')
    expect(screen.queryByRole('link', { name: '總電表' })).toBeNull()
    await act(() => history.go(-1))
    expect(history.location.search).toContain('device=none')
  })

  it('opens the home of its room, and hides views of a deleted home', async () => {
    const { user, at } = await open('/DeviceList/h1', FACTORY, GONE)
    const entries = await menu(user)
    expect(entries.queryByText('舊大樓')).toBeNull()
    await user.click(entries.getByRole('menuitemradio', { name: '產線（工廠）' }))
    expect(at()).toBe('/DeviceList/h2?room=2')
  })

  it('leaves a route that fixes a parameter of the view', async () => {
    const { user, at } = await open('/RoomDevice/h1/2', LIGHTS, HALL)
    await user.click((await menu(user)).getByRole('menuitemradio', { name: '燈光' }))
    expect(at()).toBe('/RoomDevice/h1/2?kind=LightSwitch&sort=-room')
    await user.click((await menu(user)).getByRole('menuitemradio', { name: '走廊' }))
    expect(at()).toBe('/DeviceList/h1?room=2')
  })

  it('lists at once a view that another screen of the person saved', async () => {
    const { user } = await open('/DeviceList/h1')
    act(() => putPersonalConfig({ ...config, SavedViews: [LIGHTS] }))
    expect((await menu(user)).getByRole('menuitemradio', { name: '燈光' })).toBeTruthy()
  })
})

describe('managing views', () => {
  it('describes each view, and renames one', async () => {
    const { user } = await open('/DeviceList/h1', LIGHTS, HALL)
    await user.click((await menu(user)).getByText('管理檢視…'))
    expect(await screen.findByText('電燈開關 · 依房間倒序')).toBeTruthy()
    expect(screen.getByText('總部 · 走廊')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: '重新命名「走廊」' }))
    const name = await screen.findByLabelText('名稱')
    await user.clear(name)
    await user.type(name, '一樓走廊{Enter}')
    await waitFor(() => expect(updates()).toEqual([{ SavedViews: [LIGHTS, { ...HALL, Name: '一樓走廊' }] }]))
    expect(await screen.findByText('一樓走廊')).toBeTruthy()
  })

  it('deletes a view only after confirmation', async () => {
    const { user } = await open('/DeviceList/h1', LIGHTS, GONE)
    await user.click((await menu(user)).getByText('管理檢視…'))
    await user.click(await screen.findByRole('button', { name: '刪除「舊大樓」' }))
    expect(await screen.findByText('只刪除這個檢視，資料不受影響。')).toBeTruthy()
    expect(updates()).toEqual([])
    await user.click(screen.getByRole('button', { name: /^刪\s*除$/ }))
    await waitFor(() => expect(updates()).toEqual([{ SavedViews: [LIGHTS] }]))
    await waitFor(() => expect(screen.queryByText('舊大樓')).toBeNull())
  })
})
