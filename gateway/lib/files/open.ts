import type { Config } from '../../config.ts'
import type { Files } from '../../kernel/ports.ts'
import { createDiskFiles } from './disk.ts'

/** Settings of the store for images and firmware. */
export type FilesSettings = Pick<
  Config,
  | 'FILES_DIR'
  | 'S3_BUCKET'
  | 'S3_REGION'
  | 'S3_ENDPOINT'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY'
  | 'S3_PREFIX'
>

/** Opens the configured store. */
export async function openFiles(settings: FilesSettings): Promise<Files> {
  if (settings.S3_BUCKET === undefined) return createDiskFiles(settings.FILES_DIR)
  // Loaded on demand, because the client is large and few installations need it.
  const { createS3Files } = await import('./s3.ts')
  return createS3Files({
    bucket: settings.S3_BUCKET,
    region: settings.S3_REGION,
    endpoint: settings.S3_ENDPOINT,
    accessKeyId: settings.S3_ACCESS_KEY_ID,
    secretAccessKey: settings.S3_SECRET_ACCESS_KEY,
    prefix: settings.S3_PREFIX,
  })
}
