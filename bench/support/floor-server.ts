import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { precompress } from '../../scripts/precompress.ts'
import { atEnd } from './clean-up.ts'
import { temporaryDirectory } from './gateway.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/** Serves the pages of bench/floor. */
export const serveFloor = (): Promise<string> =>
  servePages(join(import.meta.dirname, '../floor'), ['index.html', 'receive.html'])

/** Builds pages below `root` as the product's are built and serves them compressed; returns their address. */
export async function servePages(root: string, pages: readonly string[]): Promise<string> {
  const outDir = await temporaryDirectory()
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [react(), precompress()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      rolldownOptions: { input: pages.map((page) => join(root, page)) },
    },
  })
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://floor')
    const path = join(outDir, pathname === '/' ? 'index.html' : join('/', pathname))
    readFile(`${path}.gz`)
      .then((body) => ({ body, encoding: { 'content-encoding': 'gzip' } }))
      .catch(async () => ({ body: await readFile(path), encoding: {} }))
      .then(
        ({ body, encoding }) => {
          response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain', ...encoding })
          response.end(body)
        },
        () => response.writeHead(404).end(),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
