import { cpSync, rmSync } from 'node:fs'
import { defineConfig, type RolldownOptions } from 'rolldown'
import { thirdParty } from './scripts/package/third-party-plugin.ts'
import { UNBUNDLED } from './scripts/package/needed-packages.ts'

const OUT = 'dist/gateway'

/** Bundles a program of the gateway into one file, except for the packages in `UNBUNDLED`. */
const program = (name: string, source: string): RolldownOptions => ({
  input: { [name]: source },
  platform: 'node',
  external: [
    ...UNBUNDLED.map((each) => new RegExp(`^${each}(/|$)`)),
    // Optional dependencies of libraries.
    /^pg-native$/,
    /^bufferutil$/,
    /^utf-8-validate$/,
  ],
  output: { dir: OUT, format: 'esm', sourcemap: true, minify: false, codeSplitting: false },
})

/** Builds the gateway, and its commands for machines without the source. */
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
