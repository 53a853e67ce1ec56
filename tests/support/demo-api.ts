import { type Api, type Call, CallFailed } from '../../scripts/api.ts'
import { sql } from '../../gateway/kernel/db.ts'
import type { FleetHub } from '../../simulator/building/building.ts'
import type { Caller, World } from './world.ts'

/** Calls of the demo in the name of its owner, who acts for every user. */
export function demoApiOf(world: World): { api: Api; owner(): Caller } {
  let owner: Caller | undefined
  const call: Call = async (endpoint, input) => {
    const { status, results } = await (owner as Caller).post(endpoint.path, input)
    if (status.code !== 0)
      throw new CallFailed(endpoint.path, status.code, `${status.error} ${JSON.stringify(status)}`)
    return results
  }
  const api = {
    signUp: async ({ Email }: { Email: string }) => void (owner ??= await world.signUp(Email)),
    signIn: async () => call,
  }
  return { api: api as unknown as Api, owner: () => owner as Caller }
}

/** Stores the devices of hubs as discovered, as if the hubs had announced them. */
export async function announceDevices(
  world: World,
  tenant: string,
  hubs: readonly FleetHub[],
): Promise<void> {
  for (const { HomeID, ThingName, devices } of hubs)
    for (const { PeripheralUID, PeripheralType, PeripheralName } of devices)
      await world.db.query(sql`
        insert into discoveries (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, thing_name, discovered_at)
        values (${tenant}, ${PeripheralUID}, ${PeripheralType}, ${PeripheralName}, ${HomeID}, ${ThingName}, 0)`)
}
