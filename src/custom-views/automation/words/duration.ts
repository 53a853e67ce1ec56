import { phrase, type Phrase } from './phrase.ts'

/** A time span, s, in the largest unit that says it whole. */
export const durationOf = (seconds: number): Phrase =>
  seconds % 3600 === 0 && seconds > 0
    ? phrase('automation:rule.hours', { count: seconds / 3600 })
    : seconds % 60 === 0
      ? phrase('automation:rule.minutes', { count: seconds / 60 })
      : phrase('automation:rule.seconds', { count: seconds })
