import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import type { HomeWithRooms } from '../../../../../contract/homes/home.ts'
import { queryClient } from '../../../../../src/data/api.ts'
import { Asking } from '../../../../support/asking.tsx'
import { pagesAt } from '../../../../support/pages-at.tsx'

export const office: HomeWithRooms = {
  HomeID: 'h1',
  HomeName: '總部',
  TimeZone: 'Asia/Taipei',
  ThreadNetworkKey: null,
  Latitude: null,
  Longitude: null,
  RoomList: [],
}

/** Data of a single site without content. */
export const NOTHING = { homes: [office] }

/** Button by its whole name, after that of its icon; antd separates two characters. */
export const named = (name: string) => new RegExp(`^(?:[a-z-]+\\s*)?${[...name].join('\\s?')}$`)

/** Renders a part of the dashboard page. */
export function draw(part: ReactNode, address = '/Dashboard') {
  const { history, pages } = pagesAt([{ path: '*', element: <Asking>{part}</Asking> }], address)
  render(<QueryClientProvider client={queryClient}>{pages}</QueryClientProvider>)
  return { user: userEvent.setup(), history }
}
