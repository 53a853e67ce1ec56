import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { bookings } from '../../contract/bookings/calls.ts'
import { conferenceRoom } from '../../contract/bookings/conference-room.ts'
import { employee } from '../../contract/access-control/employee.ts'
import { scanner } from '../../contract/access-control/scanner.ts'
import { user } from '../../contract/people/user.ts'
import { visitor } from '../../contract/access-control/visitor.ts'
import { pathTo, paths, type PathName } from '../../src/navigation/paths.ts'
import { LANGUAGE_KEY } from '../../src/lib/i18n/i18n.ts'
import { openBrowser, openPage, signIn } from '../support/browser.ts'
import { makeDevices, makeHome, type Owner, portions, signUpOwner } from '../support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from '../support/gateway.ts'
import type { Figure, Options } from '../support/measurement.ts'

export const name = 'accessibility'
export const bar = 'axe on every screen: no critical or serious finding'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
/** Every theme with every language and width; neighbors differ in all three. */
const LOOKS = [
  { viewport: DESK, colorScheme: 'light', language: 'zh-TW' },
  { viewport: PHONE, colorScheme: 'dark', language: 'en-US' },
  { viewport: DESK, colorScheme: 'dark', language: 'zh-TW' },
  { viewport: PHONE, colorScheme: 'light', language: 'en-US' },
  { viewport: DESK, colorScheme: 'light', language: 'en-US' },
  { viewport: PHONE, colorScheme: 'dark', language: 'zh-TW' },
  { viewport: DESK, colorScheme: 'dark', language: 'en-US' },
  { viewport: PHONE, colorScheme: 'light', language: 'zh-TW' },
] as const
const OPENED_WITHIN = 30_000
/** Delay in ms after the title, for data, lazy parts and transitions. */
const SETTLE = 1_200

interface AxeResult {
  violations: {
    id: string
    impact: 'critical' | 'serious' | 'moderate' | 'minor'
    nodes: { target: string[] }[]
  }[]
}

/** Checks every path of the dashboard and the pages before sign-in, in every look; with `quick`, in the first two only. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt({ web: true })
  const gateway = await startGateway(await temporaryDirectory())
  const owner = await signUpOwner(gateway.url)
  const devices = makeDevices('device', 40, ['514', '516', '528', '535'])
  const { HomeID } = await makeHome(gateway, owner, '總部', portions(devices, 20))
  const person = await owner.call(user.operations.create, {
    Email: 'viewer@bench.example',
    FirstName: 'Viewer',
    LastName: '',
    DepartmentID: null,
    Permissions: [],
    password: 'measured1',
  })
  const params = {
    HomeID,
    RoomID: 0,
    Category: 'LightSwitch',
    peripheralID: 'device-00001',
    userID: person.CognitoId,
    ...(await makeDoor(owner, HomeID)),
  }
  const addresses = (Object.keys(paths) as PathName[]).map((name) => pathTo(name, params))

  const browser = await openBrowser()
  const session = await signIn(browser, gateway.url)
  /** Violations by rule, with their places. */
  const found = new Map<string, string[]>()
  let screens = 0
  async function check(page: Page, where: string): Promise<void> {
    const title = page.locator('main').locator('h1, h2').first()
    await title.waitFor({ timeout: OPENED_WITHIN }).catch(() => {
      throw new Error(`${where} did not open`)
    })
    await page.waitForTimeout(SETTLE)
    await page.evaluate(axe)
    const { violations } = await page.evaluate(() =>
      (window as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run(),
    )
    screens++
    for (const { id, impact, nodes } of violations)
      if (impact === 'critical' || impact === 'serious')
        found.set(id, [...(found.get(id) ?? []), `${where} ${nodes[0]?.target.join(' ')}`])
  }

  for (const { viewport, colorScheme, language } of quick ? LOOKS.slice(0, 2) : LOOKS) {
    const how = `${viewport.width} px ${colorScheme} ${language}`
    const look = async (page: Page) => {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.addInitScript(([key, value]) => localStorage.setItem(key, value), [
        LANGUAGE_KEY,
        language,
      ] as const)
    }
    const signedOutPage = await openPage(browser)
    await look(signedOutPage.page)
    await signedOutPage.page.goto(gateway.url)
    await check(signedOutPage.page, `sign-in, ${how}`)
    await signedOutPage.page.context().close()

    const { page } = await openPage(browser, { session })
    await look(page)
    for (const address of addresses) {
      await page.goto(gateway.url + address)
      await check(page, `${address}, ${how}`)
    }
    await page.context().close()
  }
  return [
    {
      what: 'critical and serious rules of axe broken',
      value: found.size,
      unit: '',
      bar: { of: 'value', max: 0 },
      note: [
        `${screens} screens`,
        ...[...found].map(([rule, where]) => `${rule} (${where.length}): ${where[0]}`),
      ].join('; '),
    },
  ]
}

/** Creates a door with its scanner, an employee and a visitor who may pass it, and a meeting; returns the parameters of their paths. */
async function makeDoor({ call }: Owner, HomeID: string) {
  const now = Date.now()
  const { ThingName } = await call(scanner.operations.create, { ScannerName: '大門', HomeID })
  const { EmployeeID } = await call(employee.operations.create, {
    EmployeeName: '值班人員',
    Email: 'employee@bench.example',
  })
  const { VisitorID } = await call(visitor.operations.create, {
    VisitorName: '訪客',
    Email: 'visitor@bench.example',
    Phone: '0911-222-333',
    ValidFrom: now,
    ValidUntil: now + 3_600_000,
    MailPass: false,
  })
  const { ConferenceRoomID } = await call(conferenceRoom.operations.create, {
    ConferenceRoomName: '大會議室',
    Capacity: 8,
    HomeID,
  })
  const quarter = Math.ceil(now / 900_000) * 900_000
  await call(bookings.add, {
    ConferenceRoomID,
    StartTimestamp: quarter,
    EndTimestamp: quarter + 3_600_000,
    Subject: '週會',
    Host: '主持人',
    Attendees: ['guest@bench.example'],
  })
  return { ThingName, deviceName: ThingName, employeeID: EmployeeID, visitorID: VisitorID }
}
