import { z } from 'zod'
import { right, type Right } from '../kernel/permissions.ts'
import { HomeID } from '../kernel/scalars.ts'

/** In the order in which they are offered. */
export const SETUP_STEPS = ['rooms', 'hub', 'devices', 'meters', 'tariff', 'people', 'alarms'] as const
export type SetupStep = (typeof SETUP_STEPS)[number]

/** Right that a step needs; the step is hidden from people without it. */
export const SETUP_RIGHTS: Readonly<Record<SetupStep, Right>> = {
  rooms: right('room', 'Create'),
  hub: right('device', 'Create'),
  devices: right('device', 'Create'),
  meters: right('electricity', 'Update'),
  tariff: right('electricity', 'Update'),
  people: right('user', 'Create'),
  alarms: right('power_meter_alarm', 'Create'),
}

/**
 * Progress of a step. Count is the number of items it is about (sites, devices, people …) that are done, Of the number there are or
 * should be. Done does not depend on how the items were created. HomeID is the site to continue in; null for rooms if none is left.
 */
export const SetupLine = z.object({
  Step: z.enum(SETUP_STEPS),
  Done: z.boolean(),
  Count: z.number().int(),
  Of: z.number().int(),
  HomeID: HomeID.nullable(),
})
export type SetupLine = z.infer<typeof SetupLine>
