import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '../../src')

/** Pages without the frame: outside of the shell, or on paper, where the screen's title is not printed. */
const WITHOUT_FRAME = [
  'custom-views/bookings/door-display-page.tsx',
  'custom-views/notifications/print-history.tsx',
  'resources/automation/list/print-rules.tsx',
  'sign-in/sign-in-page.tsx',
]

it('writes the title of every page in one frame', () => {
  const files = (readdirSync(SRC, { recursive: true }) as string[]).filter((file) => file.endsWith('.tsx'))
  const titled = files.filter((file) => readFileSync(join(SRC, file), 'utf8').includes('<h1'))
  expect(titled.toSorted()).toEqual([...WITHOUT_FRAME, 'ui/page/page.tsx'].toSorted())
})
