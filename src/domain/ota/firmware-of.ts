/** Whose firmware a panel shows. */
export interface FirmwareOf {
  homeId: string
  thingName: string
  /** Null for the hub itself. */
  peripheralUid: string | null
}
