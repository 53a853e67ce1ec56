import { automation } from '../../contract/resources/automation.ts'
import { runs } from '../../contract/procedures/runs.ts'
import { makeDevices, makeHome, portions, signUpOwner } from '../support/company.ts'
import { startGateway, temporaryDirectory } from '../support/gateway.ts'
import { connectInstantHub } from '../support/instant-hub.ts'
import type { Figure } from '../support/measurement.ts'
import { percentile } from '../support/statistics.ts'
import { once, saveRules } from './rules.ts'

const HOMES = 10
const PER_HOME = 500

/** How many schedules of one company come due in the same second: none is lost, none runs twice, none is late. */
export async function dueAtOnce(quick: boolean): Promise<Figure[]> {
  const gateway = await startGateway(await temporaryDirectory())
  const owner = await signUpOwner(gateway.url)
  const perHome = quick ? PER_HOME / 5 : PER_HOME
  const homes = []
  for (let i = 0; i < HOMES; i++) {
    const lights = makeDevices(`light-${i}`, 100, ['516'])
    const { HomeID, hubs } = await makeHome(gateway, owner, `home ${i}`, portions(lights, 50))
    for (const hub of hubs) await connectInstantHub(gateway, hub)
    homes.push({ HomeID, lights: lights.map(({ PeripheralUID }) => PeripheralUID) })
  }
  const total = perHome * HOMES
  // Saving goes on at some hundred a second; all are due at one moment after it.
  const At = Date.now() + 20_000 + total * 12
  await saveRules(
    owner,
    homes.flatMap(({ HomeID, lights }) =>
      Array.from({ length: perHome }, (_, i) =>
        once(HomeID, `schedule ${i}`, At, lights[i % lights.length]!),
      ),
    ),
  )
  const left = At - Date.now()
  if (left < 1_000) throw new Error(`The schedules were saved ${1_000 - left} ms too late`)
  await new Promise((resolve) => setTimeout(resolve, left + 60_000))

  const late: number[] = []
  const times = new Map<string, number>()
  for (const { HomeID } of homes) {
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
  ]
}
