import { z } from 'zod'
import { topics } from '../../channels/table.ts'
import { defineChannel } from '../../kernel/define-channel.ts'
import { hubText, PeripheralUID, RequestID, ThingName } from '../../kernel/scalars.ts'
import { FirmwareID, OTA_STEPS, OtaCode, OtaJob, OtaTarget, OtaUpdate } from '../ota-calls.ts'

export const otaRequest = defineChannel(
  topics.otaRequest,
  z.object({ RequestID, FirmwareID, Devices: z.array(OtaTarget).min(1).max(200) }),
)

export const otaCommand = defineChannel(
  topics.otaCommand,
  z.object({
    RequestID,
    PeripheralUID: PeripheralUID.nullable(),
    FirmwareVersion: z.string(),
    /** Full URL of the file, or a path on the host at which the hub reaches the gateway, at HttpPort. */
    Url: z.string(),
    HttpPort: z.number().int(),
    Https: z.boolean(),
    /** Size in bytes, and SHA-256 in hex; a file with another hash must not be installed. */
    Size: z.number().int(),
    Sha256: z.string(),
    ExpiresAt: z.number(),
  }),
)

export const otaReport = defineChannel(
  topics.otaReport,
  z.object({
    ThingName,
    RequestID,
    PeripheralUID: PeripheralUID.nullable().optional(),
    /** Only the gateway sets code 5. */
    Code: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
    Step: z.enum(OTA_STEPS).optional(),
    Progress: z.number().min(0).max(100).optional(),
    /** Version that the device runs now, with code 4. */
    FirmwareVersion: hubText(64).optional(),
  }),
)

export const otaResponse = defineChannel(
  topics.otaResponse,
  z.object({
    RequestID: RequestID.optional(),
    Job: OtaJob.nullable(),
    Updates: z.array(OtaUpdate),
    Refused: z.array(OtaTarget.extend({ Code: OtaCode })).optional(),
  }),
)
