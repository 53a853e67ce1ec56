/** Times of a visit's events, epoch ms; null if not happened. */
export interface Visit {
  ValidFrom: number
  ValidUntil: number
  CheckedInAt: number | null
  /** Time of leaving by a door before the last day of the visit, without having returned since. */
  AwayAt: number | null
  CheckedOutAt: number | null
  RevokedAt: number | null
}

/** States of a visit; revoked and left are final. */
export const VISIT_STATES = ['expected', 'inside', 'overdue', 'left', 'missed', 'revoked'] as const
export type VisitState = (typeof VISIT_STATES)[number]

/**
 * State of a visit at a given time.
 *
 * expected  not inside; the window is open or in the future   inside   checked in
 * overdue   checked in and the window is over               left     checked out, or out and the window is over
 * missed    never came and the window is over               revoked  the pass was revoked before arrival
 * special   a visitor who is inside stays inside or overdue if the pass is revoked: staff has to see them out
 */
export function visitState(visit: Visit, now: number): VisitState {
  if (visit.CheckedOutAt !== null) return 'left'
  if (visit.AwayAt !== null) return visit.RevokedAt !== null || now > visit.ValidUntil ? 'left' : 'expected'
  if (visit.CheckedInAt !== null) return now > visit.ValidUntil ? 'overdue' : 'inside'
  if (visit.RevokedAt !== null) return 'revoked'
  return now > visit.ValidUntil ? 'missed' : 'expected'
}

/** Reasons for a scanner to deny entry. */
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

/** Reason to deny a visitor now; undefined if there is none. The window includes both ends. */
export function visitorDenial(visit: Visit, now: number): Denial | undefined {
  if (visit.RevokedAt !== null) return 'revoked'
  if (visit.CheckedOutAt !== null) return 'checkedOut'
  if (now < visit.ValidFrom) return 'notYet'
  return now > visit.ValidUntil ? 'expired' : undefined
}

/** Directions of a scanner; `both` alternates: a person inside goes out, a person outside goes in. */
export const DIRECTIONS = ['in', 'out', 'both'] as const
export type Direction = (typeof DIRECTIONS)[number]

export const movement = (direction: Direction, inside: boolean): 'in' | 'out' =>
  direction === 'both' ? (inside ? 'out' : 'in') : direction

/** Content of a pass before it is signed. */
export type Pass =
  | { kind: 'visitor'; id: string; from: number; until: number }
  /** Valid until a new pass is created, which increases the serial. */
  | { kind: 'employee'; id: string; serial: number }

const SECOND = 1000

/**
 * Encodes a pass as short text, for a coarse QR code: `V.<id>.<from>.<until>` or `E.<id>.<serial>`, numbers in base 36. The window is in
 * whole seconds, rounded outward.
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

/** Parses a pass, or returns undefined; does not verify its signature. */
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
 * Normalizes a phone number typed with full-width digits, spaces, dashes or brackets. A Taiwanese number with its country code becomes
 * the national form, so that each phone has one spelling; other E.164 numbers keep their `+`.
 */
export const phoneDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s().-]/g, '')
    .replace(/^\+8860?(?=\d{9}$)/, '0')

/** Formats a stored number as 0911-222-333 (§5). Other numbers are returned unchanged. */
export const formatPhone = (digits: string): string =>
  /^\d{10}$/.test(digits) ? `${digits.slice(0, 4)}-${digits.slice(4, 7)}-${digits.slice(7)}` : digits

/** Normalizes a card number: removes separators, upper case. */
export const cardDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s:.-]/g, '')
    .toUpperCase()
