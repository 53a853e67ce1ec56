import type { z } from 'zod'
import type { IMAGE_TYPES, UploadTarget } from '../../../contract/homes/upload-calls.ts'
import type { Grant } from '../../domain/identity/grant.ts'

/** What people at doors need of pictures. */
export interface AccessPorts {
  /** A one-time address that takes the photo of an employee, for as long as its grant stands. */
  createPhotoTicket(
    grant: Grant,
    employee: { tenant: string; EmployeeID: string },
    contentType: (typeof IMAGE_TYPES)[number],
  ): Promise<z.infer<typeof UploadTarget>>
  /** Short-lived address of a stored photo. */
  photoAddressOf(url: string): string
}
