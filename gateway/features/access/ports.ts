import type { z } from 'zod'
import type { IMAGE_TYPES, UploadTarget } from '../../../contract/procedures/uploads.ts'
import type { Holder } from '../../lib/holder.ts'

/** What people at doors need of pictures. */
export interface AccessPorts {
  /** A one-time address that takes the photo of an employee, for as long as its holder may. */
  createPhotoTicket(
    holder: Holder,
    employee: { tenant: string; EmployeeID: string },
    contentType: (typeof IMAGE_TYPES)[number],
  ): Promise<z.infer<typeof UploadTarget>>
}
