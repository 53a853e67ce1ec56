import { z } from 'zod'
import { credential } from '../kernel/credential.ts'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { PeripheralKey } from '../devices/peripheral.ts'

/** Accepted image formats (§5, §9). */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const
export const ImageType = z.enum(IMAGE_TYPES)

/** Target to PUT the bytes to, with the same Content-Type, before ExpiresAt. The record refers to the image once it is uploaded. */
export const UploadTarget = z.object({
  UploadUrl: credential(z.string()),
  ImageUrl: z.string(),
  MaxBytes: z.number(),
  ExpiresAt: z.number(),
})

export const uploads = {
  uploadPeripheralImage: defineEndpoint({
    path: '/UploadPeripheralImage',
    summary: 'Upload URL for the picture of a device.',
    access: right('device', 'Update'),
    input: PeripheralKey.extend({ ContentType: ImageType }),
    results: UploadTarget,
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: [],
    why: 'The gateway publishes the device after the picture is uploaded.',
  }),
  deletePeripheralImage: defineEndpoint({
    path: '/DeletePeripheralImage',
    summary: 'Deletes the picture of a device.',
    access: right('device', 'Update'),
    input: PeripheralKey,
    results: PeripheralKey,
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: ['peripheral'],
  }),
  uploadCompanyLogo: defineEndpoint({
    path: '/UploadCompanyLogo',
    summary: "Upload URL for the company's logo: square or in landscape format.",
    access: right('company', 'Update'),
    sites: 'company',
    input: z.object({ ContentType: ImageType }),
    results: UploadTarget,
    mutates: true,
    changes: [],
    why: 'The gateway publishes the company after the logo is uploaded.',
  }),
}
