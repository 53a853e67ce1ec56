/** Simplified and Japanese characters of words about energy, each followed by the one that Taiwan writes. */
const VARIANTS =
  '时時电電网網发發発發卖賣売賣买買间間单單単單万萬亿億计計积積读讀読讀数數总總総總压壓圧壓频頻湿濕温溫区區结結终終点點开開' +
  '设設备備测測号號标標准準质質态態状狀费費额額价價无無视視补補余餘馈饋购購气氣気氣湾灣国國乗乘变變変變线線统統'
const TRADITIONAL = new Map(
  Array.from({ length: VARIANTS.length / 2 }, (_, at) => [
    VARIANTS.charAt(2 * at),
    VARIANTS.charAt(2 * at + 1),
  ]),
)
const VARIANT = new RegExp(`[${[...TRADITIONAL.keys()].join('')}]`, 'g')

/** Text in which simplified and Japanese characters are those of Taiwan, so that one list of words finds all three. */
export const toTraditional = (text: string): string =>
  text.replace(VARIANT, (character) => TRADITIONAL.get(character) ?? character)
