import { statusChange } from '../../../../contract/devices/channels/status.ts'
import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'
import type { GatewayEvents } from '../../../kernel/events.ts'
import type { Clock } from '../../../kernel/ports.ts'
import { createThrottle } from '../../../lib/throttle.ts'

/**
 * Interval between two messages of one home, in ms: `least` adds little to the age of a report. With many busy homes
 * it grows by `perHome` for each of them, which keeps the total at two thousand messages a second until the interval
 * reaches `most`.
 */
const GAP = { least: 10, perHome: 0.5, most: 100 }
const gapOf = (homes: number) => Math.min(GAP.most, Math.max(GAP.least, homes * GAP.perHome))
/** Maximum number of devices in one message. */
const PART = 200

interface Home {
  topic: string
  statuses: Map<string, DeviceStatus>
}

/**
 * Batches changed statuses per home, which bounds the number of messages however fast devices report; only the last
 * of several changes of a device is sent. Sends the change of a quiet home at once, and none of a home without
 * subscribers: a new subscriber requests the full status first.
 */
export function createStatusChanges(
  clock: Clock,
  publish: (topic: string, payload: unknown) => Promise<void>,
  heard: (topic: string) => boolean,
) {
  const homes = new Map<string, Home>()

  async function send(key: string): Promise<void> {
    const home = homes.get(key)
    if (!home) return
    homes.delete(key)
    const statuses = [...home.statuses.values()]
    for (let i = 0; i < statuses.length; i += PART)
      await publish(home.topic, { Peripherals: statuses.slice(i, i + PART) })
  }
  const pacer = createThrottle<string>(clock, gapOf, send)

  return {
    add(changed: GatewayEvents['statusChanged']): void {
      const topic = statusChange.topic({ rootId: changed.tenant, homeId: changed.homeId })
      let home = homes.get(topic)
      if (!home) {
        if (!heard(topic)) return
        homes.set(topic, (home = { topic, statuses: new Map() }))
      }
      for (const status of changed.statuses) home.statuses.set(status.PeripheralUID, status)
      pacer.ask(topic)
    },
    /** Sends pending changes at once: no other gateway has them, and screens of other gateways stay connected. */
    async close(): Promise<void> {
      pacer.close()
      await Promise.all([...homes.keys()].map(send))
    },
  }
}
