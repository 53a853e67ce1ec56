import { randomUUID } from 'node:crypto'
import { connectAsync } from 'mqtt'
import { controlRequest } from '../../contract/devices/channels/control.ts'
import { makeDevices, makeHome, screenLogin, signUpOwner } from '../support/company.ts'
import { startGateway, temporaryDirectory } from '../support/gateway.ts'
import { connectInstantHub } from '../support/instant-hub.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { median, percentile } from '../support/statistics.ts'
import { saveRules, smartLink } from './rules.ts'

const TIMEOUT_MS = 10_000
/** Sensors, each with a light that follows it. */
const PAIRS = 8
const WARM_UP = PAIRS

/** Time from a report to the resulting command of a rule, compared with the time from a click to the same command. */
export async function reaction({ quick }: Options): Promise<Figure[]> {
  const gateway = await startGateway(await temporaryDirectory())
  const owner = await signUpOwner(gateway.url)
  const { HomeID, hubs } = await makeHome(gateway, owner, 'home', [
    makeDevices('light', 2 * PAIRS + 1, ['516']),
  ])
  const [clicked, ...uids] = hubs[0]!.devices.map(({ PeripheralUID }) => PeripheralUID)
  const pairs = Array.from({ length: PAIRS }, (_, i) => ({ sensor: uids[2 * i]!, light: uids[2 * i + 1]! }))
  let onReport: (uid: string) => void = () => {}
  const hub = await connectInstantHub(gateway, hubs[0]!, (uid) => onReport(uid))
  const command = (uid: string, begin: () => void): Promise<number> =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`No command for ${uid}`)), TIMEOUT_MS)
      const started = performance.now()
      onReport = (one) => {
        if (one !== uid) return
        clearTimeout(late)
        resolve(performance.now() - started)
      }
      begin()
    })
  await saveRules(
    owner,
    pairs.flatMap(({ sensor, light }) => [
      smartLink(HomeID, `${light} on`, [sensor, 'Switch', 1], light, 1, '='),
      smartLink(HomeID, `${light} off`, [sensor, 'Switch', 0], light, 0, '='),
    ]),
  )

  const { url, ...login } = await screenLogin(gateway, owner)
  const screen = await connectAsync(url, { ...login, protocolVersion: 4 })
  const topic = controlRequest.topic({ rootId: owner.rootId, homeId: HomeID })
  const times = { report: [] as number[], click: [] as number[] }
  const count = quick ? 20 : 80
  for (let i = -WARM_UP; i < count; i++) {
    const { sensor, light } = pairs[(i + WARM_UP) % PAIRS]!
    const Switch = 1 - (Math.floor((i + WARM_UP) / PAIRS) & 1)
    const report = await command(light, () => void hub.report([{ PeripheralUID: sensor, Switch }]))
    const request = { RequestID: randomUUID(), PeripheralUID: clicked, Values: { Switch } }
    const click = await command(clicked!, () => screen.publish(topic, JSON.stringify(request), { qos: 1 }))
    // A rule fires again after five seconds at the earliest (its trigger frequency); each fires in every second round of its pair.
    await new Promise((resolve) => setTimeout(resolve, 5_200 / (2 * PAIRS)))
    if (i < 0) continue
    times.report.push(report)
    times.click.push(click)
  }
  await screen.endAsync(true)
  await gateway.stop()
  return [
    {
      what: 'report to command at the hub, 95th percentile',
      value: percentile(times.report, 0.95),
      unit: 'ms',
      reference: { what: 'click to command at the hub', value: percentile(times.click, 0.95) },
      bar: { of: 'ratio', max: 2 },
      note: `medians ${median(times.report).toFixed(1)} and ${median(times.click).toFixed(1)} ms`,
    },
  ]
}
