import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Form } from 'antd'
import { expect, it, vi } from 'vitest'
import { NumberWithUnit } from '../../../src/ui/inputs/number-with-unit.tsx'

it('is a form field with its unit behind it', async () => {
  const done = vi.fn()
  const user = userEvent.setup()
  const { container } = render(
    <Form onFinish={done}>
      <Form.Item name="limit" label="上限">
        <NumberWithUnit min={0} unit="A" />
      </Form.Item>
      <button type="submit">送出</button>
    </Form>,
  )
  await user.type(screen.getByRole('spinbutton', { name: '上限' }), '12.5')
  await user.click(screen.getByRole('button', { name: '送出' }))
  await waitFor(() => expect(done).toHaveBeenCalledWith({ limit: 12.5 }))
  expect(container.textContent).toContain('A')
})

it('has nothing behind it without a unit', () => {
  const { container } = render(<NumberWithUnit aria-label="功率因數" value={0.93} />)
  expect(screen.getByRole('spinbutton', { name: '功率因數' })).toHaveProperty('value', '0.93')
  expect(container.querySelector('.ant-space-compact')).toBeNull()
})
