import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { PlainNumber } from '../../../../src/ui/inputs/plain-number.tsx'

const FAULT = '請輸入 1 至 100 的整數。'

function Page() {
  const [value, setValue] = useState<number | undefined>(4)
  return (
    <>
      <PlainNumber label="人數" min={1} max={100} value={value} fault={FAULT} onChange={setValue} />
      <output>{String(value)}</output>
      <button type="button" onClick={() => setValue(undefined)}>
        清除
      </button>
    </>
  )
}

function open() {
  render(<Page />)
  const field = screen.getByRole('spinbutton', { name: '人數' }) as HTMLInputElement
  return { user: userEvent.setup(), field, taken: () => screen.getByRole('status').textContent }
}

it('returns a whole number as typed, and nothing if emptied', async () => {
  const { user, field, taken } = open()
  expect(field.value).toBe('4')
  await user.type(field, '2')
  expect(taken()).toBe('42')
  await user.clear(field)
  expect(taken()).toBe('undefined')
  // Input in another notation stays as typed.
  await user.type(field, '08')
  expect([field.value, taken()]).toEqual(['08', '8'])
})

it.each(['0', '101', '2.5'])('says what can be typed instead of %s, and changes nothing', async (typed) => {
  const { user, field, taken } = open()
  await user.clear(field)
  await user.type(field, typed)
  expect(screen.getByRole('alert').textContent).toBe(FAULT)
  expect(field.getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id)
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(taken()).toBe(typed === '0' ? 'undefined' : typed === '101' ? '10' : '2')
})

it('can be cleared from outside, after any input', async () => {
  const { user, field } = open()
  await user.type(field, '.5')
  expect(screen.getByRole('alert')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: '清除' }))
  expect(field.value).toBe('')
  expect(screen.queryByRole('alert')).toBeNull()
})
