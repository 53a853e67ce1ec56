import { toTraditional } from './chinese.ts'
import { fixedZone, HOUR_MS, isZoneName, offsetOfText } from './time.ts'

/**
 * Zones that a text may mean: groups of which the site's own is preferred, each of one meaning with or without summer time. Empty if
 * the text names a zone that is not known.
 */
export type ZoneGroups = readonly (readonly string[])[]

const NAMED_ZONES: readonly [RegExp, string][] = [
  [/[台臺][北灣](?:標準)?時間|^\s*[台臺][北灣]\s*$|中原標準時間|(?<![a-z])taipei(?![a-z])/i, 'Asia/Taipei'],
  [/(?<![a-z])tokyo(?![a-z])|日本時間|日本標準時/i, 'Asia/Tokyo'],
  [/北京時間|中國標準時間/, 'Asia/Shanghai'],
  [/香港時間/, 'Asia/Hong_Kong'],
]

/** Zones by their abbreviations; standard time all year is meant as often as local time. */
const ABBREVIATIONS: Readonly<Record<string, ZoneGroups>> = {
  CET: [['UTC+01:00', 'Europe/Berlin']],
  MEZ: [['UTC+01:00', 'Europe/Berlin']],
  CEST: [['UTC+02:00', 'Europe/Berlin']],
  MESZ: [['UTC+02:00', 'Europe/Berlin']],
  WET: [['UTC+00:00', 'Europe/Lisbon']],
  WEST: [['UTC+01:00', 'Europe/Lisbon']],
  EET: [['UTC+02:00', 'Europe/Helsinki']],
  EEST: [['UTC+03:00', 'Europe/Helsinki']],
  BST: [['UTC+01:00', 'Europe/London']],
  EST: [
    ['UTC-05:00', 'America/New_York'],
    ['UTC+10:00', 'Australia/Sydney', 'Australia/Brisbane'],
  ],
  EDT: [['UTC-04:00', 'America/New_York']],
  ET: [['America/New_York']],
  CST: [['Asia/Taipei'], ['UTC-06:00', 'America/Chicago']],
  CDT: [['UTC-05:00', 'America/Chicago']],
  CT: [['America/Chicago']],
  MST: [['UTC-07:00', 'America/Denver', 'America/Phoenix']],
  MDT: [['UTC-06:00', 'America/Denver']],
  MT: [['America/Denver']],
  PST: [['UTC-08:00', 'America/Los_Angeles']],
  PDT: [['UTC-07:00', 'America/Los_Angeles']],
  PT: [['America/Los_Angeles']],
  IST: [['Asia/Kolkata'], ['UTC+01:00', 'Europe/Dublin'], ['UTC+02:00', 'Asia/Jerusalem']],
  JST: [['Asia/Tokyo']],
  KST: [['Asia/Seoul']],
  SGT: [['Asia/Singapore']],
  HKT: [['Asia/Hong_Kong']],
  MYT: [['Asia/Kuala_Lumpur']],
  PHT: [['Asia/Manila']],
  ICT: [['Asia/Bangkok']],
  WIB: [['Asia/Jakarta']],
  AEST: [['UTC+10:00']],
  AEDT: [['UTC+11:00', 'Australia/Sydney']],
  ACST: [['UTC+09:30']],
  AWST: [['UTC+08:00']],
  NZST: [['UTC+12:00', 'Pacific/Auckland']],
  NZDT: [['UTC+13:00', 'Pacific/Auckland']],
  SAST: [['Africa/Johannesburg']],
  MSK: [['Europe/Moscow']],
}
/** Zones by their names in English, as Windows and energy suppliers in America write them. */
const LONG_NAMES: readonly [RegExp, string][] = [
  [/(?<!\w)eastern (standard|daylight)? ?time/i, 'E'],
  [/(?<!\w)central (standard|daylight)? ?time/i, 'C'],
  [/(?<!\w)mountain (standard|daylight)? ?time/i, 'M'],
  [/(?<!\w)pacific (standard|daylight)? ?time/i, 'P'],
]
const UTC = /(?<![a-z])(?:utc|gmt|zulu)(?![a-z])(?:\s*(?:offset|time)?\s*[(:：=]?\s*)([+±~-]?\s?\d[\d:.,]*)?/i
const OFFSET = /^[+-]\s?\d{1,2}(?::?\d{2})?$/
const BRACKETED_OFFSET = /[[(（]\s*([+-]\d{1,2}(?::?\d{2})?)\s*[\])）]/
const ETC = /(?<![a-z])etc\/(?:gmt|utc)([+-]\d{1,2})?(?!\d)/i
const IANA =
  /(?<![a-z])(?:africa|america|antarctica|arctic|asia|atlantic|australia|canada|europe|indian|pacific|us)\/[a-z_]+(?:\/[a-z_]+)?/i
/** Abbreviations of zones end in T, such as PKT and CLST. */
const UNKNOWN_ABBREVIATION = /[[(（]\s*(?!L[A-Z]?T)[A-Z]{1,3}T\s*[\])）]/

/** Zones that the heading of a time, or a text about the zone, names; undefined if it names none. */
export function zonesOf(heading: string): ZoneGroups | undefined {
  const text = toTraditional(heading).replaceAll(/[−–—‒]/g, '-')
  const etc = ETC.exec(text)
  // Etc/GMT-8 is eight hours ahead of UTC.
  if (etc) return [[fixedZone(-Number(etc[1] ?? 0) * HOUR_MS)]]
  const iana = IANA.exec(text)?.[0]
  if (iana && isZoneName(iana)) return [[iana]]
  const named = NAMED_ZONES.find(([pattern]) => pattern.test(text))
  if (named) return [[named[1]]]
  const utc = UTC.exec(text)
  if (utc) {
    const [, offset] = utc
    if (offset === undefined) return [[fixedZone(0)]]
    return OFFSET.test(offset) ? [[fixedZone(offsetOfText(offset.replace(' ', '')))]] : []
  }
  const offset = BRACKETED_OFFSET.exec(text)?.[1]
  if (offset) return [[fixedZone(offsetOfText(offset))]]
  return byAbbreviation(text) ?? (UNKNOWN_ABBREVIATION.test(text) ? [] : undefined)
}

function byAbbreviation(text: string): ZoneGroups | undefined {
  const long = LONG_NAMES.find(([pattern]) => pattern.test(text))
  const season = long?.[0].exec(text)?.[1]
  const words = long
    ? [`${long[1]}${season ? season.charAt(0).toUpperCase() : ''}T`]
    : // Outside of brackets only capitals are abbreviations: "est" is also an estimate.
      [
        ...text.matchAll(/(?<![A-Za-z])[A-Z]{3,4}(?![A-Za-z])/g),
        // CT is a transformer, too.
        ...text.matchAll(/(?<=^|[[(（]\s*)[A-Z]{2}(?=$|\s*[\])）])/g),
        ...text.matchAll(/(?<=[[(（]\s*)[a-z]{3,4}(?=\s*[\])）])/g),
      ].map(([word]) => word.toUpperCase())
  const groups = words.flatMap((word) => (ABBREVIATIONS[word] ? [ABBREVIATIONS[word]] : []))
  const [first, second] = groups
  if (!first || !second || first === second) return first
  // CET/CEST is local time.
  const local = first.flat().filter((zone) => zone.includes('/') && second.flat().includes(zone))
  return local.length > 0 ? local.slice(0, 1).map((zone) => [zone]) : first
}
