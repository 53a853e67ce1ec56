import { z } from 'zod'
import { FromApp, ToApp } from '../../src/native/messages.ts'

/** JSON Schema of a value, as far as the messages use it. */
interface Shape {
  description?: string
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Shape[]
  items?: Shape
  properties?: Record<string, Shape>
  required?: string[]
  additionalProperties?: Shape | false
  maxLength?: number
  maxItems?: number
}

/** Tables of the messages in both directions for a documentation page, from their schemas. */
export const messageTables = (): string =>
  ['### From the app to the page', table(FromApp), '### From the page to the app', table(ToApp)].join('\n\n')

function table(messages: Record<string, z.ZodType>): string {
  const rows = Object.entries(messages).map(([type, schema]) => {
    const shape = z.toJSONSchema(schema) as Shape
    return `| \`${type}\` | ${payloadOf(shape)} | ${shape.description ?? ''} |`
  })
  return ['| type | payload | meaning |', '|---|---|---|', ...rows].join('\n')
}

function payloadOf(shape: Shape): string {
  const members = shape.anyOf?.map(payloadOf)
  if (members) return members.join(', or only ')
  if (shape.type !== 'object') return wordsOf(shape)
  const fields = Object.entries(shape.properties ?? {}).map(
    ([name, field]) => `\`${name}\`${shape.required?.includes(name) ? '' : ' (optional)'}: ${wordsOf(field)}`,
  )
  if (typeof shape.additionalProperties === 'object' && fields.length === 0)
    return `any names: ${wordsOf(shape.additionalProperties)}`
  return fields.join('; ') || 'none'
}

function wordsOf(shape: Shape): string {
  if (shape.enum) return shape.enum.map((value) => `\`${String(value)}\``).join(' or ')
  if (shape.anyOf) return shape.anyOf.map(wordsOf).join(' or ')
  if (shape.type === 'array') {
    const limit = shape.maxItems === undefined ? '' : ` (at most ${shape.maxItems})`
    return `list${limit} of ${wordsOf(shape.items ?? {})}`
  }
  if (shape.type === 'string' && shape.maxLength !== undefined) return `text of at most ${shape.maxLength}`
  const names: Record<string, string> = { string: 'text', integer: 'whole number', boolean: 'true or false' }
  return names[shape.type ?? ''] ?? shape.type ?? 'anything'
}
