import { Input } from 'antd'
import { readdirSync, readFileSync } from 'node:fs'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { RenameDialog } from '../../../../src/custom-views/device-list/bulk/rename-dialog.tsx'
import { onEnter } from '../../../../src/ui/inputs/on-enter.ts'

it.each([
  ['Enter', {}, 1],
  ['Enter that ends a composition', { isComposing: true }, 0],
  ['Enter that ends a composition in Safari', { keyCode: 229 }, 0],
])('handles %s', (_, more, times) => {
  const act = vi.fn()
  render(<Input onPressEnter={onEnter(act)} />)
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter', ...more })
  expect(act).toHaveBeenCalledTimes(times)
})

it('keeps the rename dialog open during IME composition', () => {
  const rename = vi.fn()
  const items = [{ id: 'p1', name: 'Lamp' }]
  render(<RenameDialog items={items} rename={rename} close={() => {}} />)
  const [pattern] = screen.getAllByRole('textbox')
  if (!pattern) throw new Error('no field')
  fireEvent.change(pattern, { target: { value: '燈 {n}' } })
  fireEvent.keyDown(pattern, { key: 'Enter', isComposing: true })
  fireEvent.keyUp(pattern, { key: 'Enter' })
  expect(rename).not.toHaveBeenCalled()
  fireEvent.keyDown(pattern, { key: 'Enter' })
  expect(rename).toHaveBeenCalledOnce()
})

it('is used by every field in the sources for Enter', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.tsx'),
  )
  const others = sources.filter((file) =>
    /onPressEnter=\{(?!onEnter\()/.test(readFileSync(`src/${file}`, 'utf8')),
  )
  expect(others).toEqual([])
})
