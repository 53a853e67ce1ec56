import { LAYERS, type Layer } from '../../domain/room/room-layers.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { RoomWords } from './use-room-words.ts'

/** What a room on a plan says in short. */
export interface PlanWords {
  /** What the plan is coloured by; undefined where nothing in the room tells it. */
  lead: string | undefined
  others: string[]
}

/** Writes a room in short lines; what has no short form of its own stands with its name. */
export function usePlanWords(): (words: RoomWords, layer: Layer | undefined) => PlanWords {
  const t = useT()
  return (words, layer) => ({
    lead: layer && words[layer],
    others: LAYERS.filter((one) => one !== layer && one !== 'air').flatMap((one) => {
      const said = words[one]
      if (said === undefined || (one === 'booking' && said === t('building:noBooking'))) return []
      return [
        one === 'light' || said === t('building:unknown') ? `${t(`building:layers.${one}`)} ${said}` : said,
      ]
    }),
  })
}
