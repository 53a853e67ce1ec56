import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { floor, type Floor } from '../../../../contract/homes/floor.ts'
import { home } from '../../../../contract/homes/home.ts'
import FloorPage from '../../../../src/custom-views/floor-editor/floor-page.tsx'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { aHome, beginAs, openPages } from '../../../support/device-screens.tsx'
import { answers, requests, rejectCall, server, subUser } from '../../../support/msw.ts'

/** Whether the screen is a phone's: jsdom has no layout. */
const screenOf = vi.hoisted(() => ({ isPhone: false }))
vi.mock('../../../../src/ui/page/use-screen.ts', () => ({ usePhone: () => screenOf.isPhone }))

const square = (RoomID: number, x: number, y: number, side = 2000): Floor['Shapes'][number] => ({
  RoomID,
  Points: [
    [x, y],
    [x + side, y],
    [x + side, y + side],
    [x, y + side],
  ],
})
const record: Floor = {
  HomeID: 'h1',
  FloorID: 1,
  FloorName: '1F',
  Order: 1,
  Plan: { Url: '/images/large.webp', SmallUrl: '/images/small.webp', Width: 3000, Height: 1500 },
  Shapes: [square(2, 1000, 1000)],
  Version: 4,
}
/** Floor as stored by the gateway. */
let stored: Floor

const open = () =>
  openPages(
    { '/updateFloor/:HomeID/:FloorID': <FloorPage />, '/Building/:HomeID': <p>建築總覽在此</p> },
    '/updateFloor/h1/1',
  )
const sent = () => requests.filter(({ path }) => path === '/UpdateFloor').map(({ body }) => body)
const onPlan = (name: string) =>
  within(screen.getByRole('group', { name: '平面圖繪製區' })).getByRole('button', {
    name: new RegExp(`^${name}`),
  })
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: /儲\s*存/ })

beforeEach(async () => {
  screenOf.isPhone = false
  await beginAs()
  await loadNamespaces(['floorEditor', 'screens'])
  stored = record
  server.use(
    answers(home.operations.list, [aHome('h1', '總部', { 0: '預設房間', 2: '走廊', 3: '暗房' })]),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(floor.operations.list, () => [stored]),
    answers(floor.operations.update, (input) => {
      stored = { ...stored, ...(input as Partial<Floor>), Version: stored.Version + 1 }
      return stored
    }),
  )
})

it('draws by keyboard alone: places a room, moves it by one and ten units, and undoes step by step', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: '放上暗房' }))
  const dark = onPlan('暗房 · ')
  expect(dark.getAttribute('aria-label')).toBe('暗房 · 矩形 · 左 4250 · 上 4250 · 寬 1500 · 高 1500')
  dark.focus()
  await user.keyboard('{ArrowRight}{Shift>}{ArrowDown}{/Shift}')
  expect(onPlan('暗房 · ').getAttribute('aria-label')).toContain('左 4251 · 上 4260')
  expect(document.activeElement).toBe(onPlan('暗房 · '))
  expect(screen.getByRole('status').textContent).toContain('左 4251 · 上 4260')
  await user.keyboard('{Control>}z{/Control}')
  expect(onPlan('暗房 · ').getAttribute('aria-label')).toContain('左 4251 · 上 4250')
  await user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}')
  await user.click(save())
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()[0]).toMatchObject({
    HomeID: 'h1',
    FloorID: 1,
    Version: 4,
    Shapes: [square(2, 1000, 1000), square(3, 4251, 4260, 1500)],
  })
  expect(sent()[0]).not.toHaveProperty('FloorName')
  await waitFor(() => expect(save().disabled).toBe(true))
})

it('removes a room by Delete, and drags a corner', async () => {
  const { user } = open()
  ;(await screen.findByRole('button', { name: /^走廊 · 矩形/ })).focus()
  const corner = await screen.findByRole('button', { name: '走廊的角落 3：左 3000、上 3000' })
  corner.focus()
  await user.keyboard('{Shift>}{ArrowRight}{/Shift}')
  expect(onPlan('走廊 · 矩形').getAttribute('aria-label')).toContain('寬 2010 · 高 2000')
  onPlan('走廊 · 矩形').focus()
  await user.keyboard('{Delete}')
  expect(screen.queryByRole('button', { name: /^走廊 · 矩形/ })).toBeNull()
  expect(screen.getByRole('button', { name: '放上走廊' })).toBeTruthy()
})

it('edits shapes as a table, with the reasons if it cannot be saved', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: '編輯走廊的位置' }))
  const left = screen.getByRole('spinbutton', { name: '走廊距左側' })
  await user.clear(left)
  await user.type(left, '500')
  expect(onPlan('走廊 · 矩形').getAttribute('aria-label')).toContain('左 500 · 上 1000')
  await user.click(screen.getByRole('combobox', { name: '走廊的形狀' }))
  await user.click(await screen.findByTitle('多邊形'))
  const corners = screen.getByRole('textbox', { name: /^走廊的角落/ })
  await user.clear(corners)
  await user.type(corners, '0,0 1000,1000 1000,0 0,1000{Enter}')
  expect((await screen.findByRole('alert')).textContent).toBe('外框不能自相交叉或相碰')
  expect(save().disabled).toBe(true)
  await user.click(screen.getByRole('button', { name: /復\s*原/ }))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(save().disabled).toBe(false)
})

it('notifies the second of two editors, and saves only after a choice', async () => {
  const { user } = open()
  ;(await screen.findByRole('button', { name: /^走廊 · 矩形/ })).focus()
  await user.keyboard('{ArrowRight}')
  stored = { ...record, Shapes: [square(2, 7000, 7000)], Version: 5 }
  server.use(rejectCall(floor.operations.update, 'CONFLICT', { fields: { Version: 'changed' } }))
  await user.click(save())
  expect(await screen.findByText('其他人剛修改過這筆資料')).toBeTruthy()
  await user.click(await screen.findByRole('button', { name: '保留我的內容，儲存時覆蓋' }))
  server.use(
    answers(floor.operations.update, (input) => ({ ...stored, ...(input as Partial<Floor>), Version: 6 })),
  )
  await user.click(save())
  await waitFor(() => expect(sent()).toHaveLength(2))
  expect(sent()[1]).toMatchObject({ Version: 5, Shapes: [square(2, 1001, 1000)] })
})

it('asks for confirmation before unsaved drawing is left, but not after saving', async () => {
  const { user, history } = open()
  ;(await screen.findByRole('button', { name: /^走廊 · 矩形/ })).focus()
  await user.keyboard('{ArrowRight}')
  await user.click(screen.getByRole('link', { name: '回到建築總覽' }))
  const dialog = await screen.findByRole('dialog')
  expect(history.location.pathname).toBe('/updateFloor/h1/1')
  await user.click(within(dialog).getByRole('button', { name: '留在此頁' }))
  await user.click(save())
  await waitFor(() => expect(save().disabled).toBe(true))
  await user.click(screen.getByRole('link', { name: '回到建築總覽' }))
  expect(await screen.findByText('建築總覽在此')).toBeTruthy()
})

it('says that a floor was deleted', async () => {
  server.use(answers(floor.operations.list, []))
  open()
  expect(await screen.findByText('找不到這個樓層，可能已被刪除。')).toBeTruthy()
})

it('shows nothing without the right to read', async () => {
  await beginAs(subUser([{ FeatureKey: 'device', OperationList: ['Read'] }]))
  open()
  expect(await screen.findByText('您沒有檢視房間的權限。')).toBeTruthy()
})

it('only shows the plan with its rooms on a phone', async () => {
  screenOf.isPhone = true
  open()
  expect(await screen.findByText('請在較大的螢幕上編輯平面圖；手機只能檢視。')).toBeTruthy()
  expect(screen.getByRole('img', { name: '1F 的平面圖' })).toBeTruthy()
  expect(screen.getByRole('listitem', { name: '走廊' })).toBeTruthy()
  expect(screen.queryByRole('group', { name: '平面圖繪製區' })).toBeNull()
})
