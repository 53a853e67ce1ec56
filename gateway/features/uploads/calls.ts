import { uploads } from '../../../contract/procedures/uploads.ts'
import type { HandlersOf } from '../../context.ts'
import { holderOf } from '../../lib/holder.ts'
import { dropPicture, holdPeripheral } from '../devices/peripheral.ts'
import type { Services } from '../../services.ts'
import { sql } from '../../store/db.ts'

export const uploadHandlers = (services: Services): HandlersOf<typeof uploads> => ({
  uploadPeripheralImage: async ({ ContentType, ...key }, context) => {
    await holdPeripheral(key, context)
    return services.uploads.createTicket(
      holderOf(context.actor, uploads.uploadPeripheralImage.access),
      { kind: 'peripheral', tenant: context.actor.tenant, ...key },
      ContentType,
    )
  },

  deletePeripheralImage: async (key, context) => {
    const before = await holdPeripheral(key, context)
    await context.db.query(sql`update peripherals set peripheral_image_url = null
      where tenant = ${context.actor.tenant} and peripheral_uid = ${key.PeripheralUID}`)
    dropPicture(before, context)
    context.change('peripheral.update', { ...before, PeripheralImageUrl: null })
    context.audit({ before: { PeripheralImageUrl: before.PeripheralImageUrl } })
    return key
  },

  uploadCompanyLogo: ({ ContentType }, { actor }) =>
    services.uploads.createTicket(
      holderOf(actor, uploads.uploadCompanyLogo.access),
      { kind: 'logo', tenant: actor.tenant },
      ContentType,
    ),
})
