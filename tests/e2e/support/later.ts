import type { Browser, BrowserContextOptions } from '@playwright/test'

/** Preload script of a program and its threads that sets the clock ahead by some ms. Dates stay instances of Date. */
const program = (ms: number) => `
  const now = Date.now
  globalThis.Date = new Proxy(Date, {
    construct: (date, given, target) => Reflect.construct(date, given.length ? given : [now() + ${ms}], target),
    get: (date, key) => (key === 'now' ? () => now() + ${ms} : Reflect.get(date, key)),
  })`

/** Settings of a gateway whose clock is ahead by some ms. */
export const gatewayLater = (ms: number): Record<string, string> => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program(ms))}`,
})

/** Browser whose pages' clocks are ahead by some ms. */
export const browserLater = (browser: Browser, ms: number): Browser =>
  new Proxy(browser, {
    get(of, key) {
      if (key !== 'newContext') return Reflect.get(of, key) as unknown
      return async (options: BrowserContextOptions) => {
        const context = await of.newContext(options)
        await context.clock.setSystemTime(Date.now() + ms)
        return context
      }
    },
  })
