import { QueryClientProvider } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { type RouteObject } from 'react-router'
import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { queryClient } from '../../../src/data/api.ts'
import { me } from '../../../src/data/session.ts'
import { Asking } from '../../support/asking.tsx'
import { heard, owner, signInAs } from '../../support/msw.ts'
import { pagesAt } from '../../support/pages-at.tsx'

export const ZONE = 'Asia/Taipei'

/** The home `h1`, without rooms unless a test gives it some. */
export const aHome = (more: Partial<HomeWithRooms> = {}): HomeWithRooms => ({
  HomeID: 'h1',
  HomeName: '總部',
  TimeZone: ZONE,
  ThreadNetworkKey: null,
  Latitude: null,
  Longitude: null,
  RoomList: [],
  ...more,
})

/** Somebody has just come: signed in, nothing asked for yet. */
export function arrive(person = owner): void {
  queryClient.clear()
  heard.length = 0
  signInAs(person)
  me.set(person)
}

/** Opens a page by itself, with what every page stands in; `path` is its route, `address` where somebody is. */
export const openPage = (element: ReactElement, path: string, address: string) =>
  openPages([{ path, element }], address)

/** The same with the pages that one can go on to. */
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
    /** The address behind its path, e.g. `?range=today`. */
    address: () => history.location.search,
    back: () => act(() => history.go(-1)),
    /** Goes on to an address of the same page, as its own links do. */
    go: (to: string) => act(() => history.push(to)),
  }
}

/** What was sent to a call, in its order. */
export const sentTo = ({ path }: { path: string }): unknown[] =>
  heard.filter((one) => one.path === path).map(({ body }) => body)
