import type { ComponentType } from 'react'
import { nextTask } from './lib/next-task.ts'

/**
 * What the application is made of, a part at a time. All of it is in one file, which would otherwise run as one long task: between two
 * parts the page can answer.
 */
const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('../contract/kernel/scalars.ts'),
  () => import('../contract/devices/kinds/registry.ts'),
  () => import('./data/api.ts'),
  () => import('./live/live.ts'),
  () => import('./shell/layout.tsx'),
]

interface Application {
  App: ComponentType
}
let running: Promise<Application> | undefined

/** Runs the application's code; once, whoever asks. What could not be fetched is fetched again for whoever asks next. */
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
