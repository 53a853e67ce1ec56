import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import { queryClient } from '../../../../src/data/api.ts'
import { homesQuery } from '../../../../src/data/homes.ts'
import { useMeetingRoomWords } from '../../../../src/domain/booking/use-meeting-room-words.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { aConferenceRoom } from '../../../support/a-conference-room.ts'
import { aHome } from '../../support/page.tsx'

const room = (HomeID: string) => aConferenceRoom({ HomeID, ConferenceRoomName: '大會議室', Capacity: 12 })
const [first, second] = [room('h1'), room('h2')]

const words = (...rooms: (typeof first)[]) =>
  renderHook(() => useMeetingRoomWords(rooms), {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  }).result.current

beforeAll(async () => {
  await loadNamespaces(['bookings'])
  queryClient.setQueryData(homesQuery.queryKey, [aHome({ HomeID: 'h1', HomeName: '內湖總部' })])
})

it('names the site of a room if there are several', () => {
  const { siteOf, optionOf } = words(first, second)
  expect(optionOf(first)).toBe('大會議室（內湖總部，12 人）')
  // A site that the user may not see has no name.
  expect(siteOf(second)).toBeUndefined()
  expect(optionOf(second)).toBe('大會議室（12 人）')
})

it('does not name the only site', () => {
  expect(words(first).optionOf(first)).toBe('大會議室（12 人）')
})
