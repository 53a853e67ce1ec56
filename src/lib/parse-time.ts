const DIGITS: Readonly<Record<string, number>> = {
  〇: 0,
  零: 0,
  一: 1,
  二: 2,
  兩: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
}

/** Value of a Chinese number below 100, 25 for 二十五; undefined if invalid. */
function chineseNumber(text: string): number | undefined {
  const [, tens, onesDigit] =
    /^(?:([一二兩三四五六七八九]?)十)?([〇零一二兩三四五六七八九]?)$/.exec(text) ?? []
  if (text === '' || onesDigit === undefined) return undefined
  const tensValue = tens === undefined ? 0 : tens === '' ? 10 : 10 * (DIGITS[tens] as number)
  return tensValue + (onesDigit === '' ? 0 : (DIGITS[onesDigit] as number))
}

const numberOf = (text: string): number | undefined =>
  /^\d{1,2}$/.test(text) ? Number(text) : chineseNumber(text)

const MORNING = /^(?:上午|早上|凌晨|am|a\.m\.)|(?:am|a\.m\.)$/
const AFTERNOON = /^(?:下午|晚上|傍晚|pm|p\.m\.)|(?:pm|p\.m\.)$/
const NOON = /^中午/
const CLOCK = /^([^點时時:.]{1,3})(?:[點时時:.](?:鐘|整)?(?:(半)|(一刻)|([^分]{1,3})分?)?)?$/

/**
 * Minute of the day of a typed time, 0 to 1439: 1000, 10, 10:00, 9.30, 3pm, 上午十點, 下午三點半, 晚上8點15分.
 *
 * returns  undefined if the text is not a time
 */
export function parseTimeOfDay(text: string): number | undefined {
  const normalized = text.normalize('NFKC').toLowerCase().replace(/\s+/g, '')
  const listener = normalized.replace(MORNING, '').replace(AFTERNOON, '').replace(NOON, '')
  const match = /^\d{3,4}$/.test(listener)
    ? [Number(listener.slice(0, -2)), Number(listener.slice(-2))]
    : wordsOf(listener)
  if (!match && NOON.test(normalized) && listener === '') return 720
  const [hour, minute] = match ?? []
  if (hour === undefined || minute === undefined || minute > 59) return undefined
  if (hour > (MORNING.test(normalized) ? 12 : 24) || (hour === 24 && minute > 0)) return undefined
  const isAfternoon = AFTERNOON.test(normalized) || (NOON.test(normalized) && hour < 6)
  const day = isAfternoon && hour < 12 ? hour + 12 : MORNING.test(normalized) && hour === 12 ? 0 : hour
  return (day * 60 + minute) % 1440
}

function wordsOf(text: string): [number, number] | undefined {
  const [match, hours = '', halfHour, quarter, minutes] = CLOCK.exec(text) ?? []
  const hour = match === undefined ? undefined : numberOf(hours)
  const minute = halfHour ? 30 : quarter ? 15 : minutes === undefined ? 0 : numberOf(minutes)
  return hour === undefined || minute === undefined ? undefined : [hour, minute]
}
