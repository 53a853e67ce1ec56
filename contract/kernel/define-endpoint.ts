import type { z } from 'zod'
import type { Access, Right } from './permissions.ts'
import type { ShownEntity } from './entities.ts'
import type { ErrorCode } from './errors.ts'

/**
 * Ways to determine the sites (homes) of a call, at which rights are decided.
 *
 * input      required HomeID in the input
 * orCompany  HomeID in the input; null or absent means the company itself
 * record     site of the stored record
 * mixed      several sites, those that the caller may see
 * company    the company, independent of sites
 * none       no site: public, or the caller's own data
 */
export const SITE_CLASSES = ['input', 'orCompany', 'record', 'mixed', 'company', 'none'] as const
export type SiteClass = (typeof SITE_CLASSES)[number]
/** Classes that a declaration states; `input` follows from the input schema. */
export type DeclaredSiteClass = Exclude<SiteClass, 'input'>

/** Declaration of `sites`: omitted if the input has a required HomeID, else required. */
export type SitesFor<Input extends z.ZodObject> = Input['shape'] extends { HomeID: z.ZodString }
  ? { sites?: never }
  : { sites: DeclaredSiteClass }

/** Declaration of one call of the gateway (§7). */
export interface Endpoint<
  Path extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Results extends z.ZodType = z.ZodType,
> {
  path: Path
  method: 'POST' | 'GET'
  /** One sentence for the API reference. */
  summary: string
  access: Access
  /** Set if a field of the input decides which right is needed; `access` is then the minimum for every caller. */
  accessBy: AccessBy | undefined
  sites: SiteClass
  input: Input
  results: Results
  /** Accepted aliases of input fields, for names that §3 spells in two ways: `{ timezone: 'TimeZone' }`. */
  aliases: Readonly<Record<string, string>>
  /** Errors of this call in addition to those that any call may return. */
  errors: readonly ErrorCode[]
  /** Whether the call is a mutation: it runs in a transaction, accepts a RequestID and writes an audit row. */
  mutates: boolean
  /**
   * Whether a mutation commits by itself because part of its work must persist even if it fails, e.g. counting wrong passwords. It
   * runs without a surrounding transaction and RequestID; its audit row is written afterwards.
   */
  commitsItself: boolean
  /** Whether the call also accepts the access token as bearer; other calls accept only the id token (§7 Auth). */
  accessToken: boolean
  /** Entities that a read shows: a change to one makes the answer stale. Empty only with `why`. */
  shows: readonly ShownEntity[]
  /** Entities that a mutation changes and its events are about. Empty only with `why`. */
  changes: readonly ShownEntity[]
  /** Reason why `shows` of a read, or `changes` of a mutation, is empty. */
  why: string | undefined
  /** Input fields that identify the record of a read for one record. Changes to other records do not invalidate the answer. */
  key: readonly string[]
  /** Time in ms for which an answer stays fresh without an event. */
  freshFor: number
  /** Whether events patch the cached answer instead of causing a refetch; never for a paged list. */
  inPlace: boolean
  /** Returns the records of an answer that contains more than records; undefined if the answer is a record, a list or a page. */
  rows: ((answer: z.output<Results>) => readonly object[]) | undefined
}

/** Right by the value of an input field, e.g. AutomationType. Plain data, so that every value can be enumerated. */
export interface AccessBy {
  field: string
  rights: Readonly<Record<string, Right>>
}

/** Access that a call with this input needs. Values without a declared right get `access`; input validation rejects them. */
export function accessOf(
  { access, accessBy }: Pick<Endpoint, 'access' | 'accessBy'>,
  input: unknown,
): Access {
  if (!accessBy) return access
  const value = (input as Record<string, unknown> | null | undefined)?.[accessBy.field]
  const key = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  return (Object.hasOwn(accessBy.rights, key) ? accessBy.rights[key] : undefined) ?? access
}

/** Every access that a call may need, each with an input that needs it; `{}` if the access does not depend on the input. */
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

/** Time in ms for which an answer stays fresh if no event arrives (§4). */
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

/** Declares a call. Its input schema is strict: unknown fields are rejected. */
export function defineEndpoint<Path extends string, Input extends z.ZodObject, Results extends z.ZodType>(
  options: Options<Path, Input, Results> & SitesFor<Input>,
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
    // `SitesFor` permits its omission only if HomeID is required.
    sites: options.sites ?? 'input',
    // Created on first use: screens know hundreds of calls and validate the input of few.
    get input() {
      return (input ??= options.input.strict() as Input)
    },
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- a registry holds endpoints of every shape
export type AnyEndpoint = Endpoint<string, any, any>
/** Input that a handler receives: parsed, with defaults applied. */
export type InputOf<E extends AnyEndpoint> = z.output<E['input']>
/** Input that a caller sends: fields with a default are optional. */
export type RequestOf<E extends AnyEndpoint> = z.input<E['input']>
export type ResultsOf<E extends AnyEndpoint> = z.input<E['results']>
