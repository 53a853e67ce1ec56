import { Blob as NodeBlob } from 'node:buffer'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import * as XLSX from 'xlsx'
import { home } from '../../../contract/homes/home.ts'
import { employee, type EmployeeRow } from '../../../contract/access-control/employee.ts'
import { call, queryClient } from '../../../src/data/api.ts'
import { loadNamespaces, t } from '../../../src/lib/i18n/i18n.ts'
import { forcedSignOut } from '../../../src/live/session.ts'
import { showNoticesWith } from '../../../src/data/notices.ts'
import { me } from '../../../src/data/session.ts'
import { ListExport } from '../../../src/record-kit/export/list-export.tsx'
import { answers, requests, owner, rejectCall, server, signInAs, subUser } from '../../support/msw.ts'
const { list } = employee.operations
const person = (at: number): EmployeeRow => ({
  EmployeeID: `e${at}`,
  EmployeeName: at === 0 ? '=王小明' : `員工 ${at}`,
  Email: `e${at}@example.com`,
  CardNumber: null,
  DepartmentID: null,
  Department: '研發部',
  Active: at % 2 === 0,
  PhotoUrl: null,
  Version: 1,
})
const filter = { Search: '工', Sort: 'Email', Descending: true } as const

let saved: { name: string; bytes: Promise<ArrayBuffer> }[] = []
const notices: string[] = []
function open(total = 3) {
  render(
    <QueryClientProvider client={queryClient}>
      <ListExport<EmployeeRow>
        name={t('shell:pages.EmployeeManagement')}
        right={{ feature: 'access_control_employee', operation: 'Export' }}
        total={total}
        rows={(Cursor, signal) =>
          call(list, { ...filter, Limit: 500, ...(Cursor && { Cursor }) }, { signal })
        }
        columns={[
          { title: t('access:fields.EmployeeName'), of: (row) => row.EmployeeName },
          { title: t('access:fields.Email'), of: (row) => row.Email },
          { title: t('access:fields.DepartmentID'), of: (row) => row.Department },
          { title: t('access:fields.CardNumber'), of: (row) => row.CardNumber },
          {
            title: t('access:fields.State'),
            of: (row) => t(row.Active ? 'access:employee.active' : 'access:employee.inactive'),
          },
        ]}
      />
    </QueryClientProvider>,
  )
  return userEvent.setup()
}
const asked = () => requests.filter(({ path }) => path === list.path).map(({ body }) => body)
const button = () => screen.findByRole('button', { name: /匯\s?出$/ })
const choose = async (user: ReturnType<typeof userEvent.setup>, format: RegExp) => {
  await user.click(await button())
  await user.click(await screen.findByRole('menuitem', { name: format }))
}

beforeAll(() => loadNamespaces(['access', 'lists', 'shell', 'errors']))
beforeEach(() => {
  requests.length = 0
  notices.length = 0
  saved = []
  signInAs(owner)
  me.set(owner)
  showNoticesWith(
    ({ kind, text }) => notices.push(`${kind}: ${text()}`),
    () => '',
  )
  vi.stubGlobal('Blob', NodeBlob)
  let last: Blob
  URL.createObjectURL = (blob) => {
    last = blob as Blob
    return 'blob:x'
  }
  URL.revokeObjectURL = () => {}
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, bytes: last.arrayBuffer() })
  })
  queryClient.clear()
  server.use(
    answers(home.operations.list, []),
    answers(list, (body) => {
      const { Cursor } = body as { Cursor?: string }
      return Cursor === undefined
        ? { Rows: [person(0), person(1)], NextCursor: 'more', Total: 3 }
        : { Rows: [person(2)], NextCursor: null, Total: 3 }
    }),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('a list export', () => {
  it('is a CSV of every page, filtered and sorted as shown, with formulas escaped', async () => {
    const user = open()
    await choose(user, /^CSV$/)
    await waitFor(() => expect(notices).toEqual(['success: 已匯出「員工管理」共 3 筆']))
    expect(asked()).toEqual([
      { ...filter, Limit: 500 },
      { ...filter, Limit: 500, Cursor: 'more' },
    ])
    expect(saved[0]?.name).toMatch(/^員工管理 \d{4}-\d\d-\d\d\.csv$/)
    const lines = Buffer.from((await saved[0]?.bytes) as ArrayBuffer)
      .toString()
      .trim()
      .split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[1]).toMatch(/^'=王小明,e0@example\.com,研發部,,/)
  })

  it('is a workbook of the same', async () => {
    const user = open()
    await choose(user, /XLSX/)
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]?.name).toMatch(/\.xlsx$/)
    const book = XLSX.read(Buffer.from((await saved[0]?.bytes) as ArrayBuffer))
    const rows = XLSX.utils.sheet_to_json<string[]>(book.Sheets[book.SheetNames[0] as string] as never, {
      header: 1,
    })
    expect(rows.slice(1).map(([name]) => name)).toEqual(['=王小明', '員工 1', '員工 2'])
  })

  it('shows progress, and stops on a click without a file', async () => {
    let ask = () => {}
    const askedAgain = new Promise<void>((resolve) => (ask = resolve))
    server.use(
      http.post(`*${list.path}`, async ({ request }) => {
        const { Cursor } = (await request.json()) as { Cursor?: string }
        if (Cursor === undefined)
          return HttpResponse.json({
            status: { code: 0 },
            results: { Rows: [person(0), person(1)], NextCursor: 'more', Total: 20_000 },
          })
        ask()
        return new Promise<never>(() => {})
      }),
    )
    const user = open(20_000)
    await choose(user, /^CSV$/)
    await askedAgain
    await user.click(await screen.findByRole('button', { name: '停止匯出（2 / 20,000）' }))
    expect(await button()).toBeTruthy()
    expect(saved).toEqual([])
    expect(notices).toEqual([])
  })

  describe('in progress', () => {
    async function begin() {
      let ask = () => {}
      const asked = new Promise<void>((resolve) => (ask = resolve))
      server.use(
        http.post(`*${list.path}`, () => {
          ask()
          return new Promise<never>(() => {})
        }),
      )
      const user = open()
      await choose(user, /^CSV$/)
      await asked
      await screen.findByRole('button', { name: /停止匯出/ })
      return user
    }
    const closes = () => {
      const closing = new Event('beforeunload', { cancelable: true })
      dispatchEvent(closing)
      return closing.defaultPrevented ? 'asks' : 'closes'
    }

    it('asks for confirmation before the tab is closed', async () => {
      expect(closes()).toBe('closes')
      const user = await begin()
      expect(closes()).toBe('asks')
      await user.click(screen.getByRole('button', { name: /停止匯出/ }))
      expect(closes()).toBe('closes')
    })

    it('ends with its page, and says so', async () => {
      await begin()
      cleanup()
      expect(notices).toEqual(['info: 已停止匯出「員工管理」，沒有產生檔案。'])
      expect(saved).toEqual([])
    })

    it('ends when rights change', async () => {
      await begin()
      act(() => forcedSignOut.set('permissionsChanged'))
      expect(screen.queryByRole('button', { name: /停止匯出/ })).toBeNull()
      act(() => forcedSignOut.set(undefined))
      expect(saved).toEqual([])
    })
  })

  it('shows why it failed, and can be retried', async () => {
    server.use(rejectCall(list, 'INTERNAL'))
    const user = open()
    await choose(user, /^CSV$/)
    await waitFor(() => expect(notices).toHaveLength(1))
    expect(notices[0]).toMatch(/^error: /)
    expect(saved).toEqual([])
    expect(await button()).toBeTruthy()
  })

  it('is disabled without the right, and names it', async () => {
    me.set(subUser([{ FeatureKey: 'access_control_employee', OperationList: ['Read'] }]))
    const user = open()
    const denied = await button()
    expect(denied.getAttribute('aria-disabled')).toBe('true')
    await user.click(denied)
    expect((await screen.findByRole('tooltip')).textContent).toMatch(/匯出/)
    expect(asked()).toEqual([])
  })
})
