import { z } from 'zod'
import { topics } from '../channels/table.ts'
import { defineChannel } from '../kernel/define-channel.ts'
import { hubText } from '../kernel/scalars.ts'
import { DENIALS } from './access-pass.ts'

export const CREDENTIAL_TYPES = ['qr', 'card'] as const

/** Maximum age of a scan on arrival, in ms; older ones are denied because the person has left the door. */
export const MAX_SCAN_AGE_MS = 60_000
/** Interval in which the same credential at the same scanner counts once, in ms. */
export const SCAN_DEDUPLICATION_MS = 2_000

/**
 * Scan of a code or a card. The topic names the scanner, so that a broker without sender information also authenticates it. Timestamp in
 * seconds (10 digits) or ms.
 */
export const accessScan = defineChannel(
  topics.accessScan,
  z.object({
    Timestamp: z.number().min(0).max(8.64e15),
    Type: z.enum(CREDENTIAL_TYPES),
    Credential: hubText(256),
  }),
)

/** Answer to one scan; Timestamp is that of the scan. Name is for the scanner's display, omitted if the person is unknown. */
export const accessDecision = defineChannel(
  topics.accessDecision,
  z.object({
    Timestamp: z.number(),
    Allow: z.boolean(),
    Reason: z.enum(DENIALS).optional(),
    Movement: z.enum(['in', 'out']).optional(),
    Name: z.string().optional(),
  }),
)

/** Connection state of a scanner; the last will reports the disconnect. */
export const accessPresence = defineChannel(topics.accessPresence, z.object({ Online: z.boolean() }))
