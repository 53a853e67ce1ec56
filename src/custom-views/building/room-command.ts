export interface RoomCommand {
  RunID: string
  /** Text, e.g. "All lights off". */
  what: string
}
