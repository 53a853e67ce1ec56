import type { HomeWithRooms } from '../../../contract/resources/home.ts'
import { pathTo, type PathName } from '../../paths.ts'

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

const PAGES: Readonly<Record<TourStep, { page: PathName; search?: string; target: string }>> = {
  needs: { page: 'Home', target: 'main h1' },
  lost: { page: 'DeviceList', search: 'state=offline', target: 'main fieldset' },
  demand: { page: 'Tariff', search: 'tab=demand', target: 'main [role="tablist"]' },
  room: { page: 'RoomDevice', target: 'main [data-row-key], main h1' },
  month: {
    page: 'Electricity',
    search: 'range=lastMonth&by=room&measure=cost',
    target: 'main [role="group"]',
  },
  search: { page: 'Home', target: '.search-button' },
}

/** Where a step is: its address, and what on it is pointed at. Undefined where there is no site to show it at. */
export function placeOf(
  step: TourStep,
  homes: readonly HomeWithRooms[],
): { to: string; target: string } | undefined {
  const { page, search, target } = PAGES[step]
  const home = homes.find(({ HomeName }) => HomeName === SITES[step]) ?? homes[0]
  if (!home) return undefined
  const [, room = home.RoomList[0]] = home.RoomList
  const path = pathTo(page, { HomeID: home.HomeID, RoomID: room?.RoomID ?? 0 })
  return { to: search ? `${path}?${search}` : path, target }
}
