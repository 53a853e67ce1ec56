import type { ComponentType } from 'react'
import type { FirstCall } from './data/prefetch-calls.ts'
import type { ScreenFetches } from './data/prefetch.ts'
import { ENERGY_NAMESPACES } from './lib/i18n/namespaces.ts'
import type { Namespace } from './lib/i18n/words.ts'

/** A screen that users often open by its address. */
export interface DirectEntryRoute {
  address: RegExp
  load: () => Promise<{ default: ComponentType }>
  /** Translation namespaces in addition to those of every screen. */
  words: readonly Namespace[]
  /** First calls of the screen, for the home in the address if that names one. */
  asks?: (HomeID: string) => readonly FirstCall[]
  /** Sends the calls that depend on their answers. */
  askNext?: () => Promise<{ askNext: () => Promise<void> }>
  /** Fetches that cache the answers before the screen renders; the start flow fetches the devices of a home. */
  fetches?: () => Promise<{ fetches: ScreenFetches }>
}

/** Screens that load in parallel with the application instead of after it. */
export const directEntryRoutes = {
  dashboard: {
    address: /^\/((home|dashboard)\/?)?$/i,
    load: () => import('./custom-views/dashboard/dashboard.tsx'),
    words: [],
  },
  deviceList: {
    address: /^\/(DeviceList|DeviceCategory|RoomDevice)\//i,
    load: () => import('./custom-views/device-list/device-list-page.tsx'),
    words: [],
    asks: (HomeID) => [['/GetAllDeviceWithPeripheral', { HomeID }]],
  },
  electricity: {
    address: /^\/electricity\//i,
    load: () => import('./custom-views/electricity/electricity-page.tsx'),
    words: ENERGY_NAMESPACES,
    asks: (HomeID) => [['/GetAllMeterData', { HomeID }]],
    askNext: () => import('./custom-views/electricity/prefetch.ts'),
    fetches: () => import('./custom-views/electricity/prefetch.ts'),
  },
  building: {
    address: /^\/Building\//i,
    load: () => import('./custom-views/building/building-page.tsx'),
    words: ['automation', 'bookings', 'building'],
    asks: (HomeID) => [['/ListFloor', { HomeID }]],
    fetches: () => import('./domain/floor/use-floors.ts'),
  },
  bookings: {
    address: /^\/ConferenceRoomBooking\/?$/i,
    load: () => import('./custom-views/bookings/booking-page.tsx'),
    words: ['bookings'],
    asks: () => [['/ListConferenceRoom', {}]],
    askNext: () => import('./domain/booking/prefetch.ts'),
    fetches: () => import('./domain/booking/prefetch.ts'),
  },
} as const satisfies Record<string, DirectEntryRoute>

const all: readonly DirectEntryRoute[] = Object.values(directEntryRoutes)

/** The direct-entry screen of an address, if there is one. */
export const directEntryRouteOf = (pathname: string): DirectEntryRoute | undefined =>
  all.find(({ address }) => address.test(pathname))
