import { connectAsync } from 'mqtt'
import { expect, it } from 'vitest'
import { systemClock } from '../../../gateway/kernel/ports.ts'
import { createTestDb, testSocketDir, silentLog } from '../../support/postgres.ts'
import { openDb } from '../../../gateway/store/db.ts'
import { startWorld } from '../../support/world.ts'

it('completes running calls, then closes connections and the database', async () => {
  const database = await createTestDb()
  const outside = openDb({ socketDir: testSocketDir(), database: database.name, max: 1, log: silentLog })
  const world = await startWorld({
    clock: systemClock,
    broker: 'embedded',
    database: { ...database, dropDatabase: async () => {} },
  })
  const root = await world.signUp()
  const url = await world.gateway.listen(0, '127.0.0.1')
  const realtime = (await root.post('/ConnectRealtime')).results
  const screen = await connectAsync(`${url.replace('http', 'ws')}${realtime.Url}`, {
    clientId: realtime.ClientID,
    username: realtime.Username,
    password: realtime.Password,
    protocolVersion: 4,
    reconnectPeriod: 0,
  })
  const left = new Promise<void>((resolve) => screen.once('close', () => resolve()))

  // Another transaction locks the company's row, so the call stays in progress until it commits.
  let letGo: () => void = () => {}
  let held: () => void = () => {}
  const holding = new Promise<void>((resolve) => (held = resolve))
  const lock = outside.transaction(async (tx) => {
    await tx.query({ name: 'lock', text: 'select 1 as one from companies for update', values: [] })
    held()
    await new Promise<void>((resolve) => (letGo = resolve))
  })
  await holding
  const call = fetch(`${url}/UpdateCompanyProfile`, {
    method: 'POST',
    headers: { authorization: `Bearer ${root.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ CompanyName: 'Renamed' }),
  })
  const waiting = 'select 1 as one from pg_stat_activity where wait_event_type = $1 and datname = $2'
  while (
    !(await database.db.query({ name: 'waiting', text: waiting, values: ['Lock', database.name] })).length
  );

  const closed = world.gateway.close()
  letGo()
  await lock
  expect(await (await call).json()).toMatchObject({
    status: { code: 0 },
    results: { CompanyName: 'Renamed' },
  })
  await closed
  await left
  await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed')
  const [company] = await outside.query<{ name: string }>({
    name: 'name',
    text: 'select company_name as name from companies',
    values: [],
  })
  expect(company?.name).toBe('Renamed')
  await outside.close()
  await database.dropDatabase().catch(() => {})
})
