import { statusChange } from '../../../../contract/devices/channels/status.ts'
import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'
import type { GatewayEvents } from '../../../kernel/events.ts'
import type { Clock } from '../../../kernel/ports.ts'
import { createThrottle } from '../../../lib/throttle.ts'

/**
 * Time between two messages of one home, in ms: a hundred a second add little to the age of a report. Many busy homes
 * share two thousand messages a second, as long as none waits longer than a person notices.
 */
const GAP = { least: 10, perHome: 0.5, most: 100 }
const gapOf = (homes: number) => Math.min(GAP.most, Math.max(GAP.least, homes * GAP.perHome))
/** Devices in one message. */
const PART = 200

interface Home {
  topic: string
  statuses: Map<string, DeviceStatus>
}

/**
 * Gathers changed statuses per home, so that fan-out costs a bounded number of messages however fast devices report;
 * of several changes of one device the last goes out. A quiet home's change goes out at once, and that of a home which
 * nobody looks at not at all: whoever comes to look asks for everything first.
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
    /** Sends at once what waits for its turn: nobody else will, and screens at other gateways go on. */
    async close(): Promise<void> {
      pacer.close()
      await Promise.all([...homes.keys()].map(send))
    },
  }
}
