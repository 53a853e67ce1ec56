import { QueryClientProvider } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { type RouteObject } from 'react-router'
import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { queryClient } from '../../../src/data/api.ts'
import { me } from '../../../src/data/session.ts'
import { Asking } from '../../support/asking.tsx'
import { requests, owner, signInAs } from '../../support/msw.ts'
import { pagesAt } from '../../support/pages-at.tsx'

export const ZONE = 'Asia/Taipei'

/** Home `h1`, without rooms by default. */
export const aHome = (overrides: Partial<HomeWithRooms> = {}): HomeWithRooms => ({
  HomeID: 'h1',
  HomeName: '總部',
  TimeZone: ZONE,
  ThreadNetworkKey: null,
  Latitude: null,
  Longitude: null,
  RoomList: [],
  ...overrides,
})

/** Signs in a person, before any call. */
export function prepareSession(person = owner): void {
  queryClient.clear()
  requests.length = 0
  signInAs(person)
  me.set(person)
}

/** Opens a page alone with the providers that every page needs; `path` is its route, `address` the current location. */
export const openPage = (element: ReactElement, path: string, address: string) =>
  openPages([{ path, element }], address)

/** The same with further pages to navigate to. */
export function openPages(routes: RouteObject[], address: string) {
  const { history, pages } = pagesAt(routes, address)
  render(
    <QueryClientProvider client={queryClient}>
      <Asking>{pages}</Asking>
    </QueryClientProvider>,
  )
  return {
    user: userEvent.setup(),
    path: () => history.location.pathname,
    /** Search part of the address, e.g. `?range=today`. */
    address: () => history.location.search,
    back: () => act(() => history.go(-1)),
    /** Navigates to another address of the same page, as its own links do. */
    go: (to: string) => act(() => history.push(to)),
  }
}

/** Inputs sent to a call, in order. */
export function sentTo(endpoint: string | { path: string }): unknown[] {
  const path = typeof endpoint === 'string' ? endpoint : endpoint.path
  return requests.filter((request) => request.path === path).map(({ body }) => body)
}
