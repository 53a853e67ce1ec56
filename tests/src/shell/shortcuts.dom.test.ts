import { describe, expect, it } from 'vitest'
import { shortcutOf } from '../../../src/shell/shortcuts.ts'

const press = (init: KeyboardEventInit & { keyCode?: number }, target: HTMLElement = document.body) => {
  let found: ReturnType<typeof shortcutOf>
  if (target !== document.body) document.body.append(target)
  const listen = (event: KeyboardEvent) => {
    found = shortcutOf(event)
  }
  addEventListener('keydown', listen)
  target.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...init }))
  removeEventListener('keydown', listen)
  return found
}

describe('shortcuts', () => {
  it.each([
    ['Ctrl-K searches', { key: 'k', ctrlKey: true }, 'search'],
    ['Cmd-K searches', { key: 'k', metaKey: true }, 'search'],
    ['? lists the shortcuts', { key: '?' }, 'list'],
    ['a plain k is a letter', { key: 'k' }, undefined],
    ['Ctrl-Alt-K is somebody else’s', { key: 'k', ctrlKey: true, altKey: true }, undefined],
    [
      'Ctrl-K belongs to the input method while it composes',
      { key: 'k', ctrlKey: true, isComposing: true },
      undefined,
    ],
    ['a key the input method has taken (229) is none', { key: 'k', ctrlKey: true, keyCode: 229 }, undefined],
  ])('%s', (_, init, expected) => {
    expect(press(init)).toBe(expected)
  })

  it('leaves ? to who is typing, and still searches from there', () => {
    const input = document.createElement('input')
    expect(press({ key: '?' }, input)).toBeUndefined()
    expect(press({ key: 'k', ctrlKey: true }, input)).toBe('search')
  })
})
