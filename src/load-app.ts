import type { ComponentType } from 'react'

let loading: Promise<{ App: ComponentType }> | undefined

/** Loads the application once; after a failure the next call tries again. */
export const loadApp = (): Promise<{ App: ComponentType }> =>
  (loading ??= import('./App.tsx').catch((error: unknown) => {
    loading = undefined
    throw error
  }))
