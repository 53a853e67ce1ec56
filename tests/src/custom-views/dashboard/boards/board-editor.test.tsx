import { act, screen, waitFor, within } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { dashboard, UNSHARED, type Dashboard } from '../../../../../contract/dashboards/dashboard.ts'
import { MAX_CARDS, type Card } from '../../../../../contract/dashboards/cards.ts'
import BoardEditor from '../../../../../src/custom-views/dashboard/boards/editor/board-editor.tsx'
import { queryClient } from '../../../../../src/data/api.ts'
import { me } from '../../../../../src/data/session.ts'
import { loadNamespaces, t } from '../../../../../src/lib/i18n/i18n.ts'
import { answers, requests, owner, rejectCall, server, signInAs } from '../../../../support/msw.ts'
import { draw, named, NOTHING } from './draw.tsx'
const note = (Title: string, Y: number, CardID = Title): Card => ({
  ...{ CardID, X: 0, Y, W: 4, H: 2, Kind: 'note', Text: `文字 ${Title}`, Title },
})
const board = (Cards: Card[] = [note('甲', 0, 'a'), note('乙', 2, 'b')], Version = 1): Dashboard => ({
  ...{ DashboardID: 'b1', Name: '值班', OwnerID: owner.CognitoId, OwnerName: null },
  ...{ Shared: UNSHARED, Cards, Version },
})
const saved = () =>
  requests.filter(({ path }) => path === dashboard.operations.update.path).map(({ body }) => body)
const grip = (name: string) => screen.getByRole('button', { name: new RegExp(`^「${name}」：`) })
const said = (what: string, card: string, [column, row, width, height]: [number, number, number, number]) =>
  t(`boards:said.${what as 'moved'}`, { card, column, row, width, height })
const press = (name: string) => screen.getByRole('button', { name: named(name) })

const open = (of = board(), close = vi.fn()) => ({
  ...draw(<BoardEditor board={of} {...NOTHING} close={close} />),
  close,
})

beforeAll(async () => {
  Element.prototype.scrollIntoView = () => {}
  await loadNamespaces(['dashboard', 'boards', 'cards', 'errors', 'screens', 'shell'])
})
beforeEach(() => {
  queryClient.clear()
  requests.length = 0
  signInAs(owner)
  me.set(owner)
  server.use(
    answers(dashboard.operations.update, (body) => ({ ...board(), ...(body as object), Version: 2 })),
  )
})

describe('arranging by keyboard', () => {
  it('picks up a card by Enter, moves it by arrows, resizes it by Shift with arrows, and announces its place', async () => {
    const { user, close } = open()
    grip('乙').focus()
    await user.keyboard('{Enter}')
    expect(grip('乙').getAttribute('aria-pressed')).toBe('true')
    expect(screen.getByText(said('taken', '乙', [1, 3, 4, 2]))).toBeTruthy()
    await user.keyboard('{ArrowUp}{ArrowRight}')
    expect(screen.getByText(said('moved', '乙', [2, 1, 4, 2]))).toBeTruthy()
    await user.keyboard('{Shift>}{ArrowRight}{ArrowDown}{/Shift}{Enter}')
    expect(screen.getByText(said('dropped', '乙', [2, 1, 5, 3]))).toBeTruthy()
    await user.click(press(t('cards:done')))
    await waitFor(() => expect(close).toHaveBeenCalled())
    expect(saved()).toMatchObject([
      {
        DashboardID: 'b1',
        Version: 1,
        Cards: [
          { CardID: 'a', X: 0, Y: 3, W: 4, H: 2 },
          { CardID: 'b', X: 1, Y: 0, W: 5, H: 3 },
        ],
      },
    ])
  })

  it('restores by Escape, announces limits, and ignores arrows while no card is picked up', async () => {
    const { user } = open()
    grip('甲').focus()
    await user.keyboard('{ArrowRight}')
    expect(grip('甲').getAttribute('aria-label')).toContain('第 1 欄')
    await user.keyboard('{Enter}{ArrowLeft}')
    expect(screen.getByText(said('stays', '甲', [1, 1, 4, 2]))).toBeTruthy()
    await user.keyboard('{ArrowDown}{Escape}')
    expect(screen.getByText(said('putBack', '甲', [1, 1, 4, 2]))).toBeTruthy()
    expect(press(t('boards:undo')).hasAttribute('disabled')).toBe(true)
  })

  it('undoes and redoes step by step, including a removed card', async () => {
    const { user } = open()
    await user.click(press(t('boards:take', { card: '甲' })))
    expect(screen.queryByText('文字 甲')).toBeNull()
    expect(grip('乙').getAttribute('aria-label')).toContain('第 1 列')
    await user.click(press(t('boards:undo')))
    expect(grip('乙').getAttribute('aria-label')).toContain('第 3 列')
    await user.click(press(t('boards:redo')))
    expect(grip('乙').getAttribute('aria-label')).toContain('第 1 列')
  })
})

describe('an edited arrangement', () => {
  it('is discarded only after confirmation, without one if nothing changed', async () => {
    const { user, close } = open()
    await user.click(press(t('boards:take', { card: '甲' })))
    await user.click(press(t('cards:cancel')))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(t('boards:discard'))).toBeTruthy()
    expect(close).not.toHaveBeenCalled()
    await user.click(dialog.getByRole('button', { name: named(t('boards:discardIt')) }))
    await waitFor(() => expect(close).toHaveBeenCalled())
    expect(saved()).toEqual([])
  })

  it('stays if saving failed, with the reason', async () => {
    server.use(rejectCall(dashboard.operations.update, 'LIMIT_EXCEEDED'))
    const { user, close } = open()
    await user.click(press(t('boards:take', { card: '甲' })))
    await user.click(press(t('cards:done')))
    expect(await screen.findByText(t('errors:call.LIMIT_EXCEEDED'))).toBeTruthy()
    expect(close).not.toHaveBeenCalled()
    expect(screen.queryByText('文字 甲')).toBeNull()
  })

  it('can be kept after someone else saved another one', async () => {
    let remote = board()
    let tell: () => void = () => {}
    function Changing() {
      const [now, setNow] = useState(remote)
      useEffect(() => {
        tell = () => setNow(remote)
      }, [])
      return <BoardEditor board={now} {...NOTHING} close={() => {}} />
    }
    const { user } = draw(<Changing />)
    await user.click(press(t('boards:take', { card: '甲' })))
    remote = board([note('丙', 0, 'c')], 2)
    act(tell)
    expect(screen.getByText(t('boards:elsewhere'))).toBeTruthy()
    expect(press(t('cards:done')).hasAttribute('disabled')).toBe(true)
    await user.click(press(t('cards:keepThis')))
    await user.click(press(t('cards:done')))
    await waitFor(() => expect(saved()).toMatchObject([{ Version: 2, Cards: [{ CardID: 'b' }] }]))
  })

  it('holds at most forty cards', async () => {
    open(board(Array.from({ length: MAX_CARDS }, (_, i) => note(`c${i}`, i * 2))))
    expect(press(t('boards:add')).hasAttribute('disabled')).toBe(true)
    expect(screen.getByText(t('boards:full', { most: MAX_CARDS }))).toBeTruthy()
  })
})

it('finds a card in the catalog, previews it, and adds it below all others', async () => {
  const { user } = open()
  await user.click(press(t('boards:add')))
  await user.type(await screen.findByLabelText(t('boards:search')), '便條')
  const offer = await screen.findByRole('button', { name: /^便條/ })
  await waitFor(() => expect(screen.queryByRole('button', { name: /^歷史曲線/ })).toBeNull())
  await user.click(offer)
  const add = press(t('boards:addIt'))
  expect(add.hasAttribute('disabled')).toBe(true)
  expect(screen.getByText(t('boards:incomplete'))).toBeTruthy()
  await user.type(screen.getByLabelText(t('boards:fields.text')), '開會')
  const preview = within(await screen.findByRole('region', { name: t('boards:preview') }))
  expect(await preview.findByText('開會')).toBeTruthy()
  await user.click(add)
  expect(await screen.findByText(t('boards:said.added', { card: t('boards:kinds.note.name') }))).toBeTruthy()
  expect(grip(t('boards:kinds.note.name')).getAttribute('aria-label')).toContain('第 5 列')
})
