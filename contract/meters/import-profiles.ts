import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, MeterID, Millis } from '../kernel/scalars.ts'
import { FileName, Sha256 } from './import-calls.ts'
import { ReadingAnswers } from './import-reading.ts'

/** Maximum number of profiles of a company; saving another one deletes the oldest. */
export const MAX_IMPORT_PROFILES = 200
/** Maximum number of meters of a profile. */
export const MAX_IMPORT_PROFILE_METERS = 1_000

/** Answers that a user gave for a file, for later files of the same layout. */
export const ImportProfile = z.object({
  HomeID,
  /** SHA-256 of the layout and the headings of the file. */
  Signature: Sha256,
  /** Name of the file that it was made from. */
  Name: FileName,
  Answers: ReadingAnswers,
  /** Meters by the heading or name that the file has for them. */
  Meters: z
    .array(z.object({ Name: z.string().max(200, 'tooLong'), MeterID }))
    .max(MAX_IMPORT_PROFILE_METERS, 'tooManyRows'),
  /** Name of the user who saved it last. */
  By: z.string(),
  UpdatedAt: Millis,
})
export type ImportProfile = z.infer<typeof ImportProfile>

const Key = ImportProfile.pick({ HomeID: true, Signature: true })
const change = right('electricity', 'Update')

export const importProfiles = {
  listImportProfile: defineEndpoint({
    path: '/ListImportProfile',
    summary:
      'Import profiles that apply to a home, newest first: those of the home, and for a signature that only other homes of the company have, the newest of theirs with Meters empty. At most 200.',
    access: right('electricity', 'Read'),
    input: z.object({ HomeID }),
    results: z.array(ImportProfile),
    errors: ['NOT_FOUND'],
    shows: ['importProfile'],
    freshFor: 0,
  }),
  saveImportProfile: defineEndpoint({
    path: '/SaveImportProfile',
    summary:
      'Saves the profile of a home for a signature, and overwrites the previous one. A company keeps the newest 200; a new one deletes the oldest. Meters must exist in the home.',
    access: change,
    mutates: true,
    input: ImportProfile.omit({ By: true, UpdatedAt: true }),
    results: ImportProfile,
    errors: ['NOT_FOUND'],
    changes: ['importProfile'],
  }),
  deleteImportProfile: defineEndpoint({
    path: '/DeleteImportProfile',
    summary: 'Deletes the profile of a home for a signature.',
    access: change,
    mutates: true,
    input: Key,
    results: Key,
    errors: ['NOT_FOUND'],
    changes: ['importProfile'],
  }),
}
