import type { Stretch } from './grid-geometry.ts'

/** Carries what the keys marked on one track to the next one. */
export interface Carrier {
  leave(stretch: Stretch | undefined): void
  /** What was left; only once. */
  take(): Stretch | undefined
}

export function createCarrier(): Carrier {
  let carried: Stretch | undefined
  return {
    leave(stretch) {
      carried = stretch
    },
    take() {
      const taken = carried
      carried = undefined
      return taken
    },
  }
}
