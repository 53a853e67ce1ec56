import type { z } from 'zod'
import type { ImageType } from '../../../contract/homes/upload-calls.ts'
import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { createTenantLimit } from '../../http/rate-limits.ts'
import { createIsGranted, type Grant } from '../../domain/identity/grant.ts'
import { uploadHandlers, createUploads, IMAGES } from './uploads.ts'
import { MAX_PICTURE_BYTES } from './check-picture.ts'
import { createDrawing } from './re-encode.ts'
import { createPhotoAddresses, type PhotoAddresses, type UploadPurpose } from './addresses.ts'
import type { PicturedDevices } from './ports.ts'
import type { FastifyInstance } from 'fastify'
import { OK } from '../../../contract/kernel/errors.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Files } from '../../kernel/ports.ts'
import { CALL_HEADERS } from '../../http/security-headers.ts'

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
    registerRoutes: (app) =>
      serveImages(app, { ...pictures, photoAddresses, files: deps.files, maxBytes: MAX_PICTURE_BYTES }),
  } satisfies Feature
  /** Creates tickets for one kind of picture, used by other features. */
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

interface ImageOptions {
  /** Rejects unless the ticket is valid. */
  assertTicket(ticket: string): Promise<void>
  receive(ticket: string, contentType: string | undefined, bytes: Uint8Array): Promise<{ ImageUrl: string }>
  files: Files
  /** Whether a picture shows a person, so that its address needs a signature. */
  isPhoto(key: string): Promise<boolean>
  photoAddresses: PhotoAddresses
  /** Maximum size of a picture, bytes. */
  maxBytes: number
}

/**
 * Serves PUT /uploads/<ticket> for uploads and GET /images/<key> for pictures. Keys are unguessable and never reused; the photo of a
 * person also needs a signature that has not expired.
 */
function serveImages(
  app: FastifyInstance,
  { assertTicket, receive, files, isPhoto, photoAddresses, maxBytes }: ImageOptions,
): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
      done(null, body),
    )
    // Checked before the body is read.
    scope.addHook('onRequest', async ({ params }) => assertTicket((params as { ticket: string }).ticket))
    scope.put<{ Params: { ticket: string } }>('/uploads/:ticket', async (request, reply) => {
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const results = await receive(request.params.ticket, request.headers['content-type'], bytes)
      return reply.headers(CALL_HEADERS).send(JSON.stringify({ status: { code: OK }, results }))
    })
  })

  app.get<{ Params: { '*': string } }>('/images/*', async (request, reply) => {
    const key = request.params['*']
    const noSuch = () => new GatewayError('NOT_FOUND', 'This picture does not exist')
    const isSigned = await isPhoto(key)
    const remainingMs = isSigned ? photoAddresses.remainingMs(IMAGES + key, request.query) : 0
    if (isSigned && remainingMs === 0) throw noSuch()
    const image = await files.get(key)
    if (!image?.contentType.startsWith('image/')) throw noSuch()
    return reply
      .headers({
        'content-type': image.contentType,
        'cache-control': isSigned
          ? `private, max-age=${Math.floor(remainingMs / 1000)}, immutable`
          : 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      })
      .send(image.bytes)
  })
}
