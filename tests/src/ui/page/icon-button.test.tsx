import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { IconButton } from '../../../../src/ui/page/icon-button.tsx'

const open = (props: { disabled?: boolean; reason?: string }) => {
  const onPress = vi.fn()
  render(<IconButton icon={<i />} label="Run" onPress={onPress} {...props} />)
  const button = screen.getByRole('button', { name: 'Run' })
  button.focus()
  return { button, onPress }
}

it('is focusable while disabled with a reason, which it shows, and does nothing', async () => {
  const { button, onPress } = open({ disabled: true, reason: 'The gateway cannot be reached' })
  expect(document.activeElement).toBe(button)
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(button.getAttribute('aria-description')).toBe('The gateway cannot be reached')
  expect((await screen.findByRole('tooltip')).textContent).toBe('The gateway cannot be reached')
  fireEvent.click(button)
  expect(onPress).not.toHaveBeenCalled()
})

it('is not focusable while disabled without a reason', () => {
  const { button } = open({ disabled: true })
  expect(document.activeElement).not.toBe(button)
})

it('acts on a press', () => {
  const { button, onPress } = open({})
  fireEvent.click(button)
  expect(onPress).toHaveBeenCalledOnce()
})
