import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endpoints } from '../../contract/index.ts'
import { ENTITIES } from '../../contract/kernel/entities.ts'
import { EMITTED_CHANGES, neverEmitted, recordChange } from '../../scripts/emitted-changes.ts'

let directory: string
let file: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'emitted-'))
  file = join(directory, 'changes.txt')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(directory, { recursive: true })
})

const declared = endpoints.flatMap(({ path, changes }) =>
  ENTITIES.filter((entity) => changes.includes(entity)).map((entity) => `${path} ${entity}`),
)

describe('the changes that calls declare', () => {
  it('are all missed by a run that recorded nothing', () => {
    expect(declared.length).toBeGreaterThan(50)
    expect(neverEmitted(file)).toEqual(declared)
  })

  it('are missed by a run in which no worker recorded them', () => {
    const [first, ...others] = declared
    writeFileSync(file, `${others.join('\n')}\n`)
    expect(neverEmitted(file)).toEqual([first])
  })

  it('are recorded once by a worker that is told where', () => {
    vi.stubEnv(EMITTED_CHANGES, file)
    recordChange('/DeleteRoom', 'thing')
    recordChange('/DeleteRoom', 'thing')
    recordChange('/DeleteRoom', 'room')
    expect(neverEmitted(file)).toEqual(
      declared.filter((line) => line !== '/DeleteRoom thing' && line !== '/DeleteRoom room'),
    )
  })

  it('are recorded nowhere by a worker that is told nothing', () => {
    vi.stubEnv(EMITTED_CHANGES, undefined)
    recordChange('/DeleteHome', 'home')
    expect(neverEmitted(file)).toContain('/DeleteHome home')
  })
})
