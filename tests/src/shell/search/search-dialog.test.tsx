import '../../../../src/screens.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { conferenceRoom } from '../../../../contract/bookings/conference-room.ts'
import { employee } from '../../../../contract/access-control/employee.ts'
import { peripheral } from '../../../../contract/devices/peripheral.ts'
import { user, type UserRow } from '../../../../contract/people/user.ts'
import { visitor } from '../../../../contract/access-control/visitor.ts'
import { home } from '../../../../contract/homes/home.ts'
import { queryClient } from '../../../../src/data/api.ts'
import { LANGUAGES } from '../../../../src/lib/i18n/words.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { me } from '../../../../src/data/session.ts'
import { SearchDialog } from '../../../../src/shell/search/search-dialog.tsx'
import { NoControl } from '../../../../src/ui/inputs/no-control.ts'
import { answers, requests, rejectCall, server, subUser } from '../../../support/msw.ts'
import { arriveInActingHome, leavingScene } from '../../support/acting-home.ts'
import { prepareSession, sentTo } from '../../support/page.tsx'
import { pagesAt } from '../../../support/pages-at.tsx'
const ming: UserRow = {
  CognitoId: '0b9f7d3e-1f7c-4a8e-9d55-0a3c1c6b0009',
  Email: 'ming@company.example',
  FirstName: '大明',
  LastName: '王',
  nickname: '',
  DepartmentID: 'd1',
  Department: '廠務',
  enabled: true,
  rank: 3,
  InvitedUntil: null,
  Rights: 2,
  Template: null,
}
const none = { Rows: [], NextCursor: null, Total: 0 }

beforeEach(async () => {
  await Promise.all(LANGUAGES.map((language) => loadNamespaces(['search'], language)))
  prepareSession()
  server.use(
    answers(home.operations.list, []),
    answers(peripheral.operations.list, { Things: [], Peripherals: [], Statuses: [] }),
    answers(conferenceRoom.operations.list, []),
    answers(user.operations.page, { Rows: [ming], NextCursor: null, Total: 1 }),
    answers(employee.operations.list, none),
    answers(visitor.operations.list, none),
  )
})

function open() {
  const { history, pages } = pagesAt([{ path: '*', element: <SearchDialog onClose={() => {}} /> }], '/')
  render(<QueryClientProvider client={queryClient}>{pages}</QueryClientProvider>)
  return { person: userEvent.setup({ delay: null }), history, field: screen.getByRole('combobox') }
}

describe('searching for people', () => {
  it('requests a few results when typing pauses, never everyone, and opens the selected person', async () => {
    const { person, history, field } = open()
    await person.type(field, '廠務')
    const found = await screen.findByRole('option', { name: /王大明/ })
    expect(sentTo(user.operations.page)).toEqual([{ Search: '廠務', Limit: 8 }])
    expect(sentTo(user.operations.list)).toEqual([])
    await person.click(found)
    expect(history.location.pathname).toBe(`/user/${ming.CognitoId}`)
  })

  it('sends no call without the right', async () => {
    me.set(subUser([{ FeatureKey: 'access_control_visitor', OperationList: ['Read'] }]))
    const { person, field } = open()
    await person.type(field, '王')
    await waitFor(() => expect(sentTo(visitor.operations.list)).toHaveLength(1))
    expect(sentTo(user.operations.page)).toEqual([])
    expect(sentTo(employee.operations.list)).toEqual([])
  })

  it('says that people cannot be searched, and still finds pages', async () => {
    server.use(rejectCall(user.operations.page, 'INTERNAL'))
    const { person, field } = open()
    await person.type(field, '使用者')
    expect(await screen.findByText('目前無法搜尋人員、員工與訪客。')).toBeTruthy()
    expect(screen.getAllByRole('option').length).toBeGreaterThan(0)
  })
})

describe('while devices cannot be controlled', () => {
  const WHY = '無法連線到伺服器，暫時無法控制裝置。'

  it('disables switching and scenes with the reason, but not pages', async () => {
    await arriveInActingHome()
    const close = vi.fn()
    const { pages } = pagesAt(
      [
        {
          path: '*',
          element: (
            <NoControl value={WHY}>
              <SearchDialog onClose={close} />
            </NoControl>
          ),
        },
      ],
      '/',
    )
    render(<QueryClientProvider client={queryClient}>{pages}</QueryClientProvider>)
    const person = userEvent.setup({ delay: null })
    const field = screen.getByRole('combobox')
    await person.type(field, leavingScene().SceneName)
    const run = await screen.findByRole('option', { name: new RegExp(WHY) })
    expect(run.getAttribute('aria-disabled')).toBe('true')
    const before = requests.length
    await person.click(run)
    await person.type(field, '{Enter}')
    // The search itself may still be under way.
    expect(requests.slice(before).filter(({ path }) => !path.startsWith('/List'))).toEqual([])
    expect(close).not.toHaveBeenCalled()
    await person.clear(field)
    await person.type(field, '使用者')
    const [page] = await screen.findAllByRole('option', { name: /使用者/ })
    expect(page?.getAttribute('aria-disabled')).toBe('false')
  })
})
