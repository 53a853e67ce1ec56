import { cpSync } from 'node:fs'
import { defineConfig } from 'rolldown'

/** The gateway as one file. Packages with native parts, and the rarely used store client, stay outside. */
export default defineConfig({
  input: { main: 'gateway/main.ts' },
  platform: 'node',
  external: [
    /^@node-rs\/argon2/,
    /^sharp$/,
    /^@aws-sdk\//,
    /^classic-level/,
    /^level$/,
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
