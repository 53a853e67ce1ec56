import { z } from 'zod'
import { HistoryField } from '../devices/kinds/history-fields.ts'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, MeterID, Millis, Name, PeripheralType, PeripheralUID } from '../kernel/scalars.ts'
import { DateText } from '../time/date-text.ts'
import { DAY_TYPES } from '../time/periods.ts'
import { EUI_LACKS } from './eui.ts'
import { FORECAST_METHODS } from './forecast.ts'
import { LackingPeakDays } from './lacking-peak-days.ts'
import { ComputedPercent, energyFigures } from './meter-data-calls.ts'

/** Kinds of explanation rows, in the order of computation. */
export const CHANGE_KINDS = ['coverage', 'calendar', 'weather', 'line', 'flow', 'demand', 'prices'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** State of a line: present in both periods, only now, or only then; or its meters were in another line. */
const LINE_STATES = ['changed', 'new', 'removed', 'moved'] as const
export type LineState = (typeof LINE_STATES)[number]

export const MAX_PROFILE_DAYS = 400
export const MAX_PROFILE_METERS = 50

/** Forms of a load profile: by hour of the week, by day type, or as a duration curve. */
export const SHAPES = ['week', 'class', 'duration'] as const

const Share = z.number().min(0).max(1)
const Kw = z.number()

/** Mean, peak and base of a load; null if unknown. */
const LoadProfileSummary = z.object({
  MeanKw: Kw.nullable(),
  /** Highest 15-minute mean. */
  PeakKw: Kw.nullable(),
  /** Mean ÷ peak. */
  LoadFactor: Share.nullable(),
  /** Load that runs day and night: the median over days of the second lowest hour. */
  BaseKw: Kw.nullable(),
  /** Base load's share of the energy. */
  BaseShare: Share.nullable(),
  /** Number of known hours, and of all hours. */
  KnownHours: z.number(),
  Hours: z.number(),
})

/** kW by hour of the day; null for unknown hours. */
const ByHour = z.array(Kw.nullable()).length(24)

/** Load over a range of days; the fields of the other shapes are empty. */
export const LoadProfile = z.object({
  /** Whole days, both inclusive. */
  From: DateText,
  Through: DateText,
  Summary: LoadProfileSummary,
  /** Mean power of each hour of the week, Monday 0:00 first, and the number of hours averaged. */
  Week: z.array(z.object({ MeanKw: Kw.nullable(), Hours: z.number() })),
  /** 10th, 50th and 90th percentile of each hour, by day type. */
  Classes: z.array(
    z.object({ Class: z.enum(DAY_TYPES), Days: z.number().int(), P10: ByHour, P50: ByHour, P90: ByHour }),
  ),
  /** Power that is reached or exceeded for a share of the time. */
  Duration: z.array(z.object({ Share, Kw })),
  ComputedPercent,
})
export type LoadProfile = z.infer<typeof LoadProfile>

/** Energy budget of a home: kWh of a month or a bill, or NT$ of a bill. */
export const Budget = z
  .object({
    Unit: z.enum(['kWh', 'TWD']),
    Period: z.enum(['month', 'bill']),
    Amount: z.number().positive('tooSmall').max(1e12, 'tooBig'),
  })
  // Costs exist per bill only.
  .refine(({ Unit, Period }) => Unit === 'kWh' || Period === 'bill', { path: ['Period'], error: 'invalid' })
export type Budget = z.infer<typeof Budget>

/** Reason that a forecast is missing; EnoughOn is the first day on which it may exist, null if unknown. */
const ForecastRefusal = z.object({
  /** `tooEarly`: counts elapsed days of the period. `history`: counts known days. `noDay`: no day of the period is known. */
  Reason: z.enum(['tooEarly', 'history', 'noDay']),
  Have: z.number().int(),
  Needed: z.number().int(),
  EnoughOn: DateText.nullable(),
})

/** Forecast value; 8 of 10 periods fall between Low and High, which are null if unknown. */
const Range = z.object({ Low: z.number().nullable(), Mid: z.number(), High: z.number().nullable() })

export const PeriodForecast = z.object({
  /** Both inclusive. */
  From: DateText,
  Through: DateText,
  /** kWh of the known elapsed days; null if there are none. */
  SoFarKwh: z.number().nullable(),
  /** Elapsed days, and the known ones among them; the others are forecast too. */
  DaysOver: z.number().int(),
  DaysKnown: z.number().int(),
  Refused: ForecastRefusal.nullable(),
  Forecast: z
    .object({
      /** `rule` if it was better than the mean of the days so far (`floor`), else `floor`. */
      Method: z.enum(FORECAST_METHODS),
      Kwh: Range,
      /** NT$ of the bill; null for a month, and if a day of the bill has no price. */
      Cost: Range.nullable(),
      /** Mean relative errors of the last six earlier forecasts; null with fewer than six. */
      Errors: z.object({ Rule: z.number().nullable(), Floor: z.number().nullable() }),
      /** Number of earlier forecasts behind the range. */
      Origins: z.number().int(),
    })
    .nullable(),
  /** Highest demand so far and its expected upper bound, kW; null if unknown. */
  Peak: z.object({ SoFarKw: Kw.nullable(), UpToKw: Kw.nullable() }),
  /** Days of the period, measured or forecast; null without a forecast. */
  Days: z.array(z.object({ Date: DateText, Kwh: z.number().nullable(), IsForecast: z.boolean() })),
})
export type PeriodForecast = z.infer<typeof PeriodForecast>

/**
 * Comparison periods: the preceding one, the same dates a year ago, the same weekdays 52 weeks ago, or the same weekdays whole weeks
 * earlier.
 */
export const COMPARISON_BASES = ['previous', 'lastYear', 'lastYearWeekday', 'weekBefore'] as const
export const CHANGE_GROUPINGS = ['room', 'meter', 'category'] as const

/** Compared days and their measured energy: purchased energy for a home with a balance. */
const ComparedPeriod = z.object({
  /** Both inclusive. */
  From: DateText,
  Through: DateText,
  kWh: z.number(),
  /** NT$ of its bills, or of their parts within the days; null if a day has no price. */
  Amount: z.number().nullable(),
  /** Share of its intervals with any value, including estimates; 0 if nothing is known. */
  Known: Share,
  /** Share that is complete enough for a percentage (`completeShare`), without estimates over a silence. */
  Complete: Share,
})

/** Step from one period to the other. */
export const ExplanationRow = z.object({
  Kind: z.enum(CHANGE_KINDS),
  /**
   * For a line: RoomID, PeripheralUID or category; `untracked` for energy that no sub-meter measured. For a flow: one of FLOW_LINES. Else
   * ''.
   */
  Key: z.string(),
  /** For lines and flows. Meters that belong to another line in the other period have a row of their own: `moved`. */
  State: z.enum(LINE_STATES).nullable(),
  kWh: z.number(),
  /** NT$, to the cent. */
  Amount: z.number().nullable(),
})
export type ExplanationRow = z.infer<typeof ExplanationRow>

/** Device quantity that serves as a home's outdoor temperature, by its path among the measured values. */
export const OutdoorSensor = z.object({ PeripheralUID, Field: HistoryField })
export type OutdoorSensor = z.infer<typeof OutdoorSensor>

/** Candidate for the outdoor sensor; Label is null if the device kind already defines the quantity. */
const OutdoorCandidate = OutdoorSensor.extend({
  PeripheralName: Name,
  PeripheralType,
  Label: z.string().nullable(),
})

/** Energy of a site by floor area (ISO 52000-1, energy use intensity). */
export const EnergyUseIntensity = z.object({
  /** Whole days counted, at most 365, both inclusive; null if no day is over. */
  From: DateText.nullable(),
  Through: DateText.nullable(),
  /** kWh per m² and year, each day by the area of that day; null if data is missing. */
  Eui: z.number().nullable(),
  /** Complete share of these days; null if data is missing. */
  Complete: Share.nullable(),
  /** Floor area on the last of these days, m²; null if not entered. */
  Area: z.number().nullable(),
  Days: z.number().int(),
  Lack: z.enum(EUI_LACKS).nullable(),
  ComputedPercent,
})
export type EnergyUseIntensity = z.infer<typeof EnergyUseIntensity>

const read = right('electricity', 'Read')

export const insight = {
  getLoadProfile: defineEndpoint({
    path: '/GetLoadProfile',
    summary: 'Load profile of a home or of some of its meters: power by week, kind of day or duration.',
    access: read,
    input: z.object({
      HomeID,
      /** If omitted, the whole home. May include virtual meters. */
      PeripheralUIDs: z.array(MeterID).min(1).max(MAX_PROFILE_METERS).optional(),
      /** Counts the elapsed whole days that the range touches, at most 400. */
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
    summary: 'Energy use intensity of a home over the last 365 days, or what is missing to compute it.',
    access: read,
    input: z.object({ HomeID }),
    results: EnergyUseIntensity,
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
  getForecast: defineEndpoint({
    path: '/GetForecast',
    summary: 'Forecast of the current month and the current bill of a home, with range, peak and budget.',
    access: read,
    input: z.object({ HomeID }),
    results: z.object({
      /** Whether the home has a balance; if so, all values are about purchased energy. */
      HasBalance: z.boolean(),
      Month: PeriodForecast,
      Bill: PeriodForecast,
      Budget: Budget.nullable(),
      /** Announced peak days that are missing to price a day of the bill; omitted if none is. */
      PeakDays: LackingPeakDays.optional(),
      /** Percentage of the underlying days that is computed. */
      ComputedPercent,
    }),
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
  updateBudget: defineEndpoint({
    path: '/UpdateBudget',
    summary:
      'Sets or removes the energy budget of a home. Rejected if Seen is given and differs from the current value.',
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
      'Outdoor temperature sensor of a home, and the candidates. Without a selection, devices that report OutdoorTemperature are used.',
    access: read,
    input: z.object({ HomeID }),
    results: z.object({ Sensor: OutdoorSensor.nullable(), Candidates: z.array(OutdoorCandidate) }),
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
  updateOutdoorSensor: defineEndpoint({
    path: '/UpdateOutdoorSensor',
    summary:
      'Selects the outdoor temperature sensor of a home, or none. Rejected if Seen is given and differs from the current value.',
    access: right('electricity', 'Update'),
    input: z.object({
      HomeID,
      /** Quantity in °C that a device of the home has measured. */
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
      'Explains the difference in energy and cost between two periods by calendar, weather, each line, generation, storage and surplus, demand and prices; the parts add up.',
    access: read,
    input: z.object({
      HomeID,
      /** Counts the elapsed whole days that the range touches. */
      From: Millis,
      /** Exclusive; at most 400 days after From. */
      To: Millis,
      Against: z.enum(COMPARISON_BASES).default('previous'),
      By: z.enum(CHANGE_GROUPINGS).default('room'),
    }),
    results: z.object({
      /** Null if no day of the period is over. */
      Now: ComparedPeriod.nullable(),
      Base: ComparedPeriod.nullable(),
      /** Comparison used: the preceding period if the requested one has no data. */
      Against: z.enum(COMPARISON_BASES),
      /** Whether the home has a balance; if so, kWh is purchased energy, and the rows include flows. */
      HasBalance: z.boolean(),
      /** Add up to the difference, Amounts to the cent; zero rows are omitted. */
      Rows: z.array(ExplanationRow),
      /**
       * `unknown`: no outdoor temperature is known. `noEffect`: the energy does not depend on it. In both cases, the lines include the
       * weather.
       */
      Weather: z.enum(['counted', 'unknown', 'noEffect']),
      /** Announced peak days that are missing to price a day of either period; omitted if none is. */
      PeakDays: LackingPeakDays.optional(),
      /** Percentage of the less computed period. */
      ComputedPercent,
    }),
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
}
