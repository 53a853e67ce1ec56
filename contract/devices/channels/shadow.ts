import { z } from 'zod'
import { right } from '../../kernel/permissions.ts'
import { defineChannel, type Party } from '../../kernel/define-channel.ts'
import { HomeID, Name, PeripheralType, PeripheralUID } from '../../kernel/scalars.ts'

/** The two named shadows of a hub (§7): its devices, and its connection state. */
export const SHADOW_NAMES = ['registration', 'info'] as const
export type ShadowName = (typeof SHADOW_NAMES)[number]

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

const shadow = <const Verb extends string, Payload extends z.ZodType>(
  verb: Verb,
  summary: string,
  publishers: Party[],
  subscribers: Party[],
  payload: Payload,
) =>
  defineChannel({
    template: `$aws/things/{thingName}/shadow/name/{shadowName}/${verb}` as const,
    summary,
    publishers,
    subscribers,
    access: right('device', 'Read'),
    payload,
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

export const shadowGet = shadow(
  'get',
  'Asks for the shadow.',
  ['hub', 'screen'],
  [],
  /** Screens add the time of the request (§7). */
  z.object({ clientToken: ClientToken, Timestamp: z.number().optional() }),
)
export const shadowGetAccepted = shadow(
  'get/accepted',
  'The shadow.',
  ['gateway'],
  ['hub', 'screen'],
  Document,
)
export const shadowGetRejected = shadow('get/rejected', 'Why not.', ['gateway'], ['hub', 'screen'], Rejected)
export const shadowUpdate = shadow(
  'update',
  'Changes the shadow; null removes a leaf; a version that is not the current one is a conflict.',
  ['hub'],
  [],
  z.object({
    state: z.object({ desired: State.optional(), reported: State.optional() }),
    version: z.number().int().optional(),
    clientToken: ClientToken,
  }),
)
export const shadowUpdateAccepted = shadow(
  'update/accepted',
  'What was changed.',
  ['gateway'],
  ['hub', 'screen'],
  Document,
)
export const shadowUpdateRejected = shadow(
  'update/rejected',
  'Why not.',
  ['gateway'],
  ['hub', 'screen'],
  Rejected,
)
export const shadowUpdateDelta = shadow(
  'update/delta',
  'Where desired and reported differ.',
  ['gateway'],
  ['hub', 'screen'],
  z.object({
    state: State,
    metadata: z.unknown().optional(),
    version: z.number(),
    timestamp: z.number(),
    clientToken: ClientToken,
  }),
)
