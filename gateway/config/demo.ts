import type { Config } from './config.ts'

/** Facts of a demo that every browser gets in `/config.json`: it offers a tour, and accounts to sign in with. */
export interface DemoFacts {
  /** Time in ms by which the demo's clock is ahead of the machine's; negative if it shows an earlier hour. */
  ClockAheadMs: number
  /** Accounts with their common password. */
  SignIn?: { Emails: string[]; Password: string }
}

/** Facts of a demo; undefined for any other installation, whatever else is configured. */
export function demoOf({
  DEMO,
  DEMO_ACCOUNTS,
  DEMO_PASSWORD,
  DEMO_CLOCK_AHEAD_MS,
}: Pick<Config, 'DEMO' | 'DEMO_ACCOUNTS' | 'DEMO_PASSWORD' | 'DEMO_CLOCK_AHEAD_MS'>): DemoFacts | undefined {
  if (DEMO !== 'true') return undefined
  return {
    ClockAheadMs: DEMO_CLOCK_AHEAD_MS,
    ...(DEMO_PASSWORD !== undefined &&
      DEMO_ACCOUNTS !== undefined && {
        SignIn: { Emails: DEMO_ACCOUNTS.split(',').map((one) => one.trim()), Password: DEMO_PASSWORD },
      }),
  }
}
