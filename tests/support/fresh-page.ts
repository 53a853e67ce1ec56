import { vi } from 'vitest'

/**
 * Test files share a worker, its jsdom and loaded libraries. This makes each begin like a newly opened page: our modules are loaded again,
 * and no state of the previous file remains.
 */
vi.useRealTimers()
vi.unstubAllGlobals()
vi.resetModules()
document.body.replaceChildren()
history.replaceState(null, '', '/')
