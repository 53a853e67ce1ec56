import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const TEXT = /\.(js|css|svg|html|webmanifest|json)$/
/** Minimum size in bytes; smaller files fit in one packet anyway. */
const MIN_BYTES = 1024

/** Vite plugin that writes a .br and a .gz of each text file, so that the gateway need not compress responses. */
export function precompress(): Plugin {
  let outDir = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: (config) => void (outDir = resolve(config.root, config.build.outDir)),
    async writeBundle() {
      const files = await readdir(outDir, { recursive: true })
      await Promise.all(files.filter((file) => TEXT.test(file)).map((file) => compress(join(outDir, file))))
    },
  }
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path)
  if (content.length < MIN_BYTES) return
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  await Promise.all([
    promisify(gzip)(content, { level: 9 }).then((zipped) => writeFile(`${path}.gz`, zipped)),
    promisify(brotliCompress)(content, { params }).then((zipped) => writeFile(`${path}.br`, zipped)),
  ])
}
