import type { Alarm } from '../../contract/alarms/calls.ts'

/** Open, unacknowledged alarm of a smoke detector. */
export const alarmRecord = (overrides: Partial<Alarm> = {}): Alarm => ({
  AlarmID: '6b1f7a52-6f0a-4f7b-9f0e-3a52b2a3c1d0',
  HomeID: 'h1',
  Kind: 'state',
  Source: 'state:smoke',
  AutomationID: null,
  AutomationName: null,
  PeripheralUID: 'smoke',
  PeripheralType: '756',
  ThingName: null,
  SubjectName: 'smoke',
  Severity: 'critical',
  Values: { SmokeState: 3 },
  Readings: [],
  Count: 1,
  Chattering: false,
  RaisedAt: 0,
  ReportedAt: 0,
  SourceLost: false,
  Acknowledged: null,
  Shelved: null,
  Cleared: null,
  Comments: [],
  Withdrawn: [],
  ...overrides,
})

/** Page of alarms as `/ListAlarm` returns it. */
export const alarmPage = (Rows: readonly Alarm[]) => ({
  Rows: [...Rows],
  NextCursor: null,
  Total: Rows.length,
  Counts: { critical: 0, warning: 0, unacknowledged: 0, shelved: 0 },
})
