import {
  InfoReported,
  RegistrationReported,
  SHADOW_NAMES,
  type ShadowName,
} from '../../../../contract/channels/shadow.ts'
import { markUnreadable } from '../../../lib/parse-bytes.ts'
import { depthOf, MAX_DEPTH, type Patch } from './document.ts'

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
}

const MAX_TOKEN_BYTES = 64
/** In JSON: a zero byte or half a character, which PostgreSQL cannot keep in a text. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

function parseObject(payload: Uint8Array): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
  } catch {
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

/** An empty payload, or an object with a clientToken at most. */
export const parseGet = (payload: Uint8Array): { clientToken: string | undefined } =>
  payload.length === 0 ? { clientToken: undefined } : { clientToken: parseToken(parseObject(payload)) }

/**
 * An update of a shadow; what `info` and `registration` report must also be of the contract's shape.
 *
 * errors    ShadowError 400: no JSON, no state, wrong types, deeper than 6 levels, text that cannot be stored
 */
export function parseUpdate(payload: Uint8Array, shadowName: ShadowName): UpdateRequest {
  const request = parseObject(payload)
  const clientToken = parseToken(request)
  const refuse = (text: string): never => {
    throw new ShadowError(400, text, clientToken)
  }
  const { state, version } = request
  if (state === undefined) refuse('Missing required node: state')
  if (typeof state !== 'object' || state === null || Array.isArray(state))
    refuse('State node must be an object')
  if (version !== undefined && !Number.isSafeInteger(version)) refuse('Invalid version')
  const patch: Patch = {}
  for (const [name, section] of Object.entries(state as object)) {
    if (name !== 'desired' && name !== 'reported')
      return refuse(`State contains an invalid node: '${name.slice(0, 64)}'`)
    if (section !== null && (typeof section !== 'object' || Array.isArray(section)))
      refuse(`The ${name} node must be an object`)
    if (depthOf(section, MAX_DEPTH) > MAX_DEPTH)
      refuse('JSON contains too many levels of nesting; maximum is 6')
    patch[name] = section
  }
  if (UNSTORABLE.test(JSON.stringify(patch))) refuse('Payload contains an invalid character')
  if (patch.reported) {
    // Null removes a leaf, so it is not of any type.
    const given = Object.fromEntries(Object.entries(patch.reported).filter(([, value]) => value !== null))
    const read = (shadowName === 'info' ? InfoReported : RegistrationReported).safeParse(given)
    const issue = read.error?.issues[0]
    if (issue) refuse(`Invalid state.reported.${issue.path.join('.')}`)
  }
  return { patch, version: version as number | undefined, clientToken }
}

export const isShadowName = (name: string | undefined): name is ShadowName =>
  SHADOW_NAMES.some((known) => known === name)
