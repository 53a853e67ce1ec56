import type { Deps, Feature } from '../../kernel/deps.ts'
import { createRetentionJob, createPartitionsAhead } from '../../store/retention.ts'
import { deviceEventHandlers } from './device-events.ts'
import { EVENTS, expiringEvents } from './expiring.ts'
import { hubCredentialHandlers } from './hub-credentials.ts'
import { peripheralCallHandlers } from './peripheral-calls.ts'
import { peripheralHandlers } from './peripheral.ts'
import type { Groups, ModbusTables } from './ports.ts'
import { syncStateFields } from './state-fields.ts'
import { thingHandlers } from './thing.ts'

/** Hubs, the devices behind them, and what happened at these. */
export function devices(deps: Deps, ports: ModbusTables & Groups) {
  const months = createPartitionsAhead(deps, EVENTS)
  return {
    handlers: {
      thing: thingHandlers(ports),
      peripheral: { ...peripheralHandlers(ports), ...peripheralCallHandlers(ports) },
      hubCredentials: hubCredentialHandlers,
      deviceEvents: deviceEventHandlers,
    },
    jobs: [
      months.job,
      createRetentionJob(
        'events of devices',
        deps,
        expiringEvents(deps, deps.config.keepDays, deps.config.maxDeviceEvents ?? 0),
      ),
    ],
    async prepare() {
      await syncStateFields(deps.db)
      await months.prepare()
    },
  } satisfies Feature
}
