import type { z } from 'zod'
import { ReadingState } from '../../../../contract/energy/meter-data-calls.ts'
import type { ImportKind } from '../../../../contract/meters/meter-import.ts'
import { fixedZone, isZoneName, offsetOfText } from './time.ts'

/** Units in kWh, and in kW for a mean power: its energy is the power times the hours of the interval. */
export const UNITS = {
  kWh: { factor: 1, isPower: false },
  Wh: { factor: 0.001, isPower: false },
  MWh: { factor: 1_000, isPower: false },
  GWh: { factor: 1_000_000, isPower: false },
  kW: { factor: 1, isPower: true },
  W: { factor: 0.001, isPower: true },
  MW: { factor: 1_000, isPower: true },
} as const
export type Unit = keyof typeof UNITS

/** Direction of energy through a meter: from the grid, or back to it. */
export type Direction = 'import' | 'export'

/** Reason why a column of numbers is not read as energy. */
export type IgnoredReason =
  | 'reactive'
  | 'apparent'
  | 'money'
  | 'percent'
  | 'otherQuantity'
  | 'quality'
  | 'counting'
  | 'otherColumn'
  | 'alsoAsEnergy'
  | 'alsoAsCounter'
  | 'sincePrevious'
  | 'bothSigns'

/** Meaning that a heading states; what it does not state is undefined. */
export interface HeadingMeaning {
  unit?: Unit
  kind?: ImportKind
  direction?: Direction
  ignored?: IgnoredReason
}

/** Letters, digits and marks that may not touch a unit: `kWh` in `Usage_kWh` is one, `wh` in `white` is not. */
const unit = (names: string): RegExp => new RegExp(`(?<![a-z0-9])(?:${names})(?![a-z0-9²³])`, 'i')
const UNIT_NAMES: readonly [Unit, RegExp][] = [
  ['GWh', unit('gwh|gw-h|gw·h')],
  ['MWh', unit('mwh|mw-h|mw·h|百萬瓦時|千度')],
  ['kWh', unit('kwh|kw-h|kw·h|kw hr|kwhr|kilowatt[- ]?hours?')],
  ['Wh', unit('wh|w·h|watt[- ]?hours?|whr')],
  // Headings of Shelly's minute files, which are in Wh by its documentation of em1data and emdata.
  ['Wh', unit('(?:[abc] )?(?:total|fund) act (?:ret )?energy')],
  ['MW', unit('mw|megawatts?')],
  ['kW', unit('kw|kilowatts?')],
  ['W', unit('w|watts?')],
]
/** Names without word boundaries: Chinese puts no blanks between words. */
const CHINESE_UNITS: readonly [Unit, RegExp][] = [
  ['MWh', /百萬瓦時|千度/],
  ['kWh', /千瓦小?時|瓩時|瓩小時|度數?(?!.*[°℃])|用電度/],
  ['Wh', /瓦小?時/],
  ['kW', /瓩|千瓦/],
]
const NOT_ENERGY: readonly [IgnoredReason, RegExp][] = [
  ['reactive', unit('[kmg]?varh?|[kmg]?var-h|reactive|react|blind\\w*|réactive?|reactiva')],
  ['reactive', /無效電|無功|虛功|乏時?|阻抗|reactive|reattiva|reativa/i],
  ['apparent', unit('[kmg]?vah?|apparent|aprt')],
  ['apparent', /視在/],
  ['percent', /[%％]|power ?factor|功率因數|cos ?(?:φ|phi)|(?<![a-z])pf(?![a-z])/i],
  [
    'money',
    /[€$£¥]|\/\s*kwh|(?<![a-z])per kwh|[[(（](?:p|c|ct)[\])）]|(?<![a-z])(?:eur|usd|aud|gbp|twd|ntd?|cost|costs|price|amount|charges|bill|kosten|preis|standing charge|tax|tariff|rate|pence|prix|coste|preço|costo|bedrag)(?![a-z])|元|電費|費用|金額|單價/i,
  ],
  [
    'otherQuantity',
    /[°℃]|temperature|temperatur|température|humidity|irradiance|insolation|溫度|濕度|日照|電壓|電流|頻率|(?<![a-z])(?:volts?|voltage|amps?|amperes?|current|hz|frequency|lux|ppm|co2e?|kg|m3|m³|gas|water|rssi|battery)(?![a-z])|[[(（](?:v|a|hz|k?pa|m\/s|kg|g|l|m³|m3|h|min|s)[\])）]/i,
  ],
  [
    'otherQuantity',
    /(?<![a-z])(?:max|min|maximum|minimum|highest|lowest)(?![a-z]).*(?:power|demand|leistung)|(?:最大|最高|最小)(?:需量|功率)/i,
  ],
  ['otherQuantity', /^intervals\s|[[(（](?:intervals|resets)[\])）]|counter resets|區間數|歸零次數/i],
  [
    'quality',
    /quality|(?<![a-z])(?:status|flag|validation|validatie\w*|estimated|estado|statut|qualité|qualidade|kwaliteit|remark|notes?|comment)(?![a-z])|品質|狀態|備註|旗標/i,
  ],
]
/** Headings of columns of texts that say how good the data of a line are. */
const QUALITY_HEAD = /^state$|state of the reading|validity/i
/** Texts of such columns by which the value of a line is unknown, or only a part of it. */
const NOT_COMPLETE =
  /^(?:missing|partly missing|incomplete|partial|unfinished|not ended yet|invalid|bad|bad input|no data|dropped|waiting for a decision|not counted.*|缺漏|部分缺漏|缺值|尚未結束|無資料|無效|待確認|已捨棄|不計入.*|fehlend|ungültig|unvollständig|manquant|absent|invalide|incomplet|ontbrekend|ongeldig|faltante|mancante|em falta)$/i
/** Headings of columns of units. */
export const UNIT_HEAD =
  /單位|(?<![a-z])(?:units?|uom|einheit|eenheid|unité|unite|unidad|unità|unidade|måleenhed)(?![a-z])/i
/** Headings of columns that number the hours or the intervals of a day. */
export const NUMBER_HEAD =
  /^\s*(?:hour|hr|hora|stunde|heure|ora|uur|he|hour ending|period|settlement period|interval|時段|小時|時|時間序|hour of day)(?:\s*(?:no\.?|number))?\s*$/i
const COUNTER =
  /累計|累積|指數|讀數|讀值|表底|底度|counter|cumulative|accumulat|meter reading|(?<![a-z])(?:readings?|register|zählerstand|zaehlerstand|meterstand|tellerstand|stand|gesamtertrag|index|indice|índice|lifetime|total_increasing)(?![a-z])|lettura|leitura|lectura/i
const USAGE =
  /用電|耗電|發電|usage|consum|verbrauch|verbruik|produc|erzeug|generat|generación|volume|yield|ertrag|kwh used|delivered|import|export|abgabe|bezug/i
const SURE_COUNTER =
  /累計|累積|表底|底度|counter|cumulative|accumulat|(?<![a-z])(?:zählerstand|zaehlerstand|meterstand|tellerstand|gesamtertrag|lifetime)(?![a-z])/i
/** Headings that say outright that a figure is that of its interval. */
const OF_INTERVAL =
  /(?:in|per|during) (?:the |each )?(?:interval|period)|interval (?:energy|consumption|usage)|區間(?:用電|電量|能)/i
/** Headings of differences whose interval depends on the line before. */
const SINCE_PREVIOUS = /since (?:the )?(?:previous|last) reading|距上次/i
const POWER =
  /功率|需量|(?<![a-z])(?:power|demand|load|leistung|lastgang|puissance|potenza|potencia|potência|vermogen)(?![a-z])/i
const EXPORT =
  /餘電|逆送|回饋|躉售|賣電|售電|上網電|反向|export|feed[- ]?in|einspeis|injec[tç]|teruglever|(?<![a-z])(?:terug|returned?|ret|sold|backward|reverse|surplus|immess\w*|excedente\w*|vertid\w*|invoeding|teruggeleverd)(?![a-z])|_ret_|to grid/i
const IMPORT =
  /(?<![a-z])(?:import(?:ed)?|afname|bezug|purchased|bought|from grid|grid consumption|prelev\w*|soutirage|purchase)(?![a-z])|購電|買電|市電|受電/i

/** Reads a heading. */
export function readHeading(heading: string): HeadingMeaning {
  const text = heading.replaceAll(/[_.]/g, ' ')
  const meaning: HeadingMeaning = {}
  const found = unitOf(text)
  if (found) meaning.unit = found
  const isEnergy = found !== undefined
  const reason = SINCE_PREVIOUS.test(text)
    ? 'sincePrevious'
    : NOT_ENERGY.find(([, pattern]) => pattern.test(text))?.[0]
  // "Energy cost (kWh)" does not exist, but "Import kWh (estimated)" does: a unit of energy overrules weak words.
  if (reason && (!isEnergy || ['reactive', 'apparent', 'money', 'sincePrevious'].includes(reason)))
    meaning.ignored = reason
  if (EXPORT.test(heading)) meaning.direction = 'export'
  else if (IMPORT.test(text)) meaning.direction = 'import'
  if (found && UNITS[found].isPower) meaning.kind = 'interval'
  else if (COUNTER.test(text)) meaning.kind = 'counter'
  else if (USAGE.test(text) || (!found && POWER.test(text))) meaning.kind = 'interval'
  return meaning
}

/** Whether a heading says outright that the figure is that of its interval, whatever the figures look like. */
export const isIntervalHeading = (heading: string): boolean => OF_INTERVAL.test(heading)

/** Whether a heading says outright that the figure is a counter's, unlike "reading" or "index". */
export const isCounterHeading = (heading: string): boolean => SURE_COUNTER.test(heading)

/** Whether a heading without a unit names a power. */
export const isPowerHeading = (heading: string): boolean => POWER.test(heading.replaceAll('_', ' '))

/** Unit in a text, such as a heading, a cell of units or a title. */
export function unitOf(text: string): Unit | undefined {
  const clean = text.replaceAll(/[_.]/g, ' ')
  return (
    UNIT_NAMES.find(([, pattern]) => pattern.test(clean))?.[0] ??
    CHINESE_UNITS.find(([, pattern]) => pattern.test(clean))?.[0]
  )
}

/** Reason why a text, such as a cell of units, is no energy. */
export const ignoredReasonOf = (text: string): IgnoredReason | undefined =>
  NOT_ENERGY.find(([, pattern]) => pattern.test(text.replaceAll('_', ' ')))?.[0]

/** Whether a name in a column of meters or sensors is that of a sensor of something else. */
export const isOtherSensor = (name: string): boolean =>
  /temperature|humidity|illuminance|voltage|溫度|濕度|照度|電壓/i.test(name) && unitOf(name) === undefined

/** Whether the heading of a column of texts says that it is about the quality of the data. */
export const isQualityHeading = (heading: string): boolean =>
  readHeading(heading).ignored === 'quality' || QUALITY_HEAD.test(heading.trim())

/** Whether a text in a column of qualities says that the value is unknown, or only a part of it. */
export const isNotComplete = (text: string): boolean =>
  NOT_COMPLETE.test(text) || (ReadingState.options.includes(text as never) && !COUNTED.has(text))
/** States of our own readings that count. */
const COUNTED: ReadonlySet<string> = new Set<z.infer<typeof ReadingState>>(['counted', 'accepted'])

/** Direction in a text. */
export function directionOf(text: string): Direction | undefined {
  if (/^(?:b\d*|export)$/i.test(text)) return 'export'
  if (/^(?:e\d*|import)$/i.test(text)) return 'import'
  if (EXPORT.test(text)) return 'export'
  return IMPORT.test(text) ? 'import' : undefined
}

const END =
  /(?<![a-z])(?:end|ends|ending|ended|to|until|till|bis|ende|tot|fin|fim|fine|hasta|até|jusqu)(?![a-z])|結束|迄|終|止/i
const BEGIN =
  /(?<![a-z])(?:start|starts|starting|begin|begins|beginning|from|von|beginn|ab|van|début|debut|inizio|inicio|início|desde|since)(?![a-z])|起|開始/i
/** Whether the heading of a time says that it is the start or the end of its interval. */
export function stampOf(heading: string): 'begin' | 'end' | undefined {
  const text = heading.replaceAll('_', ' ')
  const [isBegin, isEnd] = [BEGIN.test(text), END.test(text)]
  return isBegin === isEnd ? undefined : isBegin ? 'begin' : 'end'
}

/** Whether a text about a whole file says that its times are the starts or the ends of their intervals. */
export function stampOfText(text: string): 'begin' | 'end' | undefined {
  const match = STAMP_TEXT.exec(text)
  if (!match) return undefined
  return /end|結束/i.test(match[0]) ? 'end' : 'begin'
}
const STAMP_TEXT =
  /(?:start|beginning|end) of (?:the )?(?:interval|period|time interval)|(?:interval|period)[- ](?:start|beginning|ending)|區間(?:開始|結束)/i

/** Length of an interval that the heading of a time states, as an answer to the question for it. */
export function intervalOf(heading: string): string | undefined {
  const match = LENGTH.exec(heading)
  if (!match) return undefined
  const [, count = '', unitName = ''] = match
  if (/^(?:d|日)/i.test(unitName)) return count === '1' ? 'day' : undefined
  if (/^(?:mon|個月)/i.test(unitName)) return count === '1' ? 'month' : undefined
  return String(Number(count) * (/^(?:h|小時)/i.test(unitName) ? 60 : 1))
}
/** The same in a text about a whole file, which may contain other lengths. */
export const intervalOfText = (text: string): string | undefined =>
  intervalOf(INTERVAL_TEXT.exec(text)?.[1] ?? '')
const INTERVAL_TEXT = /(?:interval|granularity|resolution|period length|間隔|區間長度)[\s:：=]{1,3}(.{1,12})/i
const LENGTH = /(?<![\d.,:])(\d{1,2})[ -]?(months?|個月|min(?:ute)?s?|分鐘|hours?|小時|days?|日)(?![a-z])/i

/** Zones by their usual names; `local` is the zone of the site. */
const NAMED_ZONES: readonly [RegExp, string][] = [
  [/台北時間|臺北時間|台灣時間|臺灣時間|中原標準時間|(?<![a-z])taipei(?![a-z])/i, 'Asia/Taipei'],
  [/(?<![a-z])(?:jst|tokyo)(?![a-z])|日本時間/i, 'Asia/Tokyo'],
  [/(?<![a-z])aest(?![a-z])/i, 'UTC+10:00'],
  [/(?<![a-z])(?:mez|mesz)(?![a-z])/i, 'Europe/Berlin'],
]
const UTC = /(?<![a-z])(?:utc|gmt|zulu)(?:\s*([+-]\s?\d{1,2}(?::?\d{2})?))?(?![a-z])/i
const IANA = /(?<![a-z])(?:africa|america|asia|atlantic|australia|europe|pacific)\/[a-z_]+(?:\/[a-z_]+)?/i

/** Zone that a heading or a title names. */
export function zoneOf(text: string): string | undefined {
  const iana = IANA.exec(text)?.[0]
  if (iana && isZoneName(iana)) return iana
  const named = NAMED_ZONES.find(([pattern]) => pattern.test(text))
  if (named) return named[1]
  const utc = UTC.exec(text)
  return utc ? fixedZone(utc[1] ? offsetOfText(utc[1].replace(' ', '')) : 0) : undefined
}

/** Whether the heading of a column says that it names a meter. */
export const isMeterHeading = (heading: string): boolean => METER_HEAD.test(heading.replaceAll(/[_.]/g, ' '))
const METER_HEAD =
  /電表|表號|表名|設備|測點|站名|電號|儀表|(?<![a-z])(?:meters?|peripheral(?:uid|name)|devices?|names?|nmi|ean|mpan|mprn|serial|sensors?|entity id|tag|point|channel|register|inverter|meter serial|målepunkt\w*|metering point|entity id|field|series|zähler\w*|zaehler\w*|messlokation|compteur|contatore|pod|cups|prm|cpe)(?![a-z])/i
/** Headings of columns of times of day, under which 0815 is one. */
export const CLOCK_HEAD =
  /^\s*(?:抄表|量測|記錄|紀錄)?(?:時間|時刻|time|hour|uhrzeit|hora|heure|ora|tijdstip)\s*$/i
/** Headings and titles in the languages of countries that write the day before the month. */
export const DAY_FIRST_WORDS =
  /(?<![a-z])(?:datum|uhrzeit|von|bis|verbrauch|zeit|van|tot|tijdstip|eenheid|hora|fecha|consumo|data|heure|énergie|compteur|ora|valore|lettura|einheit|wert|leitura)(?![a-z])/i
