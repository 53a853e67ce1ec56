import { QueryClientProvider } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { vi } from 'vitest'
import type {
  Capability,
  CapabilityName,
  CommandValues,
} from '../../contract/devices/capabilities/capability.ts'
import { capabilityOf } from '../../contract/devices/kinds/registry.ts'
import type { Me } from '../../contract/people/session-calls.ts'
import type { HomeWithRooms } from '../../contract/homes/home.ts'
import type { Peripheral } from '../../contract/devices/peripheral.ts'
import type { Face } from '../../src/domain/devices/control/face.ts'
import { queryClient } from '../../src/data/api.ts'
import { changeLanguage } from '../../src/lib/i18n/i18n.ts'
import { statuses } from '../../src/data/status-store.ts'
import { me } from '../../src/data/session.ts'
import { Asking } from './asking.tsx'
import { requests, owner, signInAs } from './msw.ts'
import { pagesAt } from './pages-at.tsx'

/** Signs in a person, in Traditional Chinese, before any call or event. */
export async function beginAs(person: Me = owner): Promise<void> {
  queryClient.clear()
  statuses.clear()
  requests.length = 0
  signInAs(person)
  me.set(person)
  await act(() => changeLanguage('zh-TW'))
}

/** Home with these rooms, keyed by RoomID. */
export const aHome = (
  HomeID: string,
  HomeName: string,
  rooms: Readonly<Record<number, string>>,
): HomeWithRooms => ({
  HomeID,
  HomeName,
  TimeZone: 'Asia/Taipei',
  ThreadNetworkKey: null,
  Latitude: null,
  Longitude: null,
  RoomList: Object.entries(rooms).map(([RoomID, RoomName]) => ({
    HomeID,
    RoomID: Number(RoomID),
    RoomName,
    PeripheralList: [],
    ThingNameList: [],
  })),
})

const inApp = (element: ReactElement) => (
  <QueryClientProvider client={queryClient}>
    <Asking>{element}</Asking>
  </QueryClientProvider>
)

/** Opens an address among pages, keyed by path. */
export function openPages(screens: Readonly<Record<string, ReactElement>>, address: string) {
  const { history, pages } = pagesAt(
    Object.entries(screens).map(([path, element]) => ({ path, element })),
    address,
  )
  render(inApp(pages))
  return { user: userEvent.setup(), history }
}

/** Capability of a type by name, for a test that knows that it exists. */
export function knownCapability(type: string, name: CapabilityName): Capability {
  const capability = capabilityOf(type, name)
  if (!capability) throw new RangeError(`${type} cannot do ${name}`)
  return capability
}

/** Props of the panel of a device; `may` is whether the user may control it. */
interface Told {
  status?: CommandValues | undefined
  pending?: CommandValues | undefined
  may?: boolean
}

/**
 * Renders the panel of a device's capability.
 *
 * returns  `send`, which receives requested commands, and `report`, which passes the device's next report to the panel
 */
export function drawFace(
  Shown: Face,
  device: Peripheral,
  capability: Capability,
  { status, pending, may = true }: Told = {},
) {
  const send = vi.fn<(values: CommandValues) => void>()
  const cardOf = (values?: CommandValues, requested?: CommandValues) =>
    inApp(
      <Shown
        device={device}
        capability={capability}
        status={values}
        send={may ? send : undefined}
        pending={requested}
      />,
    )
  const { container, rerender } = render(cardOf(status, pending))
  return {
    user: userEvent.setup(),
    container,
    send,
    report: (values: CommandValues, requested?: CommandValues) => rerender(cardOf(values, requested)),
  }
}
