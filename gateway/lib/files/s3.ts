import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { GatewayError } from '../../kernel/errors.ts'
import type { Files } from '../../kernel/ports.ts'
import { contentTypeOf, assertKey } from './key.ts'

export interface S3Options {
  bucket: string
  region: string
  /** Endpoint of a store other than Amazon's, e.g. https://s3.example. */
  endpoint?: string | undefined
  accessKeyId?: string | undefined
  secretAccessKey?: string | undefined
  /** Prefix of every key, e.g. "dashboard/". */
  prefix?: string | undefined
}

/** Files in an S3-compatible store. Errors: UNAVAILABLE if the store does not answer. */
export function createS3Files(options: S3Options): Files {
  const { bucket: Bucket, prefix = '', region, endpoint, accessKeyId, secretAccessKey } = options
  const config: S3ClientConfig = { region, maxAttempts: 3 }
  if (endpoint) Object.assign(config, { endpoint, forcePathStyle: true })
  if (accessKeyId && secretAccessKey) config.credentials = { accessKeyId, secretAccessKey }
  // The library's warning about Node.js versions concerns its maintainers, not operators who read the log.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const client = new S3Client(config)
  const keyOf = (key: string) => prefix + assertKey(key)

  const put: Files['put'] = async (key, bytes, contentType) => {
    const object = { Bucket, Key: keyOf(key), Body: bytes, ContentType: contentType }
    await client.send(new PutObjectCommand(object)).catch(throwUnavailable)
  }

  return {
    // Without the endpoint, because one store may have several addresses.
    readLocationId: async () => `s3:${Bucket}/${prefix}`,

    put,

    // The request is signed with the hash of its body, so the body is read first.
    putStream: async (key, source, contentType) => put(key, await buffer(source), contentType),

    async getStream(key, from = 0) {
      try {
        const { Body, ContentRange, ContentLength } = await client.send(
          new GetObjectCommand({ Bucket, Key: keyOf(key), ...(from > 0 && { Range: `bytes=${from}-` }) }),
        )
        if (!Body) return undefined
        const size = Number(ContentRange?.split('/')[1] ?? ContentLength ?? 0)
        return { stream: Body as Readable, size }
      } catch (error) {
        if (isMissing(error)) return undefined
        return throwUnavailable(error)
      }
    },

    async get(key) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: keyOf(key) }))
        if (!Body) return undefined
        return { bytes: await Body.transformToByteArray(), contentType: contentTypeOf(key) as string }
      } catch (error) {
        if (isMissing(error)) return undefined
        return throwUnavailable(error)
      }
    },

    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(key) })).catch(throwUnavailable)
    },
  }
}

/** Whether a key is missing. A store whose account may not list the bucket reports "access denied" for a missing key. */
const isMissing = (error: unknown): boolean =>
  error instanceof NoSuchKey || (error instanceof S3ServiceException && error.name === 'AccessDenied')

function throwUnavailable(error: unknown): never {
  if (error instanceof GatewayError) throw error
  throw new GatewayError('UNAVAILABLE', 'The picture store cannot be reached', undefined, { cause: error })
}
