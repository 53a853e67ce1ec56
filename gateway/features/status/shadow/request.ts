import type { z } from 'zod'
import { SHADOW_NAMES, type ShadowName } from '../../../../contract/devices/shadow-names.ts'
import { parseTolerantJson } from '../../../../contract/kernel/parse-json.ts'
import { type OddValue, readValid } from '../../../../contract/kernel/read-valid.ts'
import { markUnreadable } from '../../../lib/parse-bytes.ts'
import { InfoReported, MAX_REGISTERED, Registered } from '../../../../contract/devices/channels/shadow.ts'
import { isRecord } from '../../../../contract/kernel/is-record.ts'
import { HomeID } from '../../../../contract/kernel/scalars.ts'
import { depthOf, MAX_DEPTH, type Patch, type Section } from './document.ts'

/** Matches a NUL or an unpaired surrogate in JSON, which PostgreSQL cannot store in a text. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

type Fields = Record<string, unknown>

/**
 * The valid part of what a hub reports of itself or its devices; fields and devices are validated one by one.
 *
 * oddValues      receives the omitted values
 * rejectedPath  path of the first invalid value, if nothing valid is left
 */
function readReported(
  shadowName: ShadowName,
  reported: Fields,
  oddValues: OddValue[],
): { reported: Fields; rejectedPath?: string } {
  if (shadowName === 'info') {
    const valid = keepValidFields(reported, InfoReported.shape, '', oddValues)
    const isEmpty = oddValues.length > 0 && Object.keys(valid).length === 0
    return { reported: valid, ...(isEmpty && { rejectedPath: oddValues[0]?.path ?? '' }) }
  }
  const { Peripherals, ...others } = keepValidFields(reported, { homeID: HomeID }, '', oddValues)
  // Null removes a leaf.
  if (Peripherals === undefined || Peripherals === null)
    return { reported: Peripherals === null ? { ...others, Peripherals } : others }
  if (!Array.isArray(Peripherals)) return { reported: others, rejectedPath: 'Peripherals' }
  const devices = Peripherals.flatMap((item: unknown, i) => {
    const device = i < MAX_REGISTERED ? readDevice(item, i, oddValues) : undefined
    if (i === MAX_REGISTERED) oddValues.push({ path: `Peripherals.${i}`, came: item })
    return device ? [device] : []
  })
  if (devices.length === 0 && Peripherals.length > 0)
    return { reported: others, rejectedPath: oddValues[0]?.path ?? 'Peripherals' }
  return { reported: { ...others, Peripherals: devices } }
}

/** An announced device; undefined without a valid id and type. An invalid name or version is omitted. */
function readDevice(item: unknown, i: number, oddValues: OddValue[]): Fields | undefined {
  if (!isRecord(item)) {
    oddValues.push({ path: `Peripherals.${i}`, came: item })
    return undefined
  }
  // An empty name counts as none.
  const withoutEmpty: Fields = Object.fromEntries(
    Object.entries(item).filter(([, value]) => value !== null && value !== ''),
  )
  const { PeripheralUID, PeripheralType } = withoutEmpty
  const hasId = Registered.shape.PeripheralUID.safeParse(PeripheralUID).success
  const path = `Peripherals.${hasId ? String(PeripheralUID) : i}`
  if (typeof PeripheralType === 'number') withoutEmpty['PeripheralType'] = String(PeripheralType)
  const device = keepValidFields(withoutEmpty, Registered.shape, `${path}.`, oddValues)
  if (device['PeripheralUID'] === undefined || device['PeripheralType'] === undefined) {
    for (const field of ['PeripheralUID', 'PeripheralType'])
      if (withoutEmpty[field] === undefined) oddValues.push({ path: `${path}.${field}`, came: undefined })
    return undefined
  }
  return UNSTORABLE.test(JSON.stringify(device))
    ? Object.fromEntries(Object.entries(device).filter(([field]) => field in Registered.shape))
    : device
}

/** The fields without the invalid ones, by their schemas; null stays, because it removes a leaf. */
function keepValidFields(
  fields: Fields,
  shape: Readonly<Record<string, z.ZodType>>,
  path: string,
  oddValues: OddValue[],
): Fields {
  const valid: Fields = { ...fields }
  for (const [field, schema] of Object.entries(shape)) {
    const value = fields[field]
    if (value === undefined || value === null) continue
    const isStorable = !UNSTORABLE.test(JSON.stringify(value))
    const read = isStorable ? readValid(schema, value, path + field, oddValues) : undefined
    if (!isStorable) oddValues.push({ path: path + field, came: value })
    if (read === undefined) delete valid[field]
    else valid[field] = read
  }
  return valid
}

/** A request that is answered on `…/rejected`, with AWS IoT's codes. */
export class ShadowError extends Error {
  readonly code: 400 | 404 | 409 | 413
  readonly clientToken: string | undefined

  constructor(code: 400 | 404 | 409 | 413, message: string, clientToken?: string) {
    super(message)
    this.name = 'ShadowError'
    this.code = code
    this.clientToken = clientToken
  }
}

export interface UpdateRequest {
  patch: Patch
  version: number | undefined
  clientToken: string | undefined
  /** Fields of `reported` that could not be used and were omitted. */
  oddValues?: readonly OddValue[]
}

const MAX_TOKEN_BYTES = 64
function parseObject(payload: Uint8Array): Record<string, unknown> {
  let value: unknown
  try {
    value = parseTolerantJson(new TextDecoder('utf-8', { fatal: true }).decode(payload))
  } catch {
    value = undefined
  }
  if (value === undefined) {
    markUnreadable(payload)
    throw new ShadowError(400, 'Payload contains invalid json')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ShadowError(400, 'Payload must be a json object')
  return value as Record<string, unknown>
}

function parseToken({ clientToken }: Record<string, unknown>): string | undefined {
  if (clientToken === undefined) return undefined
  if (typeof clientToken !== 'string' || Buffer.byteLength(clientToken) > MAX_TOKEN_BYTES)
    throw new ShadowError(400, 'Invalid clientToken')
  return clientToken
}

/** Parses an empty payload, or an object with an optional clientToken. */
export const parseGet = (payload: Uint8Array): { clientToken: string | undefined } =>
  payload.length === 0 ? { clientToken: undefined } : { clientToken: parseToken(parseObject(payload)) }

/**
 * Parses an update of a shadow. `info` and `registration` reports are validated field by field: values that violate
 * the contract's shape are omitted and listed.
 *
 * errors    ShadowError 400: no JSON, no state, wrong types, deeper than 6 levels, text that cannot be stored
 */
export function parseUpdate(payload: Uint8Array, shadowName: ShadowName): UpdateRequest {
  const request = parseObject(payload)
  const clientToken = parseToken(request)
  const reject = (text: string): never => {
    throw new ShadowError(400, text, clientToken)
  }
  const { state, version } = request
  if (state === undefined) reject('Missing required node: state')
  if (typeof state !== 'object' || state === null || Array.isArray(state))
    reject('State node must be an object')
  if (version !== undefined && !Number.isSafeInteger(version)) reject('Invalid version')
  const patch: Patch = {}
  for (const [name, section] of Object.entries(state as object)) {
    if (name !== 'desired' && name !== 'reported')
      return reject(`State contains an invalid node: '${name.slice(0, 64)}'`)
    if (section !== null && (typeof section !== 'object' || Array.isArray(section)))
      reject(`The ${name} node must be an object`)
    if (depthOf(section, MAX_DEPTH) > MAX_DEPTH)
      reject('JSON contains too many levels of nesting; maximum is 6')
    patch[name] = section
  }
  const oddValues: OddValue[] = []
  if (patch.reported) {
    const { reported, rejectedPath } = readReported(shadowName, patch.reported, oddValues)
    if (rejectedPath !== undefined) reject(`Invalid state.reported.${rejectedPath}`)
    patch.reported = reported as Section
  }
  if (UNSTORABLE.test(JSON.stringify(patch))) reject('Payload contains an invalid character')
  return { patch, version: version as number | undefined, clientToken, oddValues }
}

export const isShadowName = (name: string | undefined): name is ShadowName =>
  SHADOW_NAMES.some((known) => known === name)
