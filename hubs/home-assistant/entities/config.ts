import type { Availability, Incoming, Publication, Read, Value } from './entity.ts'
import type { Aspect } from './entity.ts'
import { isRecord } from '../../../contract/kernel/is-record.ts'
import { isExact } from '../../../contract/kernel/parse-json.ts'
import { isFilter, isTopic } from './keys.ts'
import { compileTemplate, contextOf, isUnknown } from './template.ts'
import { tooLong } from './units.ts'

/** A discovery payload with full keys. The functions below treat a field of the wrong type as absent. */
export type EntityConfig = Readonly<Record<string, unknown>>

/** A non-empty text; undefined for anything else. */
export const text = (config: EntityConfig, key: string): string | undefined => {
  const value = config[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A number, also if it is written as a text. */
export const number = (config: EntityConfig, key: string, fallback: number): number => {
  const value = Number(config[key] ?? fallback)
  return Number.isFinite(value) ? value : fallback
}

/** A list of texts, e.g. modes. */
export const texts = (config: EntityConfig, key: string, fallback: readonly string[]): readonly string[] => {
  const value = config[key]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : fallback
}

/** A payload as text, for comparing and sending; a boolean is written as in Python. */
export const payload = (config: EntityConfig, key: string, fallback: string): string => {
  const value = config[key]
  return typeof value === 'boolean'
    ? value
      ? 'True'
      : 'False'
    : value === undefined
      ? fallback
      : String(value)
}

/**
 * A topic of the payload.
 *
 * errors  Error for one that is empty, too long or contains wildcards
 */
export function topic(config: EntityConfig, key: string): string | undefined {
  const value = config[key]
  if (value === undefined || value === null) return undefined
  if (!isTopic(value)) throw new Error(`${key} is no topic`)
  return value
}

/**
 * A topic of the payload to subscribe to; it may contain wildcards.
 *
 * errors  Error for an invalid one, or one that would match most of the broker's topics
 */
function filter(config: EntityConfig, key: string): string | undefined {
  const value = config[key]
  if (value === undefined || value === null) return undefined
  if (!isFilter(value))
    throw new Error(isWildcard(value) ? `the wildcards of ${key} take in too much` : `${key} is no topic`)
  return value
}
const isWildcard = (value: unknown) => typeof value === 'string' && /[+#]/.test(value)

/** The text of a message, rendered by its template if there is one. */
export function textOf(config: EntityConfig, templateKey: string): (message: Incoming) => string {
  const template = text(config, templateKey)
  if (template === undefined) return (message) => message.text
  const compiled = compileTemplate(template)
  return (message) => compiled(contextOf(message))
}

/** Whether two payloads mean the same: equal texts, or `True` and `true`. */
const matches = (raw: string, expected: string): boolean =>
  raw === expected || (/^(true|false)$/i.test(raw) && raw.toLowerCase() === expected.toLowerCase())

/** Parses on or off; null for unknown, undefined for any other text. */
export const onOff =
  (on: string, off: string) =>
  (raw: string): boolean | null | undefined =>
    matches(raw, on) ? true : matches(raw, off) ? false : isUnknown(raw) ? null : undefined

/** Parses a number, null for unknown. errors  Error for a text that is not a number, and for a number that would be rounded */
export function numeric(raw: string): number | null {
  if (isUnknown(raw)) return null
  const value = Number(raw)
  if (!Number.isFinite(value)) throw new Error(`"${raw.slice(0, 40)}" is no number`)
  if (!isExact(value)) throw new Error(tooLong(raw))
  return value
}

/** Reads an aspect from a topic; empty if the payload names no topic. */
export function readOf(
  config: EntityConfig,
  aspect: Aspect,
  topicKey: string,
  templateKey: string,
  value: (raw: string) => Value | null | undefined,
): Read[] {
  const from = filter(config, topicKey)
  if (from === undefined) return []
  const textIn = textOf(config, templateKey)
  return [{ topic: from, aspect, read: (message) => value(textIn(message)) }]
}

/** Writes to a topic, through the command template if there is one; undefined if the payload names no topic. */
export function writeOf(
  config: EntityConfig,
  topicKey: string,
  templateKey: string,
  payloadOf: (value: Value) => string | number,
): ((value: Value) => Publication) | undefined {
  const to = topic(config, topicKey)
  if (to === undefined) return undefined
  const template = text(config, templateKey)
  const compiled = template === undefined ? undefined : compileTemplate(template)
  return (value) => {
    const plain = payloadOf(value)
    return {
      topic: to,
      payload: compiled ? compiled({ value: plain, json: () => undefined }) : String(plain),
    }
  }
}

/** The availability topics of the payload: one topic or a list. */
export function availabilityOf(config: EntityConfig): Availability | undefined {
  const list = Array.isArray(config['availability'])
    ? config['availability'].filter(isRecord)
    : config['availability_topic'] === undefined
      ? []
      : [{ ...config, topic: config['availability_topic'], value_template: config['availability_template'] }]
  if (list.length === 0) return undefined
  const mode = text(config, 'availability_mode')
  return {
    mode: mode === 'all' || mode === 'any' ? mode : 'latest',
    topics: list.map((one) => {
      const from = filter(one, 'topic')
      if (from === undefined) throw new Error('availability without a topic')
      const textIn = textOf(one, 'value_template')
      const isAvailable = onOff(
        payload(one, 'payload_available', 'online'),
        payload(one, 'payload_not_available', 'offline'),
      )
      return { topic: from, read: (message) => isAvailable(textIn(message)) ?? undefined }
    }),
  }
}
