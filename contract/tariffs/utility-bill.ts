import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { defineResource, eventsOf } from '../kernel/define-resource.ts'
import { HomeID, UtilityBillID, Version } from '../kernel/scalars.ts'
import { Capacities } from './home-tariff-calls.ts'
import { BilledPeriod } from './bill-calls.ts'
import { energyFigures } from '../energy/meter-data-calls.ts'
import { BILL_STEPS, COMPARISON_REFUSALS } from './compare-bill.ts'
import { Band } from './tariff-terms.ts'
import { DateText } from '../time/date-text.ts'

/** Maximum number of bills of a home: ten years of several supplies. */
export const MAX_UTILITY_BILLS = 1_000

const ByBand = z.partialRecord(Band, z.number().min(0, 'tooSmall').max(1e9, 'tooBig'))

/** Power company's bill as a person entered it. */
export const UtilityBill = z.object({
  HomeID,
  UtilityBillID,
  /** 電號, eleven digits; hyphens and spaces between them are removed. */
  SupplyNo: z.string().regex(/^(?:\d[\s-]?){11}$/, 'invalid'),
  /** Both inclusive. */
  From: DateText,
  Through: DateText,
  /** By the bands of the tariff; `flat` if there is only one. */
  kWh: ByBand.refine((bands) => Object.keys(bands).length > 0, 'required'),
  /** Highest demand; empty if the bill has none. */
  PeakKw: ByBand,
  /** Mean of the period in percent; null if the bill has none. */
  PowerFactor: z.number().min(0, 'tooSmall').max(100, 'tooBig').nullable(),
  /** kW as billed; null if not stated, which means the agreement configured here. */
  Capacities: Capacities.nullable(),
  /** NT$ of the purchased energy, without credits for sold energy. */
  Total: z.number().min(0, 'tooSmall').max(1e10, 'tooBig'),
  Version,
})
export type UtilityBill = z.infer<typeof UtilityBill>

const Key = UtilityBill.pick({ HomeID: true, UtilityBillID: true })
const Given = UtilityBill.omit({ UtilityBillID: true, Version: true }).extend({
  PeakKw: UtilityBill.shape.PeakKw.default({}),
  PowerFactor: UtilityBill.shape.PowerFactor.default(null),
  Capacities: UtilityBill.shape.Capacities.default(null),
})

export const utilityBill = defineResource({
  name: 'utilityBill',
  scope: 'home',
  feature: 'electricity',
  record: UtilityBill,
  key: ['HomeID', 'UtilityBillID'],
  events: eventsOf(Key),
  operations: {
    list: {
      path: '/ListUtilityBill',
      summary: 'Utility bills entered for a home, newest first.',
      input: UtilityBill.pick({ HomeID: true }),
      results: z.array(UtilityBill),
      errors: ['NOT_FOUND'],
    },
    create: {
      path: '/CreateUtilityBill',
      summary:
        'Adds a utility bill. Rejected (CONFLICT, `overlap`) if it shares a day with another bill of the same supply number.',
      input: Given,
      results: UtilityBill,
      errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED'],
    },
    update: {
      path: '/UpdateUtilityBill',
      summary:
        'Changes a utility bill; omitted fields keep their values. Rejected if Version is given and outdated.',
      input: Key.extend({
        ...UtilityBill.omit({ HomeID: true, UtilityBillID: true, Version: true }).partial().shape,
        Version: Version.optional(),
      }),
      results: UtilityBill,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    remove: {
      path: '/DeleteUtilityBill',
      summary: 'Deletes a utility bill.',
      input: Key,
      results: Key,
      errors: ['NOT_FOUND'],
    },
  },
})

/** NT$, null if unknown. */
const Amount = z.number().nullable()

/** Calls of a bill in addition to the CRUD ones. */
export const utilityBillCalls = {
  compare: defineEndpoint({
    path: '/CompareUtilityBill',
    summary:
      "Explains the difference between the utility bill and the computed bill: each step replaces one computed figure by the bill's, and all add up to the cent.",
    access: right('electricity', 'Read'),
    input: Key,
    results: z.object({
      Bill: UtilityBill,
      /** Our bill of the period that shares the most days. */
      Ours: BilledPeriod.extend({ Total: Amount }),
      /** Energy measured on the days of the bill. */
      Counted: BilledPeriod,
      /** Reason for a missing comparison; null if there is one. If set, Steps is empty. */
      Refused: z.enum(COMPARISON_REFUSALS).nullable(),
      /** Steps that lead from Ours.Total to Bill.Total. */
      Steps: z.array(z.object({ Step: z.enum(BILL_STEPS), Amount: z.number() })),
      /** kWh and kW by band: ours on the days of the bill, and the bill's. */
      Bands: z.array(
        z.object({
          Band,
          OursKwh: z.number(),
          BillKwh: z.number().nullable(),
          OursKw: z.number(),
          BillKw: z.number().nullable(),
        }),
      ),
      PowerFactor: z.object({ Ours: z.number().nullable(), Bill: z.number().nullable() }),
      /**
       * Bill's kWh ÷ ours, if that has been the same over the last three bills of the supply and is not 1: a factor of a meter or its
       * transformer is wrong, or a meter is missing. Else null.
       */
      MeterFactor: z.object({ Ratio: z.number(), Bills: z.number().int() }).nullable(),
    }),
    errors: ['NOT_FOUND'],
    ...energyFigures,
    shows: ['utilityBill', ...energyFigures.shows],
  }),
}
