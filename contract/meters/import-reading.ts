import { z } from 'zod'

/** Facts about a file on which the energy read from it depends. */
export const READING_FACTS = [
  'container',
  'encoding',
  'delimiter',
  'sheet',
  'head',
  'layout',
  'time',
  'dateOrder',
  'zone',
  'stamp',
  'interval',
  'decimal',
  'kind',
  'unit',
  'multiplier',
  'direction',
  'meter',
  'ignored',
] as const
export type ReadingFactName = (typeof READING_FACTS)[number]

/**
 * Source of a fact.
 *
 * stated     the file says so
 * derived    only one reading fits the whole file
 * assumed    neither; the user must confirm it
 * confirmed  the user has entered or confirmed it
 * profile    confirmed for an earlier file of the same layout
 */
export const FACT_SOURCES = ['stated', 'derived', 'assumed', 'confirmed', 'profile'] as const
export type FactSource = (typeof FACT_SOURCES)[number]

/** A fact about a file, with its source, as it is kept with the import. */
export const ReadingFact = z.object({
  Fact: z.enum(READING_FACTS),
  /** Heading of the column that it is about; null: the whole file. */
  Column: z.string().max(80).nullable(),
  /** For example `Wh`, `dmy`, `Europe/London`, `end`. */
  Value: z.string().max(120),
  Source: z.enum(FACT_SOURCES),
  /** Code of the evidence, for example `heading`; the screen has a text for each. */
  Evidence: z.string().max(40),
  /** Text of the file, or figure, that is the evidence. */
  Text: z.string().max(120),
})
export type ReadingFact = z.infer<typeof ReadingFact>

/** Maximum number of facts that are kept with an import, so that they take at most about 8 kB. */
export const MAX_READING_FACTS = 40

/** Facts about a file, for an auditor who asks why a figure was read as it was. */
export const ReadingTrace = z.array(ReadingFact).max(MAX_READING_FACTS)

/** Facts that a user has confirmed, with their values; they apply to later files of the same layout. */
export const ReadingAnswers = z.partialRecord(z.enum(READING_FACTS), z.string().max(120))
export type ReadingAnswers = z.infer<typeof ReadingAnswers>
