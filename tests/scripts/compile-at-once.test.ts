import { existsSync } from 'node:fs'
import type { Rolldown } from 'vite'
import { expect, it } from 'vitest'
import { filesOfFirstScreens, tooEarly } from '../../scripts/compile-at-once.ts'
import { DIRECT_SCREENS } from '../../scripts/page-chunks.ts'
import { routes } from '../../src/routes.ts'

const file = (fileName: string, moduleIds: string[], imports: string[] = []) => ({
  fileName,
  name: fileName.replace(/-\d\.js$/, ''),
  moduleIds,
  imports,
})

const chunksOf = (files: ReturnType<typeof file>[]) =>
  new Map(files.map((one) => [one.fileName, one as unknown as Rolldown.OutputChunk]))

it('compiles at once the sign-in page, the application, and what often opened screens import, but no dialog of theirs', () => {
  const chunks = chunksOf([
    file('first-page-1.js', ['main.tsx'], ['runtime-1.js']),
    file('app-1.js', ['App.tsx'], ['first-page-1.js']),
    file('shared-1.js', ['list.tsx', 'row.tsx'], ['app-1.js', 'shared-2.js']),
    file('shared-2.js', ['switch.tsx']),
    file('dialog-1.js', ['dialog.tsx'], ['shared-3.js']),
    file('shared-3.js', ['antd.js']),
    file('runtime-1.js', ['runtime']),
  ])
  expect([...filesOfFirstScreens(chunks, ['list.tsx'])].toSorted()).toEqual([
    'app-1.js',
    'first-page-1.js',
    'runtime-1.js',
    'shared-1.js',
    'shared-2.js',
  ])
})

it('finds Ant Design, the realtime client and the schemas of records in files of the first screens', () => {
  const early = [
    '/app/node_modules/antd/es/button/index.js',
    '/app/node_modules/mqtt/dist/mqtt.esm.js',
    '/app/contract/data-change.ts',
  ]
  const chunks = chunksOf([
    file('app-1.js', ['/app/src/App.tsx', ...early]),
    file('dialog-1.js', ['/app/node_modules/antd/es/modal/index.js']),
  ])
  expect(tooEarly(chunks, ['app-1.js'])).toEqual(early)
})

it('names every screen without Ant Design', () => {
  const plain = Object.entries(routes).filter(([name, { plain }]) => plain && name !== 'PermissionDenied')
  expect(new Set(plain.map(([, route]) => route)).size).toBe(DIRECT_SCREENS.length)
  expect(DIRECT_SCREENS.filter((file) => !existsSync(file))).toEqual([])
})
