import { automation } from '../../contract/resources/automation.ts'
import { runs } from '../../contract/procedures/runs.ts'
import { sql } from '../../gateway/store/db.ts'
import { makeDevices, makeHome, portions, signUpOwner } from '../support/company.ts'
import { startGateway, temporaryDirectory } from '../support/gateway.ts'
import { connectInstantHub } from '../support/instant-hub.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { percentile } from '../support/statistics.ts'
import { databaseOf } from './database.ts'
import { once, saveCopies } from './rules.ts'

const HOMES = 10
const PER_HOME = 500
const LIGHTS = 100
const A_DAY = 86_400_000
/** From the moment at which all are given their time to that time, ms: the clock looks every fifteen seconds. */
const LEAD = 30_000
/** After that time, ms. A home is sent at most sixty commands a second. */
const PATIENCE = 90_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** How many schedules of one company come due in the same second: none is lost, none runs twice, none is late. */
export async function dueAtOnce({ quick }: Options): Promise<Figure[]> {
  const directory = await temporaryDirectory()
  const gateway = await startGateway(directory)
  const owner = await signUpOwner(gateway.url)
  const db = databaseOf(directory)
  const perHome = quick ? PER_HOME / 5 : PER_HOME
  let commands = 0
  const homes: string[] = []
  for (let i = 0; i < HOMES; i++) {
    const lights = makeDevices(`light-${i}`, LIGHTS, ['516'])
    const { HomeID, hubs } = await makeHome(gateway, owner, `home ${i}`, portions(lights, 50))
    for (const hub of hubs) await connectInstantHub(gateway, hub, () => void commands++)
    homes.push(HomeID)
    const [first = '', ...others] = lights.map(({ PeripheralUID }) => PeripheralUID)
    const instead = Array.from({ length: perHome - 1 }, (_, n) => others[n % others.length]!)
    await saveCopies(owner, db, once(HomeID, 'schedule', Date.now() + A_DAY, first), { of: first, instead })
  }
  const total = perHome * HOMES
  // One look of the gateway's clock before it is due, as if all had been saved long ago.
  const At = Math.ceil(Date.now() / 1000) * 1000 + LEAD
  await db.query(sql`
    update automations set next_run_at = ${At}::bigint,
      rule = jsonb_set(rule, '{Schedule,At}', to_jsonb(${At}::bigint)) where rule ? 'Schedule'`)
  await new Promise((resolve) => setTimeout(resolve, At - Date.now()))
  const isAll = async () => {
    const [row] = await db.query<{ open: number }>(sql`
      select count(*)::int as open from automation_runs where planned_at = ${At}::bigint and ended_at is null`)
    return row?.open === 0 && commands >= total
  }
  while (Date.now() < At + PATIENCE && !(await isAll())) await pause(1_000)
  // Whoever came second would come now.
  await pause(5_000)

  const late: number[] = []
  const times = new Map<string, number>()
  for (const HomeID of homes) {
    let Cursor: string | undefined
    do {
      const page = await owner.call(runs.listAutomationRun, { HomeID, Limit: 500, ...(Cursor && { Cursor }) })
      for (const { AutomationID, BeganAt, PlannedAt } of page.Rows)
        if (AutomationID && PlannedAt === At) {
          late.push(BeganAt - PlannedAt)
          times.set(AutomationID, (times.get(AutomationID) ?? 0) + 1)
        }
      Cursor = page.NextCursor ?? undefined
    } while (Cursor)
  }
  const saved = await owner.call(automation.operations.list, { AutomationType: 2 })
  const lost = saved.filter(({ AutomationID }) => !times.has(AutomationID)).length
  const doubled = [...times.values()].filter((count) => count > 1).length
  await gateway.stop()
  return [
    {
      what: `${total} schedules due in one second: the 99th percentile is late by`,
      value: percentile(late, 0.99),
      unit: 'ms',
      bar: { of: 'value', most: 10_000 },
    },
    { what: 'of these lost', value: lost, unit: '', bar: { of: 'value', most: 0 } },
    { what: 'of these doubled', value: doubled, unit: '', bar: { of: 'value', most: 0 } },
    {
      what: `commands at the hubs, of ${total}`,
      value: commands,
      unit: '',
      bar: { of: 'value', least: total, most: total },
    },
  ]
}
