import { readFileSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'

// The test files of a project share zod.
const before = z.config().jitless
afterEach(() => void z.config({ jitless: before }))

it('prevents zod from compiling functions, which the pages forbid and browsers report', async () => {
  await import('../../../src/lib/zod-without-eval.ts')
  expect(z.config().jitless).toBe(true)
})

it('is the first import of the page', () => {
  const page = readFileSync(new URL('../../../src/main.tsx', import.meta.url), 'utf8')
  expect(page.split('\n')[0]).toBe("import './lib/zod-without-eval.ts'")
})
