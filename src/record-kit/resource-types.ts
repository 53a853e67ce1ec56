import type { z } from 'zod'
import type { AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import type { Resource, Verb } from '../../contract/kernel/define-resource.ts'
import type { ResourceName } from '../../contract/index.ts'

/** Any resource of the contract. */
export type AnyResource = Resource<ResourceName, z.ZodObject, { [verb in Verb]?: AnyEndpoint }>

/** One row as a list call answers it. */
export type RowOf<List extends AnyEndpoint> =
  z.input<List['results']> extends readonly (infer Row)[] ? Row : never

/** A row whose fields are read by name. */
export type AnyRow = Readonly<Record<string, unknown>>
