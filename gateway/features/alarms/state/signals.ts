import type { AlarmKind, AlarmReading } from '../../../../contract/alarms/calls.ts'
import type { AlarmSeverity } from '../../../../contract/kernel/alarm-severity.ts'
import type { Escalation, NotifySettings } from '../../../../contract/automation/alarm-part.ts'

/** What a source says is wrong. */
export interface AlarmSignalState {
  severity: AlarmSeverity
  /** Of states: the fields that mean alarm or warning, and what makes them apply. */
  values: Readonly<Record<string, number>>
  readings: readonly AlarmReading[]
  /** Whether the state endangers life, as smoke and fire do; maintenance does not silence it. */
  isFire: boolean
}

/** What an alarm is about; what its kind does not have is null. */
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

/** What the source of an alarm says at a moment: that something is wrong, or with null that nothing is. */
export interface Signal extends AlarmSubject {
  says: AlarmSignalState | null
  /** By the clock of the source, epoch ms. */
  at: number
  /** Of rules: who is told (undefined: everybody who may read it), and who when nobody acknowledges it. */
  notify?: NotifySettings | undefined
  escalate?: readonly Escalation[]
  /** It is so old that nobody is sent anything. */
  late?: boolean
  /** It is so now, however long ago its source said so. */
  stands?: boolean
  /** Fields that are unknown: they say neither that something is wrong nor that nothing is. */
  unknown?: readonly string[]
  /** It changes what is open, and raises nothing. */
  onlyIfOpen?: boolean
}

const OF_NOTHING = {
  peripheralUid: null,
  peripheralType: null,
  thingName: null,
  automationId: null,
  automationName: null,
} as const

/** The subject of an alarm of a device's own. */
export const deviceSubject = (
  kind: 'state' | 'breach' | 'silent',
  { tenant, homeId, uid, type }: { tenant: string; homeId: string; uid: string; type: string },
): AlarmSubject => ({
  ...OF_NOTHING,
  tenant,
  homeId,
  kind,
  source: `${kind}:${uid}`,
  peripheralUid: uid,
  peripheralType: type,
})

/** The subject of the alarm of a lost hub. */
export const hubSubject = (tenant: string, homeId: string, thingName: string): AlarmSubject => ({
  ...OF_NOTHING,
  tenant,
  homeId,
  kind: 'hubLost',
  source: `hubLost:${thingName}`,
  thingName,
})

/** The subject of an alarm of a rule; what it is about besides, the rule says. */
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
  ...OF_NOTHING,
  tenant,
  homeId,
  kind,
  source: `${kind}:${automationId}`,
  automationId,
  automationName,
  peripheralUid,
})

/** The subject alone of what holds more. */
export const subjectOf = (one: AlarmSubject): AlarmSubject => ({
  tenant: one.tenant,
  homeId: one.homeId,
  source: one.source,
  kind: one.kind,
  peripheralUid: one.peripheralUid,
  peripheralType: one.peripheralType,
  thingName: one.thingName,
  automationId: one.automationId,
  automationName: one.automationName,
})
