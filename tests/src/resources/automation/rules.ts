import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { automations } from '../../../../contract/automation/calls.ts'
import { automation } from '../../../../contract/automation/automation.ts'
import { conferenceRoom } from '../../../../contract/bookings/conference-room.ts'
import { virtualMeter } from '../../../../contract/meters/virtual-meter.ts'
import { answers, rejectCall, server } from '../../../support/msw.ts'

export type Answered = ResultsOf<typeof automation.operations.list>[number]

const known = {
  HomeID: 'h1',
  Version: 4,
  OwnerID: '00000000-0000-4000-8000-000000000001',
  OwnerName: '林經理',
  State: 'ready',
  Problem: null,
  LastRunAt: null,
  LastResult: null,
  NextRunAt: null,
  RunsToday: 0,
  Catching: 'latest',
} as const

/** Switches the corridor's light on for twelve hours at 08:00 on workdays. */
export const schedule = (more: Partial<Answered> = {}): Answered => ({
  ...known,
  AutomationID: 'a1',
  AutomationType: 1,
  AutomationName: '上班開燈',
  Schedule: { Weekdays: [1, 2, 3, 4, 5], At: 480, Days: 'workdays', OffAfter: 12 },
  Actions: [{ PeripheralUID: 'a', Values: { Switch: 1 } }],
  ...more,
})

/** Switches the corridor's light on when the desk lamp has been on for five minutes. */
export const smartLink = (more: Partial<Answered> = {}): Answered => ({
  ...known,
  AutomationID: 's1',
  AutomationType: 3,
  AutomationName: '桌燈連動',
  Conditions: {
    PeripheralUIDs: [{ PeripheralUID: 'b', Field: 'Switch', Status: 1, Logical: '=' }],
    For: 300,
  },
  Actions: [{ PeripheralUID: 'a', Values: { Switch: 1 } }],
  ...more,
})

/** Sets a home's automations; there are none of other types. */
export const rulesAre = (...rules: Answered[]) =>
  server.use(
    answers(automation.operations.list, (body) =>
      rules.filter(
        ({ AutomationType }) => AutomationType === (body as { AutomationType: number }).AutomationType,
      ),
    ),
  )

/** Home whose automations act, and whose gateway cannot check any yet. */
export const nothingElse = () =>
  server.use(
    answers(automations.getAutomationPause, null),
    answers(automations.listBlockedAutomation, []),
    answers(virtualMeter.operations.list, []),
    answers(conferenceRoom.operations.list, []),
    rejectCall(automations.checkAutomation, 'UNAVAILABLE'),
  )
