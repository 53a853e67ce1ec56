import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import UpdateNotice, { hasNewerBuild } from '../../../src/shell/update-notice.tsx'
import { connection } from '../../../src/live/channel.ts'
import { server } from '../../support/msw.ts'

const page = (file: string) =>
  `<html><head><script type="module" src="/assets/${file}"></script></head></html>`
const serves = (html: string, status = 200) =>
  server.use(http.get('*/index.html', () => HttpResponse.html(html, { status })))

beforeEach(() => {
  const script = document.createElement('script')
  script.type = 'module'
  script.setAttribute('src', '/assets/index-old.js')
  // Not run: a template's scripts never are.
  document.body.innerHTML = script.outerHTML
})
afterEach(() => {
  document.body.replaceChildren()
  act(() => connection.state.set('idle'))
})

describe('a newer build', () => {
  it('is detected by other file names in its page', async () => {
    serves(page('index-new.js'))
    expect(await hasNewerBuild()).toBe(true)
  })

  it.each([
    ['the same build', page('index-old.js'), 200],
    ['a gateway that is away', 'Bad gateway', 502],
    ['a page of a proxy', '<html>Please sign in to the network</html>', 200],
  ])('is not detected from %s', async (_, html, status) => {
    serves(html, status)
    expect(await hasNewerBuild()).toBe(false)
  })

  it('is never detected in development', async () => {
    document.body.replaceChildren()
    expect(await hasNewerBuild()).toBe(false)
  })
})

describe('the notice of a newer version', () => {
  it('appears when the live channel reconnects, and can be postponed', async () => {
    serves(page('index-new.js'))
    render(<UpdateNotice />)
    act(() => connection.state.set('connecting'))
    act(() => connection.state.set('connected'))
    expect(screen.getByRole('status').textContent).toBe('')
    act(() => connection.state.set('reconnecting'))
    act(() => connection.state.set('connected'))
    expect(await screen.findByText('儀表板有新版本。重新載入後即可使用。')).toBeTruthy()
    expect(screen.getByRole('button', { name: '重新載入' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: /稍\s?後/ }))
    expect(screen.getByRole('status').textContent).toBe('')
  })
})
