import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resources, type ResourceName } from '../../../contract/index.ts'
import { refineResources } from '../../../src/providers/refine-resources.ts'
import { recordPages, records, screens } from '../../../src/routes.tsx'

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
    '%s stands in resources[] with a list page, which the kit draws',
    async (name) => {
      const route = records[name]
      expect(refineResources.find((one) => one.name === name)?.list).toBeTypeOf('string')
      expect(recordPages).toContain(route?.List)
      const { default: pages } = await (route as NonNullable<typeof route>).load()
      expect(Object.keys(pages).sort()).toEqual(['Create', 'Edit', 'List'])
    },
    60_000,
  )

  it('is a record of the contract', () => {
    expect(Object.keys(records).filter((name) => !(name in resources))).toEqual([])
  })

  it('has a screen for each of its pages', () => {
    expect(recordPages.filter((page) => !screens[page])).toEqual([])
  })
})

describe('Refine', () => {
  it('is named only by the kit, the records and what Refine is given', () => {
    const files = (readdirSync(SRC, { recursive: true }) as string[]).filter((file) => /\.tsx?$/.test(file))
    const named = files.filter((file) => /from '@refinedev\//.test(readFileSync(join(SRC, file), 'utf8')))
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((file) => !/^(record-kit|resources|providers)\//.test(file))).toEqual([])
  })
})
