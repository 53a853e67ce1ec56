import { z } from 'zod'
import { credential } from '../kernel/credential.ts'
import { right } from '../kernel/permissions.ts'
import { IRContainer } from './capabilities/camera-and-ir.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, Millis, Name, PeripheralUID, RoomID } from '../kernel/scalars.ts'
import { Peripheral, PeripheralKey } from './peripheral.ts'
import { Command } from './command-calls.ts'

/** Source of a camera's stream: an HLS playlist, http or https, without credentials in the URL. */
const StreamUrl = credential(
  z
    .url({ protocol: /^https?$/, error: 'streamUrl' })
    .max(1024, 'tooLong')
    .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), 'urlCredentials'),
  'query',
)

/** Access of the gateway to a camera. The password is write-only: stored encrypted, never returned. */
export const CameraSource = z.object({
  StreamUrl,
  UserName: z.string().max(128, 'tooLong').nullable(),
  HasPassword: z.boolean(),
})
export type CameraSource = z.infer<typeof CameraSource>

/** Stream of one camera for one person's screen, valid until ExpiresAt. Url is a path of the gateway. */
export const LiveStream = z.object({ PeripheralUID, Url: credential(z.string()), ExpiresAt: Millis })
export type LiveStream = z.infer<typeof LiveStream>

/**
 * Reason for which a camera cannot be watched: its address is in a network that the gateway's operator has not opened to cameras
 * (no request is sent); it rejects the user name or password, is unreachable, or times out; its certificate is not trusted; nothing
 * is at the URL; it answers with an error, with something that is not an HLS stream, or with a redirect to another address; or
 * browsers do not support its codec.
 */
export const CAMERA_FAULTS = [
  'network',
  'credentials',
  'unreachable',
  'silent',
  'certificate',
  'notFound',
  'error',
  'noStream',
  'elsewhere',
  'codec',
] as const
export type CameraFault = (typeof CAMERA_FAULTS)[number]

export const MAX_STREAMS = 16

/** Third-party cameras and infrared remotes (§7, Casa calls). */
export const cameraAndIr = {
  casaDeviceSync: defineEndpoint({
    path: '/CasaDeviceSync',
    summary:
      'Adds cameras and infrared remotes that hubs of this home announced to a room, at most 8 per call.',
    access: right('device', 'Create'),
    input: Peripheral.pick({ HomeID: true, RoomID: true }),
    results: z.object({
      Added: z.array(Peripheral),
      /** Number of devices left for further calls. */
      Left: z.number().int(),
    }),
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: ['peripheral', 'scene', 'automation'],
  }),
  casaAddPeripheralAdvanceInfo: defineEndpoint({
    path: '/CasaAddPeripheralAdvanceInfo',
    summary:
      'Sets the stream of a camera. Without PeripheralUID, adds a camera that does not belong to a hub; an omitted Password keeps the stored one, unless the host changes.',
    access: right('device', 'Create'),
    input: z.object({
      HomeID,
      PeripheralUID: PeripheralUID.optional(),
      PeripheralName: Name.optional(),
      RoomID: RoomID.default(0),
      StreamUrl,
      UserName: z.string().trim().max(128, 'tooLong').nullable().default(null),
      Password: credential(z.string().max(256, 'tooLong')).optional(),
    }),
    results: Peripheral,
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: ['peripheral'],
  }),
  casaGetPeripheralAdvanceInfo: defineEndpoint({
    path: '/CasaGetPeripheralAdvanceInfo',
    summary: 'Stream settings of a camera; null if none are configured.',
    access: right('device', 'Update'),
    input: PeripheralKey,
    results: CameraSource.nullable(),
    errors: ['NOT_FOUND'],
    shows: ['peripheral'],
    freshFor: 0,
  }),
  casaIpCamLiveStream: defineEndpoint({
    path: '/CasaIpCamLiveStream',
    summary: 'Stream URLs of cameras; cameras without a configured stream are omitted.',
    access: right('device', 'Read'),
    sites: 'record',
    input: z.object({ CasaPeripheralUIDList: z.array(PeripheralUID).min(1, 'required').max(MAX_STREAMS) }),
    results: z.array(LiveStream),
    shows: [],
    why: 'Each answer has new URLs, and a running stream keeps its own until shortly before it expires.',
    freshFor: 3 * 3_600_000,
  }),
  casaGetStreamFault: defineEndpoint({
    path: '/CasaGetStreamFault',
    summary: 'Tests the stream of a camera and returns why it cannot be played; null if it works.',
    access: right('device', 'Read'),
    input: PeripheralKey,
    results: z.object({ Fault: z.enum(CAMERA_FAULTS).nullable() }),
    errors: ['NOT_FOUND'],
    shows: [],
    why: "It returns the camera's current response.",
    freshFor: 0,
  }),
  casaDeletePeripheral: defineEndpoint({
    path: '/CasaDeletePeripheral',
    summary: 'Deletes a camera or an infrared remote.',
    access: right('device', 'Delete'),
    input: PeripheralKey,
    results: PeripheralKey,
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: ['peripheral', 'discovery', 'group', 'scene', 'automation'],
  }),
  casaControlIRRemote: defineEndpoint({
    path: '/CasaControlIRRemote',
    summary: "Sends one container of an infrared remote; returns the command's status after it was sent.",
    access: right('device_control', 'Control'),
    input: PeripheralKey.extend({
      PMACAddress: Peripheral.shape.PMACAddress.optional(),
      ContMID: IRContainer.shape.ContMID,
      ContDID: IRContainer.shape.ContDID,
    }),
    results: Command,
    errors: ['NOT_FOUND'],
    mutates: true,
    commitsItself: true,
    changes: [],
    why: 'A command changes no record; control/response reports its status.',
  }),
  listIRRemoteContainer: defineEndpoint({
    path: '/ListIRRemoteContainer',
    summary: 'Containers that an infrared remote can send, with their configured names.',
    access: right('device', 'Read'),
    input: PeripheralKey,
    results: z.array(IRContainer),
    errors: ['NOT_FOUND'],
    shows: ['peripheral'],
  }),
  updateIRRemoteContainerName: defineEndpoint({
    path: '/UpdateIRRemoteContainerName',
    summary: 'Renames a container of an infrared remote.',
    access: right('device', 'Update'),
    input: PeripheralKey.extend({ ContMID: IRContainer.shape.ContMID, ContMName: Name }),
    results: IRContainer,
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: ['peripheral'],
  }),
}
