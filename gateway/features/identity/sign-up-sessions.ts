import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { deriveKey, open, seal } from '../../lib/seal.ts'
import type { Clock } from '../../kernel/ports.ts'

const LIFE = 30 * 60_000
const CONTEXT = 'sign-up'

const Applicant = z.object({
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  passwordHash: z.string(),
  companyName: z.string().optional(),
  invitation: z.string().optional(),
})
export type Applicant = z.infer<typeof Applicant>

/** `code` is the digest of the emailed code; null for a registered address, for which no code is valid. */
const Pending = z.object({ applicant: Applicant, code: z.string().nullable(), until: z.number() })

/** State of a sign-up that the browser keeps until the code is entered: encrypted, so that the database stores nothing of strangers. */
export function createSignUpSessions({ clock, secret }: { clock: Clock; secret: string | Uint8Array }) {
  const sealing = deriveKey(secret, 'sign-up session')
  const codeKey = deriveKey(secret, 'sign-up code')
  const digest = (email: string, code: string) =>
    createHmac('sha256', codeKey).update(`${email} ${code}`).digest('base64url')

  function read(session: string): z.infer<typeof Pending> | undefined {
    try {
      return Pending.parse(JSON.parse(open(sealing, Buffer.from(session, 'base64url'), CONTEXT).toString()))
    } catch {
      return undefined
    }
  }

  return {
    /** code  the emailed code; null if none completes this session */
    make(applicant: Applicant, code: string | null): string {
      const pending: z.infer<typeof Pending> = {
        applicant,
        code: code === null ? null : digest(applicant.email, code),
        until: clock.now() + LIFE,
      }
      return seal(sealing, JSON.stringify(pending), CONTEXT).toString('base64url')
    },

    /** Decrypts a session; undefined if it was not created here. */
    open(session: string) {
      const pending = read(session)
      if (!pending) return undefined
      const { applicant, code: kept, until } = pending
      return {
        applicant,
        isLate: until <= clock.now(),
        opens: (code: string): boolean =>
          kept !== null && timingSafeEqual(Buffer.from(digest(applicant.email, code)), Buffer.from(kept)),
      }
    },
  }
}
