import { automations } from '../../contract/automation/calls.ts'
import { type Db, sql } from '../../gateway/kernel/db.ts'
import { createPartitions } from '../../gateway/store/partitions.ts'
import { makeDevices, makeHome, signUpOwner } from '../support/company.ts'
import { startGateway, temporaryDirectory } from '../support/gateway.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { alternate } from '../support/statistics.ts'
import { databaseOf, SILENT } from './database.ts'

const CONDITIONS = 8
const DAYS = 30
const DAY = 86_400_000
const MINUTE = 60_000

/** Times a dry run of a rule on eight meters over thirty days, compared with only reading the same rows. */
export async function dryRun({ quick }: Options): Promise<Figure[]> {
  const directory = await temporaryDirectory()
  const gateway = await startGateway(directory)
  const owner = await signUpOwner(gateway.url)
  const { call } = owner
  const meters = makeDevices('meter', CONDITIONS, ['514'])
  const [light] = makeDevices('light', 1, ['516'])
  const { HomeID } = await makeHome(gateway, owner, '總部', [[...meters, light!]])
  const now = Date.now()
  const db = databaseOf(directory)
  await storeReadings(db, HomeID, now)

  const quantities = meters.map(({ PeripheralUID }) => ({ PeripheralUID, Field: 'Power' }))
  const run = () =>
    call(automations.tryAutomation, {
      HomeID,
      AutomationType: 5,
      AutomationName: 'tried',
      Days: DAYS,
      Conditions: {
        PeripheralUIDs: quantities.map((one, i) => ({
          ...one,
          Logical: '>' as const,
          Status: 300 + 100 * i,
        })),
        Logical: 'OR',
      },
      Actions: [{ PeripheralUID: light!.PeripheralUID, Values: { Switch: 1 } }],
    })
  const read = async () => {
    for (const { PeripheralUID } of meters)
      await db.query(sql`select r.timestamp, r.power from readings r join meters m using (meter_id)
        where m.home_id = ${HomeID} and m.peripheral_uid = ${PeripheralUID} and r.timestamp >= ${now - DAYS * DAY}::bigint
        order by r.timestamp`)
  }
  const { Runs, CoveredDays } = await run()
  if (Runs.length === 0 || CoveredDays < DAYS - 1) throw new Error('The dry run has not read what was stored')
  const timed = (work: () => Promise<unknown>) => async () => {
    const startedAt = performance.now()
    await work()
    return performance.now() - startedAt
  }
  const { a, b } = await alternate(quick ? 3 : 9, timed(run), timed(read))
  await gateway.stop()
  return [
    {
      what: `dry run of ${DAYS} days, ${CONDITIONS} conditions`,
      value: a,
      unit: 'ms',
      reference: { what: 'reading the same rows from the database alone', value: b },
      bar: { of: 'ratio', max: 2 },
      note: `${Runs.length} runs of ${(CONDITIONS * DAYS * DAY) / MINUTE} values`,
    },
  ]
}

/** Stores a reading of each meter for every minute of thirty days, rising and falling by the hour. */
async function storeReadings(db: Db, homeId: string, now: number): Promise<void> {
  const days = Array.from({ length: DAYS + 1 }, (_, i) => now - i * DAY)
  await createPartitions(db, SILENT, { table: 'readings', unit: 1 }).prepare(days, now)
  await db.query(sql`
    insert into meters (tenant, home_id, peripheral_uid)
    select tenant, home_id, peripheral_uid from peripherals where home_id = ${homeId} and peripheral_type = '514'
    on conflict do nothing`)
  await db.query(sql`
    insert into readings (meter_id, timestamp, accumulate_power, power)
    select m.meter_id, t.at, (t.at - ${now - (DAYS + 1) * DAY}::bigint) / 3600000.0,
      500 + 450 * sin(t.at / 3600000.0 + 0.01 * m.meter_id)
    from meters m cross join generate_series(${now - DAYS * DAY}::bigint, ${now - MINUTE}::bigint, ${MINUTE}::bigint) as t (at)
    where m.home_id = ${homeId}`)
  // Devices of an offline hub have no known state.
  await db.query(sql`update things set online = true where home_id = ${homeId}`)
  await db.query(sql`analyze readings`)
}
