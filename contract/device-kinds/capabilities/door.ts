import { z } from 'zod'
import type { Capability } from '../capability.ts'

/** 1 closed, 2 open (§4). */
export const DoorState = z.union([z.literal(1), z.literal(2)])

export const door: Capability = { name: 'door', status: { DoorState }, command: {}, units: {} }
