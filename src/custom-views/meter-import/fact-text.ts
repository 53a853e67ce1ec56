import type { ReadingFact, ReadingFactName } from '../../../contract/meters/import-reading.ts'
import { isolated } from '../../../contract/kernel/text.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { DIRECTION_ANSWERS } from './reading/directions.ts'
import { UNITS } from './reading/headings.ts'
import type { Question } from './reading/facts.ts'
import { NAME_ANSWERS } from './reading/meter-columns.ts'
import { MULTIPLIER_ANSWERS } from './reading/multiplier.ts'
import { STEP_VALUES } from './reading/step-facts.ts'
import { TIME_FORMATS } from './reading/time.ts'

/** Facts with a fixed set of values, which the user can change. */
export const factValues = {
  dateOrder: TIME_FORMATS,
  stamp: ['begin', 'end'],
  interval: STEP_VALUES,
  decimal: ['.', ','],
  kind: ['interval', 'counter'],
  unit: Object.keys(UNITS),
  multiplier: MULTIPLIER_ANSWERS,
  direction: DIRECTION_ANSWERS,
  ignored: NAME_ANSWERS,
} as const satisfies Partial<Record<ReadingFactName, readonly string[]>>

/** Facts whose values have texts in the user's language; those of others are shown as they are. */
const TRANSLATED = new Set<ReadingFactName>([
  'container',
  'delimiter',
  'layout',
  'time',
  'dateOrder',
  'stamp',
  'interval',
  'decimal',
  'kind',
  'multiplier',
  'direction',
  'ignored',
])
/** Keys of texts must be words. */
const KEYS: Readonly<Record<string, string>> = {
  '.': 'point',
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'bar',
}

/** Texts of facts in the user's language. */
export function useFactText() {
  const t = useT()
  const value = (fact: ReadingFactName, text: string): string =>
    TRANSLATED.has(fact)
      ? t(`meterImport:factValues.${fact}.${KEYS[text] ?? text}` as 'meterImport:factValues.kind.counter')
      : text
  return {
    value,
    evidence: ({ Evidence, Text }: ReadingFact): string =>
      t(`meterImport:evidence.${Evidence}` as 'meterImport:evidence.heading', { text: isolated(Text) }),
    /** Text of an answer, with what it makes of the example. */
    option: ({ fact, example }: Question, text: string, about?: string): string =>
      about !== undefined
        ? t(`meterImport:answers.${fact}.${text}` as 'meterImport:answers.direction.some', {
            example: isolated(about),
          })
        : fact === 'stamp' || fact === 'decimal'
          ? t(`meterImport:answers.${fact}.${KEYS[text] ?? text}` as 'meterImport:answers.stamp.end', {
              example,
            })
          : value(fact, text),
  }
}
