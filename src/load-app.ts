import type { ComponentType } from 'react'
import { nextTask } from './lib/next-task.ts'

/** Parts of the application, in load order. They are in one file, which would otherwise run as one long task and block the page. */
const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('../contract/kernel/scalars.ts'),
  () => import('../contract/devices/kinds/registry.ts'),
  () => import('./data/api.ts'),
  () => import('./live/session.ts'),
  () => import('./shell/layout.tsx'),
]

interface Application {
  App: ComponentType
}
let running: Promise<Application> | undefined

/** Loads and runs the application's code once; after a failure the next call tries again. */
export const loadApp = (): Promise<Application> =>
  (running ??= inTurns().catch((error: unknown) => {
    running = undefined
    throw error
  }))

async function inTurns(): Promise<Application> {
  for (const part of PARTS) {
    await part()
    await nextTask()
  }
  return import('./App.tsx')
}
