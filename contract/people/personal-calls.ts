import { z } from 'zod'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, Language, Name } from '../kernel/scalars.ts'
import { DEFAULT_NOTIFICATION_SETTINGS, NotificationSettings } from '../notifications/settings.ts'
import { SETUP_STEPS } from '../setup/steps.ts'
import { VIEWED_LISTS, viewQuery } from '../lists/list-query.ts'

/** Maximum per list. */
export const MAX_SAVED_VIEWS = 20
/** Maximum characters of a saved view's Query. */
export const MAX_QUERY_LENGTH = 500

export const SavedView = z
  .object({
    List: z.enum(VIEWED_LISTS),
    /** Without NUL and lone surrogates, which PostgreSQL cannot store in JSON. */
    Name: Name.regex(/^[^\0\p{Surrogate}]*$/u, 'invalid'),
    /** Parameters of the list's URL that belong to a view, e.g. q, kind, room, sort of devices; others are dropped. */
    Query: z.string().max(MAX_QUERY_LENGTH, 'tooLong'),
    /** Home of the room that the view filters by; null if the view applies to every home. */
    HomeID: HomeID.nullable(),
  })
  .overwrite((view) => ({ ...view, Query: viewQuery(view.List, view.Query) }))
  .refine(({ Query }) => Query.length <= MAX_QUERY_LENGTH, { path: ['Query'], error: 'tooLong' })
export type SavedView = z.infer<typeof SavedView>

const MAX_ARRANGEMENT_LENGTH = 2_000

/** Pages that a person may see first. A page of a home is that of the current one. */
export const START_PAGES = [
  'Dashboard',
  'Building',
  'DeviceList',
  'Alarm',
  'Electricity',
  'ConferenceRoomBooking',
  'AccessControl',
] as const
export type StartPage = (typeof START_PAGES)[number]

/** A person's own settings (§3). DecimalPrecision in digits, default 2. */
export const PersonalConfig = z.object({
  /** Whether the person receives push messages at all; Notifications sets which, and the other transports. */
  Notification: z.boolean(),
  Notifications: NotificationSettings,
  /** DEFAULT, or the person's arrangement of the dashboard in the format of the screens. */
  CustomDashboard: z.string().max(MAX_ARRANGEMENT_LENGTH, 'tooLong'),
  DecimalPrecision: z.number().int().min(0).max(6),
  Language: Language.nullable(),
  /** First page after signing in; null if the person has not chosen: the dashboard. */
  StartPage: z.enum(START_PAGES).nullable(),
  /** State of the setup guide: whether the checklist is hidden, steps that were postponed, whether the tour was completed. */
  Setup: z.object({
    Hidden: z.boolean(),
    Skipped: z.array(z.enum(SETUP_STEPS)).max(SETUP_STEPS.length),
    TourDone: z.boolean(),
  }),
  SavedViews: z
    .array(SavedView)
    .max(MAX_SAVED_VIEWS * VIEWED_LISTS.length, 'tooMany')
    .refine(
      (views) =>
        VIEWED_LISTS.every((list) => views.filter(({ List }) => List === list).length <= MAX_SAVED_VIEWS),
      'tooMany',
    ),
})
export type PersonalConfig = z.infer<typeof PersonalConfig>

export const DEFAULT_PERSONAL_CONFIG: PersonalConfig = {
  Notification: false,
  Notifications: DEFAULT_NOTIFICATION_SETTINGS,
  CustomDashboard: 'DEFAULT',
  DecimalPrecision: 2,
  Language: null,
  StartPage: null,
  Setup: { Hidden: false, Skipped: [], TourDone: false },
  SavedViews: [],
}

export const personal = {
  getPersonalConfig: defineEndpoint({
    path: '/GetPersonalConfig',
    method: 'GET',
    summary: 'Settings of the caller.',
    access: 'signed-in',
    sites: 'none',
    input: z.object({}),
    results: PersonalConfig,
    shows: ['personalConfig'],
  }),
  updatePersonalConfig: defineEndpoint({
    path: '/UpdatePersonalConfig',
    summary:
      'Changes settings of the caller; omitted fields keep their values. Rejected if one differs from its value in Seen.',
    access: 'signed-in',
    sites: 'none',
    input: PersonalConfig.partial().extend({
      Seen: PersonalConfig.omit({ SavedViews: true }).partial().optional(),
    }),
    results: PersonalConfig,
    errors: ['CONFLICT'],
    mutates: true,
    changes: ['personalConfig'],
  }),
}
