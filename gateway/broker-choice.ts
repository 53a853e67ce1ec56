import type { Broker } from './broker/port.ts'
import { GatewayError } from './errors.ts'

/** The realtime channel switched off: calls work, screens do not hear of changes. */
export function openBroker(_config: unknown, _parts: unknown): Broker {
  const absent = () => Promise.reject(new GatewayError('UNAVAILABLE', 'The realtime channel is switched off'))
  return {
    start: async () => {},
    publish: async () => {},
    disconnect: async () => {},
    enrol: async () => {},
    credentials: absent,
    healthy: () => true,
    close: async () => {},
  }
}
