import { accessControl } from '../../../contract/access-control/calls.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { grantOf } from '../../domain/identity/grant.ts'
import { sql } from '../../store/db.ts'
import { lockEmployee } from './employee.ts'
import type { AccessPorts } from './ports.ts'

/** The photos of employees. */
export const photoHandlers = ({
  createPhotoTicket,
}: AccessPorts): Pick<HandlersOf<typeof accessControl>, 'uploadEmployeePhoto' | 'deleteEmployeePhoto'> => ({
  uploadEmployeePhoto: async ({ ContentType, EmployeeID }, context) => {
    await lockEmployee({ EmployeeID }, context)
    return createPhotoTicket(
      grantOf(context.actor, accessControl.uploadEmployeePhoto.access),
      { tenant: context.actor.tenant, EmployeeID },
      ContentType,
    )
  },

  deleteEmployeePhoto: async (key, context) => {
    const { PhotoUrl } = await lockEmployee(key, context)
    await context.db.query(sql`update employees set photo_url = null
      where tenant = ${context.actor.tenant} and employee_id = ${key.EmployeeID}`)
    if (PhotoUrl) context.emit('pictureDropped', { imageUrl: PhotoUrl })
    context.change('employee.update', key)
    context.audit({ before: { PhotoUrl } })
    return key
  },
})
