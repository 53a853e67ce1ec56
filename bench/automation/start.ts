import { makeDevices, makeHome, signUpOwner } from '../support/company.ts'
import { startGateway, temporaryDirectory } from '../support/gateway.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { alternate } from '../support/statistics.ts'
import { databaseOf } from './database.ts'
import { saveCopies, smartLink, untilArmed } from './rules.ts'

const HOMES = 10
const PER_HOME = 500

/** Start-up time on a directory with 5,000 rules, compared with one without. */
export async function startWithRules({ quick }: Options): Promise<Figure[]> {
  const [withoutRules, withRules] = [await temporaryDirectory(), await temporaryDirectory()]
  for (const directory of [withoutRules, withRules]) {
    const gateway = await startGateway(directory)
    const owner = await signUpOwner(gateway.url)
    for (let i = 0; i < HOMES; i++) {
      const meters = makeDevices(`device-${i}`, PER_HOME, ['514'])
      const [light] = makeDevices(`light-${i}`, 1, ['516'])
      const { HomeID } = await makeHome(gateway, owner, `home ${i}`, [[...meters, light!]])
      if (directory !== withRules) continue
      const [first = '', ...others] = meters.map(({ PeripheralUID }) => PeripheralUID)
      await saveCopies(
        owner,
        databaseOf(directory),
        smartLink(HomeID, 'rule', [first, 'Power', 5_000], light!.PeripheralUID),
        { of: first, instead: others },
      )
    }
    await gateway.stop()
    if (directory === withRules) await decideFirst(directory)
  }
  const start = (directory: string) => async () => {
    const gateway = await startGateway(directory)
    await gateway.stop()
    return gateway.startupMs
  }
  const { a, b } = await alternate(quick ? 3 : 9, start(withRules), start(withoutRules))
  return [
    {
      what: `start to ready with ${HOMES * PER_HOME} rules`,
      value: a,
      unit: 'ms',
      reference: { what: 'without rules', value: b },
      bar: { of: 'ratio', max: 1.2 },
    },
  ]
}

/** Every rule is evaluated once after its creation; the measurement covers every later start. */
async function decideFirst(directory: string): Promise<void> {
  const gateway = await startGateway(directory)
  await untilArmed(databaseOf(directory))
  await gateway.stop()
}
