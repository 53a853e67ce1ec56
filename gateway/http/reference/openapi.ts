import { z } from 'zod'
import type { Access } from '../../../contract/kernel/permissions.ts'
import { type ProcedureFamily, procedures, type ResourceName, resources } from '../../../contract/index.ts'
import type { AnyEndpoint } from '../../../contract/kernel/define-endpoint.ts'
import { Status } from '../../../contract/kernel/envelope.ts'
import { ERRORS, type ErrorCode } from '../../../contract/kernel/errors.ts'
import { RequestID } from '../../../contract/kernel/scalars.ts'

/** Errors that any call may return; signed-in ones add two more. */
const ALWAYS: ErrorCode[] = ['INVALID', 'LIMIT_EXCEEDED', 'UNAVAILABLE', 'INTERNAL']

/** Required access of a call, as text. */
export const accessText = (access: Access): string => {
  if (access === 'public') return 'Public: x-api-key'
  if (access === 'signed-in') return 'Any signed-in person'
  if (access === 'root') return 'The owner'
  if (access === 'homes') return 'Any right on a feature of homes'
  if (access === 'rooms') return 'Any right on a feature of homes but conference_room'
  if (access === 'alarms') return 'Read on device or power_meter_alarm'
  if (access === 'alarmActs') return 'Control on power_meter_alarm or device_control'
  return `${access.operation} on ${access.feature}`
}

/** Required access of a call, as text; if a field of the input decides, by its values. */
function callAccessText(endpoint: AnyEndpoint): string {
  const { accessBy } = endpoint
  if (!accessBy) return accessText(endpoint.access)
  const values: Record<string, string[]> = {}
  for (const [value, needed] of Object.entries(accessBy.rights))
    (values[accessText(needed)] ??= []).push(value)
  return Object.entries(values)
    .map(([text, list]) => `${text} (${accessBy.field} ${list.join(', ')})`)
    .join('; ')
}

/** Errors that a call may return, in the order of their codes. */
const errorsOf = ({ access, accessBy, errors }: AnyEndpoint): ErrorCode[] => {
  const all = new Set<ErrorCode>([...ALWAYS, ...errors, 'UNAUTHENTICATED'])
  if (accessBy || typeof access === 'object' || access === 'root') all.add('PERMISSION_DENIED')
  return (Object.keys(ERRORS) as ErrorCode[]).filter((name) => all.has(name))
}

/** Aliases of a call's fields, as text: empty for most calls. */
const aliasText = ({ aliases }: AnyEndpoint): string =>
  Object.entries(aliases)
    .map(([alias, field]) => `${field} may be written ${alias}.`)
    .join(' ')

/** Schema of a body with field aliases: a required field may be given under either name. */
function withAliases(schema: JsonSchema, { aliases }: AnyEndpoint): JsonSchema {
  const entries = Object.entries(aliases)
  if (entries.length === 0) return schema
  const properties = { ...(schema['properties'] as Record<string, JsonSchema>) }
  const required = (schema['required'] ?? []) as string[]
  for (const [alias, field] of entries)
    properties[alias] = { ...properties[field], description: `Another name of ${field}` }
  return {
    ...schema,
    properties,
    required: required.filter((field) => !Object.values(aliases).includes(field)),
    allOf: entries.map(([alias, field]) =>
      required.includes(field)
        ? { oneOf: [{ required: [field] }, { required: [alias] }] }
        : { not: { required: [field, alias] } },
    ),
  }
}

/** Calls by record or family. */
export const callGroups = new Map<string, readonly AnyEndpoint[]>(
  [...new Set([...Object.keys(resources), ...Object.keys(procedures)])].map((name) => [
    name,
    [
      ...Object.values(resources[name as ResourceName]?.operations ?? {}),
      ...Object.values(procedures[name as ProcedureFamily] ?? {}),
    ],
  ]),
)

/**
 * OpenAPI 3.1 description of every call, generated from the contract.
 *
 * group  describes only the calls of one group: viewers take seconds for all of them
 */
export function createOpenApi(version: string, group?: string): JsonSchema {
  const groups = group === undefined ? [...callGroups] : [[group, callGroups.get(group) ?? []] as const]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gateway calls',
      version,
      description:
        'Every answer is `{status, results}`; status.code 0 is success and the HTTP status says the same. Times are epoch milliseconds.',
    },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(
      groups.flatMap(([name, calls]) =>
        calls.map((endpoint) => [
          endpoint.path,
          { [endpoint.method.toLowerCase()]: { tags: [name], ...operationOf(endpoint) } },
        ]),
      ),
    ),
    components: {
      schemas: { Status: jsonSchemaOf(Status, 'output') },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The id token' },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      },
    },
  }
}

function operationOf(endpoint: AnyEndpoint): JsonSchema {
  const input: z.ZodObject = endpoint.mutates
    ? endpoint.input.safeExtend({ RequestID: RequestID.optional() })
    : endpoint.input
  const status = { $ref: '#/components/schemas/Status' }
  const envelope = (more: JsonSchema = {}) => ({
    'application/json': {
      schema: { type: 'object', required: ['status'], properties: { status, ...more } },
    },
  })
  return {
    operationId: endpoint.path.slice(1),
    summary: endpoint.summary,
    description: [callAccessText(endpoint), aliasText(endpoint)].filter(Boolean).join('. '),
    security: [endpoint.access === 'public' ? { apiKey: [] } : { token: [] }],
    ...(endpoint.method === 'POST' && {
      requestBody: {
        content: { 'application/json': { schema: withAliases(jsonSchemaOf(input, 'input'), endpoint) } },
      },
    }),
    responses: {
      200: {
        description: 'Success',
        content: envelope({ results: jsonSchemaOf(endpoint.results, 'output') }),
      },
      ...Object.fromEntries(
        errorsOf(endpoint).map((name) => [
          ERRORS[name].http,
          { description: `${name} (status.code ${ERRORS[name].code})`, content: envelope() },
        ]),
      ),
    },
  }
}

export type JsonSchema = Record<string, unknown>

/** Converts a contract schema to JSON Schema 2020-12, as OpenAPI 3.1 and AsyncAPI 3 use. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
