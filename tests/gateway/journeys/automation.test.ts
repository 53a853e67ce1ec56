import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { controlCommand } from '../../../contract/devices/channels/control.ts'
import { hubMessages } from '../../../device-link/hub-messages.ts'
import { type HubSession, openHubSession } from '../../../device-link/hub-session.ts'
import { systemClock } from '../../../gateway/kernel/ports.ts'
import { sql } from '../../../gateway/kernel/db.ts'
import { type Caller, startWorld, type World } from '../../support/world.ts'
import { PATIENT } from '../../support/patient.ts'

/**
 * Rule created by an external program with the calls in docs/automation.md, on a real gateway with its own broker and a hub that speaks the
 * protocol.
 */
const SCRIPT = `
import json, sys, urllib.request
url, token, home = sys.argv[1:4]

def call(path, body):
    request = urllib.request.Request(url + path, json.dumps(body).encode(), {
        'content-type': 'application/json', 'authorization': 'Bearer ' + token}, method='POST')
    with urllib.request.urlopen(request, timeout=20) as answer:
        said = json.load(answer)
    if said['status']['code'] != 0:
        sys.exit(json.dumps(said['status']))
    return said['results']

made = call('/CreateAutomation', {
    'HomeID': home, 'AutomationType': 3, 'AutomationName': 'Light at the door',
    'Conditions': {'PeripheralUIDs': [{'PeripheralUID': 'door-1', 'Field': 'DoorState', 'Logical': '=', 'Status': 2}]},
    'Actions': [{'PeripheralUID': 'light-1', 'Values': {'Switch': 1}}],
    'EndDuration': 300,
})
print(made['AutomationID'])
`
const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) console.warn('SKIPPED: a rule made by a program in another language needs python3')

let world: World
let owner: Caller
let url: string
let HomeID: string
let hub: HubSession
let messages: ReturnType<typeof hubMessages>
const commands: { RequestID: string; PeripheralUID: string; Values: Record<string, unknown> }[] = []

beforeAll(async () => {
  world = await startWorld({ clock: systemClock, broker: 'embedded' })
  owner = await world.signUp()
  url = await world.gateway.listen(0, '127.0.0.1')
  HomeID = (await owner.post('/CreateHome', { HomeName: '總部', TimeZone: 'Asia/Taipei' })).results.HomeID
  const { ThingName, Secret } = (await owner.post('/AddThing', { HomeID, DeviceName: '閘道器' })).results
  messages = hubMessages({ rootId: owner.tenant, HomeID, ThingName })
  await new Promise<void>((resolve) => {
    hub = openHubSession({
      url: `mqtt://127.0.0.1:${world.hubPort}`,
      ThingName,
      Secret,
      will: messages.info(false),
      subscriptions: [controlCommand.topic({ rootId: owner.tenant, homeId: HomeID, thingName: ThingName })],
      clock: systemClock,
      random: () => 0.5,
      onOnline: resolve,
      onOffline: () => {},
      onMessage: (_, payload) => obey(JSON.parse(payload)),
    })
  })
  hub.send(messages.info(true, Date.now()))
  const devices = [
    { PeripheralUID: 'door-1', PeripheralType: '755' },
    { PeripheralUID: 'light-1', PeripheralType: '516' },
  ]
  for (const message of messages.announce(devices)) hub.send(message)
  const add = async () =>
    (
      await owner.post('/AddPeripherals', {
        HomeID,
        RoomID: 0,
        Peripherals: devices.map(({ PeripheralUID }) => ({ PeripheralUID, PeripheralName: PeripheralUID })),
      })
    ).status.code
  const added = async () => {
    const code = await add()
    if (code !== 0) throw new Error(`The devices could not be added: ${code}`)
  }
  await vi.waitFor(added, PATIENT)
})
afterAll(async () => {
  await hub?.stop(1_000)
  await world?.close()
})

/** Makes the light execute a command and report it. */
function obey(command: (typeof commands)[number]): void {
  commands.push(command)
  const { RequestID, PeripheralUID, Values } = command
  hub.send(messages.ack({ RequestID, PeripheralUID, Result: 'ok' }))
  report({ PeripheralUID, ...Values })
}
const report = (status: { PeripheralUID: string; [field: string]: unknown }) =>
  hub.send(messages.status(Date.now(), [status]))

describe.skipIf(!hasPython)('a rule created by a program in another language', () => {
  it('fires when the hub reports the door, and its command is confirmed by the hub', async () => {
    report({ PeripheralUID: 'door-1', DoorState: 1 })
    report({ PeripheralUID: 'light-1', Switch: 0 })
    const { stdout } = await promisify(execFile)('python3', ['-c', SCRIPT, url, owner.token, HomeID])
    const AutomationID = stdout.trim()
    const [made] = (await owner.post('/ListAutomation', { AutomationType: 3, HomeID })).results
    expect(made).toMatchObject({ AutomationID, State: 'ready', EndDuration: 300 })
    const runs = async () =>
      (await owner.post('/ListAutomationRun', { HomeID, AutomationID, Limit: 50 })).results.Rows
    // The first evaluation of the door arms the rule.
    const armed = async () =>
      (
        await world.db
          .query(sql`select from automation_states where automation_id = ${AutomationID} and version = 1
          and state #>> '{truth,truth}' = 'false'`)
      ).length
    await expect.poll(armed).toBe(1)
    expect(await runs()).toEqual([])
    report({ PeripheralUID: 'door-1', DoorState: 2 })
    await expect.poll(runs).toMatchObject([
      {
        State: 'done',
        Cause: 'condition',
        Conditions: [{ PeripheralUID: 'door-1', Value: 2, Verdict: true }],
        Actions: [{ PeripheralUID: 'light-1', Values: { Switch: 1 }, State: 'confirmed' }],
      },
    ])
    expect(commands).toMatchObject([{ PeripheralUID: 'light-1', Values: { Switch: 1 } }])
  })
})
