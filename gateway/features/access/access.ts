import type { Broker, ReceivedMessage } from '../../broker/port.ts'
import type { Events } from '../../kernel/events.ts'
import type { Clock, Log, Mail } from '../../kernel/ports.ts'
import type { Db } from '../../store/db.ts'
import { createPassMail } from './pass-mail.ts'
import { createPasses } from './passes.ts'
import { createScannerPresence } from './scanner-presence.ts'
import { createScans } from './scans.ts'

export interface AccessOptions {
  db: Db
  broker: Pick<Broker, 'publish'>
  events: Events
  clock: Clock
  log: Log
  mail: Mail
  /** Signs the passes. */
  key: Uint8Array
}

export type Access = ReturnType<typeof createAccess>

/** Doors: passes, the scanners that read them, and what these see. */
export function createAccess({ key, mail, ...options }: AccessOptions) {
  const passes = createPasses(key)
  const presence = createScannerPresence(options)
  const scans = createScans({ ...options, passes })
  const passMail = createPassMail({ ...options, mail, passes })
  return {
    passes,
    mailPass: passMail.send,
    presence: presence.write,
    markAllOffline: presence.markAllOffline,
    /** Takes what a scanner says. Errors: UNAVAILABLE, the message is held. */
    receive: (message: ReceivedMessage): Promise<void> =>
      message.match.name === 'accessScan' ? scans.receive(message) : presence.receive(message),
    close: (): void => passMail.close(),
  }
}
