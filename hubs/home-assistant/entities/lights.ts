import {
  number,
  numeric,
  onOff,
  payload,
  readOf,
  text,
  texts,
  topic,
  writeOf,
  type EntityConfig,
} from './config.ts'
import { NoCounterpart, type EntityAccess, type Incoming, type Read, type Value } from './entity.ts'
import { isRecord } from '../../../contract/kernel/is-record.ts'

/** Brightness in percent; a lamp that is on is at least 1. */
export const toPercent = (raw: number, scale: number): number =>
  raw <= 0 ? 0 : Math.min(100, Math.max(1, Math.round((raw / scale) * 100)))
const fromPercent = (value: Value, scale: number): number => Math.round((Number(value) / 100) * scale)

/**
 * A light of discovery: `schema: json`, or the basic schema with separate topics. Without brightness it is a relay.
 *
 * errors  Error for the template schema and for a light without a command topic
 */
export function light(config: EntityConfig): EntityAccess {
  const schema = text(config, 'schema') ?? 'basic'
  if (schema === 'json') return jsonLight(config)
  if (schema === 'basic' || schema === 'default') return basicLight(config)
  throw new NoCounterpart('noType', `lights of schema ${schema} are not supported`)
}

function basicLight(config: EntityConfig): EntityAccess {
  const on = payload(config, 'payload_on', 'ON')
  const off = payload(config, 'payload_off', 'OFF')
  const scale = Math.max(1, number(config, 'brightness_scale', 255))
  const switching = writeOf(config, 'command_topic', 'command_template', (value) =>
    value === true ? on : off,
  )
  if (!switching) throw new Error('a light without command_topic')
  const dimming = writeOf(config, 'brightness_command_topic', 'brightness_command_template', (value) =>
    fromPercent(value, scale),
  )
  return {
    role: { kind: dimming ? 'light' : 'relay' },
    reads: [
      ...readOf(config, 'state', 'state_topic', 'state_value_template', onOff(on, off)),
      ...readOf(config, 'brightness', 'brightness_state_topic', 'brightness_value_template', (got) => {
        const raw = numeric(got)
        return raw === null ? null : toPercent(raw, scale)
      }),
    ],
    writes: { state: switching, ...(dimming && { brightness: dimming }) },
  }
}

function jsonLight(config: EntityConfig): EntityAccess {
  const to = topic(config, 'command_topic')
  if (to === undefined) throw new Error('a light without command_topic')
  const from = topic(config, 'state_topic')
  const scale = Math.max(1, number(config, 'brightness_scale', 255))
  const dims =
    config['brightness'] === true ||
    texts(config, 'supported_color_modes', []).some((mode) => mode !== 'onoff')
  const field = (message: Incoming, key: string): unknown => {
    const body = message.json()
    return isRecord(body) ? body[key] : undefined
  }
  const send = (body: object) => ({ topic: to, payload: JSON.stringify(body) })
  const state: Read['read'] = (message) => {
    const raw = field(message, 'state')
    return raw === 'ON' ? true : raw === 'OFF' ? false : raw === null ? null : undefined
  }
  const brightness: Read['read'] = (message) => {
    const raw = field(message, 'brightness')
    return typeof raw === 'number' ? toPercent(raw, scale) : undefined
  }
  return {
    role: { kind: dims ? 'light' : 'relay' },
    reads:
      from === undefined
        ? []
        : [
            { topic: from, aspect: 'state', read: state },
            ...(dims ? [{ topic: from, aspect: 'brightness' as const, read: brightness }] : []),
          ],
    writes: {
      state: (value) => send({ state: value === true ? 'ON' : 'OFF' }),
      ...(dims && {
        brightness: (value: Value) =>
          send({ state: value === 0 ? 'OFF' : 'ON', brightness: fromPercent(value, scale) }),
      }),
    },
  }
}
