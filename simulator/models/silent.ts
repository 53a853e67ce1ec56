import type { Model } from './model.ts'

/** A device that reports nothing of its own. */
export const silent: Model<null> = {
  make: () => null,
  step: (state) => state,
  report: () => ({}),
  command: (state) => state,
  draws: () => 0,
}
