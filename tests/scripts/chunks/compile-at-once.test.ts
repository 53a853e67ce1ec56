import { existsSync } from 'node:fs'
import type { Rolldown } from 'vite'
import { expect, it } from 'vitest'
import { DIRECT_SCREENS } from '../../../scripts/chunks/application.ts'
import { runAtOnce } from '../../../scripts/chunks/compile-at-once.ts'
import { routes } from '../../../src/routes.ts'

const file = (fileName: string, moduleIds: string[], imports: string[] = []) => ({
  fileName,
  name: fileName.split('-')[0],
  moduleIds,
  imports,
})

it('compiles at once the sign-in page, the application, and what often opened screens import, but no dialog of theirs', () => {
  const files = [
    file('start-1.js', ['main.tsx'], ['runtime-1.js']),
    file('app-1.js', ['App.tsx'], ['start-1.js']),
    file('shared-1.js', ['list.tsx', 'row.tsx'], ['app-1.js', 'shared-2.js']),
    file('shared-2.js', ['switch.tsx']),
    file('dialog-1.js', ['dialog.tsx'], ['shared-3.js']),
    file('shared-3.js', ['antd.js']),
    file('runtime-1.js', ['runtime']),
  ]
  const chunks = new Map(files.map((one) => [one.fileName, one as unknown as Rolldown.OutputChunk]))
  expect(runAtOnce(chunks, new Set(['list.tsx'])).toSorted()).toEqual([
    'app-1.js',
    'runtime-1.js',
    'shared-1.js',
    'shared-2.js',
    'start-1.js',
  ])
})

it('names every screen without Ant Design', () => {
  const plain = Object.entries(routes).filter(([name, { plain }]) => plain && name !== 'PermissionDenied')
  expect(new Set(plain.map(([, route]) => route)).size).toBe(DIRECT_SCREENS.length)
  expect(DIRECT_SCREENS.filter((file) => !existsSync(file))).toEqual([])
})
