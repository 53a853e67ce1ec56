import { uploads } from '../../../contract/homes/upload-calls.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { grantOf } from '../../domain/identity/grant.ts'
import type { PicturedDevices } from './ports.ts'
import type { Uploads } from './uploads.ts'
import { sql } from '../../kernel/db.ts'

export const uploadHandlers = (
  { createTicket }: Pick<Uploads, 'createTicket'>,
  devices: PicturedDevices,
): HandlersOf<typeof uploads> => ({
  uploadPeripheralImage: async ({ ContentType, ...key }, context) => {
    await devices.lockPeripheral(key, context)
    return createTicket(
      grantOf(context.actor, uploads.uploadPeripheralImage.access),
      { kind: 'peripheral', tenant: context.actor.tenant, ...key },
      ContentType,
    )
  },

  deletePeripheralImage: async (key, context) => {
    const before = await devices.lockPeripheral(key, context)
    await context.db.query(sql`update peripherals set peripheral_image_url = null
      where tenant = ${context.actor.tenant} and peripheral_uid = ${key.PeripheralUID}`)
    devices.deletePicture(before, context)
    context.change('peripheral.update', { ...before, PeripheralImageUrl: null })
    context.audit({ before: { PeripheralImageUrl: before.PeripheralImageUrl } })
    return key
  },

  uploadCompanyLogo: ({ ContentType }, { actor }) =>
    createTicket(
      grantOf(actor, uploads.uploadCompanyLogo.access),
      { kind: 'logo', tenant: actor.tenant },
      ContentType,
    ),
})
