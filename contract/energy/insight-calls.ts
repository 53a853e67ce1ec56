import { z } from 'zod'
import { HistoryField } from '../devices/kinds/history-fields.ts'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, MeterID, Millis, Name, PeripheralType, PeripheralUID } from '../kernel/scalars.ts'
import { EUI_LACKS } from './eui.ts'
import { CHANGE_KINDS, LINE_STATES } from '../tariffs/explain-change.ts'
import { FORECAST_METHODS } from './forecast.ts'
import { LackingPeakDays } from '../tariffs/peak-days.ts'
import { DateText, DAY_TYPES } from '../tariffs/tariff-terms.ts'
import { ComputedPercent, energyFigures } from './meter-data-calls.ts'

/** Days of one load profile at most. */
export const MAX_PROFILE_DAYS = 400
/** Meters of one load profile at most. */
export const MAX_PROFILE_METERS = 50

/** How a load is drawn: by the hours of a week, by kinds of days, or by how long each power lasts. */
export const SHAPES = ['week', 'class', 'duration'] as const

const Share = z.number().min(0).max(1)
const Kw = z.number()

/** Mean, peak and base of a load; null where nothing is known. */
export const LoadProfileSummary = z.object({
  MeanKw: Kw.nullable(),
  /** The highest mean of 15 minutes. */
  PeakKw: Kw.nullable(),
  /** Mean ÷ peak. */
  LoadFactor: Share.nullable(),
  /** What runs day and night: the median of the second lowest hours of the days. */
  BaseKw: Kw.nullable(),
  /** Which part of the energy that is. */
  BaseShare: Share.nullable(),
  /** Hours that are known, of how many. */
  KnownHours: z.number(),
  Hours: z.number(),
})

/** kW by hour of the day; null of hours that are not known. */
const ByHour = z.array(Kw.nullable()).length(24)

/** A load over some days; the fields of the other shapes are empty. */
export const LoadProfile = z.object({
  /** Whole days, both inclusive. */
  From: DateText,
  Through: DateText,
  Summary: LoadProfileSummary,
  /** The mean power of each hour of the week, Monday 0:00 first, and of how many hours it is the mean. */
  Week: z.array(z.object({ MeanKw: Kw.nullable(), Hours: z.number() })),
  /** By kind of day: what a tenth, half and nine tenths of the days stay below in each hour. */
  Classes: z.array(
    z.object({ Class: z.enum(DAY_TYPES), Days: z.number().int(), P10: ByHour, P50: ByHour, P90: ByHour }),
  ),
  /** What is reached or passed in such a share of the time. */
  Duration: z.array(z.object({ Share, Kw })),
  ComputedPercent,
})
export type LoadProfile = z.infer<typeof LoadProfile>

/** What a home means to use at most: kWh of a month or a bill, or NT$ of a bill. */
export const Budget = z
  .object({
    Unit: z.enum(['kWh', 'TWD']),
    Period: z.enum(['month', 'bill']),
    Amount: z.number().positive('tooSmall').max(1e12, 'tooBig'),
  })
  // Money is charged by the bill.
  .refine(({ Unit, Period }) => Unit === 'kWh' || Period === 'bill', { path: ['Period'], error: 'invalid' })
export type Budget = z.infer<typeof Budget>

/** Why there is no forecast yet; EnoughOn is the first day on which there may be one, null where that is not known. */
export const ForecastRefusal = z.object({
  /** `tooEarly`: days of the period that are over. `history`: days that are known. `noDay`: no day of the period is known. */
  Reason: z.enum(['tooEarly', 'history', 'noDay']),
  Have: z.number().int(),
  Needed: z.number().int(),
  EnoughOn: DateText.nullable(),
})

/** A figure that is to come; in 8 of 10 periods it lies between Low and High, which are null until that can be said. */
const Range = z.object({ Low: z.number().nullable(), Mid: z.number(), High: z.number().nullable() })

/** What a period that runs will come to. */
export const PeriodForecast = z.object({
  /** Both inclusive. */
  From: DateText,
  Through: DateText,
  /** kWh of its known days that are over; null where there is none. */
  SoFarKwh: z.number().nullable(),
  /** Days that are over, and how many of them are known; the others are forecast too. */
  DaysOver: z.number().int(),
  DaysKnown: z.number().int(),
  Refused: ForecastRefusal.nullable(),
  Forecast: z
    .object({
      /** The rule where it has been better than the mean of the days so far (`floor`); else that. */
      Method: z.enum(FORECAST_METHODS),
      Kwh: Range,
      /** NT$ of the bill; null of a month, and where a day of the bill has no price. */
      Cost: Range.nullable(),
      /** Mean errors of the last six earlier forecasts, as parts; null until there are six. */
      Errors: z.object({ Rule: z.number().nullable(), Floor: z.number().nullable() }),
      /** Earlier forecasts that the range is made of. */
      Origins: z.number().int(),
    })
    .nullable(),
  /** kW: the highest so far, and up to what it may rise; null where that is not known. */
  Peak: z.object({ SoFarKw: Kw.nullable(), UpToKw: Kw.nullable() }),
  /** Each day of the period: counted, or what is expected of it; null without a forecast. */
  Days: z.array(z.object({ Date: DateText, Kwh: z.number().nullable(), IsForecast: z.boolean() })),
})
export type PeriodForecast = z.infer<typeof PeriodForecast>

/** With what a period is compared: the one before it, the same dates a year ago, or the same days of the week 52 weeks ago. */
export const COMPARISON_BASES = ['previous', 'lastYear', 'lastYearWeekday', 'weekBefore'] as const
/** What the lines of a change are. */
export const CHANGE_GROUPINGS = ['room', 'meter', 'category'] as const

/** Days and what was counted in them: of a home with a balance what it bought. */
export const ComparedPeriod = z.object({
  /** Both inclusive. */
  From: DateText,
  Through: DateText,
  kWh: z.number(),
  /** NT$ of its bills, or of the parts of them that lie in it; null where a day has no price. */
  Amount: z.number().nullable(),
  /** Which part of its intervals has any figure, estimates too; 0 where nothing is known. */
  Known: Share,
  /** Which part is known well enough for a percentage (`completeShare`): estimates over a silence are not. */
  Complete: Share,
})

/** A step from one period to the other. */
export const ExplanationRow = z.object({
  Kind: z.enum(CHANGE_KINDS),
  /** Of a line: a RoomID, a PeripheralUID or a category; `untracked` what no sub-meter saw. Of a flow one of FLOW_LINES. '' else. */
  Key: z.string(),
  /** Of lines and flows. A line has a row of its own for its meters that are in another line in the other period: `moved`. */
  State: z.enum(LINE_STATES).nullable(),
  kWh: z.number(),
  /** NT$, to the cent. */
  Amount: z.number().nullable(),
})
export type ExplanationRow = z.infer<typeof ExplanationRow>

/** A quantity of a device that a home takes for the temperature outdoors: its path among what devices measure. */
export const OutdoorSensor = z.object({ PeripheralUID, Field: HistoryField })
export type OutdoorSensor = z.infer<typeof OutdoorSensor>

/** One that could be, with what it is called; Label of a register or a plain sensor's quantity, null where its kind says what it is. */
const OutdoorCandidate = OutdoorSensor.extend({
  PeripheralName: Name,
  PeripheralType,
  Label: z.string().nullable(),
})

/** What a site uses by its area (ISO 52000-1, energy use intensity). */
export const EnergyUseIntensity = z.object({
  /** The whole days that are counted, at most 365, both inclusive; null where none is over. */
  From: DateText.nullable(),
  Through: DateText.nullable(),
  /** kWh per m² and year, each day by the area of that day; null where something lacks. */
  Eui: z.number().nullable(),
  /** Which part of these days is complete; null where something lacks. */
  Complete: Share.nullable(),
  /** m² of floor on the last of these days; null where nobody said. */
  Area: z.number().nullable(),
  /** Days that are counted. */
  Days: z.number().int(),
  /** Why there is none. */
  Lack: z.enum(EUI_LACKS).nullable(),
  ComputedPercent,
})
export type EnergyUseIntensity = z.infer<typeof EnergyUseIntensity>

const read = right('electricity', 'Read')

export const insight = {
  getLoadProfile: defineEndpoint({
    path: '/GetLoadProfile',
    summary: 'When a home, or some of its meters, draw how much power: by week, kind of day or duration.',
    access: read,
    input: z.object({
      HomeID,
      /** Left out: the home as a whole. Virtual meters may be among them. */
      PeripheralUIDs: z.array(MeterID).min(1).max(MAX_PROFILE_METERS).optional(),
      /** The whole days count that the range touches and that are over; at most 400. */
      From: Millis,
      /** Exclusive. */
      To: Millis,
      Shape: z.enum(SHAPES),
    }),
    results: LoadProfile,
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
  getEnergyUseIntensity: defineEndpoint({
    path: '/GetEnergyUseIntensity',
    summary: 'What a home used in its last 365 days by its area, or what lacks to say so.',
    access: read,
    input: z.object({ HomeID }),
    results: EnergyUseIntensity,
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
  getForecast: defineEndpoint({
    path: '/GetForecast',
    summary:
      'What the running month and the running bill of a home will come to, with range, peak and budget.',
    access: read,
    input: z.object({ HomeID }),
    results: z.object({
      /** Whether the home has a balance: then all is about what it buys. */
      HasBalance: z.boolean(),
      Month: PeriodForecast,
      Bill: PeriodForecast,
      Budget: Budget.nullable(),
      /** Announced peak days that are missing to price a day of the bill; left out if none is. */
      PeakDays: LackingPeakDays.optional(),
      /** Percentage of the days that the forecasts are made of. */
      ComputedPercent,
    }),
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
  updateBudget: defineEndpoint({
    path: '/UpdateBudget',
    summary:
      'Sets what a home means to use at most, or takes that away. Refused if Seen is given and is not what it replaces.',
    access: right('electricity', 'Update'),
    input: z.object({ HomeID, Budget: Budget.nullable(), Seen: Budget.nullable().optional() }),
    results: z.object({ HomeID, Budget: Budget.nullable() }),
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['pricing'],
  }),
  getOutdoorSensor: defineEndpoint({
    path: '/GetOutdoorSensor',
    summary:
      'Which sensor tells the temperature outdoors of a home, and which could. With none, devices that say OutdoorTemperature do.',
    access: read,
    input: z.object({ HomeID }),
    results: z.object({ Sensor: OutdoorSensor.nullable(), Candidates: z.array(OutdoorCandidate) }),
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
  updateOutdoorSensor: defineEndpoint({
    path: '/UpdateOutdoorSensor',
    summary:
      'Says which sensor tells the temperature outdoors of a home, or that none does. Refused if Seen is given and is not what it replaces.',
    access: right('electricity', 'Update'),
    input: z.object({
      HomeID,
      /** A quantity in °C that a device of the home has measured. */
      Sensor: OutdoorSensor.nullable(),
      Seen: OutdoorSensor.nullable().optional(),
    }),
    results: z.object({ HomeID, Sensor: OutdoorSensor.nullable() }),
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['pricing'],
  }),
  explainChange: defineEndpoint({
    path: '/ExplainChange',
    summary:
      'Why a home bought and paid more or less than in another period: calendar, weather, each line, generation, storage and surplus, demand and prices, which add up.',
    access: read,
    input: z.object({
      HomeID,
      /** The whole days count that the range touches and that are over. */
      From: Millis,
      /** Exclusive; at most 400 days after From. */
      To: Millis,
      Against: z.enum(COMPARISON_BASES).default('previous'),
      By: z.enum(CHANGE_GROUPINGS).default('room'),
    }),
    results: z.object({
      /** Null where no day of the period is over. */
      Now: ComparedPeriod.nullable(),
      Base: ComparedPeriod.nullable(),
      /** With what it was compared: the period before, where nothing is known of what was asked for. */
      Against: z.enum(COMPARISON_BASES),
      /** Whether the home has a balance: then kWh are what it bought, and flows are among the rows. */
      HasBalance: z.boolean(),
      /** They add up to the difference, Amounts to the cent; rows of nothing are left out. */
      Rows: z.array(ExplanationRow),
      /** `unknown`: no outdoor temperature is known. `noEffect`: the energy does not follow it. Both leave the weather in the lines. */
      Weather: z.enum(['counted', 'unknown', 'noEffect']),
      /** Announced peak days that are missing to price a day of either period; left out if none is. */
      PeakDays: LackingPeakDays.optional(),
      /** Percentage of the period with the least computed. */
      ComputedPercent,
    }),
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
}
