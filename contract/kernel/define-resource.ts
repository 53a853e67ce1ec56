import type { z } from 'zod'
import { right, type Access, type FeatureKey, type Operation } from './permissions.ts'
import {
  defineEndpoint,
  type AccessBy,
  type AnyEndpoint,
  type DeclaredSiteClass,
  type Endpoint,
  type SitesFor,
} from './define-endpoint.ts'
import type { Entity, ShownEntity } from './entities.ts'
import type { ErrorCode } from './errors.ts'

/** Verbs that a resource can offer, each with the operation of §6 that it needs. */
export const VERBS = {
  list: 'Read',
  /** Paged list for screens; `list` returns all rows, as specified. */
  page: 'Read',
  get: 'Read',
  create: 'Create',
  update: 'Update',
  remove: 'Delete',
} as const satisfies Record<string, Operation>
export type Verb = keyof typeof VERBS

interface OperationSpec {
  path: string
  summary: string
  input: z.ZodObject
  results: z.ZodType
  aliases?: Readonly<Record<string, string>>
  errors?: readonly ErrorCode[]
  /** Overrides the right that the verb needs by default. */
  access?: Access
  /** Overrides it with a right that depends on an input field. */
  accessBy?: AccessBy
  /** Required unless the input has a required HomeID (`SitesOf`). */
  sites?: DeclaredSiteClass
  /** Entities that the rows show in addition to the record itself. */
  shows?: readonly ShownEntity[]
  /** Entities that the mutation changes in addition to the record itself. */
  changes?: readonly ShownEntity[]
  freshFor?: number
  inPlace?: boolean
  // oxlint-disable-next-line typescript/no-explicit-any -- each operation names its own answer
  rows?: (answer: any) => readonly object[]
}

type EndpointFrom<Spec> = Spec extends {
  path: infer P extends string
  input: infer I extends z.ZodObject
  results: infer R extends z.ZodType
}
  ? Endpoint<P, I, R>
  : never

/** Declarations of `sites` that the operations of a record must contain. */
type SitesOf<Operations> = {
  [V in keyof Operations]: Operations[V] extends { input: infer I extends z.ZodObject } ? SitesFor<I> : never
}

/** Schema of each data-change event of a record (§7). */
export type EventSchemas = Readonly<{ [event: string]: z.ZodType }>

/**
 * Schemas of a record's three events. `add` and `update` carry the whole record, or only its key if records are large, personal or
 * paged; lists are then refetched.
 */
export const eventsOf = <K extends z.ZodType, R extends z.ZodType = K>(key: K, record?: R) => {
  const changed = (record ?? key) as R
  return { add: changed, update: changed, remove: key }
}

export interface Resource<
  Name extends string = string,
  Record extends z.ZodObject = z.ZodObject,
  Operations = { [verb in Verb]?: AnyEndpoint },
  Events extends EventSchemas = EventSchemas,
> {
  name: Name
  /** Owner of the records: a company, or a home within a company. */
  scope: 'company' | 'home'
  feature: FeatureKey
  record: Record
  key: readonly (keyof z.infer<Record> & string)[]
  events: Events
  operations: Operations
}

/**
 * Declares a record with its calls. By default each call needs the operation of its verb (§6) on the resource's feature. Every verb except list, page and get is a mutation. Reads show the record, mutations
 * change it.
 */
export function defineResource<
  const Name extends Entity,
  Record extends z.ZodObject,
  Operations extends { [verb in Verb]?: OperationSpec },
  const Events extends EventSchemas,
>(options: {
  name: Name
  scope: 'company' | 'home'
  feature: FeatureKey
  record: Record
  key: readonly (keyof z.infer<Record> & string)[]
  events: Events
  operations: Operations & SitesOf<Operations>
}): Resource<Name, Record, { [V in keyof Operations]: EndpointFrom<Operations[V]> }, Events> {
  const operations = Object.fromEntries(
    Object.entries<OperationSpec>(options.operations).map(([verb, spec]) => {
      const operation = VERBS[verb as Verb]
      const reads = operation === 'Read'
      const endpoint = defineEndpoint({
        access: spec.accessBy ? 'signed-in' : right(options.feature, operation),
        ...spec,
        // `SitesOf` has checked it, for the type of this input.
        sites: spec.sites as DeclaredSiteClass,
        mutates: !reads,
        key: verb === 'get' ? options.key : [],
        shows: reads ? [options.name, ...(spec.shows ?? [])] : [],
        changes: reads ? [] : [options.name, ...(spec.changes ?? [])],
      })
      return [verb, endpoint]
    }),
  )
  return {
    ...options,
    operations: operations as { [V in keyof Operations]: EndpointFrom<Operations[V]> },
  }
}
