import { createStore } from '../lib/store.ts'
import type { FromApp } from './messages.ts'

/** Greeting of the application around the web view; undefined before it arrives, and in an ordinary browser. */
export const nativeApp = createStore<FromApp['hello'] | undefined>(undefined)

/** Device information from the application, e.g. for a push registration. */
export const nativeDevice = createStore<FromApp['deviceInfo'] | undefined>(undefined)
