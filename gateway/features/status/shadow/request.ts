import { SHADOW_NAMES, type ShadowName } from '../../../../contract/devices/shadow-names.ts'
import { parseTolerantJson } from '../../../../contract/kernel/parse-json.ts'
import type { OddValue } from '../../../../contract/kernel/read-valid.ts'
import { markUnreadable } from '../../../lib/parse-bytes.ts'
import { depthOf, MAX_DEPTH, type Patch, type Section } from './document.ts'
import { readReported, UNSTORABLE } from './reported.ts'

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
  odd?: readonly OddValue[]
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
    const { reported, refused: rejectedPath } = readReported(shadowName, patch.reported, oddValues)
    if (rejectedPath !== undefined) reject(`Invalid state.reported.${rejectedPath}`)
    patch.reported = reported as Section
  }
  if (UNSTORABLE.test(JSON.stringify(patch))) reject('Payload contains an invalid character')
  return { patch, version: version as number | undefined, clientToken, odd: oddValues }
}

export const isShadowName = (name: string | undefined): name is ShadowName =>
  SHADOW_NAMES.some((known) => known === name)
