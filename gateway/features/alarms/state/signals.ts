import type { AlarmKind, AlarmReading } from '../../../../contract/alarms/calls.ts'
import type { AlarmSeverity } from '../../../../contract/kernel/severity.ts'
import type { Escalation, NotifySettings } from '../../../../contract/automation/alarm-part.ts'

/** Abnormal state that a source reports. */
export interface AlarmSignalState {
  severity: AlarmSeverity
  /** For states: the fields with alarm or warning values, and the fields that make them apply. */
  values: Readonly<Record<string, number>>
  readings: readonly AlarmReading[]
  /** Whether the state endangers life, as smoke and fire do; maintenance does not silence it. */
  isFire: boolean
}

/** Subject of an alarm; null for fields that its kind does not have. */
export interface AlarmSubject {
  tenant: string
  homeId: string
  source: string
  kind: AlarmKind
  peripheralUid: string | null
  peripheralType: string | null
  thingName: string | null
  automationId: string | null
  automationName: string | null
}

/** State of a source at a time: abnormal, or null for normal. */
export interface Signal extends AlarmSubject {
  state: AlarmSignalState | null
  /** By the clock of the source, epoch ms. */
  at: number
  /** For rules: recipients (undefined: everyone who may read it), and recipients if it is not acknowledged. */
  notify?: NotifySettings | undefined
  escalate?: readonly Escalation[]
  /** The report is late, so no notification is sent. */
  isLate?: boolean
  /** The state is current, however old the report is. */
  isOngoing?: boolean
  /** Unknown fields, which neither raise nor clear. */
  unknownFields?: readonly string[]
  /** Changes an open alarm, but raises none. */
  onlyIfOpen?: boolean
}

const NO_SUBJECT = {
  peripheralUid: null,
  peripheralType: null,
  thingName: null,
  automationId: null,
  automationName: null,
} as const

/** The subject of a device's own alarm. */
export const deviceSubject = (
  kind: 'state' | 'breach' | 'silent',
  { tenant, homeId, uid, type }: { tenant: string; homeId: string; uid: string; type: string },
): AlarmSubject => ({
  ...NO_SUBJECT,
  tenant,
  homeId,
  kind,
  source: `${kind}:${uid}`,
  peripheralUid: uid,
  peripheralType: type,
})

/** The subject of the alarm of a lost hub. */
export const hubSubject = (tenant: string, homeId: string, thingName: string): AlarmSubject => ({
  ...NO_SUBJECT,
  tenant,
  homeId,
  kind: 'hubLost',
  source: `hubLost:${thingName}`,
  thingName,
})

/** The subject of an alarm of a rule. */
export const ruleSubject = (
  kind: 'rule' | 'ahead',
  {
    tenant,
    homeId,
    automationId,
    automationName,
    peripheralUid,
  }: Pick<AlarmSubject, 'tenant' | 'homeId' | 'automationName' | 'peripheralUid'> & { automationId: string },
): AlarmSubject => ({
  ...NO_SUBJECT,
  tenant,
  homeId,
  kind,
  source: `${kind}:${automationId}`,
  automationId,
  automationName,
  peripheralUid,
})

export const subjectOf = (subject: AlarmSubject): AlarmSubject => ({
  tenant: subject.tenant,
  homeId: subject.homeId,
  source: subject.source,
  kind: subject.kind,
  peripheralUid: subject.peripheralUid,
  peripheralType: subject.peripheralType,
  thingName: subject.thingName,
  automationId: subject.automationId,
  automationName: subject.automationName,
})
