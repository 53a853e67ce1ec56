import type { Deps, Feature } from '../../deps.ts'
import { createTurns } from '../../http/turns.ts'
import { createHolds } from '../../lib/holder.ts'
import { serveImages } from './address.ts'
import { uploadHandlers } from './calls.ts'
import { createDrawing } from './drawing.ts'
import type { PicturedDevices } from './ports.ts'
import { createUploads, MAX_BYTES } from './uploads.ts'

/** Pictures of devices, people and the company. */
export function uploads(deps: Deps, devices: PicturedDevices) {
  const pictures = createUploads({
    ...deps,
    draw: createDrawing(createTurns),
    key: deps.keyFor('upload tickets'),
    holds: createHolds(deps.identity),
  })
  deps.events.on('pictureDropped', ({ imageUrl }) => pictures.remove(imageUrl))
  const feature = {
    handlers: { uploads: uploadHandlers(pictures, devices) },
    addresses: (app) => serveImages(app, { ...pictures, files: deps.files, maxBytes: MAX_BYTES }),
  } satisfies Feature
  return { ...feature, createTicket: pictures.createTicket }
}
