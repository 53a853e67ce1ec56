import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Random } from '../../kernel/ports.ts'
import { deriveKey, open, seal } from '../../lib/seal.ts'

const COOKIE = 'device'
const LIFE_SECONDS = 180 * 24 * 3600
/** People of one browser that it is remembered for; the one who signed in longest ago goes first. */
const ACCOUNTS = 8
const CONTEXT = 'device mark'

const Mark = z.object({ id: z.string(), accounts: z.array(z.string()).max(ACCOUNTS) })

export type DeviceCookies = ReturnType<typeof createDeviceCookies>

/**
 * Proof that a person signed in on a device before: a sealed cookie of the pool's address. It opens no account; it only
 * lets this device be counted by itself when the account or the network is blocked.
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
      // What another installation made, or nobody.
      return undefined
    }
  }

  return {
    /** The device that a mark names. */
    deviceOf: (mark: string): string | undefined => read(mark)?.id,

    /** The same where this account (its normal address) signed in on it before. */
    deviceFor(mark: string | undefined, account: string): string | undefined {
      const device = read(mark)
      return device?.accounts.includes(nameOf(account)) ? device.id : undefined
    },

    /** The mark of a device on which this account has just signed in. */
    add(mark: string | undefined, account: string): string {
      const { id, accounts } = read(mark) ?? {
        id: Buffer.from(random.bytes(16)).toString('base64url'),
        accounts: [],
      }
      const name = nameOf(account)
      const kept = { id, accounts: [name, ...accounts.filter((one) => one !== name)].slice(0, ACCOUNTS) }
      return seal(sealing, JSON.stringify(kept), CONTEXT).toString('base64url')
    },
  }
}

/** The mark as a cookie that no script reads and no other site sends. */
export const deviceCookie = (mark: string, issuer: string): string =>
  [
    `${COOKIE}=${mark}`,
    'Path=/cognito',
    `Max-Age=${LIFE_SECONDS}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(issuer.startsWith('https:') ? ['Secure'] : []),
  ].join('; ')

/** The mark among the cookies of a request. */
export const readDeviceCookie = (cookies: string | undefined): string | undefined =>
  cookies
    ?.split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1)
