/** What a contract guard has carried out: one load is shed, or becomes what it was. */
export interface GuardRun {
  tenant: string
  homeId: string
  runId: string
  automationId: string
  name: string
  ownerId: string | null
  cause: 'shed' | 'giveBack'
  /** One load, and what sheds it. */
  action: { PeripheralUID?: string; GroupID?: string; Values: Record<string, unknown> } | null
  /** Instead: the run whose fields become what they were. */
  restores: string | null
}
