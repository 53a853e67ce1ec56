/** What somebody has asked of a whole room. */
export interface Begun {
  RunID: string
  /** In words, e.g. "All lights off". */
  what: string
}
