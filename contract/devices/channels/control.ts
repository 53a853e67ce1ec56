import { z } from 'zod'
import { topics } from '../../channels/table.ts'
import { defineChannel } from '../../kernel/define-channel.ts'
import {
  GroupID,
  HomeID,
  Millis,
  PeripheralUID,
  RequestID,
  RoomID,
  RunID,
  SceneID,
  ThingName,
} from '../../kernel/scalars.ts'
import { ROOM_DEVICES } from '../room-devices.ts'
import { CommandFailure, CommandState } from '../command-calls.ts'
import { DeviceStatus, ReportedPeripheral } from '../kinds/status.ts'

const Values = z.record(z.string(), z.unknown())

interface GivenTarget {
  RequestID: string
  PeripheralUID?: string | undefined
  GroupID?: string | undefined
  SceneID?: string | undefined
  RoomID?: number | undefined
  Only?: string | undefined
  Values?: object | undefined
}

/**
 * Requires exactly one target, values unless it is a scene, `Only` for a room, and a RequestID that is a valid RunID unless the
 * target is a device.
 */
function checkTarget(asked: GivenTarget, context: z.RefinementCtx): void {
  const targets = [asked.PeripheralUID, asked.GroupID, asked.SceneID, asked.RoomID]
  const isWhole =
    targets.filter((target) => target !== undefined).length === 1 &&
    (asked.RoomID === undefined) === (asked.Only === undefined) &&
    (asked.SceneID === undefined) === (asked.Values !== undefined) &&
    (asked.PeripheralUID !== undefined || RunID.safeParse(asked.RequestID).success)
  if (!isWhole) context.addIssue({ code: 'custom', message: 'invalid' })
}

export const controlRequest = defineChannel(
  topics.controlRequest,
  z
    .object({
      RequestID,
      /**
       * Exactly one target. A group, scene or room starts a run whose RunID is the RequestID, and whose commands are `<RunID>-<n>`.
       */
      PeripheralUID: PeripheralUID.optional(),
      GroupID: GroupID.optional(),
      SceneID: SceneID.optional(),
      RoomID: RoomID.optional(),
      Only: z.enum(ROOM_DEVICES).optional(),
      /** Values to set; none for a scene. */
      Values: Values.optional(),
      /**
       * Time of the request in ms by the gateway's clock; default: arrival time. If it is older than `COMMAND_TTL_MS` or further
       * ahead than `MAX_COMMAND_CLOCK_SKEW_MS` when processing starts, the request fails with `tooLate` and reaches no hub.
       */
      At: Millis.optional(),
    })
    .superRefine(checkTarget),
)

const ACK_RESULTS = ['ok', 'failed'] as const

/** Maximum stored characters of a hub's reason; longer ones are truncated. */
export const MAX_ACK_REASON = 200

export const controlCommand = defineChannel(
  topics.controlCommand,
  z.object({ RequestID, PeripheralUID, Values, Timestamp: z.number(), ExpiresIn: z.number() }),
)

export const controlAck = defineChannel(
  topics.controlAck,
  z.object({
    ThingName,
    RequestID,
    PeripheralUID,
    Result: z.enum(ACK_RESULTS),
    Reason: z.string().max(MAX_ACK_REASON).optional(),
  }),
)

export const controlResponse = defineChannel(
  topics.controlResponse,
  z.object({
    RequestID,
    HomeID,
    PeripheralUID,
    State: CommandState,
    Reason: CommandFailure.nullable(),
    /** The hub's message for a failure; for an unconfirmed command, the values that were reported instead. */
    Detail: z.string().optional(),
    Values,
    Timestamp: z.number(),
  }),
)

const Statuses = z.object({ Peripherals: z.array(DeviceStatus) })

/** Request for the full status of a home: the gateway answers on `status`, hubs send new reports. */
export const statusRequest = defineChannel(topics.statusRequest, z.object({ Timestamp: z.number() }))

export const MAX_REPORTED = 1000

/** Status report of a hub; Timestamp is the default for devices without their own. */
export const statusReport = defineChannel(
  topics.statusReport,
  z.object({
    ThingName,
    Timestamp: z.number(),
    Peripherals: z.array(ReportedPeripheral).max(MAX_REPORTED),
  }),
)

export const status = defineChannel(topics.status, Statuses)

export const statusChange = defineChannel(topics.statusChange, Statuses)
