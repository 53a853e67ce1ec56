import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ModalFuncProps } from 'antd'
import { createElement, type ComponentType, type ReactElement } from 'react'
import { Outlet } from 'react-router'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Dialogs } from '../../../src/shell/dialogs.tsx'
import { t } from '../../../src/lib/i18n/i18n.ts'
import { confirm, showError, type Dialog } from '../../../src/ui/page/dialogs.ts'
import type { PartOptions } from '../../../src/ui/page/lazy.tsx'
import { useUnsavedGuard } from '../../../src/ui/page/leave-guards.ts'
import { pagesAt } from '../../support/pages-at.tsx'

/** Controls loading of lazy parts; `renew` discards loaded ones. */
const line = vi.hoisted(() => ({
  fetch: async <T,>(load: () => Promise<T>): Promise<T> => load(),
  asked: 0,
  renew: () => {},
}))
vi.mock(import('../../../src/ui/page/lazy.tsx'), async (original) => {
  const real = await original()
  return {
    ...real,
    lazyPart: <Props extends object>(
      load: () => Promise<{ default: ComponentType<Props> }>,
      how?: PartOptions<Props>,
    ) => {
      const fresh = () =>
        real.lazyPart<Props>(() => {
          line.asked++
          return line.fetch(load)
        }, how)
      let part = fresh()
      line.renew = () => (part = fresh())
      return Object.assign((props: Props) => createElement(part, props), { preload: () => part.preload() })
    },
  }
})

// Without animation, closed elements disappear immediately.
vi.mock(import('../../../src/ui/theme/antd-theme.ts'), async (original) => {
  const { antdTheme } = await original()
  return {
    antdTheme: (...how) => {
      const { token, ...rest } = antdTheme(...how)
      return { ...rest, token: { ...token, motion: false } }
    },
  }
})

/** Blocks loading of lazy parts. Returns a function that resumes it. */
function holdBack(): () => Promise<void> {
  let release: () => void = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  line.fetch = async (load) => {
    await held
    return load()
  }
  return () => act(async () => release())
}

beforeEach(() => {
  line.fetch = (load) => load()
  line.asked = 0
  line.renew()
})

/** App frame with pages. */
function open({ page = <p>page</p> }: { page?: ReactElement } = {}) {
  const frame = (
    <>
      <Outlet />
      <Dialogs />
    </>
  )
  const { history, pages } = pagesAt(
    [
      {
        element: frame,
        children: [
          { path: '/first', element: page },
          { path: '/second', element: <p>second page</p> },
        ],
      },
    ],
    '/first',
  )
  render(pages)
  return { user: userEvent.setup(), go: (to: string) => act(async () => history.push(to)), history }
}

const question = (title = 'Remove it?') => ({
  title,
  okText: 'Remove',
  cancelText: 'Keep',
  onOk: vi.fn<() => void>(),
  onCancel: vi.fn<() => void>(),
})
type Question = ReturnType<typeof question>
function ask(props: ModalFuncProps): Dialog {
  let dialog: Dialog | undefined
  act(() => {
    dialog = confirm(props)
  })
  return dialog as Dialog
}
const isDrawn = ({ title }: Pick<ModalFuncProps, 'title'>) => screen.queryAllByText(String(title)).length > 0
/** By its text: in tests the ids of all titles are the same. */
const dialogOf = async ({ title }: Pick<ModalFuncProps, 'title'>) =>
  (await screen.findAllByText(String(title)))[0]?.closest('[role=dialog]') as HTMLElement
const press = async (user: ReturnType<typeof userEvent.setup>, props: ModalFuncProps, name: string) =>
  user.click(within(await dialogOf(props)).getByRole('button', { name }))
const isGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const expectUnanswered = ({ onOk, onCancel }: Question) => {
  expect(onOk).not.toHaveBeenCalled()
  expect(onCancel).not.toHaveBeenCalled()
}

describe('dialogs over the page', () => {
  it('are fetched once, with the first of them', async () => {
    const { user } = open()
    expect(line.asked).toBe(0)
    const first = question()
    ask(first)
    await press(user, first, 'Remove')
    await isGone()
    const second = question('Really?')
    ask(second)
    await dialogOf(second)
    expect(line.asked).toBe(1)
  })

  it('are fetched when one is opened, with a loading state until then', async () => {
    const letThrough = holdBack()
    const { user } = open()
    expect(line.asked).toBe(0)
    const asked = question()
    ask(asked)
    expect(screen.getByRole('status').textContent).toBe(t('shell:loading'))
    await waitFor(() => expect(line.asked).toBe(1))
    expectUnanswered(asked)
    await letThrough()
    await press(user, asked, 'Remove')
    await isGone()
    expect(screen.queryByRole('status')).toBeNull()
    expect(asked.onOk).toHaveBeenCalledTimes(1)
    expect(asked.onCancel).not.toHaveBeenCalled()
  })

  it('are answered one by one if two are opened at once', async () => {
    const { user } = open()
    const [first, second] = [question('First?'), question('Second?')]
    act(() => {
      confirm(first)
      confirm(second)
    })
    await press(user, second, 'Keep')
    await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
    await press(user, first, 'Remove')
    await isGone()
    expect(
      [first.onOk, first.onCancel, second.onOk, second.onCancel].map(({ mock }) => mock.calls.length),
    ).toEqual([1, 0, 0, 1])
  })

  it('are all shown if more are opened while the code is loading', async () => {
    const letThrough = holdBack()
    open()
    const [first, second] = [question('First?'), question('Second?')]
    ask(first)
    await waitFor(() => expect(line.asked).toBe(1))
    ask(second)
    await letThrough()
    await dialogOf(first)
    await dialogOf(second)
    expect(line.asked).toBe(1)
  })

  it('are shown once if the user presses again before they load', async () => {
    const letThrough = holdBack()
    const { user } = open()
    const [first, again] = [question(), question()]
    ask(first)
    ask(again)
    await letThrough()
    await press(user, again, 'Remove')
    await isGone()
    expect(again.onOk).toHaveBeenCalledTimes(1)
    expectUnanswered(first)
  })

  it('never appear if closed before the code has loaded', async () => {
    const letThrough = holdBack()
    open()
    const [gone, stays] = [question('Gone?'), question('Stays?')]
    const dialog = ask(gone)
    ask(stays)
    act(() => dialog.destroy())
    await letThrough()
    await dialogOf(stays)
    expect(isDrawn(gone)).toBe(false)
    expectUnanswered(gone)
  })

  it('leave nothing behind if the only one is closed before the code has loaded', async () => {
    const letThrough = holdBack()
    open()
    const dialog = ask(question())
    act(() => dialog.destroy())
    expect(screen.queryByRole('status')).toBeNull()
    await letThrough()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('close without an answer if the caller withdraws them', async () => {
    open()
    const asked = question()
    const dialog = ask(asked)
    await dialogOf(asked)
    act(() => dialog.destroy())
    await isGone()
    expect(isDrawn(asked)).toBe(false)
    expectUnanswered(asked)
  })

  it('say that the code failed to load, run no answer, and appear on a retry', async () => {
    line.fetch = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
    const { user } = open()
    const asked = question()
    ask(asked)
    expect((await screen.findByRole('alert')).textContent).toContain(t('shell:partFailed'))
    expectUnanswered(asked)
    line.fetch = (load) => load()
    await user.click(screen.getByRole('button', { name: t('shell:retry') }))
    await press(user, asked, 'Remove')
    expect(asked.onOk).toHaveBeenCalledTimes(1)
  })

  it('report a load failure only once one is open, and load on a retry', async () => {
    line.fetch = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
    const { user } = open()
    await act(async () => {})
    expect(screen.queryByRole('alert')).toBeNull()
    const asked = question()
    ask(asked)
    const alert = await screen.findByRole('alert')
    line.fetch = (load) => load()
    await user.click(within(alert).getByRole('button'))
    await dialogOf(asked)
  })

  it('close with their page, rendered or not', async () => {
    const letThrough = holdBack()
    const { go } = open()
    const [waiting, drawn] = [question('Waiting?'), question('Drawn?')]
    ask(waiting)
    await go('/second')
    await letThrough()
    ask(drawn)
    await dialogOf(drawn)
    expect(isDrawn(waiting)).toBe(false)
    await go('/first')
    await isGone()
    expectUnanswered(waiting)
    expectUnanswered(drawn)
  })

  it('are dismissed by Escape, and return focus to their opener', async () => {
    const asked = question()
    const { user } = open({ page: <button onClick={() => confirm(asked)}>ask</button> })
    const button = screen.getByRole('button', { name: 'ask' })
    button.focus()
    await user.keyboard('{Enter}')
    const dialog = await dialogOf(asked)
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
    // By `keyCode`, which the component library reads.
    fireEvent.keyDown(document.activeElement as Element, { key: 'Escape', keyCode: 27 })
    expect(asked.onCancel).toHaveBeenCalledTimes(1)
    await isGone()
    expect(document.activeElement).toBe(button)
  })

  it('stay open until the action of their answer has finished', async () => {
    const { user } = open()
    let finish = () => {}
    const asked = { ...question(), onOk: vi.fn(() => new Promise<void>((resolve) => (finish = resolve))) }
    ask(asked)
    await press(user, asked, 'Remove')
    await waitFor(async () =>
      expect((await dialogOf(asked)).querySelector('.ant-btn-loading')?.textContent).toBe('Remove'),
    )
    await act(async () => finish())
    await isGone()
    expect(asked.onOk).toHaveBeenCalledTimes(1)
  })

  it('show an error with one button to close it', async () => {
    const { user } = open()
    act(() => void showError({ title: 'Refused', okText: 'Close' }))
    const dialog = await dialogOf({ title: 'Refused' })
    expect(within(dialog).getAllByRole('button')).toHaveLength(1)
    await user.click(within(dialog).getByRole('button', { name: 'Close' }))
    await isGone()
  })

  function Edited() {
    useUnsavedGuard(true)
    return <p>edited</p>
  }

  it('close if the user navigates within a page with unsaved input', async () => {
    const { go } = open({ page: <Edited /> })
    await go('/second')
    await screen.findByRole('button', { name: t('shell:unsaved.stay') })
    await go('/first?part=2')
    await isGone()
    expect(screen.getByText('edited')).toBeTruthy()
  })

  it('block navigation from unsaved input while the code loads, then ask', async () => {
    const letThrough = holdBack()
    const { user, go, history } = open({ page: <Edited /> })
    await go('/second')
    expect(history.location.pathname).toBe('/first')
    await letThrough()
    await user.click(await screen.findByRole('button', { name: t('shell:unsaved.stay') }))
    await isGone()
    expect(screen.getByText('edited')).toBeTruthy()
    await go('/second')
    await user.click(await screen.findByRole('button', { name: t('shell:unsaved.leave') }))
    await screen.findByText('second page')
    await isGone()
  })
})
