import type { z } from 'zod'
import type { AnyEndpoint } from '../../../contract/kernel/define-endpoint.ts'
import type { Resource, Verb } from '../../../contract/kernel/define-resource.ts'
import type { ResourceName } from '../../../contract/index.ts'

/** Any resource of the contract. */
export type AnyResource = Resource<ResourceName, z.ZodObject, { [verb in Verb]?: AnyEndpoint }>

/** One row as a list call answers it. */
export type RowOf<List extends AnyEndpoint> =
  z.input<List['results']> extends readonly (infer Row)[] ? Row : never

/** A row whose fields are read by name. */
export type AnyRow = Readonly<Record<string, unknown>>

/** The part of a record that names it, in the resource's key order. */
export const keyOf = (resource: Pick<AnyResource, 'key'>, row: AnyRow): Record<string, unknown> =>
  Object.fromEntries(resource.key.map((field) => [field, row[field]]))

/** One string per record, for React's keys. */
export const rowKey = (resource: Pick<AnyResource, 'key'>, row: AnyRow): string =>
  resource.key.map((field) => String(row[field])).join('/')
