/** What somebody has asked of a whole room. */
export interface RoomCommand {
  RunID: string
  /** In words, e.g. "All lights off". */
  what: string
}
