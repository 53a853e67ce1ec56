import { makeDevices, makeHome, signUpOwner } from '../support/company.ts'
import { startGateway, temporaryDirectory } from '../support/gateway.ts'
import type { Figure } from '../support/measurement.ts'
import { alternate } from '../support/statistics.ts'
import { saveRules, smartLink } from './rules.ts'

const HOMES = 10
const PER_HOME = 500

/** Start to ready on a directory with 5,000 rules, beside the same without. */
export async function startWithRules(quick: boolean): Promise<Figure[]> {
  const [without, withRules] = [await temporaryDirectory(), await temporaryDirectory()]
  for (const directory of [without, withRules]) {
    const gateway = await startGateway(directory)
    const owner = await signUpOwner(gateway.url)
    for (let i = 0; i < HOMES; i++) {
      const [meter, light] = makeDevices(`device-${i}`, 2, ['514', '516'])
      const { HomeID } = await makeHome(gateway, owner, `home ${i}`, [[meter!, light!]])
      if (directory !== withRules) continue
      await saveRules(
        owner,
        Array.from({ length: PER_HOME }, (_, n) =>
          smartLink(HomeID, `rule ${n}`, [meter!.PeripheralUID, 'Power', n], light!.PeripheralUID),
        ),
      )
    }
    await gateway.stop()
  }
  const start = (directory: string) => async () => {
    const gateway = await startGateway(directory)
    await gateway.stop()
    return gateway.startedIn
  }
  const { a, b } = await alternate(quick ? 3 : 9, start(withRules), start(without))
  return [
    {
      what: `start to ready with ${HOMES * PER_HOME} rules`,
      value: a,
      unit: 'ms',
      reference: { what: 'without rules', value: b },
      bar: { of: 'ratio', most: 1.2 },
    },
  ]
}
