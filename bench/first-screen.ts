import { resolve } from 'node:path'
import { conferenceRoom } from '../contract/bookings/conference-room.ts'
import { pathTo, type PathName } from '../src/navigation/paths.ts'
import { openBrowser, signIn } from './support/browser.ts'
import { makeDevices, makeHome, portions, signUpOwner } from './support/company.ts'
import { serveFloor } from './support/floor-server.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import { traceMainThread, type MainThread } from './support/main-thread.ts'
import type { Figure, Options } from './support/measurement.ts'
import { loadSlowly, type PageLoad } from './support/page-load.ts'
import { median } from './support/statistics.ts'

export const name = 'first-screen'
export const bar =
  'JavaScript until sign-in can be used at most 100 KB gzip, until the first signed-in screen 300 KB; ' +
  'their time on a slow line and CPU at most 1.5 x and 2.9 x a page of React alone, ' +
  'and 2.9 x for the device list, electricity, building and bookings opened by their address; blocking time by CPU, four times slower, ' +
  'at most 2,100 ms after the first paint of the dashboard and 2,300 ms from its navigation, or 1.15 x that of the build in FIRST_SCREEN_BASE'

const SIGN_IN = 'input[type=email]'
/** The first card of the dashboard with its figures: the last part of the first screen. */
const FIRST_CARD = 'main article[aria-busy=false]'

/** Screens that users open by their address, and the element that shows that each can be used. */
const OPENED: readonly (readonly [PathName, string])[] = [
  ['DeviceList', 'main [data-row-key]'],
  ['Electricity', 'main section[aria-busy=false] button[aria-pressed]'],
  ['Building', 'main li > button[data-state]'],
  ['ConferenceRoomBooking', 'main [data-track]'],
]

/** Folder of another build of the page to compare with in the same run; a relative path is below the current directory. */
const BASE = process.env['FIRST_SCREEN_BASE'] && resolve(process.env['FIRST_SCREEN_BASE'])

/** A gateway with a company of one site, and the browser storage of its signed-in owner. */
async function startCompany(env: Readonly<Record<string, string>> = {}) {
  const gateway = await startGateway(await temporaryDirectory(), undefined, env)
  const owner = await signUpOwner(gateway.url)
  const types = ['514', '534', '528', '516']
  const { HomeID } = await makeHome(gateway, owner, '總部', portions(makeDevices('device', 40, types), 20))
  await owner.call(conferenceRoom.operations.create, { ConferenceRoomName: 'A', Capacity: 8 })
  const browser = await openBrowser()
  const session = await signIn(browser, gateway.url)
  await browser.close()
  return { gateway, session, HomeID }
}

/** Loads pages in turn, each in a new browser with an empty cache: React alone, sign-in, the dashboard, and screens by their address. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt({ web: true })
  const { gateway, session, HomeID } = await startCompany()
  const base = BASE ? await startCompany({ WEB_DIR: BASE }) : undefined
  const floor = await serveFloor()

  const floors: PageLoad[] = []
  const signIns: PageLoad[] = []
  const screens: PageLoad[] = []
  const opened = OPENED.map((): PageLoad[] => [])
  const threads: MainThread[] = []
  const baseThreads: MainThread[] = []
  for (let run = 0; run < (quick ? 3 : 9); run++) {
    floors.push(await loadSlowly(floor, SIGN_IN))
    signIns.push(await loadSlowly(gateway.url, SIGN_IN))
    screens.push(await loadSlowly(gateway.url, FIRST_CARD, session))
    threads.push(await traceMainThread(gateway.url, session))
    if (base) baseThreads.push(await traceMainThread(base.gateway.url, base.session))
    for (const [i, [screen, usable]] of OPENED.entries())
      opened[i]?.push(await loadSlowly(gateway.url + pathTo(screen, { HomeID }), usable, session))
  }
  const middle = (loads: PageLoad[], of: keyof PageLoad) => median(loads.map((load) => load[of]))
  const size = (what: string, loads: PageLoad[], max: number): Figure => ({
    what: `JavaScript over the wire until ${what}`,
    value: middle(loads, 'scriptBytes') / 1024,
    unit: 'KB',
    reference: { what: 'React alone', value: middle(floors, 'scriptBytes') / 1024 },
    bar: { of: 'value', max },
    note: `${middle(loads, 'requests')} requests`,
  })
  const time = (what: string, loads: PageLoad[], max: number): Figure => ({
    what: `${what}, slow profile`,
    value: middle(loads, 'ms'),
    unit: 'ms',
    reference: { what: 'React alone', value: middle(floors, 'ms') },
    bar: { of: 'ratio', max },
    note: `${middle(loads, 'requests')} requests`,
  })
  const blocking = (what: string, of: keyof MainThread, max: number): Figure => ({
    what: `${what} of the dashboard, CPU four times slower`,
    value: median(threads.map((one) => one[of])),
    unit: 'ms',
    ...(base
      ? {
          reference: { what: 'base build', value: median(baseThreads.map((one) => one[of])) },
          bar: { of: 'ratio', max: 1.15 },
        }
      : { bar: { of: 'value', max } }),
  })
  return [
    blocking('blocking time after first paint', 'tbtMs', 2_100),
    blocking('blocking time from navigation', 'blockMs', 2_300),
    size('sign-in can be used', signIns, 100),
    size('the first signed-in screen can be used', screens, 300),
    time('sign-in usable', signIns, 1.5),
    time('first signed-in screen usable', screens, 2.9),
    ...OPENED.map(([screen], i) => time(`${screen} opened by its address usable`, opened[i] ?? [], 2.9)),
  ]
}
