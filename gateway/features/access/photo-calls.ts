import { accessControl } from '../../../contract/procedures/access-control.ts'
import type { HandlersOf } from '../../context.ts'
import { holderOf } from '../../lib/holder.ts'
import { sql } from '../../store/db.ts'
import { holdEmployee } from './employee.ts'
import type { AccessPorts } from './ports.ts'

/** The photos of employees. */
export const photoHandlers = ({
  createPhotoTicket,
}: AccessPorts): Pick<HandlersOf<typeof accessControl>, 'uploadEmployeePhoto' | 'deleteEmployeePhoto'> => ({
  uploadEmployeePhoto: async ({ ContentType, EmployeeID }, context) => {
    await holdEmployee({ EmployeeID }, context)
    return createPhotoTicket(
      holderOf(context.actor, accessControl.uploadEmployeePhoto.access),
      { tenant: context.actor.tenant, EmployeeID },
      ContentType,
    )
  },

  deleteEmployeePhoto: async (key, context) => {
    const { PhotoUrl } = await holdEmployee(key, context)
    await context.db.query(sql`update employees set photo_url = null
      where tenant = ${context.actor.tenant} and employee_id = ${key.EmployeeID}`)
    if (PhotoUrl) context.emit('pictureDropped', { imageUrl: PhotoUrl })
    context.change('employee.update', key)
    context.audit({ before: { PhotoUrl } })
    return key
  },
})
