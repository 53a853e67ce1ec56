import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { API_VIEWER, apiViewer } from './scripts/api-viewer.ts'
import { buildWarnings } from './scripts/build-warnings.ts'
import { compileAtOnce } from './scripts/compile-at-once.ts'
import { devProxy } from './scripts/dev-proxy.ts'
import { MOCK, mockPage } from './scripts/mock-page.ts'
import { nativeShell } from './scripts/native-shell.ts'
import { pushWorker } from './scripts/push-worker.ts'
import { firstRequests } from './scripts/first-requests.ts'
import { pageChunks } from './scripts/page-chunks.ts'
import { precompress } from './scripts/precompress.ts'
import { thirdParty } from './scripts/package/third-party-plugin.ts'
import { stripSummaries } from './scripts/without-summaries.ts'

const own = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const warnings = buildWarnings()
const noMarkdown = own('./src/lib/no-markdown.ts')

/** Vitest projects: each has the environment and the setup that its test files need. */
const testProjects: TestProjectConfiguration[] = [
  {
    extends: true,
    test: {
      name: 'unit',
      include: ['tests/{contract,deploy,device-link,mock,simulator,scripts,invariants,src}/**/*.test.ts'],
      exclude: ['**/*.dom.test.ts', '**/*.process.test.ts'],
      environment: 'node',
      server: { deps: { inline: [/@refinedev\//] } },
    },
  },
  {
    extends: true,
    test: {
      name: 'wire',
      include: ['tests/{gateway,hubs}/**/*.test.ts'],
      exclude: ['**/*.process.test.ts'],
      environment: 'node',
      globalSetup: ['tests/support/global-setup.ts'],
    },
  },
  {
    extends: true,
    test: {
      // Tests of processes that start, end and are killed: `npm test` runs them in parallel with the others.
      name: 'process',
      include: ['tests/{gateway,deploy}/**/*.process.test.ts'],
      environment: 'node',
      globalSetup: ['tests/support/global-setup.ts'],
    },
  },
  {
    extends: true,
    test: {
      // Three gateways and the servers between them, which fail: `npm test` runs these tests alone, after the others.
      name: 'cluster',
      include: ['tests/cluster/**/*.cluster.test.ts'],
      environment: 'node',
      globalSetup: ['tests/support/temporary-files-in-memory.ts'],
    },
  },
  {
    extends: true,
    test: {
      name: 'web',
      include: ['tests/src/**/*.test.tsx', 'tests/src/**/*.dom.test.ts'],
      environment: './tests/support/web-environment.ts',
      sequence: { setupFiles: 'list' },
      // The first isolates files from what earlier ones left in the page.
      setupFiles: ['tests/support/fresh-page.ts', 'tests/support/web-setup.ts'],
      server: { deps: { inline: [/@refinedev\//] } },
    },
  },
]

export default defineConfig(({ command, mode }) => ({
  customLogger: warnings.logger,
  plugins: [
    stripSummaries(),
    react(),
    nativeShell(),
    ...(mode === MOCK
      ? [mockPage()]
      : [
          firstRequests(),
          pushWorker(),
          apiViewer(),
          compileAtOnce(),
          precompress(),
          thirdParty('web', [API_VIEWER]),
        ]),
    warnings.plugin,
  ],
  // Stubs for the CSV and Markdown parsers of Refine features that the product does not use: browsers need not load them.
  resolve: {
    alias: [
      // Only Refine imports the bare name; this product imports the file.
      { find: /^papaparse$/, replacement: own('./src/lib/no-csv-import.ts') },
      { find: /^stream$/, replacement: own('./src/lib/no-node-streams.ts') },
      { find: 'react-markdown', replacement: noMarkdown },
      { find: 'remark-gfm', replacement: noMarkdown },
      // The package always resolves to its development files.
      ...(command === 'build'
        ? [
            {
              find: /^react-router$/,
              replacement: own('./node_modules/react-router/dist/production/index.mjs'),
            },
          ]
        : []),
    ],
  },
  server: { proxy: mode === MOCK ? {} : devProxy() },
  // ES modules, so that a worker can load libraries on demand.
  worker: {
    format: 'es',
    plugins: () => (mode === MOCK ? [stripSummaries()] : [stripSummaries(), thirdParty('web')]),
  },
  build: {
    outDir: mode === MOCK ? 'dist/try' : 'dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // Without support for modulepreload, a browser fetches a file when it is needed.
    modulePreload: { polyfill: false },
    // `npm run bench -- first-screen` limits what a screen waits for; the largest files load with a chart or a camera.
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      output: {
        // Shared chunks would be named after all their users, and the gateway serves no path with `~`.
        chunkFileNames: ({ name }) => `assets/${name.split('~', 1)[0]}-[hash].js`,
        assetFileNames: ({ names }) => `assets/${(names[0] ?? 'file').split(/[~.]/, 1)[0]}-[hash][extname]`,
        // Files shared by several screens may import each other: without this, one could run before its dependencies.
        strictExecutionOrder: true,
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: pageChunks(),
        },
      },
    },
  },
  test: {
    // At least two, also on two cores: tests wait for the database and for brokers.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A busy machine must not fail a test.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // Test files of a project share a worker and its loaded modules: loading them for each file took half of the time.
    isolate: false,
    projects: testProjects,
  },
}))
