import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createS3Files } from '../../../../gateway/lib/files/s3.ts'

/** Store with the three requests that the gateway makes, like any S3-compatible one. */
async function startStore(missing = { http: 404, code: 'NoSuchKey' }) {
  const stored = new Map<string, Buffer>()
  const seen: string[] = []
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').split('?')[0] as string
    seen.push(`${request.method} ${path}`)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.method === 'PUT') stored.set(path, Buffer.concat(chunks))
    else if (request.method === 'DELETE') stored.delete(path)
    else if (stored.has(path)) return void response.end(stored.get(path))
    else {
      response.writeHead(missing.http, { 'content-type': 'application/xml' })
      return void response.end(
        `<?xml version="1.0"?><Error><Code>${missing.code}</Code><Message>No</Message></Error>`,
      )
    }
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return { endpoint, seen, stored, close }
}

it('stores pictures in the bucket under its prefix, and throws UNAVAILABLE if the store is down', async () => {
  const store = await startStore()
  const files = createS3Files({
    bucket: 'pictures',
    region: 'us-east-1',
    endpoint: store.endpoint,
    accessKeyId: 'key',
    secretAccessKey: 'secret',
    prefix: 'dashboard/',
  })
  await files.put('t1/a.webp', Buffer.from('picture'), 'image/webp')
  expect(store.seen).toContain('PUT /pictures/dashboard/t1/a.webp')
  const found = await files.get('t1/a.webp')
  expect(found?.contentType).toBe('image/webp')
  expect(store.stored.get('/pictures/dashboard/t1/a.webp')?.toString()).toContain('picture')
  await files.remove('t1/a.webp')
  expect(await files.get('t1/a.webp')).toBeUndefined()
  await expect(files.get('../a.webp')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await store.close()
  await expect(files.put('t1/b.webp', Buffer.from('x'), 'image/webp')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  })
})

const filesOf = (endpoint: string) =>
  createS3Files({
    bucket: 'pictures',
    region: 'us-east-1',
    endpoint,
    accessKeyId: 'key',
    secretAccessKey: 'secret',
  })

it('treats a forbidden listing as a missing key, and wrong credentials as an error', async () => {
  const discreet = await startStore({ http: 403, code: 'AccessDenied' })
  expect(await filesOf(discreet.endpoint).get('t1/a.webp')).toBeUndefined()
  await discreet.close()
  const strict = await startStore({ http: 403, code: 'SignatureDoesNotMatch' })
  await expect(filesOf(strict.endpoint).get('t1/a.webp')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await strict.close()
})
