import { Registry } from 'prom-client'
import { NO_LIMIT } from '../../gateway/lib/mail/quota.ts'
import type { Deps } from '../../gateway/features/deps.ts'
import { createEvents } from '../../gateway/kernel/events.ts'
import { systemRandom } from '../../gateway/kernel/ports.ts'
import { holdClock } from './clock.ts'
import { createLogBook } from './log-book.ts'
import { createMemoryFiles } from './memory-files.ts'
import { createQuietBroker } from './quiet-broker.ts'

/** Dependencies of features for tests that create features without using them: there is no database and no user pool. */
export const createIdleDeps = (): Deps => ({
  db: { listen: () => {} } as unknown as Deps['db'],
  identity: {} as Deps['identity'],
  limits: {} as Deps['limits'],
  gateways: { id: () => 'g-test', others: () => [], wasJustSeen: () => false },
  hubs: { isHere: () => true, findGateway: async () => undefined },
  broker: createQuietBroker(),
  clock: holdClock(),
  random: systemRandom,
  files: createMemoryFiles(),
  mail: { isDelivered: false, send: async () => {} },
  log: createLogBook(),
  metrics: new Registry(),
  events: createEvents(() => {}),
  config: {
    version: '0.0.0-test',
    secret: 'a master secret that only tests know',
    apiKey: 'test-api-key',
    trustProxy: false,
    corsOrigins: [],
    connectOrigins: [],
    limits: {} as Deps['config']['limits'],
    tenantConcurrency: { running: 1, waiting: 1 },
    mailQuota: { company: NO_LIMIT, recipient: NO_LIMIT },
    retentionDays: { commands: 0, audit: 0, history: 0, visitors: 0, scans: 0 },
  },
  keyFor: () => Buffer.alloc(32),
  httpPort: () => 0,
})
