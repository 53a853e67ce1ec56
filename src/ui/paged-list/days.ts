import dayjs, { type Dayjs } from 'dayjs'

const DAY = 'YYYY-MM-DD'

/** A day of an address, or undefined when it says none. */
export function readDay(text: string): Dayjs | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const day = dayjs(text)
  return day.isValid() ? day : undefined
}

export const writeDay = (day: Dayjs): string => day.format(DAY)

/** Today as an address says it. */
export const today = (): string => writeDay(dayjs())

/** The span of whole days, epoch ms, the end exclusive; what is not given is open. */
export const spanOf = (from: string, to: string): { From?: number; Until?: number } => {
  const [first, last] = [readDay(from), readDay(to)]
  return {
    ...(first && { From: first.startOf('day').valueOf() }),
    ...(last && { Until: last.add(1, 'day').startOf('day').valueOf() }),
  }
}
