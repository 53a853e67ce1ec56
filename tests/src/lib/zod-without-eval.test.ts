import { readFileSync } from 'node:fs'
import { afterEach, expect, it, vi } from 'vitest'

type Global = typeof globalThis & { __zod_globalConfig?: { jitless?: boolean } }
const before = (globalThis as Global).__zod_globalConfig

afterEach(() => {
  ;(globalThis as Global).__zod_globalConfig = before
  vi.resetModules()
})

it('lets zod make no function of text, which our pages forbid and browsers report', async () => {
  vi.resetModules()
  await import('../../../src/lib/zod-without-eval.ts')
  const { z } = await import('zod')
  z.object({ a: z.string() }).parse({ a: 'b' })
  expect(z.config().jitless).toBe(true)
})

it('is what the page runs before anything else', () => {
  const page = readFileSync(new URL('../../../src/main.tsx', import.meta.url), 'utf8')
  expect(page.split('\n')[0]).toBe("import './lib/zod-without-eval.ts'")
})
