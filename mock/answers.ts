import { decide, SOMEWHERE, type Access, type PermissionSubject } from '../contract/kernel/permissions.ts'
import { endpoints, resources } from '../contract/index.ts'
import { accessOf, type AnyEndpoint } from '../contract/kernel/define-endpoint.ts'
import type { Resource, Verb } from '../contract/kernel/define-resource.ts'
import { fieldErrors, type Envelope, type Status } from '../contract/kernel/envelope.ts'
import { ERRORS, OK, type ErrorCode } from '../contract/kernel/errors.ts'
import { createRecorded, withoutOthers, type Recording } from './recording.ts'
import { sampleOf } from './samples.ts'
import { createStore, rowsOf } from './store.ts'
import type { Switches } from './switches.ts'

type Input = Record<string, unknown>
export interface AnswersOptions {
  recording: Recording
  switches: Switches
  /** The signed-in user; undefined before the sign-in. */
  subject(): PermissionSubject | undefined
  /** Calls that the mock answers itself: the signed-in user, and the realtime connection. */
  own: ReadonlyMap<AnyEndpoint, (input: Input) => unknown>
  /** Current status of a device by PeripheralUID; undefined if unknown. */
  statusOf(uid: string): object | undefined
  /** Paths of calls that succeed even if all others are set to fail. */
  opening: ReadonlySet<string>
}

/** Number of rows of a lengthened list; containers such as sites, rooms, floors and scenes are fewer in any company. */
const HUGE = { rows: 10_000, holders: 100 }

const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]))
const verbs = new Map(
  Object.values(resources).flatMap((resource) =>
    Object.entries(resource.operations as Record<Verb, AnyEndpoint>).map(
      ([verb, endpoint]) =>
        [endpoint, { resource: resource as unknown as Resource, verb: verb as Verb }] as const,
    ),
  ),
)

/**
 * Answers any call from the contract: checks permission and input as the gateway does, then returns this
 * tab's edits, the recorded answer, or the smallest answer that matches the schema.
 */
export function createAnswers({ recording, switches, subject, own, opening, statusOf }: AnswersOptions) {
  const recorded = createRecorded(recording)
  const store = createStore()

  function read(endpoint: AnyEndpoint, input: Input): Envelope {
    const stored = recorded(endpoint, input)
    const base =
      stored === undefined
        ? sampleOf(endpoint.results)
        : withoutOthers(endpoint, asOfNow(stored, statusOf), input)
    const of = verbs.get(endpoint)
    const outcome = of ? store.merge(of.resource, endpoint, input, base) : { results: base }
    if ('failure' in outcome) return failed(outcome.failure)
    if (switches.huge) lengthen(endpoint, outcome.results, of?.resource.key ?? [])
    return checked(endpoint, outcome.results)
  }

  function change(endpoint: AnyEndpoint, input: Input): Envelope {
    const of = verbs.get(endpoint)
    if (!of) return checked(endpoint, overlaid(sampleOf(endpoint.results), input))
    const lists = ['list', 'page'].flatMap(
      (verb) => (of.resource.operations as Record<string, AnyEndpoint>)[verb] ?? [],
    )
    const existing = lists
      .flatMap((list) => rowsOf(list, recorded(list, input)) ?? [])
      .find((row) => of.resource.key.every((field) => row[field] === input[field]))
    const outcome = store.change(of.resource, of.verb, endpoint, input, existing)
    if ('failure' in outcome) return failed(outcome.failure)
    return checked(endpoint, overlaid(sampleOf(endpoint.results), outcome.results as Input))
  }

  return (path: string, body: unknown): Envelope => {
    const endpoint = byPath.get(path)
    if (!endpoint) return failed('NOT_FOUND')
    const { fail } = switches
    if (fail && (fail.path === undefined ? !opening.has(path) : fail.path === path)) return failed(fail.code)
    const { RequestID: _, ...given } = (body ?? {}) as Input
    const parsed = endpoint.input.safeParse(
      endpoint.mutates ? renamed(endpoint, given) : renamed(endpoint, body ?? {}),
    )
    const rejection = rejectionOf(accessOf(endpoint, given), subject())
    if (rejection) return rejection
    if (!parsed.success) return failed('INVALID', { fields: fieldErrors(parsed.error) })
    const input = parsed.data as Input
    const handler = own.get(endpoint)
    if (handler) return checked(endpoint, handler(input))
    return endpoint.mutates ? change(endpoint, input) : read(endpoint, input)
  }
}

export const failed = (code: ErrorCode, extra: Partial<Status> = {}): Envelope => ({
  status: { code: ERRORS[code].code, error: code, ...extra },
})

function rejectionOf(access: Access, subject: PermissionSubject | undefined): Envelope | undefined {
  const decision = decide(access, subject, SOMEWHERE)
  if (decision === true) return undefined
  if (decision === 'sign-in') return failed('UNAUTHENTICATED')
  return failed('PERMISSION_DENIED', decision === 'root' ? {} : { missing: decision })
}

/** Validates an answer against the contract; answers that its cross-field rules reject were never recorded. */
function checked(endpoint: AnyEndpoint, results: unknown): Envelope {
  const parsed = endpoint.results.safeParse(results)
  return parsed.success
    ? { status: { code: OK }, results: parsed.data }
    : failed('UNAVAILABLE', { error: `No recording of ${endpoint.path}` })
}

const renamed = ({ aliases }: AnyEndpoint, body: unknown): unknown =>
  Object.fromEntries(Object.entries(body as Input).map(([name, value]) => [aliases[name] ?? name, value]))

/** The answer with current statuses of devices instead of recorded ones; the realtime channel would publish them immediately afterwards. */
function asOfNow(value: unknown, statusOf: AnswersOptions['statusOf']): unknown {
  if (Array.isArray(value)) return value.map((one) => asOfNow(one, statusOf))
  if (typeof value !== 'object' || value === null) return value
  const { PeripheralUID, updateAt } = value as Input
  if (typeof PeripheralUID === 'string' && updateAt !== undefined) return statusOf(PeripheralUID) ?? value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asOfNow(one, statusOf)]))
}

/** Overwrites the fields of an object that also occur in `fields`. */
const overlaid = (results: unknown, fields: Input): unknown =>
  typeof results === 'object' && results !== null && !Array.isArray(results)
    ? { ...results, ...Object.fromEntries(Object.entries(fields).filter(([name]) => name in results)) }
    : results

/** Copies rows under new keys to lengthen a list. */
function lengthen(endpoint: AnyEndpoint, results: unknown, key: readonly string[]): void {
  const rows = rowsOf(endpoint, results)
  const last = key.at(-1)
  if (!rows?.length || last === undefined || 'NextCursor' in (results as object)) return
  const some = [...rows]
  const holds = (row: object) => Object.values(row).some((value) => Array.isArray(value) && value.length > 0)
  const many = some.some(holds) ? HUGE.holders : HUGE.rows
  for (let i = 0; rows.length < many; i++) {
    const row = some[i % some.length] as Input
    const id = row[last]
    rows.push({ ...row, [last]: typeof id === 'number' ? 10_000 + i : `${String(id)}-${i}` })
  }
}
