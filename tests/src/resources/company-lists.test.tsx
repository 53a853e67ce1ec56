import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentType } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AnyEndpoint } from '../../../contract/kernel/define-endpoint.ts'
import { accessControl } from '../../../contract/access-control/calls.ts'
import {
  DEFAULT_PERSONAL_CONFIG,
  personal,
  type PersonalConfig,
} from '../../../contract/people/personal-calls.ts'
import { runs } from '../../../contract/automation/run-calls.ts'
import { bookings, type BookingWithDetails } from '../../../contract/bookings/calls.ts'
import { automation } from '../../../contract/automation/automation.ts'
import { conferenceRoom } from '../../../contract/bookings/conference-room.ts'
import { department } from '../../../contract/people/department.ts'
import { employee, type EmployeeRow } from '../../../contract/access-control/employee.ts'
import { scanner } from '../../../contract/access-control/scanner.ts'
import { user, type UserRow } from '../../../contract/people/user.ts'
import { visitor, type VisitorRow } from '../../../contract/access-control/visitor.ts'
import { home } from '../../../contract/homes/home.ts'
import { queryClient } from '../../../src/data/api.ts'
import { loadNamespaces } from '../../../src/lib/i18n/i18n.ts'
import { me } from '../../../src/data/session.ts'
import { RefineFrame } from '../../../src/providers/refine-frame.tsx'
import conferenceRooms from '../../../src/resources/conference-room/record.tsx'
import departmentPages from '../../../src/resources/department/record.tsx'
import employees from '../../../src/resources/employee/record.tsx'
import ScannerEmployees from '../../../src/resources/scanner/scanner-employees.tsx'
import scanners from '../../../src/resources/scanner/record.tsx'
import users from '../../../src/resources/user/record.tsx'
import visitors from '../../../src/resources/visitor/record.tsx'
import { Asking } from '../../support/asking.tsx'
import { answers, requests, owner, rejectCall, server, signInAs, subUser } from '../../support/msw.ts'
import { pagesAt } from '../../support/pages-at.tsx'
import { aConferenceRoom } from '../../support/a-conference-room.ts'
import { pressInRowMenu } from '../../support/row-menu.ts'
const pageOf = <Row,>(Rows: Row[]) => ({ Rows, NextCursor: null, Total: Rows.length })
const id = (n: number) => `0b9f7d3e-1f7c-4a8e-9d55-0a3c1c6b00${n}0`

const ming: UserRow = {
  CognitoId: id(1),
  Email: 'ming@company.example',
  FirstName: '大明',
  LastName: '王',
  nickname: '',
  DepartmentID: null,
  Department: null,
  enabled: true,
  rank: 3,
  InvitedUntil: null,
  Rights: 2,
  Template: null,
}
const root: UserRow = {
  ...ming,
  CognitoId: owner.CognitoId,
  Email: owner.Email,
  FirstName: '擁有者',
  LastName: '',
}
const departments = [
  { DepartmentID: 'd1', Department: '廠務' },
  { DepartmentID: 'd2', Department: '資訊' },
]
const employed = (EmployeeID: string, EmployeeName: string): EmployeeRow => ({
  EmployeeID,
  EmployeeName,
  Email: `${EmployeeID}@company.example`,
  CardNumber: null,
  DepartmentID: null,
  Department: null,
  Active: true,
  PhotoUrl: null,
  Version: 1,
})
const visit = (VisitorID: string, VisitorName: string, CheckedInAt: number | null): VisitorRow => ({
  VisitorID,
  VisitorName,
  Company: '',
  Email: `${VisitorID}@guest.example`,
  Phone: '0911222333',
  Ext: '',
  HostEmployeeID: null,
  HostName: null,
  Purpose: '',
  ValidFrom: Date.now() - 3_600_000,
  ValidUntil: Date.now() + 3_600_000,
  CheckedInAt,
  AwayAt: null,
  CheckedOutAt: null,
  RevokedAt: null,
  AnonymisedAt: null,
  Version: 1,
})
const room = (ConferenceRoomID: string, ConferenceRoomName: string) =>
  aConferenceRoom({ ConferenceRoomID, ConferenceRoomName })
const door = (ThingName: string, ScannerName: string) => ({
  ThingName,
  ScannerName,
  HomeID: 'h1',
  Direction: 'both' as const,
  AllEmployees: true,
  AllowVisitors: true,
  Version: 1,
  Online: true,
  SeenAt: 0,
  Assigned: 0,
})

/** Personal settings stored by the gateway. */
let config: PersonalConfig

beforeEach(async () => {
  await loadNamespaces(['people', 'access', 'bookings'])
  queryClient.clear()
  localStorage.clear()
  requests.length = 0
  signInAs(owner)
  me.set(owner)
  config = DEFAULT_PERSONAL_CONFIG
  server.use(
    answers(home.operations.list, []),
    answers(personal.getPersonalConfig, () => config),
    answers(
      personal.updatePersonalConfig,
      (change) => (config = { ...config, ...(change as Partial<PersonalConfig>) }),
    ),
    answers(department.operations.list, departments),
    answers(runs.listUsedBy, { Rows: [], Hidden: 0 }),
    answers(automation.operations.list, []),
  )
})

function open(Screen: ComponentType, address = '/list') {
  const { history, pages } = pagesAt(
    [{ element: <RefineFrame />, children: [{ path: '/list/:deviceName?', element: <Screen /> }] }],
    address,
  )
  render(
    <QueryClientProvider client={queryClient}>
      <Asking>{pages}</Asking>
    </QueryClientProvider>,
  )
  return { person: userEvent.setup({ delay: null }), history }
}
type Person = ReturnType<typeof userEvent.setup>

const sentTo = ({ path }: AnyEndpoint) =>
  requests.filter((call) => call.path === path).map(({ body }) => body)
const choose = async (person: Person, name: string) =>
  person.click(await screen.findByRole('checkbox', { name: `選取「${name}」` }))
const press = async (person: Person, name: RegExp) => {
  const bar = within(await screen.findByRole('toolbar', { name: '批次操作' }))
  await person.click(await bar.findByRole('button', { name }))
}
/** Confirms the dialog, which names the selection. */
async function agree(person: Person, ...named: string[]) {
  const question = await waitFor(() => {
    const found = document.querySelector<HTMLElement>('.ant-modal-confirm')
    if (!found) throw new Error('Nothing is asked')
    return found
  })
  for (const name of named) expect(within(question).getByText(name)).toBeTruthy()
  await person.click(question.querySelector('.ant-btn-dangerous') as HTMLElement)
}
const results = (text: string) => screen.findByText(text)

describe('users', () => {
  beforeEach(() => server.use(answers(user.operations.page, pageOf([root, ming]))))

  it('are disabled together except the owner, each with its result', async () => {
    server.use(
      answers(user.operations.update, {
        ...ming,
        enabled: false,
        Permissions: [],
        HomeGrants: [],
        Version: 2,
      }),
    )
    const { person } = open(users.List)
    await choose(person, '擁有者')
    await choose(person, '王大明')
    expect(await screen.findByText('已選 2 筆')).toBeTruthy()
    await press(person, /停用/)
    await agree(person, '擁有者', '王大明')
    await results('2 / 2，失敗 1')
    expect(screen.getByText(/公司擁有者不能停用或刪除/)).toBeTruthy()
    expect(sentTo(user.operations.update)).toEqual([{ Email: ming.Email, enabled: false }])
    await person.click(screen.getByText(/^關\s*閉$/, { selector: '.ant-btn-primary span' }))
    await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull())
  })

  it('are moved to a department', async () => {
    server.use(answers(user.operations.update, { ...ming, Permissions: [], HomeGrants: [], Version: 2 }))
    const { person } = open(users.List)
    await choose(person, '王大明')
    await press(person, /移到部門/)
    await person.click(await screen.findByRole('combobox', { name: '移到部門' }))
    await person.click(await screen.findByText('資訊', { selector: '.ant-select-item-option-content' }))
    await person.click(screen.getByText(/^移\s*動$/))
    await results('1 / 1，失敗 0')
    expect(sentTo(user.operations.update)).toEqual([{ Email: ming.Email, DepartmentID: 'd2' }])
  })

  it("are deleted only after confirmation, except the user's own account", async () => {
    const self = { ...ming, CognitoId: subUser().CognitoId, Email: subUser().Email, FirstName: '小華' }
    me.set(subUser([{ FeatureKey: 'user', OperationList: ['Read', 'Delete'] }]))
    server.use(
      answers(user.operations.page, pageOf([self, ming])),
      answers(user.operations.remove, { Email: ming.Email }),
    )
    const { person } = open(users.List)
    await choose(person, '王大明')
    await choose(person, '王小華')
    await press(person, /刪\s*除/)
    expect(sentTo(user.operations.remove)).toEqual([])
    await agree(person, '王大明')
    await results('2 / 2，失敗 1')
    expect(screen.getByText(/您無法停用或刪除自己/)).toBeTruthy()
    expect(sentTo(user.operations.remove)).toEqual([{ Email: ming.Email }])
  })

  it('are deleted only after naming the automations that run with their rights', async () => {
    const lin: UserRow = { ...ming, CognitoId: id(3), Email: 'lin@company.example', LastName: '林' }
    const of = (ID: string, Name: string) =>
      ({ Kind: 'automation', HomeID: 'h1', ID, Name, AutomationType: 1, Role: 'owner' }) as const
    server.use(
      answers(user.operations.page, pageOf([root, ming, lin])),
      answers(runs.listUsedBy, (asked) => ({
        Rows: [
          of('a', '上班開燈'),
          ...((asked as { ID: string }).ID === ming.CognitoId ? [of('b', '午休')] : []),
        ],
        Hidden: 1,
      })),
    )
    const { person } = open(users.List)
    await pressInRowMenu(person, '林大明', '刪除「林大明」')
    expect(await screen.findByText(/下列自動化以此人的權限執行/)).toBeTruthy()
    expect(screen.getByText('自動化：上班開燈')).toBeTruthy()
    expect(screen.getByText('另有 1 個您沒有權限檢視的項目')).toBeTruthy()
    await person.click(screen.getByRole('button', { name: /^取\s*消$/ }))
    for (const name of ['擁有者', '王大明', '林大明']) await choose(person, name)
    await press(person, /刪\s*除/)
    const asked = (await screen.findByText('自動化：午休')).closest<HTMLElement>('.ant-modal-confirm')
    expect(within(asked as HTMLElement).getAllByText('自動化：上班開燈')).toHaveLength(1)
    expect(screen.getByText('另有一些您沒有權限檢視的項目')).toBeTruthy()
    // People who are not deleted are not checked.
    expect(sentTo(runs.listUsedBy)).not.toContainEqual(expect.objectContaining({ ID: root.CognitoId }))
  })

  it('are selected beyond the loaded rows, by the same filters at the gateway', async () => {
    const all = Array.from({ length: 5 }, (_, i): UserRow => ({
      ...ming,
      CognitoId: id(i),
      Email: `p${i}@company.example`,
      LastName: `員${i}`,
      FirstName: '',
    }))
    server.use(
      answers(user.operations.page, (asked) => {
        const { Cursor, Limit } = asked as { Cursor?: string; Limit?: number }
        const [from, many] = [Number(Cursor ?? 0), Limit === 500 ? 3 : 2]
        const NextCursor = from + many < all.length ? String(from + many) : null
        return { Rows: all.slice(from, from + many), NextCursor, Total: all.length }
      }),
      answers(user.operations.remove, { Email: ming.Email }),
    )
    const { person } = open(users.List, '/list?q=company')
    await choose(person, '員0')
    expect(screen.queryByRole('button', { name: '選取符合條件的全部 5 筆' })).toBeNull()
    await person.click(screen.getByRole('checkbox', { name: '選取列出的全部' }))
    await person.click(await screen.findByRole('button', { name: '選取符合條件的全部 5 筆' }))
    expect(await screen.findByText('已選 5 筆')).toBeTruthy()
    const asked = sentTo(user.operations.page)
    expect(asked).toContainEqual(expect.objectContaining({ Search: 'company', Limit: 500 }))
    expect(asked).toContainEqual(expect.objectContaining({ Search: 'company', Limit: 500, Cursor: '3' }))
    await choose(person, '員1')
    expect(await screen.findByText('已選 4 筆')).toBeTruthy()
    await press(person, /刪\s*除/)
    await agree(person, '員0', '員4')
    await results('4 / 4，失敗 0')
    expect(sentTo(user.operations.remove)).toEqual(
      [0, 2, 3, 4].map((i) => ({ Email: `p${i}@company.example` })),
    )
  })

  it('show the results of deletion after they have left the list', async () => {
    let rest = [root, ming]
    server.use(
      answers(user.operations.page, () => pageOf(rest)),
      answers(user.operations.remove, () => {
        rest = [root]
        return { Email: ming.Email }
      }),
    )
    const { person } = open(users.List)
    await choose(person, '王大明')
    await press(person, /刪\s*除/)
    await agree(person, '王大明')
    await results('1 / 1，失敗 0')
    await waitFor(() => expect(screen.queryByRole('checkbox', { name: '選取「王大明」' })).toBeNull())
    expect(screen.getByText('1 / 1，失敗 0')).toBeTruthy()
    await person.click(screen.getByText(/^關\s*閉$/, { selector: '.ant-btn-primary span' }))
    await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull())
  })

  it('have no checkboxes without the right to change users', async () => {
    me.set(subUser([{ FeatureKey: 'user', OperationList: ['Read'] }]))
    open(users.List)
    await screen.findByText('王大明')
    expect(screen.queryByRole('checkbox')).toBeNull()
  })

  it('have views with filter and order, separate for each list', async () => {
    config = {
      ...config,
      SavedViews: [{ List: 'visitor', Name: '逾時', Query: 'state=overdue', HomeID: null }],
    }
    const { person, history } = open(users.List, '/list?state=off&sort=-Email&other=1')
    await screen.findByText('王大明')
    const menu = async () => {
      await person.click(screen.getByRole('button', { name: '已儲存的檢視' }))
      return within(await screen.findByRole('menu'))
    }
    const entries = await menu()
    expect(entries.queryByText('逾時')).toBeNull()
    await person.click(entries.getByText('儲存目前的檢視…'))
    await person.type(await screen.findByLabelText('名稱'), '停用的人{Enter}')
    const view = { List: 'user', Name: '停用的人', Query: 'state=off&sort=-Email', HomeID: null }
    await waitFor(() => expect(config.SavedViews).toContainEqual(view))
    act(() => history.push('/list?q=x&other=1'))
    await person.click((await menu()).getByRole('menuitemradio', { name: '停用的人' }))
    expect(new URLSearchParams(history.location.search).toString()).toBe('other=1&state=off&sort=-Email')
    await person.click((await menu()).getByText('管理檢視…'))
    expect(await screen.findByText('停用 · 依電子郵件倒序')).toBeTruthy()
  })
})

it('deactivates employees together after confirmation', async () => {
  const both = [employed('e1', '林美惠'), employed('e2', '陳志明')]
  server.use(
    answers(employee.operations.list, pageOf(both)),
    answers(employee.operations.update, employed('e1', '林美惠')),
  )
  const { person } = open(employees.List)
  await choose(person, '林美惠')
  await choose(person, '陳志明')
  await press(person, /停用/)
  await agree(person, '林美惠', '陳志明')
  await results('2 / 2，失敗 0')
  expect(sentTo(employee.operations.update)).toEqual([
    { EmployeeID: 'e1', Active: false },
    { EmployeeID: 'e2', Active: false },
  ])
})

it('checks out visitors who are inside, and reports others', async () => {
  const inside = visit('v1', '黃先生', Date.now() - 60_000)
  server.use(
    answers(visitor.operations.list, pageOf([inside, visit('v2', '李小姐', null)])),
    answers(accessControl.checkOutVisitor, inside),
  )
  const { person } = open(visitors.List)
  await choose(person, '黃先生')
  await choose(person, '李小姐')
  await press(person, /離\s*開/)
  await results('2 / 2，失敗 1')
  expect(screen.getByText(/訪客不在內/)).toBeTruthy()
  expect(sentTo(accessControl.checkOutVisitor)).toEqual([{ VisitorID: 'v1' }])
})

it('searches scanners, sorts them by the address, and deletes them together', async () => {
  server.use(
    answers(scanner.operations.list, [door('s1', '大門'), door('s2', '側門')]),
    answers(scanner.operations.remove, { ThingName: 's1' }),
  )
  const { person, history } = open(scanners.List, '/list?sort=-name')
  await screen.findByText('大門')
  const names = () => screen.getAllByRole('link', { name: /門$/ }).map(({ textContent }) => textContent)
  const descending = ['大門', '側門'].toSorted(new Intl.Collator('zh-TW').compare).toReversed()
  expect(names()).toEqual(descending)
  await person.type(screen.getByRole('searchbox'), '大')
  await waitFor(() => expect(history.location.search).toContain('q='))
  await waitFor(() => expect(names()).toEqual(['大門']))
  await choose(person, '大門')
  await press(person, /刪\s*除/)
  await agree(person, '大門')
  await results('1 / 1，失敗 0')
  expect(sentTo(scanner.operations.remove)).toEqual([{ ThingName: 's1' }])
})

it('keeps a meeting room with upcoming bookings in a bulk deletion', async () => {
  server.use(
    answers(conferenceRoom.operations.list, [room('r1', '大會議室')]),
    rejectCall(conferenceRoom.operations.remove, 'CONFLICT'),
  )
  const { person } = open(conferenceRooms.List)
  await choose(person, '大會議室')
  await press(person, /刪\s*除/)
  await agree(person, '大會議室')
  await results('1 / 1，失敗 1')
  expect(screen.getByText(/「大會議室」還有未來的預約/)).toBeTruthy()
  expect(sentTo(conferenceRoom.operations.remove)).toEqual([{ ConferenceRoomID: 'r1' }])
})

it('deletes a meeting room with upcoming bookings only after confirming their number', async () => {
  const booking: BookingWithDetails = {
    RecordID: 'b1',
    ConferenceRoomID: 'r1',
    StartTimestamp: 0,
    EndTimestamp: 60_000,
    Subject: '',
    Description: '',
    Host: '',
    Attendees: [],
    Private: true,
    SeriesID: null,
    Sequence: 0,
    BookedBy: null,
    BookedByEmail: '',
    CheckedInAt: null,
    ReleasedAt: null,
    Hidden: true,
  }
  server.use(
    answers(conferenceRoom.operations.list, [room('r1', '大會議室')]),
    rejectCall(conferenceRoom.operations.remove, 'CONFLICT'),
    answers(bookings.getByStartTimestamp, [booking, { ...booking, RecordID: 'b2' }]),
  )
  const { person } = open(conferenceRooms.List)
  await pressInRowMenu(person, '大會議室', '刪除「大會議室」')
  await person.click(await screen.findByRole('button', { name: /^刪\s*除$/ }))
  expect(await screen.findByText('接下來 62 天內有 2 個預約。')).toBeTruthy()
  server.use(answers(conferenceRoom.operations.remove, { ConferenceRoomID: 'r1' }))
  await person.click(screen.getByRole('button', { name: '取消預約並刪除' }))
  await waitFor(() =>
    expect(sentTo(conferenceRoom.operations.remove).at(-1)).toEqual({
      ConferenceRoomID: 'r1',
      CancelBookings: true,
    }),
  )
})

it('deletes departments together', async () => {
  server.use(answers(department.operations.remove, { DepartmentID: 'd1' }))
  const { person } = open(departmentPages.List)
  await choose(person, '廠務')
  await press(person, /刪\s*除/)
  await agree(person, '廠務')
  await results('1 / 1，失敗 0')
  expect(sentTo(department.operations.remove)).toEqual([{ DepartmentID: 'd1' }])
})

describe('employees of a scanner', () => {
  it('are assigned together, each with its result', async () => {
    const row = (EmployeeID: string, EmployeeName: string) => ({
      EmployeeID,
      EmployeeName,
      Department: null,
      Active: true,
      Assigned: false,
    })
    server.use(
      answers(scanner.operations.list, [door('s1', '大門')]),
      answers(accessControl.listScannerEmployee, pageOf([row('e1', '甲'), row('e2', '乙')])),
      answers(accessControl.assignScannerEmployee, { ThingName: 's1', Changed: 1 }),
    )
    const { person } = open(ScannerEmployees, '/list/s1')
    await choose(person, '甲')
    await choose(person, '乙')
    await press(person, /^(check-circle)?\s?指\s?派$/)
    await results('2 / 2，失敗 0')
    expect(sentTo(accessControl.assignScannerEmployee)).toEqual(
      ['e1', 'e2'].map((one) => ({ ThingName: 's1', EmployeeIDs: [one], Assigned: true })),
    )
  })
})
