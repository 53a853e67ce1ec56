import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ResourceName } from '../../../contract/index.ts'
import { paths, recordPages } from '../../../src/navigation/paths.ts'
import { refineResources } from '../../../src/providers/refine-frame.tsx'
import { loadRecord, screens } from '../../../src/screens.ts'

/** Records with lists and forms of their own. */
const CARD: readonly ResourceName[] = [
  'home',
  'room',
  'user',
  'department',
  'modbusTable',
  'conferenceRoom',
  'visitor',
  'employee',
  'scanner',
]
const SRC = join(import.meta.dirname, '../../../src')

describe('every record with lists and forms', () => {
  it.each(CARD)(
    '%s is in resources[] with a list page, which the kit renders',
    async (name) => {
      const list = recordPages.find(
        (page) => paths[page].record?.name === name && paths[page].record?.as === 'List',
      )
      expect(refineResources.find((one) => one.name === name)?.list).toBe(list && paths[list].patterns[0])
      expect(list).toBeTypeOf('string')
      expect(Object.keys(await loadRecord(name)).sort()).toEqual(['Create', 'Edit', 'List'])
    },
    60_000,
  )

  it('has a screen for each of its pages', () => {
    expect(recordPages.filter((page) => !screens[page])).toEqual([])
  })
})

describe('Refine', () => {
  it('is imported only by the record kit, the records and the providers', () => {
    const files = (readdirSync(SRC, { recursive: true }) as string[]).filter((file) => /\.tsx?$/.test(file))
    const named = files.filter((file) => /from '@refinedev\//.test(readFileSync(join(SRC, file), 'utf8')))
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((file) => !/^(record-kit|resources|providers)\//.test(file))).toEqual([])
  })
})
