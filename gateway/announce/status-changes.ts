import { statusChange } from '../../contract/channels/status.ts'
import type { DeviceStatus } from '../../contract/device-kinds/status.ts'
import type { GatewayEvents } from '../events.ts'
import type { Clock } from '../outsides.ts'
import { createPacer } from './pacer.ts'

/** Shortest time between two messages of one home, in ms: forty a second add little to the age of a report. */
const GAP = 25
/** Devices in one message. */
const PART = 200

interface Home {
  tenant: string
  homeId: string
  statuses: Map<string, DeviceStatus>
}

/**
 * Gathers changed statuses per home, so that fan-out costs a bounded number of messages however fast devices report;
 * of several changes of one device the last goes out. A quiet home's change goes out at once.
 */
export function createStatusChanges(
  clock: Clock,
  publish: (topic: string, payload: unknown) => Promise<void>,
) {
  const homes = new Map<string, Home>()

  const pacer = createPacer<string>(clock, GAP, async (key) => {
    const home = homes.get(key)
    if (!home) return
    homes.delete(key)
    const topic = statusChange.topic({ rootId: home.tenant, homeId: home.homeId })
    const statuses = [...home.statuses.values()]
    for (let i = 0; i < statuses.length; i += PART)
      await publish(topic, { Peripherals: statuses.slice(i, i + PART) })
  })

  return {
    add({ tenant, homeId, statuses }: GatewayEvents['statusChanged']): void {
      const key = `${tenant}/${homeId}`
      let home = homes.get(key)
      if (!home) homes.set(key, (home = { tenant, homeId, statuses: new Map() }))
      for (const status of statuses) home.statuses.set(status.PeripheralUID, status)
      pacer.ask(key)
    },
    close: () => pacer.close(),
  }
}
