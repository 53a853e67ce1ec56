import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { devProxy } from './scripts/dev-proxy.ts'
import { precompress } from './scripts/precompress.ts'

const isPageOrEntry = (id: string) => /src\/main\.tsx|index\.html|modulepreload/.test(id)

/**
 * Fewer, larger files: on a slow line each request costs a round trip and its headers. What sign-in needs is one file, a
 * language's words are one, and small parts that several screens share travel together. Libraries get no group of their own:
 * that would draw rarely used ones into the first file.
 */
const chunks = [
  { name: 'start', tags: ['$initial' as const], test: (id: string) => !isPageOrEntry(id), priority: 3 },
  ...['zh-TW', 'en-US'].map((name) => ({
    name,
    test: new RegExp(`locales/${name}/(?!auth)`),
    priority: 2,
  })),
  {
    name: 'shared',
    test: (id: string) => !isPageOrEntry(id),
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: 60_000,
    priority: 1,
  },
]

export default defineConfig({
  plugins: [react(), precompress()],
  // Refine can import CSV files, which we do not: its parser stays out of what browsers load.
  resolve: { alias: { papaparse: fileURLToPath(new URL('./src/lib/no-csv-import.ts', import.meta.url)) } },
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
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          include: ['tests/src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          setupFiles: ['tests/support/web-setup.ts'],
          server: { deps: { inline: [/@refinedev\//] } },
        },
      },
    ],
  },
})
