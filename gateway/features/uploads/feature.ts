import type { z } from 'zod'
import type { ImageType } from '../../../contract/homes/upload-calls.ts'
import type { Deps, Feature } from '../../kernel/deps.ts'
import { createTenantLimit } from '../../http/tenant-limit.ts'
import { createIsGranted, type Grant } from '../../domain/identity/grant.ts'
import { serveImages } from './address.ts'
import { uploadHandlers } from './calls.ts'
import { MAX_PICTURE_BYTES } from './check-picture.ts'
import { createDrawing } from './drawing.ts'
import { createPhotoAddresses } from './photo-address.ts'
import type { PicturedDevices } from './ports.ts'
import type { UploadPurpose } from './ticket.ts'
import { createUploads } from './uploads.ts'

/** Pictures of devices, people, floors and the company. */
export function uploads(deps: Deps, devices: PicturedDevices) {
  const photoAddresses = createPhotoAddresses({ clock: deps.clock, key: deps.keyFor('photo addresses') })
  const pictures = createUploads({
    ...deps,
    photoAddresses,
    draw: createDrawing(createTenantLimit),
    key: deps.keyFor('upload tickets'),
    isGranted: createIsGranted(deps.identity),
  })
  deps.events.on('pictureDropped', ({ imageUrl }) => pictures.remove(imageUrl))
  const feature = {
    handlers: { uploads: uploadHandlers(pictures, devices) },
    addresses: (app) =>
      serveImages(app, { ...pictures, photoAddresses, files: deps.files, maxBytes: MAX_PICTURE_BYTES }),
  } satisfies Feature
  /** Tickets for what other features have pictures of. */
  const ticketFor =
    <K extends UploadPurpose['kind']>(kind: K) =>
    (
      grant: Grant,
      of: Omit<Extract<UploadPurpose, { kind: K }>, 'kind'>,
      contentType: z.infer<typeof ImageType>,
    ) =>
      pictures.createTicket(grant, { kind, ...of } as UploadPurpose, contentType)
  return {
    ...feature,
    createPhotoTicket: ticketFor('employee'),
    createPlanTicket: ticketFor('floorPlan'),
    photoAddressOf: photoAddresses.addressOf,
  }
}
