import { z } from 'zod'
import { OnOff, type Capability } from '../capability.ts'

/** 0 pulse (closes for PulseDuration, then opens by itself), 1 switch (stays), 2 toggle (§4). */
export const ContactMode = z.union([z.literal(0), z.literal(1), z.literal(2)])

/** A potential-free output. Closing one may start a machine, so screens ask first (experience, Devices 8). */
export const dryContact: Capability = {
  name: 'dryContact',
  status: { Switch: OnOff, ContactMode },
  command: { Switch: OnOff },
  units: {},
}
