import type { Model } from './model.ts'

export interface DoorSensor {
  open: boolean
}

export const doorSensor: Model<DoorSensor> = {
  make: () => ({ open: false }),
  step: (_state, _seconds, { doorOpen }) => ({ open: doorOpen }),
  report: ({ open }) => ({ DoorState: open ? 2 : 1 }),
  command: (state) => state,
  draws: () => 0,
}
