import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Random } from '../../kernel/ports.ts'
import { deriveKey, open, seal } from '../../lib/seal.ts'

const COOKIE = 'device'
const LIFE_SECONDS = 180 * 24 * 3600
/** Maximum number of accounts per browser; the one with the oldest sign-in is removed first. */
const ACCOUNTS = 8
const CONTEXT = 'device mark'

const Mark = z.object({ id: z.string(), accounts: z.array(z.string()).max(ACCOUNTS) })

export type DeviceCookies = ReturnType<typeof createDeviceCookies>

/**
 * Proof of an earlier sign-in on a device: an encrypted cookie of the pool's address. It grants no access; it only gives the device
 * its own failure count when the account or the network is blocked.
 */
export function createDeviceCookies({ random, secret }: { random: Random; secret: string | Uint8Array }) {
  const sealing = deriveKey(secret, 'device mark')
  const naming = deriveKey(secret, 'device account')
  const nameOf = (account: string) =>
    createHmac('sha256', naming).update(account).digest().subarray(0, 16).toString('base64url')

  function read(mark: string | undefined): z.infer<typeof Mark> | undefined {
    if (mark === undefined) return undefined
    try {
      return Mark.parse(JSON.parse(open(sealing, Buffer.from(mark, 'base64url'), CONTEXT).toString()))
    } catch {
      // Not a valid mark of this installation.
      return undefined
    }
  }

  return {
    deviceOf: (mark: string): string | undefined => read(mark)?.id,

    /** Device id of a mark if this account (its normal address) signed in on it before. */
    deviceFor(mark: string | undefined, account: string): string | undefined {
      const device = read(mark)
      return device?.accounts.includes(nameOf(account)) ? device.id : undefined
    },

    /** Mark of a device on which this account has just signed in. */
    add(mark: string | undefined, account: string): string {
      const { id, accounts } = read(mark) ?? {
        id: Buffer.from(random.bytes(16)).toString('base64url'),
        accounts: [],
      }
      const name = nameOf(account)
      const content = { id, accounts: [name, ...accounts.filter((one) => one !== name)].slice(0, ACCOUNTS) }
      return seal(sealing, JSON.stringify(content), CONTEXT).toString('base64url')
    },
  }
}

/** Cookie with the mark; not readable by scripts, not sent by other sites. */
export const deviceCookie = (mark: string, issuer: string): string =>
  [
    `${COOKIE}=${mark}`,
    'Path=/cognito',
    `Max-Age=${LIFE_SECONDS}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(issuer.startsWith('https:') ? ['Secure'] : []),
  ].join('; ')

export const readDeviceCookie = (cookies: string | undefined): string | undefined =>
  cookies
    ?.split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1)
