import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { FEATURES, OPERATIONS, type Permission } from '../../../../../contract/kernel/permissions.ts'
import { loadNamespaces } from '../../../../../src/lib/i18n/i18n.ts'
import { PermissionCards } from '../../../../../src/resources/user/rights/permission-matrix.tsx'
import { grantsOf } from '../../../../../src/resources/user/rights/permission-matrix-rules.ts'

const changed = vi.fn<(next: readonly Permission[]) => void>()
function Rights() {
  const [value, setValue] = useState<readonly Permission[]>([
    { FeatureKey: 'room', OperationList: ['Read', 'Update'] },
  ])
  return (
    <PermissionCards
      value={value}
      onChange={(next) => {
        changed(next)
        setValue(next)
      }}
      allowed={grantsOf([{ FeatureKey: 'room', OperationList: [...OPERATIONS] }])}
    />
  )
}
beforeEach(async () => {
  await loadNamespaces(['people'])
  render(<Rights />)
})

it('shows the granted operations of each feature in a line, collapsed by default', () => {
  expect(screen.getAllByRole('listitem')).toHaveLength(FEATURES.length + 1)
  expect(screen.getByRole('button', { name: /^房間/ }).textContent).toContain('檢視、修改')
  expect(screen.getAllByRole('checkbox')).toHaveLength(FEATURES.length + 1)
})

it('expands to the operations in order, and switches each', () => {
  fireEvent.click(screen.getByRole('button', { name: /^房間/ }))
  const names = screen
    .getAllByRole('checkbox')
    .map((each) => each.getAttribute('aria-label'))
    .filter((name) => name?.startsWith('房間：') && name !== '房間：全部權限')
  expect(names).toHaveLength(OPERATIONS.length)
  expect(names.slice(0, 3)).toEqual(['房間：檢視', '房間：新增', '房間：修改'])
  fireEvent.click(screen.getByRole('checkbox', { name: '房間：刪除' }))
  expect(changed).toHaveBeenLastCalledWith([
    { FeatureKey: 'room', OperationList: ['Read', 'Update', 'Delete'] },
  ])
  fireEvent.click(screen.getByRole('checkbox', { name: '房間：全部權限' }))
  expect(screen.getByRole('button', { name: /^房間/ }).textContent).toContain('全部權限')
})

it('locks rights that the current user does not have', () => {
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: '使用者：全部權限' }).disabled).toBe(true)
})
