import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import type { AuditRow } from '../../../../contract/people/audit-calls.ts'
import { home } from '../../../../contract/homes/home.ts'
import { Changes } from '../../../../src/custom-views/audit/audit-page.tsx'
import { queryClient } from '../../../../src/data/api.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { answers, owner, server, signInAs } from '../../../support/msw.ts'

beforeEach(async () => {
  await loadNamespaces(['audit', 'access'])
  queryClient.clear()
  signInAs(owner)
  server.use(answers(home.operations.list, []))
})
const person = {
  Email: 'ming@company.example',
  enabled: true,
  DepartmentID: null,
  Permissions: [],
  Version: 1,
}
const row = {
  AuditID: 1,
  At: Date.UTC(2026, 10, 22, 1),
  ByName: '示範擁有者',
  Ip: '127.0.0.1',
  RequestId: 'r1',
  Path: '/UpdateUserInfo',
  Before: person,
  After: {
    ...person,
    enabled: false,
    Permissions: [{ FeatureKey: 'room', OperationList: ['Read', 'Update'] }],
    Version: 2,
  },
  Input: {},
} as unknown as AuditRow

it('shows changes in the words of the screens and keeps identifiers of programs', () => {
  render(
    <QueryClientProvider client={queryClient}>
      <Changes row={row} />
    </QueryClientProvider>,
  )
  const lines = screen.getAllByRole('row').map((line) => line.textContent)
  expect(lines[1]).toBe('啟用enabled是否')
  expect(lines[2]).toBe('權限Permissions–房間：檢視、修改')
  expect(lines[4]).toBe('部門DepartmentID––')
  expect(lines.join()).not.toContain('Version')
})
