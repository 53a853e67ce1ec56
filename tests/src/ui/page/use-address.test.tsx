import { act, renderHook } from '@testing-library/react'
import { UNSAFE_createMemoryHistory } from 'react-router'
import { expect, it } from 'vitest'
import { guardedHistory } from '../../../../src/lib/guarded-history.ts'
import { FollowHistory } from '../../../../src/ui/page/page-history.tsx'
import { useAddress } from '../../../../src/ui/page/use-address.ts'

it('keeps a filter if another one changes before the page is rendered with the first', async () => {
  const history = guardedHistory(UNSAFE_createMemoryHistory({ initialEntries: ['/?room=3'], v5Compat: true }))
  const { result } = renderHook(useAddress, {
    wrapper: ({ children }) => <FollowHistory history={history}>{children}</FollowHistory>,
  })
  await act(async () => {
    result.current.change({ state: 'on' })
    result.current.change({ q: '燈' })
  })
  const { get } = result.current
  expect([get('room'), get('state'), get('q')]).toEqual(['3', 'on', '燈'])
})
