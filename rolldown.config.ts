import { cpSync } from 'node:fs'
import { defineConfig } from 'rolldown'

/** The gateway as one file. Packages with native parts, and what few need, the clients of a picture store and of the bus, stay outside. */
export default defineConfig({
  input: { main: 'gateway/main.ts' },
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
    cleanDir: true,
  },
  plugins: [
    {
      name: 'migrations',
      writeBundle: () => cpSync('gateway/store/migrations', 'dist/gateway/migrations', { recursive: true }),
    },
  ],
})
