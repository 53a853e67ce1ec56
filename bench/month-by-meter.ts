import { meterData } from '../contract/energy/meter-data-calls.ts'
import { reports } from '../contract/reports/calls.ts'
import type { AnyEndpoint } from '../contract/kernel/define-endpoint.ts'
import { dayOf, firstDayOf, formatDay, monthOfDay, startOfDay } from '../contract/time/periods.ts'
import { openDb } from '../gateway/store/db.ts'
import { sql } from '../gateway/kernel/db.ts'
import { socketDirOf } from '../gateway/store/embedded.ts'
import {
  createCaller,
  METERS,
  PLAN,
  setTariff,
  SILENT,
  storeDays,
  storeMeters,
  timeOf,
  ZONE,
} from './energy-queries.ts'
import { atEnd } from './support/clean-up.ts'
import { makeDevices, makeHome, portions, signUpOwner } from './support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import type { Figure, Options } from './support/measurement.ts'
import { median } from './support/statistics.ts'

export const name = 'month-by-meter'
export const bar = 'a month of 1,000 meters by day and meter, and its report, each under 2 s'

const METERS_PER_HUB = 250
/** Two whole months and the current one. */
const DAYS = 93

/** Time of a month of a thousand meters as a series by day and meter, and as a monthly report. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt()
  const directory = await temporaryDirectory()
  const gateway = await startGateway(directory)
  const owner = await signUpOwner(gateway.url)
  const devices = makeDevices('meter', METERS, ['514', '528'])
  const { HomeID } = await makeHome(gateway, owner, '總部', portions(devices, METERS_PER_HUB))
  const externalUrl = process.env['DATABASE_URL']
  const place = externalUrl ? { connectionString: externalUrl } : { socketDir: socketDirOf(directory) }
  const db = openDb({ ...place, max: 1, statementTimeoutMs: 0, log: SILENT })
  atEnd(() => db.close())
  const today = dayOf(Date.now(), ZONE)
  await setTariff({ owner, HomeID }, PLAN)
  await storeMeters(db, HomeID)
  await storeDays(db, today - DAYS, today)

  const month = monthOfDay(today) - 1
  const [From, To] = [month, month + 1].map((one) => startOfDay(firstDayOf(one), ZONE))
  const calls: [what: string, endpoint: AnyEndpoint, input: object][] = [
    [
      'a month by day and meter',
      meterData.getEnergySeries,
      { HomeID, From, To, Resolution: 'day', By: 'meter' },
    ],
    [
      'a monthly report',
      reports.getReport,
      { HomeID, Kind: 'monthly', Period: formatDay(firstDayOf(month)).slice(0, 7) },
    ],
  ]
  const call = createCaller(gateway, owner)
  const figures: Figure[] = []
  for (const [what, endpoint, input] of calls) {
    // The first call computes the home's new sums.
    let bytes = await call(endpoint, input)
    const times: number[] = []
    for (let i = 0; i < (quick ? 5 : 15); i++) {
      // Simulates new readings: the gateway's cached sums of the month become invalid.
      await db.query(sql`update meter_months set kwh = kwh where month = ${month}`)
      times.push(await timeOf(async () => void (bytes = await call(endpoint, input))))
    }
    figures.push({
      what: `${what} of ${METERS} meters`,
      value: median(times),
      unit: 'ms',
      bar: { of: 'value', max: 2_000 },
      note: `median of ${times.length} after new readings of each meter, slowest ${Math.max(...times).toFixed(0)} ms; ${(bytes / 1e6).toFixed(1)} MB compressed`,
    })
  }
  return figures
}
