import { timingSafeEqual } from 'node:crypto'
import type { Clock, Random } from '../../ports.ts'
import type { ScreenClient } from '../port.ts'

/** How long a screen may connect with what ConnectRealtime handed out. */
export const LIFETIME = 60 * 60 * 1000
/** Of one person at a time; the oldest goes first. */
const MOST_PER_PERSON = 50

interface Entry {
  secret: Buffer
  client: ScreenClient
  expiresAt: number
}

/** Short-lived secrets of screens, each good for one client id, kept in memory only. */
export function createScreenCredentials({ clock, random }: { clock: Clock; random: Random }) {
  const entries = new Map<string, Entry>()
  const ofPerson = new Map<string, Set<string>>()

  function forget(clientId: string) {
    const entry = entries.get(clientId)
    if (!entry) return
    entries.delete(clientId)
    const ids = ofPerson.get(entry.client.cognitoId)
    ids?.delete(clientId)
    if (ids?.size === 0) ofPerson.delete(entry.client.cognitoId)
  }

  return {
    issue(client: ScreenClient, clientId: string): { password: string; expiresAt: number } {
      // Entries stand in the order they were made, so the expired ones come first.
      for (const [id, { expiresAt }] of entries) {
        if (expiresAt > clock.now()) break
        forget(id)
      }
      forget(clientId)
      const password = Buffer.from(random.bytes(32)).toString('base64url')
      const expiresAt = clock.now() + LIFETIME
      entries.set(clientId, { secret: Buffer.from(password), client: { ...client, expiresAt }, expiresAt })
      const ids = ofPerson.get(client.cognitoId) ?? new Set()
      ofPerson.set(client.cognitoId, ids.add(clientId))
      const [oldest] = ids
      if (ids.size > MOST_PER_PERSON && oldest !== undefined) forget(oldest)
      return { password, expiresAt }
    },

    /** Whether this client id is a screen's. */
    has: (clientId: string): boolean => entries.has(clientId),

    /** The person, or undefined when name, secret or time is wrong. */
    check(clientId: string, username: string, password: string): ScreenClient | undefined {
      const entry = entries.get(clientId)
      if (!entry || entry.expiresAt <= clock.now() || username !== entry.client.cognitoId) return undefined
      const given = Buffer.from(password)
      if (given.length !== entry.secret.length || !timingSafeEqual(given, entry.secret)) return undefined
      return entry.client
    },

    /** Takes the credentials of a person, or of some of their sign-ins. */
    forgetPerson(cognitoId: string, sessions?: readonly string[]) {
      for (const id of ofPerson.get(cognitoId) ?? [])
        if (sessions?.includes(entries.get(id)?.client.sessionId ?? '') ?? true) forget(id)
    },
  }
}
