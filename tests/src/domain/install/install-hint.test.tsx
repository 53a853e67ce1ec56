import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { showBadge } from '../../../../src/domain/notifications/follow-notifications.ts'
import { InstallHint } from '../../../../src/domain/install/install-hint.tsx'
import { installPrompt, captureInstallPrompt } from '../../../../src/lib/install-prompt.ts'

const bridge = globalThis as { DashboardBridge?: unknown }

afterEach(() => {
  act(() => installPrompt.set(undefined))
  delete bridge.DashboardBridge
})

describe('the installation hint', () => {
  it('is hidden if there is nothing to say', () => {
    render(<InstallHint />)
    expect(screen.queryByText('安裝到此裝置')).toBeNull()
  })

  it('prompts the browser once if that offers to install', async () => {
    captureInstallPrompt()
    render(<InstallHint />)
    const prompt = vi.fn<() => Promise<void>>().mockResolvedValue()
    act(() => void dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt })))
    await userEvent.click(screen.getByRole('button', { name: /^安\s?裝$/ }))
    expect(prompt).toHaveBeenCalledOnce()
    expect(screen.queryByRole('button', { name: /^安\s?裝$/ })).toBeNull()
  })

  it('can be dismissed permanently', async () => {
    bridge.DashboardBridge = { postMessage() {} }
    const { unmount } = render(<InstallHint />)
    expect(screen.getByText(/推播由 App 接收/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '不再顯示' }))
    unmount()
    render(<InstallHint />)
    expect(screen.queryByText(/推播由 App 接收/)).toBeNull()
  })
})

describe('the app badge', () => {
  it('shows the unread count, disappears at zero, and is optional', async () => {
    await showBadge(3)
    const setAppBadge = vi.fn<(count: number) => Promise<void>>().mockResolvedValue()
    const clearAppBadge = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('no permission'))
    Object.assign(navigator, { setAppBadge, clearAppBadge })
    await showBadge(3)
    await showBadge(0)
    expect(setAppBadge).toHaveBeenCalledExactlyOnceWith(3)
    expect(clearAppBadge).toHaveBeenCalledOnce()
    Reflect.deleteProperty(navigator, 'setAppBadge')
    Reflect.deleteProperty(navigator, 'clearAppBadge')
  })
})
