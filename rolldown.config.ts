import { cpSync, rmSync } from 'node:fs'
import { defineConfig, type RolldownOptions } from 'rolldown'
import { thirdParty } from './scripts/package/third-party-plugin.ts'
import { UNBUNDLED } from './scripts/package/unbundled.ts'

const OUT = 'dist/gateway'

/** A program of the gateway as one file, but for the packages that stay outside. */
const program = (name: string, source: string): RolldownOptions => ({
  input: { [name]: source },
  platform: 'node',
  external: [
    ...UNBUNDLED.map((each) => new RegExp(`^${each}(/|$)`)),
    // What libraries use where somebody has installed it.
    /^pg-native$/,
    /^bufferutil$/,
    /^utf-8-validate$/,
  ],
  output: { dir: OUT, format: 'esm', sourcemap: true, minify: false, codeSplitting: false },
})

/** The gateway, and its commands for machines that have no source. */
export default defineConfig([
  {
    ...program('main', 'gateway/main.ts'),
    plugins: [
      thirdParty('gateway'),
      {
        name: 'migrations',
        writeBundle: () => {
          rmSync(`${OUT}/migrations`, { recursive: true, force: true })
          cpSync('gateway/store/migrations', `${OUT}/migrations`, { recursive: true })
        },
      },
    ],
  },
  { ...program('command', 'scripts/installed/command.ts'), plugins: [thirdParty('gateway')] },
])
