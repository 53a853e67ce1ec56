import { phrase, type Phrase } from './phrase.ts'

/** Duration, s, in the largest unit that gives a whole number, or in minutes and seconds. */
export const durationOf = (seconds: number): Phrase =>
  seconds % 3600 === 0 && seconds > 0
    ? phrase('automation:rule.hours', { count: seconds / 3600 })
    : seconds % 60 === 0
      ? phrase('automation:rule.minutes', { count: seconds / 60 })
      : seconds < 60
        ? phrase('automation:rule.seconds', { count: seconds })
        : phrase('automation:rule.minutesSeconds', {
            minutes: Math.floor(seconds / 60),
            rest: phrase('automation:rule.seconds', { count: seconds % 60 }),
          })

/** Interval of something that repeats: "every minute", "every 30 seconds". */
export const everyOf = (seconds: number): Phrase =>
  seconds === 60
    ? phrase('automation:rule.everyMinute')
    : phrase('automation:rule.every', { time: durationOf(seconds) })
