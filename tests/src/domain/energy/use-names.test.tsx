import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { VIRTUAL_PREFIX } from '../../../../contract/meters/virtual-meter.ts'
import { queryClient } from '../../../../src/data/api.ts'
import { homesQuery } from '../../../../src/data/homes.ts'
import { useSeriesNames } from '../../../../src/domain/energy/use-names.ts'
import { loadNamespaces, t } from '../../../../src/lib/i18n/i18n.ts'
import { aHome, prepareSession } from '../../support/page.tsx'

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
)
type Input = Parameters<typeof useSeriesNames>
const namesBy = (grouping: Input[1], meters: Input[2], endedRooms: Input[3]) =>
  renderHook(() => useSeriesNames('h1', grouping, meters, endedRooms), { wrapper }).result.current

beforeEach(async () => {
  prepareSession()
  await loadNamespaces(['energy'])
  queryClient.setQueryData(homesQuery.queryKey, [aHome()])
})

it('calls a meter or a room removed only after its list has loaded', () => {
  const virtualId = `${VIRTUAL_PREFIX}1`
  const none = new Map<string, never>()
  expect(namesBy('meter', undefined, []).nameOf('m1')).toBe('m1')
  expect(namesBy('home', undefined, []).nameOf(virtualId)).toBe(virtualId)
  expect(namesBy('room', none, undefined).nameOf('7')).toBe('7')
  expect(namesBy('meter', none, []).nameOf('m1')).toBe(t('energy:meterGone', { id: 'm1' }))
  expect(namesBy('room', none, []).nameOf('7')).toBe(t('energy:roomGone', { id: '7' }))
})
