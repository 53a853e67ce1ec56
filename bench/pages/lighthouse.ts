import { execFile } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { BROWSER_ARGS, findBrowser } from '../../scripts/browser.ts'
import { freePort } from '../../scripts/free-port.ts'
import { pathTo, type PathName } from '../../src/navigation/paths.ts'
import { signInOn } from '../support/browser.ts'
import { atEnd } from '../support/clean-up.ts'
import { makeDevices, makeHome, portions, signUpOwner } from '../support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from '../support/gateway.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { median } from '../support/statistics.ts'

export const name = 'lighthouse'
export const bar =
  'the dashboard on a phone, by Lighthouse: performance at least 85, total blocking time at most 300 ms; ' +
  'best practices and accessibility 100 on it, the device list, electricity, building and bookings'

/** Run by npx instead of as a dependency: it has 150 MB that only this measurement needs. */
const LIGHTHOUSE = 'lighthouse@12.8.2'
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const

interface Report {
  categories: Record<
    (typeof CATEGORIES)[number],
    { score: number; auditRefs: { id: string; weight: number }[] }
  >
  audits: Record<string, { score: number | null; numericValue?: number }>
}

/** Opens each screen several times by its address on an emulated phone, in a signed-in profile with an empty cache. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt({ web: true })
  const gateway = await startGateway(await temporaryDirectory())
  const owner = await signUpOwner(gateway.url)
  const types = ['514', '534', '528', '516']
  const { HomeID } = await makeHome(gateway, owner, '總部', portions(makeDevices('device', 40, types), 20))
  const port = await signedInBrowser(gateway.url)
  const screens: PathName[] = ['Home', 'DeviceList', 'Electricity', 'Building', 'ConferenceRoomBooking']
  const figures: Figure[] = []
  for (const screen of screens) {
    const reports: Report[] = []
    for (let run = 0; run < (quick ? 1 : 5); run++)
      reports.push(await audit(gateway.url + pathTo(screen, { HomeID }), port))
    figures.push(...figuresOf(screen, reports))
  }
  return figures
}

/** Starts a browser with a profile in which the owner is signed in; returns the port of its developer tools. */
async function signedInBrowser(url: string): Promise<number> {
  const port = await freePort()
  const executablePath = findBrowser()
  if (!executablePath) throw new Error('There is no browser to measure with')
  const context = await chromium.launchPersistentContext(await temporaryDirectory(), {
    executablePath,
    args: [...BROWSER_ARGS, `--remote-debugging-port=${port}`],
    locale: 'zh-TW',
    timezoneId: 'Asia/Taipei',
  })
  atEnd(() => context.close())
  const page = await context.newPage()
  await signInOn(page, url)
  await page.close()
  return port
}

async function audit(address: string, port: number): Promise<Report> {
  const file = join(await mkdtemp(join(await temporaryDirectory(), 'report-')), 'report.json')
  const flags = [
    `--port=${port}`,
    '--disable-storage-reset',
    `--only-categories=${CATEGORIES.join(',')}`,
    '--output=json',
    `--output-path=${file}`,
    '--quiet',
  ]
  await promisify(execFile)('npx', ['--yes', LIGHTHOUSE, address, ...flags])
  return JSON.parse(await readFile(file, 'utf8')) as Report
}

function figuresOf(screen: PathName, reports: Report[]): Figure[] {
  const score = (category: (typeof CATEGORIES)[number]) =>
    median(reports.map(({ categories }) => categories[category].score * 100))
  const audited = (id: string) => median(reports.map(({ audits }) => audits[id]?.numericValue ?? Number.NaN))
  const failed = (category: (typeof CATEGORIES)[number]) =>
    (reports[0] as Report).categories[category].auditRefs
      .filter(({ id, weight }) => weight > 0 && ((reports[0] as Report).audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) => id)
      .join(', ')
  const isDashboard = screen === 'Home'
  const figure = (
    what: string,
    value: number,
    unit: string,
    limit?: Figure['bar'],
    note?: string,
  ): Figure => ({
    what: `${screen}: ${what}`,
    value,
    unit,
    ...(limit && { bar: limit }),
    ...(note && { note }),
  })
  const paints = `first paint ${Math.round(audited('first-contentful-paint'))} ms, largest ${Math.round(audited('largest-contentful-paint'))} ms`
  return [
    figure(
      'performance',
      score('performance'),
      '',
      isDashboard ? { of: 'value', min: 85 } : undefined,
      paints,
    ),
    figure(
      'total blocking time',
      audited('total-blocking-time'),
      'ms',
      isDashboard ? { of: 'value', max: 300 } : undefined,
    ),
    figure('accessibility', score('accessibility'), '', { of: 'value', min: 100 }, failed('accessibility')),
    figure(
      'best practices',
      score('best-practices'),
      '',
      { of: 'value', min: 100 },
      failed('best-practices'),
    ),
  ]
}
