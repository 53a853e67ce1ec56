import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { pressOnPage, shortcutOf, switchKeys } from '../../../src/shell/shortcuts.ts'

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
    ['k goes a row up', { key: 'k' }, { row: 'previous' }],
    ['[ goes a period back', { key: '[' }, { page: '[' }],
    ['Ctrl-Alt-K is somebody else’s', { key: 'k', ctrlKey: true, altKey: true }, undefined],
    [
      'Ctrl-K belongs to the input method while it composes',
      { key: 'k', ctrlKey: true, isComposing: true },
      undefined,
    ],
    ['a key the input method has taken (229) is none', { key: 'k', ctrlKey: true, keyCode: 229 }, undefined],
  ])('%s', (_, init, expected) => {
    expect(press(init)).toEqual(expected)
  })

  it('ignore ? while typing, but still open the search', () => {
    const input = document.createElement('input')
    expect(press({ key: '?' }, input)).toBeUndefined()
    expect(press({ key: 'j' }, input)).toBeUndefined()
    expect(press({ key: 'k', ctrlKey: true }, input)).toBe('search')
  })

  it('open a page by g and a letter within a second, and ignore the letter alone', () => {
    expect(press({ key: 'b' })).toBeUndefined()
    expect(press({ key: 'g' })).toBeUndefined()
    expect(press({ key: 'b' })).toEqual({ go: 'b' })
    const g = new KeyboardEvent('keydown', { key: 'g' })
    shortcutOf(g, 5_000)
    expect(shortcutOf(new KeyboardEvent('keydown', { key: 'b' }), 6_001)).toBeUndefined()
  })

  it.each(['input', 'select'])('focus the %s of a key instead of pressing it', (kind) => {
    const page = document.createElement('main')
    page.innerHTML = `<${kind} data-keys="c"></${kind}>`
    document.body.append(page)
    vi.stubGlobal('CSS', { escape: (text: string) => text })
    onTestFinished(() => {
      page.remove()
      vi.unstubAllGlobals()
    })
    expect(pressOnPage('c')).toBe(true)
    expect(document.activeElement?.localName).toBe(kind)
  })

  it('exclude single keys if those are disabled, but never the search or the list', () => {
    switchKeys()
    onTestFinished(switchKeys)
    expect(press({ key: 'j' })).toBeUndefined()
    expect(press({ key: '?' })).toBe('list')
    expect(press({ key: 'k', ctrlKey: true })).toBe('search')
  })
})
