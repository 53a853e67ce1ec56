import type { ChannelKind } from '../../../contract/notifications/notification-channel.ts'
import { GatewayError } from '../../kernel/errors.ts'

/** Address and credentials of a channel. */
export interface ChannelSecret {
  Address?: string | undefined
  Token?: string | undefined
  Target?: string | undefined
}

/** Parts that each kind needs; others are not allowed. */
const PARTS: Readonly<Record<ChannelKind, readonly (keyof ChannelSecret)[]>> = {
  line: ['Token', 'Target'],
  teams: ['Address'],
  webhook: ['Address', 'Token'],
}

/** Errors: INVALID naming the part that is missing or not allowed for the kind. */
export function assertSecretParts(kind: ChannelKind, secret: ChannelSecret): void {
  for (const part of ['Address', 'Token', 'Target'] as const) {
    const isNeeded = PARTS[kind].includes(part)
    if (isNeeded === Boolean(secret[part])) continue
    const reason = isNeeded ? 'required' : 'invalid'
    throw new GatewayError('INVALID', `A channel of kind ${kind} and its ${part}`, { [part]: reason })
  }
}

/** Recognizable part of a secret: the host of an address, the end of a target. */
export const maskedSecret = ({ Address, Target }: ChannelSecret): string =>
  Address ? new URL(Address).host : `…${(Target ?? '').slice(-4)}`
