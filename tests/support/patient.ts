/** Options of waits for something that happens soon, ms: a busy machine must not fail a test. */
export const PATIENT = { timeout: 60_000, interval: 20 }
