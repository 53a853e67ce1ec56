import type { MinuteRange } from './grid-geometry.ts'

/** Passes the keyboard selection from one track to the next. */
export interface KeyboardSelection {
  leave(stretch: MinuteRange | undefined): void
  /** Returns the selection once and clears it. */
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
