import { z } from 'zod'
import { topics } from '../../channels/table.ts'
import { defineChannel } from '../../kernel/define-channel.ts'
import { HomeID, Name, PeripheralType, PeripheralUID } from '../../kernel/scalars.ts'

/** State of a shadow document: JSON, at most 6 levels and 8 KB, which the shadow service checks (AWS IoT limits). */
const State = z.record(z.string(), z.unknown()).nullable()
const ClientToken = z.string().max(64).optional()

/** `state.reported` of the info shadow (§3 Hub shadow info). */
export const InfoReported = z.looseObject({
  online: z.boolean().optional(),
  Timestamp: z.number().optional(),
  FirmwareVersion: z.string().max(64).optional(),
})

export const Registered = z.object({
  PeripheralUID,
  PeripheralType,
  PeripheralName: Name.optional(),
  FirmwareVersion: z.string().max(64).optional(),
})

/** Maximum devices in one registration update. */
export const MAX_REGISTERED = 500

/** `state.reported` of the registration shadow: the devices of a hub. */
export const RegistrationReported = z.looseObject({
  homeID: HomeID.optional(),
  Peripherals: z.array(Registered).max(MAX_REGISTERED).optional(),
})

const Document = z.object({
  state: z.object({ desired: State.optional(), reported: State.optional(), delta: State.optional() }),
  metadata: z.unknown().optional(),
  version: z.number(),
  timestamp: z.number(),
  clientToken: ClientToken,
})
const Rejected = z.object({
  code: z.number(),
  message: z.string(),
  timestamp: z.number(),
  clientToken: ClientToken,
})

export const shadowGet = defineChannel(
  topics.shadowGet /** Screens add the time of the request (§7). */,
  z.object({ clientToken: ClientToken, Timestamp: z.number().optional() }),
)
export const shadowGetAccepted = defineChannel(topics.shadowGetAccepted, Document)
export const shadowGetRejected = defineChannel(topics.shadowGetRejected, Rejected)
export const shadowUpdate = defineChannel(
  topics.shadowUpdate,
  z.object({
    state: z.object({ desired: State.optional(), reported: State.optional() }),
    version: z.number().int().optional(),
    clientToken: ClientToken,
  }),
)
export const shadowUpdateAccepted = defineChannel(topics.shadowUpdateAccepted, Document)
export const shadowUpdateRejected = defineChannel(topics.shadowUpdateRejected, Rejected)
export const shadowUpdateDelta = defineChannel(
  topics.shadowUpdateDelta,
  z.object({
    state: State,
    metadata: z.unknown().optional(),
    version: z.number(),
    timestamp: z.number(),
    clientToken: ClientToken,
  }),
)
