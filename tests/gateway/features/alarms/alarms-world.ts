import type { Alarm, Maintenance } from '../../../../contract/alarms/calls.ts'
import type { GatewayEvents } from '../../../../gateway/kernel/events.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { encode } from '../../../support/building.ts'
import { addDiscovered } from '../../../support/discoveries.ts'
import type { QuietBroker } from '../../../support/quiet-broker.ts'
import { type Caller, startWorld, type WorldOptions } from '../../../support/world.ts'

/** Home with a hub, two smoke detectors and a shock sensor, and queries of its alarms. */
export async function startAlarms(options: WorldOptions = {}) {
  const world = await startWorld(options)
  const root = await world.signUp()
  const { HomeID } = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results
  const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
  for (const [uid, type] of [
    ['smoke', '756'],
    ['smoke2', '756'],
    ['shock', '757'],
    ['door', '755'],
    ['meter', '514'],
  ] as const)
    await addDiscovered(world, root, { HomeID, ThingName, type, uids: [uid] })
  const online = (is: boolean) =>
    world.db.query(sql`update things set online = ${is} where thing_name = ${ThingName}`)
  await online(true)
  const receive = (PeripheralUID: string, Timestamp: number, values: object) =>
    (world.broker as QuietBroker).hooks?.receive({
      topic: `${root.tenant}/${HomeID}/status/report`,
      match: { name: 'statusReport', values: { rootId: root.tenant, homeId: HomeID } },
      payload: encode({ ThingName, Timestamp, Peripherals: [{ PeripheralUID, ...values }] }),
      client: { party: 'hub', tenant: root.tenant, homeId: HomeID, thingName: ThingName },
      retain: false,
    })
  return {
    world,
    root,
    HomeID: HomeID as string,
    ThingName: ThingName as string,
    NOON: world.clock.now() - 60_000,
    report: receive,
    online,
    list: async (input: object = {}, caller: Caller = root): Promise<Alarm[]> =>
      (await caller.post('/ListAlarm', { HomeID, ...input })).results.Rows,
    maintained: async (): Promise<Maintenance[]> => (await root.post('/ListMaintenance', { HomeID })).results,
    told: (name: string) =>
      world.events.filter(
        (one) => one.name === 'dataChange' && (one.event as GatewayEvents['dataChange']).name === name,
      ).length,
  }
}
export type AlarmsWorld = Awaited<ReturnType<typeof startAlarms>>
