import { OnOff, type Capability } from '../capability.ts'

/** 1 motion, 0 no motion (§4). */
export const motion: Capability = { name: 'motion', status: { MotionState: OnOff }, command: {}, units: {} }
