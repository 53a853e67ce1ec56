import type { z } from 'zod'
import { ReadingState } from '../../../../contract/energy/meter-data-calls.ts'
import type { ImportKind } from '../../../../contract/meters/meter-import.ts'
import { toTraditional } from './chinese.ts'
import { hasNameWords, isNameBehind, isPlaceBehind } from './load-names.ts'

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
  | 'runningTotal'
  | 'sincePrevious'
  | 'bothSigns'
  | 'multiplier'

/** Meaning that a heading states; what it does not state is undefined. */
export interface HeadingMeaning {
  unit?: Unit
  kind?: ImportKind
  direction?: Direction
  ignored?: IgnoredReason
  /** Word of another quantity that is the beginning of a name, and the reason for which it would not be read alone. */
  nameWord?: { text: string; reason: IgnoredReason }
}

/** Letters, digits and marks that may not touch a unit: `kWh` in `Usage_kWh` is one, `wh` in `white` is not. A power per hour is none. */
const unit = (names: string): RegExp => new RegExp(`(?<![a-z0-9])(?:${names})(?![a-z0-9²³]|\\s*/\\s*h)`, 'i')
/** A unit of power with hours behind it is one of energy: kWh, kW-hr, kW·h, kilowatt hours. Energy is looked for first. */
const energy = (power: string): RegExp => unit(`(?:${power})[\\s·⋅•‧・*-]{0,3}(?:h(?:(?:ou)?rs?|s)?|時)`)
const UNIT_NAMES: readonly [Unit, RegExp][] = [
  ['GWh', energy('gw|gigawatts?')],
  ['MWh', energy('mw|megawatts?')],
  ['kWh', energy('kw|kilowatts?')],
  ['Wh', unit('w[·⋅•‧・*-]?h(?:rs?|s)?|w hrs?|watts?[\\s·-]?h(?:(?:ou)?rs?)?')],
  // Headings of Shelly's minute files, which are in Wh by its documentation of em1data and emdata.
  ['Wh', unit('(?:[abc] )?(?:total|fund) act (?:ret )?energy')],
  ['GWh', /吉瓦小?時/],
  ['MWh', /(?:百萬|兆)瓦小?時/],
  ['kWh', /(?:千瓦|瓩)[·‧・]?小?時/],
  ['Wh', /瓦小?時/],
  ['MW', unit('mw|megawatts?')],
  ['MW', /(?:百萬|兆)瓦/],
  ['kW', unit('kw|kilowatts?')],
  ['kW', /瓩|千瓦/],
  ['W', /瓦特|[[(（]瓦[\])）]/],
  // 度 is the end of many words, such as 溫度, and of gas and water it is a cubic meter.
  [
    'kWh',
    /^(?!.*(?:用水|水量|水費|瓦斯|天然氣|用氣|[溫濕角照速]度)).*?((?:(?<=^|[\s([（:/,、千萬億電峰])度數?(?=$|[\s)\]）/,、(（])|度數(?![值據])))/,
  ],
  ['W', unit('watts?|wattage')],
]
/** A single W in brackets, alone, behind a comma, at the end of an identifier such as grid_w, or with a word of power; else it is part of a name. */
const LETTER_W = /[[(（]\s*w\s*[\])）]|^\s*w\s*$|[,;:/|]\s*w\s*$/i
const IDENTIFIER_W = /^[a-z0-9_.]+[_.]w$/
/** Milliwatts differ from megawatts only by the small m. */
const MILLIWATT = /(?<![A-Za-z])mW/
/** Energy per something else than time. */
const SPECIFIC = /[kw]wh?\s*\/\s*(?:rt|usrt|ton|m2|m²|m\^2|m3|m³|sqm|sq ?ft|ft2|kwp|坪|kg|pcs)/i
/** Price of energy. */
const PER_ENERGY = /\/\s*[kmg]?wh|(?<![a-z])per [kmg]?wh|每度/i
const CURRENCY =
  /[€$£¥]|(?<![a-z])(?:eur|usd|aud|gbp|twd|ntd|jpy|cny|rmb|pence)(?![a-z])|[元円]|[[(（](?:p|c|ct)[\])）]/i
/** Labels of the factor by which a meter behind transformers is read, and of the ratio of one of them. */
export const MULTIPLIER =
  /倍率|倍數|乘率|乘數|multiplier|multiplicador|multiplicateur|moltiplicat\w*|multiplication factor|wandlerfaktor|umrechnungsfaktor|^\s*(?:meter )?(?:faktor|factor|fattore|facteur)(?=\s*(?:$|[:：=\d]))/i
export const TRANSFORMER_RATIO = /(?<![a-z])(?:ct|pt|vt)\s*(?:ratio|比)|比[流壓]器|變[流壓]?比/i
/** A plan and nothing else: Plan (kWh), but not Plan B studio. */
const PLAN_ALONE =
  /^\s*(?:plan|planned|target|goal|soll|ziel|objectif|計畫|計劃|目標)值?\s*(?:[[(（].*|[kmg]?wh)?$/i
/** Name of a sheet, or of a row, with a plan or a forecast. */
const FORECAST_ALONE = /^\s*(?:forecast|budget|baseline|prognose|prévisions?|預測|預算|基準)值?\s*$/i
/** Reasons that a unit of energy in the same text does not overrule. */
const NOT_ENERGY_AT_ALL: readonly [IgnoredReason, RegExp][] = [
  ['reactive', unit('[kmg]?varh?|[kmg]?var-h|reactive|react|blind\\w*|réactive?|reactiva')],
  ['reactive', /無效電|無功|虛功|乏時?|阻抗|reactive|reattiva|reativa/i],
  ['apparent', unit('[kmg]?vah?|apparent|aprt')],
  ['apparent', /視在/],
  ['percent', /[%％]/],
  // A cost center may have a meter, too.
  [
    'money',
    /(?<![a-z])(?:costs?(?! ?cent(?:er|re))|price|kosten(?!\W?stelle)|preis|standing charge|prix|coste|preço|costo)(?![a-z])|電費|料金|費用(?!組)|金額|單價|(?<![a-z])montant/i,
  ],
  ['money', CURRENCY],
  ['money', PER_ENERGY],
  ['otherQuantity', /[°℃]/],
  ['otherQuantity', SPECIFIC],
  // Plans and other years are no measurements, and other carriers than electricity are not read yet.
  [
    'otherQuantity',
    /(?<![a-z])(?:forecast|baseline|budget(?:ed)?|prognose|prévision\w*|vorjahr\w*|(?:last|previous|prior) year)(?![a-z])|去年|前年|預測|預算|基準線/i,
  ],
  ['otherQuantity', PLAN_ALONE],
  [
    'otherQuantity',
    /^\s*(?:natural gas|gas|erdgas|district heat(?:ing)?|heat(?:ing)? energy|fernwärme|wärme|chaleur|天然氣|瓦斯|熱量)\s*(?:[[(（].*)?$/i,
  ],
  ['otherQuantity', /(?<![a-z])(?:emissions?|co2e?)(?![a-z])|kgco2|碳排/i],
]
const NOT_ENERGY: readonly [IgnoredReason, RegExp][] = [
  ...NOT_ENERGY_AT_ALL,
  [
    'percent',
    /(?:power|load) ?factor|功率因數|力率|leistungsfaktor|facteur de puissance|arbeidsfactor|factor de potencia|fattore di potenza|負載率|cos ?(?:φ|phi)|(?<![a-z])pf(?![a-z])/i,
  ],
  ['multiplier', MULTIPLIER],
  ['multiplier', TRANSFORMER_RATIO],
  ['money', /(?<![a-z])(?:amount|charges|bill|tax|tariff|rate|bedrag)(?![a-z])/i],
  // Chinese words before the word for a room, a plant or a department are part of its name: 蒸氣室, 品質課.
  [
    'otherQuantity',
    /temperature|temperatur|température|humidity|irradiance|insolation|(?:溫度|濕度|日照|電壓|電流|頻率|用水|水量|瓦斯|天然氣|用氣|蒸氣|蒸汽|產量|冷凍噸|日射)(?![房站爐鍋泵塔館廠課間櫃]|室(?![內外溫]))|(?<![a-z])(?:temp|hdd|cdd|dmy|samples?|volts?|voltage|amps?|amperes?|hz|frequency|lux|ppm|co2e?|kg|m3|m³|rssi)(?![a-z])|[[(（](?:v|a|hz|k?pa|m\/s|kg|g|l|m³|m3|h|min|s)[\])）]/i,
  ],
  // A water heater, a battery room, a gas boiler and the current month use electricity.
  [
    'otherQuantity',
    /^\s*(?:gas|water|battery)\s*$|(?<![a-z])(?:gas|water) (?:use|usage|used|consumption|volume|flow|meter|reading)(?![a-z])|(?<![a-z])battery (?:level|soc|state|health)(?![a-z])|(?<![a-z])current(?![a-z])(?! (?:reading|usage|use|consumption|energy|period|month|day|year|bill|value|meter|power|load|demand))/i,
  ],
  ['otherQuantity', /^intervals\s|[[(（](?:intervals|resets)[\])）]|counter resets|區間數|歸零次數/i],
  [
    'quality',
    /quality|(?<![a-z])(?:status|flag|validation|validatie\w*|estimated|estado|statut|qualité|qualidade|kwaliteit|remark|notes?|comment|verano|invierno|dst|summer time|sommerzeit)(?![a-z])|(?:品質|狀態|備註|旗標)(?![房站爐鍋泵塔館廠課間櫃]|室(?![內外溫]))/i,
  ],
]
/** Headings of columns of texts that say how good the data of a line are. */
const QUALITY_HEAD = /^state$|state of the reading|validity/i
/** Texts of such columns by which the value of a line is unknown, or only a part of it. */
const NOT_COMPLETE =
  /^(?:missing|partly missing|incomplete|partial|unfinished|not ended yet|invalid|bad|bad input|no data|dropped|discarded|waiting for (?:a decision|review)|not counted.*|缺漏|部分缺漏|缺值|尚未結束|無資料|無效|待確認|已捨棄|不計入.*|fehlend|ungültig|unvollständig|manquant|absent|invalide|incomplet|ontbrekend|ongeldig|faltante|mancante|em falta)$/i
/** Headings of columns of units. */
export const UNIT_HEAD =
  /單位|单位|単位|(?<![a-z])(?:units?|uom|einheit|eenheid|unité|unite|unidad|unità|unidade|måleenhed)(?![a-z])/i
/** Headings of columns that number the hours or the intervals of a day. */
export const NUMBER_HEAD =
  /^\s*(?:hour|hr|hora|stunde|heure|ora|uur|he|hour ending|period|settlement period|interval|時段|时段|小時|小时|時|时|時間序|hour of day)(?:\s*(?:no\.?|number))?\s*$/i
const COUNTER =
  /累計|累積|指數|讀數|讀值|表底|底度|counter|cumulative|accumulat|meter reading|(?<![a-z])(?:readings?|register|zählerstand|zaehlerstand|meterstand|tellerstand|stand|gesamtertrag|index|indice|índice|lifetime|total_increasing)(?![a-z])|lettura|leitura|lectura/i
const USAGE =
  /用電|耗電|發電|usage|consum|verbrauch|verbruik|produc|erzeug|generat|generación|volume|yield|ertrag|kwh used|delivered|import|export|abgabe|bezug/i
const SURE_COUNTER =
  /累計|累積|表底|底度|counter|cumulative|accumulat|(?<![a-z])(?:zählerstand|zaehlerstand|meterstand|tellerstand|gesamtertrag|lifetime)(?![a-z])/i
const OF_DAY =
  /今日|當日|本日|日發電|日累|(?<![a-z])(?:today|todays|daily|day|tages\w*|heute|du jour|diaria?|diário|giornalier\w*|dag\w*)(?![a-z])/i
/** Headings that say outright that a figure is that of its interval. */
const OF_INTERVAL =
  /(?:in|per|during) (?:the |each )?(?:interval|period)|interval (?:energy|consumption|usage)|區間(?:用電|電量|能)/i
/** Headings of differences whose interval depends on the line before. */
const SINCE_PREVIOUS = /since (?:the )?(?:previous|last) reading|距上次/i
/** The highest or lowest value of an interval; of power it is no mean of it. */
const EXTREME =
  /(?<![a-z])(?:max|(?<!\d[ -]?)min|maximum|minimum|highest|lowest|(?<!(?:on|off)[- ]?)peak|spitzen?\w*|\w*spitze|höchst\w*|maximal\w*|máxim[oa]|massim[oa]|piek\w*|picco|pointe|atteinte|contract\w*|contratad[oa]|souscrite|subscribed|target)(?![a-z])|最大|最高|最小|最低|尖峰|ピーク|契約|目標|預測/i
const ONLY_EXTREME =
  /^\s*(?:max|min|maximum|minimum|highest|lowest)(?: value)?\s*$|^(?:最大|最高|最小|最低)值?$/i
const POWER =
  /功率|需量|契約容量|契約電力|平均電力|デマンド|(?<![a-z])(?:power|wattage|demand|load|leistung|lastgang|puissance|potenza|potencia|potência|\w*vermogen|\w*leistung|leistungs\w*|lastspitze)(?![a-z])/i
const EXPORT =
  /餘電|逆送|逆潮流|逆方向|回饋|饋入|併網電量|售出|躉售|賣電|售電|上網電|反向|export(?:s|ed|ing|iert\w*|é\w*|ad[oa]s?|aci\w*|aç\w*|ations?|z(?:ä|ae)hler|(?:ed)?energ\w*|menge|register|leistung|lieferung|wirk\w*|arbeit|(?:ed)?power|active|total|meter|reading|[kmg]?wh?|\d+)?(?![a-z])|feed[- ]?in|einspeis|rücklief|rückspeis|teruglever|injected|injecté|injectie(?![a-z])|injet|injeç|inyec|(?<![a-z])(?:terug|returned|ret|sold|backward|surplus|immess\w*|excedent\w*|vertid\w*|saliente|invoeding|teruggeleverd)(?![a-z])|immission\w*|excess|cedut\w*|cedid\w*|fornecida|lieferung ans|送電|余剰|餘剰|餘剩|饋網|negative active|active energy ?[-−](?:\s|$)|to grid|(?<![a-z])(?:in)?to the grid|eingespeist|out of (?:the )?load|(?<![a-z])(?:überschuss|ausspeisung|backfeed|revente|excédent)|delivered by (?:client|customer)/i
/** Words that are also parts of names, such as reverse osmosis and injection molding: they count if nothing else is named. */
const ALONE_EXPORT = /^(?:injections?|reverse|returns?|ret|exp|a-|-a|p-|-p)$/i
const ALONE_IMPORT = /^(?:imp|a\+|\+a|p\+|\+p)$/i
/** Parts of headings that name nothing: words of energy and of the grid, units, tariffs, numbers. */
const NO_NAME =
  /(?<![a-z])(?:energ\w*|énerg\w*|wirk\w*|arbeit|active|grid|réseau|network|netz|power|total|sum|cumul\w*|register|meter|reading|phase|l[123]|day|night|jour|nuit|to|into|the|sur|le|in|[kmg]?wh?)(?![a-z])|(?<![\w-])\d+(?![\w-])|度|[\s:/()[\]{}（）]/gi
const IMPORT =
  /(?<![a-z])(?:import(?:ed)?|afname|bezug|purchased|bought|from grid|grid consumption|prelev\w*|soutirage|purchase|entrante|delivered to (?:client|customer)|into (?:the )?load)(?![a-z])|購電|買電|市電|受電|下網電|正向/i
/** Energy registers of OBIS: 1.8.0 from the grid, 2.8.0 to the grid, 1.29.0 and 2.29.0 their load profiles. */
const OBIS = /(?:^|\d-\d{1,3}:|obis\s*)([12])\.(?:8|9|29)\.\d(?![\d.])/i

/** Reads a heading. */
export function readHeading(heading: string): HeadingMeaning {
  const text = toTraditional(heading).replaceAll(/[_.]/g, ' ')
  const meaning: HeadingMeaning = {}
  const found = unitOf(heading)
  if (found) meaning.unit = found
  const isEnergy = found !== undefined && !UNITS[found].isPower
  const isPower = found === undefined ? POWER.test(text) : !isEnergy
  const reasons = isEnergy ? NOT_ENERGY_AT_ALL : NOT_ENERGY
  const matches = reasons.filter(([, pattern]) => pattern.test(text))
  const nameWords = isEnergy ? matches.map((match) => nameWordIn(text, match)) : []
  const match = matches.find((_, at) => nameWords[at] === undefined)
  const reason = SINCE_PREVIOUS.test(text)
    ? 'sincePrevious'
    : (isPower && EXTREME.test(text)) || ONLY_EXTREME.test(text)
      ? 'otherQuantity'
      : match?.[0]
  if (reason) meaning.ignored = reason
  else if (nameWords[0]) meaning.nameWord = nameWords[0]
  const direction = directionOf(heading)
  if (direction) meaning.direction = direction
  if (found && UNITS[found].isPower) meaning.kind = 'interval'
  else if (COUNTER.test(text) || OBIS_COUNTER.test(heading)) meaning.kind = 'counter'
  else if (USAGE.test(text) || (!found && POWER.test(text))) meaning.kind = 'interval'
  return meaning
}

/** Word of another quantity with which a name begins, if its unit is one of energy; a mark such as % or €/kWh is no word. */
function nameWordIn(
  text: string,
  [reason, pattern]: readonly [IgnoredReason, RegExp],
): HeadingMeaning['nameWord'] {
  const match = pattern.exec(text)
  if (!match || reason === 'reactive' || !/^[\p{L} ]+$/u.test(match[0])) return undefined
  return isNameBehind(text, match.index + match[0].length) ? { text: match[0], reason } : undefined
}

/** Symbols of units that are also letters of names: var 3, VA. */
const SYMBOL_WORD = /^[kmg]?(?:var|va)$/i

/**
 * Whether a heading that is not read because of a word may be a name with that word; undefined if it is none. In a heading of energy any
 * further word may be of a name, and else one that follows: Temperature Lab, but not Outdoor temperature.
 *
 * hasFileUnit  whether the title or the corner of the table states a unit of energy or power
 */
export function nameInIgnored(heading: string, hasFileUnit: boolean): { isLikely: boolean } | undefined {
  const text = toTraditional(heading).replaceAll(/[_.]/g, ' ')
  const own = unitOf(heading)
  const isEnergy = own !== undefined && !UNITS[own].isPower
  if ((own === undefined && !hasFileUnit) || SINCE_PREVIOUS.test(text) || ONLY_EXTREME.test(text))
    return undefined
  const isExtreme = !isEnergy && EXTREME.test(text) && (own === undefined) === POWER.test(text)
  const patterns = (isEnergy ? NOT_ENERGY_AT_ALL : NOT_ENERGY).filter(([, pattern]) => pattern.test(text))
  const words = [...patterns.map(([, pattern]) => pattern), ...(isExtreme ? [EXTREME] : [])]
  const matches = words.flatMap((pattern) => {
    const match = pattern.exec(text)
    return match ? [{ word: match[0], index: match.index }] : []
  })
  if (matches.length === 0 || matches.some(({ word }) => !/^(?:[\p{L} ]+|co2e?)$/iu.test(word)))
    return undefined
  const areSymbols = matches.every(
    ({ word, index }) => SYMBOL_WORD.test(word) && !/[[(（]\s*$/.test(text.slice(0, index)),
  )
  if (areSymbols) return { isLikely: true }
  if (!isEnergy)
    return matches.every(
      ({ word, index }) =>
        isNameBehind(text, index + word.length) || isPlaceBehind(text, index + word.length),
    )
      ? { isLikely: true }
      : undefined
  const known = new RegExp(words.map(({ source }) => source).join('|'), 'gi')
  return hasNameWords(text, known) ? { isLikely: false } : undefined
}
const OBIS_COUNTER = /(?:^|\d-\d{1,3}:|obis\s*)[12]\.8\.\d(?![\d.])/i

/** Whether a heading says outright that the figure is that of its interval, whatever the figures look like. */
export const isIntervalHeading = (heading: string): boolean => OF_INTERVAL.test(toTraditional(heading))

/** Whether a heading says outright that the figure is a counter's, unlike "reading" or "index". */
export const isCounterHeading = (heading: string): boolean => SURE_COUNTER.test(toTraditional(heading))

/** Whether a heading says that the figure is that of a day, which in a file of hours may be that of the day so far. */
export const isOfDayHeading = (heading: string): boolean => OF_DAY.test(toTraditional(heading))

/** Whether a heading without a unit names a power. */
export const isPowerHeading = (heading: string): boolean =>
  POWER.test(toTraditional(heading).replaceAll('_', ' '))

/** Whether a heading names energy, and no power. */
export const isEnergyHeading = (heading: string): boolean =>
  /(?<![a-z])(?:energy|energie|énergie|energía|energia|kwh)(?![a-z])|電量|電能|用電(?!負載|功率|需量)|發電(?!功率)/i.test(
    toTraditional(heading).replaceAll('_', ' '),
  ) && !isPowerHeading(heading)

/** Whether a heading says that a power is the mean of its interval. */
export const isMeanHeading = (heading: string): boolean =>
  /平均|(?<![a-z])(?:avg|average|mean|mittel\w*|durchschnitt\w*|moyenne|media|médio|gemiddeld\w*)(?![a-z])/i.test(
    heading.replaceAll('_', ' '),
  )

/** Unit in a text, such as a heading or a cell of units, and the factor before it: 10,000 of 萬度. */
export interface Measure {
  unit: Unit
  /** Factor that no unit expresses; 1,000 kWh are a MWh. */
  scale: number
}

/** Factors before a unit, and the number that is written. */
const WORDS: Readonly<Record<string, number>> = {
  千: 1e3,
  萬: 1e4,
  十萬: 1e5,
  百萬: 1e6,
  千萬: 1e7,
  億: 1e8,
  thousand: 1e3,
  thousands: 1e3,
  tsd: 1e3,
  million: 1e6,
  millions: 1e6,
  mio: 1e6,
  "'000": 1e3,
}
const FACTOR =
  /((?<![a-z\d])[x×*]\s*|[[(（]\s*|^\s*|\bin\s+)(10\^-?\d|1e\d|\d+(?:[,.\s]\d+)*)\s*(?=[kmg]?wh|[kmg]?w(?![a-z])|千瓦|瓩|度(?:數|電)?(?![\u3400-\u9fff]))|(十萬|百萬|千萬|[千萬億]|thousands?|millions?|tsd|mio|'000)(?:\.|\s+of)?\s*(?=[kmg]?wh|度(?:數|電)?(?![\u3400-\u9fff])|千瓦|瓩)/i
/** A factor that is written behind a unit or in brackets may be one by which the figures are multiplied already. */
const FACTOR_BEHIND = /(?:[[(（,]|wh[\])）]?)\s*[x×*]\s*(\d+(?:\.\d+)?)(?![\d.]*\s*[kmg]?w)/i
/** Unit in a text, such as a heading, a cell of units or a title, with the factor before it. */
export function measureOf(text: string): Measure | undefined {
  const found = unitNameOf(text)
  if (!found) return undefined
  const { factor, isSure } = factorBefore(text) ?? { factor: 1, isSure: false }
  if (!isSure) return { unit: found, scale: 1 }
  const { factor: ofUnit, isPower } = UNITS[found]
  const whole = (Object.keys(UNITS) as Unit[]).find(
    (each) => UNITS[each].isPower === isPower && Math.abs(UNITS[each].factor / (ofUnit * factor) - 1) < 1e-9,
  )
  return whole ? { unit: whole, scale: 1 } : { unit: found, scale: factor }
}

export const unitOf = (text: string): Unit | undefined => measureOf(text)?.unit

/** Factor in a heading that does not say whether the figures are multiplied by it already, such as ×120. */
export function multiplierOf(text: string): number | undefined {
  const behind = FACTOR_BEHIND.exec(text)?.[1]
  const before = factorBefore(text)
  const factor = behind === undefined ? (before?.isSure ? undefined : before?.factor) : Number(behind)
  return factor === 1 ? undefined : factor
}

/** Factor before a unit; sure if it is a power of ten that is no part of a name. */
function factorBefore(text: string): { factor: number; isSure: boolean } | undefined {
  const clean = toTraditional(text)
  const match = FACTOR.exec(clean)
  const [whole = '', prefix = '', figure, word] = match ?? []
  const ofWord = WORDS[word?.toLowerCase() ?? '']
  if (ofWord !== undefined) return { factor: ofWord, isSure: true }
  if (figure === undefined) return undefined
  const power = /^10\^(-?\d)$/.exec(figure)?.[1]
  const factor =
    power === undefined ? Number(figure.replaceAll(/[,\s](?=\d{3}(?!\d))/g, '')) : 10 ** Number(power)
  if (!(factor > 0 && Number.isFinite(factor))) return undefined
  const isSure = /^(?:10*|0\.0*1|1e-\d)$/.test(String(factor))
  if (/[x×*]/i.test(prefix)) return { factor, isSure }
  // A figure without a sign may be the size of a machine, beside the unit of the figures.
  const behind = clean.slice((match?.index ?? 0) + whole.length)
  const ownUnit = OWN_UNIT.exec(behind)?.[0]
  const rest = `${clean.slice(0, match?.index)} ${behind.slice(ownUnit?.length ?? 0)}`
  return ownUnit !== undefined && isSure && unitNameOf(rest) === undefined ? { factor, isSure } : undefined
}

const OWN_UNIT = /^\s*(?:[kmg]?wh|度|千瓦時|瓩時)/i
/** Size of a machine in its name, such as 350 kW. */
const RATING = /(?<![x×*\d.,^]\s*)\d[\d.,]*\s*(?:[kmg]?wp?|k?va)(?![a-z])/gi

/** Brackets at the end of a heading: the unit in them is that of the figures, and another one before them is part of a name. */
const LAST_BRACKETS = /[[(（]([^[\]()（）]*)[\])）]\s*$/

function unitNameOf(text: string): Unit | undefined {
  const last = LAST_BRACKETS.exec(text)
  if (last && last.index > 0 && /[a-z]/i.test(last[1] ?? '') && isUnitAlone(last[1] ?? ''))
    return unitNameOf(last[1] ?? '')
  const clean = toTraditional(text).replaceAll(/[_.]/g, ' ').replaceAll(RATING, ' ')
  const name = UNIT_NAMES.find(([, pattern]) => pattern.test(clean))?.[0]
  if ((name === 'MWh' || name === 'MW') && MILLIWATT.test(text)) return undefined
  if (name) return name
  const isWatt =
    LETTER_W.test(clean) || IDENTIFIER_W.test(text) || (unit('w').test(clean) && POWER.test(clean))
  return isWatt ? 'W' : undefined
}

/** Whether a text is a unit and nothing else: kWh, (kWh), 度(kWh), 1000 kWh. */
export function isUnitAlone(text: string): boolean {
  if (unitNameOf(text) === undefined) return false
  const factor = factorBefore(text)
  if (factor && !factor.isSure) return false
  let rest = (factor ? toTraditional(text).replace(FACTOR, ' ') : toTraditional(text)).replaceAll(
    /[_.]/g,
    ' ',
  )
  const names = new Set<Unit>()
  for (const [name, pattern] of UNIT_NAMES) {
    const match = pattern.exec(rest)
    if (!match) continue
    names.add(name)
    rest = rest.replace(match[1] ?? match[0], ' ')
  }
  if (names.size > 1) return false
  return /^[\s()[\]（）:/x×*]*w?[\s()[\]（）]*$/i.test(rest)
}

/** Reason why a text, such as a cell of units, is no energy. */
export const ignoredReasonOf = (text: string): IgnoredReason | undefined => {
  const clean = toTraditional(text).replaceAll('_', ' ')
  return NOT_ENERGY.find(([, pattern]) => pattern.test(clean))?.[0]
}

/** Whether a text in a column of units is one of something other than energy: kvarh, V. */
export const isOtherUnit = (text: string): boolean =>
  text !== '' &&
  unitOf(text) === undefined &&
  (ignoredReasonOf(text) ?? ignoredReasonOf(`(${text})`)) !== undefined

/** Whether a name in a column of meters or sensors is that of a sensor of something else, or of a plan. */
export const isOtherSensor = (name: string): boolean =>
  (SENSOR.test(toTraditional(name)) && unitOf(name) === undefined) ||
  PLAN_ALONE.test(name) ||
  FORECAST_ALONE.test(toTraditional(name))

const SENSOR = /temperature|humidity|illuminance|voltage|溫度|濕度|照度|電壓/i

/** Whether the name of such a sensor may be one that begins with its word: Temperature Lab, 電壓室. */
export function isNamedAsSensor(name: string): boolean {
  const text = toTraditional(name).replaceAll('_', ' ')
  const match = SENSOR.exec(text)
  return match !== null && isNameBehind(text, match.index + match[0].length)
}

/** Whether the heading of a column of texts says that it is about the quality of the data. */
export const isQualityHeading = (heading: string): boolean =>
  readHeading(heading).ignored === 'quality' || QUALITY_HEAD.test(heading.trim())

/** Whether a text in a column of qualities says that the value is unknown, or only a part of it. */
export const isNotComplete = (text: string): boolean =>
  NOT_COMPLETE.test(text) || (ReadingState.options.includes(text as never) && !COUNTED.has(text))
/** States of our own readings that count, also as files have them in the languages of the product. */
const COUNTED: ReadonlySet<string> = new Set<z.infer<typeof ReadingState>>(['counted', 'accepted'])
const COUNTED_TEXT = /^(?:counted|counted by a person|已計入|人工計入)$/i

/** Whether a text in a column of qualities says that the gateway has validated the reading, and that it counts. */
export const isCounted = (text: string): boolean => COUNTED.has(text) || COUNTED_TEXT.test(text)

/** Texts by which a value is provisional, or replaces a provisional one. */
export const ESTIMATED =
  /^(?:e|est\.?|estimated?|provisional|preliminary|推估|估計|估算|預估|暫定|推定|geschätzt|ersatzwert|vorläufig|estim[ée]e?|estimad[oa]|stimat[oa]|geschat)$/i
export const FINAL =
  /^(?:a|act\.?|actual|final|revised|verified|validated|實際|實測|修正|更正|確定|実績|確報|tatsächlich|gemessen|wahrer wert|réel(?:le)?|real|effettiv[oa]|werkelijk|gemeten)$/i

/** Text whose words are apart: ActiveEnergy is two. */
const withWordsApart = (text: string): string =>
  toTraditional(text)
    .replaceAll(/[−–]/g, '-')
    .replaceAll(/([a-z]{2})(?=[A-Z])/g, '$1 ')

/** Ends of German, French, Italian, Spanish, Portuguese and Dutch words of directions. */
const WORD_END =
  '(?:(?:ungs?|erungs?|ing|en|er|e|te?|ción|ção|[ad][aod]s?|ie)?(?:menge|leistung|energie|arbeit|z(?:ä|ae)hler|stand|werte?)?(?![a-zà-ɏ]))?'
const DIRECTION_WORDS = new RegExp(
  `(?:${EXPORT.source})${WORD_END}|(?:${IMPORT.source})${WORD_END}|${OBIS.source}`,
  'gi',
)

/** Whether a text that states a direction may be a name with its word instead, as it has further words: Export Office. */
export function mayBeName(text: string): boolean {
  const words = withWordsApart(text).replaceAll(/[_.]/g, ' ')
  const rest = words.replaceAll(NO_NAME, '')
  if (OBIS.test(text) || ALONE_EXPORT.test(rest) || ALONE_IMPORT.test(rest)) return false
  return hasNameWords(words, DIRECTION_WORDS)
}

/** Words of what a meter itself uses; with them a word of a direction is part of its name: Export Office - Consumption. */
export const OWN_USE = /consum|consomm|usage|verbrauch|verbruik|puissance moyenne|用電|耗電|使用/i

/**
 * Whether a text that ends with its direction is that of a meter with another quantity in the file: MSB Feed-in (kWh) with MSB Usage (kWh).
 * Import and export at the end may be those of a firm, and are none of each other.
 */
export function hasOtherQuantity(text: string, others: readonly string[]): boolean {
  const words = withWordsApart(text)
  return [...words.matchAll(DIRECTION_WORDS)].some(({ 0: word, index }) => {
    const name = words.slice(0, index).trim()
    const tail = words.slice(index)
    if (name === '' || OWN_USE.test(tail) || hasNameWords(tail, DIRECTION_WORDS)) return false
    return others.some((other) => isOtherQuantity(withWordsApart(other), name, word))
  })
}

/** Whether a text is the same name with a quantity behind it, or with the direction from the grid unless the word is export. */
function isOtherQuantity(text: string, name: string, word: string): boolean {
  const rest = text.slice(name.length)
  if (!text.startsWith(name) || !/^[\s_.:|·-]/.test(rest) || hasNameWords(rest, DIRECTION_WORDS)) return false
  const direction = directionOf(rest)
  return direction === undefined
    ? OWN_USE.test(rest) || POWER.test(rest) || COUNTER.test(rest) || /電力量/.test(rest)
    : direction === 'import' && !/export/i.test(word)
}

/** Direction in a text. */
export function directionOf(text: string): Direction | undefined {
  const clean = withWordsApart(text)
  const register = OBIS.exec(clean)?.[1]
  if (register !== undefined) return register === '1' ? 'import' : 'export'
  const words = clean.replaceAll(/[_.]/g, ' ')
  const rest = words.replaceAll(NO_NAME, '')
  if (EXPORT.test(words) || ALONE_EXPORT.test(rest)) return 'export'
  return IMPORT.test(words) || ALONE_IMPORT.test(rest) ? 'import' : undefined
}

/** Direction by the suffix of a register in Australia: E1 is taken from the grid, B1 returned. */
export const directionOfSuffix = (text: string): Direction | undefined =>
  /^b\d*$/i.test(text) ? 'export' : /^e\d*$/i.test(text) ? 'import' : undefined
/** Headings of columns of registers and directions; else E also means estimated. */
export const isDirectionHeading = (heading: string): boolean =>
  /suffix|register|direction|channel|stream|richtung|sens|流向|方向/i.test(toTraditional(heading))

/**
 * Whether texts are directions: the letters of registers are, if both occur or the heading is about registers. Below the heading of a meter
 * they are none if they may be names.
 */
export function areDirections(texts: readonly string[], heading: string, minimumShare: number): boolean {
  const isOfMeters = isMeterHeading(heading) && !isDirectionHeading(heading)
  const [letters, others] = [
    texts.filter((text) => directionOfSuffix(text)),
    texts.filter((text) => directionOf(text) && !(isOfMeters && mayBeName(text))),
  ]
  const isOfRegisters =
    letters.length === 0 || isDirectionHeading(heading) || new Set(letters.map(directionOfSuffix)).size > 1
  return isOfRegisters && texts.length > 0 && letters.length + others.length >= minimumShare * texts.length
}

const END =
  /(?<![a-z])(?:end|ends|ending|ended|to|until|till|bis|ende|tot|fin|fim|fine|hasta|até|jusqu)(?![a-z])|結束|迄|終[了止點]|^終$|截止|止(?=$|時|日)/i
const BEGIN =
  /(?<![a-z])(?:start|starts|starting|begin|begins|beginning|from|von|beginn|ab|van|début|debut|inizio|inicio|início|desde|since)(?![a-z])|起(?!重)|開始/i
/** Whether the heading of a time says that it is the start or the end of its interval. */
export function stampOf(heading: string): 'begin' | 'end' | undefined {
  const text = toTraditional(heading).replaceAll('_', ' ')
  const [isBegin, isEnd] = [BEGIN.test(text), END.test(text)]
  return isBegin === isEnd ? undefined : isBegin ? 'begin' : 'end'
}

/** Whether a text about a whole file says that its times are the starts or the ends of their intervals. */
export function stampOfText(text: string): 'begin' | 'end' | undefined {
  const match = STAMP_TEXT.exec(toTraditional(text))
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

/** Whether the heading of a column says that it names a meter. */
export const isMeterHeading = (heading: string): boolean => {
  const text = toTraditional(heading).replaceAll(/[_.]/g, ' ')
  return METER_HEAD.test(text) && !MULTIPLIER.test(text) && !TRANSFORMER_RATIO.test(text)
}
const METER_HEAD =
  /電表|表號|表名|表計|計器|メーター|迴路|回路|設備|測點|站名|電號|儀表|(?<![a-z])(?:meters?|contador|medidor|peripheral(?:uid|name)|devices?|(?<!(?:day|week|weekday|month|season|period|tariff|rate|holiday) ?)names?|nmi|ean|mpan|mprn|serial|sensors?|entity id|tag|point|channel|register|inverter|meter serial|målepunkt\w*|metering point|entity id|field|series|zähler\w*|zaehler\w*|messlokation|compteur|contatore|pod|cups|prm|cpe)(?![a-z])/i
/** Headings of columns of times of day, under which 0815 is one. */
export const CLOCK_HEAD =
  /^\s*(?:抄表|量測|測量|记录|記錄|紀錄)?(?:時間|时间|時刻|时刻|time|hour|hh:?mm|uhrzeit|hora|heure|ora|tijdstip)\s*$/i
/** Headings in the languages of countries that write the day before the month. */
export const DAY_FIRST_WORDS =
  /(?<![a-z])(?:datum|uhrzeit|von|bis|verbrauch|zeit|tijdstip|eenheid|hora|fecha|consumo|heure|énergie|compteur|valore|lettura|einheit|wert|leitura|inizio|prelevat\w*)(?![a-z])/i
/** The same, of words that English has too, as the whole heading of a time. */
export const DAY_FIRST_HEAD = /^(?:data|ora|van|tot)(?:\W+(?:e\W+)?(?:ora|hora))?$/i
