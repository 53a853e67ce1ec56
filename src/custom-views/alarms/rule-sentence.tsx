import type { Alarm } from '../../../contract/alarms/calls.ts'
import { AlarmSeverity } from './alarm-state.tsx'
import { useAlarmWords } from './use-alarm-words.ts'

/** Problem that a rule reports, for lists in which other alarms describe themselves. */
export default function RuleSentence({ alarm }: { alarm: Alarm }) {
  const { sentenceOf } = useAlarmWords(alarm.HomeID)
  return (
    <>
      <AlarmSeverity alarm={alarm} />
      <span>{sentenceOf(alarm)}</span>
    </>
  )
}
