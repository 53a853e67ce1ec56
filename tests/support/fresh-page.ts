import { vi } from 'vitest'

/**
 * Files share a worker, its jsdom and the libraries that it has loaded. Each begins like a page that opens: our own modules
 * are loaded again, and of the file before nothing is left.
 */
vi.useRealTimers()
vi.unstubAllGlobals()
vi.resetModules()
document.body.replaceChildren()
history.replaceState(null, '', '/')
