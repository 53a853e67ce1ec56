import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { devProxy } from './scripts/dev-proxy.ts'
import { precompress } from './scripts/precompress.ts'

const noMarkdown = fileURLToPath(new URL('./src/lib/no-markdown.ts', import.meta.url))

export default defineConfig({
  plugins: [react(), precompress()],
  // Refine can import CSV files and show Markdown, which we do not: those parsers stay out of what browsers load.
  resolve: {
    alias: {
      papaparse: fileURLToPath(new URL('./src/lib/no-csv-import.ts', import.meta.url)),
      'react-markdown': noMarkdown,
      'remark-gfm': noMarkdown,
    },
  },
  server: { proxy: devProxy() },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // No groups for libraries: they pull whole screens into the first one. Icons are many and tiny: one file.
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: 'icons', test: /@ant-design\/icons(-svg)?\// }],
        },
      },
    },
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/{contract,simulator,invariants}/**/*.test.ts'],
          environment: 'node',
        },
      },
      {
        extends: true,
        test: {
          name: 'wire',
          include: ['tests/gateway/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['tests/support/global-setup.ts'],
          testTimeout: 30_000,
          retry: 1,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          include: ['tests/src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          testTimeout: 30_000,
          // Two cores and many screens at once: one second try; the runner's lines mark it (retry x1).
          retry: 1,
          setupFiles: ['tests/support/web-setup.ts'],
          server: { deps: { inline: [/@refinedev\//] } },
        },
      },
    ],
  },
})
