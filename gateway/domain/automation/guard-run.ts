/** Action that a contract guard carried out: it sheds one load, or restores it. */
export interface GuardRun {
  tenant: string
  homeId: string
  runId: string
  automationId: string
  name: string
  ownerId: string | null
  cause: 'shed' | 'giveBack'
  /** Load and the values that shed it. */
  action: { PeripheralUID?: string; GroupID?: string; Values: Record<string, unknown> } | null
  /** Alternatively, the run whose fields are restored. */
  restores: string | null
}
