import type { z } from 'zod'
import type { Command } from '../contract/procedures/commands.ts'
import type { IMAGE_TYPES, UploadTarget } from '../contract/procedures/uploads.ts'
import type { Passes } from './features/access/passes.ts'
import type { Broker } from './broker/port.ts'
import type { Cameras } from './features/cameras/cameras.ts'
import type { ControlRequest } from './features/control/command.ts'
import type { Bills } from './features/tariffs/bills.ts'
import type { Energy } from './features/energy/query/energy.ts'
import type { Holder } from './lib/holder.ts'
import type { Library } from './features/ota/library.ts'
import type { Ota } from './features/ota/ota.ts'
import type { otaRecords } from './features/ota/records.ts'
import type { Identity } from './features/identity/identity.ts'
import type { settle } from './features/energy/rollup/energy-store.ts'

/** Whose picture an upload is. */
export type UploadPurpose =
  | { kind: 'peripheral'; tenant: string; HomeID: string; PeripheralUID: string }
  | { kind: 'employee'; tenant: string; EmployeeID: string }
  | { kind: 'logo'; tenant: string }

export interface Uploads {
  /** A one-time address that takes the bytes of one picture, for as long as its holder may. */
  createTicket(
    holder: Holder,
    purpose: UploadPurpose,
    contentType: (typeof IMAGE_TYPES)[number],
  ): Promise<z.infer<typeof UploadTarget>>
}

/** The user pool as calls use it; absent where an outside pool manages people. */
export type IdentityService = Pick<
  Identity,
  | 'signUp'
  | 'forgotPassword'
  | 'confirmForgotPassword'
  | 'changePassword'
  | 'createCredentials'
  | 'removeCredentials'
  | 'setEnabled'
  | 'initializeUser'
  | 'listSessions'
  | 'sessionsOf'
  | 'revokeSession'
>

/** The rooms of the gateway that calls reach into. */
export interface Services {
  identity: IdentityService
  uploads: Uploads
  ota: Pick<Ota, 'start' | 'cancel' | 'resume'> & Pick<Library, 'announce'> & { jobs: typeof otaRecords }
  broker: Pick<Broker, 'credentials' | 'disconnect'>
  cameras: Cameras
  energy: Energy
  bills: Bills
  settle: typeof settle
  access: {
    passes: Pick<Passes, 'write'>
    /** Errors: NOT_FOUND, CONFLICT when the visit is over, UNAVAILABLE without a mail server. */
    mailPass(tenant: string, VisitorID: string): Promise<void>
  }
  control: {
    /** The last commands to one device, newest first. */
    list(tenant: string, key: { HomeID: string; PeripheralUID: string }, limit: number): Promise<Command[]>
    /** Sends a command to a device; refusals are states of the command. */
    request(asked: ControlRequest): Promise<Command>
  }
}
