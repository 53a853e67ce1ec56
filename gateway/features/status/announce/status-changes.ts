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
const INTERVAL_MS = { least: 10, perHome: 0.5, most: 100 }
const intervalOf = (homes: number) =>
  Math.min(INTERVAL_MS.most, Math.max(INTERVAL_MS.least, homes * INTERVAL_MS.perHome))
/** Maximum number of devices in one message. */
const CHUNK_SIZE = 200

interface PendingHome {
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
  hasSubscribers: (topic: string) => boolean,
) {
  const homes = new Map<string, PendingHome>()

  async function send(key: string): Promise<void> {
    const home = homes.get(key)
    if (!home) return
    homes.delete(key)
    const statuses = [...home.statuses.values()]
    for (let i = 0; i < statuses.length; i += CHUNK_SIZE)
      await publish(home.topic, { Peripherals: statuses.slice(i, i + CHUNK_SIZE) })
  }
  const throttle = createThrottle<string>(clock, intervalOf, send)

  return {
    add(change: GatewayEvents['statusChanged']): void {
      const topic = statusChange.topic({ rootId: change.tenant, homeId: change.homeId })
      let home = homes.get(topic)
      if (!home) {
        if (!hasSubscribers(topic)) return
        homes.set(topic, (home = { topic, statuses: new Map() }))
      }
      for (const status of change.statuses) home.statuses.set(status.PeripheralUID, status)
      throttle.ask(topic)
    },
    /** Sends pending changes at once: no other gateway has them, and screens of other gateways stay connected. */
    async close(): Promise<void> {
      throttle.close()
      await Promise.all([...homes.keys()].map(send))
    },
  }
}
