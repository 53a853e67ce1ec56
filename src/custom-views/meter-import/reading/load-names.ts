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

/** Words that may be in addition to those above in a heading of a direction: tariffs, the grid's owner, verbs of the directions. */
const DIRECTION_COMPANIONS =
  /(?<![a-zà-ɏ])(?:t|ht|nt|hp|hc|peak|off|on|shoulder|high|low|normal|night|nacht|tag|dag|jour|nuit|nachts?|tags?|heures?|pleines?|creuses?|punta|valle|llano|fora|ponta|vazio|tarif\w*|delivered|received|del|rec|rcvd|dlv|rcv|int|interval|imp|exp|in|out|a|forward|backward|reverse|returns?|returned|sold|bought|purchased|purchases?|buy|sell|inflow|outflow|surplus|excess|self|own|eigen\w*|auto\w*|netto|brutto|gross|utility|smart|bidirectional|direction|register|totals?|sum|summe|sums?|cumul\w*|energies|kwhs?|wh|kilowatthours?|entr\w*|en|el|la|le|les|los|of|ins|aus|vom|zum|zur|au|réseau|red|rede|rete|net|aan|naar|uit|öffentliche?s?|supply|supplied|supplier|fed|dsmr|energ[a-zà-ɏ]*|énerg[a-zà-ɏ]*|excedent[a-zà-ɏ]*|vertid[ao]s?|back|qty|quantity|amount|hour|hourly|stat\w*|sensor|entity|profile|profil|stand|zähler|zählerstand|meterstand|index|indice|compteur|contador|contatore|attiv[ao]|activ[aeo]|aktiv|aktive|positive|negative|medida|na|ic|ativa|act|fund|dal|normaal|piek|hoog|laag|\w*tarief|fed|export\w{0,3}|import\w{0,3})(?![a-zà-ɏ])|餘電|售出|售電|賣電|躉購|躉售|購電|買電|市電|台電|臺電|電力公司|電網|公共|倒送|逆送|回饋|饋入|饋網|併網|上網|下網|輸入|輸出|受電|送電|正向|反向|逆向|方向|逆潮流|逆方向|全額|剩餘|自用|自發|自家|回售|太陽能|太陽光|光電|總表|主表|總盤|高壓|全廠|全區|全站|場域|總計|合計|尖峰|半尖峰|離峰|日間|夜間|週六|平日|時段|本日|本月|今日|當日|當月|每日|每月|電表|流向|發電|電力量?/gi
/** Characters that are left of Chinese headings without these words. */
const CHARACTERS = /[數量電度值的至向側端之與和及]/g
/** Codes such as 12, B, MDP-1 and identities of many digits; in Chinese, A棟 and 3樓. */
const CODES =
  /(?<![\w-])[A-Z]{1,3}[-_]?\d+(?![\w-])|(?<!\w)(?=(?:[A-Za-z]*\d){4})[A-Za-z\d]{6,}(?!\w)|(?<![A-Za-z])[A-Za-z\d]{1,2}[棟樓廠館區號層期]|(?<!\w)\w(?!\w)/g
/** Places that a word of a direction before them may name together with them: Export House. */
const PLACE = /^(?:site|plant|building|house|main|channel|battery)(?![a-z])/i

/**
 * Whether a text has words that are neither in `words` nor usual in headings of energy, and thus may be a name: Feed-in Conveyor, Export
 * Office, but not Grid feed-in (kWh).
 *
 * words  what the text is recognized by, as a global pattern
 */
export function hasNameWords(text: string, words: RegExp): boolean {
  const isPlace = [...text.matchAll(words)].some((match) =>
    isPlaceBehind(text, match.index + match[0].length),
  )
  const rest = [words, CODES, DIRECTION_COMPANIONS, QUANTITY_WORDS, PLAIN_WORDS, CHARACTERS].reduce(
    (left, known) => left.replaceAll(known, ' '),
    text,
  )
  return isPlace || /[a-zà-ɏ]{2}|[\u3040-\u30ff\u3400-\u9fff]/i.test(rest)
}

/** Whether a place follows a word, from the index behind the word. */
export const isPlaceBehind = (text: string, from: number): boolean =>
  PLACE.test(text.slice(from).replace(/^[\s_-]+/, ''))
