import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import { startI18n } from '../../src/lib/i18n/i18n.ts'
import { APP_NAMESPACES, SCREEN_NAMESPACES } from '../../src/lib/i18n/namespaces.ts'
import { server } from './msw.ts'
import { quickenRendering } from './quicken-rendering.ts'

// A busy machine is slow: waiting for something to appear has a long timeout.
configure({ asyncUtilTimeout: 60_000 })
quickenRendering()

/** jsdom has no layout: nothing enters or leaves the viewport. */
class Unmoved {
  observe() {}
  disconnect() {}
}

/** jsdom has no workers: the realtime channel cannot be reached. */
class MissingWorker extends EventTarget {
  constructor() {
    super()
    queueMicrotask(() => this.dispatchEvent(new Event('error')))
  }
  postMessage() {}
  terminate() {}
}

beforeAll(async () => {
  globalThis.Worker ??= MissingWorker as unknown as typeof Worker
  globalThis.IntersectionObserver ??= Unmoved as unknown as typeof IntersectionObserver
  server.listen({ onUnhandledRequest: 'error' })
  await startI18n(['auth', ...APP_NAMESPACES, ...SCREEN_NAMESPACES])
})

afterEach(() => {
  cleanup()
  server.resetHandlers()
  localStorage.clear()
  sessionStorage.clear()
})

afterAll(async () => {
  server.close()
  // A dynamic import that is still pending would run in the next file, without its mocks.
  await vi.dynamicImportSettled()
})
