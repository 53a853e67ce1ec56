import { ERRORS, type ErrorCode } from '../contract/kernel/errors.ts'
import { FEATURES, OPERATIONS, type Right } from '../contract/kernel/permissions.ts'

/**
 * Switches of a tester, joined by commas in `?mock=` and stored for the tab:
 *
 * full            the recording as it is
 * empty           a newly founded company: one site, and nothing in it
 * huge            unpaged lists have 10,000 rows, copies under other keys; 100 if the rows are containers
 * slow:<ms>       delays each answer
 * fail:<code>[:/Path]   every call fails except those that open a page, or only this one: `fail:UNAVAILABLE:/ListHome`
 * forbid:<feature>.<Operation>   the user lacks this permission
 * offline[:<ms>]  calls and the channel fail from this time after the page was opened, eight seconds by default
 * hublost         every hub is offline
 * fire            a smoke sensor reports fire
 * seed:<n>        another simulated day
 * as:<role>       role of the signed-in user: owner, operator or viewer
 */
export interface Switches {
  empty: boolean
  huge: boolean
  slow: number
  fail: { code: ErrorCode; path: string | undefined } | undefined
  forbid: Right | undefined
  /** Time in ms after the page was opened from which the gateway is unreachable. */
  offline: number | undefined
  hublost: boolean
  fire: boolean
  seed: number
  as: string
}

export const ROLES = ['owner', 'operator', 'viewer'] as const
/** Switches without a value. */
export const FLAGS = ['empty', 'huge', 'offline', 'hublost', 'fire'] as const

/** Parses switches; ignores unknown ones. */
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

/** Delay in ms by which a page has loaded: one that never reached its gateway has nothing to show. */
const STANDS = 8_000
/** Milliseconds, at most two minutes; 0 if it is not a number. */
const atMostMinutes = (text: string | number = ''): number =>
  Math.min(Math.max(Number(text) || 0, 0), 120_000)

const KEY = 'mock'

/** The switches of this tab: from its address, or else the stored ones. */
export function currentSwitches(): Switches {
  const given = new URLSearchParams(location.search).get(KEY)
  if (given !== null) sessionStorage.setItem(KEY, given)
  return readSwitches(switchesText())
}

export const switchesText = (): string => sessionStorage.getItem(KEY) ?? ''

export function setSwitches(text: string): void {
  sessionStorage.setItem(KEY, text)
  const address = new URL(location.href)
  address.searchParams.delete(KEY)
  location.replace(address)
}
