import type { z } from 'zod'
import type { Access, Right } from './permissions.ts'
import type { ShownEntity } from './entities.ts'
import type { ErrorCode } from './errors.ts'

/** One call of the gateway, as a value (§7). */
export interface Endpoint<
  Path extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Results extends z.ZodType = z.ZodType,
> {
  path: Path
  method: 'POST' | 'GET'
  /** One sentence for the reference. */
  summary: string
  access: Access
  /** Where a field of the input decides which right it takes: then `access` is what everybody needs. */
  accessBy: AccessBy | undefined
  input: Input
  results: Results
  /** Other names of fields of the input, as §3 also writes them: `{ timezone: 'TimeZone' }`. */
  aliases: Readonly<Record<string, string>>
  /** Errors of this call beyond the ones any call may answer. */
  errors: readonly ErrorCode[]
  /** A mutation runs in a transaction, accepts a RequestID and leaves an audit row. */
  mutates: boolean
  /**
   * A mutation whose work commits by itself, because what it counts must stand even when it fails (a wrong password):
   * no transaction around it and no RequestID; its audit row follows the work.
   */
  commitsItself: boolean
  /** Whether the call also takes the access token as bearer; every other call takes the id token alone (§7 Auth). */
  accessToken: boolean
  /** Of a call that reads: a change of one of these makes its answer old. Empty only with `why`. */
  shows: readonly ShownEntity[]
  /** Of a call that mutates: what its events are about. Empty only with `why`. */
  changes: readonly ShownEntity[]
  /** Why a call that reads shows nothing that events tell of, or a mutation changes nothing of the kind. */
  why: string | undefined
  /** Of a call for one record: the fields of its input that name it. Changes of other records leave the answer alone. */
  key: readonly string[]
  /** Time in ms that an answer stays good without an event. */
  freshFor: number
  /** Whether events correct the answer in the cache instead of having it asked for again; never for a list that pages. */
  inPlace: boolean
  /** The records of an answer that holds something beside them; undefined where the answer is the record, a list or a page. */
  rows: ((answer: z.output<Results>) => readonly object[]) | undefined
}

/** A right by the value of a field of the input, e.g. of AutomationType. Data, so that every value can be walked. */
export interface AccessBy {
  field: string
  rights: Readonly<Record<string, Right>>
}

/** What a call with this input asks of a person. A value that no right is declared for is refused where the input is parsed. */
export function accessOf(
  { access, accessBy }: Pick<Endpoint, 'access' | 'accessBy'>,
  input: unknown,
): Access {
  if (!accessBy) return access
  const value = (input as Record<string, unknown> | null | undefined)?.[accessBy.field]
  const key = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  return (Object.hasOwn(accessBy.rights, key) ? accessBy.rights[key] : undefined) ?? access
}

/** Every right that a call may ask for, each with the input that asks for it; `{}` where the input does not matter. */
export const accessesOf = ({
  access,
  accessBy,
}: Pick<Endpoint, 'access' | 'accessBy'>): { access: Access; input: Record<string, number> }[] =>
  accessBy
    ? Object.entries(accessBy.rights).map(([value, needed]) => ({
        access: needed,
        input: { [accessBy.field]: Number(value) },
      }))
    : [{ access, input: {} }]

/** Time in ms that an answer stays good when no event says otherwise (§4). */
export const STALE_AFTER_MS = 3_600_000

type OptionalFields =
  | 'access'
  | 'accessBy'
  | 'aliases'
  | 'method'
  | 'errors'
  | 'mutates'
  | 'commitsItself'
  | 'accessToken'
  | 'shows'
  | 'changes'
  | 'why'
  | 'key'
  | 'freshFor'
  | 'inPlace'

type Options<Path extends string, Input extends z.ZodObject, Results extends z.ZodType> = Pick<
  Endpoint<Path, Input, Results>,
  'path' | 'summary' | 'input' | 'results'
> &
  ({ access: Access } | { accessBy: AccessBy }) &
  Partial<Pick<Endpoint, OptionalFields>> &
  Partial<Pick<Endpoint<Path, Input, Results>, 'rows'>>

/** Declares a call. Unknown fields are refused: an input object is strict from here on. */
export function defineEndpoint<Path extends string, Input extends z.ZodObject, Results extends z.ZodType>(
  options: Options<Path, Input, Results>,
): Endpoint<Path, Input, Results> {
  let input: Input | undefined
  return {
    method: 'POST',
    access: 'signed-in',
    accessBy: undefined,
    aliases: {},
    errors: [],
    mutates: false,
    commitsItself: false,
    accessToken: false,
    shows: [],
    changes: [],
    why: undefined,
    key: [],
    freshFor: STALE_AFTER_MS,
    inPlace: false,
    rows: undefined,
    ...options,
    // Made when it is first asked for: screens know hundreds of calls and check the input of few.
    get input() {
      return (input ??= options.input.strict() as Input)
    },
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- a registry holds endpoints of every shape
export type AnyEndpoint = Endpoint<string, any, any>
/** What a handler receives: parsed, defaults filled in. */
export type InputOf<E extends AnyEndpoint> = z.output<E['input']>
/** What a caller writes: fields with a default may be left out. */
export type RequestOf<E extends AnyEndpoint> = z.input<E['input']>
export type ResultsOf<E extends AnyEndpoint> = z.input<E['results']>
