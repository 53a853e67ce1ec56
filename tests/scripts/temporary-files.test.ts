import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepTemporaryFilesInMemory } from '../support/temporary-files.ts'

let memory: string
beforeEach(() => {
  memory = mkdtempSync(join(tmpdir(), 'memory-'))
  // Restored after the test, whatever its later values.
  vi.stubEnv('TMPDIR', process.env['TMPDIR'])
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(memory, { recursive: true })
})

it('keeps temporary files in memory until the end of a run', () => {
  const forget = keepTemporaryFilesInMemory(memory)
  expect(dirname(tmpdir())).toBe(memory)
  writeFileSync(join(tmpdir(), 'file'), 'content')
  forget()
  expect(readdirSync(memory)).toEqual([])
})

it('deletes what a run left that was killed, and nothing of one that goes on or of others', () => {
  const { pid: ended } = spawnSync(process.execPath, ['--version'])
  for (const name of [`tests-of-${ended}-a`, `tests-of-${process.ppid}-b`, 'else'])
    mkdirSync(join(memory, name))
  keepTemporaryFilesInMemory(memory)()
  expect(readdirSync(memory).toSorted()).toEqual(['else', `tests-of-${process.ppid}-b`])
})

it('changes nothing where there is no disk in memory', () => {
  const before = tmpdir()
  keepTemporaryFilesInMemory(join(memory, 'missing'))()
  expect(tmpdir()).toBe(before)
  expect(existsSync(join(memory, 'missing'))).toBe(false)
})
