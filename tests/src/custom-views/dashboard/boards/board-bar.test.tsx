import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  DEFAULT_PERSONAL_CONFIG,
  personal,
  type PersonalConfig,
} from '../../../../../contract/people/personal-calls.ts'
import { department } from '../../../../../contract/people/department.ts'
import {
  dashboard,
  dashboardCalls,
  UNSHARED,
  type Dashboard,
  type DashboardLine,
} from '../../../../../contract/dashboards/dashboard.ts'
import BoardBar from '../../../../../src/custom-views/dashboard/boards/board-bar.tsx'
import ShareDialog from '../../../../../src/custom-views/dashboard/boards/share-dialog.tsx'
import { queryClient } from '../../../../../src/data/api.ts'
import { putPersonalConfig } from '../../../../../src/data/personal.ts'
import { describeRight } from '../../../../../src/data/failure.ts'
import { me } from '../../../../../src/data/session.ts'
import { loadNamespaces, t } from '../../../../../src/lib/i18n/i18n.ts'
import { answers, requests, owner, server, signInAs, subUser } from '../../../../support/msw.ts'
import { draw, named } from './draw.tsx'
const line = (DashboardID: string, more: Partial<DashboardLine> = {}): DashboardLine => ({
  ...{ DashboardID, Name: `看板 ${DashboardID}`, OwnerID: owner.CognitoId, OwnerName: '王小明' },
  ...{ Shared: UNSHARED, Version: 1, CardCount: 3 },
  ...more,
})
let config: PersonalConfig
const begin = (CustomDashboard = 'DEFAULT') => {
  config = { ...DEFAULT_PERSONAL_CONFIG, CustomDashboard }
  putPersonalConfig(config)
}
const tabs = async () =>
  (await within(await screen.findByRole('navigation')).findAllByRole('link')).map(
    ({ textContent }) => textContent,
  )

beforeAll(
  () => loadNamespaces(['dashboard', 'boards', 'cards', 'errors', 'screens', 'shell', 'personal']),
  60_000,
)
beforeEach(() => {
  queryClient.clear()
  requests.length = 0
  signInAs(owner)
  me.set(owner)
  begin()
  server.use(
    answers(personal.getPersonalConfig, () => config),
    answers(personal.updatePersonalConfig, (body) => {
      const { Seen: _seen, RequestID: _id, ...change } = body as Record<string, unknown>
      return (config = { ...config, ...change })
    }),
    answers(dashboard.operations.list, [line('a'), line('b', { OwnerID: null, OwnerName: null })]),
  )
})

describe('dashboard tabs', () => {
  it('show all dashboards after the default cards until the person selects some', async () => {
    draw(<BoardBar open="a" />)
    await screen.findByRole('link', { name: '看板 a' })
    expect(await tabs()).toEqual([t('boards:usual'), '看板 a', '看板 b'])
    expect(screen.getByRole('link', { current: 'page' }).getAttribute('href')).toBe('/Dashboard?board=a')
  })

  it('show the selected dashboards and the open one, and are selected in the list of all', async () => {
    begin('{"tabs":["b"]}')
    const { user } = draw(<BoardBar open="usual" />)
    await screen.findByRole('link', { name: '看板 b' })
    expect(await tabs()).toEqual([t('boards:usual'), '看板 b'])
    await user.click(screen.getByRole('button', { name: named(t('boards:all', { count: 2 })) }))
    const list = within(await screen.findByRole('dialog'))
    expect(await list.findByText(new RegExp(t('boards:ofNobody')))).toBeTruthy()
    await user.click(list.getByRole('switch', { name: t('boards:asTab', { name: '看板 a' }) }))
    await waitFor(() => expect(config.CustomDashboard).toBe('{"tabs":["b","a"]}'))
    await user.click(list.getByRole('switch', { name: t('boards:asStart', { name: '看板 a' }) }))
    await waitFor(() => expect(config.CustomDashboard).toBe('{"start":"a","tabs":["b","a"]}'))
  })

  it('remove a deleted start dashboard from the setting, and keep the arrangement of cards', async () => {
    begin(
      '{"order":["hubs","usage","day","ranking","categories"],"hidden":[],"start":"gone","tabs":["gone","a"]}',
    )
    draw(<BoardBar open="gone" />)
    await waitFor(() => expect(JSON.parse(config.CustomDashboard)).toMatchObject({ tabs: ['a'] }))
    expect(JSON.parse(config.CustomDashboard)).not.toHaveProperty('start')
    expect(JSON.parse(config.CustomDashboard).order[0]).toBe('hubs')
    expect(requests.filter(({ path }) => path === personal.updatePersonalConfig.path)).toHaveLength(1)
  })
})

describe('sharing', () => {
  const board: Dashboard = {
    ...{
      DashboardID: 'a',
      Name: '值班',
      OwnerID: owner.CognitoId,
      OwnerName: null,
      Shared: UNSHARED,
      Version: 4,
    },
    Cards: [{ CardID: 'e', X: 0, Y: 0, W: 12, H: 5, Kind: 'usage', Title: '電費' }],
  }

  it('shows before saving who cannot see which card', async () => {
    server.use(
      answers(department.operations.list, []),
      answers(dashboardCalls.checkSharing, {
        People: 3,
        Missing: [{ feature: 'electricity', operation: 'Read', CardIDs: ['e'], Count: 2, Names: ['陳大文'] }],
      }),
      answers(dashboard.operations.update, (body) => ({ ...board, ...(body as object), Version: 5 })),
    )
    const close = vi.fn()
    const { user } = draw(<ShareDialog board={board} close={close} />)
    await user.click(await screen.findByRole('radio', { name: t('boards:share.everyone') }))
    const right = describeRight({ feature: 'electricity', operation: 'Read' })
    expect(await screen.findByText(t('boards:share.people', { count: 3 }))).toBeTruthy()
    expect(
      screen.getByText((text) =>
        text.startsWith(t('boards:share.misses', { count: 2, right, cards: '電費' })),
      ),
    ).toBeTruthy()
    expect(screen.getByText((text) => text.includes('陳大文') && text.includes('1'))).toBeTruthy()
    await user.click(screen.getByRole('button', { name: named(t('boards:save')) }))
    await waitFor(() => expect(close).toHaveBeenCalled())
    expect(requests.filter(({ path }) => path === dashboard.operations.update.path)).toMatchObject([
      { body: { DashboardID: 'a', Shared: { Everyone: true, DepartmentIDs: [], May: 'view' }, Version: 4 } },
    ])
  })

  it('can only be ended by a person without the right to update dashboards', async () => {
    me.set(subUser([{ FeatureKey: 'dashboard', OperationList: ['Read'] }]))
    draw(<ShareDialog board={{ ...board, Shared: { ...UNSHARED, Everyone: true } }} close={() => {}} />)
    expect(await screen.findByText(describeRight({ feature: 'dashboard', operation: 'Update' }))).toBeTruthy()
    const isOff = (name: string) => (screen.getByRole('radio', { name }) as HTMLInputElement).disabled
    expect(isOff(t('boards:share.departments'))).toBe(true)
    expect(isOff(t('boards:share.nobody'))).toBe(false)
  })
})
