import { z } from 'zod'
import { right, type Right } from '../kernel/permissions.ts'
import { HomeID } from '../kernel/scalars.ts'

/** What a company does before it is at home here, in its order. */
export const SETUP_STEPS = ['rooms', 'hub', 'devices', 'meters', 'tariff', 'people', 'alarms'] as const
export type SetupStep = (typeof SETUP_STEPS)[number]

/** What a person needs to do a step; who lacks it is not shown the step. */
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
 * How far a company is: how many there are of what the step is about (sites, devices, people …), and of how many the step holds.
 * Done however it came true. HomeID is the site in which the step is gone on with, of rooms null when none is left.
 */
export const SetupLine = z.object({
  Step: z.enum(SETUP_STEPS),
  Done: z.boolean(),
  Count: z.number().int(),
  Of: z.number().int(),
  HomeID: HomeID.nullable(),
})
export type SetupLine = z.infer<typeof SetupLine>
