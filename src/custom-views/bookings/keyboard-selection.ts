import type { MinuteRange } from './grid-geometry.ts'

/** Passes the keyboard selection from one track to the next. */
export interface KeyboardSelection {
  save(range: MinuteRange | undefined): void
  /** Returns the selection once and clears it. */
  takeOnce(): MinuteRange | undefined
}

export function createKeyboardSelection(): KeyboardSelection {
  let carried: MinuteRange | undefined
  return {
    save(range) {
      carried = range
    },
    takeOnce() {
      const current = carried
      carried = undefined
      return current
    },
  }
}
