import { user } from '../../../../contract/people/user.ts'
import { randomId } from '../../../lib/random-id.ts'
import { call } from '../../../data/api.ts'
import { callErrorIn } from '../../../data/post.ts'
import type { NewPerson } from './read-people.ts'

/** Letters and digits without those that look alike in print. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz'
const DIGITS = '23456789'

/** Initial password, changed at the first sign-in: ten letters and two digits, about 51 bits (§5). */
export function initialPassword(): string {
  const pick = (from: string, count: number) =>
    Array.from({ length: count }, () => from[below(from.length)]).join('')
  return `${pick(LETTERS, 5)}${pick(DIGITS, 1)}${pick(LETTERS, 5)}${pick(DIGITS, 1)}`
}

/** Uniformly distributed random number below a limit of at most 256. */
function below(limit: number): number {
  const maxPerWindow = 256 - (256 % limit)
  for (;;) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1))
    if (byte !== undefined && byte < maxPerWindow) return byte % limit
  }
}

export interface ImportResult {
  line: number
  person: NewPerson
  password: string
}
export interface FailedRow {
  line: number
  person: NewPerson
  error: unknown
}
export interface ImportProgress {
  created: readonly ImportResult[]
  failed: readonly FailedRow[]
}

/** Maximum number of attempts per person after transient failures. */
const MAX_ATTEMPTS = 4
/** Delay before another attempt, in ms, multiplied by the number of the attempt. */
const RETRY_DELAY_MS = 1_500
const transientFailures = new Set(['NETWORK', 'UNAVAILABLE', 'LIMIT_EXCEEDED'])

/**
 * Creates people one after another, each with an own password; each is created completely or not at all. Retries use the same RequestID, so
 * nobody is created twice.
 */
export async function createPeople(
  people: readonly { line: number; person: NewPerson }[],
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<ImportProgress> {
  let progress: ImportProgress = { created: [], failed: [] }
  for (const { line, person } of people) {
    if (signal.aborted) break
    const body = { ...person, password: initialPassword() }
    const requestId = randomId()
    for (let attempt = 1; ; attempt++) {
      try {
        await call(user.operations.create, body, { requestId })
        progress = {
          ...progress,
          created: [...progress.created, { line, person, password: body.password }],
        }
        break
      } catch (error) {
        if (attempt < MAX_ATTEMPTS && transientFailures.has(callErrorIn(error)?.failure ?? '')) {
          await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS * attempt))
          continue
        }
        progress = { ...progress, failed: [...progress.failed, { line, person, error }] }
        break
      }
    }
    onProgress(progress)
  }
  return progress
}
