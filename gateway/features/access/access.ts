import type { Broker, Received } from '../../broker/port.ts'
import type { Events } from '../../events.ts'
import type { Clock, Log, Mail } from '../../ports.ts'
import type { Db } from '../../store/db.ts'
import { createPassMail } from './pass-mail.ts'
import { createPasses } from './passes.ts'
import { createScannerPresence } from './scanner-presence.ts'
import { createScans } from './scans.ts'
import { createAccessUpkeep } from './upkeep.ts'

export interface AccessOptions {
  db: Db
  broker: Pick<Broker, 'publish'>
  events: Events
  clock: Clock
  log: Log
  mail: Mail
  /** Signs the passes. */
  key: Uint8Array
  /** How long visitors and scans are kept, ms; 0 for ever. */
  keep: { visitors: number; scans: number }
}

/** Doors: passes, the scanners that read them, and what is kept of who came. */
export function createAccess({ key, mail, keep, ...parts }: AccessOptions) {
  const passes = createPasses(key)
  const presence = createScannerPresence(parts)
  const scans = createScans({ ...parts, passes })
  const passMail = createPassMail({ ...parts, mail, passes })
  const upkeep = createAccessUpkeep({ ...parts, keep })
  return {
    passes,
    mailPass: passMail.send,
    presence: presence.set,
    markAllOffline: presence.markAllOffline,
    /** Takes what a scanner says. Errors: UNAVAILABLE, the message is held. */
    receive: (message: Received): Promise<void> =>
      message.match.name === 'accessScan' ? scans.receive(message) : presence.receive(message),
    async close(): Promise<void> {
      passMail.close()
      await presence.close()
      await upkeep.close()
    },
  }
}
