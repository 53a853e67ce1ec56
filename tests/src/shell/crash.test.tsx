import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { t } from '../../../src/lib/i18n/i18n.ts'
import { CodeTimeout } from '../../../src/lib/with-timeout.ts'
import { CatchCrash } from '../../../src/shell/crash.tsx'
import { pagesAt } from '../../support/pages-at.tsx'

// React logs caught errors to the console.
beforeEach(() => vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

function open(error: unknown) {
  const Broken = () => {
    throw error
  }
  const { history, pages } = pagesAt(
    [
      {
        path: '*',
        element: (
          <CatchCrash>
            <Broken />
          </CatchCrash>
        ),
      },
      { path: '/whole', element: <CatchCrash>whole</CatchCrash> },
    ],
    '/broken',
  )
  render(pages)
  return history
}

it('says why a screen failed, and shows the next one', () => {
  const history = open(new Error('no such column'))
  expect(screen.getByText(t('shell:crash.text'))).toBeTruthy()
  expect(screen.getByText('no such column')).toBeTruthy()
  act(() => history.push('/whole'))
  expect(screen.getByText('whole')).toBeTruthy()
  expect(screen.queryByText('no such column')).toBeNull()
})

it('says so again if the next one fails too', () => {
  const history = open('broken')
  act(() => history.push('/other?x=1'))
  expect(screen.getByText('broken')).toBeTruthy()
})

it.each([
  [new CodeTimeout(), 'shell:crash.slow'],
  [new TypeError('Failed to fetch dynamically imported module: /assets/x.js'), 'shell:crash.chunk'],
] as const)('offers a retry if code failed to load: %s', (error, text) => {
  open(error)
  expect(screen.getByText(t(text))).toBeTruthy()
  expect(screen.getByRole('button', { name: t('shell:retry') })).toBeTruthy()
})
