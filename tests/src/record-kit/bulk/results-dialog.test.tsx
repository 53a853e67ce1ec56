import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { changeLanguage, t } from '../../../../src/lib/i18n/i18n.ts'
import {
  ItemFailed,
  startBulk,
  type BulkAction,
  type BulkItem,
} from '../../../../src/record-kit/bulk/bulk-run.ts'
import { ResultsDialog } from '../../../../src/record-kit/bulk/results-dialog.tsx'

const ITEMS = ['一', '二', '三'].map((name, i) => ({ id: String(i + 1), name }))
let done: string[]
let refused: ReadonlySet<string>

const work = (verb: string) => (items: readonly BulkItem[]) =>
  startBulk(
    items,
    ({ id }) => {
      if (refused.has(`${verb} ${id}`)) return Promise.reject(new ItemFailed(() => '不行'))
      done.push(`${verb} ${id}`)
      return Promise.resolve()
    },
    { maxConcurrent: 1, whyOf: String },
  )
/** antd inserts a space between two Chinese characters. */
const UNDO = /^復\s?原$/
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const open = (undo: boolean) => {
  const action: BulkAction = { title: () => '移動', start: work('move'), ...(undo && { undo: work('back') }) }
  render(<ResultsDialog action={action} items={ITEMS} close={() => {}} />)
  return userEvent.setup()
}
const told = (words: { done: number; total: number; failed: number }) =>
  screen.findByText(t('lists:results.progress', words))

beforeEach(async () => {
  await changeLanguage('zh-TW')
  done = []
  refused = new Set()
})

it('undoes what was done, in the first try and in the retry, and nothing else', async () => {
  refused = new Set(['move 2', 'move 3'])
  const user = open(true)
  await told({ done: 3, total: 3, failed: 2 })
  refused = new Set(['move 3'])
  await user.click(await button(t('lists:results.retry')))
  await told({ done: 2, total: 2, failed: 1 })
  await user.click(await button(UNDO))
  await told({ done: 2, total: 2, failed: 0 })
  expect(done).toEqual(['move 1', 'move 2', 'back 1', 'back 2'])
  expect(screen.queryByRole('button', { name: UNDO })).toBeNull()
})

it('retries a failed undo', async () => {
  refused = new Set(['back 2'])
  const user = open(true)
  await told({ done: 3, total: 3, failed: 0 })
  await user.click(await button(UNDO))
  await told({ done: 3, total: 3, failed: 1 })
  refused = new Set()
  await user.click(await button(t('lists:results.retry')))
  await told({ done: 1, total: 1, failed: 0 })
  expect(done.slice(3)).toEqual(['back 1', 'back 3', 'back 2'])
})

it('offers no undo if nothing was done, or nothing can be undone', async () => {
  refused = new Set(ITEMS.map(({ id }) => `move ${id}`))
  open(true)
  await told({ done: 3, total: 3, failed: 3 })
  expect(screen.queryByRole('button', { name: UNDO })).toBeNull()
})

it('offers no undo for an irreversible action', async () => {
  open(false)
  await told({ done: 3, total: 3, failed: 0 })
  expect(screen.queryByRole('button', { name: UNDO })).toBeNull()
})
