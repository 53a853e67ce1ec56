import { createStore } from '../lib/store.ts'
import type { FromApp } from './messages.ts'

/** The application around the web view, once it has said hello; undefined before, and in an ordinary browser. */
export const nativeApp = createStore<FromApp['hello'] | undefined>(undefined)

/** What the application said of its device, e.g. for a push registration. */
export const nativeDevice = createStore<FromApp['deviceInfo'] | undefined>(undefined)
