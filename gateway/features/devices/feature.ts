import type { Deps, Feature } from '../../deps.ts'
import { expiry } from '../../store/expiry.ts'
import { deviceEventHandlers } from './device-events.ts'
import { expiringEvents } from './expiring.ts'
import { hubCredentialHandlers } from './hub-credentials.ts'
import { peripheralCallHandlers } from './peripheral-calls.ts'
import { peripheralHandlers } from './peripheral.ts'
import type { Groups, ModbusTables } from './ports.ts'
import { keepStateFields } from './state-fields.ts'
import { thingHandlers } from './thing.ts'

/** Hubs, the devices behind them, and what happened at these. */
export const devices = (deps: Deps, ports: ModbusTables & Groups) =>
  ({
    handlers: {
      thing: thingHandlers(ports),
      peripheral: { ...peripheralHandlers(ports), ...peripheralCallHandlers(ports) },
      hubCredentials: hubCredentialHandlers,
      deviceEvents: deviceEventHandlers,
    },
    jobs: [
      expiry(
        'events of devices',
        deps,
        expiringEvents(deps, deps.config.keepDays, deps.config.maxDeviceEvents ?? 0),
      ),
    ],
    prepare: () => keepStateFields(deps.db),
  }) satisfies Feature
