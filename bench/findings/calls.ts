import { findings } from '../../contract/findings/calls.ts'
import { homeTariff } from '../../contract/tariffs/home-tariff-calls.ts'
import type { AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import { makeDevices, makeHome, portions, signUpOwner } from '../support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from '../support/gateway.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { alternate, median } from '../support/statistics.ts'

/** Time of /GetSaving, compared with a call that reads one row. */
export async function measureCalls({ quick }: Options): Promise<Figure[]> {
  ensureBuilt()
  const gateway = await startGateway(await temporaryDirectory())
  const owner = await signUpOwner(gateway.url)
  const { HomeID } = await makeHome(gateway, owner, 'Home', portions(makeDevices('meter', 10, ['514']), 10))
  const ask = async ({ path }: AnyEndpoint) => {
    const answer = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${owner.token}` },
      body: JSON.stringify({ HomeID }),
    })
    if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status}`)
    await answer.arrayBuffer()
  }
  const time = (endpoint: AnyEndpoint) => async () => {
    const seen: number[] = []
    for (let i = 0; i < (quick ? 50 : 200); i++) {
      const started = performance.now()
      await ask(endpoint)
      seen.push(performance.now() - started)
    }
    return median(seen)
  }
  const times = await alternate(quick ? 3 : 7, time(findings.getSaving), time(homeTariff.listHomeTariff))
  return [
    {
      what: '/GetSaving',
      value: times.a,
      unit: 'ms',
      reference: { what: '/ListHomeTariff', value: times.b },
      bar: { of: 'ratio', max: 3 },
    },
  ]
}
