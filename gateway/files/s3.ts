import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { GatewayError } from '../errors.ts'
import type { Files } from '../outsides.ts'
import { contentTypeOf, safeKey } from './key.ts'

export interface S3Options {
  bucket: string
  region: string
  /** Of a store that is not Amazon's, e.g. http://minio:9000. */
  endpoint?: string | undefined
  accessKeyId?: string | undefined
  secretAccessKey?: string | undefined
  /** Before every key, e.g. "dashboard/". */
  prefix?: string | undefined
}

/** Pictures in any S3-compatible store. Errors: UNAVAILABLE when the store does not answer. */
export function createS3Files(options: S3Options): Files {
  const { bucket: Bucket, prefix = '', region, endpoint, accessKeyId, secretAccessKey } = options
  const config: S3ClientConfig = { region, maxAttempts: 3 }
  if (endpoint) Object.assign(config, { endpoint, forcePathStyle: true })
  if (accessKeyId && secretAccessKey) config.credentials = { accessKeyId, secretAccessKey }
  const client = new S3Client(config)
  const Key = (key: string) => prefix + safeKey(key)

  return {
    async put(key, bytes, contentType) {
      const object = { Bucket, Key: Key(key), Body: bytes, ContentType: contentType }
      await client.send(new PutObjectCommand(object)).catch(unavailable)
    },

    async get(key) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: Key(key) }))
        if (!Body) return undefined
        return { bytes: await Body.transformToByteArray(), contentType: contentTypeOf(key) as string }
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined
        return unavailable(error)
      }
    },

    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: Key(key) })).catch(unavailable)
    },
  }
}

function unavailable(error: unknown): never {
  if (error instanceof GatewayError) throw error
  throw new GatewayError('UNAVAILABLE', 'The picture store cannot be reached', undefined, { cause: error })
}
