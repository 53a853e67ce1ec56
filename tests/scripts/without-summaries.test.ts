import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withoutSummaries } from '../../scripts/without-summaries.ts'

const CONTRACT = join(import.meta.dirname, '../../contract')

it('takes the summaries of calls and channels out, and nothing beside them', () => {
  expect(
    withoutSummaries(
      `a({ path: '/A', summary: 'It\\'s, "so"', access: 'b' }), c({ summary:\n  "d's", e: 1 })`,
    ),
  ).toBe(`a({ path: '/A', summary: '', access: 'b' }), c({ summary: '', e: 1 })`)
  expect(withoutSummaries('const { summary } = a; b({ summary: of(a), c })')).toBe(
    'const { summary } = a; b({ summary: of(a), c })',
  )
})

it('leaves none in the contract', () => {
  const left = (readdirSync(CONTRACT, { recursive: true }) as string[])
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const source = withoutSummaries(readFileSync(join(CONTRACT, file), 'utf8'))
      return [...source.matchAll(/\bsummary:\s*(?!'')['"`].*/g)].map(([line]) => `${file}: ${line}`)
    })
  expect(left).toEqual([])
})
