import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineChannel } from '../kernel/define-channel.ts'
import { hubText } from '../kernel/scalars.ts'
import { DENIALS } from './access-pass.ts'

const read = right('access_control_scanner', 'Read')

/** How a person showed who they are. */
export const CREDENTIAL_TYPES = ['qr', 'card'] as const

/** A scan may be this old when it arrives, in ms; later ones are answered no: whoever it was has left the door. */
export const MAX_SCAN_AGE_MS = 60_000
/** The same credential at the same scanner within this time counts once, in ms. */
export const SCAN_DEDUPLICATION_MS = 2_000

/**
 * Somebody showed a code or a card. The topic names the scanner, so that also a broker that does not tell who sent a message
 * proves it. Timestamp in seconds (10 digits) or ms.
 */
export const accessScan = defineChannel({
  template: '{rootId}/{homeId}/access/scan/{thingName}',
  summary: 'A credential that was read; answered on access/decision.',
  publishers: ['scanner'],
  subscribers: [],
  access: read,
  payload: z.object({
    Timestamp: z.number().min(0).max(8.64e15),
    Type: z.enum(CREDENTIAL_TYPES),
    Credential: hubText(256),
  }),
})

/** The answer to one scan; Timestamp is the scan's own. Name is for the scanner's display, absent when nobody is known. */
export const accessDecision = defineChannel({
  template: '{rootId}/{homeId}/access/decision/{thingName}',
  summary: 'Whether to open, and if not why not.',
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

/** A scanner says that it is there; its last will says that it is not. */
export const accessPresence = defineChannel({
  template: '{rootId}/{homeId}/access/presence/{thingName}',
  summary: 'Whether a scanner is connected.',
  publishers: ['scanner'],
  subscribers: [],
  access: read,
  payload: z.object({ Online: z.boolean() }),
})
