import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { connectAsync, type MqttClient } from 'mqtt'
import { controlRequest, controlResponse } from '../../contract/devices/channels/control.ts'
import { runs } from '../../contract/automation/run-calls.ts'
import { scene } from '../../contract/automation/scene.ts'
import { makeDevices, makeHome, portions, screenLogin, signUpOwner } from '../support/company.ts'
import { startGateway, temporaryDirectory } from '../support/gateway.ts'
import { connectInstantHub } from '../support/instant-hub.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { alternate } from '../support/statistics.ts'

const DEVICES = 100
const DEVICES_PER_HUB = 25
/** Maximum number of concurrent commands when a list switches many, as in bench/bulk-switch.ts. */
const AT_ONCE = 32
/** Minimum pause in ms between runs: after a burst of a hundred commands, runs are throttled to 60 a second. */
const PACE_RECOVERS = 2_000

/** A scene of a hundred lights, from its run to the last confirmation, compared with switching the same devices in a list. */
export async function sceneOfHundred({ quick }: Options): Promise<Figure[]> {
  const gateway = await startGateway(await temporaryDirectory())
  const owner = await signUpOwner(gateway.url)
  const lights = makeDevices('light', DEVICES, ['516'])
  const { HomeID, hubs } = await makeHome(gateway, owner, 'home', portions(lights, DEVICES_PER_HUB))
  for (const hub of hubs) await connectInstantHub(gateway, hub)
  const scenes = await Promise.all(
    [0, 1].map((Switch) =>
      owner.call(scene.operations.create, {
        HomeID,
        SceneName: Switch ? 'on' : 'off',
        Actions: lights.map(({ PeripheralUID }) => ({ PeripheralUID, Values: { Switch } })),
      }),
    ),
  )
  const { url, ...login } = await screenLogin(gateway, owner)
  const screen = await connectAsync(url, { ...login, protocolVersion: 4 })
  const place = { rootId: owner.rootId, homeId: HomeID }
  await screen.subscribeAsync(controlResponse.topic(place))
  let on = 0
  const bulk = () => {
    on = 1 - on
    const remaining = [...lights]
    const send = () => {
      const next = remaining.shift()
      if (!next) return
      const request = { RequestID: randomUUID(), PeripheralUID: next.PeripheralUID, Values: { Switch: on } }
      screen.publish(controlRequest.topic(place), JSON.stringify(request), { qos: 1 })
    }
    return confirmed(
      screen,
      () => {
        for (let i = 0; i < AT_ONCE; i++) send()
      },
      send,
    )
  }
  const run = async () => {
    await wait(PACE_RECOVERS)
    on = 1 - on
    const { SceneID } = scenes[on]!
    return confirmed(screen, () => void owner.call(runs.runScene, { HomeID, SceneID }))
  }
  const { a, b } = await alternate(quick ? 5 : 15, run, bulk)
  await screen.endAsync(true)
  await gateway.stop()
  return [
    {
      what: `scene of ${DEVICES} devices, run to all confirmed`,
      value: a,
      unit: 'ms',
      reference: { what: 'the same devices switched as the bulk switch of a list does', value: b },
      bar: { of: 'ratio', max: 1.15 },
    },
  ]
}

/** The ms from `begin` until every device has confirmed; `each` is called at each confirmation. */
function confirmed(screen: MqttClient, begin: () => void, each: () => void = () => {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('Not every device confirmed')), 20_000)
    const open = new Set<string>()
    const started = performance.now()
    const onMessage = (_topic: string, payload: Buffer) => {
      const { PeripheralUID, State } = controlResponse.payload.parse(JSON.parse(payload.toString()))
      if (State !== 'confirmed' || open.has(PeripheralUID)) return
      each()
      if (open.add(PeripheralUID).size < DEVICES) return
      clearTimeout(late)
      screen.off('message', onMessage)
      resolve(performance.now() - started)
    }
    screen.on('message', onMessage)
    begin()
  })
}
