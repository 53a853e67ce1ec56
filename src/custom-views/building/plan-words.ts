import { LAYERS, type Layer } from '../../domain/room/room-layers.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { RoomWords } from './use-room-words.ts'

/** What a room on a plan says in short, the layer's own first; what has no short form of its own stands with its name. */
export function usePlanWords(): (words: RoomWords, layer: Layer | undefined) => string[] {
  const t = useT()
  return (words, layer) => {
    const [first, others] = [
      layer && [words[layer] ?? t('building:nothing')],
      LAYERS.filter((one) => one !== layer && one !== 'air'),
    ]
    const rest = others.flatMap((one) => {
      const said = words[one]
      if (said === undefined || (one === 'booking' && said === t('building:noBooking'))) return []
      return [
        one === 'light' || said === t('building:unknown') ? `${t(`building:layers.${one}`)} ${said}` : said,
      ]
    })
    return [...(first ?? []), ...rest]
  }
}
