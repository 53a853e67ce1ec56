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
import { contentTypeOf, safeKey } from './key.ts'

export interface S3Options {
  bucket: string
  region: string
  /** Of a store that is not Amazon's, e.g. https://s3.example. */
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
  // Which Node.js later versions of the library need concerns who updates it, not who reads the log of a gateway.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const client = new S3Client(config)
  const Key = (key: string) => prefix + safeKey(key)

  const put: Files['put'] = async (key, bytes, contentType) => {
    const object = { Bucket, Key: Key(key), Body: bytes, ContentType: contentType }
    await client.send(new PutObjectCommand(object)).catch(unavailable)
  }

  return {
    // Without the address, by which one store may be known in several ways.
    mark: async () => `s3:${Bucket}/${prefix}`,

    put,

    // The request is signed with the hash of its body, so the body is read first.
    putStream: async (key, source, contentType) => put(key, await buffer(source), contentType),

    async getStream(key, from = 0) {
      try {
        const { Body, ContentRange, ContentLength } = await client.send(
          new GetObjectCommand({ Bucket, Key: Key(key), ...(from > 0 && { Range: `bytes=${from}-` }) }),
        )
        if (!Body) return undefined
        const size = Number(ContentRange?.split('/')[1] ?? ContentLength ?? 0)
        return { stream: Body as Readable, size }
      } catch (error) {
        if (isMissing(error)) return undefined
        return unavailable(error)
      }
    },

    async get(key) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: Key(key) }))
        if (!Body) return undefined
        return { bytes: await Body.transformToByteArray(), contentType: contentTypeOf(key) as string }
      } catch (error) {
        if (isMissing(error)) return undefined
        return unavailable(error)
      }
    },

    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: Key(key) })).catch(unavailable)
    },
  }
}

/** A store whose account may not list the bucket says "access denied" for a key that is not there. */
const isMissing = (error: unknown): boolean =>
  error instanceof NoSuchKey || (error instanceof S3ServiceException && error.name === 'AccessDenied')

function unavailable(error: unknown): never {
  if (error instanceof GatewayError) throw error
  throw new GatewayError('UNAVAILABLE', 'The picture store cannot be reached', undefined, { cause: error })
}
