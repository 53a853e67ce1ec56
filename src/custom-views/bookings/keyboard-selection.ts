import type { MinuteRange } from './grid-geometry.ts'

/** Carries what the keys marked on one track to the next one. */
export interface KeyboardSelection {
  leave(stretch: MinuteRange | undefined): void
  /** What was left; only once. */
  take(): MinuteRange | undefined
}

export function createKeyboardSelection(): KeyboardSelection {
  let carried: MinuteRange | undefined
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
