import { z } from 'zod'
import { defineResource, eventsOf } from '../kernel/define-resource.ts'
import { HomeID, MeterID, Name, Version } from '../kernel/scalars.ts'
import { DateText } from '../time/date-text.ts'

export const MAX_TERMS = 50

/** Prefix of virtual meter ids. Keeps them distinct from device ids, so that they can be used as a PeripheralUID. */
export const VIRTUAL_PREFIX = 'virtual-'

/** Meter to add (1) or subtract (-1). */
export const VirtualTerm = z.object({
  PeripheralUID: MeterID,
  Factor: z.union([z.literal(1), z.literal(-1)]),
})
export type VirtualTerm = z.infer<typeof VirtualTerm>

/**
 * Computed meter: a sum and difference of meters of its home, e.g. the main meter without the tenants'. Energy calls accept its id as a
 * PeripheralUID; a home's total excludes it until a role is assigned (/SetMeterFact).
 */
export const VirtualMeter = z.object({
  VirtualMeterID: z.string().regex(/^virtual-[A-Za-z0-9-]{1,56}$/, 'id'),
  HomeID,
  VirtualMeterName: Name,
  /** Each meter once. A removed meter still counts for its time. */
  Terms: z
    .array(VirtualTerm)
    .min(1, 'required')
    .max(MAX_TERMS, 'tooBig')
    .superRefine((terms, context) => {
      const seenIds = new Set<string>()
      for (const [i, term] of terms.entries()) {
        if (seenIds.has(term.PeripheralUID))
          context.addIssue({ code: 'custom', path: [i, 'PeripheralUID'], message: 'taken' })
        seenIds.add(term.PeripheralUID)
      }
    }),
  Version,
})
export type VirtualMeter = z.infer<typeof VirtualMeter>

export const VirtualMeterKey = VirtualMeter.pick({ HomeID: true, VirtualMeterID: true })
export type VirtualMeterKey = z.infer<typeof VirtualMeterKey>

const Given = VirtualMeter.omit({ VirtualMeterID: true, Version: true })

export const virtualMeter = defineResource({
  name: 'virtualMeter',
  scope: 'home',
  feature: 'electricity',
  record: VirtualMeter,
  key: ['VirtualMeterID'],
  events: eventsOf(VirtualMeterKey, VirtualMeter),
  operations: {
    list: {
      path: '/ListVirtualMeter',
      summary: "A home's virtual meters by name.",
      input: VirtualMeter.pick({ HomeID: true }),
      results: z.array(VirtualMeter),
      errors: ['NOT_FOUND'],
    },
    create: {
      path: '/CreateVirtualMeter',
      summary: 'Adds a sum and difference of meters of a home. At most 200 per home.',
      input: Given,
      results: VirtualMeter,
      errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED'],
    },
    update: {
      path: '/UpdateVirtualMeter',
      summary:
        'Renames a virtual meter or changes its terms: from the day From on, for the whole history if From is null, and for the period of the current terms if From is absent. Omitted fields keep their values. Rejected if Version is given and outdated, and for terms that would count a meter twice.',
      input: VirtualMeterKey.extend(Given.omit({ HomeID: true }).partial().shape).extend({
        /** First day of the terms in local time. */
        From: DateText.nullable().optional(),
        Version: Version.optional(),
      }),
      results: VirtualMeter,
      errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED'],
      // Energy values depend on its terms.
      changes: ['metering'],
    },
    remove: {
      path: '/DeleteVirtualMeter',
      summary:
        'Deletes a virtual meter; its meters do not change. Rejected (counted) if it has or had a role, or is the parent of others: remove these facts first.',
      input: VirtualMeterKey,
      results: VirtualMeterKey,
      errors: ['NOT_FOUND', 'CONFLICT'],
      // Rules that refer to it become invalid.
      changes: ['automation'],
    },
  },
})
