import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { pathTo, type PathName } from '../../navigation/paths.ts'

/** What the tour shows, in its order. */
export const TOUR_STEPS = ['needs', 'lost', 'demand', 'room', 'month', 'search'] as const
export type TourStep = (typeof TOUR_STEPS)[number]

/** The sites of the demo that the story is about; another company has its first one for each. */
const SITES: Readonly<Partial<Record<TourStep, string>>> = {
  lost: '台南物流中心',
  demand: '內湖總部',
  room: '內湖總部',
  month: '內湖總部',
}

/** Where each step is. What it points at is marked by `data-tour` on its page, or is what every page of the kind has. */
const PAGES: Readonly<Record<TourStep, { page: PathName; search?: string; target: string }>> = {
  needs: { page: 'Home', target: '[data-tour="needs"]' },
  lost: { page: 'DeviceList', search: 'state=offline', target: 'main [data-row-key]' },
  demand: { page: 'Tariff', search: 'tab=demand', target: '[data-tour="demand"]' },
  room: { page: 'Building', target: '[data-tour="room"]' },
  month: {
    page: 'Electricity',
    search: 'range=lastMonth&by=room&measure=cost',
    target: '[data-tour="month"]',
  },
  search: { page: 'Home', target: '.search-button' },
}

export interface TourPlace {
  path: string
  /** With its `?`, or empty. */
  search: string
  /** A selector of what on the page is pointed at. */
  target: string
}

/** Where a step is. Undefined where there is no site to show it at. */
export function tourTargetOf(step: TourStep, homes: readonly HomeWithRooms[]): TourPlace | undefined {
  const { page, search, target } = PAGES[step]
  const home = homes.find(({ HomeName }) => HomeName === SITES[step]) ?? homes[0]
  if (!home) return undefined
  const [, room = home.RoomList[0]] = home.RoomList
  const asked = step === 'room' ? `room=${room?.RoomID ?? 0}` : search
  return { path: pathTo(page, { HomeID: home.HomeID }), search: asked ? `?${asked}` : '', target }
}
