import type { Files } from '../../kernel/ports.ts'
import { createDiskFiles } from './disk.ts'

/** Settings of the store for images and firmware. */
export interface FilesSettings {
  FILES_DIR: string
  /** Bucket; files are stored in FILES_DIR if it is undefined. */
  S3_BUCKET?: string | undefined
  S3_REGION: string
  S3_ENDPOINT?: string | undefined
  S3_ACCESS_KEY_ID?: string | undefined
  S3_SECRET_ACCESS_KEY?: string | undefined
  S3_PREFIX?: string | undefined
}

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
