/** What the record of a visit says of its course. Times are epoch ms, null for what has not happened. */
export interface Visit {
  ValidFrom: number
  ValidUntil: number
  CheckedInAt: number | null
  /** Went out before the last day of the visit and has not come back since. */
  AwayAt: number | null
  CheckedOutAt: number | null
  RevokedAt: number | null
}

/** Where a visit stands; of these, revoked and left end it for good. */
export const VISIT_STATES = ['expected', 'inside', 'overdue', 'left', 'missed', 'revoked'] as const
export type VisitState = (typeof VISIT_STATES)[number]

/**
 * Where a visit stands at a moment.
 *
 * expected  not in, the window is open or ahead             inside   checked in
 * overdue   checked in and the window is over               left     checked out, or gone out and the window is over
 * missed    never came and the window is over               revoked  the pass was taken back before they came
 * special   who is in stays inside or overdue when the pass is revoked: somebody has to see them out
 */
export function visitState(visit: Visit, now: number): VisitState {
  if (visit.CheckedOutAt !== null) return 'left'
  if (visit.AwayAt !== null) return visit.RevokedAt !== null || now > visit.ValidUntil ? 'left' : 'expected'
  if (visit.CheckedInAt !== null) return now > visit.ValidUntil ? 'overdue' : 'inside'
  if (visit.RevokedAt !== null) return 'revoked'
  return now > visit.ValidUntil ? 'missed' : 'expected'
}

/** Why a scanner says no. */
export const DENIALS = [
  'unknown',
  'notYet',
  'expired',
  'revoked',
  'checkedOut',
  'inactive',
  'notAssigned',
  'late',
] as const
export type Denial = (typeof DENIALS)[number]

/** Why a visitor may not pass now; undefined when nothing speaks against it. The window includes both its ends. */
export function visitorDenial(visit: Visit, now: number): Denial | undefined {
  if (visit.RevokedAt !== null) return 'revoked'
  if (visit.CheckedOutAt !== null) return 'checkedOut'
  if (now < visit.ValidFrom) return 'notYet'
  return now > visit.ValidUntil ? 'expired' : undefined
}

/** Which way a scanner lets people through; both turns whoever is inside out, and the other way round. */
export const DIRECTIONS = ['in', 'out', 'both'] as const
export type Direction = (typeof DIRECTIONS)[number]

/** Which way a person goes who passes here. */
export const movement = (direction: Direction, inside: boolean): 'in' | 'out' =>
  direction === 'both' ? (inside ? 'out' : 'in') : direction

/** What a pass says, before it is signed. */
export type Pass =
  | { kind: 'visitor'; id: string; from: number; until: number }
  /** An employee's pass stands until another one is made: the serial rises. */
  | { kind: 'employee'; id: string; serial: number }

const SECOND = 1000

/**
 * A pass as text, short so that its QR code is coarse: `V.<id>.<from>.<until>` or `E.<id>.<serial>`, numbers in base 36, the window
 * in whole seconds, outwards.
 */
export const writePass = (pass: Pass): string =>
  pass.kind === 'visitor'
    ? [
        'V',
        pass.id,
        Math.floor(pass.from / SECOND).toString(36),
        Math.ceil(pass.until / SECOND).toString(36),
      ].join('.')
    : ['E', pass.id, pass.serial.toString(36)].join('.')

/** The pass that a text says, or undefined; whether it is ours only its signature tells. */
export function readPass(text: string): Pass | undefined {
  const [kind, id = '', first = '', second = '', ...rest] = text.split('.')
  if (rest.length > 0 || !/^[A-Za-z0-9_-]{1,64}$/.test(id) || !/^[0-9a-z]{1,9}$/.test(first)) return undefined
  if (kind === 'E' && second === '') return { kind: 'employee', id, serial: parseInt(first, 36) }
  if (kind !== 'V' || !/^[0-9a-z]{1,9}$/.test(second)) return undefined
  return {
    kind: 'visitor',
    id,
    from: parseInt(first, 36) * SECOND,
    until: parseInt(second, 36) * SECOND,
  }
}

/**
 * Digits of a phone number however it was typed: full width, spaces, dashes, brackets. A number of Taiwan with its country code
 * becomes the national form, so that one phone has one spelling; other E.164 numbers keep their `+`.
 */
export const phoneDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s().-]/g, '')
    .replace(/^\+8860?(?=\d{9}$)/, '0')

/** A stored number as people write it: 0911-222-333 (§5). Anything else stays as it is. */
export const formatPhone = (digits: string): string =>
  /^\d{10}$/.test(digits) ? `${digits.slice(0, 4)}-${digits.slice(4, 7)}-${digits.slice(7)}` : digits

/** A card's number as readers and people write it: without separators, letters large. */
export const cardDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s:.-]/g, '')
    .toUpperCase()
