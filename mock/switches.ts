import { ERRORS, type ErrorCode } from '../contract/kernel/errors.ts'
import { FEATURES, OPERATIONS, type Right } from '../contract/kernel/permissions.ts'

/**
 * What a tester switches on, joined by commas in `?mock=` and kept for the tab:
 *
 * full            the recording as it is
 * empty           a company that was just founded: one site, and nothing in it
 * huge            lists that come whole have 10,000 rows, copies under other keys; 100 where they hold others
 * slow:<ms>       each answer takes so long
 * fail:<code>[:/Path]   every call fails so but those that open a page, or this one: `fail:UNAVAILABLE:/ListHome`
 * forbid:<feature>.<Operation>   the person lacks this right
 * offline[:<ms>]  no call and no channel reaches the gateway any more, eight seconds after the page was opened or so long
 * hublost         every hub is away
 * fire            a smoke sensor reports fire
 * seed:<n>        another simulated day
 * as:<role>       who is signed in: owner, operator or viewer
 */
export interface Switches {
  empty: boolean
  huge: boolean
  slow: number
  fail: { code: ErrorCode; path: string | undefined } | undefined
  forbid: Right | undefined
  /** From when on the gateway cannot be reached, in ms after the page was opened. */
  offline: number | undefined
  hublost: boolean
  fire: boolean
  seed: number
  as: string
}

export const ROLES = ['owner', 'operator', 'viewer'] as const
/** Those that are simply on or off. */
export const FLAGS = ['empty', 'huge', 'offline', 'hublost', 'fire'] as const

/** Reads switches; what is not known is left out. */
export function readSwitches(text: string): Switches {
  const parts = new Map(
    text.split(',').map((part) => {
      const [name = '', ...rest] = part.trim().split(':')
      return [name, rest.join(':')] as const
    }),
  )
  const [code = '', path] = (parts.get('fail') ?? '').split(':')
  const [feature, operation] = (parts.get('forbid') ?? '').split('.')
  const isRight =
    FEATURES.includes(feature as Right['feature']) && OPERATIONS.includes(operation as Right['operation'])
  const as = parts.get('as') ?? ''
  return {
    empty: parts.has('empty'),
    huge: parts.has('huge'),
    slow: atMostMinutes(parts.get('slow')),
    fail: code in ERRORS ? { code: code as ErrorCode, path } : undefined,
    forbid: isRight ? ({ feature, operation } as Right) : undefined,
    offline: parts.has('offline') ? atMostMinutes(parts.get('offline') || STANDS) : undefined,
    hublost: parts.has('hublost'),
    fire: parts.has('fire'),
    seed: Math.trunc(Number(parts.get('seed'))) || 1,
    as: (ROLES as readonly string[]).includes(as) ? as : 'owner',
  }
}

/** A page stands by then: one that never reached its gateway has nothing to show. In ms. */
const STANDS = 8_000
/** Milliseconds, two minutes at most; 0 for what is no number. */
const atMostMinutes = (text: string | number = ''): number =>
  Math.min(Math.max(Number(text) || 0, 0), 120_000)

const KEY = 'mock'

/** The switches of this tab: those of its address, or else those that were set before. */
export function currentSwitches(): Switches {
  const given = new URLSearchParams(location.search).get(KEY)
  if (given !== null) sessionStorage.setItem(KEY, given)
  return readSwitches(switchesText())
}

export const switchesText = (): string => sessionStorage.getItem(KEY) ?? ''

/** Sets the switches and opens the page again. */
export function setSwitches(text: string): void {
  sessionStorage.setItem(KEY, text)
  const address = new URL(location.href)
  address.searchParams.delete(KEY)
  location.replace(address)
}
