import { cpSync } from 'node:fs'
import { defineConfig, type RolldownOptions } from 'rolldown'

/** A program as one file. Packages with native parts, and what few need, the clients of a picture store and of the bus, stay outside. */
const program = (name: string, source: string, isFirst = false): RolldownOptions => ({
  input: { [name]: source },
  platform: 'node',
  external: [
    /^@node-rs\/argon2/,
    /^sharp$/,
    /^@aws-sdk\//,
    /^@nats-io\//,
    /^pg-native$/,
    /^bufferutil$/,
    /^utf-8-validate$/,
  ],
  output: {
    dir: 'dist/gateway',
    format: 'esm',
    sourcemap: true,
    minify: false,
    codeSplitting: false,
    cleanDir: isFirst,
  },
  plugins: [
    {
      name: 'migrations',
      writeBundle: () => cpSync('gateway/store/migrations', 'dist/gateway/migrations', { recursive: true }),
    },
  ],
})

/** The gateway, and what says what is wrong with an installation. */
export default defineConfig([
  program('main', 'gateway/main.ts', true),
  program('doctor', 'gateway/doctor/main.ts'),
])
