import type { Announcement, Publication } from '../entities/entity.ts'

/** The announcement at one place; it replaces the earlier one there. */
export interface PlacedAnnouncement extends Announcement {
  place: string
}

/** One announcement format on a broker. A source may keep state: it serves one bridge. */
export interface Source {
  filters: readonly string[]
  /** A device of a source with a higher rank hides the same device of another. */
  rank: number
  /** Sent after connecting to the device broker: devices that support it announce themselves again. */
  initialQueries?: readonly Publication[]
  /**
   * Parses an announcement; nothing if the topic is not of this source or the message contains nothing new.
   *
   * errors  BadAnnouncement
   */
  parse(
    topic: string,
    message: string,
  ): { announcements: PlacedAnnouncement[]; queries?: Publication[] } | undefined
}
