import type { Announcement, Publication } from './entity.ts'

/** What is announced at one place; it replaces what was announced there before. */
export interface PlacedAnnouncement extends Announcement {
  place: string
}

/** One way devices announce themselves on a broker. A source may remember: it serves one bridge. */
export interface Source {
  /** Filters of the announcements. */
  filters: readonly string[]
  /** Devices of a source with a higher rank hide the same device of another. */
  rank: number
  /** Sent when the device broker is reached: devices that know it announce themselves afresh. */
  hello?: readonly Publication[]
  /**
   * What a message announces: nothing when the topic is none of this source or says nothing new.
   *
   * errors  BadAnnouncement
   */
  parse(
    topic: string,
    message: string,
  ): { announcements: PlacedAnnouncement[]; asks?: Publication[] } | undefined
}
