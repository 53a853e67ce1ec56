import type { z } from 'zod'
import type { IMAGE_TYPES, UploadTarget } from '../../../contract/homes/upload-calls.ts'
import type { Grant } from '../../domain/identity/grant.ts'

/** Dependencies of door access on uploads. */
export interface AccessPorts {
  /** Creates a one-time upload address for an employee's photo, valid while its grant is. */
  createPhotoTicket(
    grant: Grant,
    employee: { tenant: string; EmployeeID: string },
    contentType: (typeof IMAGE_TYPES)[number],
  ): Promise<z.infer<typeof UploadTarget>>
  /** Short-lived address of a stored photo. */
  photoAddressOf(url: string): string
}
