import type { Browser, BrowserContextOptions } from '@playwright/test'

/** Runs before a program, in each of its threads: its clock is so many ms ahead. What it reads of a Date is a Date still. */
const program = (ms: number) => `
  const now = Date.now
  globalThis.Date = new Proxy(Date, {
    construct: (date, given, target) => Reflect.construct(date, given.length ? given : [now() + ${ms}], target),
    get: (date, key) => (key === 'now' ? () => now() + ${ms} : Reflect.get(date, key)),
  })`

/** With these settings a gateway lives so many ms ahead. */
export const gatewayLater = (ms: number): Record<string, string> => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program(ms))}`,
})

/** A browser whose pages live so many ms ahead. */
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
