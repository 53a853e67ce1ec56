import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { room } from '../../../contract/homes/room.ts'
import { cacheInvalidation, queryClient } from '../../../src/data/api.ts'
import { homesKey } from '../../../src/data/homes.ts'
import { t } from '../../../src/lib/i18n/i18n.ts'
import { showNoticesWith, type Notice } from '../../../src/data/notices.ts'
import { me } from '../../../src/data/session.ts'
import roomPages from '../../../src/resources/room/record.tsx'
import { prepareSession, sentTo } from '../support/page.tsx'
import { openRefinePages } from '../support/refine-pages.tsx'
import { answers, rejectCall, server, subUser } from '../../support/msw.ts'
import { openRowMenu, pressInRowMenu } from '../../support/row-menu.ts'

const rooms = [
  { HomeID: 'h1', RoomID: 0, RoomName: '預設房間', PeripheralList: [], ThingNameList: [] },
  { HomeID: 'h1', RoomID: 2, RoomName: '會議室', PeripheralList: ['a', 'b'], ThingNameList: ['hub'] },
]
const { list, create, update, remove } = room.operations

const open = (address = '/Rooms/h1') =>
  openRefinePages([{ path: '/Rooms/:HomeID', element: <roomPages.List /> }], address).user
const shown: Notice[] = []
const shownTexts = () => shown.map(({ kind, text }) => `${kind}: ${text()}`)

beforeEach(() => {
  shown.length = 0
  showNoticesWith(
    (notice) => shown.push(notice),
    () => '',
  )
  prepareSession()
  server.use(answers(list, rooms))
})

describe('a list from the contract', () => {
  it('shows the records of the home in the address, with counts', async () => {
    open()
    const row = (await screen.findByText('會議室')).closest('[role=row]') as HTMLElement
    expect(within(row).getByText('2')).toBeTruthy()
    expect(sentTo(list)).toEqual([{ HomeID: 'h1' }])
  })

  it('never offers to delete the default room', async () => {
    const user = open()
    await openRowMenu(user, '會議室')
    expect(await screen.findByRole('menuitem', { name: '刪除「會議室」' })).toBeTruthy()
    await openRowMenu(user, '預設房間')
    expect(await screen.findByRole('menuitem', { name: '編輯「預設房間」' })).toBeTruthy()
    expect(screen.queryByRole('menuitem', { name: '刪除「預設房間」' })).toBeNull()
  })

  it('offers only permitted actions', async () => {
    me.set(subUser([{ FeatureKey: 'room', OperationList: ['Read'] }]))
    open()
    await screen.findByText('會議室')
    expect(screen.queryByRole('button', { name: /新增房間|其他動作/ })).toBeNull()
  })

  it('shows why it could not load, and loads on a retry', async () => {
    server.use(rejectCall(list, 'INTERNAL'))
    const user = open()
    expect(await screen.findByText('系統發生錯誤，請稍後再試')).toBeTruthy()
    server.use(answers(list, rooms))
    await user.click(screen.getByRole('button', { name: /重\s*試/ }))
    expect(await screen.findByText('會議室')).toBeTruthy()
  })
})

describe('a list that others change', () => {
  const before = [rooms[0], { ...rooms[1], RoomName: '大會議室' }] as typeof rooms
  const rowsOf = (name: string) => within(screen.getByText(name).closest('[role=row]') as HTMLElement)

  it('updates on a change of one of its records', async () => {
    open()
    await screen.findByText('會議室')
    server.use(answers(list, before))
    void cacheInvalidation.invalidate([
      { entity: 'room', event: 'update', record: { HomeID: 'h1', RoomID: 2, RoomName: '大會議室' } },
    ])
    expect(await screen.findByText('大會議室')).toBeTruthy()
  })

  it('updates the device count of a room when one is removed', async () => {
    open()
    await screen.findByText('會議室')
    server.use(answers(list, [{ ...rooms[1], PeripheralList: ['a', 'b', 'c'] } as (typeof rooms)[1]]))
    void cacheInvalidation.invalidate([
      { entity: 'peripheral', event: 'remove', record: { HomeID: 'h1', PeripheralUID: 'd' } },
    ])
    await waitFor(() => expect(rowsOf('會議室').getByText('3')).toBeTruthy())
  })

  it('does not refetch for what it does not show', async () => {
    open()
    await screen.findByText('會議室')
    void cacheInvalidation.invalidate([
      { entity: 'user', event: 'remove', record: { Email: 'operator@company.example' } },
    ])
    void cacheInvalidation.invalidate([
      { entity: 'room', event: 'update', record: { HomeID: 'h1', RoomID: 2, RoomName: '會議室' } },
    ])
    await waitFor(() => expect(sentTo(list)).toHaveLength(2))
  })
})

describe('a form from the contract', () => {
  it('requires the name before sending', async () => {
    const user = open()
    await user.click(await screen.findByRole('button', { name: /新增房間/ }))
    await user.click(screen.getByRole('button', { name: /儲\s*存/ }))
    expect(await screen.findByText('請輸入名稱')).toBeTruthy()
    expect(sentTo(create)).toEqual([])
  })

  it('creates a room in this home', async () => {
    server.use(answers(create, { HomeID: 'h1', RoomID: 3, RoomName: '茶水間' }))
    const user = open()
    await user.click(await screen.findByRole('button', { name: /新增房間/ }))
    await user.type(screen.getByRole('textbox', { name: '房間名稱' }), '茶水間')
    await user.click(screen.getByRole('button', { name: /儲\s*存/ }))
    await waitFor(() => expect(sentTo(create)).toEqual([{ HomeID: 'h1', RoomName: '茶水間' }]))
    await waitFor(() => expect(screen.queryByRole('textbox', { name: '房間名稱' })).toBeNull())
    expect(shownTexts()).toEqual([`success: ${t('screens:created')}`])
  })

  it("refetches the list and the shell's homes after creating a room", async () => {
    queryClient.setQueryData(homesKey, [])
    server.use(answers(create, { HomeID: 'h1', RoomID: 3, RoomName: '茶水間' }))
    const user = open()
    await user.click(await screen.findByRole('button', { name: /新增房間/ }))
    await user.type(screen.getByRole('textbox', { name: '房間名稱' }), '茶水間')
    server.use(
      answers(list, [
        ...rooms,
        { HomeID: 'h1', RoomID: 3, RoomName: '茶水間', PeripheralList: [], ThingNameList: [] },
      ]),
    )
    await user.click(screen.getByRole('button', { name: /儲\s*存/ }))
    expect(await screen.findByText('茶水間')).toBeTruthy()
    expect(queryClient.getQueryState(homesKey)?.isInvalidated).toBe(true)
    expect(sentTo(list)).toHaveLength(2)
  })

  it('ignores values in the address', async () => {
    server.use(answers(update, { HomeID: 'h1', RoomID: 2, RoomName: '會議室' }))
    const user = open('/Rooms/h1?RoomID=0&RoomName=stolen&HomeID=h2')
    await pressInRowMenu(user, '會議室', '編輯「會議室」')
    await user.click(screen.getByRole('button', { name: /儲\s*存/ }))
    await waitFor(() => expect(sentTo(update)).toEqual([{ HomeID: 'h1', RoomID: 2, RoomName: '會議室' }]))
    expect(sentTo(list)[0]).toEqual({ HomeID: 'h1' })
  })

  it('shows the error above the form if no field caused it', async () => {
    server.use(rejectCall(update, 'CONFLICT'))
    const user = open()
    await pressInRowMenu(user, '會議室', '編輯「會議室」')
    await user.click(screen.getByRole('button', { name: /儲\s*存/ }))
    expect((await screen.findByRole('alert')).textContent).toBe(t('errors:call.CONFLICT'))
    expect(shownTexts()).toEqual([])
  })

  it("shows the gateway's error at its field and keeps the input", async () => {
    server.use(rejectCall(update, 'INVALID', { fields: { RoomName: 'tooLong' } }))
    const user = open()
    await pressInRowMenu(user, '會議室', '編輯「會議室」')
    const field = screen.getByRole('textbox', { name: '房間名稱' }) as HTMLInputElement
    await user.clear(field)
    await user.type(field, '大會議室')
    await user.click(screen.getByRole('button', { name: /儲\s*存/ }))
    expect(await screen.findByText('內容過長')).toBeTruthy()
    expect(field.value).toBe('大會議室')
    expect(sentTo(update)).toEqual([
      { HomeID: 'h1', RoomID: 2, RoomName: '大會議室', Seen: { RoomName: '會議室' } },
    ])
  })

  /** Types another name into the form of a room. */
  const rename = async (user: ReturnType<typeof open>) => {
    await pressInRowMenu(user, '會議室', '編輯「會議室」')
    const field = screen.getByRole('textbox', { name: '房間名稱' }) as HTMLInputElement
    await user.clear(field)
    await user.type(field, '大會議室')
    return field
  }
  const theirs = [rooms[0], { ...rooms[1], RoomName: '小會議室' }] as typeof rooms
  const TOLD = '其他人剛修改過這筆資料'

  it('shows a name that someone else saved first, and adopts it', async () => {
    const user = open()
    const field = await rename(user)
    server.use(rejectCall(update, 'CONFLICT', { fields: { RoomName: 'changed' } }), answers(list, theirs))
    await user.click(screen.getByRole('button', { name: /^儲\s*存$/ }))
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('房間名稱會議室小會議室'))
    expect(screen.getAllByText(TOLD)).toHaveLength(1)
    expect(field.value).toBe('大會議室')
    expect(screen.getByRole('button', { name: /^儲\s*存$/ })).toHaveProperty('disabled', true)
    await user.click(screen.getByRole('button', { name: '採用對方的內容' }))
    await waitFor(() => expect(field.value).toBe('小會議室'))
    expect(screen.queryByText(TOLD)).toBeNull()
  })

  it('overwrites a concurrent change of the name only after confirmation', async () => {
    server.use(answers(update, { HomeID: 'h1', RoomID: 2, RoomName: '大會議室' }))
    const user = open()
    await rename(user)
    server.use(answers(list, theirs))
    void cacheInvalidation.invalidate([
      { entity: 'room', event: 'update', record: { HomeID: 'h1', RoomID: 2, RoomName: '小會議室' } },
    ])
    expect(await screen.findByText(TOLD)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: /保留我的內容/ }))
    await waitFor(() => expect(screen.queryByText(TOLD)).toBeNull())
    await user.click(screen.getByRole('button', { name: /^儲\s*存$/ }))
    await waitFor(() =>
      expect(sentTo(update)).toEqual([
        { HomeID: 'h1', RoomID: 2, RoomName: '大會議室', Seen: { RoomName: '小會議室' } },
      ]),
    )
  })

  it('asks for confirmation before unsaved input is discarded', async () => {
    const user = open()
    await pressInRowMenu(user, '會議室', '編輯「會議室」')
    await user.type(screen.getByRole('textbox', { name: '房間名稱' }), '!')
    await user.click(screen.getByRole('button', { name: /取\s*消/ }))
    expect((await screen.findAllByText('要捨棄未儲存的變更嗎？')).length).toBeGreaterThan(0)
    expect(screen.getByRole('textbox', { name: '房間名稱' })).toBeTruthy()
  })
})

describe('deleting', () => {
  it('names the room and what happens to its devices, then deletes it', async () => {
    server.use(answers(remove, { HomeID: 'h1', RoomID: 2 }))
    const user = open()
    await pressInRowMenu(user, '會議室', '刪除「會議室」')
    expect((await screen.findAllByText('要刪除「會議室」嗎？')).length).toBeGreaterThan(0)
    expect(screen.getByText('房間內的 2 個裝置與 1 個閘道器會移到預設房間。')).toBeTruthy()
    expect(sentTo(remove)).toEqual([])
    await user.click(screen.getByRole('button', { name: /^刪\s*除$/ }))
    await waitFor(() => expect(sentTo(remove)).toEqual([{ HomeID: 'h1', RoomID: 2 }]))
    await waitFor(() =>
      expect(shownTexts()).toEqual([`success: ${t('screens:remove.done', { name: '會議室' })}`]),
    )
    expect(sentTo(list)).toHaveLength(2)
  })

  it('shows once why it was rejected', async () => {
    server.use(rejectCall(remove, 'CONFLICT'))
    const user = open()
    await pressInRowMenu(user, '會議室', '刪除「會議室」')
    await user.click(screen.getByRole('button', { name: /^刪\s*除$/ }))
    await waitFor(() => expect(shownTexts()).toEqual([`error: ${t('errors:call.CONFLICT')}`]))
  })

  it("shows the gateway's detailed reason", async () => {
    server.use(rejectCall(remove, 'CONFLICT', { fields: { RoomID: 'members' } }))
    const user = open()
    await pressInRowMenu(user, '會議室', '刪除「會議室」')
    await user.click(screen.getByRole('button', { name: /^刪\s*除$/ }))
    await waitFor(() => expect(shownTexts()).toEqual([`error: ${t('errors:fields.members')}`]))
  })
})
