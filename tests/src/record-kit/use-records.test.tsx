import { screen, waitFor } from '@testing-library/react'
import { useEffect } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { employee, type EmployeeRow } from '../../../contract/access-control/employee.ts'
import { showNoticesWith } from '../../../src/data/notices.ts'
import { t } from '../../../src/lib/i18n/i18n.ts'
import { cacheInvalidation } from '../../../src/data/api.ts'
import { rowsOfPages, type Records } from '../../../src/data/records.ts'
import { useRecords } from '../../../src/record-kit/use-records.ts'
import { answers, rejectCall, server } from '../../support/msw.ts'
import { prepareSession, sentTo } from '../support/page.tsx'
import { openRefinePages } from '../support/refine-pages.tsx'
const { list } = employee.operations
const person = (EmployeeID: string): EmployeeRow => ({
  EmployeeID,
  EmployeeName: EmployeeID,
  Email: `${EmployeeID}@company.example`,
  CardNumber: null,
  DepartmentID: null,
  Department: null,
  Active: true,
  PhotoUrl: null,
  Version: 1,
})
type Answer = { Rows: string[]; next?: string; Total?: number }

/** Sets the pages that the gateway returns, by cursor; '' is the first one. */
const pagesAre = (pages: Record<string, Answer>) =>
  server.use(
    answers(list, (asked) => {
      const { Cursor = '' } = asked as { Cursor?: string }
      const { Rows, next = null, Total = 9 } = pages[Cursor] as Answer
      return { Rows: Rows.map(person), NextCursor: next, Total }
    }),
  )

/** Receives the list's visible rows. */
const keeper: Pick<Records<EmployeeRow>, 'trimTo'> = {}

function Names() {
  const { rows, total, loadMore, trimTo } = useRecords('employee')
  useEffect(() => {
    keeper.trimTo = trimTo
  })
  return (
    <>
      <p>{rows ? `${rows.map(({ EmployeeID }) => EmployeeID).join(' ')} of ${total}` : 'loading'}</p>
      {loadMore && <button onClick={loadMore}>more</button>}
    </>
  )
}
const open = () => openRefinePages([{ path: '/', element: <Names /> }], '/').user

const told: string[] = []
beforeEach(() => {
  told.length = 0
  showNoticesWith(
    (notice) => told.push(notice.text()),
    () => '',
  )
  prepareSession()
})

it("shows a row that moved between two pages once, and the last page's total", async () => {
  pagesAre({ '': { Rows: ['a', 'b'], next: 'b' }, b: { Rows: ['b', 'c'], Total: 3 } })
  const user = open()
  await user.click(await screen.findByText('more'))
  expect(await screen.findByText('a b c of 3')).toBeTruthy()
  expect(screen.queryByText('more')).toBeNull()
})

it('skips empty pages, at most three', async () => {
  pagesAre({
    '': { Rows: [], next: '1' },
    '1': { Rows: [], next: '2' },
    '2': { Rows: [], next: '3' },
    '3': { Rows: [], next: '4' },
    '4': { Rows: ['z'] },
  })
  const user = open()
  await waitFor(() => expect(sentTo(list)).toHaveLength(4))
  await user.click(await screen.findByText('more'))
  expect(await screen.findByText('z of 9')).toBeTruthy()
})

it('restarts with a notice if a cursor has expired', async () => {
  pagesAre({ '': { Rows: ['a'], next: 'old' } })
  const user = open()
  await screen.findByText('a of 9')
  server.use(rejectCall(list, 'INVALID', { fields: { Cursor: 'invalid' } }))
  const more = await screen.findByText('more')
  await user.click(more)
  await waitFor(() => expect(told).toEqual([t('lists:page.again')]))
})

it('refetches up to the last visible row after a change', async () => {
  pagesAre({ '': { Rows: ['a', 'b'], next: 'b' }, b: { Rows: ['c', 'd'], next: 'd' }, d: { Rows: ['e'] } })
  const user = open()
  await user.click(await screen.findByText('more'))
  await screen.findByText('a b c d of 9')
  await user.click(await screen.findByText('more'))
  await screen.findByText('a b c d e of 9')
  keeper.trimTo?.(1)
  const before = sentTo(list).length
  await cacheInvalidation.invalidate([{ entity: 'employee', event: 'add', record: { EmployeeID: 'x' } }])
  expect(sentTo(list).length - before).toBe(1)
  expect(await screen.findByText('a b of 9')).toBeTruthy()
  await user.click(await screen.findByText('more'))
  await screen.findByText('a b c d of 9')
})

it('keeps the order of pages', () => {
  const pages = [['a', 'b'], ['b', 'c'], [], ['a', 'd']]
  expect(rowsOfPages(pages, (row) => row)).toEqual(['a', 'b', 'c', 'd'])
})
