import { z } from 'zod'
import { credential } from '../kernel/credential.ts'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, Millis, Name, PeripheralUID, RoomID, ThingName } from '../kernel/scalars.ts'

/** Maximum size of a firmware file in bytes, by the storage of typical hubs. */
export const MAX_FIRMWARE_BYTES = 64 * 1024 * 1024
export const MAX_FIRMWARES = 200
export const MAX_OTA_DEVICES = 2000

/**
 * Outcome codes of §8: 0 command sent, 1 update in progress, 2 file download failed, 3 processing failed, 4 not executed, 5 did not
 * respond. Success has no code: the device reports the new version.
 */
export const OTA_CODES = [0, 1, 2, 3, 4, 5] as const
export const OtaCode = z.union(OTA_CODES.map((code) => z.literal(code)))
export type OtaCode = z.infer<typeof OtaCode>

/** Target of a firmware: hubs, or devices of one type code (§3). */
export const FirmwareTarget = z.string().regex(/^(?:hub|\d{1,5})$/, 'type')
export const FirmwareVersion = z
  .string()
  .trim()
  .min(1, 'required')
  .regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/, 'invalid')
export const FirmwareID = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'id')
export const OtaJobID = FirmwareID

/** Version in the company's firmware library. Size in bytes; Sha256 in hex, computed by the gateway. */
export const Firmware = z.object({
  FirmwareID,
  Target: FirmwareTarget,
  FirmwareVersion,
  Notes: z.string(),
  Size: z.number().int(),
  Sha256: z.string(),
  UploadedAt: Millis,
  By: z.string(),
})
export type Firmware = z.infer<typeof Firmware>
export const FirmwareKey = Firmware.pick({ FirmwareID: true })

/** State of one device's update. It has succeeded only when the device reports the new version. */
export const OTA_STATES = [
  'waiting',
  'sent',
  'downloading',
  'installing',
  'restarting',
  'succeeded',
  'failed',
  'cancelled',
] as const
export const OtaState = z.enum(OTA_STATES)
export type OtaState = z.infer<typeof OtaState>

/** Steps that a device reports during an update. */
export const OTA_STEPS = ['downloading', 'installing', 'restarting'] as const

/** A hub (PeripheralUID null), or a device behind it. */
export const OtaTarget = z.object({ ThingName, PeripheralUID: PeripheralUID.nullable().default(null) })

/** Update of one device. Code is null before the command is sent and after success; Progress in percent. */
export const OtaUpdate = z.object({
  OtaJobID,
  HomeID,
  ThingName,
  PeripheralUID: PeripheralUID.nullable(),
  FirmwareVersion: z.string(),
  FromVersion: z.string().nullable(),
  /** 1 for the first wave. */
  Wave: z.number().int(),
  State: OtaState,
  Code: OtaCode.nullable(),
  Progress: z.number().int().min(0).max(100),
  RequestedAt: Millis,
  /** Time at which the update of this device started. */
  StartedAt: Millis.nullable(),
  SettledAt: Millis.nullable(),
})
export type OtaUpdate = z.infer<typeof OtaUpdate>

export const OTA_JOB_STATES = ['running', 'paused', 'cancelled', 'finished'] as const
/** Reason for which a job is paused: too many failures, or each wave needs confirmation. */
export const OTA_PAUSES = ['failures', 'wave'] as const

/** Update of one or more devices of a home, in waves. */
export const OtaJob = z.object({
  OtaJobID,
  HomeID,
  Target: FirmwareTarget,
  FirmwareVersion: z.string(),
  State: z.enum(OTA_JOB_STATES),
  Pause: z.enum(OTA_PAUSES).nullable(),
  WaveSize: z.number().int(),
  /** The job pauses if more than this share of the devices tried so far has failed, in percent. */
  PausePercent: z.number().int(),
  ConfirmWaves: z.boolean(),
  By: z.string(),
  RequestedAt: Millis,
  EndedAt: Millis.nullable(),
  Counts: z.object({
    Waiting: z.number().int(),
    Active: z.number().int(),
    Succeeded: z.number().int(),
    Failed: z.number().int(),
    Cancelled: z.number().int(),
  }),
})
export type OtaJob = z.infer<typeof OtaJob>
export const OtaJobKey = OtaJob.pick({ HomeID: true, OtaJobID: true })

/** Device with its reported version (null before the first report) and its last update. */
export const OtaDevice = z.object({
  HomeID,
  ThingName,
  PeripheralUID: PeripheralUID.nullable(),
  Name,
  Target: FirmwareTarget,
  RoomID,
  Online: z.boolean(),
  FirmwareVersion: z.string().nullable(),
  ReportedAt: Millis.nullable(),
  Update: OtaUpdate.nullable(),
})
export type OtaDevice = z.infer<typeof OtaDevice>

export const OtaOverview = z.object({
  Firmwares: z.array(Firmware),
  Devices: z.array(OtaDevice),
  /** Running jobs and the last finished ones. */
  Jobs: z.array(OtaJob),
})
export type OtaOverview = z.infer<typeof OtaOverview>

export const ota = {
  getAllOta: defineEndpoint({
    path: '/GetAllOTA',
    summary:
      "Firmware versions of the company, the devices of a home with their versions, and the home's updates; without HomeID, those of every home.",
    access: right('ota', 'Read'),
    sites: 'mixed',
    input: z.object({ HomeID: HomeID.optional() }),
    results: OtaOverview,
    errors: ['NOT_FOUND'],
    shows: ['firmware', 'firmwareUpdate', 'thing', 'peripheral'],
    freshFor: 0,
  }),
  listOtaUpdate: defineEndpoint({
    path: '/ListOTAUpdate',
    summary: 'Updates per device, newest first: of one job, of one device, or of the whole home.',
    access: right('ota', 'Read'),
    input: z.object({
      HomeID,
      OtaJobID: OtaJobID.optional(),
      Device: OtaTarget.optional(),
      Limit: z.number().int().min(1).max(MAX_OTA_DEVICES).default(200),
    }),
    results: z.array(OtaUpdate),
    errors: ['NOT_FOUND'],
    shows: ['firmwareUpdate'],
    freshFor: 0,
  }),
  uploadFirmware: defineEndpoint({
    path: '/UploadFirmware',
    summary:
      'Upload URL for the file of a firmware version; the version is added to the library after the upload.',
    access: right('ota', 'Create'),
    sites: 'company',
    input: Firmware.pick({ Target: true, FirmwareVersion: true }).extend({
      Notes: z.string().trim().max(2000, 'tooLong').default(''),
      /** In bytes. */
      Size: z.number().int().min(1, 'tooSmall').max(MAX_FIRMWARE_BYTES, 'tooBig'),
    }),
    results: z.object({
      FirmwareID,
      UploadUrl: credential(z.string()),
      MaxBytes: z.number(),
      ExpiresAt: z.number(),
    }),
    errors: ['CONFLICT', 'LIMIT_EXCEEDED'],
    mutates: true,
    changes: [],
    why: 'The gateway publishes the version after its file is uploaded.',
  }),
  deleteFirmware: defineEndpoint({
    path: '/DeleteFirmware',
    summary: 'Removes a version from the library. Rejected while an update uses it.',
    access: right('ota', 'Delete'),
    sites: 'company',
    input: FirmwareKey,
    results: FirmwareKey,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['firmware'],
  }),
  startOta: defineEndpoint({
    path: '/StartOTA',
    summary:
      'Updates devices of one home, in waves. Skips devices that are already being updated and lists them with code 1.',
    access: right('ota', 'Control'),
    input: z.object({
      HomeID,
      FirmwareID,
      Devices: z.array(OtaTarget).min(1, 'required').max(MAX_OTA_DEVICES, 'tooBig'),
      WaveSize: z.number().int().min(1, 'tooSmall').max(MAX_OTA_DEVICES, 'tooBig').default(10),
      PausePercent: z.number().int().min(0, 'tooSmall').max(100, 'tooBig').default(20),
      ConfirmWaves: z.boolean().default(false),
    }),
    results: z.object({
      /** Null if every device is being updated already. */
      Job: OtaJob.nullable(),
      Refused: z.array(OtaTarget.extend({ Code: OtaCode })),
    }),
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: ['firmwareUpdate'],
  }),
  resumeOta: defineEndpoint({
    path: '/ResumeOTA',
    summary: 'Resumes a paused job with its next wave.',
    access: right('ota', 'Control'),
    input: OtaJobKey,
    results: OtaJob,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['firmwareUpdate'],
  }),
  cancelOta: defineEndpoint({
    path: '/CancelOTA',
    summary: 'Cancels the updates of a job whose command was not sent; the others continue.',
    access: right('ota', 'Control'),
    input: OtaJobKey,
    results: OtaJob,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['firmwareUpdate'],
  }),
}
