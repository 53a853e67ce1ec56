import type { Page } from '@playwright/test'

/** Measurements of a page during a sample. */
export interface PageSample {
  framesPerSecond: number
  /** Sum of the durations of tasks over 50 ms. */
  longTaskMs: number
  /** Age of each status at the frame after its arrival, in ms. */
  ages: number[]
}

interface Sampler {
  on: boolean
  frames: number[]
  longTasks: number[]
  ages: number[]
}

/**
 * Makes a page record its frames, its long tasks, and the age of statuses at the frame after their arrival. The same
 * for every page, product or baseline; call it before the page is opened.
 */
export async function prepareSampling(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const sampler: Sampler = { on: false, frames: [], longTasks: [], ages: [] }
    Object.assign(window, { sampler })
    let arrived: number[] = []
    const noteTimestamps = (text: string) => {
      for (const [, at] of text.matchAll(/"Timestamp":(\d{13})/g)) arrived.push(Number(at))
    }
    // The product receives messages in a worker, which passes them on in batches.
    window.Worker = class extends Worker {
      constructor(...args: ConstructorParameters<typeof Worker>) {
        super(...args)
        this.addEventListener('message', ({ data }: MessageEvent<{ events?: unknown }>) => {
          if (sampler.on && data.events) noteTimestamps(JSON.stringify(data.events))
        })
      }
    }
    window.WebSocket = class extends WebSocket {
      constructor(...args: ConstructorParameters<typeof WebSocket>) {
        super(...args)
        const decoder = new TextDecoder('latin1')
        this.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
          if (sampler.on && data instanceof ArrayBuffer) noteTimestamps(decoder.decode(data))
        })
      }
    }
    new PerformanceObserver((list) => {
      if (sampler.on) for (const { duration } of list.getEntries()) sampler.longTasks.push(duration)
    }).observe({ type: 'longtask' })
    const onFrame = (time: number) => {
      if (sampler.on) {
        const now = Date.now()
        sampler.frames.push(time)
        for (const at of arrived) sampler.ages.push(now - at)
        arrived = []
      }
      requestAnimationFrame(onFrame)
    }
    requestAnimationFrame(onFrame)
  })
}

/** Samples a page while `action` runs. */
export async function sample(page: Page, action: () => Promise<unknown>): Promise<PageSample> {
  await page.evaluate(() => {
    const { sampler } = window as unknown as { sampler: Sampler }
    Object.assign(sampler, { on: true, frames: [], longTasks: [], ages: [] })
  })
  await action()
  const { frames, longTasks, ages } = await page.evaluate(() => {
    const { sampler } = window as unknown as { sampler: Sampler }
    sampler.on = false
    return sampler
  })
  const span = (frames.at(-1) ?? 0) - (frames[0] ?? 0)
  return {
    framesPerSecond: (frames.length - 1) / (span / 1000),
    longTaskMs: longTasks.reduce((sum, one) => sum + one, 0),
    ages,
  }
}
