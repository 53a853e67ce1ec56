import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { accessControl } from '../../../../contract/access-control/calls.ts'
import { visitor, type VisitorRow } from '../../../../contract/access-control/visitor.ts'
import { VisitorsToday } from '../../../../src/custom-views/access-control/visitors-today.tsx'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { answers, server } from '../../../support/msw.ts'
import { prepareSession } from '../../support/page.tsx'
import { openRefinePages } from '../../support/refine-pages.tsx'

const MINUTE = 60_000
const NOON = Date.parse('2026-03-05T12:00:00+08:00')
const guest = (overrides: Partial<VisitorRow>): VisitorRow => ({
  VisitorID: 'v1',
  VisitorName: '周大為',
  Company: '宏達機電',
  Email: 'guest@example.com',
  Phone: '0911222333',
  Ext: '',
  HostEmployeeID: null,
  HostName: null,
  Purpose: '',
  ValidFrom: NOON,
  ValidUntil: NOON + 90 * MINUTE,
  CheckedInAt: null,
  AwayAt: null,
  CheckedOutAt: null,
  RevokedAt: null,
  AnonymisedAt: null,
  Version: 1,
  ...overrides,
})

beforeEach(async () => {
  vi.useFakeTimers({ now: NOON, toFake: ['Date'] })
  prepareSession()
  await loadNamespaces(['access'])
})

afterEach(() => void vi.useRealTimers())

it("shows the times of today's visits without a date, and visitors whose names were deleted", async () => {
  const rows = [guest({}), guest({ VisitorID: 'v2', VisitorName: '', AnonymisedAt: NOON })]
  server.use(answers(visitor.operations.list, { Rows: rows, NextCursor: null, Total: 2 }))
  openRefinePages([{ path: '/', element: <VisitorsToday From={NOON} Until={NOON + 60 * MINUTE} /> }], '/')
  expect(await screen.findByText('周大為')).toBeTruthy()
  expect(screen.getAllByText(/^\d\d:\d\d – \d\d:\d\d$/)).toHaveLength(2)
  expect(screen.getByText('（已去識別化）')).toBeTruthy()
})

it('does not check a visitor out by a second tap on the button', async () => {
  server.use(
    answers(visitor.operations.list, { Rows: [guest({})], NextCursor: null, Total: 1 }),
    answers(accessControl.checkInVisitor, guest({ CheckedInAt: NOON })),
  )
  const { user } = openRefinePages([{ path: '/', element: <VisitorsToday From={NOON} Until={NOON} /> }], '/')
  const checkIn = await screen.findByRole('button', { name: /報\s*到/ })
  server.use(
    answers(visitor.operations.list, { Rows: [guest({ CheckedInAt: NOON })], NextCursor: null, Total: 1 }),
  )
  await user.click(checkIn)
  expect(await screen.findByRole('button', { name: /離\s*開/ })).toHaveProperty('disabled', true)
})
