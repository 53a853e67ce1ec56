import type { Model } from './model.ts'

export const silent: Model<null> = {
  make: () => null,
  step: (state) => state,
  report: () => ({}),
  command: (state) => state,
  draws: () => 0,
}
