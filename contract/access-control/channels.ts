import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineChannel } from '../kernel/define-channel.ts'
import { hubText } from '../kernel/scalars.ts'
import { DENIALS } from './access-pass.ts'

const read = right('access_control_scanner', 'Read')

export const CREDENTIAL_TYPES = ['qr', 'card'] as const

/** Maximum age of a scan on arrival, in ms; older ones are denied because the person has left the door. */
export const MAX_SCAN_AGE_MS = 60_000
/** Interval in which the same credential at the same scanner counts once, in ms. */
export const SCAN_DEDUPLICATION_MS = 2_000

/**
 * Scan of a code or a card. The topic names the scanner, so that a broker without sender information also authenticates it. Timestamp in
 * seconds (10 digits) or ms.
 */
export const accessScan = defineChannel({
  template: '{rootId}/{homeId}/access/scan/{thingName}',
  summary: 'A credential that a scanner read; answered on access/decision.',
  publishers: ['scanner'],
  subscribers: [],
  access: read,
  payload: z.object({
    Timestamp: z.number().min(0).max(8.64e15),
    Type: z.enum(CREDENTIAL_TYPES),
    Credential: hubText(256),
  }),
})

/** Answer to one scan; Timestamp is that of the scan. Name is for the scanner's display, omitted if the person is unknown. */
export const accessDecision = defineChannel({
  template: '{rootId}/{homeId}/access/decision/{thingName}',
  summary: 'Decision on a credential: whether to open, and the reason if not.',
  publishers: ['gateway'],
  subscribers: ['scanner'],
  access: read,
  payload: z.object({
    Timestamp: z.number(),
    Allow: z.boolean(),
    Reason: z.enum(DENIALS).optional(),
    Movement: z.enum(['in', 'out']).optional(),
    Name: z.string().optional(),
  }),
})

/** Connection state of a scanner; the last will reports the disconnect. */
export const accessPresence = defineChannel({
  template: '{rootId}/{homeId}/access/presence/{thingName}',
  summary: 'Whether a scanner is connected.',
  publishers: ['scanner'],
  subscribers: [],
  access: read,
  payload: z.object({ Online: z.boolean() }),
})
