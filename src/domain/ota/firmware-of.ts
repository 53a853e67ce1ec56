/** Hub or device whose firmware is shown. */
export interface FirmwareOf {
  homeId: string
  thingName: string
  /** Null for the hub itself. */
  peripheralUid: string | null
}
