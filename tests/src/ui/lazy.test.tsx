import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { lazyPart } from '../../../src/ui/page/lazy.tsx'
import { PATIENT } from '../../support/patient.ts'

const Panel = ({ name }: { name: string }) => <p>panel of {name}</p>

describe('a lazily loaded part', () => {
  it('is rendered once loaded', async () => {
    const Part = lazyPart(async () => ({ default: Panel }))
    render(<Part name="lamp" />)
    expect(await screen.findByText('panel of lamp')).toBeTruthy()
  })

  it('is not loaded in the task that renders its screen', async () => {
    const load = vi.fn(async () => ({ default: Panel }))
    const Part = lazyPart(load)
    render(<Part name="lamp" />)
    expect(load).not.toHaveBeenCalled()
    expect(await screen.findByText('panel of lamp')).toBeTruthy()
  })

  it('says that it could not be loaded, and loads on a retry', async () => {
    const load = vi.fn(async () => ({ default: Panel }))
    load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    const Part = lazyPart(load)
    render(<Part name="lamp" />)
    expect((await screen.findByRole('alert')).textContent).toContain('無法載入')
    await userEvent.click(screen.getByRole('button', { name: /重\s*試/ }))
    expect(await screen.findByText('panel of lamp')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('is rendered at once if prefetched, and is loaded only once', async () => {
    const load = vi.fn(async () => ({ default: Panel }))
    const Part = lazyPart(load)
    void Part.preload()
    await vi.waitFor(async () => {
      const { unmount } = render(<Part name="lamp" />)
      const there = screen.queryByText('panel of lamp') !== null
      unmount()
      expect(there).toBe(true)
    }, PATIENT)
    expect(load).toHaveBeenCalledTimes(1)
  })
})
