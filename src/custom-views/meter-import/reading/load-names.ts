/** Words of headings that are not the name of a meter. */
export const QUANTITY_WORDS =
  /(?<![a-z])(?:[kmg]?wh?|kilowatts?|watts?|wattage|hours?|power|demand|load|energy|active|real|total|net|grid|mean|average|avg|max|maximum|peak|interval|usage|used|consumption|consumed|consum|production|produced|yield|generation|generated|import|export|value|meter|measured|ac|dc|p|e|l[123]|phase|counter|analog|reading|register|cumulative|lifetime|status|output|input|instantaneous|pac|pdc|eac|gesamtertrag|tagesertrag|momentanwert|gesamt|leistung|wirkleistung|energie|arbeit|wirkarbeit|verbrauch|bezug|erzeugung|ertrag|mittelwert|lastgang|moyenne|gemiddeld|media|médio|puissance|énergie|consommation|potencia|potenza|potência|energía|energia|consumo|vermogen|verbruik)(?![a-z])|使用電力量|用電量?|耗電量?|發電量?|発電量?|电力|用电量?|電力量?|電量|电量|電能|能量|功率|需量|電力|デマンド|使用量|平均|最大|最高|最小|累計|累積|讀數|瞬時|即時|有效|有功|實功|總|度數?|[\s\d_.,:：·\-/()（）[\]]+/gi

/** Further words that name no load, behind a word of another quantity: today, of the site, value of the year before. */
const PLAIN_WORDS =
  /(?<![a-zà-ɏ])(?:to|from|of|for|in|per|by|and|the|von|für|der|des|du|de|pour|para|per|wert|werte|menge|data|cost|costs|charge|charges|electricity|strom|grid|network|netz|site|plant|building|house|main|pv|solar|battery|inverter|channel|tariff|rate|day|days|week|month|year|hour|today|tomorrow|yesterday|ahead|hourly|daily|monthly|next|same|period|h|kvarh?|kva)(?![a-zà-ɏ])|同期|同月|同日|實績|實際|數值|數據|資料|值/gi
/** Prepositions, behind which a word has its own meaning: cost of lighting, budget for hall 3. */
const PREPOSITION = /^[\s_]*(?:of|for|in|per|to|from|by|von|für|der|des|du|de|pour|para|di|do|van)(?![a-z])/i
/** Ends of the part of a heading that may be a name. */
const PART_END = /[([（【:：|,;/·]|\s[-–]\s/

/**
 * Whether a name follows a word, which then is its first part and no word about the figures: Forecast Room, Prognose-Institut, 去年館. A
 * Chinese name follows at once, others also behind a blank.
 *
 * from  index behind the word
 */
export function isNameBehind(text: string, from: number): boolean {
  const tail = text.slice(from)
  if (PREPOSITION.test(tail)) return false
  const [part = ''] = tail.split(PART_END)
  const rest = part.replaceAll(QUANTITY_WORDS, ' ').replaceAll(PLAIN_WORDS, ' ')
  return /[a-zà-ɏ]{2}/i.test(rest) || (/^[\u3400-\u9fff]/.test(part) && /[\u3400-\u9fff]/.test(rest))
}

/** Texts with the same words. */
export const isSameName = (one: string, other: string): boolean => wordsOf(one) === wordsOf(other)

const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\s_.\-–()[\]（）]+/g, ' ')
    .trim()
